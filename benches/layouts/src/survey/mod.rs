//! Benchmark of random layouts (`just survey`): layouts that nobody chose, as factors over a contiguous operation that moves
//! the same cache lines.
//!
//! | for | see |
//! |---|---|
//! | random numbers from a seed | [`random`] |
//! | the distribution of shapes and layouts | [`layout`] |
//! | operations, and a case from its seed and number | [`case`] |
//! | a case and its contiguous operation, bound and checked | [`subject`] |
//! | repeated calls, first calls, and the results of a case | [`timing`] |
//! | NumPy and PyTorch over the same cases | [`peers`] |
//! | percentiles by dtype and technique, the worst cases, JSON | [`report`] |

pub mod case;
pub mod layout;
pub mod peers;
pub mod random;
pub mod report;
pub mod subject;
pub mod timing;
