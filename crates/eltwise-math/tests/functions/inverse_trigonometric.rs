//! asin, acos, atan, atan2.

use crate::common::{INF, NAN, test_functions};

use core::f64::consts::PI;

const ASIN: &[(f64, f64)] =
    &[(0.0, 0.0), (-0.0, -0.0), (1.0, PI / 2.0), (-1.0, -PI / 2.0), (1.5, NAN), (-INF, NAN), (NAN, NAN)];
const ACOS: &[(f64, f64)] = &[(1.0, 0.0), (-1.0, PI), (0.0, PI / 2.0), (1.5, NAN), (-1.5, NAN), (INF, NAN), (NAN, NAN)];
const ATAN: &[(f64, f64)] = &[(0.0, 0.0), (-0.0, -0.0), (INF, PI / 2.0), (-INF, -PI / 2.0), (NAN, NAN)];
const ATAN2: &[([f64; 2], f64)] = &[
    ([0.0, 0.0], 0.0),
    ([-0.0, 0.0], -0.0),
    ([0.0, -0.0], PI),
    ([-0.0, -0.0], -PI),
    ([0.0, -2.0], PI),
    ([-0.0, 2.0], -0.0),
    ([2.0, -0.0], PI / 2.0),
    ([-2.0, 0.0], -PI / 2.0),
    ([2.0, -INF], PI),
    ([-2.0, INF], -0.0),
    ([INF, 2.0], PI / 2.0),
    ([-INF, INF], -PI / 4.0),
    ([INF, -INF], 0.75 * PI),
    ([NAN, 1.0], NAN),
    ([1.0, NAN], NAN),
];

test_functions! {
    asin_f32 = f32::asin(x) {
        special_values: ASIN;
        edge_values: ();
        increasing_between_samples: &[[-1.0, 1.0]];
        ulp_error_at_most: (0.7238, &[[-1.0, 1.0]]);
        same_bits: &[[-1.0, 1.0]];
    }
    asin_f64 = f64::asin(x) {
        special_values: ASIN;
        edge_values: ();
        increasing_between_samples: &[[-1.0, 1.0]];
        ulp_error_at_most: (0.64, &[[-1.0, 1.0]]);
        same_bits: &[[-1.0, 1.0]];
    }
    asin_to_narrow = to_narrow::asin(x) {
        narrows_correctly: &[[-1.0, 1.0]];
        same_bits: &[[-1.0, 1.0]];
    }
    acos_f32 = f32::acos(x) {
        special_values: ACOS;
        edge_values: ();
        decreasing_between_samples: &[[-1.0, 1.0]];
        ulp_error_at_most: (0.6978, &[[-1.0, 1.0]]);
        same_bits: &[[-1.0, 1.0]];
    }
    acos_f64 = f64::acos(x) {
        special_values: ACOS;
        edge_values: ();
        decreasing_between_samples: &[[-1.0, 1.0]];
        ulp_error_at_most: (0.62, &[[-1.0, 1.0]]);
        same_bits: &[[-1.0, 1.0]];
    }
    acos_to_narrow = to_narrow::acos(x) {
        narrows_correctly: &[[-1.0, 1.0]];
        same_bits: &[[-1.0, 1.0]];
    }
    atan_f32 = f32::atan(x) {
        special_values: ATAN;
        edge_values: ();
        increasing_between_samples: &[[-3e38, 3e38], [-4.0, 4.0]];
        ulp_error_at_most: (0.9637, &[[-3e38, 3e38], [-4.0, 4.0]]);
        same_bits: &[[-3e38, 3e38], [-4.0, 4.0]];
    }
    atan_f64 = f64::atan(x) {
        special_values: ATAN;
        edge_values: ();
        increasing_between_samples: &[[-1e308, 1e308], [-4.0, 4.0]];
        ulp_error_at_most: (0.51, &[[-1e308, 1e308], [-4.0, 4.0]]);
        same_bits: &[[-1e308, 1e308], [-4.0, 4.0]];
    }
    atan_to_narrow = to_narrow::atan(x) {
        narrows_correctly: &[[-3e38, 3e38], [-4.0, 4.0]];
        same_bits: &[[-3e38, 3e38], [-4.0, 4.0]];
    }
    atan2_f32 = f32::atan2(y, x) {
        special_values: ATAN2;
        edge_values: ();
        ulp_error_at_most: (0.852, &[[[-3e38, 3e38], [-3e38, 3e38]], [[-2.0, 2.0], [-2.0, 2.0]]]);
        same_bits: &[[[-3e38, 3e38], [-3e38, 3e38]], [[-2.0, 2.0], [-2.0, 2.0]]];
    }
    atan2_f64 = f64::atan2(y, x) {
        special_values: ATAN2;
        edge_values: ();
        ulp_error_at_most: (0.75, &[[[-1e308, 1e308], [-1e308, 1e308]], [[-2.0, 2.0], [-2.0, 2.0]]]);
        same_bits: &[[[-1e308, 1e308], [-1e308, 1e308]], [[-2.0, 2.0], [-2.0, 2.0]]];
    }
    atan2_to_narrow = to_narrow::atan2(y, x) {
        narrows_correctly: &[[[-3e38, 3e38], [-3e38, 3e38]], [[-2.0, 2.0], [-2.0, 2.0]]];
        same_bits: &[[[-3e38, 3e38], [-3e38, 3e38]], [[-2.0, 2.0], [-2.0, 2.0]]];
    }
}
