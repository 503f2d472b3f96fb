//! [`Alignment`]: the common shape of operands, and the axis at which each operand starts.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;

use super::Broadcast;
use crate::error::{BroadcastError, Error};
use crate::list::List;
use crate::shape::Shape;

/// The common shape of operands, and how the axes of each are aligned with it.
///
/// Axis `i` of operand `k` is aligned with axis `starts[k] + i` of `shape`, and has its size or size 1.
///
/// With [`Broadcast::Pdpd`], trailing axes of size 1 of the second operand may have no counterpart: `starts[1] + i` may be the
/// rank of `shape` or more. Callers skip them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Alignment {
    /// The common shape.
    pub shape: Shape,
    /// For each operand, the axis of `shape` that its first axis is aligned with.
    pub starts: List<usize, 4>,
}

impl Broadcast {
    /// The common shape of `shapes`, and how each is aligned with it. Up to rank 6 and 4 operands, there is no heap allocation.
    ///
    /// # Errors
    /// * [`Error::Broadcast`] for shapes that do not broadcast;
    /// * [`Error::Count`] for no operands, for more than two with `Unidirectional` and `Pdpd` (a single operand gives its own
    ///   shape), for a number other than one with `Bidirectional`;
    /// * [`Error::TooLarge`] if the common shape has more than 2^63 - 1 elements.
    pub fn align(&self, shapes: &[&Shape]) -> Result<Alignment, Error> {
        let mut out = Alignment::default();
        self.align_into(shapes, &mut out)?;
        Ok(out)
    }

    /// Aligns as [`Broadcast::align`] does, into `out`, which must be empty.
    ///
    /// # Errors
    /// [`Broadcast::align`] lists them.
    pub fn align_into(&self, shapes: &[&Shape], out: &mut Alignment) -> Result<(), Error> {
        let most = match self {
            Broadcast::None | Broadcast::Numpy => usize::MAX,
            Broadcast::Unidirectional | Broadcast::Pdpd { .. } => 2,
            Broadcast::Bidirectional { .. } => 1,
        };
        if shapes.is_empty() || shapes.len() > most {
            let expected = if most == usize::MAX { 1 } else { most };
            return Err(Error::Count { what: "operands to broadcast", given: shapes.len(), expected });
        }
        match self {
            Broadcast::None => equal(self, shapes, out),
            Broadcast::Numpy => numpy(self, shapes, out),
            Broadcast::Unidirectional => onto_first(self, shapes, out, unidirectional_start),
            Broadcast::Pdpd { axis } => onto_first(self, shapes, out, |a, b| pdpd_start(*axis, a, b)),
            Broadcast::Bidirectional { target } => {
                let both = numpy(self, &[shapes[0], target], out);
                out.starts = List::from_slice(&out.starts[..out.starts.len().min(1)]);
                both
            }
        }
        .map_err(Error::Broadcast)?;
        out.shape.elements().map(|_| ())
    }
}

/// The common shape of `shapes` under `mode`: the shape of [`Broadcast::align`].
///
/// # Errors
/// [`Broadcast::align`] lists them.
pub fn broadcast_shapes(mode: &Broadcast, shapes: &[&Shape]) -> Result<Shape, Error> {
    mode.align(shapes).map(|a| a.shape)
}

/// All shapes equal.
#[inline]
fn equal(mode: &Broadcast, shapes: &[&Shape], out: &mut Alignment) -> Result<(), Box<BroadcastError>> {
    let first = shapes[0];
    for (k, &shape) in shapes.iter().enumerate() {
        if shape.dims() != first.dims() {
            return Err(broadcast_error(mode, shapes, (0, k), unequal(first, shape)));
        }
    }
    shapes.iter().for_each(|_| out.starts.push(0));
    out.shape = first.clone();
    Ok(())
}

/// Right-aligned; every size is the common one or 1.
#[inline]
fn numpy(mode: &Broadcast, shapes: &[&Shape], out: &mut Alignment) -> Result<(), Box<BroadcastError>> {
    let rank = shapes.iter().map(|s| s.rank()).max().unwrap_or(0);
    out.shape = Shape::ones(rank);
    let common = out.shape.dims_mut();
    for (k, shape) in shapes.iter().enumerate() {
        let start = rank - shape.rank();
        for (i, (c, &d)) in common[start..].iter_mut().zip(shape.iter()).enumerate() {
            if *c == 1 {
                *c = d;
            } else if d != *c && d != 1 {
                return Err(numpy_error(mode, shapes, k, start + i, rank));
            }
        }
        out.starts.push(start);
    }
    Ok(())
}

/// The first operand has the common shape. `start` gives the axis at which the second starts, or the rule that it
/// breaks.
fn onto_first(
    mode: &Broadcast,
    shapes: &[&Shape],
    out: &mut Alignment,
    start: impl Fn(&[usize], &[usize]) -> Result<usize, String>,
) -> Result<(), Box<BroadcastError>> {
    out.starts.push(0);
    if let [a, b] = shapes {
        let first = start(a, b).map_err(|rule| broadcast_error(mode, shapes, (0, 1), rule))?;
        for (i, (&d, &c)) in b.iter().zip(&a[first..]).enumerate() {
            if d != c && d != 1 {
                let rule = format!("axis {} is {c} and {d}, and only the second operand broadcasts", first + i);
                return Err(broadcast_error(mode, shapes, (0, 1), rule));
            }
        }
        out.starts.push(first);
    }
    out.shape = shapes[0].clone();
    Ok(())
}

