//! Two other Rust libraries for comparison. Each computes the same expression over the same operands on one thread, if
//! it supports the expression and the layouts. Its result is compared with ours before it is timed.

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, BenchmarkId};
use eltwise::DType;
use eltwise_benches::Case;
use eltwise_benches::operand::read;

mod candle;
mod zip;

/// A case computed by another library.
pub(crate) trait Peer {
    /// The name of the library.
    fn name(&self) -> &'static str;
    /// Computes all elements.
    fn run(&mut self);
    /// The elements of the last run, in C order.
    fn result(&self) -> Vec<f64>;
}

/// Times each peer that supports the case. The case has run before, so that its outputs are known.
pub(crate) fn measure(group: &mut BenchmarkGroup<'_, WallTime>, parameter: &str, case: &Case) {
    for mut peer in [zip::peer(case), candle::peer(case)].into_iter().flatten() {
        peer.run();
        compare(case, parameter, peer.as_ref());
        group.bench_function(BenchmarkId::new(peer.name(), parameter), |b| b.iter(|| peer.run()));
    }
}

/// Compares about a thousand evenly spaced elements, with a tolerance for the errors of other libraries' functions.
fn compare(case: &Case, parameter: &str, peer: &dyn Peer) {
    let (ours, theirs) = (&case.outputs()[0], peer.result());
    let (layout, name) = (ours.layout(), peer.name());
    let tolerance = match layout.dtype() {
        DType::F64 => 1e-13,
        DType::F32 => 1e-5,
        DType::F16 => 4e-3,
        DType::BF16 => 3e-2,
        other => panic!("no peer computes {other}"),
    };
    assert_eq!(theirs.len() as u64, case.elements(), "{parameter} by {name}");
    let step = (theirs.len() / 1000) | 1;
    for (position, &found) in theirs.iter().enumerate().step_by(step) {
        let index = index(layout.shape().dims(), position);
        let expected = read(ours.bytes(), layout, 0, &index).to_f64();
        let is_close = (expected - found).abs() <= tolerance * (1.0 + expected.abs());
        let ok = is_close || (expected.is_nan() && found.is_nan());
        assert!(ok, "{parameter} by {name}: element {index:?} is {found}, ours {expected}");
    }
}

/// The index of the element at a position in C order.
fn index(shape: &[usize], mut position: usize) -> Vec<usize> {
    let mut index = vec![0; shape.len()];
    for (at, &size) in index.iter_mut().zip(shape).rev() {
        *at = position % size;
        position /= size;
    }
    index
}
