//! Maps over the nodes of expressions. A node is identified by its address ([`Key`]).

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

use super::Node;

/// The identity of a node: clones of an expression have the same key. It is valid while the expression exists.
pub(super) type Key = *const Node;

/// A map from keys, or from pairs of a key and something small.
pub(super) type KeyMap<K, V> = HashMap<K, V, BuildHasherDefault<KeyHasher>>;

/// A set of keys.
pub(super) type KeySet = HashSet<Key, BuildHasherDefault<KeyHasher>>;

/// A hasher with one multiplication for each number. The default hasher, which resists chosen keys, takes a fifth of the
/// instructions of parsing a program of seven operators; nobody chooses the addresses of nodes.
#[derive(Default)]
pub(super) struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(byte.into()));
    }
    fn write_u8(&mut self, n: u8) {
        self.write_u64(n.into());
    }
    fn write_usize(&mut self, n: usize) {
        self.write_u64(n as u64);
    }
    fn write_isize(&mut self, n: isize) {
        self.write_u64(n as u64);
    }
    fn write_u64(&mut self, n: u64) {
        // 2^64 divided by the golden ratio (Knuth, The Art of Computer Programming, volume 3, section 6.4).
        self.0 = (self.0.rotate_left(23) ^ n).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
    fn finish(&self) -> u64 {
        // The upper half depends on all bits of an address, and the map uses the lower bits.
        self.0.rotate_left(32)
    }
}
