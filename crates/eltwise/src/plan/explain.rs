//! Describes a plan in words: [`Plan::explain`].

use core::fmt;

use eltwise_plan::Schedule;
use eltwise_plan::explain::Explain;

use super::Plan;
use super::bind::target_for;

impl Plan {
    /// Describes a run in words, with the tasks of an executor of `width` threads.
    pub fn explain(&self, width: usize) -> impl fmt::Display + '_ {
        Explained { plan: self, width }
    }
}

/// Displays a plan, and makes its schedule if it has none yet.
struct Explained<'a> {
    plan: &'a Plan,
    width: usize,
}

impl fmt::Display for Explained<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bound = &*self.plan.0;
        let before: Vec<&Schedule> = self.plan.earlier_stages().collect();
        match self.plan.exec() {
            Ok(exec) => Explain {
                program: &bound.program,
                schedule: &exec.schedule,
                target: &target_for(&bound.program, bound.isa),
                isa: bound.isa.name(),
                inputs: &bound.inputs,
                width: self.width,
                before: &before,
                stored: bound.stages.as_ref().map_or(&[], |stages| &stages.stored),
            }
            .fmt(f),
            Err(error) => error.fmt(f),
        }
    }
}
