//! pow, pow_constant.

use crate::common::{INF, NAN, test_functions};

/// C23 F.10.4.4.
const POW: &[([f64; 2], f64)] = &[
    ([0.0, -3.0], INF),
    ([-0.0, -3.0], -INF),
    ([-0.0, -2.0], INF),
    ([0.0, -2.5], INF),
    ([-0.0, -INF], INF),
    ([-0.0, 3.0], -0.0),
    ([0.0, 3.0], 0.0),
    ([-0.0, 2.0], 0.0),
    ([-1.0, INF], 1.0),
    ([-1.0, -INF], 1.0),
    ([1.0, NAN], 1.0),
    ([NAN, 0.0], 1.0),
    ([NAN, -0.0], 1.0),
    ([-2.0, 0.5], NAN),
    ([-2.0, 3.0], -8.0),
    ([0.5, -INF], INF),
    ([2.0, -INF], 0.0),
    ([-0.5, INF], 0.0),
    ([-2.0, INF], INF),
    ([-INF, -3.0], -0.0),
    ([-INF, -2.0], 0.0),
    ([-INF, 3.0], -INF),
    ([-INF, 2.5], INF),
    ([INF, -2.0], 0.0),
    ([INF, 0.5], INF),
    ([NAN, 2.0], NAN),
    ([2.0, NAN], NAN),
    ([2.0, 2000.0], INF),
    ([-2.0, 2001.0], -INF),
    ([2.0, -2000.0], 0.0),
];

/// Ranges of x and y with results of every size.
const IN_GENERAL_F32: &[[[f64; 2]; 2]] =
    &[[[0.0, 100.0], [-40.0, 40.0]], [[0.9, 1.1], [-1000.0, 1000.0]], [[1e-40, 3e38], [-4.0, 4.0]]];
const IN_GENERAL_F64: &[[[f64; 2]; 2]] =
    &[[[0.0, 100.0], [-200.0, 200.0]], [[0.9, 1.1], [-8000.0, 8000.0]], [[1e-310, 1e308], [-4.0, 4.0]]];

/// Exponents that are computed by products or roots.
const EXPONENTS: [f64; 20] = [
    -64.0, -63.0, -31.0, -6.0, -3.0, -2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0, 3.0, 4.0, 5.0, 10.0, 31.0, 32.0, 63.0, 64.0,
];

/// A range of x, with each of [`EXPONENTS`].
const fn with_exponents(x: [f64; 2]) -> [[[f64; 2]; 2]; 20] {
    let mut ranges = [[x, x]; 20];
    let mut i = 0;
    while i < ranges.len() {
        ranges[i][1] = [EXPONENTS[i], EXPONENTS[i]];
        i += 1;
    }
    ranges
}

test_functions! {
    pow_f32 = f32::pow(x, y) {
        special_values: POW;
        edge_values: ();
        representable_results: 1000;
        ulp_error_at_most: (0.81, IN_GENERAL_F32);
        same_bits: IN_GENERAL_F32;
    }
    pow_f64 = f64::pow(x, y) {
        special_values: POW;
        edge_values: ();
        representable_results: 1000;
        ulp_error_at_most: (0.76, IN_GENERAL_F64);
        same_bits: IN_GENERAL_F64;
    }
    pow_correctly_rounded = correctly_rounded::pow(x, y) {
        special_values: POW;
        correctly_rounded: IN_GENERAL_F32;
        same_bits: IN_GENERAL_F32;
    }
    pow_constant_f32 = f32::pow_constant(x, y) {
        special_values: POW;
        edge_values: ();
        representable_results: 1000;
        ulp_error_at_most: (0.63, &with_exponents([-3e38, 3e38]));
        same_bits: &with_exponents([-5.0, 5.0]);
    }
    pow_constant_f32_products = f32::pow_constant(x, y) {
        ulp_error_at_most: (0.5001, &with_exponents([-5.0, 5.0]).map(|[x, y]| [x, [y[0].trunc(), y[0].trunc()]]));
    }
    pow_constant_f32_in_general = f32::pow_constant(x, y) {
        ulp_error_at_most: (0.81, IN_GENERAL_F32);
        same_bits: IN_GENERAL_F32;
    }
    pow_constant_f64 = f64::pow_constant(x, y) {
        special_values: POW;
        edge_values: ();
        representable_results: 1000;
        ulp_error_at_most: (0.76, &with_exponents([-1e308, 1e308]));
        same_bits: &with_exponents([-5.0, 5.0]);
    }
    pow_constant_f64_products = f64::pow_constant(x, y) {
        ulp_error_at_most: (0.5001, &with_exponents([0.001, 1000.0]).map(|[x, y]| [x, [y[0].trunc(), y[0].trunc()]]));
    }
    pow_constant_f64_in_general = f64::pow_constant(x, y) {
        ulp_error_at_most: (0.76, IN_GENERAL_F64);
        same_bits: IN_GENERAL_F64;
    }
}
