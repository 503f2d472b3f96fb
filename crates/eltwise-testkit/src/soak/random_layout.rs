//! Random shapes and layouts: [`shape`], [`random_layout`]. Sizes are around vector lengths; layouts broadcast,
//! permute, step over, reverse and repeat axes and have gaps.

/// A source of random choices: a seeded generator, or the bytes of a fuzzer.
pub trait Choices {
    /// The next random bits: 64 from a generator, 32 from a fuzzer.
    fn bits(&mut self) -> u64;

    /// A number below `n`; 0 when `n` is 0.
    fn below(&mut self, n: usize) -> usize {
        (self.bits() % n.max(1) as u64) as usize
    }

    /// True with a probability of `percent` %.
    fn percent(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of the items.
    fn one<T: Copy>(&mut self, items: &[T]) -> T
    where
        Self: Sized,
    {
        items[self.below(items.len())]
    }
}

impl Choices for crate::Random {
    fn bits(&mut self) -> u64 {
        crate::Random::bits(self)
    }
}

/// A layout with strides counted in elements.
#[derive(Clone, Debug)]
pub struct ElementLayout {
    /// The shape. Axes that broadcast have size 1.
    pub shape: Vec<usize>,
    /// The stride of each axis in elements.
    pub strides: Vec<isize>,
    /// The position of element `[0, 0, ...]`, counted from the lowest element in memory.
    pub first: usize,
    /// The number of elements from the lowest to the highest in memory, including both.
    pub span: usize,
}

/// Axis sizes of cases with one operator.
const SIZES: [usize; 18] = [2, 3, 4, 5, 6, 7, 8, 9, 12, 15, 16, 17, 24, 31, 32, 33, 48, 64];
/// Axis sizes of cases with a program.
const PROGRAM_SIZES: [usize; 15] = [1, 2, 3, 4, 5, 7, 8, 11, 16, 17, 31, 33, 64, 100, 257];

/// Elements between the end of an axis and what follows it.
const GAPS: [usize; 3] = [0, 1, 2];
/// The same, but one in 24 is longer than a page: 1100 elements are for elements of four bytes and more, 4200 for all.
const GAPS_OF_INPUTS: [usize; 48] = {
    let mut gaps = [0; 48];
    let mut i = 0;
    while i < gaps.len() {
        gaps[i] = GAPS[i % GAPS.len()];
        i += 1;
    }
    [gaps[46], gaps[47]] = [1100, 4200];
    gaps
};

/// A shape of two to five axes and at most `max_elements` elements.
pub fn shape(choices: &mut impl Choices, max_elements: usize) -> Vec<usize> {
    let rank = 2 + choices.below(4);
    shape_of(choices, rank, &SIZES, max_elements)
}

/// A shape of up to five axes and at most `max_elements` elements. Axes can have size 1, and rarely 0.
pub fn program_shape(choices: &mut impl Choices, max_elements: usize) -> Vec<usize> {
    let rank = choices.below(6);
    let mut shape = shape_of(choices, rank, &PROGRAM_SIZES, max_elements);
    if rank > 0 && choices.below(300) == 0 {
        shape[choices.below(rank)] = 0;
    }
    shape
}

fn shape_of(choices: &mut impl Choices, rank: usize, sizes: &[usize], max_elements: usize) -> Vec<usize> {
    let mut shape: Vec<usize> = (0..rank).map(|_| choices.one(sizes)).collect();
    while shape.iter().product::<usize>() > max_elements {
        let drawn = choices.below(rank);
        // A fuzzer that has run out of bytes draws the same axis for ever, so take the next axis that can be halved.
        let axis = (drawn..rank)
            .chain(0..drawn)
            .find(|&axis| shape[axis] > 1)
            .expect("an axis should be above 1, as the product is");
        shape[axis] /= 2;
    }
    shape
}

/// The probabilities, in percent, with which a layout differs from a dense one.
#[derive(Clone, Copy, Debug)]
pub struct LayoutOdds {
    /// An axis keeps its size; otherwise it broadcasts.
    pub kept: usize,
    /// The axes are stored in random order.
    pub permuted: usize,
    /// Axes may have gaps of one or two elements between elements (a step).
    pub stepped: usize,
    /// An axis is reversed.
    pub reversed: usize,
    /// An axis is followed by a gap.
    pub gaps: usize,
    /// An axis of full size has stride 0. For inputs only.
    pub repeated: usize,
    /// The elements of a gap, equally probable.
    gap_sizes: &'static [usize],
}

impl LayoutOdds {
    /// The probabilities for inputs. `kept` percent of the axes do not broadcast.
    pub const fn input(kept: usize) -> LayoutOdds {
        LayoutOdds { kept, permuted: 60, stepped: 40, reversed: 12, gaps: 30, repeated: 2, gap_sizes: &GAPS_OF_INPUTS }
    }

