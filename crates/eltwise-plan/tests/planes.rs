//! Planes fit the scratch that an executor has, whatever lies in it.

#[path = "common/golden.rs"]
pub mod golden;

use std::fmt::Write;

use eltwise_plan::bind::Binding;
use eltwise_plan::nest::Nest;
use eltwise_plan::plan::{Machine, PLANE_SCRATCH, SCRATCH_BYTES};
use eltwise_plan::{Broadcast, Constant, Custom, DType, Layout, Op, Program, ProgramBuilder, Schedule};

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
    let mut tiles = String::new();
    for count in 1..60 {
        write!(tiles, "{count}:").unwrap();
        for [rows, cols] in [[70, 90], [33, 100], [100, 9], [700, 900], [90, 9000], [9000, 90], [40, 20000]] {
            let program = sum(count);
            let narrow = Layout::contiguous(DType::U8, [rows, cols]).unwrap();
            let turned = Layout::strided(DType::F64, [rows, cols], [8, 8 * rows as isize]).unwrap();
            let out = Layout::contiguous(DType::F64, [rows, cols]).unwrap();
            let layouts: Vec<&Layout> = [&narrow].into_iter().chain(std::iter::repeat_n(&turned, count)).collect();
            let binding = Binding::new(&program, &layouts, Some(&[&out]), false).unwrap();
            let schedule = Schedule::new(binding, &machine);
            let is_far = schedule.bytes > machine.l2;
            let most = if is_far && schedule.tile.rows > 1 { PLANE_SCRATCH } else { SCRATCH_BYTES };
            assert!(schedule.scratch <= most, "{count} of [{rows}, {cols}]: {:?}, {}", schedule.tile, schedule.scratch);
            planes[usize::from(is_far)] += usize::from(schedule.tile.rows > 1);
            write!(tiles, " {} x {},", schedule.tile.rows, schedule.tile.length * schedule.tile.inner).unwrap();
        }
        writeln!(tiles).unwrap();
    }
    golden::compare("planes", &tiles);
    assert!(planes[0] > 3 && planes[1] > 10, "{planes:?}");
}

/// One step of any number of operands that run backwards along the columns, and some that are dense, into a dense output.
fn backwards(dims: [usize; 3], operands: &[[usize; 3]], dense: usize) -> Schedule {
    let arity = operands.len() + dense;
    let function = Custom { id: 1, name: "mine", arity, from: DType::F32, to: DType::F32 };
    let mut b = ProgramBuilder::new();
    let args: Vec<_> = (0..arity).map(|i| b.input(&format!("x{i}"), DType::F32)).collect();
    let out = b.custom(function, &args, Broadcast::Numpy).unwrap();
    b.output(out);
    let of = |dims: [usize; 3]| {
        let step = 4 * dims[2] as isize;
        Layout::strided(DType::F32, dims, [step * dims[1] as isize, step, -4]).unwrap()
    };
    let output = Layout::contiguous(DType::F32, dims).unwrap();
    let layouts = operands.iter().map(|&dims| of(dims)).chain(std::iter::repeat_n(output.clone(), dense));
    let layouts: Vec<Layout> = layouts.collect();
    let inputs: Vec<&Layout> = layouts.iter().collect();
    let binding = Binding::new(&b.finish().unwrap(), &inputs, Some(&[&output]), false).unwrap();
    Schedule::new(binding, &Machine::default())
}

#[test]
fn any_number_of_operands_of_one_step_fits() {
    let mut tiles = String::new();
    for arity in 1..=12 {
        write!(tiles, "{arity}:").unwrap();
        for [rows, cols] in [[300, 1016], [300, 1000], [40, 500], [9, 2032], [3000, 17], [5, 40_000], [700, 750]] {
            // Some repeat over the rows, one along the columns.
            for (repeated, stretched) in [(0, false), (1, false), (arity - 1, false), (0, true), (1, true)] {
                let dims = [4, rows, cols];
                let of = |i: usize| match i {
                    _ if stretched && i + 1 == arity => [4, rows, 1],
                    _ if i < repeated => [4, 1, cols],
                    _ => dims,
                };
                if repeated + usize::from(stretched) >= arity {
                    continue;
                }
                let schedule = backwards(dims, &(0..arity).map(of).collect::<Vec<_>>(), 0);
                assert!(schedule.scratch <= SCRATCH_BYTES, "{arity} of {dims:?}: {:?}", schedule.tile);
                let tile = &schedule.tile;
                write!(tiles, " {} x {} x {},", tile.rows, tile.length, tile.inner).unwrap();
            }
        }
        writeln!(tiles).unwrap();
    }
    golden::compare("operands", &tiles);
}

