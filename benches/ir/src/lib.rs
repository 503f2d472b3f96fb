//! What `just perf-check` counts: small cases in which every instruction shows.
//!
//! | question | module |
//! |---|---|
//! | which runs? | [`runs`] |
//! | which bindings, parses, and other work before a run? | [`plans`] |
//! | why do counts not depend on the day? | [`fixed`] |
//! | nor on the host? | [`cpu`] |

pub mod cpu;
pub mod fixed;
pub mod plans;
pub mod runs;
