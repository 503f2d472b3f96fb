//! An expression under a mask.

use eltwise_core::Op;

use super::key::{Key, KeyMap, KeySet};
use super::{Apply, Expr, Kind};

impl Expr {
    /// This expression where `mask` is true, else `otherwise`.
    ///
    /// It is `where(mask, self, otherwise)`, but integer divisions by zero and negative exponents of integers count only where
    /// the mask is true: their second operand is 1 elsewhere. `divide` keeps its operand, because promotion makes it a
    /// division of floats. With the output as `otherwise`, the elements that the mask leaves out keep their bits.
    ///
    /// # Example
    /// ```
    /// # use eltwise::Expr;
    /// let (x, m, out) = (Expr::parse("a // b + 1")?, Expr::input("m"), Expr::input("out"));
    /// let masked = x.masked(&m, &out);
    /// assert_eq!(format!("{masked:?}"), "where(m, add(floor_divide(a, where(m, b, 1)), 1), out)");
    /// # Ok::<(), eltwise::Error>(())
    /// ```
    #[must_use]
    pub fn masked(&self, mask: &Expr, otherwise: &Expr) -> Expr {
        let reports = |op: Op| !op.info().conditions.is_empty() && op != Op::Divide;
        let is_literal = |expr: &Expr| matches!(expr.0.kind, Kind::Literal(_));
        let value = self.rebuilt(|mut apply| {
            if reports(apply.op) && !is_literal(&apply.args[1]) {
                apply.args[1] = mask.where_(&apply.args[1], 1);
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
