//! A buffer with a layout: inputs among junk, outputs among canaries.

use core::ops::{Deref, DerefMut};

use eltwise::{DType, Layout, Shape, View, ViewMut};
use eltwise_reference::{Tensor, Value};

use crate::arrangement::{Arrangement, Placed};
use crate::guarded::{Guarded, Side};
use crate::values::Values;

/// Bytes in front of the first and behind the last element.
const MARGIN: usize = 128;

/// Memory of an operand.
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

/// An operand in a buffer of its own. The bytes that belong to no element are canaries.
#[derive(Clone, Debug)]
pub struct Operand {
    bytes: Bytes,
    layout: Layout,
    /// The byte of element `[0, 0, ...]`.
    first: usize,
}

impl Operand {
    /// An operand whose every byte is a canary.
    pub fn canary(dtype: DType, shape: &Shape, arrangement: &Arrangement) -> Operand {
        Operand::at(arrangement.place(dtype, shape), usize::from(arrangement.offset))
    }

    /// An operand of canaries with a dense layout (of any axis order), on a cache line.
    pub fn with_layout(layout: Layout) -> Operand {
        let (low, high) = layout.span().expect("test layouts are small");
        Operand::at(Placed { layout, span: high.abs_diff(low), first: low.unsigned_abs() }, 0)
    }

    fn at(Placed { layout, span, first }: Placed, offset: usize) -> Operand {
        let mut bytes: Vec<u8> = (0..span + 2 * MARGIN + 2 * 64).map(canary).collect();
        let line = bytes.as_mut_ptr().align_offset(64) % 64;
        let start = line + MARGIN + offset;
        bytes.truncate(start + span + MARGIN);
        Operand { bytes: Bytes::Heap(bytes), layout, first: start + first }
    }

    /// The same operand in memory of exactly the bytes that it spans, of which one end touches an unreadable page.
    pub fn between_guards(&self, side: Side) -> Operand {
        let (low, high) = self.layout.span().expect("test layouts are small");
        let mut bytes = Guarded::new(high.abs_diff(low), side);
        bytes.iter_mut().enumerate().for_each(|(i, byte)| *byte = canary(i));
        let (first, size) = (low.unsigned_abs(), self.layout.dtype().size());
        for (from, to) in places(&self.layout, self.first).zip(places(&self.layout, first)) {
            bytes[to..to + size].copy_from_slice(&self.bytes[from..from + size]);
        }
        Operand { bytes: Bytes::Guarded(bytes), layout: self.layout.clone(), first }
    }

    /// An operand with elements made from a seed (see [`Values`]).
    pub fn input(dtype: DType, shape: &Shape, arrangement: &Arrangement, seed: u64) -> Operand {
        Operand::canary(dtype, shape, arrangement).filled(seed)
    }

    /// The same with elements made from a seed; of elements that share memory, the last one's.
    pub fn filled(mut self, seed: u64) -> Operand {
        let mut values = Values::new(self.layout.dtype(), seed);
        let size = self.layout.dtype().size();
        for at in places(&self.layout, self.first) {
            self.bytes[at..at + size].copy_from_slice(&values.bits().to_le_bytes()[..size]);
        }
        self
    }

    /// An operand with these elements.
    pub fn holding(tensor: &Tensor, arrangement: &Arrangement) -> Operand {
        let mut operand = Operand::canary(tensor.dtype(), tensor.shape(), &arrangement.distinct());
        let size = tensor.dtype().size();
        for (at, element) in places(&operand.layout, operand.first).zip(tensor.data().chunks_exact(size)) {
            operand.bytes[at..at + size].copy_from_slice(element);
        }
        operand
    }

    /// Dtype, shape and strides.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The elements, read one by one.
    pub fn tensor(&self) -> Tensor {
        let size = self.layout.dtype().size();
        let mut data = Vec::new();
        for at in places(&self.layout, self.first) {
            data.extend_from_slice(&self.bytes[at..at + size]);
        }
        Tensor::new(self.layout.dtype(), self.layout.shape().clone(), data).expect("one element for each index")
    }

    /// One element.
    pub fn get(&self, position: usize) -> Value {
        let at = places(&self.layout, self.first).nth(position).expect("a position of the shape");
        Value::read(self.layout.dtype(), &self.bytes[at..])
    }

    /// A view of the elements.
    pub fn view(&self) -> View<'_> {
        View::from_bytes(&self.bytes, self.layout.clone(), self.first).expect("the layout lies in the buffer")
    }

    /// A writable view of the elements.
    pub fn view_mut(&mut self) -> ViewMut<'_> {
        ViewMut::from_bytes(&mut self.bytes, self.layout.clone(), self.first).expect("a layout without repeats")
    }

    /// The first byte that belongs to no element and is no canary any more.
    pub fn stray(&self) -> Option<usize> {
        let mut element = vec![false; self.bytes.len()];
        let size = self.layout.dtype().size();
        for at in places(&self.layout, self.first) {
            element[at..at + size].fill(true);
        }
        (self.bytes.iter().zip(&element).enumerate()).find(|&(i, (&b, &e))| !e && b != canary(i)).map(|(i, _)| i)
    }

    /// Whether every byte is still a canary.
    pub fn untouched(&self) -> bool {
        self.bytes.iter().enumerate().all(|(i, &b)| b == canary(i))
    }

    /// All bytes, those between the elements too.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

/// The canary of a byte.
fn canary(i: usize) -> u8 {
    (i as u8).wrapping_mul(151) ^ (i >> 8) as u8 ^ 0x5a
}

/// Where the elements of a layout begin, in C order, by the definition of strides: element `i` lies `sum(i * stride)`
/// bytes from the first.
fn places(layout: &Layout, first: usize) -> impl Iterator<Item = usize> + use<> {
    let (shape, strides) = (layout.shape().clone(), layout.strides().clone());
    let mut index = vec![0usize; shape.rank()];
    let mut more = !shape.contains(&0);
    std::iter::from_fn(move || {
        if !more {
            return None;
        }
        let offset: isize = index.iter().zip(strides.iter()).map(|(&i, &s)| (i as isize).wrapping_mul(s)).sum();
        more = false;
        for (i, &size) in index.iter_mut().zip(shape.iter()).rev() {
            *i += 1;
            if *i < size {
                more = true;
                break;
            }
            *i = 0;
        }
        Some(first.wrapping_add_signed(offset))
    })
}
