//! softplus, log_sigmoid, mish.

use crate::common::{INF, NAN, test_functions};

const SOFTPLUS: &[(f64, f64)] =
    &[(0.0, core::f64::consts::LN_2), (INF, INF), (-INF, 0.0), (-800.0, 0.0), (100.0, 100.0), (NAN, NAN)];
const LOG_SIGMOID: &[(f64, f64)] =
    &[(0.0, -core::f64::consts::LN_2), (INF, -0.0), (-INF, -INF), (800.0, -0.0), (-100.0, -100.0), (NAN, NAN)];
const MISH: &[(f64, f64)] =
    &[(0.0, 0.0), (-0.0, -0.0), (INF, INF), (-INF, -0.0), (-800.0, -0.0), (100.0, 100.0), (NAN, NAN)];

test_functions! {
    softplus_f32 = f32::softplus(x) {
        special_values: SOFTPLUS;
        edge_values: ();
        increasing: &[[-105.0, 30.0], [-1.0, 1.0]];
        ulp_error_at_most: (0.6199, &[[-105.0, 30.0], [-1.0, 1.0]]);
        same_bits: &[[-105.0, 30.0], [-1.0, 1.0]];
    }
    softplus_f64 = f64::softplus(x) {
        special_values: SOFTPLUS;
        edge_values: ();
        increasing_between_samples: &[[-746.0, 60.0], [-1.0, 1.0]];
        ulp_error_at_most: (0.75, &[[-746.0, 60.0], [-1.0, 1.0]]);
        same_bits: &[[-746.0, 60.0], [-1.0, 1.0]];
    }
    softplus_correctly_rounded = correctly_rounded::softplus(x) {
        special_values: SOFTPLUS;
        correctly_rounded: &[[-105.0, 30.0], [-1.0, 1.0]];
        hard_inputs: &[0xb4dd_f411, 0xb36f_a264, 0xc2a3_9acd, 0x3d4d_73f7, 0x39ea_41d0];
        same_bits: &[[-105.0, 30.0], [-1.0, 1.0]];
    }
    log_sigmoid_f32 = f32::log_sigmoid(x) {
        special_values: LOG_SIGMOID;
        edge_values: ();
        increasing: &[[-30.0, 105.0], [-1.0, 1.0]];
        ulp_error_at_most: (0.6199, &[[-30.0, 105.0], [-1.0, 1.0]]);
        same_bits: &[[-30.0, 105.0], [-1.0, 1.0]];
    }
    log_sigmoid_f64 = f64::log_sigmoid(x) {
        special_values: LOG_SIGMOID;
        edge_values: ();
        increasing_between_samples: &[[-60.0, 746.0], [-1.0, 1.0]];
        ulp_error_at_most: (0.75, &[[-60.0, 746.0], [-1.0, 1.0]]);
        same_bits: &[[-60.0, 746.0], [-1.0, 1.0]];
    }
    mish_f32 = f32::mish(x) {
        special_values: MISH;
        edge_values: ();
        increasing_between_samples: &[[0.0, 30.0]];
        ulp_error_at_most: (0.8386, &[[-110.0, 30.0], [-1.0, 1.0]]);
        same_bits: &[[-110.0, 30.0], [-1.0, 1.0]];
    }
    mish_f64 = f64::mish(x) {
        special_values: MISH;
        edge_values: ();
        increasing_between_samples: &[[0.0, 60.0]];
        ulp_error_at_most: (0.75, &[[-755.0, 60.0], [-1.0, 1.0]]);
        same_bits: &[[-755.0, 60.0], [-1.0, 1.0]];
    }
    mish_correctly_rounded = correctly_rounded::mish(x) {
        special_values: MISH;
        correctly_rounded: &[[-110.0, 30.0], [-1.0, 1.0]];
        same_bits: &[[-110.0, 30.0], [-1.0, 1.0]];
    }
}
