//! An expression under a mask.

use eltwise_core::{Broadcast, Op};

use super::key::{Key, KeyMap, KeySet};
use super::{Apply, Expr, Kind, Literal};

impl Expr {
    /// This expression where `mask` is true, else `otherwise`.
    ///
    /// It is `where(mask, self, otherwise)`, but integer divisions by zero and negative exponents of integers count only where
    /// the mask is true: their second operand is `neutral` elsewhere, which is 1, or `true` for a promoting program, where 1 would
    /// promote truth values. In other modes than [`Broadcast::Numpy`] they count for all elements. `divide` keeps its operand,
    /// because promotion makes it a division of floats. With the output as `otherwise`, the elements that the mask leaves out keep
    /// their bits.
    ///
    /// # Example
    /// ```
    /// # use eltwise::Expr;
    /// let (x, m, out) = (Expr::parse("a // b + 1")?, Expr::input("m"), Expr::input("out"));
    /// let masked = x.masked(&m, &out, 1);
    /// assert_eq!(format!("{masked:?}"), "where(m, add(floor_divide(a, where(m, b, 1)), 1), out)");
    /// # Ok::<(), eltwise::Error>(())
    /// ```
    #[must_use]
    pub fn masked(&self, mask: &Expr, otherwise: &Expr, neutral: impl Into<Literal>) -> Expr {
        let neutral = neutral.into();
        let reports = |op: Op| !op.info().conditions.is_empty() && op != Op::Divide;
        let is_literal = |expr: &Expr| matches!(expr.0.kind, Kind::Literal(_));
        let value = self.rebuilt(|mut apply| {
            // In other modes the mask and the operand are not aligned as the result is.
            if reports(apply.op) && apply.broadcast == Broadcast::Numpy && !is_literal(&apply.args[1]) {
                apply.args[1] = mask.where_(&apply.args[1], neutral);
            }
            apply
        });
        mask.where_(value, otherwise)
    }

    /// This expression with every operator changed, operands first.
    pub(super) fn rebuilt(&self, mut change: impl FnMut(Apply) -> Apply) -> Expr {
        let mut rebuilt: KeyMap<Key, Expr> = KeyMap::default();
        for expr in self.post_order(&mut KeySet::default()) {
            let new = match &expr.0.kind {
                Kind::Apply(apply) => {
                    let args = apply.args.iter().map(|arg| rebuilt[&arg.key()].clone()).collect();
                    Expr::new(Kind::Apply(change(Apply { args, ..apply.clone() })), expr.0.span.clone())
                }
                _ => expr.clone(),
            };
            rebuilt.insert(expr.key(), new);
        }
        rebuilt[&self.key()].clone()
    }
}
