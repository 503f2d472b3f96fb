//! Cost classes: operators of one class take the same time per element of a dtype. The planner's cost model has the rates.

/// The cost class of an operator. A column of the [catalogue](mod@crate::catalogue).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CostClass {
    /// Signs, comparisons, logic, bit operations, `where`, moves; activations of a few cheap instructions.
    Plain,
    /// Sums, products and squares, as fast as [`CostClass::Plain`]. Over f16 the conversions take most of the time.
    Arithmetic,
    /// maximum and minimum. Over 16-bit floats they work on the bits.
    Extremum,
    /// Clamps and similar operators over floats.
    Choose,
    /// Rounding to integers.
    Round,
    /// A fused multiply-add.
    Fma,
    /// Operators made of a fused multiply-add, or as slow as one.
    MultiplyAdd,
    /// Division; operators that contain one.
    Divide,
    /// Quotients that are rounded to integers, and remainders.
    Remainder,
    /// The square root.
    Sqrt,
    /// gcd and lcm: loops whose length depends on the values.
    Gcd,
    /// Operators on exponents and neighbouring numbers.
    Exponent,
    /// Scaling by powers of two.
    Scale,
    /// Bit counts.
    CountBits,
    /// Saturating sums and differences.
    SaturatingSum,
    /// Saturating products.
    SaturatingProduct,
    /// Casts.
    Cast,
    /// Exponentials, rsqrt.
    Exp,
    /// Logarithms, tanh, inverse circular functions, roots.
    Log,
    /// Circular functions, erf, expm1, sigmoid and functions made of it.
    Sigmoid,
    /// Powers, atan2, atanh, erfc, mish.
    Power,
    /// Inverse hyperbolic functions, logaddexp, gelu, softplus.
    Area,
}
