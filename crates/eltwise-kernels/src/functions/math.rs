//! The math operators: the functions of `eltwise-math`, their NaN made the quiet one.

use eltwise_math::{Vector, double, single};
use eltwise_simd::WideLanes;
use eltwise_simd::lanes::Lanes;

use super::{Same1, Same2};

// One row an operator: its function, for both dtypes.
macro_rules! functions {
    ($($trait:ident $operands:tt $name:ident $function:ident;)*) => {$(
        #[doc = concat!("`", stringify!($function), "`")]
        pub struct $name;
        functions!(@of $trait $operands $name $function f32 single);
        functions!(@of $trait $operands $name $function f64 double);
    )*};
    (@of $trait:ident ($($x:ident)*) $name:ident $function:ident $c:ident $module:ident) => {
        impl<L: WideLanes> $trait<$c, L> for $name {
            #[inline(always)]
            fn lanes(l: L, $($x: <L as Lanes<$c>>::V),*) -> <L as Lanes<$c>>::V {
                $module::$function($(Vector::<$c, L>::new(l, $x)),*).replace_nan($c::NAN).raw()
            }
        }
    };
}

functions! {
    Same1 (x) Rsqrt rsqrt;
    Same1 (x) Cbrt cbrt;
    Same1 (x) Exp exp;
    Same1 (x) Exp2 exp2;
    Same1 (x) Exp10 exp10;
    Same1 (x) Expm1 expm1;
    Same1 (x) Log log;
    Same1 (x) Log2 log2;
    Same1 (x) Log10 log10;
    Same1 (x) Log1p log1p;
    Same1 (x) Sin sin;
    Same1 (x) Cos cos;
    Same1 (x) Tan tan;
    Same1 (x) Asin asin;
    Same1 (x) Acos acos;
    Same1 (x) Atan atan;
    Same1 (x) Sinh sinh;
    Same1 (x) Cosh cosh;
    Same1 (x) Tanh tanh;
    Same1 (x) Asinh asinh;
    Same1 (x) Acosh acosh;
    Same1 (x) Atanh atanh;
    Same1 (x) Erf erf;
    Same1 (x) Erfc erfc;
    Same1 (x) Sigmoid sigmoid;
    Same1 (x) Logit logit;
    Same1 (x) Softplus softplus;
    Same1 (x) Silu silu;
    Same1 (x) Gelu gelu;
    Same1 (x) GeluTanh gelu_tanh;
    Same1 (x) Mish mish;
    Same1 (x) Selu selu;
    Same2 (x y) PowFloat pow;
    Same2 (x y) Hypot hypot;
    Same2 (x y) Atan2 atan2;
    Same2 (x y) LogAddExp logaddexp;
    Same2 (x y) LogAddExp2 logaddexp2;
    Same2 (x y) Elu elu;
    Same2 (x y) Celu celu;
    Same2 (x y) Softcap softcap;
}
