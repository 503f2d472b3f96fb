//! Axis sizes from a fuzzer's bytes: [`Size`].

use libfuzzer_sys::arbitrary::{self, Arbitrary};

/// The size of an axis. Sizes that broadcast with each other are frequent.
#[derive(Arbitrary, Clone, Copy, Debug)]
pub enum Size {
    /// 1.
    One,
    /// 2.
    Two,
    /// 0.
    Zero,
    /// The number modulo 8.
    Small(u8),
    /// Any size.
    Any(u64),
}

/// The shape of these sizes.
pub fn shape(sizes: &[Size]) -> Vec<usize> {
    sizes
        .iter()
        .map(|&size| match size {
            Size::One => 1,
            Size::Two => 2,
            Size::Zero => 0,
            Size::Small(n) => usize::from(n % 8),
            Size::Any(n) => n as usize,
        })
        .collect()
}
