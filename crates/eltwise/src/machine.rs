//! The CPU that plans and runs are made for: what the planner is told, and the one place that asks the host.
//!
//! The main type is [`CpuModel`]. Look here when a decision depends on the kind of CPU.

use std::sync::OnceLock;

use eltwise_plan::Machine;
use eltwise_simd::Isa;

use crate::exec::cpu;

/// Facts of a CPU that decide what is fast. No bit of a result depends on them. A process has one, read from the host at its
/// first use unless [`CpuModel::fix`] came before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct CpuModel {
    /// Bytes of a core's first-level cache for data.
    pub l1: usize,
    /// Bytes of a core's second-level cache.
    pub l2: usize,
    /// Bytes of the last-level cache.
    pub llc: usize,
    /// Whether it is one of AMD's, which are faster at short streamed blocks and at prefetches that pass the caches.
    pub amd: bool,
    /// Whether a core moves vectors of 64 bytes by halves: see [`Machine::halves`].
    pub halves: bool,
}

impl Default for CpuModel {
    /// A common CPU, the same on every host: the caches of [`Machine::default`], none of AMD's.
    fn default() -> CpuModel {
        let Machine { l1, l2, llc, halves, .. } = Machine::default();
        CpuModel { l1, l2, llc, amd: false, halves }
    }
}

static CURRENT: OnceLock<CpuModel> = OnceLock::new();

impl CpuModel {
    /// The one that plans and runs of this process are made for.
    #[inline]
    pub fn current() -> CpuModel {
        *CURRENT.get_or_init(CpuModel::host)
    }

    /// Makes this the one of the process, whatever the host is. Plans are made and kept for one CPU, so it cannot change later.
    ///
    /// # Errors
    /// The one in use, where that is another.
    pub fn fix(self) -> Result<(), CpuModel> {
        let current = *CURRENT.get_or_init(|| self);
        if current == self { Ok(()) } else { Err(current) }
    }

    /// This host: its caches where the system tells them, else common ones.
    fn host() -> CpuModel {
        let Machine { l1, l2, llc, .. } = caches().unwrap_or_default();
        CpuModel { l1, l2, llc, amd: cpu::is_amd(), halves: cpu::halves() }
    }
}

/// The caches of this machine, and the vector size of a level.
#[inline]
pub fn machine(isa: Isa) -> Machine {
    let CpuModel { l1, l2, llc, halves, .. } = CpuModel::current();
    let (vector_bytes, fuses) = (isa.vector_bytes(), isa != Isa::Scalar);
    Machine { vector_bytes, fuses, l1, l2, llc, halves, ..Machine::default() }
}

/// Reads the caches of the first CPU from sysfs, where there is one.
fn caches() -> Option<Machine> {
    let mut machine = Machine::default();
    let mut found = false;
    for index in 0..8 {
        let read = |name: &str| {
            std::fs::read_to_string(format!("/sys/devices/system/cpu/cpu0/cache/index{index}/{name}")).ok()
        };
        let (Some(level), Some(kind), Some(size)) = (read("level"), read("type"), read("size")) else { break };
        if kind.trim() == "Instruction" {
            continue;
        }
        match (parse_size(size.trim()), level.trim()) {
            (Some(bytes), "1") => machine.l1 = bytes,
            (Some(bytes), "2") => {
                (machine.l2, machine.llc) = (bytes, bytes);
                found = true;
            }
            (Some(bytes), "3") => machine.llc = bytes,
            _ => {}
        }
    }
    found.then_some(machine)
}

/// `48K` in bytes.
fn parse_size(text: &str) -> Option<usize> {
    let (digits, unit) = match text.find(|c: char| !c.is_ascii_digit()) {
        Some(at) => text.split_at(at),
        None => (text, ""),
    };
    let scale = match unit {
        "" => 1,
        "K" => 1 << 10,
        "M" => 1 << 20,
        "G" => 1 << 30,
        _ => return None,
    };
    digits.parse::<usize>().ok()?.checked_mul(scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_parse() {
        assert_eq!(parse_size("48K"), Some(49152));
        assert_eq!(parse_size("2048"), Some(2048));
        assert_eq!(parse_size("x"), None);
        let m = machine(Isa::Scalar);
        assert!(m.l1 >= 4096 && m.l2 >= m.l1 && m.vector_bytes == 16);
    }

    #[test]
    fn the_cpu_of_a_process_is_fixed_once() {
        let current = CpuModel::current();
        assert_eq!(current.fix(), Ok(()));
        assert_eq!(CpuModel { l2: current.l2 + 1, ..current }.fix(), Err(current));
        assert_eq!(CpuModel::current(), current);
        let Machine { l1, l2, llc, .. } = machine(Isa::Scalar);
        assert_eq!((l1, l2, llc), (current.l1, current.l2, current.llc));
    }
}
