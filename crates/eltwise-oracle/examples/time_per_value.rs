//! Prints the time per value of the oracle in ns, for each function: a correctly rounded f32 and f64, and the values
//! computed with 128-bit and 256-bit significands.
//!
//! `cargo run --release -p eltwise-oracle --example time_per_value`

use std::hint::black_box;
use std::time::Instant;

use eltwise_oracle::{Evaluation, Function, correctly_rounded_f32, correctly_rounded_f64, evaluate};

fn main() {
    let inputs: Vec<(f64, f64)> =
        (0..4096).map(|i| (0.01 + f64::from(i) * 0.000_23, 1.5 + f64::from(i) * 0.001)).collect();
    println!("{:<12} {:>8} {:>8} {:>8} {:>8}", "", "f32", "f64", "128 bit", "256 bit");
    for &f in Function::ALL {
        let time_per_call = |step: usize, call: &dyn Fn(f64, f64)| {
            let started = Instant::now();
            let mut count = 0;
            for &(x, y) in inputs.iter().step_by(step) {
                call(x, y);
                count += 1;
            }
            started.elapsed().as_nanos() as f64 / f64::from(count)
        };
        let f32 = time_per_call(1, &|x, y| _ = black_box(correctly_rounded_f32(f, black_box(x as f32), y as f32)));
        let f64 = time_per_call(4, &|x, y| _ = black_box(correctly_rounded_f64(f, black_box(x), y)));
        let bits128 = time_per_call(8, &|x, y| _ = black_box::<Evaluation<2>>(evaluate(f, black_box(x), y)));
        let bits256 = time_per_call(16, &|x, y| _ = black_box::<Evaluation<4>>(evaluate(f, black_box(x), y)));
        println!("{:<12} {f32:>8.1} {f64:>8.1} {bits128:>8.0} {bits256:>8.0}", f.name());
    }
}