    /// The probabilities for outputs with a given layout.
    pub const OUTPUT: LayoutOdds = LayoutOdds { kept: 100, repeated: 0, gap_sizes: &GAPS, ..LayoutOdds::input(100) };

    /// A dense layout with the axes stored in random order.
    pub const PERMUTED: LayoutOdds =
        LayoutOdds { kept: 100, permuted: 100, stepped: 0, reversed: 0, gaps: 0, repeated: 0, gap_sizes: &GAPS };
}

/// A random layout of an operand that broadcasts to `shape`.
pub fn random_layout(choices: &mut impl Choices, shape: &[usize], odds: LayoutOdds) -> ElementLayout {
    let rank = shape.len();
    let sizes: Vec<usize> = shape.iter().map(|&n| if choices.percent(odds.kept) { n } else { 1 }).collect();
    let mut order: Vec<usize> = (0..rank).collect();
    if choices.percent(odds.permuted) {
        (1..rank).rev().for_each(|i| order.swap(i, choices.below(i + 1)));
    }
    let stepped = choices.percent(odds.stepped);
    let (mut strides, mut extent, mut first) = (vec![0isize; rank], 1usize, 0usize);
    for &axis in order.iter().rev() {
        let n = sizes[axis];
        if n <= 1 {
            // An axis of size 1 has no second element, so any stride is allowed.
            strides[axis] = choices.one(&[0, extent as isize, -7]);
            continue;
        }
        if choices.percent(odds.repeated) {
            continue;
        }
        let stride = extent * if stepped { choices.one(&[1, 1, 1, 1, 2, 3]) } else { 1 };
        strides[axis] = stride as isize;
        if choices.percent(odds.reversed) {
            strides[axis] = -strides[axis];
            first += stride * (n - 1);
        }
        extent = stride * n + if choices.percent(odds.gaps) { choices.one(odds.gap_sizes) } else { 0 };
    }
    let steps = sizes.iter().zip(&strides).map(|(&n, s)| n.saturating_sub(1) * s.unsigned_abs());
    let (span, mut shape) = (1 + steps.sum::<usize>(), sizes);
    // Leading axes of size 1 can be dropped.
    let leading = shape.iter().take_while(|&&n| n == 1).count();
    let dropped = if odds.kept < 100 { choices.below(leading + 1) } else { 0 };
    shape.drain(..dropped);
    strides.drain(..dropped);
    ElementLayout { shape, strides, first, span }
}

impl ElementLayout {
    /// The strides over an iteration shape of rank `rank`, aligned at the last axis. An axis that broadcasts has stride
    /// 0.
    pub fn broadcast(&self, rank: usize) -> Vec<isize> {
        let strides = self.shape.iter().zip(&self.strides).map(|(&n, &s)| if n == 1 { 0 } else { s });
        core::iter::repeat_n(0, rank - self.shape.len()).chain(strides).collect()
    }
}

/// The shape that operands of these shapes broadcast to by NumPy's rule.
pub fn common_shape(layouts: &[ElementLayout]) -> Vec<usize> {
    let rank = layouts.iter().map(|layout| layout.shape.len()).max().unwrap_or(0);
    let size = |layout: &ElementLayout, axis: usize| {
        (axis + layout.shape.len()).checked_sub(rank).map_or(1, |at| layout.shape[at])
    };
    (0..rank).map(|axis| layouts.iter().map(|layout| size(layout, axis)).find(|&n| n != 1).unwrap_or(1)).collect()
}
