//! The random programs, shapes and layouts are as varied as the tests assume.

use std::collections::{BTreeMap, BTreeSet};
use std::mem::discriminant;

use eltwise::{DType, Op};
use eltwise_plan::ir::program::Node;
use eltwise_testkit::programs::{MAX_STEPS, program};
use eltwise_testkit::{arrangement, broadcast_case, runner};
use proptest::strategy::{Strategy, ValueTree};

#[test]
fn random_programs_have_every_operator_mode_and_size() {
    let mut runner = runner(1.0);
    let (mut ops, mut modes) = (BTreeSet::new(), Vec::new());
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    // A composite operator is several steps.
    let mut steps = [0usize; 16 * MAX_STEPS];
    // Enough programs that the rarest operator occurs about ten times.
    for _ in 0..6000 {
        let case = program().new_tree(&mut runner).unwrap().current();
        let values = case.program.values();
        steps[case.program.step_count()] += 1;
        let mut uses = vec![0usize; values.len()];
        for value in values {
            let kind = match &value.node {
                Node::Step { op, args, broadcast, .. } => {
                    ops.insert(*op);
                    if !modes.contains(&discriminant(broadcast)) {
                        modes.push(discriminant(broadcast));
                    }
                    args.iter().for_each(|a| uses[a.index()] += 1);
                    continue;
                }
                Node::Constant(_) => "constant",
                _ => "input",
            };
            *counts.entry(kind).or_default() += 1;
        }
        let mut note = |what, yes: bool| *counts.entry(what).or_default() += usize::from(yes);
        note("shared value", uses.iter().any(|&n| n > 1));
        note("two outputs", case.program.outputs().len() == 2);
        note("over 1000 elements", case.shape.elements().unwrap() > 1000);
        note("rank above 4", case.shape.rank() > 4);
    }
    println!("{counts:?} steps {steps:?}");
    let exact =
        |op: Op| DType::ALL.into_iter().any(|d| op.info().takes(d) && !op.info().is_math(d) && !op.is_composite(d));
    assert_eq!(ops.len(), Op::ALL.iter().filter(|&&op| exact(op)).count());
    assert_eq!(modes.len(), 5);
    assert!(counts.values().all(|&n| n > 100), "{counts:?}");
    assert!(steps[1..=MAX_STEPS].iter().all(|&n| n > 20), "{steps:?}");
}

#[test]
fn random_shapes_broadcast_and_layouts_stay_in_their_span() {
    let mut runner = runner(1.0);
    for op in [Op::Negative, Op::BroadcastTo, Op::Add, Op::Fma, Op::Sum] {
        let strategy = (broadcast_case(op), arrangement());
        for _ in 0..300 {
            let (case, arrangement) = strategy.new_tree(&mut runner).unwrap().current();
            let shapes: Vec<_> = case.shapes.iter().collect();
            assert!(case.mode.align(&shapes).is_ok(), "{case:?}");
            let placed = arrangement.place(DType::F64, shapes[0]);
            let (low, high) = placed.layout.span().unwrap();
            assert!(low + placed.first as isize >= 0 && high + placed.first as isize <= placed.span as isize);
            assert!(!arrangement.distinct().place(DType::F64, shapes[0]).layout.overlaps_itself());
        }
    }
}
