//! Random shapes and layouts: sizes around vector lengths, repeats in any position, stored orders, steps, reversals, gaps,
//! rows that follow each other.

/// Where random choices come from: a seed, or the bytes of a fuzzer.
pub trait Choices {
    /// The next bits: 64 of a seed, 32 of a fuzzer's bytes.
    fn bits(&mut self) -> u64;

    /// A number below `n`; 0 when `n` is 0.
    fn below(&mut self, n: usize) -> usize {
        (self.bits() % n.max(1) as u64) as usize
    }

    /// Whether an event of so many percent happens.
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

/// Where an operand's elements lie, counted in elements.
#[derive(Clone, Debug)]
pub struct Lay {
    /// The shape, whose size is 1 on the axes that broadcast.
    pub shape: Vec<usize>,
    /// Elements from a step of an axis to the next.
    pub strides: Vec<isize>,
    /// The element `[0, 0, ...]`, counted from the lowest one.
    pub first: usize,
    /// The elements from the lowest to the highest, both included.
    pub span: usize,
}

/// Sizes of the axes of single operators.
const SIZES: [usize; 18] = [2, 3, 4, 5, 6, 7, 8, 9, 12, 15, 16, 17, 24, 31, 32, 33, 48, 64];
/// Sizes of the axes of programs.
const PROGRAM_SIZES: [usize; 15] = [1, 2, 3, 4, 5, 7, 8, 11, 16, 17, 31, 33, 64, 100, 257];

/// A shape of two to five axes, of at most `most` elements.
pub fn shape(from: &mut impl Choices, most: usize) -> Vec<usize> {
    let rank = 2 + from.below(4);
    shape_of(from, rank, &SIZES, most)
}

/// A shape of up to five axes, of at most `most` elements; axes of size 1 are among them, and rarely one of size 0.
pub fn program_shape(from: &mut impl Choices, most: usize) -> Vec<usize> {
    let rank = from.below(6);
    let mut shape = shape_of(from, rank, &PROGRAM_SIZES, most);
    if rank > 0 && from.below(300) == 0 {
        shape[from.below(rank)] = 0;
    }
    shape
}

fn shape_of(from: &mut impl Choices, rank: usize, sizes: &[usize], most: usize) -> Vec<usize> {
    let mut shape: Vec<usize> = (0..rank).map(|_| from.one(sizes)).collect();
    while shape.iter().product::<usize>() > most {
        let drawn = from.below(rank);
        // Choices that have run out draw the same axis for ever: one that can be halved, then.
        let axis = (drawn..rank).chain(0..drawn).find(|&axis| shape[axis] > 1).expect("the product is more than 1");
        shape[axis] /= 2;
    }
    shape
}

/// How an operand may differ from a dense one.
#[derive(Clone, Copy, Debug)]
pub struct Oddities {
    /// Axes are kept in so many percent; the others broadcast.
    pub kept: usize,
    /// Axes are stored in an order of their own in so many percent of the operands.
    pub permuted: usize,
    /// An axis is walked with a step in so many percent.
    pub stepped: usize,
    /// An axis runs backwards in so many percent.
    pub reversed: usize,
    /// An axis is followed by a gap in so many percent.
    pub gaps: usize,
    /// An axis of full size has stride 0 in so many percent: for inputs.
    pub repeated: usize,
}

impl Oddities {
    /// What inputs have; `kept` percent of the axes do not broadcast.
    pub const fn input(kept: usize) -> Oddities {
        Oddities { kept, permuted: 60, stepped: 40, reversed: 12, gaps: 30, repeated: 2 }
    }

    /// What outputs have that are given with a layout.
    pub const OUTPUT: Oddities = Oddities { kept: 100, repeated: 0, ..Oddities::input(100) };

    /// A dense layout with its axes stored in any order.
    pub const PERMUTED: Oddities = Oddities { kept: 100, permuted: 100, stepped: 0, reversed: 0, gaps: 0, repeated: 0 };
}

/// A layout of an operand that broadcasts to `shape`.
pub fn lay(from: &mut impl Choices, shape: &[usize], oddities: Oddities) -> Lay {
    let rank = shape.len();
    let own: Vec<usize> = shape.iter().map(|&n| if from.percent(oddities.kept) { n } else { 1 }).collect();
    let mut order: Vec<usize> = (0..rank).collect();
    if from.percent(oddities.permuted) {
        (1..rank).rev().for_each(|i| order.swap(i, from.below(i + 1)));
    }
    let stepped = from.percent(oddities.stepped);
    let (mut strides, mut step, mut first) = (vec![0isize; rank], 1usize, 0usize);
    for &axis in order.iter().rev() {
        let n = own[axis];
        if n <= 1 {
            // Nothing is walked along the axis, so any stride is allowed.
            strides[axis] = from.one(&[0, step as isize, -7]);
            continue;
        }
        if from.percent(oddities.repeated) {
            continue;
        }
        let stride = step * if stepped { from.one(&[1, 1, 1, 1, 2, 3]) } else { 1 };
        strides[axis] = stride as isize;
        if from.percent(oddities.reversed) {
            strides[axis] = -strides[axis];
            first += stride * (n - 1);
        }
        step = stride * n + if from.percent(oddities.gaps) { from.below(3) } else { 0 };
    }
    let steps = own.iter().zip(&strides).map(|(&n, s)| n.saturating_sub(1) * s.unsigned_abs());
    let (span, mut shape) = (1 + steps.sum::<usize>(), own);
    // Leading axes of size 1 may as well be absent.
    let leading = shape.iter().take_while(|&&n| n == 1).count();
    let dropped = if oddities.kept < 100 { from.below(leading + 1) } else { 0 };
    shape.drain(..dropped);
    strides.drain(..dropped);
    Lay { shape, strides, first, span }
}

impl Lay {
    /// The strides over the axes of an iteration shape of rank `rank`, aligned at the last axis: 0 where the operand broadcasts.
    pub fn broadcast(&self, rank: usize) -> Vec<isize> {
        let own = self.shape.iter().zip(&self.strides).map(|(&n, &s)| if n == 1 { 0 } else { s });
        core::iter::repeat_n(0, rank - self.shape.len()).chain(own).collect()
    }
}

/// The shape that operands of these shapes broadcast to by NumPy's rule.
pub fn common(lays: &[Lay]) -> Vec<usize> {
    let rank = lays.iter().map(|lay| lay.shape.len()).max().unwrap_or(0);
    let size = |lay: &Lay, axis: usize| (axis + lay.shape.len()).checked_sub(rank).map_or(1, |at| lay.shape[at]);
    (0..rank).map(|axis| lays.iter().map(|lay| size(lay, axis)).find(|&n| n != 1).unwrap_or(1)).collect()
}
