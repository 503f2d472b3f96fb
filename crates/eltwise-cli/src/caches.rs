//! The caches of CPU 0, as Linux reports them in sysfs. The entry point is [`list`].

use std::fs;
use std::path::Path;

/// One cache.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Cache {
    /// 1 for L1.
    pub(crate) level: u8,
    /// `d` for data, `i` for instructions, empty for a unified cache.
    pub(crate) kind: &'static str,
    pub(crate) bytes: usize,
}

/// All caches, L1 first. Empty if the system does not report them.
pub(crate) fn list() -> Vec<Cache> {
    let mut list: Vec<Cache> = Vec::new();
    for entry in fs::read_dir("/sys/devices/system/cpu/cpu0/cache").into_iter().flatten().flatten() {
        list.extend(read_cache(&entry.path()));
    }
    list.sort();
    list
}

/// Reads the description of one cache from its directory.
fn read_cache(directory: &Path) -> Option<Cache> {
    let text = |name: &str| Some(fs::read_to_string(directory.join(name)).ok()?.trim().to_string());
    let kind = match &text("type")?[..] {
        "Data" => "d",
        "Instruction" => "i",
        _ => "",
    };
    Some(Cache { level: text("level")?.parse().ok()?, kind, bytes: parse_size(&text("size")?)? })
}

/// Parses a size such as `48K` into bytes.
fn parse_size(text: &str) -> Option<usize> {
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
    fn sizes_with_units_parse() {
        assert_eq!((parse_size("48K"), parse_size("2M"), parse_size("512")), (Some(49152), Some(2 << 20), Some(512)));
        assert_eq!((parse_size(""), parse_size("K"), parse_size("4G")), (None, None, None));
    }
}
