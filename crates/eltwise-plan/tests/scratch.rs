//! Scratch: where values lie in it, and that it is within its limit for any number of operands.

#[path = "common/plans.rs"]
pub mod plans;

use eltwise_core::{Broadcast, Constant, DType, Layout, Op};
use eltwise_plan::strategy::{Access, Slot, Strategy};
use eltwise_plan::tuning::{LARGE_SCRATCH_BYTES, SCRATCH_BYTES};
use eltwise_plan::{Binding, CpuModel, Custom, Program, ProgramBuilder, Schedule, Target};
use plans::{avx2, avx512};

/// A program with `count` quotients that are all live at once, because the first is read after the last is computed.
fn live_values(count: usize) -> Program {
    let mut b = ProgramBuilder::new();
    let x = b.input("x", DType::F64);
    let quotient = |i: usize, b: &mut ProgramBuilder| {
        let c = b.constant(Constant { dtype: DType::F64, bits: i as u128 });
        b.step(Op::Divide, &[x, c], None, Broadcast::Numpy).unwrap()
    };
    let values: Vec<_> = (0..count).map(|i| quotient(i, &mut b)).collect();
    let all = values.into_iter().rev().reduce(|a, v| b.step(Op::Maximum, &[a, v], None, Broadcast::Numpy).unwrap());
    b.output(all.unwrap());
    b.finish().unwrap()
}

/// The plan of a program with so many live values.
fn plan_live(count: usize, elements: usize) -> Schedule {
    let layout = Layout::contiguous(DType::F64, [elements]).unwrap();
    Schedule::new(Binding::new(&live_values(count), &[&layout], None, false).unwrap(), &Target::default())
}

#[test]
fn tiles_shrink_to_16_elements_before_they_exceed_the_usual_scratch() {
    let first = (100..300).find(|&count| plan_live(count, 1000).scratch > SCRATCH_BYTES).unwrap();
    assert_eq!((plan_live(first - 1, 1000).tile.elements(), plan_live(first, 1000).tile.elements()), (16, 64));
    // Longer tiles for more values than that: their scratch is larger in any case.
    for count in [first, first + 20] {
        let scratch = (count + 1) * (64 * 8);
        assert_eq!(plan_live(count, 1000).scratch, scratch, "{count}");
    }
}

#[test]
fn programs_of_hundreds_of_live_values_have_tiles() {
    for count in [290, 2000] {
        let schedule = plan_live(count, 1000);
        assert_eq!((schedule.strategy, schedule.tile.elements()), (Strategy::Tiled, 64), "{count}");
        assert_eq!(schedule.scratch, (count + 1) * (64 * 8), "{count}");
    }
}

/// Checks that the places of values in scratch lie apart modulo 4096: a load whose address has the lower 12 bits of an earlier
/// store's waits for it (4K aliasing). Eight places, 512 bytes apart, are enough for seven live values and their result.
fn check_places(count: usize, elements: usize) {
    let schedule = plan_live(count, elements);
    let results = schedule.steps.iter().map(|step| step.result);
    let mut places: Vec<usize> =
        results.filter_map(|r| if let Slot::Register(at) = r { Some(at) } else { None }).collect();
    places.sort_unstable();
    places.dedup();
    assert!(places.len() >= count && schedule.tile.elements() >= 256, "{count}: {places:?} {:?}", schedule.tile);
    for (i, a) in places.iter().enumerate() {
        for b in &places[i + 1..] {
            let between = (b - a) % 4096;
            assert!((512..=4096 - 512).contains(&between), "{count} of {elements}: {places:?}");
        }
    }
    assert!(schedule.scratch <= SCRATCH_BYTES);
}

#[test]
fn live_values_have_addresses_that_differ_modulo_4096() {
    for (count, elements) in [(2, 512), (2, 1000), (3, 4096), (4, 700)] {
        check_places(count, elements);
    }
}

#[test]
fn tiles_leave_room_between_live_values() {
    for (count, elements) in [(5, 1 << 20), (7, 1 << 20)] {
        check_places(count, elements);
    }
}

