//! How the CPU of this machine is named in reports: its model and its caches.

use std::fs;

use crate::caches::{self, Cache};
use crate::report;

/// The model name of the CPU.
pub(crate) fn cpu_name() -> Option<String> {
    let text = fs::read_to_string("/proc/cpuinfo").ok()?;
    let name = text.lines().find_map(|l| l.strip_prefix("model name")?.split_once(':'))?;
    Some(name.1.trim().to_string())
}

/// The caches of CPU 0, such as `L1d 48 KiB, L2 2 MiB, L3 105 MiB`.
pub(crate) fn caches() -> Option<String> {
    let list = caches::list();
    let describe = |c: &Cache| format!("L{}{} {}", c.level, c.kind, report::bytes(c.bytes as u64));
    (!list.is_empty()).then(|| list.iter().map(describe).collect::<Vec<_>>().join(", "))
}
