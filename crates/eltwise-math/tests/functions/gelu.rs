//! gelu, gelu_tanh.

use crate::common::{INF, NAN, test_functions};

const GELU: &[(f64, f64)] =
    &[(0.0, 0.0), (-0.0, -0.0), (INF, INF), (-INF, -0.0), (-50.0, -0.0), (50.0, 50.0), (NAN, NAN)];

test_functions! {
    gelu_f32 = f32::gelu(x) {
        special_values: GELU;
        edge_values: ();
        increasing_between_samples: &[[0.0, 8.0]];
        ulp_error_at_most: (0.9823, &[[-15.0, 8.0], [-1.0, 1.0]]);
        same_bits: &[[-15.0, 8.0], [-1.0, 1.0]];
    }
    gelu_f64 = f64::gelu(x) {
        special_values: GELU;
        edge_values: ();
        increasing_between_samples: &[[0.0, 10.0]];
        ulp_error_at_most: (0.79, &[[-39.0, 10.0], [-1.0, 1.0]]);
        same_bits: &[[-39.0, 10.0], [-1.0, 1.0]];
    }
    gelu_correctly_rounded = correctly_rounded::gelu(x) {
        special_values: GELU;
        correctly_rounded: &[[-15.0, 8.0], [-1.0, 1.0]];
        same_bits: &[[-15.0, 8.0], [-1.0, 1.0]];
    }
    gelu_to_narrow = to_narrow::gelu(x) {
        narrows_correctly: &[[-15.0, 8.0], [-1.0, 1.0]];
        same_bits: &[[-15.0, 8.0], [-1.0, 1.0]];
    }
    gelu_tanh_f32 = f32::gelu_tanh(x) {
        special_values: GELU;
        edge_values: ();
        increasing_between_samples: &[[0.0, 6.0]];
        ulp_error_at_most: (0.9717, &[[-11.0, 6.0], [-1.0, 1.0]]);
        same_bits: &[[-11.0, 6.0], [-1.0, 1.0]];
    }
    gelu_tanh_f64 = f64::gelu_tanh(x) {
        special_values: GELU;
        edge_values: ();
        increasing_between_samples: &[[0.0, 20.0]];
        ulp_error_at_most: (0.79, &[[-22.0, 20.0], [-1.0, 1.0]]);
        same_bits: &[[-22.0, 20.0], [-1.0, 1.0]];
    }
    gelu_tanh_to_narrow = to_narrow::gelu_tanh(x) {
        narrows_correctly: &[[-11.0, 6.0], [-1.0, 1.0]];
        same_bits: &[[-11.0, 6.0], [-1.0, 1.0]];
    }
}
