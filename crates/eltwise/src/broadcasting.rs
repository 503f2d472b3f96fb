//! Broadcasting by itself: views without copies, arrays, and any `Clone` type (strings, say).
//!
//! These are the SONNX / ONNX `Broadcast` operator: any number of operands of any dtypes, mixed in one call, get the
//! common shape; bits are moved as they are.

use eltwise_plan::{Broadcast, Error, Shape, broadcast_shapes};

use crate::array::Array;
use crate::functions::copy;
use crate::view::View;

/// Views of a common shape, without copying: repeated axes get stride 0.
///
/// # Errors
/// Shapes that do not broadcast by NumPy's rule.
pub fn broadcast<'a>(operands: &[View<'a>]) -> Result<Vec<View<'a>>, Error> {
    broadcast_with(operands, &Broadcast::Numpy)
}

/// As [`broadcast`], by another mode.
///
/// # Errors
/// Shapes that the mode refuses.
pub fn broadcast_with<'a>(operands: &[View<'a>], mode: &Broadcast) -> Result<Vec<View<'a>>, Error> {
    let shapes: Vec<&Shape> = operands.iter().map(View::shape).collect();
    let alignment = mode.align(&shapes)?;
    operands.iter().zip(&alignment.starts).map(|(v, &start)| v.aligned(&alignment.shape, start)).collect()
}

/// Dense copies of operands in a common shape.
///
/// # Errors
/// As [`broadcast`].
pub fn broadcast_arrays(operands: &[View<'_>]) -> Result<Vec<Array>, Error> {
    broadcast(operands)?.iter().map(copy).collect()
}

/// Elements of any type with a shape, dense in C order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Elements<T> {
    data: Vec<T>,
    shape: Shape,
}

impl<T> Elements<T> {
    /// Elements with a shape.
    ///
    /// # Errors
    /// When the shape does not have exactly `data.len()` elements.
    pub fn new(data: Vec<T>, shape: impl Into<Shape>) -> Result<Elements<T>, Error> {
        let shape = shape.into();
        let needed = shape.elements()?;
        if needed != data.len() {
            return Err(Error::Bounds { what: format!("elements of shape {shape}"), needed, given: data.len() });
        }
        Ok(Elements { data, shape })
    }

    /// The elements.
    pub fn data(&self) -> &[T] {
        &self.data
    }

    /// The elements, given up.
    pub fn into_data(self) -> Vec<T> {
        self.data
    }

    /// The sizes of the axes.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The positions in `data` of the elements of this operand, repeated over a larger shape.
    fn positions(&self, shape: &Shape, start: usize) -> Result<impl Iterator<Item = usize> + use<T>, Error> {
        let count = shape.elements()?;
        let mut steps = vec![0usize; shape.rank()];
        let mut step = 1;
        for (axis, &size) in self.shape.iter().enumerate().rev() {
            if size != 1 {
                steps[start + axis] = step;
                // Without elements nothing is walked, whatever the other sizes.
                step = step.wrapping_mul(size);
            }
        }
        let shape = shape.clone();
        Ok((0..count).map(move |flat| {
            let mut rest = flat;
            let mut at = 0;
            for (&size, &step) in shape.iter().zip(&steps).rev() {
                at += rest % size * step;
                rest /= size;
            }
            at
        }))
    }
}

/// Collects the elements of a shape; a shape can be far larger than what it repeats.
fn gather<T>(shape: &Shape, elements: impl Iterator<Item = T>) -> Result<Vec<T>, Error> {
    let mut data = Vec::new();
    data.try_reserve_exact(shape.elements()?)
        .map_err(|_| Error::TooLarge { shape: shape.clone(), element_bytes: size_of::<T>() })?;
    data.extend(elements);
    Ok(data)
}

