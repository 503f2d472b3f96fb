//! The errors and times that other libraries publish, for the accuracy page. The data is in `published_errors.txt`.

use eltwise::DType;
use eltwise_oracle::Function;

/// The columns of published_errors.txt after function and dtype.
pub(crate) const COLUMNS: [&str; 6] = ["VM HA", "VM HA clocks", "SLEEF", "NumPy", "PyTorch", "JAX"];

/// The texts of the columns for a function and dtype; empty if nothing is published.
pub(crate) fn lookup(function: Function, dtype: DType) -> [&'static str; COLUMNS.len()] {
    let rows = include_str!("published_errors.txt").lines().map(|line| line.split_whitespace().collect::<Vec<&str>>());
    let mut found = [""; COLUMNS.len()];
    for row in rows {
        if let [name, row_dtype, columns @ ..] = &row[..]
            && *name == function.name()
            && *row_dtype == dtype.name()
        {
            for (into, &text) in found.iter_mut().zip(columns) {
                *into = if text == "-" { "" } else { text };
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_complete_and_found() {
        let rows = include_str!("published_errors.txt").lines().filter(|line| !line.starts_with('#'));
        assert!(rows.clone().count() > 50);
        for row in rows {
            let words: Vec<&str> = row.split_whitespace().collect();
            assert_eq!(words.len(), 2 + COLUMNS.len(), "{row}");
            assert!(words[0].parse::<Function>().is_ok() && matches!(words[1], "f32" | "f64"), "{row}");
        }
        assert_eq!(lookup(Function::Exp, DType::F32), ["0.61/0.54", "1.24/0.65", "1.0", "", "1.0", "1.5"]);
        assert_eq!(lookup(Function::Mish, DType::F64), [""; 6]);
    }
}
