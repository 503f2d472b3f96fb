//! Arrays in files. [`ArrayLocation`] parses and opens `FILE.npy` and `FILE.safetensors:TENSOR`; [`FileArray`] reads an open
//! array.
//!
//! | module | contents |
//! |---|---|
//! | [`npy`], [`npy_header`] | the `.npy` format; the Python literal of its header |
//! | [`safetensors`], [`safetensors_header`] | the `.safetensors` format; its JSON header |
//! | [`encoding`] | elements that are stored in a different form than in memory: big-endian, 8-bit floats |
//! | [`positioned_io`] | reads and writes at a position, from several threads |
//! | [`output`] | output files, which replace their target when they are complete |

pub(crate) mod encoding;
pub(crate) mod npy;
pub(crate) mod npy_header;
pub(crate) mod output;
pub(crate) mod positioned_io;
pub(crate) mod safetensors;
pub(crate) mod safetensors_header;

use std::ffi::OsStr;
use std::fs::File;
use std::path::{Path, PathBuf};

use eltwise::{DType, Layout};
use encoding::Encoding;
use safetensors::Preserved;

use crate::error::{CliError, Result};

/// An array in an open file.
pub(crate) struct FileArray {
    pub(crate) layout: Layout,
    file: File,
    path: PathBuf,
    /// The byte of the file at which element `[0, 0, ...]` starts.
    offset: u64,
    encoding: Encoding,
}

impl FileArray {
    /// Reads elements into `bytes`, starting at byte `at` of the array.
    pub(crate) fn read(&self, bytes: &mut [u8], at: u64) -> Result<()> {
        let dtype = self.layout.dtype();
        let (at, range) = self.encoding.file_range(dtype, at, bytes.len());
        positioned_io::read(&self.file, &mut bytes[range], self.offset + at, &self.path)?;
        self.encoding.decode(dtype, bytes);
        Ok(())
    }

    /// How the file stores the elements.
    pub(crate) fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// Makes reads convert 8-bit floats to `f32`. Other arrays stay as they are.
    pub(crate) fn read_as_f32(&mut self) -> Result<()> {
        if let Some(encoding) = self.encoding.as_f32() {
            // 8-bit floats exist in .safetensors only, which is always in C order.
            self.layout = Layout::contiguous(DType::F32, self.layout.shape().clone())?;
            self.encoding = encoding;
        }
        Ok(())
    }
}

/// A file format, chosen by the file's extension.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Format {
    /// NumPy's format.
    Npy,
    /// Hugging Face's format.
    Safetensors,
}

/// The location of one array: a file, its format, and the name of the tensor in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ArrayLocation {
    pub(crate) path: PathBuf,
    pub(crate) format: Format,
    /// The tensor's name, if given (`.safetensors` only).
    pub(crate) tensor: Option<String>,
}

impl ArrayLocation {
    /// Parses `FILE.npy`, `FILE.safetensors` or `FILE.safetensors:TENSOR`. Extensions may be in any case.
    pub(crate) fn parse(text: &str) -> std::result::Result<ArrayLocation, String> {
        const SEPARATOR: &str = ".safetensors:";
        if let Some(at) = text.to_ascii_lowercase().find(SEPARATOR) {
            let (path, tensor) = (&text[..at + SEPARATOR.len() - 1], &text[at + SEPARATOR.len()..]);
            if tensor.is_empty() {
                return Err("no tensor name after the colon, and a tensor without a name cannot be chosen".into());
            }
            let tensor = Some(tensor.to_string());
            return Ok(ArrayLocation { path: path.into(), format: Format::Safetensors, tensor });
        }
        let path = Path::new(text);
        let extension = path.extension().and_then(OsStr::to_str).map(str::to_ascii_lowercase);
        let format = match extension.as_deref() {
            Some("npy") => Format::Npy,
            Some("safetensors") => Format::Safetensors,
            _ => return Err("unknown file type: expected .npy or .safetensors".into()),
        };
        Ok(ArrayLocation { path: path.to_path_buf(), format, tensor: None })
    }

    /// Opens the file and finds the array in it.
    pub(crate) fn open(&self) -> Result<FileArray> {
        let (file, length) = positioned_io::open(&self.path)?;
        let found = match self.format {
            Format::Npy => npy::find(&positioned_io::head(&file, length, npy::MAX_PREFIX, &self.path)?, length),
            Format::Safetensors => safetensors::find(&self.header(&file, length)?, length, self.tensor.as_deref()),
        };
        let (layout, offset, encoding) = found.map_err(|why| CliError::file(&self.path, why))?;
        Ok(FileArray { layout, file, path: self.path.clone(), offset: offset as u64, encoding })
    }

    /// The parts of a `.safetensors` file that an output replacing it preserves; see [`safetensors::preserved`].
    pub(crate) fn preserved(&self) -> Result<std::result::Result<Preserved, String>> {
        let (file, length) = positioned_io::open(&self.path)?;
        Ok(safetensors::preserved(&self.header(&file, length)?, length, self.tensor.as_deref()))
    }

    /// The bytes of a `.safetensors` file before the tensor data.
    fn header(&self, file: &File, length: u64) -> Result<Vec<u8>> {
        let first = positioned_io::head(file, length, safetensors::PREFIX, &self.path)?;
        let data_start = first.first_chunk().map_or(safetensors::PREFIX, |first| safetensors::data_start(*first));
        positioned_io::head(file, length, data_start, &self.path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locations_parse() {
        let parse = ArrayLocation::parse;
        assert_eq!(parse("a/b.npy").unwrap().format, Format::Npy);
        let p = parse("c:/m.safetensors:layer.0:w").unwrap();
        assert_eq!((p.path.to_str(), p.tensor.as_deref()), (Some("c:/m.safetensors"), Some("layer.0:w")));
        assert_eq!(parse("m.safetensors").unwrap().tensor, None);
        assert!(parse("m.safetensors:").unwrap_err().contains("no tensor name"));
        assert_eq!(parse("x.png").unwrap_err(), "unknown file type: expected .npy or .safetensors");
        assert!(parse("npy").is_err());
        assert_eq!(parse("A.NPY").unwrap().format, Format::Npy);
        assert_eq!(parse("É.SafeTensors").unwrap().format, Format::Safetensors);
        let p = parse("É.SAFETENSORS:W").unwrap();
        assert_eq!((p.path.to_str(), p.tensor.as_deref()), (Some("É.SAFETENSORS"), Some("W")));
    }
}
