//! Non-temporal stores that the planner chooses, relative to regular stores.

use std::hint::black_box;

use eltwise::{Array, BindOptions, Broadcast, DType, Layout, Op, Plan, Program, Serial};

use crate::timing::{Comparison, compare, verdict};

pub(crate) const MIB: usize = 1 << 20;

pub(crate) fn plan(op: Op, n: usize, non_temporal: Option<bool>) -> Plan {
    let inputs = op.arity();
    let program = Program::single(op, &[DType::F32; 2][..inputs], None, Broadcast::Numpy).unwrap();
    let layout = Layout::contiguous(DType::F32, [n]).unwrap();
    // The planner considers non-temporal stores only for outputs that the caller provides.
    let mut options = BindOptions::new().outputs([layout.clone()]);
    options.non_temporal = non_temporal;
    program.bind_with(&[&layout, &layout][..inputs], &options).unwrap()
}

pub(crate) fn ones(n: usize) -> Array {
    let mut array = Array::zeros(DType::F32, [n]).unwrap();
    array.as_mut_slice::<f32>().unwrap().fill(1.0);
    array
}

/// The planner's choice of stores is never more than 3 % slower than regular stores, for outputs of 0.25 to 64 MiB with
/// one input and with two: out of place, in place, into fresh memory, and with a reader of the output after each run.
pub(crate) fn stores() -> usize {
    stores_of(Op::Add) + stores_of(Op::Abs)
}

fn stores_of(op: Op) -> usize {
    let mut missed = 0;
    let mut judge = |what: &str, bytes: usize, times: Comparison| {
        let ok = times.ratio <= 1.03;
        missed += usize::from(!ok);
        println!(
            "stores      {op} {what:22} {:6.2} MiB: {:8.1} us, regular stores {:8.1} us, ratio {:.3} (bound 1.03)  {}",
            bytes as f64 / MIB as f64,
            times.ours / 1e3,
            times.baseline / 1e3,
            times.ratio,
            verdict(ok)
        );
    };
    for bytes in [MIB / 4, MIB / 2, MIB, 2 * MIB, 4 * MIB, 8 * MIB, 16 * MIB, 32 * MIB, 64 * MIB] {
        let n = bytes / 4;
        let [chosen, regular] = [None, Some(false)].map(|non_temporal| plan(op, n, non_temporal));
        let (a, b, mut out) = (ones(n), ones(n), ones(n));
        let calls = (4 * MIB / bytes).max(1);
        let mut regular_out = ones(n);
        let run = |plan: &Plan, out: &mut Array| {
            let inputs = [a.view(), b.view()];
            let _ = black_box(plan.run(&inputs[..op.arity()], &mut [out.view_mut()]).unwrap());
        };
        judge("out of place", bytes, compare(calls, || run(&chosen, &mut out), || run(&regular, &mut regular_out)));
        let (mut x, mut y) = (ones(n), ones(n));
        let in_place = |plan: &Plan, x: &mut Array| {
            let others = [b.view()];
            let others = &others[..op.arity() - 1];
            let _ = black_box(plan.run_in_place(&Serial, 0, others, &mut x.view_mut()).unwrap());
        };
        judge("in place", bytes, compare(calls, || in_place(&chosen, &mut x), || in_place(&regular, &mut y)));
        let fresh = |plan: &Plan| {
            let mut out = Array::with_layout(plan.output_layouts()[0].clone()).unwrap();
            run(plan, &mut out);
        };
        judge("fresh memory", bytes, compare(calls, || fresh(&chosen), || fresh(&regular)));
        // Reads the whole output and stores nothing.
        let sum = |out: &Array| {
            let parts = out.as_slice::<f32>().unwrap().chunks_exact(16);
            black_box(parts.fold([0f32; 16], |sum, part| std::array::from_fn(|i| sum[i] + part[i])));
        };
        let read = |plan: &Plan, out: &mut Array| {
            run(plan, out);
            sum(out);
        };
        judge("then read", bytes, compare(calls, || read(&chosen, &mut out), || read(&regular, &mut regular_out)));
        assert!(out.as_slice::<f32>().unwrap() == regular_out.as_slice::<f32>().unwrap() && x.bytes() == y.bytes());
    }
    missed
}
