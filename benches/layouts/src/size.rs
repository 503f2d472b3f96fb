//! How large operands are.

use core::fmt;

use clap::ValueEnum;
use eltwise::Isa;

/// Where the operands of a pattern lie while it runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Size {
    /// In the second-level cache, half of which all operands together fill
    L2,
    /// In memory: three times the last-level cache, and the large squares
    Dram,
}

impl Size {
    /// Both sizes.
    pub const ALL: [Size; 2] = [Size::L2, Size::Dram];

    /// The bytes that a pattern of this size moves, inputs and output together.
    pub fn bytes(self) -> usize {
        match self {
            Size::L2 => eltwise::machine(Isa::current()).l2 / 2,
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

/// The size of the third-level cache by sysfs, 32 MiB where it does not say.
fn last_level_bytes() -> usize {
    let path = "/sys/devices/system/cpu/cpu0/cache/index3/size";
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let kibibytes = text.trim().strip_suffix('K').and_then(|digits| digits.parse::<usize>().ok());
    kibibytes.unwrap_or(32 << 10) << 10
}
