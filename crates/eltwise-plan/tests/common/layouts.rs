//! Random layouts of operands that broadcast to a common shape.

use eltwise_core::{DType, Layout};
use proptest::prelude::*;

/// The layout of an operand relative to a common shape. Masks have a bit for each axis of the common shape.
#[derive(Clone, Debug)]
pub struct RandomLayout {
    /// Axes of size 1.
    ones: u16,
    /// The number of leading axes that are left out if they have size 1.
    dropped: usize,
    /// The axis order is rotated by this many axes; 0 is C order.
    rotation: usize,
    /// Whether the axis order is reversed.
    reversed: bool,
    /// Axes with a negative stride.
    flips: u16,
    /// Axes with stride 0.
    repeats: u16,
    /// Axes that are followed by a gap of one step.
    gaps: u16,
}

/// A random layout, most often dense and in C order.
pub fn random_layout() -> impl Strategy<Value = RandomLayout> {
    let some = || prop_oneof![4 => Just(0u16), 1 => any::<u16>(), 1 => (0u32..6).prop_map(|bit| 1 << bit)];
    let flips = prop_oneof![6 => Just(0u16), 1 => Just(u16::MAX), 1 => any::<u16>()];
    let rotation = prop_oneof![4 => Just(0usize), 1 => 0usize..5];
    (some(), 0usize..4, rotation, prop::bool::weighted(0.2), flips, some(), some()).prop_map(
        |(ones, dropped, rotation, reversed, flips, repeats, gaps)| RandomLayout {
            ones,
            dropped,
            rotation,
            reversed,
            flips,
            repeats,
            gaps,
        },
    )
}

impl RandomLayout {
    /// The layout for a `common` shape. A `distinct` layout is of an output: it has the common shape, and no two
    /// elements share memory.
    pub fn layout(&self, dtype: DType, common: &[usize], distinct: bool) -> Layout {
        let has = |mask: u16, axis: usize| mask >> axis & 1 == 1;
        let mut shape = common.to_vec();
        let mut dropped = 0;
        if !distinct {
            for (axis, size) in shape.iter_mut().enumerate() {
                *size = if has(self.ones, axis) { 1 } else { *size };
            }
            dropped = shape.iter().take(self.dropped).take_while(|&&d| d == 1).count();
        }
        let rank = shape.len();
        let mut strides = vec![0; rank];
        let mut step = dtype.size() as isize;
        for i in (0..rank).rev() {
            let axis = (i + self.rotation) % rank;
            let axis = if self.reversed { rank - 1 - axis } else { axis };
            let repeats = !distinct && has(self.repeats, axis);
            strides[axis] = if repeats { 0 } else { step };
            step *= shape[axis].max(1) as isize + isize::from(has(self.gaps, axis));
            if has(self.flips, axis) {
                strides[axis] = -strides[axis];
            }
        }
        Layout::strided(dtype, &shape[dropped..], &strides[dropped..]).unwrap()
    }
}
