//! The text of an `.npy` header: a Python dictionary with three keys. [`parse`] reads it.
//!
//! The parser is written by hand, in one pass and without recursion. Existing crates for the format accept any Python
//! literal: they need a parser generator and a big-integer library to build, and the one that was tried panicked on a
//! shape that overflows.

use eltwise::DType;

/// The content of a header, not yet checked against the size of the file.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct Header {
    pub(crate) dtype: DType,
    /// Whether the elements are big-endian.
    pub(crate) big_endian: bool,
    /// Whether the array is in Fortran order: the first axis is fastest.
    pub(crate) fortran: bool,
    pub(crate) shape: Vec<usize>,
}

/// Parses a header such as `{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }`. Keys may be in any order.
pub(crate) fn parse(text: &[u8]) -> Result<Header, String> {
    let mut t = Parser { rest: text };
    let (mut dtype, mut fortran, mut shape) = (None, None, None);
    t.expect(b'{')?;
    while !t.eat(b'}') {
        let key = t.string()?;
        t.expect(b':')?;
        let is_second = match key {
            "descr" if t.peek() == Some(b'[') => {
                return Err("a structured array; expected one dtype per array".into());
            }
            "descr" => dtype.replace(from_descr(t.string()?)?).is_some(),
            "fortran_order" => fortran.replace(t.boolean()?).is_some(),
            "shape" => shape.replace(t.tuple()?).is_some(),
            other => return Err(format!("the header has an unknown key {other:?}")),
        };
        if is_second {
            return Err(format!("the header has the key {key:?} twice"));
        }
        if !t.eat(b',') && t.peek() != Some(b'}') {
            return Err(t.wrong("`,` or `}`"));
        }
    }
    if t.peek().is_some() {
        return Err(t.wrong("nothing after `}`"));
    }
    match (dtype, fortran, shape) {
        (Some((dtype, big_endian)), Some(fortran), Some(shape)) => Ok(Header { dtype, big_endian, fortran, shape }),
        (None, _, _) => Err("the header has no descr".into()),
        (_, None, _) => Err("the header has no fortran_order".into()),
        (_, _, None) => Err("the header has no shape".into()),
    }
}

/// NumPy's type codes, which may follow a byte order character. `l` and `p` have 64 bits, as on all systems but Windows.
const CODES: &[(DType, &[&str])] = &[
    (DType::Bool, &["b1", "?"]),
    (DType::I8, &["i1", "b"]),
    (DType::I16, &["i2", "h"]),
    (DType::I32, &["i4", "i"]),
    (DType::I64, &["i8", "l", "q", "p", "n"]),
    (DType::U8, &["u1", "B"]),
    (DType::U16, &["u2", "H"]),
    (DType::U32, &["u4", "I"]),
    (DType::U64, &["u8", "L", "Q", "P", "N"]),
    (DType::F16, &["f2", "e"]),
    (DType::F32, &["f4", "f"]),
    (DType::F64, &["f8", "d"]),
    (DType::Opaque1, &["V1"]),
    (DType::Opaque2, &["V2"]),
    (DType::Opaque4, &["V4"]),
    (DType::Opaque8, &["V8"]),
    (DType::Opaque16, &["V16"]),
];

/// NumPy's names of dtypes, which have no byte order character, and `bfloat16` of ml_dtypes.
const NAMES: &[(DType, &[&str])] = &[
    (DType::Bool, &["bool", "bool_"]),
    (DType::I8, &["int8", "byte"]),
    (DType::I16, &["int16", "short"]),
    (DType::I32, &["int32", "intc"]),
    (DType::I64, &["int64", "int", "int_", "intp", "long", "longlong"]),
    (DType::U8, &["uint8", "ubyte"]),
    (DType::U16, &["uint16", "ushort"]),
    (DType::U32, &["uint32", "uintc"]),
    (DType::U64, &["uint64", "uint", "uintp", "ulong", "ulonglong"]),
    (DType::F16, &["float16", "half"]),
    (DType::BF16, &["bfloat16"]),
    (DType::F32, &["float32", "single"]),
    (DType::F64, &["float64", "float", "double"]),
];

