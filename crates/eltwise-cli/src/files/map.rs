//! Files mapped into memory.

use std::fs::File;
use std::path::Path;

use memmap2::{Mmap, MmapMut};

use crate::error::{CliError, Result};

/// Maps a file for reading.
pub(crate) fn read(path: &Path) -> Result<Mmap> {
    let file = File::open(path).map_err(|e| CliError::io(path, &e))?;
    let meta = file.metadata().map_err(|e| CliError::io(path, &e))?;
    if !meta.is_file() {
        return Err(CliError::file(path, "is not a regular file"));
    }
    if meta.len() == 0 {
        return Err(CliError::file(path, "is empty"));
    }
    // SAFETY: the map is private to this process and only read. Another process that writes or truncates the file
    // meanwhile changes the values read, or ends this process; nothing here relies on two reads being equal, but for
    // the header, which is parsed once into owned values.
    unsafe { Mmap::map(&file) }.map_err(|e| CliError::io(path, &e))
}

/// Gives a new file its length, and maps it for writing. `path` is for messages.
pub(crate) fn create(file: &File, bytes: u64, path: &Path) -> Result<MmapMut> {
    file.set_len(bytes).map_err(|e| CliError::io(path, &e))?;
    reserve(file, bytes).map_err(|e| CliError::io(path, &e))?;
    // SAFETY: the file was made by this process under a name of its own a moment ago, so nobody else writes it.
    unsafe { MmapMut::map_mut(file) }.map_err(|e| CliError::io(path, &e))
}

/// Reserves the file's blocks: a full disk shows here, and not as a signal at a store to the map.
#[cfg(target_os = "linux")]
fn reserve(file: &File, bytes: u64) -> std::io::Result<()> {
    use rustix::io::Errno;
    match rustix::fs::fallocate(file, rustix::fs::FallocateFlags::empty(), 0, bytes) {
        // A file system that cannot reserve.
        Err(Errno::OPNOTSUPP | Errno::NOSYS) => Ok(()),
        other => Ok(other?),
    }
}

#[cfg(not(target_os = "linux"))]
fn reserve(_: &File, _: u64) -> std::io::Result<()> {
    Ok(())
}
