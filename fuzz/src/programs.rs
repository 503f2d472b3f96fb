//! Programs of a few steps over inputs whose shapes mostly broadcast: [`ProgramSpec`].

use eltwise::{Broadcast, DType, Error, Op};
use eltwise_core::Constant;
use eltwise_core::Signature;
use eltwise_plan::{Program, ProgramBuilder, ValueId};
use libfuzzer_sys::arbitrary::{self, Arbitrary};

use crate::memory::LayoutSpec;

/// The largest number of elements of an iteration shape. The reference is slow.
const MAX_ELEMENTS: usize = 4096;

/// The most operands that an operator takes.
const MAX_ARITY: usize = {
    let (mut most, mut i) = (0, 0);
    while i < Op::ALL.len() {
        let arity = Op::ALL[i].arity();
        most = if arity > most { arity } else { most };
        i += 1;
    }
    most
};

/// An input: its dtype, how its shape differs from the common shape, and its layout.
#[derive(Arbitrary, Clone, Debug)]
pub struct InputSpec {
    dtype: u8,
    /// The number of leading axes that are missing.
    dropped: u8,
    /// Axes of size 1, one bit per axis.
    ones: u8,
    /// From 250 on, a size of the last axis that does not broadcast.
    wrong: u8,
    /// The layout.
    pub layout: LayoutSpec,
}

/// A step: operator, operands, dtype.
#[derive(Arbitrary, Clone, Debug)]
pub struct StepSpec {
    op: u8,
    args: [u8; MAX_ARITY],
    dtype: u8,
    mode: u8,
}

/// A program and the shapes of its inputs.
#[derive(Arbitrary, Clone, Debug)]
pub struct ProgramSpec {
    shape: Vec<u8>,
    /// The first input.
    pub first: InputSpec,
    /// Up to three more inputs; the rest is ignored.
    pub more: Vec<InputSpec>,
    first_step: StepSpec,
    steps: Vec<StepSpec>,
    outputs: u8,
}

impl ProgramSpec {
    /// The common shape: up to six axes and few elements.
    pub fn shape(&self) -> Vec<usize> {
        let mut elements = 1;
        let size = |&n: &u8| match n {
            0..=199 => usize::from(n % 6),
            200..=239 => usize::from(n % 17),
            _ => usize::from(n) * 5 % 97,
        };
        let keep = |&size: &usize| {
            let fits = elements * size <= MAX_ELEMENTS;
            elements *= if fits { size.max(1) } else { 1 };
            fits
        };
        self.shape.iter().take(6).map(size).filter(keep).collect()
    }

    /// Whether the operators include math functions. Their last bit may differ from the reference, and later steps
    /// would have other operands. Such a program is therefore compared with its own steps, run one by one
    /// ([`crate::stepwise`]).
    pub fn may_have_math(&self) -> bool {
        self.outputs >= 128
    }

    /// The inputs.
    pub fn inputs(&self) -> impl Iterator<Item = &InputSpec> {
        std::iter::once(&self.first).chain(self.more.iter().take(3))
    }

    /// The dtype and shape of each input, derived from a common shape, which can be [`ProgramSpec::shape`].
    pub fn operands(&self, common: &[usize]) -> Vec<(DType, Vec<usize>)> {
        let operand = |input: &InputSpec| {
            let dropped = usize::from(input.dropped) % (common.len() + 1);
            let dropped = if input.dropped < 128 { 0 } else { dropped };
            let mut shape = common[dropped..].to_vec();
            for (axis, size) in shape.iter_mut().enumerate() {
                if input.ones & 1u8.rotate_left(axis as u32) != 0 {
                    *size = 1;
                }
            }
            if let (250.., Some(last)) = (input.wrong, shape.last_mut()) {
                *last = usize::from(input.wrong - 249);
            }
            let dtypes = dtypes();
            (dtypes[usize::from(input.dtype) % dtypes.len()], shape)
        };
        self.inputs().map(operand).collect()
    }

