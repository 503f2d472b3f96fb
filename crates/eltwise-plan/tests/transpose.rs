//! 2-D tiles, in which operands are transposed or packed: their scratch is within the limit, and when the planner
//! chooses them.

#[path = "common/golden.rs"]
pub mod golden;

use std::fmt::Write;

use eltwise_core::{Broadcast, Constant, DType, Layout, Op};
use eltwise_plan::bind::Binding;
use eltwise_plan::bind::loop_nest::LoopNest;
use eltwise_plan::tuning::{SCRATCH_BYTES, TILE_2D_SCRATCH};
use eltwise_plan::{Custom, Program, ProgramBuilder, Schedule, Target};

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
fn scratch_is_limited_for_any_number_of_transposed_operands() {
    let target = Target::default();
    let mut tiled_2d = [0, 0];
    let mut tiles = String::new();
    for count in 1..60 {
        write!(tiles, "{count}:").unwrap();
        for [rows, cols] in [[70, 90], [33, 100], [100, 9], [700, 900], [90, 9000], [9000, 90], [40, 20000]] {
            let program = sum(count);
            let narrow = Layout::contiguous(DType::U8, [rows, cols]).unwrap();
            let transposed = Layout::strided(DType::F64, [rows, cols], [8, 8 * rows as isize]).unwrap();
            let out = Layout::contiguous(DType::F64, [rows, cols]).unwrap();
            let layouts: Vec<&Layout> = [&narrow].into_iter().chain(std::iter::repeat_n(&transposed, count)).collect();
            let binding = Binding::new(&program, &layouts, Some(&[&out]), false).unwrap();
            let schedule = Schedule::new(binding, &target);
            let is_far = schedule.bytes > target.cpu.l2;
            let limit = if is_far && schedule.tile.rows > 1 { TILE_2D_SCRATCH } else { SCRATCH_BYTES };
            assert!(
                schedule.scratch <= limit,
                "{count} of [{rows}, {cols}]: {:?}, {}",
                schedule.tile,
                schedule.scratch
            );
            tiled_2d[usize::from(is_far)] += usize::from(schedule.tile.rows > 1);
            write!(tiles, " {} x {},", schedule.tile.rows, schedule.tile.length * schedule.tile.inner).unwrap();
        }
        writeln!(tiles).unwrap();
    }
    golden::compare("tiles_transposed", &tiles);
    assert!(tiled_2d[0] > 3 && tiled_2d[1] > 10, "{tiled_2d:?}");
}

/// The schedule of one step with operands that are reversed along the columns, others that are dense, and a dense
/// output.
fn reversed(dims: [usize; 3], operands: &[[usize; 3]], dense: usize) -> Schedule {
    let arity = operands.len() + dense;
    let function = Custom { id: 1, name: "mine", arity, from: DType::F32, to: DType::F32 };
    let mut b = ProgramBuilder::new();
    let args: Vec<_> = (0..arity).map(|i| b.input(&format!("x{i}"), DType::F32)).collect();
    let out = b.custom(function, &args, Broadcast::Numpy).unwrap();
    b.output(out);
    let reversed_layout = |dims: [usize; 3]| {
        let step = 4 * dims[2] as isize;
        Layout::strided(DType::F32, dims, [step * dims[1] as isize, step, -4]).unwrap()
    };
    let output = Layout::contiguous(DType::F32, dims).unwrap();
    let layouts = operands.iter().map(|&dims| reversed_layout(dims)).chain(std::iter::repeat_n(output.clone(), dense));
    let layouts: Vec<Layout> = layouts.collect();
    let inputs: Vec<&Layout> = layouts.iter().collect();
    let binding = Binding::new(&b.finish().unwrap(), &inputs, Some(&[&output]), false).unwrap();
    Schedule::new(binding, &Target::default())
}

#[test]
fn scratch_is_limited_for_any_number_of_reversed_operands() {
    let mut tiles = String::new();
    for arity in 1..=12 {
        write!(tiles, "{arity}:").unwrap();
        for [rows, cols] in [[300, 1016], [300, 1000], [40, 500], [9, 2032], [3000, 17], [5, 40_000], [700, 750]] {
            // Some operands repeat over the rows, and one along the columns.
            for (repeated, stretched) in [(0, false), (1, false), (arity - 1, false), (0, true), (1, true)] {
                let dims = [4, rows, cols];
                let dims_of = |i: usize| match i {
                    _ if stretched && i + 1 == arity => [4, rows, 1],
                    _ if i < repeated => [4, 1, cols],
                    _ => dims,
                };
                if repeated + usize::from(stretched) >= arity {
                    continue;
                }
                let schedule = reversed(dims, &(0..arity).map(dims_of).collect::<Vec<_>>(), 0);
                assert!(schedule.scratch <= SCRATCH_BYTES, "{arity} of {dims:?}: {:?}", schedule.tile);
                let tile = &schedule.tile;
                write!(tiles, " {} x {} x {},", tile.rows, tile.length, tile.inner).unwrap();
            }
        }
        writeln!(tiles).unwrap();
    }
    golden::compare("tiles_reversed", &tiles);
}

