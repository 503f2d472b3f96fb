//! The fit of the cost model to this machine (`just fit-cost`): times random layouts in every way that the planner has, and
//! looks for the constants of a [`CpuModel`](eltwise::CpuModel) that predict these times best.
//!
//! | for | see |
//! |---|---|
//! | the constants of a model, as a list | [`constants`] |
//! | timed plans | [`sample`] |
//! | the search for constants, and how well they predict | [`descent`] |

pub mod constants;
pub mod descent;
pub mod sample;