    /// The program. Operands of a dtype that a step does not take are cast or replaced by a constant.
    ///
    /// # Errors
    /// The errors of the builder; only a broadcast mode can cause one.
    pub fn program(&self, common: &[usize]) -> Result<Program, Error> {
        let mut builder = ProgramBuilder::new();
        let operands = self.operands(common);
        let named = operands.iter().enumerate().map(|(i, (dtype, _))| (format!("x{i}"), *dtype));
        let mut values: Vec<ValueId> = named.map(|(name, dtype)| builder.input(&name, dtype)).collect();
        for spec in std::iter::once(&self.first_step).chain(self.steps.iter().take(5)) {
            values.push(self.step(&mut builder, common, &values, spec)?);
        }
        // The last one to three values are the outputs.
        let outputs = values.len() - (1 + usize::from(self.outputs) % 3).min(values.len());
        values[outputs..].iter().for_each(|&value| builder.output(value));
        builder.finish()
    }

    fn step(
        &self,
        builder: &mut ProgramBuilder,
        common: &[usize],
        values: &[ValueId],
        spec: &StepSpec,
    ) -> Result<ValueId, Error> {
        // The sign of a NaN of a math function differs between ISAs, so no later step may depend on it.
        let reads_sign = |op: &Op| matches!(op, Op::SignBit | Op::Copysign | Op::Bitcast);
        let among = |op: &Op| if self.may_have_math() { !reads_sign(op) } else { !op.info().has_math() };
        let ops: Vec<Op> = Op::ALL.iter().copied().filter(among).collect();
        let op = ops[usize::from(spec.op) % ops.len()];
        let args: Vec<ValueId> =
            spec.args[..op.arity()].iter().map(|&a| values[usize::from(a) % values.len()]).collect();
        // T is the dtype of the last operand, or another that the operator takes.
        let given = dtype_of(builder, args[args.len() - 1])?;
        let taken: Vec<DType> = dtypes().into_iter().filter(|&d| op.info().takes(d)).collect();
        let chosen = taken[usize::from(spec.dtype) % taken.len()];
        let t = if op.info().takes(given) && spec.dtype < 200 { given } else { chosen };
        let mut converted = Vec::new();
        for (i, &arg) in args.iter().enumerate() {
            let wanted = if op.signature() == Signature::Select && i == 0 { DType::Bool } else { t };
            converted.push(as_dtype(builder, arg, wanted, spec.args[i])?);
        }
        let mode = match (op, spec.mode) {
            (Op::BroadcastTo, _) => Broadcast::Bidirectional { target: common.into() },
            (_, 0..=220) => Broadcast::Numpy,
            (_, 221..=230) => Broadcast::None,
            (_, 231..=240) if op.arity() == 2 => Broadcast::Unidirectional,
            (_, axis) if op.arity() == 2 => Broadcast::Pdpd { axis: i64::from(axis % 4) - 1 },
            _ => Broadcast::Numpy,
        };
        builder.step(op, &converted, (op == Op::Cast).then_some(chosen), mode)
    }
}

/// The dtypes that this build has kernels for.
fn dtypes() -> Vec<DType> {
    let small = |d: &DType| d.is_opaque() || matches!(d, DType::Bool | DType::F32 | DType::I32 | DType::U32);
    DType::ALL.into_iter().filter(|d| cfg!(feature = "all-dtypes") || small(d)).collect()
}

/// The dtype of a value of this builder.
fn dtype_of(builder: &ProgramBuilder, value: ValueId) -> Result<DType, Error> {
    builder
        .dtype(value)
        .ok_or_else(|| Error::Expression { message: format!("{value:?} is not a value of this builder") })
}

/// A value converted to a different dtype, or a constant if there is no cast between the two.
fn as_dtype(builder: &mut ProgramBuilder, value: ValueId, dtype: DType, seed: u8) -> Result<ValueId, Error> {
    let given = dtype_of(builder, value)?;
    if given == dtype {
        Ok(value)
    } else if given.is_opaque() || dtype.is_opaque() {
        let mask = u128::MAX >> (128 - 8 * dtype.size());
        Ok(builder.constant(Constant { dtype, bits: (u128::from(seed) * 0x0101_0101_0101_0101) & mask }))
    } else {
        builder.step(Op::Cast, &[value], Some(dtype), Broadcast::Numpy)
    }
}
