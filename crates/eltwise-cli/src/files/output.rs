//! A result's file: it grows under a temporary name beside its place, and gets its own name when it is complete.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

use ::safetensors::tensor::Dtype;
use eltwise::Layout;
use tempfile::NamedTempFile;

use super::safetensors::Kept;
use super::{Format, Place, npy, position, safetensors};
use crate::error::{CliError, Result};
use crate::signals;

/// The most links from a name to its file, as on Linux.
const MOST_LINKS: usize = 40;

/// A file under its temporary name; dropping it removes it.
pub(crate) struct Output {
    /// The bytes before the elements.
    header: u64,
    file: NamedTempFile,
    target: PathBuf,
    /// Its name on the command line, for messages.
    path: PathBuf,
}

impl Output {
    /// Whether a file of this format can hold the layout as it is.
    pub(crate) fn holds(format: Format, layout: &Layout) -> bool {
        match format {
            Format::Npy => npy::holds(layout),
            Format::Safetensors => layout.is_contiguous(),
        }
    }

    /// Makes the file at its full length, with the header, in the directory of `place`. A dtype that is only moved has a `name`.
    pub(crate) fn create(place: &Place, layout: &Layout, name: Option<Dtype>) -> Result<Output> {
        let (target, old) = target(&place.path)?;
        let header = match place.format {
            Format::Npy => match name {
                None => npy::header(layout),
                Some(name) => {
                    let why = format!("the format has no dtype {name}; write .safetensors");
                    return Err(CliError::file(&place.path, why));
                }
            },
            Format::Safetensors => {
                let replaces = old.as_ref().is_some_and(|old| old.len() > 0);
                let kept = if replaces { kept(place)? } else { Kept::named(place.tensor.as_deref()) };
                safetensors::header(kept, layout, name).map_err(|why| CliError::file(&place.path, why))?
            }
        };
        let bytes = layout.shape().bytes(layout.dtype().size())? as u64 + header.len() as u64;
        let file = temporary(directory(&target)).map_err(|e| CliError::io(&place.path, &e))?;
        let output = Output { header: header.len() as u64, file, target, path: place.path.clone() };
        if let Some(old) = old {
            access(output.file.as_file(), &old).map_err(|e| CliError::io(&place.path, &e))?;
        }
        position::reserve(output.file.as_file(), bytes, &output.path)?;
        position::write(output.file.as_file(), &header, 0, &output.path)?;
        Ok(output)
    }

    /// Writes `bytes` from byte `at` of the elements on.
    pub(crate) fn write(&self, bytes: &[u8], at: u64) -> Result<()> {
        position::write(self.file.as_file(), bytes, self.header + at, &self.path)
    }

    /// Gives the file its name; what had the name before is gone, but stays readable where it is open.
    pub(crate) fn finish(self) -> Result<()> {
        // An interruption waits, so it finds either name and never none.
        let mut unfinished = unfinished();
        let temporary = self.file.path().to_path_buf();
        self.file.persist(&self.target).map_err(|e| CliError::io(&self.target, &e.error))?;
        unfinished.retain(|path| *path != temporary);
        Ok(())
    }
}

/// What the new file has of a `.safetensors` file that it replaces; one with tensors that would be gone is not replaced.
fn kept(place: &Place) -> Result<Kept> {
    place.kept()?.map_err(|names| {
        let path = place.path.display();
        CliError::Argument(format!("a .safetensors output holds one tensor; {path} also holds {names}"))
    })
}

/// Who may read and write the file that is replaced may do so with the new one. What else a mode says, such as
/// set-user-ID, was about the old content.
#[cfg(unix)]
fn access(new: &fs::File, old: &fs::Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
    const ALL: u32 = 0o777;
    const GROUP: u32 = 0o070;
    let now = new.metadata()?;
    // Only root may give a file away; its owner may give it to a group that he is in.
    let is_kept = |wanted: u32, now: u32, change: &dyn Fn() -> io::Result<()>| wanted == now || change().is_ok();
    let _ = is_kept(old.uid(), now.uid(), &|| fchown(new, Some(old.uid()), None));
    let group = is_kept(old.gid(), now.gid(), &|| fchown(new, None, Some(old.gid())));
    let mode = old.permissions().mode() & ALL;
    // Another group than before has no more rights than everybody.
    let mode = if group { mode } else { mode & (!GROUP | (mode & 0o007) << 3) };
    new.set_permissions(fs::Permissions::from_mode(mode))
}

#[cfg(not(unix))]
fn access(new: &fs::File, old: &fs::Metadata) -> io::Result<()> {
    new.set_permissions(old.permissions())
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

/// Where a file of this name lies, or would lie, without links and dots: equal for all names of one place.
pub(crate) fn location(path: &Path) -> PathBuf {
    let end = linked(path);
    let beside = || Some(fs::canonicalize(directory(&end)).ok()?.join(end.file_name()?));
    fs::canonicalize(path).ok().or_else(beside).unwrap_or(end.clone())
}

/// The directory of a file.
fn directory(path: &Path) -> &Path {
    path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."))
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

/// Makes a file with a name of its own, which an interruption removes.
fn temporary(directory: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".eltwise-").suffix(".tmp");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // As any new file: the user's mask applies.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    static REMOVES: Once = Once::new();
    REMOVES.call_once(|| {
        signals::ends_by(|| {
            let mut unfinished = unfinished();
            for path in unfinished.drain(..) {
                let _ = fs::remove_file(path);
            }
            // Held to the end of the process: no file is made or named behind the back of this thread.
            std::mem::forget(unfinished);
        });
    });
    let mut unfinished = unfinished();
    let file = builder.tempfile_in(directory)?;
    unfinished.push(file.path().to_path_buf());
    Ok(file)
}

/// The files that Ctrl-C and a termination remove.
fn unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}
