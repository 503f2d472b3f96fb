//! Arrays in files: what an operand is, and which format reads or writes it.

pub(crate) mod npy;
pub(crate) mod npy_header;
pub(crate) mod output;
pub(crate) mod position;
pub(crate) mod safetensors;
pub(crate) mod stored;

use std::ffi::OsStr;
use std::fs::File;
use std::path::{Path, PathBuf};

use eltwise::{DType, Layout};
use safetensors::Kept;
use stored::Stored;

use crate::error::{CliError, Result};

/// Where an array is within a file.
pub(crate) struct Array {
    /// Dtype, shape and strides.
    pub(crate) layout: Layout,
    file: File,
    path: PathBuf,
    /// The byte of the file that element `[0, 0, ...]` starts at.
    offset: u64,
    stored: Stored,
}

impl Array {
    /// Fills `bytes` from byte `at` of the elements on.
    pub(crate) fn read(&self, bytes: &mut [u8], at: u64) -> Result<()> {
        let dtype = self.layout.dtype();
        let (at, place) = self.stored.place(dtype, at, bytes.len());
        position::read(&self.file, &mut bytes[place], self.offset + at, &self.path)?;
        self.stored.decode(dtype, bytes);
        Ok(())
    }

    /// How the elements are stored.
    pub(crate) fn stored(&self) -> Stored {
        self.stored
    }

    /// Casts the elements to `f32` on reading, where they are 8-bit floats.
    pub(crate) fn read_as_f32(&mut self) -> Result<()> {
        if let Some(stored) = self.stored.as_f32() {
            // The format has C order only.
            self.layout = Layout::contiguous(DType::F32, self.layout.shape().clone())?;
            self.stored = stored;
        }
        Ok(())
    }
}

/// A file format, chosen by the file's extension.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Format {
    /// NumPy's.
    Npy,
    /// Hugging Face's.
    Safetensors,
}

/// A place for one array: a file, its format, and the tensor's name in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Place {
    /// The file.
    pub(crate) path: PathBuf,
    /// Its format.
    pub(crate) format: Format,
    /// The tensor's name, when given (`.safetensors` only).
    pub(crate) tensor: Option<String>,
}

impl Place {
    /// Reads `FILE.npy`, `FILE.safetensors` or `FILE.safetensors:TENSOR`, with extensions in any case; else, why it
    /// is none.
    pub(crate) fn parse(text: &str) -> std::result::Result<Place, String> {
        const MARK: &str = ".safetensors:";
        if let Some(at) = text.to_ascii_lowercase().find(MARK) {
            let (path, tensor) = (&text[..at + MARK.len() - 1], &text[at + MARK.len()..]);
            if tensor.is_empty() {
                return Err("no tensor name after the colon, and a tensor without a name cannot be chosen".into());
            }
            let tensor = Some(tensor.to_string());
            return Ok(Place { path: path.into(), format: Format::Safetensors, tensor });
        }
        let path = Path::new(text);
        let extension = path.extension().and_then(OsStr::to_str).map(str::to_ascii_lowercase);
        let format = match extension.as_deref() {
            Some("npy") => Format::Npy,
            Some("safetensors") => Format::Safetensors,
            _ => return Err("unknown file type: expected .npy or .safetensors".into()),
        };
        Ok(Place { path: path.to_path_buf(), format, tensor: None })
    }

    /// Opens the file and finds the array in it.
    pub(crate) fn open(&self) -> Result<Array> {
        let (file, length) = position::open(&self.path)?;
        let found = match self.format {
            Format::Npy => npy::find(&position::head(&file, length, npy::MOST, &self.path)?, length),
            Format::Safetensors => safetensors::find(&self.header(&file, length)?, length, self.tensor.as_deref()),
        };
        let (layout, offset, stored) = found.map_err(|why| CliError::file(&self.path, why))?;
        Ok(Array { layout, file, path: self.path.clone(), offset: offset as u64, stored })
    }

    /// What is kept of a `.safetensors` file that is replaced: see [`safetensors::kept`].
    pub(crate) fn kept(&self) -> Result<std::result::Result<Kept, String>> {
        let (file, length) = position::open(&self.path)?;
        Ok(safetensors::kept(&self.header(&file, length)?, length, self.tensor.as_deref()))
    }

    /// The bytes of a `.safetensors` file before the elements.
    fn header(&self, file: &File, length: u64) -> Result<Vec<u8>> {
        let first = position::head(file, length, safetensors::PREFIX, &self.path)?;
        position::head(file, length, safetensors::before(&first), &self.path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_parse() {
        let place = Place::parse;
        assert_eq!(place("a/b.npy").unwrap().format, Format::Npy);
        let p = place("c:/m.safetensors:layer.0:w").unwrap();
        assert_eq!((p.path.to_str(), p.tensor.as_deref()), (Some("c:/m.safetensors"), Some("layer.0:w")));
        assert_eq!(place("m.safetensors").unwrap().tensor, None);
        assert!(place("m.safetensors:").unwrap_err().contains("no tensor name"));
        assert_eq!(place("x.png").unwrap_err(), "unknown file type: expected .npy or .safetensors");
        assert!(place("npy").is_err());
        assert_eq!(place("A.NPY").unwrap().format, Format::Npy);
        assert_eq!(place("É.SafeTensors").unwrap().format, Format::Safetensors);
        let p = place("É.SAFETENSORS:W").unwrap();
        assert_eq!((p.path.to_str(), p.tensor.as_deref()), (Some("É.SAFETENSORS"), Some("W")));
    }
}
