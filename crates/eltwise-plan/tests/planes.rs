//! Planes fit the scratch that an executor has, whatever lies in it.

use eltwise_plan::bind::Binding;
use eltwise_plan::plan::{Machine, PLANE_SCRATCH, SCRATCH_BYTES};
use eltwise_plan::{Broadcast, DType, Layout, Op, Program, ProgramBuilder, Schedule};

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

#[test]
fn any_number_of_packed_operands_fits() {
    let machine = Machine::default();
    let mut planes = [0, 0];
    for count in 1..60 {
        for [rows, cols] in [[70, 90], [33, 100], [100, 9], [700, 900], [90, 9000], [9000, 90], [40, 20000]] {
            let program = sum(count);
            let narrow = Layout::contiguous(DType::U8, [rows, cols]).unwrap();
            let turned = Layout::strided(DType::F64, [rows, cols], [8, 8 * rows as isize]).unwrap();
            let out = Layout::contiguous(DType::F64, [rows, cols]).unwrap();
            let layouts: Vec<&Layout> = [&narrow].into_iter().chain(std::iter::repeat_n(&turned, count)).collect();
            let binding = Binding::new(&program, &layouts, Some(&[&out]), false).unwrap();
            let schedule = Schedule::new(binding, &machine).unwrap();
            let is_far = schedule.bytes > machine.l2;
            let most = if is_far && schedule.tile.rows > 1 { PLANE_SCRATCH } else { SCRATCH_BYTES };
            assert!(schedule.scratch <= most, "{count} of [{rows}, {cols}]: {:?}, {}", schedule.tile, schedule.scratch);
            planes[usize::from(is_far)] += usize::from(schedule.tile.rows > 1);
        }
    }
    assert!(planes[0] > 3 && planes[1] > 10, "{planes:?}");
}
