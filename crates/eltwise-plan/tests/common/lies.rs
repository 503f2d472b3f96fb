//! Layouts of operands under a common shape.

use eltwise_plan::{DType, Layout};
use proptest::prelude::*;

/// How an operand lies under the common shape, by axis.
#[derive(Clone, Debug)]
pub struct Lie {
    /// Axes of size 1.
    ones: u16,
    /// Leading axes left out, if they are of size 1.
    dropped: usize,
    /// The axes are laid out from this one on, so that 0 is C order.
    turned: usize,
    reversed: bool,
    /// Axes that run backwards, that repeat, that have a gap.
    flips: u16,
    repeats: u16,
    gaps: u16,
}

/// Mostly in C order, dense.
pub fn lie() -> impl Strategy<Value = Lie> {
    let some = || prop_oneof![4 => Just(0u16), 1 => any::<u16>(), 1 => (0u32..6).prop_map(|bit| 1 << bit)];
    let flips = prop_oneof![6 => Just(0u16), 1 => Just(u16::MAX), 1 => any::<u16>()];
    let turned = prop_oneof![4 => Just(0usize), 1 => 0usize..5];
    (some(), 0usize..4, turned, prop::bool::weighted(0.2), flips, some(), some()).prop_map(
        |(ones, dropped, turned, reversed, flips, repeats, gaps)| Lie {
            ones,
            dropped,
            turned,
            reversed,
            flips,
            repeats,
            gaps,
        },
    )
}

impl Lie {
    /// Under the `common` shape; a `distinct` one is an output: of that shape, no element repeats.
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
            let axis = (i + self.turned) % rank;
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
