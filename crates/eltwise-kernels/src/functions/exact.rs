//! The math operators over `f32` that are correctly rounded, the functions of `eltwise_math::exact`, and in [`to_narrow`] those over `f64`
//! whose results are rounded to a narrower dtype next; their NaN made the quiet one.

use eltwise_math::{Vector, exact};
use eltwise_simd::WideLanes;
use eltwise_simd::lanes::Lanes;

use super::{Same1, Same2};

// One row an operator.
macro_rules! functions {
    (@of $c:ident ($($module:ident)::+) $trait:ident ($($x:ident)*) $name:ident $function:ident) => {
        #[doc = concat!("`", stringify!($function), "`")]
        pub struct $name;
        impl<L: WideLanes> $trait<$c, L> for $name {
            #[inline(always)]
            fn lanes(l: L, $($x: <L as Lanes<$c>>::V),*) -> <L as Lanes<$c>>::V {
                $($module)::+::$function($(Vector::<$c, L>::new(l, $x)),*).replace_nan($c::NAN).raw()
            }
        }
    };
    ($c:ident $path:tt: $($trait:ident $operands:tt $name:ident $function:ident;)*) => {
        $(functions!(@of $c $path $trait $operands $name $function);)*
    };
}

functions! {
    f32 (exact):
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

pub mod to_narrow {
    //! Over `f64`, for results that are rounded to a narrower dtype next.

    use eltwise_math::{Vector, double};

    use super::*;

    functions! {
        f64 (double::to_narrow):
        Same1 (x) Log log;
        Same1 (x) Log10 log10;
        Same1 (x) Log1p log1p;
        Same2 (x y) LogAddExp logaddexp;
        Same2 (x y) LogAddExp2 logaddexp2;
        Same1 (x) Sin sin;
        Same1 (x) Cos cos;
        Same1 (x) Asin asin;
        Same1 (x) Acos acos;
        Same1 (x) Atan atan;
        Same2 (y x) Atan2 atan2;
        Same2 (x y) Hypot hypot;
        Same1 (x) Asinh asinh;
        Same1 (x) Acosh acosh;
        Same1 (x) Atanh atanh;
        Same1 (x) Erfc erfc;
        Same1 (x) Sigmoid sigmoid;
        Same1 (x) Silu silu;
        Same1 (x) Gelu gelu;
        Same1 (x) GeluTanh gelu_tanh;
        Same2 (x alpha) Elu elu;
        Same1 (x) Selu selu;
        Same2 (x alpha) Celu celu;
        Same2 (x c) Softcap softcap;
    }
}
