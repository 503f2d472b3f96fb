//! The ways of running a loop nest and of copying a tile, as a set: tests restrict it to reach each of them.

use core::fmt;

use crate::tuning::{BOXES, UNITS};

/// A set of ways that the search may choose from. If none of them can run a nest, it chooses from all.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ways(u32);

/// The first bits of the kinds of units and of boxes.
const FIRST_UNIT: usize = 5;
const FIRST_BOX: usize = FIRST_UNIT + UNITS.len();
const END: usize = FIRST_BOX + BOXES.len();

impl Ways {
    /// One kernel over rows.
    pub const DIRECT: Ways = Ways(1);
    /// Tiles of inner loops.
    pub const LINEAR: Ways = Ways(1 << 1);
    /// Copies of runs.
    pub const RUNS: Ways = Ways(1 << 2);
    /// Copies of permuted vectors.
    pub const PERMUTES: Ways = Ways(1 << 3);
    /// Copies of transposed blocks.
    pub const TRANSPOSES: Ways = Ways(1 << 4);
    /// Kernels over units.
    pub const UNITS: Ways = Ways((1 << FIRST_BOX) - (1 << FIRST_UNIT));
    /// Tiles that are boxes.
    pub const BOXES: Ways = Ways((1 << END) - (1 << FIRST_BOX));
    /// All ways.
    pub const ALL: Ways = Ways((1 << END) - 1);

    /// Every way of running by itself: one kind of units or of boxes each.
    pub fn of_running() -> impl Iterator<Item = Ways> {
        let kinds = (0..UNITS.len()).map(Ways::of_unit).chain((0..BOXES.len()).map(Ways::of_box));
        [Ways::DIRECT, Ways::LINEAR].into_iter().chain(kinds)
    }

    /// The units of one kind: a position in [`UNITS`].
    pub(crate) const fn of_unit(kind: usize) -> Ways {
        Ways(1 << (FIRST_UNIT + kind))
    }

    /// The boxes of one kind: a position in [`BOXES`].
    pub(crate) const fn of_box(kind: usize) -> Ways {
        Ways(1 << (FIRST_BOX + kind))
    }

    /// Whether a way of `ways` is in this set.
    pub const fn has(self, ways: Ways) -> bool {
        self.0 & ways.0 != 0
    }

    /// The ways of both sets.
    pub const fn with(self, ways: Ways) -> Ways {
        Ways(self.0 | ways.0)
    }
}

/// A kind of ways to run a loop nest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WayKind {
    /// One kernel over rows.
    Direct,
    /// A kernel over units.
    Units,
    /// Steps over tiles.
    Tiles,
}

impl WayKind {
    pub(crate) const ALL: [WayKind; 3] = [WayKind::Direct, WayKind::Units, WayKind::Tiles];

    pub(crate) fn ways(self) -> Ways {
        match self {
            WayKind::Direct => Ways::DIRECT,
            WayKind::Units => Ways::UNITS,
            WayKind::Tiles => Ways::LINEAR.with(Ways::BOXES),
        }
    }
}

impl fmt::Display for WayKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            WayKind::Direct => "direct",
            WayKind::Units => "units",
            WayKind::Tiles => "tiles",
        })
    }
}

#[cfg(feature = "restrict-ways")]
mod restricted {
    extern crate std;

    use core::cell::Cell;

    use super::Ways;

    std::thread_local! {
        static ALLOWED: Cell<Ways> = const { Cell::new(Ways::ALL) };
    }

    impl Ways {
        /// Restricts plans that this thread makes from now on.
        pub fn restrict_to(self) {
            ALLOWED.set(self);
        }

        /// The ways that plans of this thread may use.
        pub(crate) fn allowed() -> Ways {
            ALLOWED.get()
        }
    }
}

#[cfg(not(feature = "restrict-ways"))]
impl Ways {
    /// The ways that plans may use: all.
    pub(crate) const fn allowed() -> Ways {
        Ways::ALL
    }
}
