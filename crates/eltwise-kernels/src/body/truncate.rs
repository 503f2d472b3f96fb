//! Float to integer: toward zero, saturating, NaN to 0 — what `as` does, spelt so that LLVM vectorises it (`as` is a
//! saturating intrinsic that keeps a loop scalar).

use super::convert::To;

// A row: float, integers whose largest value the float holds exactly, integers whose largest value it rounds up.
macro_rules! truncations {
    ($($f:ident => exact $($i:ident)*, rounded $($j:ident)*;)*) => {$(
        $(
            impl To<$i> for $f {
                #[inline(always)]
                fn to(self) -> $i {
                    const LOW: $f = $i::MIN as $f;
                    const HIGH: $f = $i::MAX as $f;
                    // A NaN compares false and becomes LOW here, 0 at the end.
                    let x = if self > LOW { self } else { LOW };
                    let x = if x < HIGH { x } else { HIGH };
                    // SAFETY: `x` is between the integer's bounds.
                    let whole = unsafe { x.to_int_unchecked::<$i>() };
                    if self.is_nan() { 0 } else { whole }
                }
            }
        )*
        $(
            impl To<$j> for $f {
                #[inline(always)]
                fn to(self) -> $j {
                    const LOW: $f = $j::MIN as $f;
                    // The first power of two past the integer, and the last float before it.
                    const PAST: $f = $j::MAX as $f;
                    const HIGH: $f = PAST.next_down();
                    let x = if self > LOW { self } else { LOW };
                    let x = if x < HIGH { x } else { HIGH };
                    // SAFETY: `x` is between the integer's bounds.
                    let whole = unsafe { x.to_int_unchecked::<$j>() };
                    let whole = if self >= PAST { $j::MAX } else { whole };
                    if self.is_nan() { 0 } else { whole }
                }
            }
        )*
    )*};
}

truncations! {
    f32 => exact i8 i16 u8 u16, rounded i32 i64 u32 u64;
    f64 => exact i8 i16 i32 u8 u16 u32, rounded i64 u64;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn truncation_is_as() {
        let check = |x: f64| {
            let y = x as f32;
            macro_rules! same {
                ($($i:ident)*) => {$(
                    assert_eq!(To::<$i>::to(x), x as $i, "{x:e}");
                    assert_eq!(To::<$i>::to(y), y as $i, "{y:e}");
                )*};
            }
            same!(i8 i16 i32 i64 u8 u16 u32 u64);
        };
        for x in [0.0, f64::NAN, f64::INFINITY, 5e-324, f64::MAX] {
            check(x);
            check(-x);
        }
        for power in 0..130 {
            let p = 2f64.powi(power);
            for x in
                [p, p - 1.0, p + 1.0, p - 0.5, p + 0.5, p.next_down(), p.next_up(), f64::from((p as f32).next_down())]
            {
                check(x);
                check(-x);
            }
        }
    }
}
