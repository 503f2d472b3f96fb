//! The text of an `.npy` header: a Python dictionary of three keys.
//!
//! Read by hand, in one pass and without recursion. The libraries for the format take any Python literal: they need a
//! parser generator and a big-integer library to build, and the one tried panicked on a shape that overflows.

use eltwise::DType;

/// What a header says, before it is checked against the file's size.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct Header {
    /// The dtype of the elements.
    pub(crate) dtype: DType,
    /// First axis fastest.
    pub(crate) fortran: bool,
    /// Sizes of the axes.
    pub(crate) shape: Vec<usize>,
}

/// Parses `{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }`, keys in any order.
pub(crate) fn parse(text: &[u8]) -> Result<Header, String> {
    let mut t = Text { rest: text };
    let (mut dtype, mut fortran, mut shape) = (None, None, None);
    t.expect(b'{')?;
    while !t.eat(b'}') {
        match t.string()? {
            "descr" => {
                t.expect(b':')?;
                if t.peek() == Some(b'[') {
                    return Err("a structured array; expected one dtype per array".into());
                }
                dtype = Some(from_descr(t.string()?)?);
            }
            "fortran_order" => {
                t.expect(b':')?;
                fortran = Some(t.truth()?);
            }
            "shape" => {
                t.expect(b':')?;
                shape = Some(t.tuple()?);
            }
            other => return Err(format!("the header has an unknown key {other:?}")),
        }
        if !t.eat(b',') && t.peek() != Some(b'}') {
            return Err(t.wrong("`,` or `}`"));
        }
    }
    if t.peek().is_some() {
        return Err(t.wrong("nothing after `}`"));
    }
    match (dtype, fortran, shape) {
        (Some(dtype), Some(fortran), Some(shape)) => Ok(Header { dtype, fortran, shape }),
        (None, _, _) => Err("the header has no descr".into()),
        (_, None, _) => Err("the header has no fortran_order".into()),
        (_, _, None) => Err("the header has no shape".into()),
    }
}

/// The dtype of a `descr`. `<V2` is bf16: NumPy writes ml_dtypes.bfloat16 so, and its own two-byte void as `|V2`.
fn from_descr(descr: &str) -> Result<DType, String> {
    if descr == "bfloat16" {
        return Ok(DType::BF16);
    }
    let mut chars = descr.chars();
    let order = chars.next().unwrap_or(' ');
    let kind = chars.as_str();
    let dtype = match kind {
        "b1" => DType::Bool,
        "i1" => DType::I8,
        "i2" => DType::I16,
        "i4" => DType::I32,
        "i8" => DType::I64,
        "u1" => DType::U8,
        "u2" => DType::U16,
        "u4" => DType::U32,
        "u8" => DType::U64,
        "f2" => DType::F16,
        "f4" => DType::F32,
        "f8" => DType::F64,
        "V1" => DType::Opaque1,
        "V2" if order == '<' => DType::BF16,
        "V2" => DType::Opaque2,
        "V4" => DType::Opaque4,
        "V8" => DType::Opaque8,
        "V16" => DType::Opaque16,
        _ => {
            let what = match kind.chars().next() {
                Some('O') => "Python objects",
                Some('c') => "complex numbers",
                Some('S' | 'a' | 'U') => "strings",
                Some('M' | 'm') => "dates or times",
                Some('f') => "floats of an unsupported size",
                Some('V') => "bytes of an unsupported size",
                _ => "of an unknown dtype",
            };
            return Err(format!(
                "the elements are {what} ({descr:?}); expected bool, integers, f2, f4, f8 or V1 to V16"
            ));
        }
    };
    match order {
        '<' | '|' | '=' => Ok(dtype),
        '>' if dtype.size() == 1 || dtype.is_opaque() => Ok(dtype),
        '>' => Err(format!("the elements are big-endian ({descr:?}); expected little-endian")),
        _ => Err(format!("the byte order of {descr:?} is unknown")),
    }
}

/// The `descr` of a dtype.
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

/// What is left of the header.
struct Text<'a> {
    rest: &'a [u8],
}

impl<'a> Text<'a> {
    /// The next byte that is no white space.
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

    /// A string without escapes, in either kind of quotes.
    fn string(&mut self) -> Result<&'a str, String> {
        let quote = self.peek().filter(|q| matches!(q, b'\'' | b'"')).ok_or_else(|| self.wrong("a string"))?;
        let inner = &self.rest[1..];
        let end = inner.iter().position(|&b| b == quote).ok_or_else(|| self.wrong("a string"))?;
        let text = std::str::from_utf8(&inner[..end]).map_err(|_| self.wrong("text"))?;
        self.rest = &inner[end + 1..];
        Ok(text)
    }

    fn truth(&mut self) -> Result<bool, String> {
        self.peek();
        for (word, value) in [("True", true), ("False", false)] {
            if let Some(rest) = self.rest.strip_prefix(word.as_bytes()) {
                self.rest = rest;
                return Ok(value);
            }
        }
        Err(self.wrong("True or False"))
    }

    /// A tuple of sizes; Python 2 wrote some with an `L` behind.
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
            if !self.eat(b',') && self.peek() != Some(b')') {
                return Err(self.wrong("`,` or `)`"));
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

    fn of(text: &str) -> Result<Header, String> {
        parse(text.as_bytes())
    }

    #[test]
    fn headers_that_numpy_writes() {
        let h = of("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }    \n").unwrap();
        assert_eq!(h, Header { dtype: DType::F32, fortran: false, shape: vec![2, 3] });
        let h = of("{'descr': '|u1', 'fortran_order': True, 'shape': (7,), }\n").unwrap();
        assert_eq!(h, Header { dtype: DType::U8, fortran: true, shape: vec![7] });
        assert!(of("{'descr': '|b1', 'fortran_order': False, 'shape': (), }").unwrap().shape.is_empty());
        let h = of("{\"shape\":(10L,0),\"fortran_order\":False,\"descr\":\"=i8\"}").unwrap();
        assert_eq!(h, Header { dtype: DType::I64, fortran: false, shape: vec![10, 0] });
    }

    #[test]
    fn every_dtype_reads_back() {
        for d in DType::ALL {
            let h = of(&format!("{{'descr': '{}', 'fortran_order': False, 'shape': ()}}", descr(d))).unwrap();
            assert_eq!(h.dtype, d);
        }
    }

    #[test]
    fn what_is_refused_is_named() {
        let with = |d: &str| of(&format!("{{'descr': '{d}', 'fortran_order': False, 'shape': (1,)}}")).unwrap_err();
        for (descr, word) in [
            (">f4", "big-endian"),
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
            of("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': ()}").unwrap_err().contains("structured")
        );
    }

    #[test]
    fn every_cut_and_every_changed_byte_is_an_error_or_a_header() {
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
        assert!(of("{'shape': (99999999999999999999,)}").unwrap_err().contains("size of an axis"));
        assert!(of("{'shape': (-1,)}").is_err());
    }
}
