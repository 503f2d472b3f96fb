//! Runs ([`RUNS`]): every strategy of the planner, every kind of operand, whole vectors and tails.
//!
//! The names are keys of `benches/baseline/ir.json`.

use eltwise::{DType, Error, Layout};
use eltwise_benches::{Case, Operand, Ready};

use crate::cpu;

use DType::{Bool, F16, F32, F64, I32, U8};

/// The layout of an operand.
#[derive(Clone, Copy)]
pub enum Memory {
    /// Contiguous in C order.
    Dense,
    /// Without gaps, with this memory order of the axes, outermost first.
    Axes(&'static [usize]),
    /// With these strides in bytes.
    Strides(&'static [isize]),
}

use Memory::{Axes, Dense, Strides};

/// A run: its name, an expression, and the operands in the order in which their names first appear.
pub type Spec = (&'static str, &'static str, &'static [(DType, &'static [usize], Memory)]);

/// The runs that are counted.
pub const RUNS: &[Spec] = &[
    // Overhead, whole vectors and tails.
    ("add_1", "x + y", &[(F32, &[1], Dense), (F32, &[1], Dense)]),
    ("add_16", "x + y", &[(F32, &[16], Dense), (F32, &[16], Dense)]),
    ("add_rank_4", "x + y", &[(F32, &[2, 2, 2, 2], Dense), (F32, &[2, 2, 2, 2], Dense)]),
    ("tail_1024", "x + y", &[(F32, &[1024], Dense), (F32, &[1024], Dense)]),
    ("tail_1031", "x + y", &[(F32, &[1031], Dense), (F32, &[1031], Dense)]),
    ("tail_u8_1055", "x + y", &[(U8, &[1055], Dense), (U8, &[1055], Dense)]),
    // Direct, contiguous: element sizes and kernels.
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
    // Tiled: packed once (compaction), and packed in each tile.
    ("packed_once", "x + y", &[(F32, &[1000, 3], Dense), (F32, &[3], Dense)]),
    ("packed_once_u8", "x + y", &[(U8, &[1000, 3], Dense), (U8, &[3], Dense)]),
    ("packed_stretched_u8", "x + y", &[(U8, &[100, 17], Dense), (U8, &[100, 1], Dense)]),
    ("packed_strided_u8", "x + y", &[(U8, &[1000], Strides(&[2])), (U8, &[1000], Dense)]),
    ("packed_strided_far", "x + y", &[(F32, &[1000], Strides(&[36])), (F32, &[1000], Dense)]),
    ("packed_reversed_u8", "x + y", &[(U8, &[1000], Strides(&[-1])), (U8, &[1000], Dense)]),
    // Tiled: permuted in registers.
    ("permuted_stretched", "x + y", &[(F32, &[100, 17], Dense), (F32, &[100, 1], Dense)]),
    ("permuted_strided", "x + y", &[(F32, &[1000], Strides(&[8])), (F32, &[1000], Dense)]),
    ("permuted_reversed", "x + y", &[(F32, &[1000], Strides(&[-4])), (F32, &[1000], Dense)]),
    // Tiled: two-dimensional tiles, transposed.
    ("transposed_f32", "x + y", &[(F32, &[64, 64], Axes(&[1, 0])), (F32, &[64, 64], Dense)]),
    ("transposed_u8", "x + y", &[(U8, &[64, 64], Axes(&[1, 0])), (U8, &[64, 64], Dense)]),
    ("transposed_f64", "x + y", &[(F64, &[48, 48], Axes(&[1, 0])), (F64, &[48, 48], Dense)]),
    ("batch_norm", "x * y", &[(F32, &[8, 64, 3, 3], Dense), (F32, &[64, 1, 1], Dense)]),
    // Programs.
    ("fused_16", "x * y + 1", &[(F32, &[16], Dense), (F32, &[16], Dense)]),
    ("fused_1000", "x * y + 1", &[(F32, &[1000], Dense), (F32, &[1000], Dense)]),
    ("fused_normalise", "(cast(i, f32) - m) / s", &[(U8, &[500, 3], Dense), (F32, &[3], Dense), (F32, &[3], Dense)]),
    ("fused_gelu", "gelu(x + b)", &[(F32, &[8, 128], Dense), (F32, &[128], Dense)]),
    ("fused_shared", "sqrt(x * x + y * y) / (x * x)", &[(F32, &[1000], Dense), (F32, &[1000], Dense)]),
];

/// The run with this name, after one run whose result was compared with the reference.
///
/// # Panics
/// If no run has this name, or its result is wrong.
pub fn checked(name: &str) -> Box<Ready<'static>> {
    ready(name, Case::ready)
}

/// The run with this name, after one run whose result was not compared with the reference, because valgrind may not
/// support its instructions. Boxed, so that moving it is not counted.
///
/// # Panics
/// If no run has this name.
pub fn unchecked(name: &str) -> Box<Ready<'static>> {
    ready(name, Case::ready_unchecked)
}

fn ready(name: &str, first_run: fn(Case) -> Result<Ready<'static>, Error>) -> Box<Ready<'static>> {
    cpu::fix();
    let spec = RUNS.iter().find(|(other, ..)| *other == name);
    let (_, expression, operands) = spec.unwrap_or_else(|| panic!("no run is called {name}"));
    let operands = operands.iter().map(|&(dtype, shape, memory)| operand(dtype, shape, memory));
    let ready = operands.collect::<Result<_, _>>().and_then(|o| Case::new(expression, o)).and_then(first_run);
    Box::new(ready.unwrap_or_else(|e| panic!("{name}: {e}")))
}

fn operand(dtype: DType, shape: &[usize], memory: Memory) -> Result<Operand, Error> {
    match memory {
        Dense => Operand::dense(dtype, shape),
        Axes(axes) => Operand::permuted(dtype, shape, axes),
        Strides(strides) => Operand::with_layout(Layout::strided(dtype, shape, strides)?),
    }
}
