//! The data caches of the first CPU, as the system tells them.

use std::fs;
use std::path::Path;

/// One cache.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Cache {
    /// 1 for L1.
    pub(crate) level: u8,
    /// `d` for data, `i` for instructions, nothing for both.
    pub(crate) kind: &'static str,
    /// Bytes.
    pub(crate) bytes: usize,
}

/// All caches, lowest first; none where the system does not tell.
pub(crate) fn list() -> Vec<Cache> {
    let mut list: Vec<Cache> = Vec::new();
    for entry in fs::read_dir("/sys/devices/system/cpu/cpu0/cache").into_iter().flatten().flatten() {
        list.extend(read(&entry.path()));
    }
    list.sort();
    list
}

/// The cache that a directory describes.
fn read(directory: &Path) -> Option<Cache> {
    let text = |name: &str| Some(fs::read_to_string(directory.join(name)).ok()?.trim().to_string());
    let kind = match &text("type")?[..] {
        "Data" => "d",
        "Instruction" => "i",
        _ => "",
    };
    Some(Cache { level: text("level")?.parse().ok()?, kind, bytes: size(&text("size")?)? })
}

/// `48K` in bytes.
fn size(text: &str) -> Option<usize> {
    let (digits, scale) = match text.as_bytes().last()? {
        b'K' => (&text[..text.len() - 1], 1 << 10),
        b'M' => (&text[..text.len() - 1], 1 << 20),
        _ => (text, 1),
    };
    digits.parse::<usize>().ok()?.checked_mul(scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units() {
        assert_eq!((size("48K"), size("2M"), size("512")), (Some(49152), Some(2 << 20), Some(512)));
        assert_eq!((size(""), size("K"), size("4G")), (None, None, None));
    }
}
