//! The numbers of this machine that the planner wants.

use std::sync::OnceLock;

use eltwise_plan::Machine;
use eltwise_simd::Isa;

use crate::exec::cpu;

/// The caches of this machine, and the vector size of a level.
pub fn machine(isa: Isa) -> Machine {
    static CACHES: OnceLock<Machine> = OnceLock::new();
    let caches = *CACHES.get_or_init(|| Machine { halves: cpu::halves(), ..caches().unwrap_or_default() });
    Machine { vector_bytes: isa.vector_bytes(), fuses: isa != Isa::Scalar, ..caches }
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
}
