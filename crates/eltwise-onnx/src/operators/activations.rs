//! Activations that are compositions, or chosen by an attribute.

use eltwise::Expr;

use super::Call;
use crate::node::{Translation, Unsupported};

/// The result over operand 0, with its dtype.
fn of_first(call: &Call<'_>, expr: impl FnOnce(&Expr) -> Expr) -> Result<Translation, Unsupported> {
    let x = call.operand(0)?;
    Ok(Translation::new(expr(&x.expr), x.dtype))
}

/// x HardSigmoid(x) with alpha = 1/6 and beta = 1/2, which is another composition than our `hard_swish`.
pub(super) fn hard_swish(call: &Call<'_>) -> Result<Translation, Unsupported> {
    of_first(call, |x| x.multiply(x.hard_sigmoid(1.0f32 / 6.0, 0.5f32)))
}

pub(super) fn gelu(call: &Call<'_>) -> Result<Translation, Unsupported> {
    match call.node.text("approximate", "none")? {
        "none" => of_first(call, Expr::gelu),
        "tanh" => of_first(call, Expr::gelu_tanh),
        other => Err(call.unsupported(format!("attribute approximate is {other:?}, expected none or tanh"))),
    }
}

pub(super) fn bias_gelu(call: &Call<'_>) -> Result<Translation, Unsupported> {
    let bias = call.operand(1)?.expr.clone();
    of_first(call, |x| x.add(bias).gelu())
}

pub(super) fn fast_gelu(call: &Call<'_>) -> Result<Translation, Unsupported> {
    let bias = call.optional(1).map(|bias| bias.expr.clone());
    of_first(call, |x| bias.map_or_else(|| x.gelu_tanh(), |bias| x.add(bias).gelu_tanh()))
}

/// x, or slope x for negative x. ONNX says that the slope broadcasts to the shape of x; ONNX Runtime broadcasts both.
pub(super) fn prelu(call: &Call<'_>) -> Result<Translation, Unsupported> {
    let (x, slope) = (call.operand(0)?, &call.operand(1)?.expr);
    if x.dtype.is_float() {
        return of_first(call, |x| x.prelu(slope));
    }
    let scaled = x.expr.multiply(slope);
    of_first(call, |x| x.less(0).where_(scaled, x))
}