/// The axis of A at which B starts: right-aligned, if B's rank is not above A's.
fn unidirectional_start(a: &[usize], b: &[usize]) -> Result<usize, String> {
    a.len().checked_sub(b.len()).ok_or_else(|| rank_above(a, b))
}

/// The axis of A at which B starts, if B without its trailing 1s ends within A.
fn pdpd_start(axis: i64, a: &[usize], b: &[usize]) -> Result<usize, String> {
    let default = a.len().checked_sub(b.len()).ok_or_else(|| rank_above(a, b))?;
    let counted = b.iter().rposition(|&d| d != 1).map_or(0, |last| last + 1);
    match axis {
        -1 => Ok(default),
        ..-1 => Err(format!("axis {axis} is negative; the only negative axis is -1, the default")),
        0.. => usize::try_from(axis).ok().filter(|&at| at <= a.len() - counted).ok_or_else(|| {
            format!(
                "the second operand does not fit: its {counted} axes (without trailing 1s) at axis {axis} exceed rank {}",
                a.len()
            )
        }),
    }
}

#[cold]
fn broadcast_error(mode: &Broadcast, shapes: &[&Shape], operands: (usize, usize), rule: String) -> Box<BroadcastError> {
    let shapes = shapes.iter().map(|&s| s.clone()).collect();
    Box::new(BroadcastError { mode: mode.clone(), shapes, operands, rule })
}

/// The error for operand `k`, whose size on `axis` of the common shape is neither 1 nor that of an earlier operand.
#[cold]
fn numpy_error(mode: &Broadcast, shapes: &[&Shape], k: usize, axis: usize, rank: usize) -> Box<BroadcastError> {
    let size = |s: &Shape| axis.checked_sub(rank - s.rank()).map_or(1, |i| s[i]);
    let other = shapes.iter().position(|s| size(s) != 1).unwrap_or(0);
    let mut rule = format!("axis {axis} is {} and {}", size(shapes[other]), size(shapes[k]));
    if shapes[other].rank() != shapes[k].rank() || shapes[k].rank() != rank {
        rule += &format!(" (right-aligned to rank {rank})");
    }
    broadcast_error(mode, shapes, (other, k), rule)
}

#[cold]
fn unequal(a: &[usize], b: &[usize]) -> String {
    match a.iter().zip(b).position(|(x, y)| x != y) {
        _ if a.len() != b.len() => format!("rank is {} and {}", a.len(), b.len()),
        Some(axis) => format!("axis {axis} is {} and {}", a[axis], b[axis]),
        None => String::from("the shapes differ"),
    }
}

