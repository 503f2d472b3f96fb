//! Orders: the vectors that the steps of a nest make, each a permutation of one window of memory, or of two.
//!
//! A cycle is the fewest whole steps of the outermost loop, with all loops inside, that fill whole vectors: `a a a b b b`
//! of sixteen stretched elements, a short row again and again, every second element. All cycles have the same orders.
//! Neighbouring vectors out of one window are a group, which loads it once.

use eltwise_core::permute_limits::min_repeats;
use eltwise_simd::Permute;
use smallvec::SmallVec;

use super::Loop;

/// The cycle of a nest, for one ISA.
#[derive(Clone, Debug)]
pub(super) struct Orders {
    /// The groups of a cycle, in order.
    pub(super) groups: Box<[Group]>,
    /// The orders of all vectors of a cycle; or one, of all of them.
    pub(super) lines: Box<[Line]>,
    /// Whether a vector needs two windows.
    pub(super) pairs: bool,
    /// The largest offset of a window from a cycle's first element.
    pub(super) last: usize,
    /// Bytes from a cycle's first element to the next one's.
    pub(super) advance: isize,
    /// How often a cycle comes, one after the other, before it advances.
    pub(super) again: usize,
}

/// Neighbouring vectors of a cycle out of the same windows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Group {
    /// Bytes from the cycle's first element to the windows; one window is there twice.
    pub(super) windows: [usize; 2],
    /// The number of vectors.
    pub(super) vectors: usize,
}

/// An order, where no load of it crosses a cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Line(#[allow(dead_code, reason = "read through pointers")] [u8; 64]);

/// The permutes of an ISA for elements of a size.
#[derive(Clone, Copy)]
pub(super) struct Level {
    /// Bytes of a vector and of a window.
    pub(super) bytes: usize,
    /// See [`Permute::BLOCKWISE`](eltwise_simd::Permute::BLOCKWISE).
    pub(super) halves: bool,
    /// See [`Permute::indices`](eltwise_simd::Permute::indices).
    pub(super) order: fn(&[u8]) -> Option<[u8; 64]>,
}

impl Level {
    /// The permutes of level `L` for elements of `SIZE` bytes.
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "no other level arranges"))]
    pub(super) fn of<L: Permute<SIZE>, const SIZE: usize>() -> Level {
        Level { bytes: L::BYTES, halves: L::BLOCKWISE, order: L::indices }
    }
}

/// The largest number of vectors of a cycle.
pub(super) const MOST: usize = 64;
/// The smallest number of vectors of a cycle if the nest has as many: shorter cycles are joined.
const FEWEST: usize = 16;

impl Orders {
    /// The orders of a nest of elements of `size` bytes, whose strides are not negative; `None` when the level has none
    /// for it, or a cycle is too long.
    pub(super) fn new(size: usize, nest: &[Loop], level: Level) -> Option<Orders> {
        let [cut, inside @ ..] = nest else { return None };
        let lanes = level.bytes / size;
        let count: usize = inside.iter().map(|l| l.size).product();
        let mut steps = lanes / gcd(lanes, count);
        // Vectors of one order that share no window are not joined.
        let joins = steps * count > lanes || steps * cut.stride.unsigned_abs() < level.bytes;
        while joins && steps * count < FEWEST * lanes && 8 * steps <= cut.size {
            steps *= 2;
        }
        let vectors = steps * count / lanes;
        if vectors > MOST || nest.iter().any(|l| l.stride < 0) {
            return None;
        }
        let advance = steps as isize * cut.stride;
        Orders::of_cycle(size, &[&[Loop { size: steps, stride: cut.stride }], inside].concat(), vectors, level)
            .map(|orders| Orders { advance, ..orders })
    }

    /// The orders of a nest whose outermost loop, or the one inside it, repeats everything inside. `None` if the level has
    /// none for it, a cycle is longer than `most` vectors, or it repeats too seldom.
    pub(super) fn again(size: usize, nest: &[Loop], level: Level, most: usize) -> Option<Orders> {
        let (advance, repeat, row) = match nest {
            [Loop { size, stride: 0 }, row @ ..] => (0, *size, row),
            [cut, Loop { size, stride: 0 }, row @ ..] => (cut.stride, *size, row),
            _ => return None,
        };
        let (lanes, count) = (level.bytes / size, row.iter().map(|l| l.size).product::<usize>());
        let steps = lanes / gcd(lanes, count);
        let (vectors, times) = (steps * count / lanes, repeat / steps);
        let goes_on = nest[0].stride != 0;
        // Only the last cycles may be cut short.
        let is_whole = !goes_on || repeat.is_multiple_of(steps);
        let fewest = min_repeats(size, vectors);
        if vectors > most || times < fewest || !is_whole || nest.iter().any(|l| l.stride < 0) {
            return None;
        }
        let mut orders = Orders::of_cycle(size, &[&[Loop { size: steps, stride: 0 }], row].concat(), vectors, level)?;
        match &mut *orders.groups {
            // Neighbours of one order.
            [group] if vectors == 1 => group.vectors = times,
            _ => orders.again = times,
        }
        Some(Orders { advance, ..orders })
    }