/// Clones operands of any type into a common shape.
///
/// # Errors
/// Shapes that do not broadcast by NumPy's rule.
pub fn broadcast_of<T: Clone>(operands: &[&Elements<T>]) -> Result<Vec<Elements<T>>, Error> {
    let shapes: Vec<&Shape> = operands.iter().map(|e| &e.shape).collect();
    let alignment = Broadcast::Numpy.align(&shapes)?;
    let mut all = Vec::with_capacity(operands.len());
    for (operand, &start) in operands.iter().zip(&alignment.starts) {
        let data =
            gather(&alignment.shape, operand.positions(&alignment.shape, start)?.map(|at| operand.data[at].clone()))?;
        all.push(Elements { data, shape: alignment.shape.clone() });
    }
    Ok(all)
}

/// `x == y` for operands of any type, broadcast.
///
/// # Errors
/// Shapes that do not broadcast by NumPy's rule.
pub fn equal_of<T: PartialEq>(x: &Elements<T>, y: &Elements<T>) -> Result<Elements<bool>, Error> {
    let shape = broadcast_shapes(&Broadcast::Numpy, &[&x.shape, &y.shape])?;
    let left = x.positions(&shape, shape.rank() - x.shape.rank())?;
    let right = y.positions(&shape, shape.rank() - y.shape.rank())?;
    let data = gather(&shape, left.zip(right).map(|(a, b)| x.data[a] == y.data[b]))?;
    Ok(Elements { data, shape })
}

/// `x != y` for operands of any type, broadcast.
///
/// # Errors
/// Shapes that do not broadcast by NumPy's rule.
pub fn not_equal_of<T: PartialEq>(x: &Elements<T>, y: &Elements<T>) -> Result<Elements<bool>, Error> {
    let mut result = equal_of(x, y)?;
    result.data.iter_mut().for_each(|b| *b = !*b);
    Ok(result)
}

/// `x` where `cond`, else `y`, for operands of any type, broadcast.
///
/// # Errors
/// Shapes that do not broadcast by NumPy's rule.
pub fn where_of<T: Clone>(cond: &Elements<bool>, x: &Elements<T>, y: &Elements<T>) -> Result<Elements<T>, Error> {
    let shape = broadcast_shapes(&Broadcast::Numpy, &[&cond.shape, &x.shape, &y.shape])?;
    let start = |s: &Shape| shape.rank() - s.rank();
    let conditions = cond.positions(&shape, start(&cond.shape))?;
    let left = x.positions(&shape, start(&x.shape))?;
    let right = y.positions(&shape, start(&y.shape))?;
    let picked = conditions.zip(left.zip(right));
    let pick = |(c, (a, b)): (usize, (usize, usize))| if cond.data[c] { &x.data[a] } else { &y.data[b] };
    let data = gather(&shape, picked.map(|at| pick(at).clone()))?;
    Ok(Elements { data, shape })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_broadcast_compare_and_select() {
        let names = Elements::new(vec!["a".to_string(), "b".into(), "c".into()], [3]).unwrap();
        let column = Elements::new(vec!["b".to_string(), "c".into()], [2, 1]).unwrap();
        let both = broadcast_of(&[&names, &column]).unwrap();
        assert_eq!(both[0].data, ["a", "b", "c", "a", "b", "c"]);
        assert_eq!(both[1].data, ["b", "b", "b", "c", "c", "c"]);
        let same = equal_of(&names, &column).unwrap();
        assert_eq!(same.data, [false, true, false, false, false, true]);
        assert!(not_equal_of(&names, &column).unwrap().data[0]);
        let (tall, wide) =
            (Elements::new(vec![0u8], [1]).unwrap(), Elements::new(Vec::<u8>::new(), [1 << 40, 0]).unwrap());
        assert!(broadcast_of(&[&tall, &wide]).unwrap()[0].data.is_empty());
        assert_eq!(where_of(&same, &names, &column).unwrap().data, ["b", "b", "b", "c", "c", "c"]);
        assert!(broadcast_of(&[&names, &Elements::new(vec![String::new(); 2], [2]).unwrap()]).is_err());
        assert!(Elements::new(vec![1, 2], [3]).is_err());
    }
}
