//! The math operators over `f32` that are correctly rounded: the functions of `eltwise_math::exact`, their NaN made the quiet one.

use eltwise_math::{Vector, exact};
use eltwise_simd::WideLanes;
use eltwise_simd::lanes::Lanes;

use super::{Same1, Same2};

// One row an operator.
macro_rules! functions {
    ($($trait:ident ($($x:ident)*) $name:ident $function:ident;)*) => {$(
        #[doc = concat!("`", stringify!($function), "`")]
        pub struct $name;
        impl<L: WideLanes> $trait<f32, L> for $name {
            #[inline(always)]
            fn lanes(l: L, $($x: <L as Lanes<f32>>::V),*) -> <L as Lanes<f32>>::V {
                exact::$function($(Vector::<f32, L>::new(l, $x)),*).replace_nan(f32::NAN).raw()
            }
        }
    )*};
}

functions! {
    Same2 (x y) Pow pow;
    Same1 (x) Exp exp;
    Same1 (x) Exp2 exp2;
    Same1 (x) Exp10 exp10;
    Same1 (x) Log log;
    Same1 (x) Log2 log2;
    Same1 (x) Log10 log10;
    Same1 (x) Sin sin;
    Same1 (x) Cos cos;
    Same1 (x) Tan tan;
    Same1 (x) Tanh tanh;
    Same1 (x) Asinh asinh;
    Same1 (x) Acosh acosh;
    Same1 (x) Atanh atanh;
    Same1 (x) Softplus softplus;
    Same1 (x) Gelu gelu;
    Same1 (x) Mish mish;
    Same2 (x y) Elu elu;
    Same2 (x y) Celu celu;
    Same1 (x) Selu selu;
}
