//! An [`Operand`]: memory, a layout over it, and values in the domain of every operator.

use eltwise::{Array, DType, Error, Layout, View};
use eltwise_core::{Shape, Strides};
use eltwise_reference::Value;

/// Seed of the operands' values.
const SEED: u32 = 12345;

/// Elements with any layout in borrowed memory.
#[derive(Clone, Copy)]
pub struct Source<'a> {
    /// The memory.
    pub bytes: &'a [u8],
    /// Dtype, shape and strides.
    pub layout: &'a Layout,
    /// The byte offset of element `[0, 0, ...]`.
    pub offset: usize,
}

impl Source<'_> {
    /// The element at an index.
    pub fn at(&self, index: &[usize]) -> Value {
        read(self.bytes, self.layout, self.offset, index)
    }
}

/// Elements with any layout in owned memory, aligned to 64 bytes.
pub struct Operand {
    memory: Array,
    layout: Layout,
    /// The byte offset of element `[0, 0, ...]`.
    offset: usize,
}

impl Operand {
    /// A contiguous operand in C order.
    ///
    /// # Errors
    /// If it does not fit the address space.
    pub fn dense(dtype: DType, shape: &[usize]) -> Result<Operand, Error> {
        Operand::with_layout(Layout::contiguous(dtype, shape)?)
    }

    /// An operand without gaps whose memory order of the axes is `axes`, outermost first.
    ///
    /// # Errors
    /// If it does not fit the address space, or `axes` is not a permutation of its axes.
    pub fn permuted(dtype: DType, shape: &[usize], axes: &[usize]) -> Result<Operand, Error> {
        let mut strides = vec![0isize; shape.len()];
        let mut step = dtype.size() as isize;
        for &axis in axes.iter().rev() {
            let unknown = || Error::Expression { message: format!("axis {axis} of {axes:?} is not in {shape:?}") };
            *strides.get_mut(axis).ok_or_else(unknown)? = step;
            step *= shape[axis] as isize;
        }
        Operand::with_layout(Layout::strided(dtype, Shape::new(shape), Strides::new(&strides))?)
    }

    /// An operand with this layout.
    ///
    /// # Errors
    /// If it does not fit the address space.
    pub fn with_layout(layout: Layout) -> Result<Operand, Error> {
        let (low, high) = layout.span()?;
        let size = layout.dtype().size();
        let elements = (high - low) as usize / size;
        let mut memory = Array::zeros(layout.dtype(), [elements])?;
        fill(memory.bytes_mut(), layout.dtype(), SEED);
        Ok(Operand { memory, layout, offset: low.unsigned_abs() })
    }

    /// Replaces the values of a float operand by values from `low` to `high`; other operands are unchanged.
    pub fn between(mut self, low: f64, high: f64) -> Operand {
        if self.layout.dtype().is_float() {
            fill_between(self.memory.bytes_mut(), self.layout.dtype(), SEED, low, high);
        }
        self
    }

    /// Dtype, shape and strides.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The memory as one row of elements.
    pub fn memory(&self) -> &Array {
        &self.memory
    }

    /// A view of the operand.
    ///
    /// # Errors
    /// None: the memory was allocated for the layout.
    pub fn view(&self) -> Result<View<'_>, Error> {
        View::from_bytes(self.memory.bytes(), self.layout.clone(), self.offset)
    }

    /// The operand as a [`Source`] for the reference.
    pub fn source(&self) -> Source<'_> {
        Source { bytes: self.memory.bytes(), layout: &self.layout, offset: self.offset }
    }
}

/// The element at an index of a layout over bytes.
pub fn read(bytes: &[u8], layout: &Layout, offset: usize, index: &[usize]) -> Value {
    let steps = index.iter().zip(layout.strides().iter());
    let byte = steps.fold(offset as isize, |byte, (&i, &stride)| byte + i as isize * stride) as usize;
    Value::read(layout.dtype(), &bytes[byte..byte + layout.dtype().size()])
}

/// Fills memory with a pattern that repeats after 509 (a prime) values: floats from 0.5 to 4.5, integers from 1 to 101,
/// both truth values. No number is zero or subnormal, and no product of two overflows an `f16`. The values depend on
/// the seed.
pub fn fill(bytes: &mut [u8], dtype: DType, seed: u32) {
    fill_between(bytes, dtype, seed, 0.5, 4.5);
}

/// As [`fill`], with floats from `low` to `high`.
fn fill_between(bytes: &mut [u8], dtype: DType, seed: u32, low: f64, high: f64) {
    let mut pattern = Vec::with_capacity(509 * dtype.size());
    let mut state = seed;
    for _ in 0..509 {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let random = i64::from(state >> 16);
        let value = match dtype {
            DType::Bool => Value::from_bool(random % 2 == 1),
            _ if dtype.is_float() => Value::from_f64(dtype, low + random as f64 * ((high - low) / 65536.0)),
            _ => Value::from_i128(dtype, i128::from(1 + random % 101)),
        };
        value.write(&mut pattern);
    }
    for chunk in bytes.chunks_mut(pattern.len()) {
        chunk.copy_from_slice(&pattern[..chunk.len()]);
    }
}
