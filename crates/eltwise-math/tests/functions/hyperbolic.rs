//! sinh, cosh, tanh.

use crate::common::{INF, NAN, test_functions};

const SINH: &[(f64, f64)] =
    &[(0.0, 0.0), (-0.0, -0.0), (INF, INF), (-INF, -INF), (800.0, INF), (1e-38, 1e-38), (NAN, NAN)];
const COSH: &[(f64, f64)] =
    &[(0.0, 1.0), (-0.0, 1.0), (INF, INF), (-INF, INF), (-800.0, INF), (1e-38, 1.0), (NAN, NAN)];
const TANH: &[(f64, f64)] =
    &[(0.0, 0.0), (-0.0, -0.0), (INF, 1.0), (-INF, -1.0), (30.0, 1.0), (-1e-38, -1e-38), (NAN, NAN)];

test_functions! {
    sinh_f32 = f32::sinh(x) {
        special_values: SINH;
        edge_values: ();
        increasing: &[[-89.0, 89.0], [-1.0, 1.0]];
        ulp_error_at_most: (0.974, &[[-90.0, 90.0], [-1.0, 1.0]]);
        same_bits: &[[-90.0, 90.0], [-1.0, 1.0]];
    }
    sinh_f64 = f64::sinh(x) {
        special_values: SINH;
        edge_values: ();
        increasing_between_samples: &[[-711.0, 711.0], [-1.0, 1.0]];
        ulp_error_at_most: (0.6, &[[-711.0, 711.0], [-1.0, 1.0]]);
        same_bits: &[[-711.0, 711.0], [-1.0, 1.0]];
    }
    cosh_f32 = f32::cosh(x) {
        special_values: COSH;
        edge_values: ();
        increasing_between_samples: &[[0.01, 89.0]];
        ulp_error_at_most: (0.9741, &[[-90.0, 90.0], [-1.0, 1.0]]);
        same_bits: &[[-90.0, 90.0], [-1.0, 1.0]];
    }
    cosh_f64 = f64::cosh(x) {
        special_values: COSH;
        edge_values: ();
        increasing_between_samples: &[[0.01, 711.0]];
        ulp_error_at_most: (0.7, &[[-711.0, 711.0], [-1.0, 1.0]]);
        same_bits: &[[-711.0, 711.0], [-1.0, 1.0]];
    }
    tanh_f32 = f32::tanh(x) {
        special_values: TANH;
        edge_values: ();
        increasing_between_samples: &[[-10.0, 10.0], [-1.0, 1.0]];
        ulp_error_at_most: (0.9941, &[[-10.0, 10.0], [-1.0, 1.0]]);
        same_bits: &[[-10.0, 10.0], [-1.0, 1.0]];
    }
    tanh_f64 = f64::tanh(x) {
        special_values: TANH;
        edge_values: ();
        increasing_between_samples: &[[-20.0, 20.0], [-1.0, 1.0]];
        ulp_error_at_most: (0.79, &[[-20.0, 20.0], [-1.0, 1.0]]);
        same_bits: &[[-20.0, 20.0], [-1.0, 1.0]];
    }
    tanh_correctly_rounded = correctly_rounded::tanh(x) {
        special_values: TANH;
        correctly_rounded: &[[-10.0, 10.0], [-1.0, 1.0]];
        hard_inputs: &[0xbb42_a175];
        same_bits: &[[-10.0, 10.0], [-1.0, 1.0]];
    }
}
