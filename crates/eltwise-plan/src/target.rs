//! [`Target`]: the CPU, the kernels and the options that a plan is made for.
//!
//! Its three parts change for different reasons: facts of the CPU ([`CpuModel`]), capabilities of the kernels
//! ([`KernelCapabilities`]), and options of the caller ([`BindOptions`]).

use crate::cpu_model::CpuModel;
use crate::tuning::MANY_RUNS;

/// The CPU, the kernels and the options that a plan is made for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Target {
    /// The CPU.
    pub cpu: CpuModel,
    /// The kernels.
    pub kernels: KernelCapabilities,
    /// The options of the caller.
    pub options: BindOptions,
}

/// The capabilities of the kernels of an ISA for one program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KernelCapabilities {
    /// Bytes of a vector register.
    pub vector_bytes: usize,
    /// Whether there is a fused multiply-add. Without it, math functions take much longer.
    pub fma: bool,
    /// Whether the kernel of a single step can [permute](crate::strategy::Access::Permuted) one operand, or both, in registers.
    pub permutes: bool,
    /// Blocks of 16 bytes in the vectors of the layout kernels that transpose and look up bytes; 0 without such kernels.
    pub blocks: usize,
    /// Bytes of the smallest element that is permuted from windows of 64 bytes; `usize::MAX` if none is.
    pub smallest_permuted: usize,
}

impl Default for KernelCapabilities {
    /// Vectors of 32 bytes with a fused multiply-add, two blocks each; no kernel that permutes operands.
    fn default() -> KernelCapabilities {
        KernelCapabilities { vector_bytes: 32, fma: true, permutes: false, blocks: 2, smallest_permuted: usize::MAX }
    }
}

/// Options of the caller of a bind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BindOptions {
    /// Whether outputs may be written by [non-temporal stores](crate::store_policy). Tiles are then cut to suit them.
    pub non_temporal: bool,
    /// How often the plan will run. The search for tiles takes no more time than it saves in so many runs.
    pub runs: usize,
}

impl Default for BindOptions {
    fn default() -> BindOptions {
        BindOptions { non_temporal: true, runs: MANY_RUNS }
    }
}

impl Target {
    /// This target, with kernels that permute or without.
    pub fn with_permutes(self, permutes: bool) -> Target {
        Target { kernels: KernelCapabilities { permutes, ..self.kernels }, ..self }
    }
}
