//! Output files. [`Output`] is written under a temporary name in the target's directory and renamed when it is complete.
//! An interrupted run removes its temporary files.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

use ::safetensors::tensor::Dtype;
use eltwise::Layout;
use tempfile::NamedTempFile;

use super::safetensors::Preserved;
use super::{ArrayLocation, Format, npy, positioned_io, safetensors};
use crate::error::{CliError, Result};
use crate::signals;

/// The longest chain of symbolic links that is followed; the limit of Linux.
const MAX_LINKS: usize = 40;

/// An unfinished output file. Dropping it removes the file.
pub(crate) struct Output {
    /// The number of bytes before the elements.
    header: u64,
    file: NamedTempFile,
    /// The final path, without symbolic links.
    target: PathBuf,
    /// The path given on the command line, for messages.
    path: PathBuf,
}

impl Output {
    /// Whether a file of this format can store elements with this layout.
    pub(crate) fn can_store(format: Format, layout: &Layout) -> bool {
        match format {
            Format::Npy => npy::can_store(layout),
            Format::Safetensors => layout.is_contiguous(),
        }
    }

    /// Creates the temporary file at its full length and writes the header. `opaque_dtype` is the file's dtype for elements
    /// that are opaque to the engine.
    ///
    /// # Errors
    /// A target that is not a writable regular file, a dtype that the format does not have, a replaced file with other
    /// tensors, and I/O errors.
    pub(crate) fn create(to: &ArrayLocation, layout: &Layout, opaque_dtype: Option<Dtype>) -> Result<Output> {
        let (target, old) = resolve_target(&to.path)?;
        let header = match to.format {
            Format::Npy => match opaque_dtype {
                None => npy::header(layout),
                Some(dtype) => {
                    let why = format!("the format has no dtype {dtype}; write .safetensors");
                    return Err(CliError::file(&to.path, why));
                }
            },
            Format::Safetensors => {
                let replaces = old.as_ref().is_some_and(|old| old.len() > 0);
                let preserved = if replaces { preserved(to)? } else { Preserved::named(to.tensor.as_deref()) };
                safetensors::header(preserved, layout, opaque_dtype).map_err(|why| CliError::file(&to.path, why))?
            }
        };
        let bytes = layout.shape().bytes(layout.dtype().size())? as u64 + header.len() as u64;
        let file = create_temporary(directory(&target)).map_err(|e| CliError::io(&to.path, &e))?;
        let output = Output { header: header.len() as u64, file, target, path: to.path.clone() };
        if let Some(old) = old {
            copy_permissions(output.file.as_file(), &old).map_err(|e| CliError::io(&to.path, &e))?;
        }
        positioned_io::reserve(output.file.as_file(), bytes, &output.path)?;
        positioned_io::write(output.file.as_file(), &header, 0, &output.path)?;
        Ok(output)
    }

    /// Writes elements from `bytes`, starting at byte `at` of the array.
    pub(crate) fn write(&self, bytes: &[u8], at: u64) -> Result<()> {
        positioned_io::write(self.file.as_file(), bytes, self.header + at, &self.path)
    }

    /// Renames the file to its target. A file that it replaces stays readable for those who have it open.
    pub(crate) fn finish(self) -> Result<()> {
        // The lock delays the cleanup of an interrupted run until the file is renamed and off the list.
        let mut unfinished = unfinished();
        let temporary = self.file.path().to_path_buf();
        self.file.persist(&self.target).map_err(|e| CliError::io(&self.target, &e.error))?;
        unfinished.retain(|path| *path != temporary);
        Ok(())
    }
}

/// The tensor name and metadata of the `.safetensors` file to replace.
///
/// # Errors
/// A file with other tensors, which would be lost.
fn preserved(to: &ArrayLocation) -> Result<Preserved> {
    to.preserved()?.map_err(|names| {
        let path = to.path.display();
        CliError::Argument(format!("a .safetensors output holds one tensor; {path} also holds {names}"))
    })
}

/// Copies owner, group and permissions of the replaced file. Special mode bits such as set-user-ID are not copied: they
/// were granted to the old content.
#[cfg(unix)]
fn copy_permissions(new: &fs::File, old: &fs::Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
    const ALL: u32 = 0o777;
    const GROUP: u32 = 0o070;
    let now = new.metadata()?;
    // Only root may change the owner. The owner may change the group to one that they belong to.
    let is_kept = |wanted: u32, now: u32, change: &dyn Fn() -> io::Result<()>| wanted == now || change().is_ok();
    let _ = is_kept(old.uid(), now.uid(), &|| fchown(new, Some(old.uid()), None));
    let group = is_kept(old.gid(), now.gid(), &|| fchown(new, None, Some(old.gid())));
    let mode = old.permissions().mode() & ALL;
    // If the group could not be kept, the new group gets the permissions of everybody.
    let mode = if group { mode } else { mode & (!GROUP | (mode & 0o007) << 3) };
    new.set_permissions(fs::Permissions::from_mode(mode))
}

#[cfg(not(unix))]
fn copy_permissions(new: &fs::File, old: &fs::Metadata) -> io::Result<()> {
    new.set_permissions(old.permissions())
}

/// The path to replace, with symbolic links resolved, and the metadata of the file at it, if any.
fn resolve_target(path: &Path) -> Result<(PathBuf, Option<fs::Metadata>)> {
    match fs::metadata(path) {
        Ok(old) if !old.is_file() => Err(CliError::file(path, "is not a regular file")),
        Ok(old) if old.permissions().readonly() => Err(CliError::file(path, "is read-only")),
        Ok(old) => Ok((fs::canonicalize(path).map_err(|e| CliError::io(path, &e))?, Some(old))),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok((follow_links(path), None)),
        Err(e) => Err(CliError::io(path, &e)),
    }
}

/// The path of a file without symbolic links and dots, whether the file exists or not. Paths of the same file are equal.
pub(crate) fn canonical_path(path: &Path) -> PathBuf {
    let end = follow_links(path);
    let in_directory = || Some(fs::canonicalize(directory(&end)).ok()?.join(end.file_name()?));
    fs::canonicalize(path).ok().or_else(in_directory).unwrap_or(end.clone())
}

/// The directory of a file.
fn directory(path: &Path) -> &Path {
    path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Follows symbolic links from `path` to a file that may not exist.
fn follow_links(path: &Path) -> PathBuf {
    let mut end = path.to_path_buf();
    for _ in 0..MAX_LINKS {
        let Ok(next) = fs::read_link(&end) else { break };
        end = end.parent().unwrap_or(Path::new("")).join(next);
    }
    end
}

/// Creates a file with a unique name, which is removed if the run is interrupted.
fn create_temporary(directory: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".eltwise-").suffix(".tmp");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // The permissions of any new file; the umask applies.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    static INSTALL_CLEANUP: Once = Once::new();
    INSTALL_CLEANUP.call_once(|| {
        signals::on_termination(|| {
            let mut unfinished = unfinished();
            for path in unfinished.drain(..) {
                let _ = fs::remove_file(path);
            }
            // Keeps the lock until the process exits, so that no other thread creates or renames a file.
            std::mem::forget(unfinished);
        });
    });
    let mut unfinished = unfinished();
    let file = builder.tempfile_in(directory)?;
    unfinished.push(file.path().to_path_buf());
    Ok(file)
}

/// The temporary files to remove if the run is interrupted.
fn unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}
