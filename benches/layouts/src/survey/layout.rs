//! Random shapes and layouts: [`shape`] and [`operand`].

use eltwise::{DType, Error, Layout, Strides};

use super::random::Random;

/// Sizes of axes before a shape is scaled to its number of elements: small ones, powers of 2, and sizes of images and models.
const SIZES: [usize; 24] =
    [2, 3, 4, 5, 6, 7, 8, 11, 13, 16, 17, 24, 31, 32, 49, 56, 64, 96, 100, 128, 197, 224, 256, 768];
/// Ranks of shapes.
const RANKS: [usize; 5] = [2, 3, 4, 5, 6];
/// The probability that an operand has an axis, rather than broadcasting along it.
const KEPT: f64 = 0.6;
/// The probability that the axes are in a random order in memory.
const PERMUTED: f64 = 0.25;
/// The probability that an axis has a random step, and the steps.
const STEPPED: f64 = 0.3;
const STEPS: [usize; 9] = [1, 1, 1, 1, 1, 1, 1, 2, 3];
/// The probability that an axis is cropped on both sides, and the number of elements on each side.
const CROPPED: f64 = 0.1;
const CROPS: [usize; 3] = [0, 1, 2];
/// The probability that one axis is reversed.
const REVERSED: f64 = 0.08;
/// The largest number of elements in memory of an operand with steps; a larger one has none.
const MAX_STEPPED: usize = 8_000_000;

/// The layout of an operand in memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Placed {
    /// Dtype, shape and strides.
    pub layout: Layout,
    /// The byte offset of element `[0, 0, ...]`.
    pub offset: usize,
    /// The number of bytes of the array that the operand is a part of.
    pub bytes: usize,
}

impl Placed {
    /// A contiguous operand in C order.
    ///
    /// # Errors
    /// If it does not fit the address space.
    pub fn contiguous(dtype: DType, shape: &[usize]) -> Result<Placed, Error> {
        let layout = Layout::contiguous(dtype, shape)?;
        Ok(Placed { offset: 0, bytes: layout.elements() * dtype.size(), layout })
    }
}

/// A shape with two to six axes and about `elements` elements.
pub fn shape(random: &mut Random, elements: usize) -> Vec<usize> {
    let rank = random.pick(&RANKS);
    let mut shape: Vec<usize> = (0..rank).map(|_| random.pick(&SIZES)).collect();
    let product = |shape: &[usize]| shape.iter().product::<usize>() as f64;
    while product(&shape) > 1.5 * elements as f64 {
        let axis = random.below(rank);
        shape[axis] = (shape[axis] / 2).max(1);
    }
    let axis = random.below(rank);
    let scaled = shape[axis] as f64 * elements as f64 / product(&shape);
    shape[axis] = (scaled.round_ties_even() as usize).max(1);
    shape
}

/// A random layout that broadcasts to `shape`: a part of an array whose axes are in any order, with steps, crops and a
/// reversed axis. A full operand has all axes of the shape.
///
/// # Errors
/// If it does not fit the address space.
pub fn operand(random: &mut Random, shape: &[usize], dtype: DType, full: bool) -> Result<Placed, Error> {
    let dims: Vec<usize> = shape.iter().map(|&size| if full || random.chance(KEPT) { size } else { 1 }).collect();
    let mut order: Vec<usize> = (0..dims.len()).collect();
    if random.chance(PERMUTED) {
        random.shuffle(&mut order);
    }
    let mut steps: Vec<usize> =
        dims.iter().map(|&size| if size > 1 && random.chance(STEPPED) { random.pick(&STEPS) } else { 1 }).collect();
    let crops: Vec<usize> =
        dims.iter().map(|&size| if size > 1 && random.chance(CROPPED) { random.pick(&CROPS) } else { 0 }).collect();
    if dims.iter().zip(&steps).map(|(size, step)| size * step).product::<usize>() > MAX_STEPPED {
        steps.fill(1);
    }
    let mut strides = vec![0isize; dims.len()];
    let (mut offset, mut bytes) = (0, dtype.size());
    for &axis in order.iter().rev() {
        strides[axis] = (bytes * steps[axis]) as isize;
        offset += bytes * crops[axis];
        bytes *= dims[axis] * steps[axis] + 2 * crops[axis];
    }
    if random.chance(REVERSED) {
        let axis = random.below(dims.len());
        offset += (dims[axis] - 1) * strides[axis] as usize;
        strides[axis] = -strides[axis];
    }
    let layout = Layout::strided(dtype, &dims[..], Strides::new(&strides))?;
    Ok(Placed { layout, offset, bytes })
}

/// A random layout for an output: every axis of the shape, and not in C order without gaps.
///
/// # Errors
/// If it does not fit the address space.
pub fn output(random: &mut Random, shape: &[usize], dtype: DType) -> Result<Placed, Error> {
    loop {
        let placed = operand(random, shape, dtype, true)?;
        if !placed.layout.is_contiguous() {
            return Ok(placed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_have_about_the_elements() {
        for index in 0..500 {
            let shape = shape(&mut Random::new(3, index), 60_000);
            let elements: usize = shape.iter().product();
            assert!(RANKS.contains(&shape.len()));
            // One axis is rounded to a whole size.
            assert!((30_000..=90_000).contains(&elements), "{shape:?}");
        }
    }

    /// Each property of a layout occurs about as often as its probability says.
    #[test]
    fn layouts_have_every_property() {
        let mut random = Random::new(5, 0);
        let count = 4000;
        let [mut broadcast, mut reversed, mut strided, mut cropped] = [0; 4];
        for _ in 0..count {
            let placed = operand(&mut random, &[30, 40], DType::F32, false).unwrap();
            let dims = placed.layout.shape().dims();
            let steps = placed.layout.strides().values();
            let axes = || dims.iter().zip(steps).filter(|(d, _)| **d > 1);
            broadcast += usize::from(dims != [30, 40]);
            reversed += usize::from(steps.iter().any(|&s| s < 0));
            strided += usize::from(axes().count() > 0 && axes().all(|(_, s)| s.unsigned_abs() > 4));
            cropped += usize::from(!placed.bytes.is_multiple_of(4 * placed.layout.elements()));
        }
        let share = |n: usize| n as f64 / f64::from(count);
        assert!((0.6..0.68).contains(&share(broadcast)), "{broadcast}");
        assert!((0.06..0.1).contains(&share(reversed)), "{reversed}");
        assert!((0.04..0.1).contains(&share(strided)), "{strided}");
        assert!((0.05..0.12).contains(&share(cropped)), "{cropped}");
    }
}
