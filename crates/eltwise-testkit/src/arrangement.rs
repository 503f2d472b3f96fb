//! How an operand lies in memory: any order of its axes, gaps, backwards, repeated, from any byte on.

use eltwise::{DType, Layout, Shape, Strides};
use proptest::prelude::*;

/// The most axes that an arrangement tells apart.
pub const MOST_AXES: usize = 16;

/// How an operand lies in memory, for any shape. The zero arrangement is dense, in C order, on a cache line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Arrangement {
    /// A key for each axis: axes with smaller keys lie further out; the same key keeps their order.
    pub order: [u8; MOST_AXES],
    /// Bytes between the end of one step of an axis and the next step.
    pub gaps: [u8; MOST_AXES],
    /// A bit for each axis that runs backwards.
    pub flips: u16,
    /// A bit for each axis that repeats (stride 0); not for outputs.
    pub repeats: u16,
    /// Axes of size 1 have strides that nothing could follow.
    pub odd_ones: bool,
    /// Bytes past a cache line at which the operand begins.
    pub offset: u8,
}

/// An operand's place: its layout, the bytes it spans, and the byte of element `[0, 0, ...]` within them.
#[derive(Clone, Debug)]
pub struct Placed {
    /// Dtype, shape and strides.
    pub layout: Layout,
    /// Bytes from the first byte of any element to the end of the last.
    pub span: usize,
    /// Where element `[0, 0, ...]` begins.
    pub first: usize,
}

impl Arrangement {
    /// Dense, in C order, on a cache line.
    pub fn dense() -> Arrangement {
        Arrangement::default()
    }

    /// The same without repeated axes: fit for an output.
    pub fn distinct(&self) -> Arrangement {
        Arrangement { repeats: 0, ..self.clone() }
    }

    /// Places elements of a dtype and shape.
    pub fn place(&self, dtype: DType, shape: &Shape) -> Placed {
        let rank = shape.rank();
        let key = |axis: usize| self.order[axis % MOST_AXES];
        let bit = |bits: u16, axis: usize| bits >> (axis % MOST_AXES) & 1 == 1;
        let mut axes: Vec<usize> = (0..rank).collect();
        axes.sort_by_key(|&a| key(a));
        let mut strides = vec![0isize; rank];
        let (mut step, mut first) = (dtype.size(), 0);
        for &axis in axes.iter().rev() {
            let size = shape[axis];
            if size == 1 && self.odd_ones {
                strides[axis] = [-13, isize::MAX, isize::MIN, 1][axis % 4];
                continue;
            }
            if bit(self.repeats, axis) {
                continue;
            }
            let stride = step + usize::from(self.gaps[axis % MOST_AXES]);
            strides[axis] = stride as isize;
            // Nothing is walked beside an axis of size 0, however large the others are.
            let size = if shape.contains(&0) { 1 } else { size };
            if bit(self.flips, axis) {
                strides[axis] = -strides[axis];
                first += stride * (size - 1);
            }
            step = stride * size;
        }
        let layout = Layout::strided(dtype, shape.clone(), Strides::new(&strides));
        Placed { layout: layout.expect("test layouts are small"), span: step, first }
    }
}

fn array<S: Strategy<Value = u8>>(element: S) -> impl Strategy<Value = [u8; MOST_AXES]> {
    prop::collection::vec(element, MOST_AXES).prop_map(|v| std::array::from_fn(|i| v[i]))
}

/// Any arrangement; dense ones and ones with a single peculiarity are frequent. Shrinks towards dense.
pub fn arrangement() -> impl Strategy<Value = Arrangement> {
    let order = || array(0..6u8);
    let gaps = || array(prop_oneof![3 => Just(0u8), 2 => 0..17u8, 1 => prop::sample::select(vec![4u8, 8, 16, 48])]);
    let none = [0; MOST_AXES];
    let parts =
        |order: [u8; MOST_AXES], gaps: [u8; MOST_AXES], flips: u16, repeats: u16, odd_ones: bool, offset: u8| {
            Arrangement { order, gaps, flips, repeats, odd_ones, offset }
        };
    prop_oneof![
        3 => Just(Arrangement::dense()),
        3 => (0..64u8).prop_map(move |offset| parts(none, none, 0, 0, false, offset)),
        2 => (order(), 0..64u8).prop_map(move |(order, offset)| parts(order, none, 0, 0, true, offset)),
        1 => (any::<u16>(), 0..64u8).prop_map(move |(flips, offset)| parts(none, none, flips, 0, false, offset)),
        1 => (gaps(), 0..64u8).prop_map(move |(gaps, offset)| parts(none, gaps, 0, 0, false, offset)),
        1 => (any::<u16>(), any::<bool>()).prop_map(move |(repeats, odd)| parts(none, none, 0, repeats, odd, 0)),
        3 => (order(), gaps(), any::<u16>(), any::<u16>(), any::<u16>(), any::<bool>(), 0..64u8).prop_map(
            move |(order, gaps, flips, r0, r1, odd, offset)| parts(order, gaps, flips, r0 & r1, odd, offset)
        ),
    ]
}