#[cold]
fn rank_above(a: &[usize], b: &[usize]) -> String {
    format!("the second operand has rank {}, above the first operand's {}", b.len(), a.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;
    use alloc::string::ToString;
    use alloc::vec;
    use alloc::vec::Vec;

    fn align(mode: &Broadcast, shapes: &[&[usize]]) -> Result<(Vec<usize>, Vec<usize>), Error> {
        let shapes: Vec<Shape> = shapes.iter().map(|&s| s.into()).collect();
        let a = mode.align(&shapes.iter().collect::<Vec<_>>())?;
        Ok((a.shape.to_vec(), a.starts.to_vec()))
    }

    fn message(mode: &Broadcast, shapes: &[&[usize]]) -> String {
        align(mode, shapes).unwrap_err().to_string()
    }

    #[test]
    fn numpy_aligns_right() {
        let numpy = Broadcast::Numpy;
        assert_eq!(align(&numpy, &[&[3, 2, 1, 4], &[5, 4]]).unwrap(), (vec![3, 2, 5, 4], vec![0, 2]));
        assert_eq!(align(&numpy, &[&[], &[2, 0], &[1]]).unwrap(), (vec![2, 0], vec![2, 0, 1]));
        assert_eq!(align(&numpy, &[&[4, 2]]).unwrap(), (vec![4, 2], vec![0]));
        assert_eq!(align(&numpy, &[&[1; 70], &[3]]).unwrap().1, [0, 69]);
    }

    #[test]
    fn errors_name_operands_axis_and_mode() {
        let numpy = Broadcast::Numpy;
        assert_eq!(
            message(&numpy, &[&[3, 4], &[5, 4]]),
            "cannot broadcast [3, 4] with [5, 4] (numpy): axis 0 is 3 and 5"
        );
        assert_eq!(
            message(&numpy, &[&[1], &[2, 3], &[4]]),
            "cannot broadcast [2, 3] with [4] (numpy): axis 1 is 3 and 4 (right-aligned to rank 2)"
        );
        assert_eq!(
            message(&numpy, &[&[2], &[3], &[1, 1]]),
            "cannot broadcast [2] with [3] (numpy): axis 1 is 2 and 3 (right-aligned to rank 2)"
        );
        for mode in [Broadcast::Unidirectional, Broadcast::Pdpd { axis: -1 }] {
            assert_eq!(
                message(&mode, &[&[3], &[2, 3]]),
                alloc::format!(
                    "cannot broadcast [3] with [2, 3] ({mode}): \
                     the second operand has rank 2, above the first operand's 1"
                )
            );
        }
        assert_eq!(message(&Broadcast::None, &[&[3], &[1]]), "cannot broadcast [3] with [1] (none): axis 0 is 3 and 1");
        assert_eq!(
            message(&Broadcast::None, &[&[3], &[1, 3]]),
            "cannot broadcast [3] with [1, 3] (none): rank is 1 and 2"
        );
        assert_eq!(
            message(&Broadcast::Bidirectional { target: [2].into() }, &[&[3]]),
            "cannot broadcast [3] with [2] (bidirectional to [2]): axis 0 is 3 and 2"
        );
        assert_eq!(
            message(&Broadcast::Pdpd { axis: 1 }, &[&[8, 1, 6, 1], &[7, 1, 5]]),
            "cannot broadcast [8, 1, 6, 1] with [7, 1, 5] (pdpd axis 1): \
             axis 1 is 1 and 7, and only the second operand broadcasts"
        );
        assert_eq!(
            message(&Broadcast::Pdpd { axis: 2 }, &[&[2, 3], &[3]]),
            "cannot broadcast [2, 3] with [3] (pdpd axis 2): \
             the second operand does not fit: its 1 axes (without trailing 1s) at axis 2 exceed rank 2"
        );
    }

    #[test]
    fn unidirectional_keeps_the_first_shape() {
        let mode = Broadcast::Unidirectional;
        assert_eq!(align(&mode, &[&[2, 0], &[1]]).unwrap(), (vec![2, 0], vec![0, 1]));
        assert_eq!(align(&mode, &[&[2]]).unwrap(), (vec![2], vec![0]));
        for (a, b) in [(&[1usize, 3][..], &[2usize, 3][..]), (&[3], &[1, 3]), (&[1], &[0]), (&[2], &[3])] {
            assert_eq!(align(&mode, &[a, b]).unwrap_err().kind(), ErrorKind::Broadcast);
        }
    }

    #[test]
    fn pdpd_places_the_second_shape() {
        let at = |axis, a: &[usize], b: &[usize]| align(&Broadcast::Pdpd { axis }, &[a, b]).map(|r| r.1[1]);
        assert_eq!(at(1, &[2, 3, 4, 5], &[3, 1]).unwrap(), 1);
        assert_eq!(at(-1, &[2, 3, 4, 5], &[4, 1]).unwrap(), 2);
        assert_eq!(at(4, &[2, 3, 4, 5], &[1, 1, 1]).unwrap(), 4);
        assert_eq!(at(2, &[2, 2, 2], &[2, 1]).unwrap(), 2);
        assert_eq!(at(0, &[0], &[1]).unwrap(), 0);
        for axis in [i64::MIN, -2, 5, i64::MAX - 1, i64::MAX] {
            assert!(at(axis, &[2, 3, 4, 5], &[1]).is_err());
        }
        assert!(at(-1, &[1], &[0]).is_err());
        assert!(at(0, &[2], &[2, 1]).is_err());
    }

    #[test]
    fn each_mode_checks_the_number_of_operands() {
        let target = Shape::from([2]);
        for mode in [Broadcast::None, Broadcast::Numpy, Broadcast::Unidirectional, Broadcast::Pdpd { axis: 0 }] {
            assert!(matches!(align(&mode, &[]), Err(Error::Count { given: 0, .. })));
            assert_eq!(align(&mode, &[&[3, 1]]).unwrap(), (vec![3, 1], vec![0]));
        }
        assert!(matches!(align(&Broadcast::Pdpd { axis: 0 }, &[&[], &[], &[]]), Err(Error::Count { given: 3, .. })));
        assert!(matches!(align(&Broadcast::Unidirectional, &[&[], &[], &[]]), Err(Error::Count { given: 3, .. })));
        let to = Broadcast::Bidirectional { target };
        assert!(matches!(align(&to, &[]), Err(Error::Count { given: 0, .. })));
        assert!(matches!(align(&to, &[&[2], &[2]]), Err(Error::Count { given: 2, .. })));
        assert_eq!(align(&to, &[&[3, 1]]).unwrap(), (vec![3, 2], vec![0]));
        assert_eq!(align(&to, &[&[]]).unwrap(), (vec![2], vec![1]));
    }

    #[test]
    fn common_shapes_have_at_most_2_63_elements() {
        let (tall, wide) = ([1 << 40, 1], [1 << 40]);
        assert_eq!(align(&Broadcast::Numpy, &[&tall, &wide]).unwrap_err().kind(), ErrorKind::TooLarge);
        assert_eq!(align(&Broadcast::Numpy, &[&[0, 1 << 40, 1], &wide]).unwrap().0, [0, 1 << 40, 1 << 40]);
    }
}
