//! Two other libraries of Rust beside us: each computes the same expression over the same operands, on one thread, for
//! the expressions and layouts that it offers. Their results are compared with ours before they are timed.

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, BenchmarkId};
use eltwise::DType;
use eltwise_benches::Case;
use eltwise_benches::operand::read;

mod candle;
mod zip;

/// A case in the hands of another library.
pub(crate) trait Peer {
    /// The library.
    fn name(&self) -> &'static str;
    /// Computes all elements.
    fn run(&mut self);
    /// The elements of the last run, in C order.
    fn result(&self) -> Vec<f64>;
}

/// Times each peer that offers the case, which has run.
pub(crate) fn measure(group: &mut BenchmarkGroup<'_, WallTime>, parameter: &str, case: &Case) {
    for mut peer in [zip::peer(case), candle::peer(case)].into_iter().flatten() {
        peer.run();
        compare(case, parameter, peer.as_ref());
        group.bench_function(BenchmarkId::new(peer.name(), parameter), |b| b.iter(|| peer.run()));
    }
}

/// Compares about a thousand elements, evenly spaced: other libraries' functions may be some units in the last place away.
fn compare(case: &Case, parameter: &str, peer: &dyn Peer) {
    let (ours, theirs) = (&case.outputs()[0], peer.result());
    let (layout, name) = (ours.layout(), peer.name());
    let most = match layout.dtype() {
        DType::F64 => 1e-13,
        DType::F32 => 1e-5,
        DType::F16 => 4e-3,
        DType::BF16 => 3e-2,
        other => panic!("no peer computes {other}"),
    };
    assert_eq!(theirs.len() as u64, case.elements(), "{parameter} by {name}");
    let step = (theirs.len() / 1000) | 1;
    for (position, &their) in theirs.iter().enumerate().step_by(step) {
        let index = index(layout.shape().dims(), position);
        let our = read(ours.bytes(), layout, 0, &index).to_f64();
        let same = (our - their).abs() <= most * (1.0 + our.abs()) || (our.is_nan() && their.is_nan());
        assert!(same, "{parameter} by {name}: element {index:?} is {their}, ours {our}");
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
