//! When plans write their outputs with non-temporal stores.

#[path = "common/plans.rs"]
pub mod plans;

use eltwise_core::{DType, Layout, Op};
use eltwise_plan::strategy::Strategy;
use eltwise_plan::{Binding, CpuModel, KernelCapabilities, Schedule, Target};
use plans::OperandLayout::{self, Dense, Repeated, Reversed, Transposed};
use plans::{avx512, chain, plan, with_cpu};

#[test]
fn large_outputs_use_non_temporal_stores() {
    let target = Target::default();
    let rows = (32 << 20) / (1 << 11);
    // Outputs of at least 32 MiB, with two inputs that move forward along all loops.
    let padded = |operands: [OperandLayout; 2], rows: usize, columns: usize| {
        let dims = [rows, columns];
        let out = Layout::strided(DType::F32, dims, [4 * columns as isize + 4, 4]).unwrap();
        let inputs = operands.map(|operand| operand.layout(DType::F32, &dims));
        let binding = Binding::new(&chain(&[Op::Add], DType::F32), &inputs.each_ref(), Some(&[&out]), false).unwrap();
        let schedule = Schedule::new(binding, &target);
        assert_eq!((schedule.strategy, schedule.nest.sizes.len()), (Strategy::Direct, 2));
        schedule.prefers_non_temporal(&target)
    };
    assert!(padded([Dense, Dense], rows, 512) && !padded([Dense, Dense], rows - 1, 512));
    assert!(!padded([Dense, Repeated(1)], rows, 1024) && !padded([Dense, Repeated(2)], rows, 1024));
    let one = |operand: OperandLayout| {
        plan(&[Op::Negative], DType::F32, &[rows, 1024], &[operand], &target).prefers_non_temporal(&target)
    };
    assert!(!one(Dense));
    // Several steps that write tiles directly to the output: working sets larger than the last-level cache.
    let several = |ops: &[Op], operands: &[OperandLayout], llc: usize| {
        let target = with_cpu(&target, |cpu| cpu.llc = llc);
        plan(ops, DType::F32, &[300, 400], operands, &target).prefers_non_temporal(&target)
    };
    let steps = [Op::Add, Op::Sqrt];
    let bytes = 3 * 300 * 400 * 4;
    assert_eq!([bytes - 1, bytes, bytes + 1].map(|llc| several(&steps, &[Dense, Dense], llc)), [true, false, false]);
    assert!(!several(&steps, &[Dense, Transposed], 1), "tiles of several rows");
    assert!(!several(&[Op::Negative], &[Reversed], 1), "one step");
}

