//! The accuracy tier of an expression.

use eltwise_core::Accuracy;

use super::{Apply, Expr};

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
        self.rebuilt(|apply| {
            let tier = apply.accuracy.or(apply.op.info().has_math().then_some(accuracy));
            Apply { accuracy: tier, ..apply }
        })
    }
}
