//! Exact operators over `f16` equal the reference on every ISA. An ISA that computes in `f16` must have the bits of the
//! same operator in `f32` with one rounding.
//!
//! Operators of one operand run over all 65,536 values. Operators of two operands run with all values as the first and
//! each of `HARD` as the second, and with each of `FEW` as the first and all values as the second. Operators of three
//! operands run with all values as the first and pairs of `FEW`. Pairs of `HARD` also run in every lane.

use eltwise::kernels::kernel;
use eltwise::{Array, BindOptions, Broadcast, DType, Isa, Layout, Op, Program, Serial, Shape, Signature};
use eltwise_reference::{Tensor, Value, evaluate, same};
use eltwise_testkit::{check, skipped};
use rayon::prelude::*;

/// Zeros, subnormal numbers, halves and units, with their neighbours; numbers whose products and quotients are
/// subnormal or overflow; infinities; quiet and signalling NaNs.
const HARD: [u16; 40] = [
    0x0000, 0x8000, 0x0001, 0x8001, 0x0002, 0x01ff, 0x83ff, 0x03ff, 0x0400, 0x8401, 0x0800, 0x1400, 0x2e66, 0x37ff,
    0x3800, 0xb801, 0x3bff, 0x3c00, 0xbc00, 0x3c01, 0x3dff, 0x3e00, 0x4000, 0x4100, 0xc248, 0x4700, 0x53ff, 0x63ff,
    0x6400, 0xe401, 0x6c01, 0x7400, 0x7800, 0x7bfe, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00, 0xfd01,
];

/// Fewer hard values, for tests without optimisation and under an emulator.
const FEW: [u16; 7] = [0x8000, 0x0001, 0x3801, 0xbc00, 0x6400, 0x7c00, 0xfe00];

/// The exact operators over `f16` that have a kernel.
fn operators() -> impl Iterator<Item = Op> {
    let shapes = [
        Signature::Unary,
        Signature::Binary,
        Signature::Ternary,
        Signature::UnaryPredicate,
        Signature::BinaryPredicate,
    ];
    let exact = |op: &Op| !op.is_composite(DType::F16) && !op.info().is_math(DType::F16);
    Op::ALL
        .iter()
        .copied()
        .filter(move |op| shapes.contains(&op.signature()) && op.info().takes(DType::F16) && exact(op))
}

fn tensor(shape: impl Into<Shape>, bits: impl IntoIterator<Item = u16>) -> Tensor {
    let data = bits.into_iter().flat_map(u16::to_le_bytes).collect();
    Tensor::new(DType::F16, shape, data).unwrap()
}

fn all_values() -> Tensor {
    tensor([1 << 16], 0..=u16::MAX)
}

/// Compares an operator on every ISA with the reference.
fn compare(op: Op, operands: &[&Tensor], isas: &[Isa]) {
    let expected = evaluate(op, operands, None, &Broadcast::Numpy).unwrap();
    let layouts: Vec<Layout> =
        operands.iter().map(|t| Layout::contiguous(DType::F16, t.shape().clone()).unwrap()).collect();
    let layouts: Vec<&Layout> = layouts.iter().collect();
    let program = Program::single(op, &vec![DType::F16; operands.len()], None, Broadcast::Numpy).unwrap();
    for &isa in isas {
        let plan = program.bind_with(&layouts, &BindOptions::new().isa(isa)).unwrap();
        let inputs: Vec<Array> = operands.iter().map(|t| array(t)).collect();
        let mut out = Array::with_layout(plan.output_layouts()[0].clone()).unwrap();
        let views: Vec<_> = inputs.iter().map(Array::view).collect();
        let _ = plan.run_with(&Serial, &views, &mut [out.view_mut()]).unwrap();
        let dtype = expected.dtype();
        let pairs = expected.data().chunks_exact(dtype.size()).zip(out.bytes().chunks_exact(dtype.size()));
        for (i, (expected, got)) in pairs.enumerate() {
            let (expected, got) = (Value::read(dtype, expected), Value::read(dtype, got));
            assert!(
                expected.bits == got.bits || same(expected, got),
                "{op} on {isa}, element {i} of {:04x?}: {got:x?}, expected {expected:x?}",
                operands.iter().map(|t| t.values().nth(i % t.values().len()).unwrap().bits).collect::<Vec<_>>()
            );
        }
    }
}

fn array(t: &Tensor) -> Array {
    let mut array = Array::zeros(DType::F16, t.shape().clone()).unwrap();
    array.bytes_mut().copy_from_slice(t.data());
    array
}

#[test]
fn every_value_with_hard_operands_equals_the_reference() {
    let (all, isas) = (all_values(), check::isas());
    let operators: Vec<Op> = operators().collect();
    operators.into_par_iter().for_each(|op| match op.arity() {
        1 => compare(op, &[&all], &isas),
        2 => {
            let hard = if cfg!(debug_assertions) { &FEW[..] } else { &HARD };
            hard.iter().for_each(|&h| compare(op, &[&all, &tensor([], [h])], &isas));
            FEW.iter().for_each(|&h| compare(op, &[&tensor([], [h]), &all], &isas));
        }
        _ => {
            let distances = if cfg!(debug_assertions) { 1 } else { FEW.len() };
            for (i, distance) in (0..FEW.len()).flat_map(|i| (0..distances).map(move |distance| (i, distance))) {
                let (y, z) = (tensor([], [FEW[i]]), tensor([], [FEW[(i + distance + 2) % FEW.len()]]));
                compare(op, &[&all, &y, &z], &isas);
            }
        }
    });
}

#[test]
fn hard_pairs_equal_the_reference_in_every_lane() {
    let isas = check::isas();
    for op in operators().filter(|op| op.arity() == 2) {
        for shift in 0..32 {
            // The padding moves every pair to a different lane, and the last pairs into the tail.
            let pairs =
                || std::iter::repeat_n((0x3c00, 0x3c00), shift).chain(HARD.iter().flat_map(|&a| HARD.map(|b| (a, b))));
            let count = shift + HARD.len() * HARD.len();
            let (a, b) = (tensor([count], pairs().map(|p| p.0)), tensor([count], pairs().map(|p| p.1)));
            compare(op, &[&a, &b], &isas);
        }
    }
}

/// Operators that would round twice in `f16` compute in `f32`. Quotients and roots are native where that is fast.
#[test]
fn native_f16_kernels_are_those_that_round_once() {
    let twice = [Op::Fma, Op::Lerp, Op::SquaredDifference, Op::Softsign, Op::HardSwish, Op::HardSigmoid, Op::Remainder];
    let quotients = [Op::Divide, Op::Reciprocal, Op::Sqrt];
    let once = [Op::Add, Op::Maximum, Op::Less, Op::Round, Op::Relu6, Op::Clamp, Op::IsNan];
    for isa in [Isa::Avx512Fp16, Isa::NeonFp16].into_iter().filter(|isa| isa.is_native()) {
        let owner = |op| kernel(op, DType::F16, DType::F16, isa).unwrap().owner;
        assert!(twice.iter().all(|&op| owner(op) < isa), "{isa}");
        assert!(once.iter().all(|&op| owner(op) == isa), "{isa}");
        assert!(quotients.iter().all(|&op| (owner(op) == isa) == (isa == Isa::NeonFp16)), "{isa}");
        if !isa.is_available() {
            skipped(&format!("this CPU has no {isa}: its arithmetic on f16 was NOT tested"));
        }
    }
}
