//! An element does not depend on its position: for every operator, dtype and level, every length up to four vectors and
//! three, and those at which kernels begin to align their output, at every offset within a vector, element i equals the
//! call on element i alone. Inputs are misaligned on their own.

use eltwise::kernels::kernel;
use eltwise::{BindOptions, Isa, Layout, Op, Plan, Shape, View, ViewMut};
use eltwise_reference::{Value, same};
use eltwise_testkit::values::bytes;
use eltwise_testkit::{Cell, cells, check};

/// Bytes on each side of the elements that nothing may touch.
const MARGIN: usize = 64;
const CANARY: u8 = 0xc5;

/// A buffer that begins on a cache line.
struct Buffer {
    bytes: Vec<u8>,
    start: usize,
}

impl Buffer {
    fn new(length: usize) -> Buffer {
        let bytes = vec![CANARY; length + 3 * MARGIN];
        let start = bytes.as_ptr().align_offset(64) % 64 + MARGIN;
        Buffer { bytes, start }
    }
}

/// An input with its elements at each of some offsets (in elements) past a cache line.
struct Shifted {
    size: usize,
    copies: Vec<Buffer>,
}

impl Shifted {
    fn new(data: &[u8], size: usize, offsets: usize) -> Shifted {
        let copy = |offset: usize| {
            let mut buffer = Buffer::new(data.len() + offset * size);
            let at = buffer.start + offset * size;
            buffer.bytes[at..at + data.len()].copy_from_slice(data);
            buffer
        };
        Shifted { size, copies: (0..offsets).map(copy).collect() }
    }

    fn view(&self, offset: usize, first: usize, layout: &Layout) -> View<'_> {
        let buffer = &self.copies[offset];
        View::from_bytes(&buffer.bytes, layout.clone(), buffer.start + (offset + first) * self.size).unwrap()
    }
}

/// A plan over dense operands of some length.
fn plan(cell: Cell, length: usize, isa: Isa) -> Plan {
    let shape = Shape::from([length]);
    let layouts: Vec<Layout> =
        cell.operands().into_iter().map(|d| Layout::contiguous(d, shape.clone()).unwrap()).collect();
    let layouts: Vec<&Layout> = layouts.iter().collect();
    cell.program(&cell.plain_mode(&shape)).bind_with(&layouts, &BindOptions::new().isa(isa)).unwrap()
}

/// The lengths to try, by the elements of a vector and of a kernel's block.
fn lengths(vector: usize, compute: usize, isa: Isa) -> Vec<usize> {
    let mut all: Vec<usize> = (0..=4 * vector + 3).collect();
    for block in [4 * isa.vector_bytes() / compute, 64, 16] {
        all.extend([4 * block - 1, 4 * block, 4 * block + 1, 4 * block + vector + 3]);
    }
    all.sort_unstable();
    all.dedup();
    all
}

fn is_same(cell: Cell, got: &[u8], expected: &[u8]) -> bool {
    let dtype = cell.result();
    let pairs = got.chunks_exact(dtype.size()).zip(expected.chunks_exact(dtype.size()));
    got == expected
        || !cell.moves() && pairs.into_iter().all(|(a, b)| same(Value::read(dtype, a), Value::read(dtype, b)))
}

fn every_length(cell: Cell, isa: Isa) {
    let dtypes = cell.operands();
    let (out_size, in_size) = (cell.result().size(), cell.dtype.size());
    let vector = isa.vector_bytes() / out_size.min(in_size).min(isa.vector_bytes());
    let lengths = lengths(vector, cell.dtype.compute().size().max(out_size.min(in_size)), isa);
    let longest = *lengths.last().unwrap();
    let inputs: Vec<Shifted> = (dtypes.iter().enumerate())
        .map(|(k, &d)| Shifted::new(&bytes(d, longest, 2 * k as u64), d.size(), vector))
        .collect();

    // The one-element calls, each at its place in the line.
    let one = plan(cell, 1, isa);
    let mut expected = vec![0u8; longest * out_size];
    for i in 0..longest {
        let views: Vec<View<'_>> = inputs.iter().zip(one.input_layouts()).map(|(b, l)| b.view(0, i, l)).collect();
        let out = &mut expected[i * out_size..(i + 1) * out_size];
        let mut out = [ViewMut::from_bytes(out, one.output_layouts()[0].clone(), 0).unwrap()];
        let _ = one.run(&views, &mut out).unwrap();
    }

    let mut out = Buffer::new((longest + vector) * out_size);
    for length in lengths {
        let plan = plan(cell, length, isa);
        let end = length * out_size;
        for offset in 0..vector {
            // All pairs of offsets where they are few; else each output offset with one of every input.
            let turns = if vector <= 8 { 0..vector } else { offset..offset + 1 };
            for turn in turns {
                let views: Vec<View<'_>> = (inputs.iter().zip(plan.input_layouts()).enumerate())
                    .map(|(k, (b, l))| b.view((3 * turn + 5 * k + offset / 2) % vector, 0, l))
                    .collect();
                let at = out.start + offset * out_size;
                out.bytes[at - MARGIN..at + end + MARGIN].fill(CANARY);
                let layout = plan.output_layouts()[0].clone();
                let mut view = [ViewMut::from_bytes(&mut out.bytes, layout, at).unwrap()];
                let _ = plan.run(&views, &mut view).unwrap();
                let (before, rest) = out.bytes[at - MARGIN..at + end + MARGIN].split_at(MARGIN);
                let (got, behind) = rest.split_at(end);
                let what = || format!("{cell:?} {isa} length {length} offset {offset} turn {turn}");
                assert!(is_same(cell, got, &expected[..end]), "{}", what());
                assert!(before == [CANARY; MARGIN] && behind == [CANARY; MARGIN], "{}: written outside", what());
            }
        }
    }
}

/// One test for each group, so that they run side by side.
fn run(wanted: impl Fn(Cell) -> bool) {
    let levels = check::levels();
    let mut count = 0;
    for cell in cells().into_iter().filter(|&c| wanted(c)) {
        for &isa in &levels {
            // A level without a kernel of its own runs the one below.
            let op = if cell.target == Some(cell.dtype) { Op::Copy } else { cell.op };
            if kernel(op, cell.dtype, cell.result(), isa).is_some_and(|k| k.owner == isa) {
                every_length(cell, isa);
                count += 1;
            }
        }
    }
    assert!(count > 0, "nothing was tried");
}

#[test]
fn casts() {
    run(|c| c.op == Op::Cast);
}

#[test]
fn tests_and_logic() {
    run(|c| c.op != Op::Cast && c.result() != c.dtype);
}

#[test]
fn bytes_to_bytes() {
    run(|c| c.op != Op::Cast && c.result() == c.dtype && c.dtype.size() == 1);
}

#[test]
fn wider_elements() {
    run(|c| c.op != Op::Cast && c.result() == c.dtype && c.dtype.size() > 1);
}
