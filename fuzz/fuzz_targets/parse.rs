//! The expression language, on any text: parsing, typing and binding never panic; errors point into the text; an
//! expression prints as a text that parses to the same expression.
#![no_main]

use eltwise::{DType, Error, Expr, Layout, Program, caret};
use libfuzzer_sys::arbitrary::{self, Arbitrary};
use libfuzzer_sys::fuzz_target;

#[derive(Arbitrary, Debug)]
enum Text {
    Raw(String),
    Tokens(Vec<Token>),
}

/// Tokens, so that many texts parse beyond the first character.
#[derive(Arbitrary, Debug)]
enum Token {
    Name(u8),
    Symbol(u8),
    Word(u8),
    Int(i64),
    Float(f64),
    Raw(String),
}

const NAMES: &[&str] = &["x", "y", "z", "img", "_a1", "where"];
const SYMBOLS: &[&str] = &[
    "(", ")", ",", "+", "-", "*", "/", "<", "<=", ">", ">=", "==", "!=", "|", "^", "&", "~", "[", "]", "=", " ", "\n",
];
const WORDS: &[&str] = &[
    "cast(",
    "f32",
    "u8",
    "bf16",
    "bool",
    "sqrt(",
    "where(",
    "clamp(",
    "fma(",
    "broadcast_to(",
    "broadcast=",
    "pdpd",
    "none",
    "numpy",
    "unidirectional",
    "axis=",
    "true",
    "false",
    "inf",
    "nan",
    "0x",
    "1e",
    "add(",
    "logical_and(",
];

fn text(text: Text) -> String {
    match text {
        Text::Raw(text) => text,
        Text::Tokens(tokens) => tokens
            .iter()
            .map(|token| match token {
                Token::Name(n) => NAMES[usize::from(*n) % NAMES.len()].into(),
                Token::Symbol(n) => SYMBOLS[usize::from(*n) % SYMBOLS.len()].into(),
                Token::Word(n) => WORDS[usize::from(*n) % WORDS.len()].into(),
                Token::Int(i) => i.to_string(),
                Token::Float(f) => f.to_string(),
                Token::Raw(raw) => raw.clone(),
            })
            .collect(),
    }
}

/// Checks that an error has a text, and that its range is within the source text, at character boundaries.
fn check_error(error: &Error) {
    assert!(!error.to_string().is_empty());
    if let Error::Parse { text, at, .. } = error {
        assert!(text.get(at.clone()).is_some(), "{at:?} is not a range of {text:?}");
        assert!(!caret(text, at).is_empty());
    }
}

fuzz_target!(|input: (Text, Vec<u8>)| {
    let (source, bytes) = input;
    let expr = match Expr::parse(&text(source)) {
        Ok(expr) => expr,
        Err(error) => return check_error(&error),
    };
    let printed = format!("{expr:?}");
    if !printed.ends_with("...") {
        let again = Expr::parse(&printed).unwrap_or_else(|e| panic!("{printed:?} does not parse: {e}"));
        assert_eq!(format!("{again:?}"), printed);
    }

    let mut bytes = bytes.into_iter();
    let mut next = || usize::from(bytes.next().unwrap_or(11));
    let names: Vec<String> = expr.names().into_iter().map(Into::into).collect();
    let inputs: Vec<_> = names.iter().map(|name| (name.as_str(), DType::ALL[next() % DType::ALL.len()])).collect();
    let program = match Program::new(&[&expr], &inputs) {
        Ok(program) => program,
        Err(error) => return check_error(&error),
    };
    let shapes: [&[usize]; 4] = [&[], &[3], &[2, 3], &[2, 1]];
    let layout = |dtype| Layout::contiguous(dtype, shapes[next() % 4]).expect("small shapes fit");
    let layouts: Vec<Layout> = inputs.iter().map(|&(_, dtype)| dtype).map(layout).collect();
    match program.bind(&layouts.iter().collect::<Vec<_>>()) {
        Ok(plan) => assert!(!plan.explain(2).to_string().is_empty()),
        Err(error) => check_error(&error),
    }
});
