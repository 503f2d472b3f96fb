//! Fused patterns: pairs of operators, and operators with casts, that one kernel computes in one pass. [`Fused`] is a pattern.
//!
//! The result of the first operator stays in registers, a cast of the first operand happens at its load, and a cast of the
//! result at its store. Every operator rounds as it does alone, so fusion does not change bits.

use core::fmt;

use crate::dtype::DType;
use crate::op::Op;

/// A fused pattern that has a kernel: `store(last(first(load(x), y), z))`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fused {
    load: Option<DType>,
    first: Option<Op>,
    last: Op,
    store: Option<DType>,
    dtype: DType,
}

/// Calls `$callback!` with the fused patterns. Each operator comes with its adapter, `Unary` or `Binary`.
///
/// | group | patterns | over |
/// |---|---|---|
/// | `pairs` | `(first) (last);` | f32 and f64 |
/// | `bias_then_math` | a sum, then a math function | f32 |
/// | `math_then_gate` | a math function, then a product | f32 |
/// | `casts` | `(first) (last);` or `() (last);`, with a cast of the first operand, of the result, or of both | f32 |
///
/// Beyond the caches, separate steps over tiles take 1.2 to 1.8 times as long as the pairs with a math function: the short
/// step waits for memory that would arrive while the long one computes.
///
/// The kernel table of `eltwise-kernels` is stamped from the same rows: the row `(Binary Add) (Unary Relu);` of `pairs`
/// becomes `(Some(Op::Add), Op::Relu) => pair::<Binary<Add>, Unary<Relu>, L>(dtype)`.
#[macro_export]
macro_rules! fused_patterns {
    ($callback:ident) => {
        $callback! {
            pairs {
                (Binary Multiply) (Binary Add);
                (Binary Multiply) (Binary Subtract);
                (Binary Multiply) (Binary Multiply);
                (Binary Add) (Binary Multiply);
                (Binary Add) (Binary Add);
                (Binary Add) (Unary Relu);
                (Binary Subtract) (Binary Multiply);
                (Binary Subtract) (Binary Divide);
            }
            bias_then_math {
                (Binary Add) (Unary Gelu);
                (Binary Add) (Unary GeluTanh);
                (Binary Add) (Unary Silu);
            }
            math_then_gate {
                (Unary Gelu) (Binary Multiply);
                (Unary Silu) (Binary Multiply);
            }
            casts {
                () (Binary Add);
                () (Binary Subtract);
                () (Binary Multiply);
                (Binary Multiply) (Binary Add);
                (Binary Subtract) (Binary Multiply);
                (Binary Subtract) (Binary Divide);
            }
        }
    };
}

/// A pattern as a pair of operators; `()` is `None`.
macro_rules! pattern {
    (() ($last_adapter:ident $last:ident)) => {
        (None, Op::$last)
    };
    (($first_adapter:ident $first:ident) ($last_adapter:ident $last:ident)) => {
        (Some(Op::$first), Op::$last)
    };
}

macro_rules! lists {
    (
        pairs { $($pair_first:tt $pair_last:tt;)* }
        bias_then_math { $($bias:tt $math:tt;)* }
        math_then_gate { $($gated:tt $gate:tt;)* }
        casts { $($cast_first:tt $cast_last:tt;)* }
    ) => {
        /// Pairs over f32 and f64.
        const PAIRS: &[(Option<Op>, Op)] = &[$(pattern!($pair_first $pair_last)),*];
        /// Pairs over f32, one of them a math function.
        const MATH_PAIRS: &[(Option<Op>, Op)] =
            &[$(pattern!($bias $math),)* $(pattern!($gated $gate),)*];
        /// Operators and pairs over f32 with casts.
        const CASTS: &[(Option<Op>, Op)] = &[$(pattern!($cast_first $cast_last)),*];
    };
}

fused_patterns!(lists);

/// The dtypes from which the first operand may be cast.
const LOADS: [DType; 4] = [DType::I8, DType::U8, DType::F16, DType::BF16];
/// The dtypes to which the result may be cast. If both are cast, both have one dtype in memory.
const STORES: [DType; 2] = [DType::F16, DType::BF16];

impl Fused {
    /// The pattern, if it has a kernel: `last` over `dtype`, applied to the result of `first` if that is given. The first
    /// operand is cast from `load` and the result to `store`, if they are given.
    pub fn new(load: Option<DType>, first: Option<Op>, last: Op, store: Option<DType>, dtype: DType) -> Option<Fused> {
        let pattern = (first, last);
        let has_kernel = match (load, store, dtype) {
            (None, None, DType::F32) => PAIRS.contains(&pattern) || MATH_PAIRS.contains(&pattern),
            (None, None, DType::F64) => PAIRS.contains(&pattern),
            (Some(load), None, DType::F32) => LOADS.contains(&load) && CASTS.contains(&pattern),
            (_, Some(store), DType::F32) => {
                STORES.contains(&store) && load.is_none_or(|load| load == store) && CASTS.contains(&pattern)
            }
            _ => false,
        };
        has_kernel.then_some(Fused { load, first, last, store, dtype })
    }

    /// Every pattern.
    pub fn all() -> impl Iterator<Item = Fused> {
        let pairs = PAIRS.iter().flat_map(|&(first, last)| {
            [DType::F32, DType::F64].map(|dtype| Fused::new(None, first, last, None, dtype))
        });
        let math = MATH_PAIRS.iter().map(|&(first, last)| Fused::new(None, first, last, None, DType::F32));
        let loaded = CASTS
            .iter()
            .flat_map(|&(first, last)| LOADS.map(|load| Fused::new(Some(load), first, last, None, DType::F32)));
        let stored = CASTS.iter().flat_map(|&(first, last)| {
            STORES.into_iter().flat_map(move |store| {
                [None, Some(store)].map(|load| Fused::new(load, first, last, Some(store), DType::F32))
            })
        });
        pairs.chain(math).chain(loaded).chain(stored).flatten()
    }

    /// The dtype of the first operand in memory, if it is cast.
    pub fn load(self) -> Option<DType> {
        self.load
    }

    /// The first operator, if there are two.
    pub fn first(self) -> Option<Op> {
        self.first
    }

    /// The last operator, whose result is the result of the pattern.
    pub fn last(self) -> Op {
        self.last
    }

    /// The dtype of the result in memory, if it is cast.
    pub fn store(self) -> Option<DType> {
        self.store
    }

    /// The dtype of the arithmetic.
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
