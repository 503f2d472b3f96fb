//! Plans that are shared whatever they cost, for tests: small operands are worth no second task.

use eltwise_plan::Error;

use crate::plan::Plan;

impl Plan {
    /// This plan, of which every stage is cut into as many tasks as its executor is wide and it has units, whatever they
    /// cost. For tests; no bit depends on it.
    ///
    /// # Errors
    /// None for a plan that is there.
    #[doc(hidden)]
    pub fn shared_at_any_cost(mut self) -> Result<Plan, Error> {
        self.0.cost.tasks = self.whole()?.schedule.units().max(1);
        if let Some(stages) = &mut self.0.stages {
            stages.share_at_any_cost();
        }
        Ok(self)
    }
}
