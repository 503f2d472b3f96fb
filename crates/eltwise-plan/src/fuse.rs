//! Superinstructions: steps that become one, because one pass over the elements is faster than two over a tile.
//!
//! A result that only the next step reads never leaves the registers, a cast of the first operand is done where it is
//! loaded, and a cast of the result where it is stored. The operators and their order stay, each rounds as alone, so the
//! bits do too. (Operands of a last addition or multiplication change places, which no number sees.)

use core::fmt;

use smallvec::SmallVec;

use crate::bind::{Binding, BoundStep, Place};
use crate::dtype::DType;
use crate::op::Op;
use crate::program::Custom;

/// What a step computes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Operation {
    /// An operator of the catalogue.
    Op(Op),
    /// An operator of the catalogue over f32, correctly rounded.
    Exact(Op),
    /// An operator of the catalogue over f64, for a result that is rounded to a narrower dtype next.
    ToNarrow(Op),
    /// A superinstruction.
    Fused(Fused),
    /// A function of the caller's.
    Custom(Custom),
}

impl Operation {
    /// The operators that it is made of, in order; none for a function of the caller's.
    pub fn ops(self) -> impl Iterator<Item = Op> {
        let (first, last) = match self {
            Operation::Op(op) | Operation::Exact(op) | Operation::ToNarrow(op) => (None, Some(op)),
            Operation::Fused(fused) => (fused.first, Some(fused.last)),
            Operation::Custom(_) => (None, None),
        };
        first.into_iter().chain(last)
    }

    /// The operator, if it is one of the catalogue alone, at its fast tier.
    pub fn op(self) -> Option<Op> {
        match self {
            Operation::Op(op) => Some(op),
            _ => None,
        }
    }
}

impl From<Op> for Operation {
    fn from(op: Op) -> Operation {
        Operation::Op(op)
    }
}

impl PartialEq<Op> for Operation {
    fn eq(&self, op: &Op) -> bool {
        self.op() == Some(*op)
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Operation::Op(op) => op.fmt(f),
            Operation::Exact(op) => write!(f, "exact {op}"),
            Operation::ToNarrow(op) => write!(f, "{op} to narrow"),
            Operation::Fused(fused) => fused.fmt(f),
            Operation::Custom(custom) => f.write_str(custom.name),
        }
    }
}

/// `store(last(first(load(x), y), z))`: one of the superinstructions that there are kernels for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fused {
    load: Option<DType>,
    first: Option<Op>,
    last: Op,
    store: Option<DType>,
    dtype: DType,
}

/// Pairs over f32 and f64.
const PAIRS: [(Op, Op); 8] = [
    (Op::Multiply, Op::Add),
    (Op::Multiply, Op::Subtract),
    (Op::Multiply, Op::Multiply),
    (Op::Add, Op::Multiply),
    (Op::Add, Op::Add),
    (Op::Add, Op::Relu),
    (Op::Subtract, Op::Multiply),
    (Op::Subtract, Op::Divide),
];
/// Pairs over f32, one of them a math function: a bias before, a gate behind. Beyond the caches, steps over tiles take 1.2 to 1.8 times
/// as long, because the short step waits for memory that would arrive while the long one computes.
const MATH: [(Op, Op); 5] = [
    (Op::Add, Op::Gelu),
    (Op::Add, Op::GeluTanh),
    (Op::Add, Op::Silu),
    (Op::Gelu, Op::Multiply),
    (Op::Silu, Op::Multiply),
];
/// Operators, and pairs, over f32 whose first operand is cast where it is loaded, or result where it is stored, or both.
const CAST: [(Option<Op>, Op); 6] = [
    (None, Op::Add),
    (None, Op::Subtract),
    (None, Op::Multiply),
    (Some(Op::Multiply), Op::Add),
    (Some(Op::Subtract), Op::Multiply),
    (Some(Op::Subtract), Op::Divide),
];
/// From these dtypes.
const LOADS: [DType; 4] = [DType::I8, DType::U8, DType::F16, DType::BF16];
/// To these; of both casts, to what the other is from.
const STORES: [DType; 2] = [DType::F16, DType::BF16];

impl Fused {
    /// The superinstruction, if there is one: `last` over `dtype`, of the result of `first` if it is given, the first
    /// operand of all cast from `load` if it is given.
    pub fn new(load: Option<DType>, first: Option<Op>, last: Op, dtype: DType) -> Option<Fused> {
        let is_one = match (load, first) {
            (None, Some(first)) => match dtype {
                DType::F32 => PAIRS.contains(&(first, last)) || MATH.contains(&(first, last)),
                DType::F64 => PAIRS.contains(&(first, last)),
                _ => false,
            },
            (Some(load), first) => dtype == DType::F32 && LOADS.contains(&load) && CAST.contains(&(first, last)),
            (None, None) => false,
        };
        is_one.then_some(Fused { load, first, last, store: None, dtype })
    }

    /// As [`Fused::new`], with the result cast to `store` where it is stored; also of `last` alone.
    pub fn stored(load: Option<DType>, first: Option<Op>, last: Op, store: DType, dtype: DType) -> Option<Fused> {
        let is_one = dtype == DType::F32
            && STORES.contains(&store)
            && load.is_none_or(|load| load == store)
            && CAST.contains(&(first, last));
        is_one.then_some(Fused { load, first, last, store: Some(store), dtype })
    }