/// The targets of the limits.
fn targets() -> [Target; 3] {
    [Target::default(), avx512(CpuModel::ZEN5), avx2(CpuModel::ZEN4)]
}

/// The sum of `count` operands of 8 bytes and one of 1.
fn sum(count: usize) -> Program {
    let mut b = ProgramBuilder::new();
    let narrow = b.input("n", DType::U8);
    let wide: Vec<_> = (0..count).map(|i| b.input(&format!("w{i}"), DType::F64)).collect();
    let mut value = b.step(Op::Cast, &[narrow], Some(DType::F64), Broadcast::Numpy).unwrap();
    for other in wide {
        value = b.step(Op::Add, &[value, other], None, Broadcast::Numpy).unwrap();
    }
    b.output(value);
    b.finish().unwrap()
}

/// The number of packed operands of a schedule, whose scratch is within the limit.
fn packed_within_limit(schedule: &Schedule) -> usize {
    assert!(schedule.scratch <= LARGE_SCRATCH_BYTES, "{:?}, {} bytes", schedule.tile, schedule.scratch);
    schedule.access.iter().filter(|access| matches!(access, Access::Packed { .. })).count()
}

#[test]
fn scratch_is_limited_for_any_number_of_transposed_operands() {
    for target in targets() {
        let mut packed = Vec::new();
        for count in 1..60 {
            for [rows, cols] in [[70, 90], [33, 100], [100, 9], [700, 900], [90, 9000], [9000, 90], [40, 20_000]] {
                let narrow = Layout::contiguous(DType::U8, [rows, cols]).unwrap();
                let transposed = Layout::strided(DType::F64, [rows, cols], [8, 8 * rows as isize]).unwrap();
                let out = Layout::contiguous(DType::F64, [rows, cols]).unwrap();
                let operands = [&narrow].into_iter().chain(std::iter::repeat_n(&transposed, count));
                let layouts: Vec<&Layout> = operands.collect();
                let binding = Binding::new(&sum(count), &layouts, Some(&[&out]), false).unwrap();
                packed.push(packed_within_limit(&Schedule::new(binding, &target)));
            }
        }
        // Loops follow the output for one transposed operand. They follow the others if there are several, and two operands
        // are packed: the narrow one and the output.
        packed.sort_unstable();
        assert_eq!((packed[0], packed[packed.len() - 1]), (1, 2), "{packed:?}");
    }
}

#[test]
fn scratch_is_limited_for_any_number_of_reversed_operands() {
    for target in targets() {
        let mut most = 0;
        for arity in 1..=12 {
            let function = Custom { id: 1, name: "mine", arity, from: DType::F32, to: DType::F32 };
            let mut b = ProgramBuilder::new();
            let args: Vec<_> = (0..arity).map(|i| b.input(&format!("x{i}"), DType::F32)).collect();
            let out = b.custom(function, &args, Broadcast::Numpy).unwrap();
            b.output(out);
            let program = b.finish().unwrap();
            for [rows, cols] in [[300, 1016], [300, 1000], [40, 500], [9, 2032], [3000, 17], [5, 40_000], [700, 750]] {
                // Some operands repeat over the rows, and the last one along the columns.
                for (repeated, stretched) in [(0, false), (1, false), (arity - 1, false), (0, true), (1, true)] {
                    let (row, all) = (4 * cols as isize, 4 * (rows * cols) as isize);
                    let strides = |i: usize| match i {
                        _ if stretched && i + 1 == arity => [4 * rows as isize, 4, 0],
                        _ if i < repeated => [row, 0, -4],
                        _ => [all, row, -4],
                    };
                    let layout = |strides| Layout::strided(DType::F32, [4, rows, cols], strides).unwrap();
                    let layouts: Vec<Layout> = (0..arity).map(|i| layout(strides(i))).collect();
                    let inputs: Vec<&Layout> = layouts.iter().collect();
                    let output = layout([all, row, 4]);
                    let binding = Binding::new(&program, &inputs, Some(&[&output]), false).unwrap();
                    most = most.max(packed_within_limit(&Schedule::new(binding, &target)));
                }
            }
        }
        assert_eq!(most, 12);
    }
}
