//! The result's file: it grows under a temporary name beside its place, and gets its own name when it is complete.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use eltwise::{Layout, ViewMut};
use memmap2::MmapMut;
use tempfile::NamedTempFile;

use super::{Format, Place, map, npy, safetensors};
use crate::error::{CliError, Result};

/// The most links from a name to its file, as on Linux.
const MOST_LINKS: usize = 40;

/// A mapped file under its temporary name; dropping it removes it.
pub(crate) struct Output {
    layout: Layout,
    map: MmapMut,
    header: usize,
    file: NamedTempFile,
    target: PathBuf,
}

impl Output {
    /// Whether a file of this format can hold the layout without another walk over the memory.
    pub(crate) fn holds(format: Format, layout: &Layout) -> bool {
        match format {
            Format::Npy => npy::holds(layout),
            Format::Safetensors => layout.is_contiguous(),
        }
    }

    /// Makes the file at its full length, with the header, in the directory of `place`.
    pub(crate) fn create(place: &Place, layout: &Layout) -> Result<Output> {
        let (target, old) = target(&place.path)?;
        let header = match place.format {
            Format::Npy => npy::header(layout),
            Format::Safetensors => {
                safetensors::header(place.tensor.as_deref(), layout).map_err(|why| CliError::file(&place.path, why))?
            }
        };
        if old.as_ref().is_some_and(|old| old.len() > 0) {
            loses_nothing(place, &target)?;
        }
        let bytes = layout.shape().bytes(layout.dtype().size())? as u64 + header.len() as u64;
        let directory = target.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let file = temporary(directory).map_err(|e| CliError::io(&place.path, &e))?;
        if let Some(old) = old {
            file.as_file().set_permissions(old.permissions()).map_err(|e| CliError::io(&place.path, &e))?;
        }
        remove_on_interrupt(Some(file.path()));
        let mut map = map::create(file.as_file(), bytes, &place.path)?;
        map[..header.len()].copy_from_slice(&header);
        Ok(Output { layout: layout.clone(), map, header: header.len(), file, target })
    }

    /// The elements, all zero at first, and the memory of the file.
    pub(crate) fn view(&mut self) -> Result<(ViewMut<'_>, map::Pages<'_>)> {
        let (bytes, pages) = map::Pages::with(&mut self.map);
        Ok((ViewMut::from_bytes(bytes, self.layout.clone(), self.header)?, pages))
    }

    /// Gives the file its name; what had the name before is gone, but stays readable where it is mapped.
    pub(crate) fn finish(self) -> Result<()> {
        drop(self.map);
        self.file.persist(&self.target).map_err(|e| CliError::io(&self.target, &e.error))?;
        remove_on_interrupt(None);
        Ok(())
    }
}

/// Refuses to replace a file by one that lacks tensors of it.
fn loses_nothing(place: &Place, target: &Path) -> Result<()> {
    if place.format != Format::Safetensors {
        return Ok(());
    }
    match safetensors::lost(&map::read(target)?, place.tensor.as_deref()) {
        None => Ok(()),
        Some(names) => Err(CliError::Argument(format!(
            "a .safetensors output holds one tensor; {} also holds {names}",
            place.path.display()
        ))),
    }
}

/// The file to replace, through links, and what it is now.
fn target(path: &Path) -> Result<(PathBuf, Option<fs::Metadata>)> {
    match fs::metadata(path) {
        Ok(old) if !old.is_file() => Err(CliError::file(path, "is not a regular file")),
        Ok(old) if old.permissions().readonly() => Err(CliError::file(path, "is read-only")),
        Ok(old) => Ok((fs::canonicalize(path).map_err(|e| CliError::io(path, &e))?, Some(old))),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok((linked(path), None)),
        Err(e) => Err(CliError::io(path, &e)),
    }
}

/// Where the links from `path` end, though there is no file.
fn linked(path: &Path) -> PathBuf {
    let mut end = path.to_path_buf();
    for _ in 0..MOST_LINKS {
        let Ok(next) = fs::read_link(&end) else { break };
        end = end.parent().unwrap_or(Path::new("")).join(next);
    }
    end
}

fn temporary(directory: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".eltwise-").suffix(".tmp");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // As any new file: the user's mask applies.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(directory)
}

/// Sets the file that Ctrl-C and a termination remove.
fn remove_on_interrupt(path: Option<&Path>) {
    static UNFINISHED: Mutex<Option<PathBuf>> = Mutex::new(None);
    *UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner) = path.map(Path::to_path_buf);
    if path.is_some() {
        // An error means that there is a handler already.
        let _ = ctrlc::set_handler(|| {
            if let Some(path) = UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner).take() {
                let _ = fs::remove_file(path);
            }
            std::process::exit(130);
        });
    }
}
