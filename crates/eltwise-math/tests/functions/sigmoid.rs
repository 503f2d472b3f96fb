//! sigmoid, silu, swish, logit.

use crate::common::{INF, NAN, test_functions};

const SIGMOID: &[(f64, f64)] =
    &[(0.0, 0.5), (-0.0, 0.5), (INF, 1.0), (-INF, 0.0), (800.0, 1.0), (-800.0, 0.0), (NAN, NAN)];
const SILU: &[(f64, f64)] =
    &[(0.0, 0.0), (-0.0, -0.0), (INF, INF), (-INF, -0.0), (-800.0, -0.0), (100.0, 100.0), (NAN, NAN)];
const SWISH: &[([f64; 2], f64)] = &[
    ([3.0, 0.0], 1.5),
    ([-0.0, 2.0], -0.0),
    ([0.0, -INF], NAN),
    ([INF, 1.0], INF),
    ([INF, -1.0], 0.0),
    ([-INF, 1.0], -0.0),
    ([-INF, -1.0], -INF),
    ([-INF, 0.0], -INF),
    ([2.0, INF], 2.0),
    ([2.0, -INF], 0.0),
    ([-2.0, INF], -0.0),
    ([100.0, 10.0], 100.0),
    ([NAN, 0.0], NAN),
    ([1.0, NAN], NAN),
];
const LOGIT: &[(f64, f64)] =
    &[(0.0, -INF), (-0.0, -INF), (1.0, INF), (0.5, 0.0), (1.5, NAN), (-0.5, NAN), (INF, NAN), (NAN, NAN)];

test_functions! {
    sigmoid_f32 = f32::sigmoid(x) {
        special_values: SIGMOID;
        edge_values: ();
        increasing: &[[-105.0, 20.0], [-1.0, 1.0]];
        ulp_error_at_most: (0.8715, &[[-105.0, 20.0], [-1.0, 1.0]]);
        same_bits: &[[-105.0, 20.0], [-1.0, 1.0]];
    }
    sigmoid_f64 = f64::sigmoid(x) {
        special_values: SIGMOID;
        edge_values: ();
        increasing_between_samples: &[[-746.0, 40.0], [-1.0, 1.0]];
        ulp_error_at_most: (0.8, &[[-746.0, 40.0], [-1.0, 1.0]]);
        same_bits: &[[-746.0, 40.0], [-1.0, 1.0]];
    }
    sigmoid_to_narrow = to_narrow::sigmoid(x) {
        narrows_correctly: &[[-105.0, 20.0], [-1.0, 1.0]];
        same_bits: &[[-105.0, 20.0], [-1.0, 1.0]];
    }
    silu_f32 = f32::silu(x) {
        special_values: SILU;
        edge_values: ();
        ulp_error_at_most: (0.9427, &[[-110.0, 30.0], [-1.0, 1.0]]);
        same_bits: &[[-110.0, 30.0], [-1.0, 1.0]];
    }
    silu_f64 = f64::silu(x) {
        special_values: SILU;
        edge_values: ();
        ulp_error_at_most: (0.79, &[[-755.0, 40.0], [-1.0, 1.0]]);
        same_bits: &[[-755.0, 40.0], [-1.0, 1.0]];
    }
    silu_to_narrow = to_narrow::silu(x) {
        narrows_correctly: &[[-110.0, 30.0], [-1.0, 1.0]];
        same_bits: &[[-110.0, 30.0], [-1.0, 1.0]];
    }
    swish_f32 = f32::swish(x, alpha) {
        special_values: SWISH;
        edge_values: ();
        ulp_error_at_most: (0.55, &[[[-110.0, 30.0], [0.5, 2.0]], [[-1.0, 1.0], [-2.0, 2.0]], [[-3e38, 3e38], [-1e-36, 1e-36]]]);
        same_bits: &[[[-110.0, 30.0], [0.5, 2.0]], [[-1.0, 1.0], [-2.0, 2.0]]];
    }
    swish_f64 = f64::swish(x, alpha) {
        special_values: SWISH;
        edge_values: ();
        ulp_error_at_most: (0.79, &[[[-755.0, 40.0], [0.5, 2.0]], [[-1.0, 1.0], [-2.0, 2.0]], [[-1e308, 1e308], [-1e-305, 1e-305]]]);
        same_bits: &[[[-755.0, 40.0], [0.5, 2.0]], [[-1.0, 1.0], [-2.0, 2.0]]];
    }
    logit_f32 = f32::logit(x) {
        special_values: LOGIT;
        edge_values: ();
        increasing_between_samples: &[[0.0, 1.0], [0.4, 0.6]];
        ulp_error_at_most: (0.51, &[[0.0, 1.0], [0.4, 0.6]]);
        same_bits: &[[0.0, 1.0], [0.4, 0.6]];
    }
    logit_f64 = f64::logit(x) {
        special_values: LOGIT;
        edge_values: ();
        increasing_between_samples: &[[0.0, 1.0], [0.4, 0.6]];
        ulp_error_at_most: (0.52, &[[0.0, 1.0], [0.4, 0.6]]);
        same_bits: &[[0.0, 1.0], [0.4, 0.6]];
    }
}
