//! Files mapped into memory.

use std::fs::{self, File};
use std::marker::PhantomData;
use std::path::Path;

use memmap2::{Mmap, MmapMut};

use crate::error::{CliError, Result};

/// Maps a file for reading.
pub(crate) fn read(path: &Path) -> Result<Mmap> {
    // Before it is opened: opening a pipe would wait for a writer.
    if !fs::metadata(path).map_err(|e| CliError::io(path, &e))?.is_file() {
        return Err(CliError::file(path, "is not a regular file"));
    }
    let file = File::open(path).map_err(|e| CliError::io(path, &e))?;
    if file.metadata().map_err(|e| CliError::io(path, &e))?.len() == 0 {
        return Err(CliError::file(path, "is empty"));
    }
    // SAFETY: this process only reads the map. Another process that writes or truncates the file meanwhile changes
    // the values read, or ends this process; nothing here relies on two reads being equal, for the header is parsed
    // once into owned values.
    unsafe { Mmap::map(&file) }.map_err(|e| CliError::io(path, &e))
}

/// Gives a new file its length, and maps it for writing. `path` is for messages.
pub(crate) fn create(file: &File, bytes: u64, path: &Path) -> Result<MmapMut> {
    file.set_len(bytes).map_err(|e| CliError::io(path, &e))?;
    reserve(file, bytes).map_err(|e| CliError::io(path, &e))?;
    // SAFETY: the file was made by this process under a name of its own a moment ago, so nobody else writes it.
    unsafe { MmapMut::map_mut(file) }.map_err(|e| CliError::io(path, &e))
}

/// Zeroed memory without a file; it exists from the first touch.
pub(crate) fn anonymous(bytes: usize) -> Result<MmapMut> {
    let refused =
        |e| CliError::Argument(format!("no memory for a result of {bytes} bytes ({e}); write it with -o FILE"));
    MmapMut::map_anon(bytes.max(1)).map_err(refused)
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

/// The pages of a mapped file, to give back while the map is in use.
pub(crate) struct Pages<'a> {
    address: usize,
    bytes: usize,
    map: PhantomData<&'a Mmap>,
}

impl<'a> Pages<'a> {
    /// The pages of an input.
    pub(crate) fn of(map: &'a Mmap) -> Pages<'a> {
        Pages { address: map.as_ptr().addr(), bytes: map.len(), map: PhantomData }
    }

    /// The pages of an output, and the output to write to.
    pub(crate) fn with(map: &'a mut MmapMut) -> (&'a mut [u8], Pages<'a>) {
        let pages = Pages { address: map.as_ptr().addr(), bytes: map.len(), map: PhantomData };
        (map, pages)
    }

    /// Takes the pages out of this process until they are touched again; their contents stay in the system's cache.
    /// It is a hint: what the system does not do costs memory only.
    pub(crate) fn release(&self) {
        #[cfg(target_os = "linux")]
        {
            let address = std::ptr::without_provenance_mut(self.address);
            // SAFETY: the lifetime keeps the map alive, and the range is the whole of it. It is a shared map of a file, of
            // which this advice drops page table entries only: a page touched again, by any thread and at any time, has the
            // contents it had, so no reader or writer sees a difference.
            let _ = unsafe { rustix::mm::madvise(address, self.bytes, rustix::mm::Advice::LinuxDontNeed) };
        }
    }
}
