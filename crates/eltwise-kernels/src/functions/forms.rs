//! The lane function of each operator by class of dtypes, under the operator's name, for the `row!` macro of
//! [`table`](crate::table). Most operators have one function for all classes; the others are renamed here.

/// Over integers.
pub(crate) mod int {
    pub(crate) use crate::functions::*;
    pub(crate) use crate::functions::{
        Identity as Ceil, Identity as Floor, Identity as Positive, Identity as Round, Identity as RoundHalfAway,
        Identity as Trunc, Maximum as Fmax, Minimum as Fmin, MultiplyAdd as Fma, TruncDivide as Divide,
    };
}

/// Over `f32` and `f64`, and over `bf16` in `f32`.
pub(crate) mod float {
    pub(crate) use crate::functions::*;
    pub(crate) use crate::functions::{Clamp as HardTanh, Identity as Positive, PowFloat as Pow, Prelu as LeakyRelu};
}

/// Over `f16` in `f32`: functions that are faster right after a conversion.
pub(crate) mod f16 {
    pub(crate) use super::float::*;
    pub(crate) use crate::functions::{AddConverted as Add, SubtractConverted as Subtract};
}

// One module per 16-bit format, with the bits of its infinity.
macro_rules! half_bits {
    ($($format:ident $infinity:literal;)*) => {$(
        /// Over the bits of this 16-bit float.
        pub(crate) mod $format {
            pub(crate) use crate::functions::half_bits::{Abs, Copysign, Negative};

            pub(crate) type Maximum = crate::functions::half_bits::Maximum<$infinity>;
            pub(crate) type Minimum = crate::functions::half_bits::Minimum<$infinity>;
            pub(crate) type Clamp = crate::functions::half_bits::Clamp<$infinity>;
            pub(crate) type HardTanh = Clamp;
            pub(crate) type Relu = crate::functions::half_bits::Relu<$infinity>;
        }
    )*};
}

half_bits! {
    f16_bits 0x7c00;
    bf16_bits 0x7f80;
}
