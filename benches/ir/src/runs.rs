//! Runs: each strategy of the planner, each way to an operand, whole vectors and tails.

use eltwise::{DType, Error, Layout};
use eltwise_benches::{Case, Operand, Ready};

use crate::cpu;

use DType::{Bool, F16, F32, F64, I32, U8};

/// Where an operand's elements lie.
#[derive(Clone, Copy)]
pub enum Memory {
    /// In C order.
    Dense,
    /// Dense, with the axes in this order, outermost first.
    Axes(&'static [usize]),
    /// With these strides in bytes.
    Strides(&'static [isize]),
}

use Memory::{Axes, Dense, Strides};

/// A run: its name, an expression, and the operands in the order of their names' first appearance.
pub type Spec = (&'static str, &'static str, &'static [(DType, &'static [usize], Memory)]);

/// The runs.
pub const RUNS: &[Spec] = &[
    // Overhead, and a vector with its tail.
    ("add_1", "x + y", &[(F32, &[1], Dense), (F32, &[1], Dense)]),
    ("add_16", "x + y", &[(F32, &[16], Dense), (F32, &[16], Dense)]),
    ("add_rank_4", "x + y", &[(F32, &[2, 2, 2, 2], Dense), (F32, &[2, 2, 2, 2], Dense)]),
    ("tail_1024", "x + y", &[(F32, &[1024], Dense), (F32, &[1024], Dense)]),
    ("tail_1031", "x + y", &[(F32, &[1031], Dense), (F32, &[1031], Dense)]),
    ("tail_u8_1055", "x + y", &[(U8, &[1055], Dense), (U8, &[1055], Dense)]),
    // Direct, contiguous: element sizes and kinds of kernels.
    ("direct_f64", "x * y", &[(F64, &[1000], Dense), (F64, &[1000], Dense)]),
    ("direct_f16", "x + y", &[(F16, &[1000], Dense), (F16, &[1000], Dense)]),
    ("direct_less", "x < y", &[(F32, &[1000], Dense), (F32, &[1000], Dense)]),
    ("direct_where", "where(c, x, y)", &[(Bool, &[1000], Dense), (F32, &[1000], Dense), (F32, &[1000], Dense)]),
    ("direct_divide_i32", "x / y", &[(I32, &[1000], Dense), (I32, &[1000], Dense)]),
    ("direct_cast", "cast(x, f32)", &[(U8, &[1000], Dense)]),
    ("direct_exp", "exp(x)", &[(F32, &[1000], Dense)]),
    ("direct_exp_f64", "exp(x)", &[(F64, &[1000], Dense)]),
    // Direct, splat.
    ("splat", "x + y", &[(F32, &[1000], Dense), (F32, &[], Dense)]),
    ("splat_rows", "x + y", &[(F32, &[16, 100], Dense), (F32, &[16, 1], Dense)]),
    ("splat_nchw", "x + y", &[(F32, &[2, 8, 12, 12], Dense), (F32, &[8, 1, 1], Dense)]),
    ("splat_divisor_i32", "x / y", &[(I32, &[1000], Dense), (I32, &[], Dense)]),
    // Tiled: packed once, and each tile.
    ("packed_once", "x + y", &[(F32, &[1000, 3], Dense), (F32, &[3], Dense)]),
    ("packed_once_u8", "x + y", &[(U8, &[1000, 3], Dense), (U8, &[3], Dense)]),
    ("packed_stretched_u8", "x + y", &[(U8, &[100, 17], Dense), (U8, &[100, 1], Dense)]),
    ("packed_strided_u8", "x + y", &[(U8, &[1000], Strides(&[2])), (U8, &[1000], Dense)]),
    ("packed_strided_far", "x + y", &[(F32, &[1000], Strides(&[36])), (F32, &[1000], Dense)]),
    ("packed_reversed_u8", "x + y", &[(U8, &[1000], Strides(&[-1])), (U8, &[1000], Dense)]),
    // Tiled: put in order on the way into the kernel.
    ("arranged_stretched", "x + y", &[(F32, &[100, 17], Dense), (F32, &[100, 1], Dense)]),
    ("arranged_strided", "x + y", &[(F32, &[1000], Strides(&[8])), (F32, &[1000], Dense)]),
    ("arranged_reversed", "x + y", &[(F32, &[1000], Strides(&[-4])), (F32, &[1000], Dense)]),
    // Tiled: planes.
    ("plane_f32", "x + y", &[(F32, &[64, 64], Axes(&[1, 0])), (F32, &[64, 64], Dense)]),
    ("plane_u8", "x + y", &[(U8, &[64, 64], Axes(&[1, 0])), (U8, &[64, 64], Dense)]),
    ("plane_f64", "x + y", &[(F64, &[48, 48], Axes(&[1, 0])), (F64, &[48, 48], Dense)]),
    ("plane_kernel", "x * y", &[(F32, &[8, 64, 3, 3], Dense), (F32, &[64, 1, 1], Dense)]),
    // Programs.
    ("fused_16", "x * y + 1", &[(F32, &[16], Dense), (F32, &[16], Dense)]),
    ("fused_1000", "x * y + 1", &[(F32, &[1000], Dense), (F32, &[1000], Dense)]),
    ("fused_normalise", "(cast(i, f32) - m) / s", &[(U8, &[500, 3], Dense), (F32, &[3], Dense), (F32, &[3], Dense)]),
    ("fused_gelu", "gelu(x + b)", &[(F32, &[8, 128], Dense), (F32, &[128], Dense)]),
    ("fused_shared", "sqrt(x * x + y * y) / (x * x)", &[(F32, &[1000], Dense), (F32, &[1000], Dense)]),
];

/// The run of this name: bound, run once, and its result compared with the oracle.
///
/// # Panics
/// When there is none, or its result is wrong.
pub fn checked(name: &str) -> Box<Ready<'static>> {
    made(name, Case::ready)
}

/// The run of this name: bound, and run once. `allocations` compares the result of each with the oracle; this is for
/// valgrind. Boxed, so that no move of it is counted.
///
/// # Panics
/// When there is none.
pub fn unchecked(name: &str) -> Box<Ready<'static>> {
    made(name, Case::ready_unchecked)
}

fn made(name: &str, ready: fn(Case) -> Result<Ready<'static>, Error>) -> Box<Ready<'static>> {
    cpu::fix();
    let spec = RUNS.iter().find(|(other, ..)| *other == name);
    let (_, expression, operands) = spec.unwrap_or_else(|| panic!("no run is called {name}"));
    let operands = operands.iter().map(|&(dtype, shape, memory)| operand(dtype, shape, memory));
    let made = operands.collect::<Result<_, _>>().and_then(|o| Case::new(expression, o)).and_then(ready);
    Box::new(made.unwrap_or_else(|e| panic!("{name}: {e}")))
}

fn operand(dtype: DType, shape: &[usize], memory: Memory) -> Result<Operand, Error> {
    match memory {
        Dense => Operand::dense(dtype, shape),
        Axes(axes) => Operand::permuted(dtype, shape, axes),
        Strides(strides) => Operand::with_layout(Layout::strided(dtype, shape, strides)?),
    }
}