    /// The orders of a cycle that is a whole nest of so many vectors.
    fn of_cycle(size: usize, nest: &[Loop], vectors: usize, level: Level) -> Option<Orders> {
        let lanes = level.bytes / size;
        let [cut, inside @ ..] = nest else { return None };
        // The places of the elements in order: those inside of a step, again for every step.
        let mut inner: SmallVec<[usize; 64]> = SmallVec::from_slice(&[0]);
        for l in inside.iter().rev() {
            let before = inner.len();
            for i in 1..l.size {
                (0..before).for_each(|at| inner.push(inner[at] + i * l.stride as usize));
            }
        }
        let mut places = (0..cut.size).flat_map(|step| inner.iter().map(move |at| at + step * cut.stride as usize));
        let (mut groups, mut lines): (Vec<Group>, _) = (Vec::new(), Vec::with_capacity(vectors));
        for _ in 0..vectors {
            let mut elements = [0usize; 64];
            let elements = &mut elements[..lanes];
            elements.iter_mut().zip(&mut places).for_each(|(into, at)| *into = at);
            let same = groups.last().and_then(|group| in_windows(elements, size, group.windows, level));
            let bytes = match (same, groups.last_mut()) {
                (Some(bytes), Some(group)) => {
                    group.vectors += 1;
                    bytes
                }
                _ => {
                    let windows = windows_of(elements, size, level)?;
                    groups.push(Group { windows, vectors: 1 });
                    in_windows(elements, size, windows, level)?
                }
            };
            lines.push(Line((level.order)(&bytes[..level.bytes])?));
        }
        Some(Orders {
            pairs: groups.iter().any(|group| group.windows[0] != group.windows[1]),
            last: groups.iter().flat_map(|group| group.windows).max().unwrap_or(0),
            groups: groups.into(),
            lines: lines.into(),
            advance: 0,
            again: 1,
        })
    }

    /// The orders of contiguous elements of `size` bytes that are read backwards. A cycle's window ends with its
    /// first element.
    pub(super) fn backwards(size: usize, level: Level) -> Option<Orders> {
        let mut bytes = [0u8; 64];
        let elements = bytes[..level.bytes].chunks_exact_mut(size).rev();
        elements.enumerate().for_each(|(i, into)| into.iter_mut().zip(i * size..).for_each(|(b, at)| *b = at as u8));
        Some(Orders {
            groups: [Group { windows: [0, 0], vectors: 1 }].into(),
            lines: [Line((level.order)(&bytes[..level.bytes])?)].into(),
            pairs: false,
            last: 0,
            advance: -(level.bytes as isize),
            again: 1,
        })
    }

    /// The elements of a cycle, in vectors.
    pub(super) fn vectors(&self) -> usize {
        self.lines.len()
    }
}

/// The windows that begin with the lowest of the elements, and with the lowest that the first does not reach; or each with the
/// lowest of its half.
fn windows_of(elements: &[usize], size: usize, level: Level) -> Option<[usize; 2]> {
    let low = elements.iter().copied().min()?;
    let second = elements.iter().copied().filter(|at| at - low + size > level.bytes).min();
    if let (true, Some(_)) = (level.halves, second) {
        let (first, second) = elements.split_at(elements.len() / 2);
        return Some([first.iter().copied().min()?, second.iter().copied().min()?]);
    }
    Some([low, second.unwrap_or(low)])
}

/// For each byte of the elements its position in two windows; `None` if an element is in neither window, or not in the window
/// of its half.
#[inline]
fn in_windows(elements: &[usize], size: usize, [first, second]: [usize; 2], level: Level) -> Option<[u8; 64]> {
    let mut bytes = [0u8; 64];
    let apart = level.halves && first != second;
    for (i, (into, &at)) in bytes.chunks_exact_mut(size).zip(elements).enumerate() {
        let inside = |low: usize| at.checked_sub(low).filter(|from| from + size <= level.bytes);
        let (is_lower, is_upper) = (2 * i < elements.len(), 2 * i >= elements.len());
        let lower = inside(first).filter(|_| is_lower || !apart);
        let place = lower.or_else(|| inside(second).filter(|_| is_upper || !apart).map(|from| level.bytes + from))?;
        into.iter_mut().zip(place..).for_each(|(into, at)| *into = at as u8);
    }
    Some(bytes)
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}
