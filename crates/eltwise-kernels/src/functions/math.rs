//! The math operators: the functions of `eltwise-math`, with every NaN replaced by the quiet one.

use eltwise_math::{Exponent, Vector};
use eltwise_simd::WideLanes;
use eltwise_simd::lanes::Lanes;

use super::{BinaryOp, ByScalar, UnaryOp};

// A row is an operator, its function in `eltwise_math::f32` and `eltwise_math::f64`, and for each of the two whether a
// NaN of the function may differ from the quiet NaN. `UnaryOp (x) Rsqrt rsqrt (f32 replace_nan) (f64);` expands
// to
//
//     /// `rsqrt`
//     pub struct Rsqrt;
//     impl<L: WideLanes> UnaryOp<f32, L> for Rsqrt {
//         #[inline(always)]
//         fn lanes(l: L, x: <L as Lanes<f32>>::V) -> <L as Lanes<f32>>::V {
//             eltwise_math::f32::rsqrt(Vector::<f32, L>::new(l, x)).replace_nan(f32::NAN).raw()
//         }
//     }
//     // ... and the same for f64, without `replace_nan`
macro_rules! functions {
    ($($trait:ident $operands:tt $name:ident $function:ident $f32:tt $f64:tt;)*) => {$(
        #[doc = concat!("`", stringify!($function), "`")]
        pub struct $name;
        functions!(@function $trait $operands $name $function $f32);
        functions!(@function $trait $operands $name $function $f64);
    )*};
    (@function $trait:ident ($($x:ident)*) $name:ident $function:ident ($c:ident $($replace_nan:ident)?)) => {
        impl<L: WideLanes> $trait<$c, L> for $name {
            #[inline(always)]
            fn lanes(l: L, $($x: <L as Lanes<$c>>::V),*) -> <L as Lanes<$c>>::V {
                eltwise_math::$c::$function($(Vector::<$c, L>::new(l, $x)),*)$(.$replace_nan($c::NAN))?.raw()
            }
        }
    };
}

