//! The cases of `just perf-check`: small enough that one instruction more is visible in the counts. They are counts of
//! Callgrind's event `Ir` (instruction reads), hence the name of the folder.
//!
//! | for | see |
//! |---|---|
//! | runs | [`runs`] |
//! | binding, parsing and calls | [`plans`] |
//! | fixed hash keys, for the same counts in every process | [`hash_keys`] |
//! | a fixed CPU, for the same counts on every host | [`cpu`] |

pub mod cpu;
pub mod hash_keys;
pub mod plans;
pub mod runs;
