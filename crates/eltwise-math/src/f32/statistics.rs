//! Special functions of statistics of `f32`: those of `f64`, rounded.

use eltwise_simd::WideLanes;

use crate::vector::F32;

/// Makes functions of `f32` from those of `f64` with the same names.
macro_rules! from_f64 {
    ($($(#[doc = $doc:literal])+ $function:ident;)+) => {$(
        $(#[doc = $doc])+
        #[inline(always)]
        pub fn $function<L: WideLanes>(x: F32<L>) -> F32<L> {
            let [low, high] = x.widen();
            F32::narrow([crate::f64::$function(low), crate::f64::$function(high)])
        }
    )+};
}

from_f64! {
    /// The logarithm of the absolute value of the gamma function, at most 0.51 ULP.
    ///
    /// lgamma(1) = lgamma(2) = 0; inf at 0, negative integers and inf; lgamma(-inf) = -inf.
    lgamma;
    /// The derivative of [`lgamma`], at most 0.51 ULP; for negative x near a zero, 2^-45.
    ///
    /// digamma(±0) = ∓inf, digamma(inf) = inf; NaN at negative integers and -inf.
    digamma;
    /// The inverse of the error function, at most 0.51 ULP.
    ///
    /// erfinv(±0) = ±0, erfinv(±1) = ±inf; NaN beyond.
    erfinv;
    /// The inverse of the complementary error function, at most 0.51 ULP.
    ///
    /// erfcinv(0) = inf, erfcinv(1) = 0, erfcinv(2) = -inf; NaN beyond.
    erfcinv;
    /// `e^(x^2) erfc x`, at most 0.51 ULP.
    ///
    /// erfcx(±0) = 1, erfcx(inf) = +0, erfcx(-inf) = inf.
    erfcx;
    /// The distribution function of the normal distribution, at most 0.51 ULP.
    ///
    /// ndtr(-inf) = +0, ndtr(inf) = 1.
    ndtr;
    /// The inverse of [`ndtr`], at most 0.51 ULP.
    ///
    /// ndtri(0) = -inf, ndtri(1) = inf; NaN beyond.
    ndtri;
    /// The logarithm of [`ndtr`], at most 0.51 ULP.
    ///
    /// log_ndtr(-inf) = -inf, log_ndtr(inf) = -0.
    log_ndtr;
    /// The modified Bessel function of order 0, at most 0.51 ULP. Even; i0(0) = 1, i0(±inf) = inf.
    i0;
    /// e^-|x| times [`i0`], at most 0.51 ULP. Even; i0e(0) = 1, i0e(±inf) = +0.
    i0e;
    /// The modified Bessel function of order 1, at most 0.51 ULP. Odd; i1(±0) = ±0, i1(±inf) = ±inf.
    i1;
    /// e^-|x| times [`i1`], at most 0.51 ULP. Odd; i1e(±0) = ±0, i1e(±inf) = ±0.
    i1e;
}