    /// Every superinstruction.
    pub fn all() -> impl Iterator<Item = Fused> {
        let pairs = PAIRS.iter().flat_map(|&(first, last)| {
            [DType::F32, DType::F64].map(|dtype| Fused::new(None, Some(first), last, dtype))
        });
        let math = MATH.map(|(first, last)| Fused::new(None, Some(first), last, DType::F32));
        let loaded =
            CAST.iter().flat_map(|&(first, last)| LOADS.map(|load| Fused::new(Some(load), first, last, DType::F32)));
        let stored = CAST.iter().flat_map(|&(first, last)| {
            STORES.into_iter().flat_map(move |store| {
                [None, Some(store)].map(|load| Fused::stored(load, first, last, store, DType::F32))
            })
        });
        pairs.chain(math).chain(loaded).chain(stored).flatten()
    }

    /// The dtype in memory of the first operand, where it is cast.
    pub fn load(self) -> Option<DType> {
        self.load
    }

    /// The operator before the last, if there is one.
    pub fn first(self) -> Option<Op> {
        self.first
    }

    /// The operator whose result is the step's.
    pub fn last(self) -> Op {
        self.last
    }

    /// The dtype in memory of the result, where it is cast.
    pub fn store(self) -> Option<DType> {
        self.store
    }

    /// The dtype that it computes in.
    pub fn dtype(self) -> DType {
        self.dtype
    }
}

impl fmt::Display for Fused {
    /// `cast+subtract+divide`, `multiply+add+cast`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.load.is_some() {
            f.write_str("cast+")?;
        }
        if let Some(first) = self.first {
            write!(f, "{first}+")?;
        }
        self.last.fmt(f)?;
        if self.store.is_some() { f.write_str("+cast") } else { Ok(()) }
    }
}

impl Binding {
    /// Makes one step of those that there is a superinstruction for. The results of steps that it takes up are read by
    /// no other step and are no outputs.
    pub fn fuse(&mut self) {
        if self.steps.len() < 2 {
            return;
        }
        let mut readers: SmallVec<[u32; 8]> = SmallVec::from_elem(0, self.steps.len());
        for step in &self.steps {
            for &place in &step.args {
                if let Place::Step(s) = place {
                    readers[s] += 1;
                }
            }
        }
        let mut taken: SmallVec<[bool; 8]> = SmallVec::from_elem(false, self.steps.len());
        for at in 0..self.steps.len() {
            // Once: what an operand's step could take up, it took when its turn was.
            if let Some((operand, step)) = self.merged(at, &readers) {
                if let Place::Step(s) = self.steps[at].args[operand] {
                    taken[s] = true;
                }
                self.steps[at] = step;
            }
        }
        self.drop_steps(&taken);
    }

    /// Step `at` with the step of one of its operands in it, and which operand that is.
    fn merged(&self, at: usize, readers: &[u32]) -> Option<(usize, BoundStep)> {
        let step = &self.steps[at];
        step.args.iter().enumerate().find_map(|(operand, &place)| {
            let Place::Step(s) = place else { return None };
            let inner = &self.steps[s];
            if readers[s] != 1 || inner.output.is_some() {
                return None;
            }
            Some((operand, merge(step, operand, inner)?))
        })
    }

    /// Drops steps that nothing reads any more.
    fn drop_steps(&mut self, taken: &[bool]) {
        if !taken.contains(&true) {
            return;
        }
        let mut places: SmallVec<[usize; 8]> = SmallVec::new();
        let mut kept = 0;
        for &gone in taken {
            places.push(kept);
            kept += usize::from(!gone);
        }
        let mut at = 0;
        self.steps.retain(|_| {
            at += 1;
            !taken[at - 1]
        });
        for step in &mut self.steps {
            for place in &mut step.args {
                if let Place::Step(s) = place {
                    *s = places[*s];
                }
            }
        }
    }
}

/// `outer` with `inner`, the step of its operand `operand`, in it.
fn merge(outer: &BoundStep, operand: usize, inner: &BoundStep) -> Option<BoundStep> {
    let t = outer.from;
    let swaps = |op: Op| matches!(op, Op::Add | Op::Multiply);
    if outer.op == Op::Cast {
        let (load, first, last) = match inner.op {
            Operation::Op(op) => (None, None, op),
            Operation::Fused(Fused { load, first, last, store: None, .. }) => (load, first, last),
            _ => return None,
        };
        let fused = Fused::stored(load, first, last, outer.to, inner.from)?;
        return Some(BoundStep { op: Operation::Fused(fused), args: inner.args.clone(), ..outer.clone() });
    }
    // A superinstruction takes nothing more up: what it could was taken up by the steps that it is made of.
    let Operation::Op(last) = outer.op else { return None };
    let mut args = outer.args.clone();
    match operand {
        0 => {}
        1 if swaps(last) => args.swap(0, 1),
        _ => return None,
    }
    let (load, before) = match inner.op {
        Operation::Op(Op::Cast) => {
            // The cast's value is the first operand.
            let fused = Fused::new(Some(inner.from), None, last, t)?;
            args[0] = inner.args[0];
            return Some(BoundStep { op: Operation::Fused(fused), args, ..outer.clone() });
        }
        Operation::Op(op) => (None, op),
        Operation::Fused(Fused { load, first: None, last, store: None, .. }) => (load, last),
        _ => return None,
    };
    let op = match (load, before, last) {
        // Integers wrap, so that a sum of products is their `fma`.
        (None, Op::Multiply, Op::Add) if t.is_integer() => Operation::Op(Op::Fma),
        _ => Operation::Fused(Fused::new(load, Some(before), last, t)?),
    };
    let mut all = inner.args.clone();
    all.extend_from_slice(&args[1..]);
    Some(BoundStep { op, args: all, ..outer.clone() })
}
