//! Broadcasting without an operator: of views, of arrays, and of [`Elements`] of any `Clone` type, such as strings.
//!
//! [`broadcast`] is the n-ary operator `Broadcast` of SONNX, the safety-related profile of ONNX (ONNX itself has only
//! `Expand`, which is [`broadcast_to`](crate::broadcast_to)): it brings any number of operands, which may have different dtypes,
//! to their common shape and does not change their bits. In NumPy it is `broadcast_arrays`.

use eltwise_core::{Broadcast, Error, Shape, Strides, broadcast_shapes};

use crate::array::Array;
use crate::exec::offset_at;
use crate::functions::copy;
use crate::view::{View, aligned_strides};

/// Views of the operands in their common shape, without copies: repeated axes get stride 0. Operands of shape `[2, 1]` and
/// `[3]` become two views of shape `[2, 3]`, with strides of `[4, 0]` and `[0, 4]` bytes for f32.
///
/// # Errors
/// [`Error::Broadcast`] if the shapes do not broadcast by NumPy's rule; [`Error::Count`] without operands;
/// [`Error::TooLarge`] if the common shape has more than `isize::MAX` elements.
pub fn broadcast<'a>(operands: &[View<'a>]) -> Result<Vec<View<'a>>, Error> {
    broadcast_with(operands, &Broadcast::Numpy)
}

/// Views of the operands in their common shape, in any broadcast mode. See [`broadcast`].
///
/// # Errors
/// [`Error::Broadcast`] if the shapes do not broadcast in this mode; [`Error::Count`] for a number of operands that the
/// mode does not take; [`Error::TooLarge`] if the common shape has more than `isize::MAX` elements.
pub fn broadcast_with<'a>(operands: &[View<'a>], mode: &Broadcast) -> Result<Vec<View<'a>>, Error> {
    let shapes: Vec<&Shape> = operands.iter().map(View::shape).collect();
    let alignment = mode.align(&shapes)?;
    operands.iter().zip(&alignment.starts).map(|(view, &start)| view.aligned(&alignment.shape, start)).collect()
}

/// Contiguous copies of the operands in their common shape.
///
/// # Errors
/// The errors of [`broadcast`]; [`Error::TooLarge`] also without memory for the copies.
pub fn broadcast_arrays(operands: &[View<'_>]) -> Result<Vec<Array>, Error> {
    broadcast(operands)?.iter().map(copy).collect()
}

/// Elements of any type with a shape, contiguous in C order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Elements<T> {
    data: Vec<T>,
    shape: Shape,
}

impl<T> Elements<T> {
    /// Gives `data` a shape.
    ///
    /// # Errors
    /// [`Error::Bounds`] if the shape does not have exactly `data.len()` elements; [`Error::TooLarge`] if it has more than
    /// `isize::MAX`.
    pub fn new(data: Vec<T>, shape: impl Into<Shape>) -> Result<Elements<T>, Error> {
        let shape = shape.into();
        let needed = shape.elements()?;
        if needed != data.len() {
            return Err(Error::Bounds { what: format!("shape {shape} (elements)"), needed, given: data.len() });
        }
        Ok(Elements { data, shape })
    }

    /// The elements.
    pub fn data(&self) -> &[T] {
        &self.data
    }

    /// The elements, by value.
    pub fn into_data(self) -> Vec<T> {
        self.data
    }

    /// The sizes of the axes.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }
}

/// The common shape of operands, and for each of its elements, in C order, the positions of the operands' elements in
/// their data.
fn positions<const N: usize>(shapes: [&Shape; N]) -> Result<(Shape, impl Iterator<Item = [usize; N]> + use<N>), Error> {
    let shape = broadcast_shapes(&Broadcast::Numpy, &shapes)?;
    let (count, rank, sizes) = (shape.elements()?, shape.rank(), shape.clone());
    let strides =
        shapes.map(|operand| aligned_strides(operand, &Strides::contiguous(operand, 1), rank, rank - operand.rank()));
    let all = (0..count).map(move |flat| strides.each_ref().map(|strides| offset_at(flat, &sizes, strides) as usize));
    Ok((shape, all))
}

/// Collects the elements of a shape, or fails without memory: a broadcast shape can be far larger than its operands.
fn collect<T>(shape: Shape, elements: impl Iterator<Item = T>) -> Result<Elements<T>, Error> {
    let mut data = Vec::new();
    data.try_reserve_exact(shape.elements()?)
        .map_err(|_| Error::TooLarge { shape: shape.clone(), element_bytes: size_of::<T>() })?;
    data.extend(elements);
    Ok(Elements { data, shape })
}

/// Clones of operands of any type in their common shape.
///
/// # Errors
/// [`Error::Broadcast`] if the shapes do not broadcast by NumPy's rule; [`Error::Count`] without operands;
/// [`Error::TooLarge`] if the common shape has more than `isize::MAX` elements, or without memory for the copies.
pub fn broadcast_of<T: Clone>(operands: &[&Elements<T>]) -> Result<Vec<Elements<T>>, Error> {
    let shapes: Vec<&Shape> = operands.iter().map(|operand| &operand.shape).collect();
    let common = broadcast_shapes(&Broadcast::Numpy, &shapes)?;
    let broadcast_one = |operand: &&Elements<T>| {
        let (shape, at) = positions([&common, &operand.shape])?;
        collect(shape, at.map(|[_, i]| operand.data[i].clone()))
    };
    operands.iter().map(broadcast_one).collect()
}

/// `x == y`, element by element, for operands of any type in their common shape.
///
/// # Errors
/// [`broadcast_of`] lists them.
pub fn equal_of<T: PartialEq>(x: &Elements<T>, y: &Elements<T>) -> Result<Elements<bool>, Error> {
    let (shape, at) = positions([&x.shape, &y.shape])?;
    collect(shape, at.map(|[i, j]| x.data[i] == y.data[j]))
}

/// `x != y`, element by element, for operands of any type in their common shape.
///
/// # Errors
/// [`broadcast_of`] lists them.
pub fn not_equal_of<T: PartialEq>(x: &Elements<T>, y: &Elements<T>) -> Result<Elements<bool>, Error> {
    let (shape, at) = positions([&x.shape, &y.shape])?;
    collect(shape, at.map(|[i, j]| x.data[i] != y.data[j]))
}

/// `x` where `cond` is true and `y` elsewhere, for operands of any type in their common shape.
///
/// # Errors
/// [`broadcast_of`] lists them.
pub fn where_of<T: Clone>(cond: &Elements<bool>, x: &Elements<T>, y: &Elements<T>) -> Result<Elements<T>, Error> {
    let (shape, at) = positions([&cond.shape, &x.shape, &y.shape])?;
    let select = |[c, i, j]: [usize; 3]| if cond.data[c] { &x.data[i] } else { &y.data[j] };
    collect(shape, at.map(|at| select(at).clone()))
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
        let error = Elements::new(vec![1, 2], [3]).unwrap_err();
        assert_eq!(error.to_string(), "shape [3] (elements) needs 3, 2 given");
    }
}
