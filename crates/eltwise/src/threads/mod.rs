//! Executors run the tasks of a plan. [`Executor`] is the trait; its implementations are [`Serial`] (the calling
//! thread), `Rayon` (a rayon pool) and [`Team`](team::Team) (threads that stay awake between runs).

mod executor;
#[cfg(feature = "rayon")]
mod fork;
mod placement;
mod team;

#[cfg(feature = "rayon")]
pub use executor::Rayon;
pub(crate) use executor::tasks_on;
pub use executor::{Executor, RunOptions, Serial, WithOptions};
pub use team::Team;
