//! Buffers with a layout: [`Operand`]. Bytes that belong to no element are canaries.

use core::ops::{Deref, DerefMut};

use eltwise::{DType, Layout, Shape, View, ViewMut};
use eltwise_reference::{Tensor, Value};

use crate::arrangement::{Arrangement, Placed};
use crate::guarded::{Guarded, Side};
use crate::values::Values;

/// Canary bytes before the first and after the last element.
const MARGIN: usize = 128;

/// The memory of an operand.
#[derive(Clone, Debug)]
enum Bytes {
    Heap(Vec<u8>),
    Guarded(Guarded),
}

impl Deref for Bytes {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        match self {
            Bytes::Heap(bytes) => bytes,
            Bytes::Guarded(bytes) => bytes,
        }
    }
}

impl DerefMut for Bytes {
    fn deref_mut(&mut self) -> &mut [u8] {
        match self {
            Bytes::Heap(bytes) => bytes,
            Bytes::Guarded(bytes) => bytes,
        }
    }
}

/// An operand that owns its buffer. The bytes that belong to no element are canaries.
#[derive(Clone, Debug)]
pub struct Operand {
    bytes: Bytes,
    layout: Layout,
    /// The byte at which element `[0, 0, ...]` starts.
    first: usize,
}

impl Operand {
    /// An operand with canaries in every byte.
    pub fn canary(dtype: DType, shape: &Shape, arrangement: &Arrangement) -> Operand {
        Operand::at(arrangement.place(dtype, shape), usize::from(arrangement.offset))
    }

    /// An operand with canaries in every byte, aligned to a cache line. The layout is dense, with any axis order.
    pub fn with_layout(layout: Layout) -> Operand {
        let (low, high) = layout.span().expect("a test layout should be small");
        Operand::at(Placed { layout, span: high.abs_diff(low), first: low.unsigned_abs() }, 0)
    }

    fn at(Placed { layout, span, first }: Placed, offset: usize) -> Operand {
        let mut bytes: Vec<u8> = (0..span + 2 * MARGIN + 2 * 64).map(canary).collect();
        let line = bytes.as_mut_ptr().align_offset(64) % 64;
        let start = line + MARGIN + offset;
        bytes.truncate(start + span + MARGIN);
        Operand { bytes: Bytes::Heap(bytes), layout, first: start + first }
    }

    /// A copy of the operand in memory of exactly the bytes it spans, next to a guard page on one side.
    pub fn between_guards(&self, side: Side) -> Operand {
        let (low, high) = self.layout.span().expect("a test layout should be small");
        let mut bytes = Guarded::new(high.abs_diff(low), side);
        bytes.iter_mut().enumerate().for_each(|(i, byte)| *byte = canary(i));
        let (first, size) = (low.unsigned_abs(), self.layout.dtype().size());
        for (from, to) in element_offsets(&self.layout, self.first).zip(element_offsets(&self.layout, first)) {
            bytes[to..to + size].copy_from_slice(&self.bytes[from..from + size]);
        }
        Operand { bytes: Bytes::Guarded(bytes), layout: self.layout.clone(), first }
    }

    /// An operand with pseudo-random elements (see [`Values`]).
    pub fn input(dtype: DType, shape: &Shape, arrangement: &Arrangement, seed: u64) -> Operand {
        Operand::canary(dtype, shape, arrangement).filled(seed)
    }

    /// The operand with pseudo-random elements. If elements share memory, the last one in C order is kept.
    pub fn filled(mut self, seed: u64) -> Operand {
        let mut values = Values::new(self.layout.dtype(), seed);
        let size = self.layout.dtype().size();
        for at in element_offsets(&self.layout, self.first) {
            self.bytes[at..at + size].copy_from_slice(&values.bits().to_le_bytes()[..size]);
        }
        self
    }

    /// An operand with the elements of a tensor. Repeats of the arrangement are left out.
    pub fn from_tensor(tensor: &Tensor, arrangement: &Arrangement) -> Operand {
        let mut operand = Operand::canary(tensor.dtype(), tensor.shape(), &arrangement.distinct());
        let size = tensor.dtype().size();
        for (at, element) in element_offsets(&operand.layout, operand.first).zip(tensor.data().chunks_exact(size)) {
            operand.bytes[at..at + size].copy_from_slice(element);
        }
        operand
    }

    /// Dtype, shape and strides.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The elements as a tensor.
    pub fn tensor(&self) -> Tensor {
        let size = self.layout.dtype().size();
        let mut data = Vec::new();
        for offset in element_offsets(&self.layout, self.first) {
            data.extend_from_slice(&self.bytes[offset..offset + size]);
        }
        Tensor::new(self.layout.dtype(), self.layout.shape().clone(), data)
            .expect("there should be one element for each index")
    }

    /// The element at a position in C order.
    pub fn get(&self, position: usize) -> Value {
        let offset =
            element_offsets(&self.layout, self.first).nth(position).expect("the position should be inside the shape");
        Value::read(self.layout.dtype(), &self.bytes[offset..])
    }

    /// A view of the elements.
    pub fn view(&self) -> View<'_> {
        View::from_bytes(&self.bytes, self.layout.clone(), self.first).expect("the layout should fit the buffer")
    }

    /// A writable view of the elements.
    pub fn view_mut(&mut self) -> ViewMut<'_> {
        ViewMut::from_bytes(&mut self.bytes, self.layout.clone(), self.first)
            .expect("an output's layout should not repeat elements")
    }

    /// The first byte that belongs to no element and has been overwritten.
    pub fn first_clobbered_byte(&self) -> Option<usize> {
        let mut element = vec![false; self.bytes.len()];
        let size = self.layout.dtype().size();
        for at in element_offsets(&self.layout, self.first) {
            element[at..at + size].fill(true);
        }
        (self.bytes.iter().zip(&element).enumerate()).find(|&(i, (&b, &e))| !e && b != canary(i)).map(|(i, _)| i)
    }

    /// Whether every byte is still a canary.
    pub fn untouched(&self) -> bool {
        self.bytes.iter().enumerate().all(|(i, &b)| b == canary(i))
    }

    /// All bytes of the buffer, including those between elements.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

/// The canary for byte `i`.
fn canary(i: usize) -> u8 {
    (i as u8).wrapping_mul(151) ^ (i >> 8) as u8 ^ 0x5a
}

/// The byte offsets of the elements of a layout in C order, by the definition of strides: the element with multi-index
/// `i` is `sum(i * stride)` bytes from element `[0, 0, ...]`, which is at `first`.
fn element_offsets(layout: &Layout, first: usize) -> impl Iterator<Item = usize> + use<> {
    let (shape, strides) = (layout.shape().clone(), layout.strides().clone());
    let mut index = vec![0usize; shape.rank()];
    let mut done = shape.contains(&0);
    std::iter::from_fn(move || {
        if done {
            return None;
        }
        let offset: isize = index.iter().zip(strides.iter()).map(|(&i, &s)| (i as isize).wrapping_mul(s)).sum();
        done = true;
        for (i, &size) in index.iter_mut().zip(shape.iter()).rev() {
            *i += 1;
            if *i < size {
                done = false;
                break;
            }
            *i = 0;
        }
        Some(first.wrapping_add_signed(offset))
    })
}
