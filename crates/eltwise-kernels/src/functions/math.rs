//! The math operators: the functions of `eltwise-math`, their NaN made the quiet one.

use eltwise_math::{Vector, double, single};
use eltwise_simd::WideLanes;
use eltwise_simd::lanes::Lanes;

use super::{Same1, Same2};

// One row an operator: its function, for both dtypes; `quiet` where that of `f32` has no other NaN than the quiet one.
macro_rules! functions {
    ($($trait:ident $operands:tt $name:ident $function:ident $($quiet:ident)?;)*) => {$(
        #[doc = concat!("`", stringify!($function), "`")]
        pub struct $name;
        functions!(@of $trait $operands $name $function f32 single $($quiet)?);
        functions!(@of $trait $operands $name $function f64 double);
    )*};
    (@of $trait:ident ($($x:ident)*) $name:ident $function:ident $c:ident $module:ident $($quiet:ident)?) => {
        impl<L: WideLanes> $trait<$c, L> for $name {
            #[inline(always)]
            fn lanes(l: L, $($x: <L as Lanes<$c>>::V),*) -> <L as Lanes<$c>>::V {
                let y = $module::$function($(Vector::<$c, L>::new(l, $x)),*);
                functions!(@nan y $c $($quiet)?)
            }
        }
    };
    (@nan $y:ident $c:ident quiet) => {
        $y.raw()
    };
    (@nan $y:ident $c:ident) => {
        $y.replace_nan($c::NAN).raw()
    };
}

functions! {
    Same1 (x) Rsqrt rsqrt;
    Same1 (x) Cbrt cbrt;
    Same1 (x) Exp exp quiet;
    Same1 (x) Exp2 exp2 quiet;
    Same1 (x) Exp10 exp10 quiet;
    Same1 (x) Expm1 expm1;
    Same1 (x) Log log quiet;
    Same1 (x) Log2 log2 quiet;
    Same1 (x) Log10 log10 quiet;
    Same1 (x) Log1p log1p;
    Same1 (x) Sin sin quiet;
    Same1 (x) Cos cos quiet;
    Same1 (x) Tan tan quiet;
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
    Same1 (x) Sigmoid sigmoid quiet;
    Same1 (x) Logit logit;
    Same1 (x) Softplus softplus;
    Same1 (x) Silu silu quiet;
    Same1 (x) Gelu gelu;
    Same1 (x) GeluTanh gelu_tanh quiet;
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