functions! {
    UnaryOp (x) Rsqrt rsqrt (f32 replace_nan) (f64);
    UnaryOp (x) Cbrt cbrt (f32) (f64);
    UnaryOp (x) Exp exp (f32) (f64);
    UnaryOp (x) Exp2 exp2 (f32) (f64);
    UnaryOp (x) Exp10 exp10 (f32) (f64);
    UnaryOp (x) Expm1 expm1 (f32 replace_nan) (f64);
    UnaryOp (x) Log log (f32) (f64);
    UnaryOp (x) Log2 log2 (f32) (f64);
    UnaryOp (x) Log10 log10 (f32) (f64);
    UnaryOp (x) Log1p log1p (f32 replace_nan) (f64);
    UnaryOp (x) Sin sin (f32) (f64);
    UnaryOp (x) Cos cos (f32) (f64);
    UnaryOp (x) Tan tan (f32) (f64);
    UnaryOp (x) Asin asin (f32 replace_nan) (f64 replace_nan);
    UnaryOp (x) Acos acos (f32 replace_nan) (f64 replace_nan);
    UnaryOp (x) Atan atan (f32 replace_nan) (f64 replace_nan);
    UnaryOp (x) Sinh sinh (f32 replace_nan) (f64);
    UnaryOp (x) Cosh cosh (f32 replace_nan) (f64);
    UnaryOp (x) Tanh tanh (f32 replace_nan) (f64);
    UnaryOp (x) Asinh asinh (f32 replace_nan) (f64 replace_nan);
    UnaryOp (x) Acosh acosh (f32 replace_nan) (f64);
    UnaryOp (x) Atanh atanh (f32 replace_nan) (f64);
    UnaryOp (x) Erf erf (f32 replace_nan) (f64);
    UnaryOp (x) Erfc erfc (f32) (f64);
    UnaryOp (x) Sigmoid sigmoid (f32) (f64 replace_nan);
    UnaryOp (x) Logit logit (f32 replace_nan) (f64 replace_nan);
    UnaryOp (x) Softplus softplus (f32 replace_nan) (f64 replace_nan);
    UnaryOp (x) Silu silu (f32) (f64 replace_nan);
    UnaryOp (x) Gelu gelu (f32) (f64 replace_nan);
    UnaryOp (x) GeluTanh gelu_tanh (f32) (f64 replace_nan);
    UnaryOp (x) Mish mish (f32 replace_nan) (f64 replace_nan);
    UnaryOp (x) Selu selu (f32 replace_nan) (f64 replace_nan);
    UnaryOp (x) LogSigmoid log_sigmoid (f32 replace_nan) (f64 replace_nan);
    UnaryOp (x) Tanhshrink tanhshrink (f32 replace_nan) (f64);
    UnaryOp (x) Sinc sinc (f32) (f64);
    UnaryOp (x) Exprel exprel (f32 replace_nan) (f64);
    UnaryOp (x) Entr entr (f32 replace_nan) (f64 replace_nan);
    UnaryOp (x) Erfinv erfinv (f32 replace_nan) (f64 replace_nan);
    UnaryOp (x) Erfcinv erfcinv (f32 replace_nan) (f64 replace_nan);
    UnaryOp (x) Erfcx erfcx (f32 replace_nan) (f64 replace_nan);
    UnaryOp (x) Ndtr ndtr (f32 replace_nan) (f64 replace_nan);
    UnaryOp (x) Ndtri ndtri (f32 replace_nan) (f64 replace_nan);
    UnaryOp (x) LogNdtr log_ndtr (f32 replace_nan) (f64 replace_nan);
    UnaryOp (x) LGamma lgamma (f32 replace_nan) (f64 replace_nan);
    UnaryOp (x) Digamma digamma (f32 replace_nan) (f64 replace_nan);
    UnaryOp (x) I0 i0 (f32 replace_nan) (f64 replace_nan);
    UnaryOp (x) I0e i0e (f32 replace_nan) (f64 replace_nan);
    UnaryOp (x) I1 i1 (f32 replace_nan) (f64 replace_nan);
    UnaryOp (x) I1e i1e (f32 replace_nan) (f64 replace_nan);
    BinaryOp (x y) PowFloat pow (f32 replace_nan) (f64);
    BinaryOp (x y) PowConstant pow_constant (f32) (f64);
    BinaryOp (x y) Hypot hypot (f32 replace_nan) (f64);
    BinaryOp (x y) Atan2 atan2 (f32 replace_nan) (f64 replace_nan);
    BinaryOp (x y) LogAddExp logaddexp (f32 replace_nan) (f64 replace_nan);
    BinaryOp (x y) LogAddExp2 logaddexp2 (f32 replace_nan) (f64 replace_nan);
    BinaryOp (x y) Elu elu (f32 replace_nan) (f64 replace_nan);
    BinaryOp (x y) Celu celu (f32 replace_nan) (f64 replace_nan);
    BinaryOp (x y) Softcap softcap (f32 replace_nan) (f64 replace_nan);
    BinaryOp (x y) Swish swish (f32 replace_nan) (f64 replace_nan);
    BinaryOp (x y) XLogY xlogy (f32 replace_nan) (f64 replace_nan);
    BinaryOp (x y) XLog1pY xlog1py (f32 replace_nan) (f64 replace_nan);
}

macro_rules! by_exponent {
    ($($c:ident)*) => {$(
        impl<L: WideLanes> ByScalar<$c, L> for PowConstant {
            // A cube of f32 takes a few operations.
            const VECTORS: usize = if size_of::<$c>() == 4 { 4 } else { 2 };
            /// The exponent in every lane, and its class.
            type Prepared = (<L as Lanes<$c>>::V, Exponent);
            #[inline(always)]
            fn prepare(l: L, y: $c) -> Self::Prepared {
                (Lanes::<$c>::splat(l, y), Exponent::of(y.into()))
            }
            #[inline(always)]
            fn by<const K: usize>(
                l: L,
                mut x: [<L as Lanes<$c>>::V; K],
                &(y, exponent): &Self::Prepared,
            ) -> [<L as Lanes<$c>>::V; K] {
                let y = Vector::<$c, L>::new(l, y);
                let mut vectors = [y; K];
                for k in 0..K {
                    vectors[k] = Vector::new(l, x[k]);
                }
                let powers = eltwise_math::$c::pow_by(vectors, y, exponent);
                for k in 0..K {
                    x[k] = powers[k].raw();
                }
                x
            }
        }
    )*};
}

by_exponent!(f32 f64);
