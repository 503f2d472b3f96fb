//! Operands with any layout, in memory of exactly the size they need, at an unreadable page: a step beside it ends the
//! process.

use eltwise::{DType, Error, Layout, View, ViewMut};
use eltwise_plan::{Shape, Strides};
use eltwise_reference::{Tensor, Value};
use libfuzzer_sys::arbitrary::{self, Arbitrary};

use crate::guarded::{Guarded, Side};
use crate::rules::indices;

/// What a byte between elements of an output holds before and after a run.
const BETWEEN: u8 = 0xA5;

/// How the elements of an operand lie in memory.
#[derive(Arbitrary, Clone, Debug)]
pub struct Order {
    /// Chooses an order of the axes.
    permutation: u16,
    /// Axes that run backwards, a bit each.
    backward: u8,
    /// Axes of stride 0, a bit each (inputs only).
    repeated: u8,
    /// Axes with a gap, a bit each.
    gaps: u8,
    /// Even: the memory ends at the page behind it. Odd: it begins at the page in front of it.
    side: u8,
}

/// Memory with a layout over it.
pub struct Memory {
    bytes: Guarded,
    offset: usize,
    /// Dtype, shape and strides.
    pub layout: Layout,
}

impl Order {
    /// Axes in C order, dense, at one of the pages.
    pub fn default_with(side: u64) -> Order {
        Order { permutation: 0, backward: 0, repeated: 0, gaps: 0, side: side as u8 }
    }

    /// A layout of this order; `repeat` allows stride 0.
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
            // Sizes may be huge where nothing is run; a layout of wrapped strides is as good as any.
            step = step.wrapping_mul(shape[axis].max(1) as isize);
            if self.gaps & bit != 0 {
                step = step.wrapping_add(dtype.size() as isize);
            }
        }
        Layout::strided(dtype, Shape::new(shape), Strides::new(&strides))
    }

    /// Memory for a layout, all of it `BETWEEN`.
    pub fn memory(&self, layout: Layout) -> Result<Memory, Error> {
        let (low, high) = layout.span()?;
        let side = if self.side.is_multiple_of(2) { Side::Back } else { Side::Front };
        let mut bytes = Guarded::new((high - low) as usize, side);
        bytes.fill(BETWEEN);
        Ok(Memory { bytes, offset: low.unsigned_abs(), layout })
    }
}

impl Memory {
    /// Fills the elements with values that are often special.
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

    /// Takes the elements of memory of the same layout.
    pub fn copy_from(&mut self, other: &Memory) {
        let size = self.layout.dtype().size();
        for index in indices(&self.layout.shape().clone()) {
            let (to, from) = (self.at(&index), other.at(&index));
            self.bytes[to..to + size].copy_from_slice(&other.bytes[from..from + size]);
        }
    }

    /// All of it, between the elements too.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Reads it.
    pub fn view(&self) -> View<'_> {
        View::from_bytes(&self.bytes, self.layout.clone(), self.offset).expect("memory made for the layout")
    }

    /// Reads and writes it.
    pub fn view_mut(&mut self) -> ViewMut<'_> {
        let layout = self.layout.clone();
        ViewMut::from_bytes(&mut self.bytes, layout, self.offset).expect("memory made for the layout")
    }

    /// The elements, dense in C order.
    pub fn tensor(&self) -> Tensor {
        let dtype = self.layout.dtype();
        let value = |index: Vec<usize>| Value::read(dtype, &self.bytes[self.at(&index)..]);
        let values: Vec<Value> = indices(self.layout.shape()).map(value).collect();
        Tensor::from_values(dtype, self.layout.shape().clone(), &values).expect("one value an element")
    }

    /// Whether the bytes that belong to no element are as they were made.
    pub fn is_untouched_between(&self) -> bool {
        let mut free = vec![true; self.bytes.len()];
        for index in indices(self.layout.shape()) {
            let at = self.at(&index);
            free[at..at + self.layout.dtype().size()].fill(false);
        }
        self.bytes.iter().zip(free).all(|(&byte, free)| !free || byte == BETWEEN)
    }

    /// Where an element lies.
    fn at(&self, index: &[usize]) -> usize {
        let steps = index.iter().zip(self.layout.strides().iter());
        steps.fold(self.offset as isize, |at, (&i, &stride)| at + i as isize * stride) as usize
    }
}

/// Pseudo-random numbers from a seed of the fuzzer's (splitmix64).
pub struct Random(pub u64);

impl Random {
    /// The next number.
    #[allow(clippy::should_implement_trait, reason = "no iterator: it has no end")]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }
}
