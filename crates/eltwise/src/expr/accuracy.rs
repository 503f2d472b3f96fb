//! The accuracy tier of an expression.

use eltwise_core::Accuracy;

use super::key::{Key, KeyMap, KeySet};
use super::{Apply, Expr, Kind};

impl Expr {
    /// This expression with an accuracy tier for all its math operators (`exp`, `sin`, `gelu`, ...) that have no tier yet:
    /// the innermost call decides. Math operators without a tier are [`Accuracy::Fast`]. Other operators do not change.
    ///
    /// [`lower()`](super::lower()) returns an error for [`Accuracy::CorrectlyRounded`] over `f64`.
    ///
    /// # Example
    /// ```
    /// # use eltwise::{Accuracy, DType, Expr, Program};
    /// let x = Expr::input("x");
    /// let mixed = (x.exp().accuracy(Accuracy::CorrectlyRounded) + x.sin()).sqrt();
    /// assert_eq!(format!("{mixed:?}"), "sqrt(add(exp(x, accuracy=correct), sin(x)))");
    /// let all = Program::new(&[&mixed.accuracy(Accuracy::CorrectlyRounded)], &[("x", DType::F32)])?;
    /// # let _ = all;
    /// # Ok::<(), eltwise::Error>(())
    /// ```
    #[must_use]
    pub fn accuracy(&self, accuracy: Accuracy) -> Expr {
        let mut rebuilt: KeyMap<Key, Expr> = KeyMap::default();
        for expr in self.post_order(&mut KeySet::default()) {
            let new = match &expr.0.kind {
                Kind::Apply(apply) => {
                    let args = apply.args.iter().map(|arg| rebuilt[&arg.key()].clone()).collect();
                    let tier = apply.accuracy.or(apply.op.info().has_math().then_some(accuracy));
                    let apply = Apply { args, accuracy: tier, ..apply.clone() };
                    Expr::new(Kind::Apply(apply), expr.0.span.clone())
                }
                _ => expr.clone(),
            };
            rebuilt.insert(expr.key(), new);
        }
        rebuilt[&self.key()].clone()
    }
}
