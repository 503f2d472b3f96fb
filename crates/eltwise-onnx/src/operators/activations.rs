//! Activations. Their attributes are f32, whatever the dtype of the operand.

use eltwise::{Broadcast, Expr};

use super::{Call, Output};
use crate::node::Unsupported;

/// The result over operand 0, with its dtype.
fn of_first(call: &Call<'_>, expr: impl FnOnce(&Expr) -> Expr) -> Result<Output, Unsupported> {
    let x = call.operand(0)?;
    Ok(Output::new(expr(&x.expr), x.dtype))
}

pub(super) fn celu(call: &Call<'_>) -> Result<Output, Unsupported> {
    let alpha = call.node.float("alpha", 1.0)?;
    of_first(call, |x| x.celu(alpha))
}

pub(super) fn elu(call: &Call<'_>) -> Result<Output, Unsupported> {
    let alpha = call.node.float("alpha", 1.0)?;
    of_first(call, |x| x.elu(alpha))
}

/// The defaults are ONNX's, which are f32.
pub(super) fn selu(call: &Call<'_>) -> Result<Output, Unsupported> {
    let alpha = call.node.float("alpha", 1.673_263_2)?;
    let gamma = call.node.float("gamma", 1.050_701)?;
    of_first(call, |x| x.parametric_selu(alpha, gamma))
}

pub(super) fn leaky_relu(call: &Call<'_>) -> Result<Output, Unsupported> {
    let alpha = call.node.float("alpha", 0.01)?;
    of_first(call, |x| x.leaky_relu(alpha))
}

pub(super) fn thresholded_relu(call: &Call<'_>) -> Result<Output, Unsupported> {
    let alpha = call.node.float("alpha", 1.0)?;
    of_first(call, |x| x.thresholded_relu(alpha))
}

pub(super) fn shrink(call: &Call<'_>) -> Result<Output, Unsupported> {
    let (lambd, bias) = (call.node.float("lambd", 0.5)?, call.node.float("bias", 0.0)?);
    of_first(call, |x| x.shrink(lambd, bias))
}

pub(super) fn hard_sigmoid(call: &Call<'_>) -> Result<Output, Unsupported> {
    let (alpha, beta) = (call.node.float("alpha", 0.2)?, call.node.float("beta", 0.5)?);
    of_first(call, |x| x.hard_sigmoid(alpha, beta))
}

/// x HardSigmoid(x) with alpha = 1/6 and beta = 1/2, which is another composition than our `hard_swish`.
pub(super) fn hard_swish(call: &Call<'_>) -> Result<Output, Unsupported> {
    of_first(call, |x| x.multiply(x.hard_sigmoid(1.0f32 / 6.0, 0.5f32)))
}

pub(super) fn swish(call: &Call<'_>) -> Result<Output, Unsupported> {
    let alpha = call.node.float("alpha", 1.0)?;
    of_first(call, |x| x.swish(alpha))
}

/// x sigmoid(alpha x).
pub(super) fn quick_gelu(call: &Call<'_>) -> Result<Output, Unsupported> {
    let alpha = call.node.float("alpha", 1.702)?;
    of_first(call, |x| x.swish(alpha))
}

pub(super) fn gelu(call: &Call<'_>) -> Result<Output, Unsupported> {
    match call.node.text("approximate", "none")? {
        "none" => of_first(call, Expr::gelu),
        "tanh" => of_first(call, Expr::gelu_tanh),
        other => Err(call.unsupported(format!("attribute approximate is {other:?}, expected none or tanh"))),
    }
}

pub(super) fn bias_gelu(call: &Call<'_>) -> Result<Output, Unsupported> {
    let bias = call.operand(1)?.expr.clone();
    of_first(call, |x| x.add(bias).gelu())
}

pub(super) fn fast_gelu(call: &Call<'_>) -> Result<Output, Unsupported> {
    let bias = call.optional(1).map(|bias| bias.expr.clone());
    of_first(call, |x| bias.map_or_else(|| x.gelu_tanh(), |bias| x.add(bias).gelu_tanh()))
}

/// x, or slope x for negative x. The slope broadcasts to the shape of x.
pub(super) fn prelu(call: &Call<'_>) -> Result<Output, Unsupported> {
    let (x, slope) = (call.operand(0)?, &call.operand(1)?.expr);
    if x.dtype.is_float() {
        return of_first(call, |x| x.prelu(slope).broadcast(Broadcast::Unidirectional));
    }
    let scaled = x.expr.multiply(slope).broadcast(Broadcast::Unidirectional);
    of_first(call, |x| x.less(0).where_(scaled, x))
}