#[test]
fn cpus_with_double_pumped_vectors_use_non_temporal_stores_beyond_the_caches() {
    let target = with_cpu(&Target::default(), |cpu| (cpu.double_pumped_512, cpu.llc) = (true, 30 << 20));
    let target = Target { kernels: KernelCapabilities { vector_bytes: 64, ..KernelCapabilities::default() }, ..target };
    let is_non_temporal = |ops: &[Op], dims: &[usize], operands: &[OperandLayout], target: &Target| {
        plan(ops, DType::F32, dims, operands, target).prefers_non_temporal(target)
    };
    // With one input or two: outputs of at least 16 MiB, if the working set is larger than the last-level cache.
    let rows = (16 << 20) / (1 << 12);
    for (op, operands) in [(Op::Add, &[Dense, Dense][..]), (Op::Negative, &[Dense]), (Op::Add, &[Dense, Repeated(2)])] {
        assert!(is_non_temporal(&[op], &[rows, 1024], operands, &target), "{op}");
        assert!(!is_non_temporal(&[op], &[rows - 1, 1024], operands, &target), "{op}");
        assert!(!is_non_temporal(&[op], &[rows, 1024], operands, &with_cpu(&target, |cpu| cpu.llc = 48 << 20)), "{op}");
        assert!(
            !is_non_temporal(&[op], &[rows, 1024], operands, &with_cpu(&target, |cpu| cpu.double_pumped_512 = false)),
            "{op}"
        );
    }
    // Only if the inputs have at most three times the bytes of the output.
    assert!(!is_non_temporal(&[Op::Less], &[4 * rows, 1024], &[Dense, Dense], &target));
    let less = |dtype, operands: &[OperandLayout]| {
        plan(&[Op::Less], dtype, &[4 * rows, 1024], operands, &target).prefers_non_temporal(&target)
    };
    assert!(!less(DType::I16, &[Dense, Dense]) && less(DType::I16, &[Dense, Repeated(2)]));
    // Not for arithmetic on 16-bit floats, which is limited by computing.
    let add = |dtype| {
        plan(&[Op::Add], dtype, &[4 * rows, 1024], &[Dense, Repeated(2)], &target).prefers_non_temporal(&target)
    };
    assert!(!add(DType::F16) && add(DType::I16) && less(DType::F16, &[Dense, Repeated(2)]));
    // Only for rows that are whole cache lines or long, and no repeated operand larger than the L1 cache.
    assert!(!is_non_temporal(&[Op::Add], &[4 * rows, 1000 / 4], &[Dense, Repeated(1)], &target));
    assert!(is_non_temporal(&[Op::Add], &[4 * rows, 1025], &[Dense, Repeated(1)], &target));
    assert!(is_non_temporal(&[Op::Add], &[rows, 4096], &[Dense, Repeated(2)], &target));
    assert!(!is_non_temporal(&[Op::Add], &[rows, 8192], &[Dense, Repeated(2)], &target));
    assert!(!is_non_temporal(&[Op::Add], &[rows, 1024], &[Dense, Reversed], &target));
    // Not for steps that are limited by computing.
    let heavy = |target: &Target| is_non_temporal(&[Op::Hypot], &[4 * rows, 1024], &[Dense, Dense], target);
    assert!(!heavy(&target) && heavy(&with_cpu(&target, |cpu| cpu.double_pumped_512 = false)));
    assert!(!is_non_temporal(&[Op::Abs, Op::Exp], &[1 << 24], &[Dense], &target));
    // Without an input of the output's size: outputs of twice the cache, if the repeated row has at least 4 KiB.
    let outer = |rows: usize, columns: usize| {
        let (target, operands) = (with_cpu(&target, |cpu| cpu.llc = 1 << 20), [Repeated(1), Repeated(2)]);
        let schedule = plan(&[Op::Add], DType::F32, &[rows, columns], &operands, &target);
        (schedule.strategy, schedule.prefers_non_temporal(&target))
    };
    assert_eq!(outer(512, 1024), (Strategy::Direct, true));
    assert!(!outer(500, 1024).1 && !outer(600, 1023).1 && !outer(4096, 128).1);
    // Tiles of a single step with rows of whole cache lines, if an operand is transposed. Fused kernels use regular stores.
    let tiles = |dtype, dims: &[usize], operand: OperandLayout, target: &Target| {
        let schedule = plan(&[Op::Add], dtype, dims, &[Dense, operand], target);
        assert_eq!(schedule.strategy, Strategy::Tiled);
        let is_non_temporal = schedule.prefers_non_temporal(target);
        assert!(!is_non_temporal || schedule.tile.unit.is_none(), "{:?}", schedule.tile);
        is_non_temporal
    };
    let zen4 = avx512(CpuModel::ZEN4);
    assert!(tiles(DType::F32, &[4096, 4096], Transposed, &zen4));
    assert!(!tiles(DType::F32, &[4096, 4096], Transposed, &with_cpu(&zen4, |cpu| cpu.double_pumped_512 = false)));
    assert!(!tiles(DType::F32, &[4096, 4096], Transposed, &with_cpu(&zen4, |cpu| cpu.llc = 256 << 20)));
    assert!(!tiles(DType::F32, &[1 << 23, 5], Repeated(2), &zen4));
    // Several steps with one contiguous input, not with two.
    let dims = [1 << 23];
    assert!(is_non_temporal(&[Op::Abs, Op::Floor], &dims, &[Dense], &target));
    assert!(!is_non_temporal(&[Op::Add, Op::Sqrt], &dims, &[Dense, Dense], &target));
    assert!(is_non_temporal(
        &[Op::Add, Op::Sqrt],
        &dims,
        &[Dense, Dense],
        &with_cpu(&target, |cpu| cpu.double_pumped_512 = false)
    ));
}

#[test]
fn tiles_whose_rows_begin_between_cache_lines_use_regular_stores() {
    let target = avx512(CpuModel::ZEN4);
    let schedule = plan(&[Op::Add], DType::F32, &[4095, 4095], &[Dense, Transposed], &target);
    assert!(schedule.strategy == Strategy::Tiled && !schedule.prefers_non_temporal(&target), "{:?}", schedule.tile);
}
