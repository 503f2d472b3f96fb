//! The tier of accuracy of an expression.

use std::collections::HashMap;

use eltwise_plan::Accuracy;

use super::lower::{Key, key};
use super::{Apply, Expr, Kind};

impl Expr {
    /// This expression with a tier of accuracy for all its math operators (`exp`, `sin`, `gelu`, ...) that have none of their own yet: the
    /// innermost call decides. Without, they are [`Accuracy::Fast`].
    ///
    /// [`Accuracy::Exact`] over f64 is an error of [`lower()`](super::lower()).
    ///
    /// # Example
    /// ```
    /// # use eltwise::{Accuracy, DType, Expr, Program};
    /// let x = Expr::input("x");
    /// let mixed = (x.exp().accuracy(Accuracy::Exact) + x.sin()).sqrt();
    /// assert_eq!(format!("{mixed:?}"), "sqrt(add(exp(x, accuracy=exact), sin(x)))");
    /// let all = Program::new(&[&mixed.accuracy(Accuracy::Exact)], &[("x", DType::F32)])?;
    /// # let _ = all;
    /// # Ok::<(), eltwise::Error>(())
    /// ```
    #[must_use]
    pub fn accuracy(&self, accuracy: Accuracy) -> Expr {
        let mut made: HashMap<Key, Expr> = HashMap::new();
        let mut stack = vec![(self, false)];
        while let Some((expr, ready)) = stack.pop() {
            if made.contains_key(&key(expr.as_node())) {
                continue;
            }
            let Kind::Apply(apply) = &expr.0.kind else {
                made.insert(key(expr.as_node()), expr.clone());
                continue;
            };
            if !ready {
                stack.push((expr, true));
                stack.extend(apply.args.iter().map(|arg| (arg, false)));
                continue;
            }
            let args = apply.args.iter().map(|arg| made[&key(arg.as_node())].clone()).collect();
            let own = apply.accuracy.or(apply.op.info().has_math().then_some(accuracy));
            let apply = Apply { args, accuracy: own, ..apply.clone() };
            made.insert(key(expr.as_node()), Expr::new(Kind::Apply(apply), expr.0.span.clone()));
        }
        made[&key(self.as_node())].clone()
    }
}
