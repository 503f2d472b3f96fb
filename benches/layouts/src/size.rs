//! Sizes of the operands: [`Size`].

use core::fmt;

use clap::ValueEnum;
use eltwise::Isa;

/// The level of the memory that the operands of a pattern fit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Size {
    /// All operands together fill half of L2
    L2,
    /// All operands together are three times as large as L3; squares have fixed sides
    Dram,
}

impl Size {
    /// Both sizes.
    pub const ALL: [Size; 2] = [Size::L2, Size::Dram];

    /// The bytes that a pattern of this size reads and writes.
    pub fn bytes(self) -> usize {
        match self {
            Size::L2 => eltwise::target(Isa::current()).cpu.l2 / 2,
            Size::Dram => (3 * last_level_bytes()).clamp(64 << 20, 512 << 20),
        }
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Size::L2 => "l2",
            Size::Dram => "dram",
        })
    }
}

/// The size of L3 from sysfs, or 32 MiB if it is not there.
fn last_level_bytes() -> usize {
    let path = "/sys/devices/system/cpu/cpu0/cache/index3/size";
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let kibibytes = text.trim().strip_suffix('K').and_then(|digits| digits.parse::<usize>().ok());
    kibibytes.unwrap_or(32 << 10) << 10
}
