//! log, log2, log10, log1p.

use crate::common::{INF, NAN, test_functions};

const LOG: &[(f64, f64)] =
    &[(0.0, -INF), (-0.0, -INF), (1.0, 0.0), (-1.0, NAN), (-1e-38, NAN), (-INF, NAN), (INF, INF), (NAN, NAN)];
const LOG1P: &[(f64, f64)] =
    &[(0.0, 0.0), (-0.0, -0.0), (-1.0, -INF), (-1.5, NAN), (-INF, NAN), (INF, INF), (1e-38, 1e-38), (NAN, NAN)];

test_functions! {
    log_f32 = f32::log(x) {
        special_values: LOG;
        edge_values: ();
        increasing: &[[1e-45, 3.4e38], [0.5, 2.0]];
        ulp_error_at_most: (0.88, &[[1e-45, 3.4e38], [0.5, 2.0]]);
        same_bits: &[[1e-45, 3.4e38], [0.5, 2.0]];
    }
    log_f64 = f64::log(x) {
        special_values: LOG;
        edge_values: ();
        increasing_between_samples: &[[5e-324, 1e308], [0.5, 2.0]];
        ulp_error_at_most: (0.75, &[[5e-324, 1e308], [0.5, 2.0]]);
        same_bits: &[[5e-324, 1e308], [0.5, 2.0]];
    }
    log_correctly_rounded = correctly_rounded::log(x) {
        special_values: LOG;
        correctly_rounded: &[[1e-45, 3.4e38], [0.5, 2.0]];
        hard_inputs: &[0x3f84_32fd, 0x3fdc_4750, 0x3f3a_f7ef, 0x5a8f_8e03];
        same_bits: &[[1e-45, 3.4e38], [0.5, 2.0]];
    }
    log_to_narrow = to_narrow::log(x) {
        narrows_correctly: &[[1e-45, 3.4e38], [0.5, 2.0]];
        same_bits: &[[1e-45, 3.4e38], [0.5, 2.0]];
    }
    log2_f32 = f32::log2(x) {
        special_values: LOG;
        edge_values: ();
        increasing: &[[1e-45, 3.4e38], [0.5, 2.0]];
        representable_results: 100;
        ulp_error_at_most: (0.87, &[[1e-45, 3.4e38], [0.5, 2.0]]);
        same_bits: &[[1e-45, 3.4e38], [0.5, 2.0]];
    }
    log2_f64 = f64::log2(x) {
        special_values: LOG;
        edge_values: ();
        increasing_between_samples: &[[5e-324, 1e308], [0.5, 2.0]];
        representable_results: 100;
        ulp_error_at_most: (0.69, &[[5e-324, 1e308], [0.5, 2.0]]);
        same_bits: &[[5e-324, 1e308], [0.5, 2.0]];
    }
    log2_correctly_rounded = correctly_rounded::log2(x) {
        special_values: LOG;
        correctly_rounded: &[[1e-45, 3.4e38], [0.5, 2.0]];
        hard_inputs: &[0x3f66_e2e3, 0x3fae_4ae4, 0x3f64_3fbf, 0x3fba_b939];
        same_bits: &[[1e-45, 3.4e38], [0.5, 2.0]];
    }
    log10_f32 = f32::log10(x) {
        special_values: LOG;
        edge_values: ();
        increasing: &[[1e-45, 3.4e38], [0.5, 2.0]];
        representable_results: 11;
        ulp_error_at_most: (0.91, &[[1e-45, 3.4e38], [0.5, 2.0]]);
        same_bits: &[[1e-45, 3.4e38], [0.5, 2.0]];
    }
    log10_f64 = f64::log10(x) {
        special_values: LOG;
        edge_values: ();
        increasing_between_samples: &[[5e-324, 1e308], [0.5, 2.0]];
        representable_results: 11;
        ulp_error_at_most: (0.62, &[[5e-324, 1e308], [0.5, 2.0]]);
        same_bits: &[[5e-324, 1e308], [0.5, 2.0]];
    }
    log10_correctly_rounded = correctly_rounded::log10(x) {
        special_values: LOG;
        correctly_rounded: &[[1e-45, 3.4e38], [0.5, 2.0]];
        hard_inputs: &[0x3f6c_826d, 0x3f16_9b1d, 0x7cf6_1a37, 0x3f1b_0de5, 0x0efe_ee7a];
        same_bits: &[[1e-45, 3.4e38], [0.5, 2.0]];
    }
    log10_to_narrow = to_narrow::log10(x) {
        narrows_correctly: &[[1e-45, 3.4e38], [0.5, 2.0]];
        same_bits: &[[1e-45, 3.4e38], [0.5, 2.0]];
    }
    log1p_f32 = f32::log1p(x) {
        special_values: LOG1P;
        edge_values: ();
        increasing_between_samples: &[[-1.0, 3.4e38], [-0.5, 1.0]];
        ulp_error_at_most: (0.92, &[[-1.0, 3.4e38], [-0.5, 1.0]]);
        same_bits: &[[-1.0, 3.4e38], [-0.5, 1.0]];
    }
    log1p_f64 = f64::log1p(x) {
        special_values: LOG1P;
        edge_values: ();
        increasing_between_samples: &[[-1.0, 1e308], [-0.5, 1.0]];
        ulp_error_at_most: (0.66, &[[-1.0, 1e308], [-0.5, 1.0]]);
        same_bits: &[[-1.0, 1e308], [-0.5, 1.0]];
    }
    log1p_to_narrow = to_narrow::log1p(x) {
        narrows_correctly: &[[-1.0, 3.4e38], [-0.5, 1.0]];
        same_bits: &[[-1.0, 3.4e38], [-0.5, 1.0]];
    }
}
