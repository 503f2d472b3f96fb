//! A program's part without the standard library, which plans: it has a panic handler of its own, and the compiler refuses a second
//! one, which the standard library would bring if `eltwise-plan` or one of its dependencies used it.
//!
//! `cargo check --manifest-path tools/no-std/Cargo.toml --target-dir target/no-std`

#![no_std]

use core::panic::PanicInfo;

use eltwise_plan::{Broadcast, Error, Shape};

/// The common shape of two operands under NumPy's rules.
pub fn common_shape(a: &Shape, b: &Shape) -> Result<Shape, Error> {
    eltwise_plan::broadcast_shapes(&Broadcast::Numpy, &[a, b])
}

#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    loop {
        core::hint::spin_loop();
    }
}
