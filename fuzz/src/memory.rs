//! Operands with any layout ([`LayoutSpec`]) in memory of exactly the size they need, next to a guard page
//! ([`GuardedOperand`]): an access past the end of the memory ends the process.

use eltwise::{DType, Error, Layout, View, ViewMut};
use eltwise_core::{Shape, Strides};
use eltwise_reference::{Tensor, Value};
use libfuzzer_sys::arbitrary::{self, Arbitrary};

use crate::broadcast_rules::indices;
use crate::guarded::{Guarded, Side};

/// The value of a byte between elements of an output, before and after a run.
const CANARY: u8 = 0xA5;

/// How an operand is stored in memory.
#[derive(Arbitrary, Clone, Debug)]
pub struct LayoutSpec {
    /// Chooses the order of the axes.
    permutation: u16,
    /// Reversed axes, one bit per axis.
    backward: u8,
    /// Axes with stride 0, one bit per axis (inputs only).
    repeated: u8,
    /// Axes followed by a gap, one bit per axis.
    gaps: u8,
    /// Even: the memory ends at the guard page after it. Odd: it starts at the guard page before it.
    side: u8,
}

/// Guarded memory with a layout.
pub struct GuardedOperand {
    bytes: Guarded,
    offset: usize,
    /// Dtype, shape and strides.
    pub layout: Layout,
}

impl LayoutSpec {
    /// Contiguous in C order. An even `side` puts the memory before a guard page, an odd one after it.
    pub fn contiguous(side: u64) -> LayoutSpec {
        LayoutSpec { permutation: 0, backward: 0, repeated: 0, gaps: 0, side: side as u8 }
    }

    /// The layout for a dtype and shape. `repeat` allows stride 0.
    pub fn layout(&self, dtype: DType, shape: &[usize], repeat: bool) -> Result<Layout, Error> {
        let mut left: Vec<usize> = (0..shape.len()).collect();
        let mut choice = usize::from(self.permutation);
        let mut strides = vec![0isize; shape.len()];
        let mut step = dtype.size() as isize;
        while !left.is_empty() {
            let axis = left.remove(choice % left.len());
            choice /= left.len() + 1;
            let bit = 1u8.rotate_left(axis as u32);
            if repeat && self.repeated & bit != 0 {
                continue;
            }
            strides[axis] = if self.backward & bit != 0 { step.wrapping_neg() } else { step };
            // Sizes may be huge if the program is only planned. Strides that wrap are as valid as any others.
            step = step.wrapping_mul(shape[axis].max(1) as isize);
            if self.gaps & bit != 0 {
                step = step.wrapping_add(dtype.size() as isize);
            }
        }
        Layout::strided(dtype, Shape::new(shape), Strides::new(&strides))
    }

    /// Memory for a layout, filled with `CANARY`.
    pub fn memory(&self, layout: Layout) -> Result<GuardedOperand, Error> {
        let (low, high) = layout.span()?;
        let side = if self.side.is_multiple_of(2) { Side::Back } else { Side::Front };
        let mut bytes = Guarded::new((high - low) as usize, side);
        bytes.fill(CANARY);
        Ok(GuardedOperand { bytes, offset: low.unsigned_abs(), layout })
    }
}

impl GuardedOperand {
    /// Fills the elements with random values, edge cases frequent.
    pub fn fill(&mut self, random: &mut Random) {
        let dtype = self.layout.dtype();
        let mut element = Vec::new();
        for index in indices(self.layout.shape()) {
            let bits = match random.next() % 8 {
                0 => 0,
                1 => 1,
                2 => u128::MAX,
                3 => 1 << (8 * dtype.size() - 1),
                4 => Value::from_f64(dtype, [1.0, -1.5, f64::INFINITY, f64::NAN][random.next() as usize % 4]).bits,
                5 => Value::from_i128(dtype, i128::from(random.next() % 300) - 150).bits,
                _ => u128::from(random.next()) | u128::from(random.next()) << 64,
            };
            element.clear();
            Value::new(dtype, bits).write(&mut element);
            let at = self.at(&index);
            self.bytes[at..at + element.len()].copy_from_slice(&element);
        }
    }

    /// Copies the elements of an operand with the same shape and dtype.
    pub fn copy_elements_from(&mut self, other: &GuardedOperand) {
        let size = self.layout.dtype().size();
        for index in indices(&self.layout.shape().clone()) {
            let (to, from) = (self.at(&index), other.at(&index));
            self.bytes[to..to + size].copy_from_slice(&other.bytes[from..from + size]);
        }
    }

    /// All bytes, including those between the elements.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// A view of the elements.
    pub fn view(&self) -> View<'_> {
        View::from_bytes(&self.bytes, self.layout.clone(), self.offset).expect("memory made for the layout")
    }

    /// A writable view of the elements.
    pub fn view_mut(&mut self) -> ViewMut<'_> {
        let layout = self.layout.clone();
        ViewMut::from_bytes(&mut self.bytes, layout, self.offset).expect("memory made for the layout")
    }

    /// The elements as a tensor.
    pub fn tensor(&self) -> Tensor {
        let dtype = self.layout.dtype();
        let value = |index: Vec<usize>| Value::read(dtype, &self.bytes[self.at(&index)..]);
        let values: Vec<Value> = indices(self.layout.shape()).map(value).collect();
        Tensor::from_values(dtype, self.layout.shape().clone(), &values).expect("one value per element")
    }

    /// Whether no byte between the elements was written.
    pub fn has_intact_canaries(&self) -> bool {
        let mut free = vec![true; self.bytes.len()];
        for index in indices(self.layout.shape()) {
            let at = self.at(&index);
            free[at..at + self.layout.dtype().size()].fill(false);
        }
        self.bytes.iter().zip(free).all(|(&byte, free)| !free || byte == CANARY)
    }

    /// The byte at which an element starts.
    fn at(&self, index: &[usize]) -> usize {
        let steps = index.iter().zip(self.layout.strides().iter());
        steps.fold(self.offset as isize, |at, (&i, &stride)| at + i as isize * stride) as usize
    }
}

/// A pseudo-random number generator (SplitMix64).
pub struct Random(pub u64);

impl Random {
    /// The next number.
    #[allow(clippy::should_implement_trait, reason = "it never ends, so it is not an iterator")]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }
}