/// The dtype of a `descr`, and whether it is big-endian. Accepts the names that `numpy.dtype(descr)` accepts. `<V2` is bf16:
/// NumPy writes ml_dtypes.bfloat16 that way, and its own two-byte void as `|V2`.
fn from_descr(descr: &str) -> Result<(DType, bool), String> {
    let find = |table: &[(DType, &[&str])], word: &str| {
        table.iter().find(|(_, words)| words.contains(&word)).map(|&(dtype, _)| dtype)
    };
    if let Some(dtype) = find(NAMES, descr) {
        return Ok((dtype, false));
    }
    let code = descr.strip_prefix(['<', '>', '=', '|']).unwrap_or(descr);
    match find(CODES, code) {
        Some(DType::Opaque2) if descr == "<V2" => Ok((DType::BF16, false)),
        Some(dtype) => Ok((dtype, descr.starts_with('>') && dtype.size() > 1 && !dtype.is_opaque())),
        None => {
            let kind = match code.chars().next() {
                Some('O') => "Python objects",
                Some('c') => "complex numbers",
                Some('F' | 'D' | 'G') if code.len() == 1 => "complex numbers",
                Some('S' | 'a' | 'U' | 'T') => "strings",
                Some('M' | 'm') => "dates or times",
                Some('f' | 'g') => "floats of an unsupported size",
                Some('V') => "bytes of an unsupported size",
                _ => "of an unknown dtype",
            };
            Err(format!("the elements are {kind} ({descr:?}); expected bool, integers, f2, f4, f8 or V1 to V16"))
        }
    }
}

/// The `descr` that is written for a dtype.
pub(crate) fn descr(dtype: DType) -> &'static str {
    match dtype {
        DType::Bool => "|b1",
        DType::I8 => "|i1",
        DType::I16 => "<i2",
        DType::I32 => "<i4",
        DType::I64 => "<i8",
        DType::U8 => "|u1",
        DType::U16 => "<u2",
        DType::U32 => "<u4",
        DType::U64 => "<u8",
        DType::F16 => "<f2",
        DType::BF16 => "<V2",
        DType::F32 => "<f4",
        DType::F64 => "<f8",
        other => match other.size() {
            1 => "|V1",
            2 => "|V2",
            4 => "|V4",
            8 => "|V8",
            _ => "|V16",
        },
    }
}

/// The rest of the header that is not parsed yet.
struct Parser<'a> {
    rest: &'a [u8],
}

impl<'a> Parser<'a> {
    /// Skips white space and returns the next byte without consuming it.
    fn peek(&mut self) -> Option<u8> {
        self.rest = self.rest.trim_ascii_start();
        self.rest.first().copied()
    }

    fn eat(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.rest = &self.rest[usize::from(found)..];
        found
    }

    fn expect(&mut self, byte: u8) -> Result<(), String> {
        if self.eat(byte) { Ok(()) } else { Err(self.wrong(&format!("`{}`", byte as char))) }
    }