/// Interleaved pixels of three `f32` channels to planar channels. If the pixels are in the last-level cache, a tile has
/// all channels of its pixels.
#[test]
fn a_tile_deinterleaves_all_channels_of_its_pixels() {
    let target = Target::default();
    let rows_of = |dtype: DType, channels: usize, [lines, pixels, gap]: [usize; 3]| {
        let mut b = ProgramBuilder::new();
        let x = b.input("x", dtype);
        let y = b.step(Op::Abs, &[x], None, Broadcast::Numpy).unwrap();
        b.output(y);
        let (dims, size) = ([channels, lines, pixels], dtype.size() as isize);
        let pixel = size * channels as isize;
        let input = Layout::strided(dtype, dims, [size, pixel * (pixels + gap) as isize, pixel]).unwrap();
        let output = Layout::contiguous(dtype, dims).unwrap();
        let binding = Binding::new(&b.finish().unwrap(), &[&input], Some(&[&output]), false).unwrap();
        Schedule::new(binding, &target).tile.rows
    };
    let rows = |dtype, channels, pixels| rows_of(dtype, channels, [1, pixels, 0]);
    let (near, far) = (target.cpu.l2 / 24, target.cpu.llc / 24);
    assert_eq!([near, near + 1, far, far + 1].map(|pixels| rows(DType::F32, 3, pixels)), [1, 3, 3, 1]);
    assert_eq!([rows(DType::F32, 2, near * 3), rows(DType::F32, 4, near), rows(DType::F64, 3, near)], [1; 3]);
    // In part of an image, where rows are short, a tile covers several rows.
    let lines = near / 500;
    assert_eq!([512, 511].map(|pixels| rows_of(DType::F32, 3, [lines, pixels, 4])), [3, 1]);
}

#[test]
fn a_tile_may_fill_the_scratch_to_the_last_byte() {
    let dims = [19, 100, 407];
    let schedule = reversed(dims, &[[1, 100, 407], dims], 0);
    assert_eq!((schedule.tile.rows, schedule.scratch), (19, SCRATCH_BYTES));
    // Eight slots of 3840 plus 64 bytes, with room to round twelve slots to 128. Each slot has one row, which all rows
    // share.
    let schedule = reversed([38, 100, 960], &[[1, 100, 960]; 8], 3);
    assert_eq!((schedule.tile.rows, schedule.tile.inner, schedule.scratch), (19, 960, 8 * 3904));
}

/// If no 2-D tile fits, the loops keep the order that suits the output.
#[test]
fn loops_are_reordered_for_2d_tiles_only() {
    for (live, is_reordered) in [(1, true), (4, false), (90, false)] {
        let mut b = ProgramBuilder::new();
        let (narrow, x) = (b.input("n", DType::U8), b.input("x", DType::F64));
        let wide = b.step(Op::Cast, &[narrow], Some(DType::F64), Broadcast::Numpy).unwrap();
        let quotients: Vec<_> = (0..live)
            .map(|i| {
                let c = b.constant(Constant { dtype: DType::F64, bits: i });
                b.step(Op::Divide, &[x, c], None, Broadcast::Numpy).unwrap()
            })
            .collect();
        let join = |a, v| b.step(Op::Maximum, &[a, v], None, Broadcast::Numpy).unwrap();
        let all = quotients.into_iter().rev().fold(wide, join);
        b.output(all);
        let [rows, cols] = [700, 900];
        let transposed = |dtype: DType| {
            let size = dtype.size() as isize;
            Layout::strided(dtype, [rows, cols], [size, size * rows as isize]).unwrap()
        };
        let output = Layout::contiguous(DType::F64, [rows, cols]).unwrap();
        let program = b.finish().unwrap();
        let binding =
            Binding::new(&program, &[&transposed(DType::U8), &transposed(DType::F64)], Some(&[&output]), false)
                .unwrap();
        let nest = LoopNest::new(&binding.shape, &binding.operands);
        assert_eq!(nest.sizes[..], [rows, cols]);
        let schedule = Schedule::new(binding, &Target::default());
        let found = (schedule.tile.rows > 1, schedule.nest != nest);
        assert_eq!(found, (is_reordered, is_reordered), "{live}: {:?}", schedule.tile);
    }
}
