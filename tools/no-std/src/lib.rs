//! Proves that `eltwise-plan` and its dependencies do not use the standard library: this crate defines a panic handler,
//! and the compiler refuses a second one, which the standard library would define.
//!
//! `cargo check --manifest-path tools/no-std/Cargo.toml --target-dir target/no-std`

#![no_std]

use core::panic::PanicInfo;

use eltwise_core::{Broadcast, Error, Shape};

/// The common shape of two operands under NumPy's rules.
pub fn common_shape(a: &Shape, b: &Shape) -> Result<Shape, Error> {
    eltwise_core::broadcast_shapes(&Broadcast::Numpy, &[a, b])
}

#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    loop {
        core::hint::spin_loop();
    }
}