    /// A string without escapes, in single or double quotes. Python 2 wrote some strings with a `u` prefix.
    fn string(&mut self) -> Result<&'a str, String> {
        if self.peek() == Some(b'u') && self.rest.get(1).is_some_and(|b| matches!(b, b'\'' | b'"')) {
            self.rest = &self.rest[1..];
        }
        let quote = self.peek().filter(|q| matches!(q, b'\'' | b'"')).ok_or_else(|| self.wrong("a string"))?;
        let inner = &self.rest[1..];
        let end = inner.iter().position(|&b| b == quote).ok_or_else(|| self.wrong("a string"))?;
        let text = std::str::from_utf8(&inner[..end]).map_err(|_| self.wrong("text"))?;
        self.rest = &inner[end + 1..];
        Ok(text)
    }

    fn boolean(&mut self) -> Result<bool, String> {
        self.peek();
        for (word, value) in [("True", true), ("False", false)] {
            if let Some(rest) = self.rest.strip_prefix(word.as_bytes()) {
                self.rest = rest;
                return Ok(value);
            }
        }
        Err(self.wrong("True or False"))
    }

    /// A tuple of sizes. Python 2 wrote some sizes with an `L` suffix.
    fn tuple(&mut self) -> Result<Vec<usize>, String> {
        let mut sizes = Vec::new();
        self.expect(b'(')?;
        while !self.eat(b')') {
            self.peek();
            let digits = self.rest.iter().take_while(|b| b.is_ascii_digit()).count();
            let size = std::str::from_utf8(&self.rest[..digits]).ok().and_then(|d| d.parse().ok());
            sizes.push(size.ok_or_else(|| self.wrong("the size of an axis"))?);
            self.rest = &self.rest[digits..];
            self.eat(b'L');
            // In Python `(3)` is a number, not a tuple.
            if !self.eat(b',') && (sizes.len() == 1 || self.peek() != Some(b')')) {
                return Err(self.wrong(if sizes.len() == 1 { "`,`" } else { "`,` or `)`" }));
            }
        }
        Ok(sizes)
    }

    fn wrong(&mut self, expected: &str) -> String {
        match self.peek() {
            None => format!("the header ends where {expected} was expected"),
            Some(_) => {
                let found = String::from_utf8_lossy(&self.rest[..self.rest.len().min(20)]).into_owned();
                format!("the header has {found:?} where {expected} was expected")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse_text(text: &str) -> Result<Header, String> {
        parse(text.as_bytes())
    }

    #[test]
    fn headers_of_numpy_parse() {
        let h = parse_text("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }    \n").unwrap();
        assert_eq!(h, Header { dtype: DType::F32, big_endian: false, fortran: false, shape: vec![2, 3] });
        let h = parse_text("{'descr': '|u1', 'fortran_order': True, 'shape': (7,), }\n").unwrap();
        assert_eq!(h, Header { dtype: DType::U8, big_endian: false, fortran: true, shape: vec![7] });
        assert!(parse_text("{'descr': '|b1', 'fortran_order': False, 'shape': (), }").unwrap().shape.is_empty());
        let h = parse_text("{\"shape\":(10L,0),\"fortran_order\":False,\"descr\":\"=i8\"}").unwrap();
        assert_eq!(h, Header { dtype: DType::I64, big_endian: false, fortran: false, shape: vec![10, 0] });
    }

    #[test]
    fn every_dtype_reads_back() {
        for d in DType::ALL {
            let h = parse_text(&format!("{{'descr': '{}', 'fortran_order': False, 'shape': ()}}", descr(d))).unwrap();
            assert_eq!(h.dtype, d);
        }
    }

    #[test]
    fn every_numpy_name_and_code_of_a_dtype_parses() {
        let with = |d: &str| {
            let h = parse_text(&format!("{{'descr': '{d}', 'fortran_order': False, 'shape': ()}}")).unwrap();
            (h.dtype, h.big_endian)
        };
        for &(dtype, words) in NAMES {
            words.iter().for_each(|word| assert_eq!(with(word), (dtype, false), "{word}"));
            assert!(from_descr(&format!("<{}", words[0])).is_err(), "a name has no byte order");
        }
        for &(dtype, words) in CODES {
            for word in words {
                let swaps = dtype.size() > 1 && !dtype.is_opaque();
                for (order, big_endian) in [("", false), ("<", false), ("=", false), ("|", false), (">", swaps)] {
                    let descr = format!("{order}{word}");
                    let dtype = if descr == "<V2" { DType::BF16 } else { dtype };
                    assert_eq!(with(&descr), (dtype, big_endian), "{descr}");
                }
            }
        }
        let h = parse_text("{u'descr': u'>f4', u'fortran_order': False, u'shape': (1,)}").unwrap();
        assert!(h.big_endian && h.dtype == DType::F32);
    }

    #[test]
    fn repeated_keys_and_malformed_shapes_are_errors() {
        let twice = parse_text("{'descr': '<f4', 'fortran_order': False, 'shape': (3,), 'descr': '<f4'}").unwrap_err();
        assert_eq!(twice, "the header has the key \"descr\" twice");
        for (repeated, key) in [("'shape': (3,)", "shape"), ("'fortran_order': False", "fortran_order")] {
            let text = format!("{{'descr': '<f4', 'fortran_order': False, {repeated}, 'shape': (3,)}}");
            assert!(parse_text(&text).unwrap_err().contains(&format!("{key:?} twice")), "{text}");
        }
        for shape in ["(3)", "3", "[3]", "(3,,)", "(,)"] {
            assert!(
                parse_text(&format!("{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}}}")).is_err(),
                "{shape}"
            );
        }
    }

    #[test]
    fn unsupported_dtypes_are_named_in_the_error() {
        let with =
            |d: &str| parse_text(&format!("{{'descr': '{d}', 'fortran_order': False, 'shape': (1,)}}")).unwrap_err();
        for (descr, word) in [
            ("@f4", "unknown"),
            ("Float32", "unknown"),
            ("float128", "floats of an unsupported size"),
            ("complex64", "complex"),
            ("|O", "Python objects"),
            ("<c8", "complex"),
            ("<U5", "strings"),
            ("<M8[s]", "dates"),
            ("<f16", "floats of an unsupported size"),
            ("|V3", "bytes of an unsupported size"),
            ("", "unknown"),
            ("é", "unknown"),
        ] {
            assert!(with(descr).contains(word), "{descr}: {}", with(descr));
        }
        assert!(
            parse_text("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': ()}")
                .unwrap_err()
                .contains("structured")
        );
    }

    #[test]
    fn truncated_or_corrupted_headers_do_not_panic() {
        let good = b"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }\n";
        for cut in 0..good.len() - 2 {
            assert!(parse(&good[..cut]).is_err(), "{cut}");
        }
        let mut text = good.to_vec();
        for i in 0..text.len() {
            for b in 0..=255 {
                text[i] = b;
                let _ = parse(&text);
            }
            text[i] = good[i];
        }
        assert!(parse(&b"(".repeat(1 << 16)).is_err());
        assert!(parse_text("{'shape': (99999999999999999999,)}").unwrap_err().contains("size of an axis"));
        assert!(parse_text("{'shape': (-1,)}").is_err());
    }
}
