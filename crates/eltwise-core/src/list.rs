//! Short lists of numbers: [`List`] is stored inline up to a length, on the heap beyond it.

use alloc::vec::Vec;
use core::cmp::Ordering;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::ops::{Deref, DerefMut};

/// A list of numbers, stored inline up to `N` items.
///
/// The planner copies many lists. A copy of an inline list copies all `N` items, independent of the length: a few vector
/// moves, without a call or a loop.
#[derive(Clone)]
pub struct List<T, const N: usize>(Items<T, N>);

#[derive(Clone)]
enum Items<T, const N: usize> {
    /// The first `length` items. The values of the others are unspecified.
    Short {
        length: u8,
        items: [T; N],
    },
    Long(Vec<T>),
}

impl<T: Copy + Default, const N: usize> List<T, N> {
    /// An empty list.
    #[inline]
    pub fn new() -> List<T, N> {
        const { assert!(N < 256) };
        List(Items::Short { length: 0, items: [T::default(); N] })
    }

    /// A list of `length` zeros.
    #[inline]
    pub fn zeros(length: usize) -> List<T, N> {
        if length > N {
            return List(Items::Long(alloc::vec![T::default(); length]));
        }
        List(Items::Short { length: length as u8, items: [T::default(); N] })
    }

    /// A list of these items.
    #[inline]
    pub fn from_slice(given: &[T]) -> List<T, N> {
        let mut list = List::zeros(given.len());
        // For a few items, a loop is faster than the call of `copy_from_slice`.
        list.iter_mut().zip(given).for_each(|(item, &given)| *item = given);
        list
    }

    /// The items.
    #[inline]
    pub fn as_slice(&self) -> &[T] {
        match &self.0 {
            // The length is at most N. `get` compiles without a panic.
            Items::Short { length, items } => items.get(..usize::from(*length)).unwrap_or(items),
            Items::Long(items) => items,
        }
    }

    /// The items.
    #[inline]
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        match &mut self.0 {
            Items::Short { length, items } => {
                let length = usize::from(*length).min(N);
                &mut items[..length]
            }
            Items::Long(items) => items,
        }
    }

    /// The length and the inline array, whose items after the length are unspecified; `None` for a list on the heap.
    #[inline]
    pub(crate) fn inline_items(&self) -> Option<(usize, &[T; N])> {
        match &self.0 {
            Items::Short { length, items } => Some((usize::from(*length), items)),
            Items::Long(_) => None,
        }
    }

    /// Adds an item at the end.
    #[inline]
    pub fn push(&mut self, item: T) {
        match &mut self.0 {
            Items::Short { length, items } => match items.get_mut(usize::from(*length)) {
                Some(place) => {
                    *place = item;
                    *length += 1;
                }
                None => self.grow(item),
            },
            Items::Long(items) => items.push(item),
        }
    }

    #[cold]
    fn grow(&mut self, item: T) {
        let mut items = Vec::with_capacity(2 * N + 1);
        items.extend_from_slice(self);
        items.push(item);
        self.0 = Items::Long(items);
    }

    /// Removes all items.
    #[inline]
    pub fn clear(&mut self) {
        match &mut self.0 {
            Items::Short { length, .. } => *length = 0,
            Items::Long(items) => items.clear(),
        }
    }
}

impl<T: Copy + Default, const N: usize> Default for List<T, N> {
    #[inline]
    fn default() -> List<T, N> {
        List::new()
    }
}

impl<T: Copy + Default, const N: usize> Deref for List<T, N> {
    type Target = [T];
    #[inline]
    fn deref(&self) -> &[T] {
        self.as_slice()
    }
}

impl<T: Copy + Default, const N: usize> DerefMut for List<T, N> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        self.as_mut_slice()
    }
}

impl<T: Copy + Default, const N: usize> FromIterator<T> for List<T, N> {
    #[inline]
    fn from_iter<I: IntoIterator<Item = T>>(given: I) -> List<T, N> {
        let mut list = List::new();
        given.into_iter().for_each(|item| list.push(item));
        list
    }
}

impl<'a, T: Copy + Default, const N: usize> IntoIterator for &'a List<T, N> {
    type Item = &'a T;
    type IntoIter = core::slice::Iter<'a, T>;
    #[inline]
    fn into_iter(self) -> core::slice::Iter<'a, T> {
        self.iter()
    }
}

impl<T: Copy + Default + PartialEq, const N: usize> PartialEq for List<T, N> {
    // For a few items, a loop is faster than the call of `memcmp`.
    #[inline]
    fn eq(&self, other: &List<T, N>) -> bool {
        self.len() == other.len() && self.iter().zip(other).all(|(a, b)| a == b)
    }
}

impl<T: Copy + Default + Eq, const N: usize> Eq for List<T, N> {}

impl<T: Copy + Default + Ord, const N: usize> PartialOrd for List<T, N> {
    fn partial_cmp(&self, other: &List<T, N>) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T: Copy + Default + Ord, const N: usize> Ord for List<T, N> {
    fn cmp(&self, other: &List<T, N>) -> Ordering {
        self.as_slice().cmp(other)
    }
}

impl<T: Copy + Default + Hash, const N: usize> Hash for List<T, N> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_slice().hash(state);
    }
}

impl<T: Copy + Default + fmt::Debug, const N: usize> fmt::Debug for List<T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_slice().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bytes that a list writes to a hasher.
    fn hashed_bytes(list: &List<usize, 4>) -> Vec<u8> {
        struct Recorder(Vec<u8>);
        impl Hasher for Recorder {
            fn finish(&self) -> u64 {
                0
            }
            fn write(&mut self, bytes: &[u8]) {
                self.0.extend_from_slice(bytes);
            }
        }
        let mut recorder = Recorder(Vec::new());
        list.hash(&mut recorder);
        recorder.0
    }

    #[test]
    fn lists_hash_as_their_items() {
        let (short, long) = (List::from_slice(&[1, 2]), List::from_slice(&[1, 2, 3, 4, 5]));
        assert_ne!(hashed_bytes(&short), hashed_bytes(&long));
        assert_ne!(hashed_bytes(&short), hashed_bytes(&List::from_slice(&[1, 3])));
        let mut grown = List::zeros(5);
        grown.clear();
        [1, 2].into_iter().for_each(|i| grown.push(i));
        assert!(grown.inline_items().is_none() && grown == short);
        assert_eq!(hashed_bytes(&grown), hashed_bytes(&short));
    }

    #[test]
    fn inline_and_heap_lists_behave_alike() {
        for count in 0..10usize {
            let items: Vec<usize> = (1..=count).collect();
            let list: List<usize, 4> = items.iter().copied().collect();
            assert_eq!(list.as_slice(), items);
            assert_eq!(list, List::from_slice(&items));
            assert_eq!(list, list.clone());
            assert_eq!(List::<usize, 4>::zeros(count).as_slice(), alloc::vec![0; count]);
            let mut other = list.clone();
            other.push(0);
            assert_eq!(other.len(), count + 1);
            assert!(other > list && other != list);
            other.clear();
            assert_eq!(other, List::new());
            // Items after the end do not count.
            items.iter().for_each(|&i| other.push(i));
            assert_eq!(other, list);
            // Up to four items are inline.
            let short = (count <= 4).then_some(count);
            for list in [&list, &List::from_slice(&items), &List::zeros(count)] {
                assert_eq!(list.inline_items().map(|(length, _)| length), short);
            }
            assert_eq!(alloc::format!("{list:?}"), alloc::format!("{items:?}"));
            if let Some(last) = other.last_mut() {
                *last = 0;
                assert!(other < list);
            }
        }
    }
}
