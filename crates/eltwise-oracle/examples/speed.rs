//! Prints what the oracle costs: ns of a correctly rounded f32 and f64, and of the 128-bit value, for each function.
//!
//! `cargo run --release -p eltwise-oracle --example speed`

use std::hint::black_box;
use std::time::Instant;

use eltwise_oracle::{Function, Value, correct_f32, correct_f64, value};

fn main() {
    let inputs: Vec<(f64, f64)> =
        (0..4096).map(|i| (0.01 + f64::from(i) * 0.000_23, 1.5 + f64::from(i) * 0.001)).collect();
    println!("{:<12} {:>8} {:>8} {:>8} {:>8}", "", "f32", "f64", "128 bit", "256 bit");
    for &f in Function::ALL {
        let timed = |step: usize, call: &dyn Fn(f64, f64)| {
            let started = Instant::now();
            let mut count = 0;
            for &(x, y) in inputs.iter().step_by(step) {
                call(x, y);
                count += 1;
            }
            started.elapsed().as_nanos() as f64 / f64::from(count)
        };
        let single = timed(1, &|x, y| _ = black_box(correct_f32(f, black_box(x as f32), y as f32)));
        let double = timed(4, &|x, y| _ = black_box(correct_f64(f, black_box(x), y)));
        let two = timed(8, &|x, y| _ = black_box::<Value<2>>(value(f, black_box(x), y)));
        let four = timed(16, &|x, y| _ = black_box::<Value<4>>(value(f, black_box(x), y)));
        println!("{:<12} {single:>8.1} {double:>8.1} {two:>8.0} {four:>8.0}", f.name());
    }
}
