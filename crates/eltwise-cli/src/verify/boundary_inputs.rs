//! Boundary inputs: [`points`] lists arguments where functions saturate, overflow, or change their algorithm.

use eltwise_oracle::{Format, Function};

use super::job::Point;

/// Arguments where a function saturates, overflows, underflows, has a zero or a pole, or changes its algorithm.
#[rustfmt::skip]
const ARGUMENTS: [f64; 76] = [
    0.1, 0.25, 1.0 / 3.0, 0.346_573_590_279_972_65, 0.4375, 0.5, 0.549_306_144_334_054_8,
    std::f64::consts::LN_2, std::f64::consts::FRAC_1_SQRT_2, 0.75, std::f64::consts::FRAC_PI_4, 0.84375, 0.9375,
    1.0, 1.25, std::f64::consts::SQRT_2, 1.5, std::f64::consts::FRAC_PI_2, 2.0, 2.25, 2.356_194_490_192_345,
    std::f64::consts::E, 3.0, std::f64::consts::PI, 3.919_206, 4.0, 4.712_388_980_384_69, 5.921_587_195_794_5,
    6.0, std::f64::consts::TAU, 8.0, 8.317_766, 9.010_91, 9.186_855, 10.0, 10.054_19, 10.770_87, 14.356_07,
    16.0, 17.328_68, 19.061_55, 20.0, 21.547_08, 22.0, 26.543_258, 27.226_02, 32.0, 36.7, 37.519_379,
    38.531_839, 38.580_14, 45.154_5, 64.0, 87.336_544, 88.722_839, 89.415_985, 103.278_93, 103.972_08,
    108.660_3, 126.0, 127.0, 128.0, 149.0, 150.0, 307.652_655, 308.254_715, 323.607_25, 708.396_418_5,
    709.782_712_893_384, 710.475_860_073_943_9, 745.133_22, 751.755_6, 1022.0, 1024.0, 1074.0, 1075.0,
];

/// Exponents of powers of two where arithmetic or argument reductions change.
#[rustfmt::skip]
const POWERS: [i32; 20] = [-60, -54, -53, -30, -27, -26, -25, -24, -12, -11, 11, 12, 23, 24, 25, 26, 27, 52, 53, 64];

/// The boundaries of a format and of all functions, with three neighbours on each side, of both signs. Functions of two
/// operands get all pairs of a smaller set with one neighbour on each side.
pub(crate) fn points(function: Function, format: Format) -> Vec<Point> {
    let infinity = format.infinity();
    let smallest_normal = 1u64 << (format.precision - 1);
    let mut magnitudes =
        vec![0, 1, 2, 3, smallest_normal, infinity - 1, infinity, infinity + 1, format.nan(), format.sign_bit() - 1];
    let two = function.arity() == 2;
    let mut near = |v: f64, reach: u64| {
        let bits = format.from_f64(v);
        magnitudes.extend((bits.saturating_sub(reach)..=bits + reach).filter(|&b| b <= infinity));
    };
    if two {
        for v in [
            0.3,
            0.5,
            std::f64::consts::LN_2,
            1.0,
            1.5,
            2.0,
            3.0,
            7.0,
            25.0,
            88.722_839,
            150.0,
            709.782_712_9,
            1e4,
            65504.0,
            1e30,
        ] {
            near(v, 1);
        }
        for power in [-100, -30, -24, 24, 53, 64, 100] {
            near(2f64.powi(power), 1);
        }
    } else {
        ARGUMENTS.into_iter().for_each(|v| near(v, 3));
        POWERS.into_iter().for_each(|power| near(2f64.powi(power), 3));
        magnitudes.push(smallest_normal - 1);
    }
    magnitudes.sort_unstable();
    magnitudes.dedup();
    let signed: Vec<u64> = magnitudes.iter().flat_map(|&m| [m, m | format.sign_bit()]).collect();
    if !two {
        return signed.into_iter().map(|x| [x, 0]).collect();
    }
    signed.iter().flat_map(|&x| signed.iter().map(move |&y| [x, y])).collect()
}

/// The range of arguments, in f64, where a function is neither trivial nor constant. For functions of two operands it
/// applies to both.
pub(crate) fn interesting_range(function: Function) -> (f64, f64) {
    use Function::*;
    match function {
        Exp => (-746.0, 710.0),
        Exp2 => (-1076.0, 1025.0),
        Exp10 => (-324.0, 309.0),
        Expm1 => (-40.0, 710.0),
        Log | Log2 | Log10 | Sqrt | Rsqrt => (0.0, 4.0),
        Log1p => (-1.0, 4.0),
        Sin | Cos | Tan => (-200.0, 200.0),
        Asin | Acos | Atanh => (-1.0, 1.0),
        Sinh | Cosh => (-712.0, 712.0),
        Tanh => (-20.0, 20.0),
        Acosh => (1.0, 16.0),
        Erf => (-6.0, 6.0),
        Erfc => (-6.0, 27.3),
        Sigmoid | Softplus => (-746.0, 40.0),
        Logit => (0.0, 1.0),
        Selu => (-40.0, 4.0),
        Gelu => (-38.6, 9.0),
        GeluTanh => (-21.6, 6.0),
        Silu | Mish => (-752.0, 40.0),
        Elu | Celu => (-20.0, 4.0),
        LogSigmoid => (-40.0, 746.0),
        Tanhshrink => (-22.0, 22.0),
        Exprel => (-746.0, 716.5),
        Entr | XLogY => (0.0, 4.0),
        XLog1pY => (-1.0, 4.0),
        Erfinv => (-1.0, 1.0),
        Erfcinv => (0.0, 2.0),
        Erfcx => (-26.7, 40.0),
        Ndtr | LogNdtr => (-40.0, 9.0),
        Ndtri => (0.0, 1.0),
        I0 | I1 => (-714.0, 714.0),
        _ => (-16.0, 16.0),
    }
}