/// Pixels of three channels of `f32`, taken apart: where they come from the last-level cache, a plane has all channels of its pixels.
#[test]
fn channels_of_pixels_are_taken_apart_together() {
    let machine = Machine::default();
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
        Schedule::new(binding, &machine).tile.rows
    };
    let rows = |dtype, channels, pixels| rows_of(dtype, channels, [1, pixels, 0]);
    let (near, far) = (machine.l2 / 24, machine.llc / 24);
    assert_eq!([near, near + 1, far, far + 1].map(|pixels| rows(DType::F32, 3, pixels)), [1, 3, 3, 1]);
    assert_eq!([rows(DType::F32, 2, near * 3), rows(DType::F32, 4, near), rows(DType::F64, 3, near)], [1; 3]);
    // Of a part of an image, whose rows are short, tiles go over many.
    let lines = near / 500;
    assert_eq!([512, 511].map(|pixels| rows_of(DType::F32, 3, [lines, pixels, 4])), [3, 1]);
}

#[test]
fn a_plane_may_fill_the_scratch_to_the_byte() {
    let dims = [19, 100, 407];
    let schedule = backwards(dims, &[[1, 100, 407], dims], 0);
    assert_eq!((schedule.tile.rows, schedule.scratch), (19, SCRATCH_BYTES));
    // Eight slots of 3840 and 64 bytes, and room for rounding twelve times 128: one row of each serves all rows.
    let schedule = backwards([38, 100, 960], &[[1, 100, 960]; 8], 3);
    assert_eq!((schedule.tile.rows, schedule.tile.inner, schedule.scratch), (19, 960, 8 * 3904));
}

/// Loops that are turned to the inputs for a plane lie as before where no plane fits.
#[test]
fn loops_are_turned_for_planes_only() {
    for (alive, turned) in [(1, true), (4, false), (90, false)] {
        let mut b = ProgramBuilder::new();
        let (narrow, x) = (b.input("n", DType::U8), b.input("x", DType::F64));
        let wide = b.step(Op::Cast, &[narrow], Some(DType::F64), Broadcast::Numpy).unwrap();
        let quotients: Vec<_> = (0..alive)
            .map(|i| {
                let c = b.constant(Constant { dtype: DType::F64, bits: i });
                b.step(Op::Divide, &[x, c], None, Broadcast::Numpy).unwrap()
            })
            .collect();
        let join = |a, v| b.step(Op::Maximum, &[a, v], None, Broadcast::Numpy).unwrap();
        let all = quotients.into_iter().rev().fold(wide, join);
        b.output(all);
        let [rows, cols] = [700, 900];
        let of = |dtype: DType| {
            let size = dtype.size() as isize;
            Layout::strided(dtype, [rows, cols], [size, size * rows as isize]).unwrap()
        };
        let output = Layout::contiguous(DType::F64, [rows, cols]).unwrap();
        let program = b.finish().unwrap();
        let binding = Binding::new(&program, &[&of(DType::U8), &of(DType::F64)], Some(&[&output]), false).unwrap();
        let nest = Nest::new(&binding.shape, &binding.leaves);
        assert_eq!(nest.sizes[..], [rows, cols]);
        let schedule = Schedule::new(binding, &Machine::default());
        assert_eq!((schedule.tile.rows > 1, schedule.nest != nest), (turned, turned), "{alive}: {:?}", schedule.tile);
    }
}
