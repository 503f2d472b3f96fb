//! BatchNormalization of inference.

use eltwise::Broadcast;

use super::Call;
use crate::node::{Translation, Unsupported};

/// `x factor + (bias - mean factor)` with `factor = scale / sqrt(variance + epsilon)`, for each channel (axis 1). The factor and the
/// term are of the rank of `scale`, so that a plan may compute them once.
pub(super) fn batch_normalization(call: &Call<'_>) -> Result<Translation, Unsupported> {
    if call.node.int("training_mode", 0)? != 0 {
        return Err(call.unsupported("attribute training_mode is 1, expected 0"));
    }
    if call.node.int("spatial", 1)? != 1 {
        return Err(call.unsupported("attribute spatial is 0, expected 1"));
    }
    let epsilon = call.node.float("epsilon", 1e-5)?;
    let x = call.operand(0)?;
    let [scale, bias, mean, variance] = [1, 2, 3, 4].map(|i| call.operand(i));
    let (scale, bias, mean, variance) = (scale?, bias?, mean?, variance?);
    if [scale, bias, mean, variance].iter().any(|operand| operand.dtype != x.dtype) {
        return Err(call.unsupported("operands have several dtypes, expected one"));
    }
    let factor = scale.expr.divide(variance.expr.add(epsilon).sqrt());
    let term = bias.expr.subtract(mean.expr.multiply(&factor));
    let along_channels = Broadcast::Pdpd { axis: 1 };
    let scaled = x.expr.multiply(factor).broadcast(along_channels.clone());
    Ok(Translation::new(scaled.add(term).broadcast(along_channels), x.dtype))
}
