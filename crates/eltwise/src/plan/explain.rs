//! Describes a plan in words: [`Plan::explain`].

use core::fmt;

use eltwise_plan::Schedule;
use eltwise_plan::explain::Explain;

use super::Plan;
use crate::exec::target_of;

impl Plan {
    /// Describes a run in words, with the tasks of an executor of `width` threads.
    pub fn explain(&self, width: usize) -> impl fmt::Display + '_ {
        Explained(self, width)
    }
}

/// Displays a plan with the tasks of an executor of that width, and makes its schedule if it has none yet.
struct Explained<'a>(&'a Plan, usize);

impl fmt::Display for Explained<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let &Explained(plan, width) = self;
        let bound = &*plan.0;
        let before: Vec<&Schedule> = plan.earlier_stages().collect();
        match plan.exec() {
            Ok(exec) => Explain {
                program: &bound.program,
                schedule: &exec.schedule,
                target: &target_of(&exec.schedule, bound.isa),
                isa: bound.isa.name(),
                inputs: &bound.inputs,
                width,
                before: &before,
                stored: bound.stages.as_ref().map_or(&[], |stages| &stages.stored),
                chains: &exec.chains().collect::<Vec<_>>(),
            }
            .fmt(f),
            Err(error) => error.fmt(f),
        }
    }
}
