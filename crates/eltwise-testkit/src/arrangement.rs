//! Random memory layouts: [`Arrangement`] describes one for operands of any shape, [`arrangement`](fn@arrangement)
//! draws one.

use eltwise::{DType, Layout, Shape, Strides};
use proptest::prelude::*;

/// The number of axes that an arrangement describes. In a higher rank, axis `i` is treated like axis `i % MAX_AXES`.
pub const MAX_AXES: usize = 16;

/// How an operand of any shape is stored in memory. The default is contiguous in C order, aligned to a cache line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Arrangement {
    /// A sort key for each axis. Axes are stored outermost first by ascending key; axes with equal keys keep their
    /// order.
    pub order: [u8; MAX_AXES],
    /// Padding in bytes between consecutive indices of each axis.
    pub gaps: [u8; MAX_AXES],
    /// Bit `i` is set if axis `i` is reversed (has a negative stride).
    pub flips: u16,
    /// Bit `i` is set if axis `i` repeats (has stride 0). Not for outputs.
    pub repeats: u16,
    /// Whether axes of size 1 have arbitrary strides, such as `isize::MAX`.
    pub odd_ones: bool,
    /// Bytes from a cache line boundary to the first byte of the operand.
    pub offset: u8,
}

/// An operand's layout, the bytes it spans, and the position of element `[0, 0, ...]` in them.
#[derive(Clone, Debug)]
pub struct Placed {
    /// Dtype, shape and strides.
    pub layout: Layout,
    /// Bytes from the first byte of any element to the end of the last.
    pub span: usize,
    /// The byte at which element `[0, 0, ...]` starts.
    pub first: usize,
}

impl Arrangement {
    /// Contiguous in C order, aligned to a cache line.
    pub fn dense() -> Arrangement {
        Arrangement::default()
    }

    /// The arrangement without repeated axes, as outputs need it.
    pub fn distinct(&self) -> Arrangement {
        Arrangement { repeats: 0, ..self.clone() }
    }

    /// The layout of elements of a dtype and shape.
    pub fn place(&self, dtype: DType, shape: &Shape) -> Placed {
        let rank = shape.rank();
        let key = |axis: usize| self.order[axis % MAX_AXES];
        let bit = |bits: u16, axis: usize| bits >> (axis % MAX_AXES) & 1 == 1;
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
            let stride = step + usize::from(self.gaps[axis % MAX_AXES]);
            strides[axis] = stride as isize;
            // If an axis has size 0, there are no elements; the other axes may be too large to multiply.
            let size = if shape.contains(&0) { 1 } else { size };
            if bit(self.flips, axis) {
                strides[axis] = -strides[axis];
                first += stride * (size - 1);
            }
            step = stride * size;
        }
        let layout = Layout::strided(dtype, shape.clone(), Strides::new(&strides));
        Placed { layout: layout.expect("a test layout should be small"), span: step, first }
    }
}

fn array<S: Strategy<Value = u8>>(element: S) -> impl Strategy<Value = [u8; MAX_AXES]> {
    prop::collection::vec(element, MAX_AXES).prop_map(|v| std::array::from_fn(|i| v[i]))
}

/// Any arrangement. Dense ones, and ones that differ from dense in a single property, are frequent. Shrinks towards
/// dense.
pub fn arrangement() -> impl Strategy<Value = Arrangement> {
    let order = || array(0..6u8);
    let gaps = || array(prop_oneof![3 => Just(0u8), 2 => 0..17u8, 1 => prop::sample::select(vec![4u8, 8, 16, 48])]);
    let none = [0; MAX_AXES];
    let parts = |order: [u8; MAX_AXES], gaps: [u8; MAX_AXES], flips: u16, repeats: u16, odd_ones: bool, offset: u8| {
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
