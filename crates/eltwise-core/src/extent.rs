//! The number of elements of a shape, and of their bytes; an error if the address space cannot hold them.

use crate::error::Error;
use crate::shape::Shape;

impl Shape {
    /// The number of elements; an error above 2^63 - 1. A shape with a zero has no elements, even if the product of the other
    /// axes overflows.
    #[inline]
    pub fn elements(&self) -> Result<usize, Error> {
        let (mut elements, mut too_many) = (1usize, false);
        for &d in self.dims() {
            let (product, wraps) = elements.overflowing_mul(d);
            elements = product;
            too_many |= wraps;
        }
        if !too_many && elements <= isize::MAX as usize {
            return Ok(elements);
        }
        if self.contains(&0) { Ok(0) } else { Err(self.too_large(1)) }
    }

    #[cold]
    pub(crate) fn too_large(&self, element_bytes: usize) -> Error {
        Error::TooLarge { shape: self.clone(), element_bytes }
    }

    /// The number of bytes of a dense array with elements of `size` bytes; an error above `isize::MAX`.
    pub fn bytes(&self, size: usize) -> Result<usize, Error> {
        self.elements()?.checked_mul(size).filter(|&n| n <= isize::MAX as usize).ok_or_else(|| self.too_large(size))
    }
}
