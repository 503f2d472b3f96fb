//! Quantised operators. `QuantizeLinear` is `saturate(round_half_even(x / scale) + zero_point)`, with a division. The `QLinear`
//! operators are the float operator between dequantised operands and a quantised result, with the same bits.

use eltwise::{DType, Expr, Op};

use super::Call;
use crate::group_program::NIBBLE_SHIFTS;
use crate::node::{
    Alignment, FourBits, Node, Operand, Pairs, Translation, Unsupported, View, data_type, four_bit_data_type,
};

/// How operands 1 and 2 are aligned with operand 0: they are scalars, vectors along `axis`, or have one element for each block.
/// `four_bits`: how the elements of operand 0 lie in memory, if they have four bits.
pub(super) fn views(
    node: &Node<'_>,
    count: usize,
    four_bits: Option<FourBits>,
) -> Result<Vec<(usize, View)>, Unsupported> {
    let axis = node.int("axis", 1)?;
    let size = node.int("block_size", 0)?;
    let (first, others) = match usize::try_from(size) {
        Ok(0) => (Alignment::Numpy, Alignment::AlongAxis(axis)),
        Ok(size) => (Alignment::Split { axis, size }, Alignment::Blocks { axis, size }),
        Err(_) => return Err(node.unsupported(format!("attribute block_size is {size}"))),
    };
    let is_two_per_byte = four_bits == Some(FourBits::TwoPerByte);
    let view = |alignment, pairs| View { alignment, pairs: if is_two_per_byte { pairs } else { Pairs::None } };
    let views = (0..count).map(|operand| match operand {
        0 => (0, view(first, Pairs::TwoPerByte)),
        _ => (operand, view(others, Pairs::Elements)),
    });
    Ok(views.filter(|(_, view)| *view != View::from(Alignment::Numpy)).collect())
}

/// Checks that an attribute, the dtype of floats, is that of the scale, which is its default.
fn check_dtype(call: &Call<'_>, name: &str, scale: DType) -> Result<(), Unsupported> {
    match call.node.int(name, 0)? {
        0 => Ok(()),
        number if data_type(number) == Some(scale) => Ok(()),
        number => Err(call.unsupported(format!("{name} is {number}, expected the dtype of the scale"))),
    }
}

/// The zero point of quantised elements of a dtype, which have four bits or not.
fn zero_point(call: &Call<'_>, index: usize, dtype: DType, has_four_bits: bool) -> Result<Expr, Unsupported> {
    let Some(operand) = call.optional(index) else { return Ok(Expr::from(0).cast(dtype)) };
    if operand.dtype != dtype || operand.four_bits.is_some() != has_four_bits {
        return Err(call.unsupported(format!("operand {index} does not have the dtype of the quantised elements")));
    }
    if operand.four_bits == Some(FourBits::TwoPerByte) {
        return Err(call.unsupported(format!("operand {index}, of a dtype of four bits, is no constant of its own")));
    }
    Ok(operand.expr.clone())
}

/// The elements of an operand. Of a byte with two, the first is moved to the upper half; then both are moved down, which extends
/// their sign.
fn elements(operand: &Operand) -> Expr {
    if operand.four_bits != Some(FourBits::TwoPerByte) {
        return operand.expr.clone();
    }
    operand.expr.shift_left(Expr::input(NIBBLE_SHIFTS)).shift_right(4)
}

/// `x` quantised.
fn quantized(call: &Call<'_>, x: &Expr, scale: &Expr, zero_point: Expr) -> Result<Expr, Unsupported> {
    call.apply(Op::QuantizeLinear, &[x.clone(), scale.clone(), zero_point])
}

/// Operands `first`, `first + 1` and `first + 2` of a `QLinear` operator, dequantised.
fn dequantized(call: &Call<'_>, first: usize) -> Result<Expr, Unsupported> {
    let (x, scale) = (call.operand(first)?, call.operand(first + 1)?);
    let zero_point = zero_point(call, first + 2, x.dtype, false)?;
    call.apply(Op::DequantizeLinear, &[x.expr.clone(), scale.expr.clone(), zero_point])
}

