//! Reads and writes at a position of a file, from any number of threads at once.
//!
//! Files are not memory-mapped. If a mapped file is truncated, or the disk behind it is full, the process gets a signal.
//! With `pread` and `pwrite` both are errors.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use crate::error::{CliError, Result};

/// Opens a regular file that is not empty. Returns the file and its length.
pub(crate) fn open(path: &Path) -> Result<(File, u64)> {
    // Checked first, because opening a pipe waits for a writer.
    if !fs::metadata(path).map_err(|e| CliError::io(path, &e))?.is_file() {
        return Err(CliError::file(path, "is not a regular file"));
    }
    let file = File::open(path).map_err(|e| CliError::io(path, &e))?;
    match file.metadata().map_err(|e| CliError::io(path, &e))?.len() {
        0 => Err(CliError::file(path, "is empty")),
        bytes => Ok((file, bytes)),
    }
}

/// Reads the first `limit` bytes of a file of `length` bytes, or all if it is shorter.
pub(crate) fn head(file: &File, length: u64, limit: usize, path: &Path) -> Result<Vec<u8>> {
    let mut bytes = vec![0; usize::try_from(length).unwrap_or(limit).min(limit)];
    read(file, &mut bytes, 0, path)?;
    Ok(bytes)
}

/// Fills `bytes` from the file, starting at byte `at`.
pub(crate) fn read(file: &File, bytes: &mut [u8], at: u64, path: &Path) -> Result<()> {
    read_at(file, bytes, at).map_err(|e| match e.kind() {
        io::ErrorKind::UnexpectedEof => {
            let length = file.metadata().map_or_else(|_| "fewer".to_string(), |now| now.len().to_string());
            let expected = at.saturating_add(bytes.len() as u64);
            CliError::file(
                path,
                format!("became shorter while it was read: it has {length} bytes, expected {expected}"),
            )
        }
        _ => CliError::io(path, &e),
    })
}

/// Writes `bytes` to the file, starting at byte `at`.
pub(crate) fn write(file: &File, bytes: &[u8], at: u64, path: &Path) -> Result<()> {
    write_at(file, bytes, at).map_err(|e| CliError::io(path, &e))
}

#[cfg(unix)]
use std::os::unix::fs::FileExt;

#[cfg(unix)]
fn read_at(file: &File, bytes: &mut [u8], at: u64) -> io::Result<()> {
    file.read_exact_at(bytes, at)
}

#[cfg(unix)]
fn write_at(file: &File, bytes: &[u8], at: u64) -> io::Result<()> {
    file.write_all_at(bytes, at)
}

#[cfg(windows)]
fn read_at(file: &File, mut bytes: &mut [u8], mut at: u64) -> io::Result<()> {
    use std::os::windows::fs::FileExt;
    while !bytes.is_empty() {
        match file.seek_read(bytes, at) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(n) => (bytes, at) = (&mut bytes[n..], at + n as u64),
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
    Ok(())
}

#[cfg(windows)]
fn write_at(file: &File, mut bytes: &[u8], mut at: u64) -> io::Result<()> {
    use std::os::windows::fs::FileExt;
    while !bytes.is_empty() {
        match file.seek_write(bytes, at) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(n) => (bytes, at) = (&bytes[n..], at + n as u64),
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
    Ok(())
}

/// Sets the length of a new file and reserves its blocks, so that a full disk is an error before the run and not during it.
pub(crate) fn reserve(file: &File, bytes: u64, path: &Path) -> Result<()> {
    file.set_len(bytes).and_then(|()| allocate(file, bytes)).map_err(|e| CliError::io(path, &e))
}

#[cfg(target_os = "linux")]
fn allocate(file: &File, bytes: u64) -> io::Result<()> {
    use rustix::io::Errno;
    match rustix::fs::fallocate(file, rustix::fs::FallocateFlags::empty(), 0, bytes) {
        // The file system does not support it.
        Err(Errno::OPNOTSUPP | Errno::NOSYS) => Ok(()),
        other => Ok(other?),
    }
}

#[cfg(not(target_os = "linux"))]
fn allocate(_: &File, _: u64) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_of_a_truncated_file_are_errors() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x");
        fs::write(&path, [7u8; 100]).unwrap();
        let (file, length) = open(&path).unwrap();
        assert_eq!(length, 100);
        let mut bytes = [0; 40];
        read(&file, &mut bytes, 60, &path).unwrap();
        assert_eq!(bytes, [7; 40]);
        File::options().write(true).open(&path).unwrap().set_len(70).unwrap();
        let message = read(&file, &mut bytes, 60, &path).unwrap_err().to_string();
        assert!(message.ends_with("became shorter while it was read: it has 70 bytes, expected 100"), "{message}");
    }
}
