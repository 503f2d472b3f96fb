//! The value of a `NAME=DTYPE:NUMBER` operand. [`bytes`] accepts exactly the literals of the expression language.

use eltwise::{DType, Error, Expr, Layout, Op, Program, View, ViewMut, lower};

/// The bytes of the element `dtype:text`.
///
/// # Errors
/// Text that is not a literal, or a number that does not fit the dtype.
pub(crate) fn bytes(dtype: DType, text: &str) -> Result<Vec<u8>, String> {
    if dtype.is_opaque() {
        return Err("an opaque dtype has no literals".into());
    }
    let number = Expr::parse(text).map_err(|e| beyond_f64(dtype, text).unwrap_or_else(|| e.to_string()))?;
    let chosen = number.names().is_empty().then(|| choice(dtype, number)).transpose().map_err(|e| e.to_string())?;
    match chosen {
        // `where` is the only step if the number is a literal or a negated literal.
        Some(program) if program.step_count() == 1 => evaluate(&program.into(), dtype).map_err(|e| e.to_string()),
        _ => Err(format!("{text:?} is not a number")),
    }
}

/// The error for a number beyond the range of `f64`. The parser reports it without the dtype.
fn beyond_f64(dtype: DType, text: &str) -> Option<String> {
    let digits = text.trim().trim_start_matches('-');
    let is_number = digits.starts_with(|c: char| c.is_ascii_digit() || c == '.');
    let is_beyond = is_number && digits.parse::<f64>().is_ok_and(f64::is_infinite);
    is_beyond.then(|| format!("the literal {text} does not fit {dtype}"))
}

/// Types `where(condition, other, number)`: by the rules of the expression language, the number takes the dtype of
/// `other`. `lower` does not fold constants, so a computed number such as `sqrt(2)` shows up as a second step.
fn choice(dtype: DType, number: Expr) -> Result<eltwise_plan::Program, Error> {
    let expr = Expr::apply(Op::Where, &[Expr::input("condition"), Expr::input("other"), number])?;
    lower(&[&expr], &[("condition", DType::Bool), ("other", dtype)])
}

/// Runs the program of [`choice`] with a false condition, which gives the number.
fn evaluate(program: &Program, dtype: DType) -> Result<Vec<u8>, Error> {
    let (bool, layout) = (Layout::contiguous(DType::Bool, [])?, Layout::contiguous(dtype, [])?);
    let plan = program.bind(&[&bool, &layout])?;
    let (other, mut number) = (vec![0; dtype.size()], vec![0; dtype.size()]);
    let inputs = [View::from_bytes(&[0], bool, 0)?, View::from_bytes(&other, layout.clone(), 0)?];
    // `where` reports no data conditions.
    let _ = plan.run(&inputs, &mut [ViewMut::from_bytes(&mut number, layout, 0)?])?;
    Ok(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_of_the_expression_language_are_accepted() {
        assert_eq!(bytes(DType::U8, "255").unwrap(), [255]);
        assert_eq!(bytes(DType::U8, "0xff").unwrap(), [255]);
        assert_eq!(bytes(DType::Bool, "true").unwrap(), [1]);
        assert_eq!(bytes(DType::I64, "-9223372036854775808").unwrap(), i64::MIN.to_le_bytes());
        assert_eq!(bytes(DType::U64, "18446744073709551615").unwrap(), u64::MAX.to_le_bytes());
        assert_eq!(bytes(DType::F32, "-0.0").unwrap(), (-0.0f32).to_le_bytes());
        assert_eq!(bytes(DType::F32, "nan").unwrap(), 0x7fc0_0000u32.to_le_bytes());
        assert_eq!(bytes(DType::F64, "1e-320").unwrap(), 1e-320f64.to_le_bytes());
        assert_eq!(bytes(DType::F16, "1.5").unwrap(), 0x3e00u16.to_le_bytes());
        assert_eq!(bytes(DType::F16, "65519").unwrap(), 0x7bffu16.to_le_bytes());
        assert_eq!(bytes(DType::BF16, "-inf").unwrap(), 0xff80u16.to_le_bytes());
    }

    #[test]
    fn numbers_that_do_not_fit_and_non_literals_are_errors() {
        for (dtype, text) in [
            (DType::U8, "256"),
            (DType::U8, "-1"),
            (DType::I32, "1.5"),
            (DType::F16, "65520"),
            (DType::BF16, "-3.4e38"),
            (DType::F32, "1e39"),
            (DType::F64, "1e400"),
            (DType::F32, "1e400"),
            (DType::F16, "-1e999"),
            (DType::I32, "1e999"),
            (DType::Bool, "1"),
        ] {
            let error = bytes(dtype, text).unwrap_err();
            assert!(error.ends_with(&format!("does not fit {dtype}")), "{dtype}:{text}: {error}");
        }
        for dtype in DType::ALL.into_iter().filter(|d| d.is_opaque()) {
            assert_eq!(bytes(dtype, "1").unwrap_err(), "an opaque dtype has no literals");
        }
        for text in ["abc", "sqrt(2)", "1 + x", "condition", "other", "cast(true, f32)"] {
            assert_eq!(bytes(DType::F32, text).unwrap_err(), format!("{text:?} is not a number"));
        }
        assert_eq!(bytes(DType::U8, "~1").unwrap_err(), "\"~1\" is not a number");
        for text in ["", "-", "~1", "1 2", "1_000", "1)", "true", "1.5f"] {
            assert!(bytes(DType::F32, text).is_err(), "{text}");
        }
    }
}
