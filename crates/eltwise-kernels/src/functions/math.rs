//! The math operators: the functions of `eltwise-math`, their NaN made the quiet one.

use eltwise_math::{Vector, double, single};
use eltwise_simd::WideLanes;
use eltwise_simd::lanes::Lanes;

use super::{Same1, Same2};

// One row an operator: its function, for both dtypes; `quiet` with the dtypes for which it has no other NaN than the quiet one.
macro_rules! functions {
    ($($trait:ident $operands:tt $name:ident $function:ident $(quiet $quiet:tt)?;)*) => {$(
        #[doc = concat!("`", stringify!($function), "`")]
        pub struct $name;
        functions!(@of $trait $operands $name $function f32 single $($quiet)?);
        functions!(@of $trait $operands $name $function f64 double $($quiet)?);
    )*};
    (@of $trait:ident ($($x:ident)*) $name:ident $function:ident $c:ident $module:ident $($quiet:tt)?) => {
        impl<L: WideLanes> $trait<$c, L> for $name {
            #[inline(always)]
            fn lanes(l: L, $($x: <L as Lanes<$c>>::V),*) -> <L as Lanes<$c>>::V {
                let y = $module::$function($(Vector::<$c, L>::new(l, $x)),*);
                functions!(@nan y $c $($quiet)?)
            }
        }
    };
    (@nan $y:ident f32 (f32 $($f64:ident)?)) => {
        $y.raw()
    };
    (@nan $y:ident f64 (f32 f64)) => {
        $y.raw()
    };
    (@nan $y:ident f64 (f64)) => {
        $y.raw()
    };
    (@nan $y:ident $c:ident $($quiet:tt)?) => {
        $y.replace_nan($c::NAN).raw()
    };
}

functions! {
    Same1 (x) Rsqrt rsqrt quiet (f64);
    Same1 (x) Cbrt cbrt quiet (f32 f64);
    Same1 (x) Exp exp quiet (f32 f64);
    Same1 (x) Exp2 exp2 quiet (f32 f64);
    Same1 (x) Exp10 exp10 quiet (f32 f64);
    Same1 (x) Expm1 expm1 quiet (f64);
    Same1 (x) Log log quiet (f32 f64);
    Same1 (x) Log2 log2 quiet (f32 f64);
    Same1 (x) Log10 log10 quiet (f32 f64);
    Same1 (x) Log1p log1p quiet (f64);
    Same1 (x) Sin sin quiet (f32 f64);
    Same1 (x) Cos cos quiet (f32 f64);
    Same1 (x) Tan tan quiet (f32 f64);
    Same1 (x) Asin asin;
    Same1 (x) Acos acos;
    Same1 (x) Atan atan;
    Same1 (x) Sinh sinh quiet (f64);
    Same1 (x) Cosh cosh quiet (f64);
    Same1 (x) Tanh tanh quiet (f64);
    Same1 (x) Asinh asinh;
    Same1 (x) Acosh acosh quiet (f64);
    Same1 (x) Atanh atanh quiet (f64);
    Same1 (x) Erf erf quiet (f64);
    Same1 (x) Erfc erfc quiet (f32 f64);
    Same1 (x) Sigmoid sigmoid quiet (f32);
    Same1 (x) Logit logit;
    Same1 (x) Softplus softplus;
    Same1 (x) Silu silu quiet (f32);
    Same1 (x) Gelu gelu;
    Same1 (x) GeluTanh gelu_tanh quiet (f32);
    Same1 (x) Mish mish;
    Same1 (x) Selu selu;
    Same2 (x y) PowFloat pow quiet (f64);
    Same2 (x y) Hypot hypot quiet (f64);
    Same2 (x y) Atan2 atan2;
    Same2 (x y) LogAddExp logaddexp;
    Same2 (x y) LogAddExp2 logaddexp2;
    Same2 (x y) Elu elu;
    Same2 (x y) Celu celu;
    Same2 (x y) Softcap softcap;
}