/// A float result quantised with operands `first` and `first + 1`.
fn requantized(call: &Call<'_>, value: &Expr, first: usize) -> Result<Translation, Unsupported> {
    let dtype = call.operand(0)?.dtype;
    let zero_point = zero_point(call, first + 1, dtype, false)?;
    Ok(Translation::new(quantized(call, value, &call.operand(first)?.expr, zero_point)?, dtype))
}

pub(super) fn quantize_linear(call: &Call<'_>) -> Result<Translation, Unsupported> {
    let (x, scale) = (call.operand(0)?, call.operand(1)?);
    let declared = call.node.int("output_dtype", 0)?;
    let whole = data_type(declared).map(|dtype| (dtype, false));
    let known = whole.or_else(|| four_bit_data_type(declared).map(|dtype| (dtype, true)));
    let (dtype, has_four_bits) = match (call.optional(2), declared) {
        (Some(zero_point), 0) => (zero_point.dtype, zero_point.four_bits.is_some()),
        (None, 0) => (DType::U8, false),
        _ => known.ok_or_else(|| call.unsupported(format!("output_dtype is {declared}, which is not supported")))?,
    };
    check_dtype(call, "precision", scale.dtype)?;
    // Integers are quantised as floats of the scale's dtype.
    let value = if x.dtype == scale.dtype { x.expr.clone() } else { x.expr.cast(scale.dtype) };
    let zero_point = zero_point(call, 2, dtype, has_four_bits)?;
    let mut quantized = if scale.dtype == DType::BF16 {
        // The quotient is rounded to the dtype of the scale.
        let quotient = value.divide(&scale.expr).cast(DType::F32);
        quantized(call, &quotient, &Expr::from(1.0f32), zero_point)?
    } else {
        quantized(call, &value, &scale.expr, zero_point)?
    };
    if has_four_bits {
        let [low, high] = if dtype == DType::I8 { [-8, 7] } else { [0, 15] };
        quantized = quantized.clamp(low, high);
    }
    Ok(Translation::new(quantized, dtype))
}

pub(super) fn dequantize_linear(call: &Call<'_>) -> Result<Translation, Unsupported> {
    let (x, scale) = (call.quantized_operand(0)?, call.operand(1)?);
    check_dtype(call, "output_dtype", scale.dtype)?;
    let zero_point = zero_point(call, 2, x.dtype, x.four_bits.is_some())?;
    let is_bf16 = scale.dtype == DType::BF16;
    let factor = if is_bf16 { scale.expr.cast(DType::F32) } else { scale.expr.clone() };
    let value = call.apply(Op::DequantizeLinear, &[elements(x), factor, zero_point])?;
    Ok(Translation::new(if is_bf16 { value.cast(DType::BF16) } else { value }, scale.dtype))
}

pub(super) fn q_linear_add(call: &Call<'_>) -> Result<Translation, Unsupported> {
    requantized(call, &dequantized(call, 0)?.add(dequantized(call, 3)?), 6)
}

pub(super) fn q_linear_mul(call: &Call<'_>) -> Result<Translation, Unsupported> {
    requantized(call, &dequantized(call, 0)?.multiply(dequantized(call, 3)?), 6)
}

pub(super) fn q_linear_sigmoid(call: &Call<'_>) -> Result<Translation, Unsupported> {
    requantized(call, &dequantized(call, 0)?.sigmoid(), 3)
}

pub(super) fn q_linear_leaky_relu(call: &Call<'_>) -> Result<Translation, Unsupported> {
    let alpha = call.node.float("alpha", 0.01)?;
    requantized(call, &dequantized(call, 0)?.leaky_relu(alpha), 3)
}
