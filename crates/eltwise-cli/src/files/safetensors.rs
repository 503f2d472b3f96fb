//! `.safetensors`: Hugging Face's format for named arrays, always dense in C order.

use std::collections::{BTreeMap, HashMap};
use std::fmt;

use eltwise::{DType, Layout};
use safetensors::tensor::{Dtype, Metadata, TensorInfo};
use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, Visitor};

use super::stored::{Found, Stored};
use crate::error::engine;

/// Bytes of the length before the header.
pub(crate) const PREFIX: usize = 8;
/// The longest header of the format.
const MAX_HEADER: u64 = 100_000_000;
/// The name of a tensor that is written without one.
const TENSOR: &str = "out";
/// The key of the header that is no tensor.
const RESERVED: &str = "__metadata__";

/// The bytes before the elements, of a file that begins with `first`; a header that is too long counts for nothing.
pub(crate) fn before(first: &[u8]) -> usize {
    let bytes = first.try_into().map_or(0, u64::from_le_bytes);
    PREFIX + if bytes <= MAX_HEADER { bytes as usize } else { 0 }
}

/// A tensor in a file of `length` bytes that begins with `file`. Without a name the file must have one tensor.
pub(crate) fn find(file: &[u8], length: u64, name: Option<&str>) -> Result<Found, String> {
    let (header, metadata) = read(file, length).map_err(|e| format!("is no whole .safetensors file: {e}"))?;
    let names = metadata.offset_keys();
    let name = match (name, &names[..]) {
        (Some(name), _) => name,
        (None, [only]) => only,
        (None, []) => return Err("has no tensors".into()),
        (None, _) => return Err(format!("has {} tensors; name one: {}", names.len(), some_of(&names))),
    };
    let info = metadata.info(name).ok_or_else(|| format!("has no tensor {name:?}; it has {}", some_of(&names)))?;
    let (dtype, stored) = from_format(info.dtype)
        .ok_or_else(|| format!("tensor {name:?} has dtype {}, whose elements are no whole bytes", info.dtype))?;
    let layout = Layout::contiguous(dtype, &info.shape[..]).map_err(|e| engine(&e))?;
    Ok((layout, header + info.data_offsets.0, stored))
}

/// The bytes before the elements, and what the header says of them. The library's own reader wants the whole file.
fn read(file: &[u8], length: u64) -> Result<(usize, Metadata), String> {
    let (bytes, _) = file.split_first_chunk().ok_or("header too small")?;
    if u64::from_le_bytes(*bytes) > MAX_HEADER {
        return Err("header too large".to_string());
    }
    let before = before(bytes);
    let text = file.get(PREFIX..before).ok_or("invalid header length")?;
    if text.first() != Some(&b'{') {
        return Err("invalid header: it does not begin with `{`".to_string());
    }
    let Header { notes, tensors } = serde_json::from_slice(text).map_err(|e| format!("invalid header: {e}"))?;
    check_contiguous(&tensors)?;
    let metadata = Metadata::new(notes, tensors).map_err(|e| format!("invalid header: {e}"))?;
    let expected = before as u64 + metadata.data_len() as u64;
    if expected != length {
        return Err(format!("its tensors end at byte {expected}, the file has {length}"));
    }
    Ok((before, metadata))
}

/// What a header says, with each name once: the library's own reader keeps the last of several. The tensors are sorted by their place.
struct Header {
    notes: Option<HashMap<String, String>>,
    tensors: Vec<(String, TensorInfo)>,
}

impl<'de> Deserialize<'de> for Header {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Header, D::Error> {
        let mut header = Header { notes: None, tensors: Vec::new() };
        let values: UniqueKeys<Entry> = UniqueKeys::deserialize(deserializer)?;
        for (name, value) in values.0 {
            match value {
                Entry::Notes(notes) => header.notes = Some(notes),
                Entry::Tensor(info) => header.tensors.push((name, info)),
            }
        }
        header.tensors.sort_by(|(a, left), (b, right)| (left.data_offsets, a).cmp(&(right.data_offsets, b)));
        Ok(header)
    }
}

/// The values of an object, with no name twice.
struct UniqueKeys<V>(HashMap<String, V>);

/// A value that may depend on its name.
trait Named: Sized {
    fn next<'de, A: MapAccess<'de>>(name: &str, map: &mut A) -> Result<Self, A::Error>;
}

impl Named for String {
    fn next<'de, A: MapAccess<'de>>(_: &str, map: &mut A) -> Result<String, A::Error> {
        map.next_value()
    }
}

/// What a name of a header has.
enum Entry {
    Notes(HashMap<String, String>),
    Tensor(TensorInfo),
}

impl Named for Entry {
    fn next<'de, A: MapAccess<'de>>(name: &str, map: &mut A) -> Result<Entry, A::Error> {
        if name == RESERVED {
            return map.next_value::<UniqueKeys<String>>().map(|notes| Entry::Notes(notes.0));
        }
        map.next_value().map(Entry::Tensor).map_err(|e| A::Error::custom(format!("tensor {name:?}: {e}")))
    }
}

impl<'de, V: Named> Deserialize<'de> for UniqueKeys<V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<UniqueKeys<V>, D::Error> {
        struct Values<V>(HashMap<String, V>);
        impl<'de, V: Named> Visitor<'de> for Values<V> {
            type Value = UniqueKeys<V>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<UniqueKeys<V>, A::Error> {
                while let Some(name) = map.next_key::<String>()? {
                    let value = V::next(&name, &mut map)?;
                    if self.0.contains_key(&name) {
                        return Err(A::Error::custom(format!("duplicate key {name:?}")));
                    }
                    self.0.insert(name, value);
                }
                Ok(UniqueKeys(self.0))
            }
        }
        deserializer.deserialize_map(Values(HashMap::new()))
    }
}

/// Checks that tensors, sorted by their place, have the bytes that their elements need and lie one after the other.
fn check_contiguous(tensors: &[(String, TensorInfo)]) -> Result<(), String> {
    let mut end = 0;
    for (name, TensorInfo { dtype, shape, data_offsets: (from, to) }) in tensors {
        let bits = shape.iter().try_fold(dtype.bitsize(), |bits, &size| bits.checked_mul(size));
        let bits = bits.ok_or_else(|| format!("tensor {name:?} is larger than the address space: {dtype}{shape:?}"))?;
        if to.checked_sub(*from) != Some(bits / 8) || !bits.is_multiple_of(8) {
            let needed = bits.div_ceil(8);
            return Err(format!("tensor {name:?} lies at bytes {from} to {to}; {dtype}{shape:?} needs {needed} bytes"));
        }
        if *from != end {
            let what = if *from < end { "overlaps the one before it" } else { "leaves a gap" };
            return Err(format!("tensor {name:?} begins at byte {from}, which {what}; expected {end}"));
        }
        end = *to;
    }
    Ok(())
}

fn some_of(names: &[String]) -> String {
    const MOST: usize = 8;
    // A name may be any text, and none; here it is one line without the codes of terminals.
    let shown = |name: &String| if name.is_empty() { "\"\"".into() } else { name.escape_debug().to_string() };
    let list = names.iter().take(MOST).map(shown).collect::<Vec<_>>().join(", ");
    if names.len() > MOST { format!("{list}, ...") } else { list }
}

/// What a new file has besides its elements.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Kept {
    /// The tensor's name, unless it is [`TENSOR`].
    name: Option<String>,
    /// The notes of the file.
    notes: Option<BTreeMap<String, String>>,
}

impl Kept {
    /// A tensor of this name and nothing else.
    pub(crate) fn named(name: Option<&str>) -> Kept {
        Kept { name: name.map(String::from), notes: None }
    }
}

/// What is kept when a file of `length` bytes that begins with `file` is written anew with one tensor, called `name`: the
/// notes, and without `name` the name of its only tensor. What is no whole file has neither.
///
/// # Errors
/// The tensors that would be gone, some of them listed.
pub(crate) fn kept(file: &[u8], length: u64, name: Option<&str>) -> Result<Kept, String> {
    let Ok((_, metadata)) = read(file, length) else { return Ok(Kept::named(name)) };
    let mut names = metadata.offset_keys();
    let name = match (name, &names[..]) {
        (None, [only]) => Some(only.clone()),
        _ => name.map(String::from),
    };
    names.retain(|other| other != name.as_deref().unwrap_or(TENSOR));
    names.sort();
    // A name that no tensor can have is refused as such.
    if names.is_empty() || name.as_deref() == Some(RESERVED) {
        let notes = metadata.metadata().clone().map(|notes| notes.into_iter().collect());
        Ok(Kept { name, notes })
    } else {
        Err(some_of(&names))
    }
}

/// The bytes before the elements of a file with one tensor, of a dtype called `dtype` where the engine has only its size: a multiple of 8, as
/// the format recommends.
pub(crate) fn header(kept: Kept, layout: &Layout, dtype: Option<Dtype>) -> Result<Vec<u8>, String> {
    let name = kept.name.as_deref().unwrap_or(TENSOR);
    if name == RESERVED {
        return Err(format!("no tensor can be called {RESERVED}: the format has its notes there"));
    }
    let dtype = dtype.or_else(|| to_format(layout.dtype()));
    let dtype = dtype.ok_or_else(|| format!("the format has no dtype {}; write .npy", layout.dtype()))?;
    let bytes = layout.shape().bytes(layout.dtype().size()).map_err(|e| engine(&e))?;
    let info = TensorInfo { dtype, shape: layout.shape().to_vec(), data_offsets: (0, bytes) };
    let notes = kept.notes.map(|notes| notes.into_iter().collect());
    let metadata = Metadata::new(notes, vec![(name.to_string(), info)]).map_err(|e| e.to_string())?;
    // As a value first: its keys have an order, so that the same run writes the same bytes.
    let text = serde_json::to_value(&metadata).and_then(|value| serde_json::to_vec(&value));
    let mut text = text.map_err(|e| e.to_string())?;
    text.resize(text.len().next_multiple_of(8), b' ');
    let mut out = (text.len() as u64).to_le_bytes().to_vec();
    out.append(&mut text);
    Ok(out)
}

/// Dtypes of both sides that have values.
const DTYPES: [(Dtype, DType); 13] = [
    (Dtype::BOOL, DType::Bool),
    (Dtype::I8, DType::I8),
    (Dtype::I16, DType::I16),
    (Dtype::I32, DType::I32),
    (Dtype::I64, DType::I64),
    (Dtype::U8, DType::U8),
    (Dtype::U16, DType::U16),
    (Dtype::U32, DType::U32),
    (Dtype::U64, DType::U64),
    (Dtype::F16, DType::F16),
    (Dtype::BF16, DType::BF16),
    (Dtype::F32, DType::F32),
    (Dtype::F64, DType::F64),
];

/// The engine's dtype for a format's dtype: opaque for one that can only be moved; `None` where elements share bytes.
fn from_format(dtype: Dtype) -> Option<(DType, Stored)> {
    if let Some(&(_, ours)) = DTYPES.iter().find(|(theirs, _)| *theirs == dtype) {
        return Some((ours, Stored::Native));
    }
    let bits = dtype.bitsize();
    let opaque = if bits.is_multiple_of(8) { DType::opaque(bits / 8) } else { None };
    opaque.map(|opaque| (opaque, Stored::Named(dtype)))
}

fn to_format(dtype: DType) -> Option<Dtype> {
    DTYPES.iter().find(|(_, ours)| *ours == dtype).map(|&(theirs, _)| theirs)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As of a whole file in memory.
    fn find(file: &[u8], name: Option<&str>) -> Result<(Layout, usize), String> {
        super::find(head(file), file.len() as u64, name).map(|(layout, offset, _)| (layout, offset))
    }

    fn header(kept: Kept, layout: &Layout) -> Result<Vec<u8>, String> {
        super::header(kept, layout, None)
    }

    /// A file of this header, and so many bytes of elements.
    fn raw(header: &str, bytes: usize) -> Vec<u8> {
        [&(header.len() as u64).to_le_bytes()[..], header.as_bytes(), &vec![0; bytes]].concat()
    }

    fn kept(file: &[u8], name: Option<&str>) -> Result<Kept, String> {
        super::kept(head(file), file.len() as u64, name)
    }

    fn head(file: &[u8]) -> &[u8] {
        let first = before(&file[..file.len().min(PREFIX)]);
        &file[..file.len().min(first)]
    }

    fn file(name: &str, layout: &Layout) -> Vec<u8> {
        let mut bytes = header(Kept::named(Some(name)), layout).unwrap();
        bytes.resize(bytes.len() + layout.shape().bytes(layout.dtype().size()).unwrap(), 7);
        bytes
    }

    #[test]
    fn what_is_written_reads_back() {
        for dtype in DType::VALUES {
            for shape in [&[][..], &[5], &[2, 3], &[4, 0]] {
                let l = Layout::contiguous(dtype, shape).unwrap();
                let bytes = file("a \"quoted\"\nname", &l);
                let (found, at) = find(&bytes, None).unwrap();
                assert_eq!((&found, at % 8), (&l, 0));
                assert_eq!(find(&bytes, Some("a \"quoted\"\nname")).unwrap(), (l, at));
            }
        }
        let opaque = Layout::contiguous(DType::Opaque16, [1]).unwrap();
        assert!(header(Kept::named(Some("x")), &opaque).unwrap_err().contains("opaque16"));
        let f32 = Layout::contiguous(DType::F32, [1]).unwrap();
        assert!(header(Kept::named(Some("__metadata__")), &f32).unwrap_err().contains("__metadata__"));
        assert_eq!(header(Kept::default(), &f32), header(Kept::named(Some("out")), &f32));
    }

    #[test]
    fn headers_that_contradict_themselves_are_refused_by_name() {
        let t = |name: &str, dtype: &str, shape: &str, from: u64, to: u64| {
            format!(r#""{name}":{{"dtype":"{dtype}","shape":{shape},"data_offsets":[{from},{to}]}}"#)
        };
        let (a, b) = (t("a", "F32", "[2]", 0, 8), t("b", "U8", "[4]", 8, 12));
        let good = raw(&format!("{{{b},{a}}}   "), 12);
        assert_eq!(find(&good, Some("b")).unwrap().1, good.len() - 4);
        for (header, bytes, why) in [
            (format!("{{{a},{a}}}"), 8, "duplicate key \"a\""),
            (format!("{{{a},{b},{}}}", t("\\u0061", "U8", "[8]", 0, 8)), 12, "duplicate key \"a\""),
            (format!(r#"{{"__metadata__":{{}},{a},"__metadata__":{{}}}}"#), 8, "duplicate key \"__metadata__\""),
            (format!(r#"{{"__metadata__":{{"k":"1","k":"2"}},{a}}}"#), 8, "duplicate key \"k\""),
            (
                r#"{"a":{"dtype":"U8","dtype":"I8","shape":[8],"data_offsets":[0,8]}}"#.into(),
                8,
                "\"a\": duplicate field `dtype`",
            ),
            (
                r#"{"a":{"dtype":"U8","shape":[8],"data_offsets":[0,8],"shape":[8]}}"#.into(),
                8,
                "\"a\": duplicate field `shape`",
            ),
            (format!("{{{a},{}}}", t("b", "U8", "[4]", 4, 8)), 8, "\"b\" begins at byte 4, which overlaps"),
            (
                format!("{{{a},{}}}", t("b", "U8", "[4]", 9, 13)),
                13,
                "\"b\" begins at byte 9, which leaves a gap; expected 8",
            ),
            (format!("{{{}}}", t("b", "U8", "[4]", 8, 12)), 12, "\"b\" begins at byte 8"),
            (format!("{{{a},{}}}", t("b", "U8", "[8]", 0, 8)), 8, "\"b\" begins at byte 0, which overlaps"),
            (format!("{{{}}}", t("a", "F32", "[2]", 0, 4)), 4, "\"a\" lies at bytes 0 to 4; F32[2] needs 8"),
            (format!("{{{}}}", t("a", "F32", "[2]", 8, 0)), 8, "\"a\" lies at bytes 8 to 0"),
            (format!("{{{}}}", t("a", "F4", "[3]", 0, 1)), 1, "\"a\" lies at bytes 0 to 1; F4[3] needs 2"),
            (
                format!("{{{}}}", t("a", "F32", "[4294967296,4294967296]", 0, 8)),
                8,
                "\"a\" is larger than the address space",
            ),
            (format!("{{{}}}", t("a", "F31", "[2]", 0, 8)), 8, "\"a\": unknown variant `F31`"),
            (format!("{{{}}}", t("a", "F32", "[-2]", 0, 8)), 8, "\"a\": invalid value"),
            (r#"{"a":{"dtype":"U8","shape":[8]}}"#.into(), 8, "\"a\": missing field `data_offsets`"),
            (format!(" {{{a}}}"), 8, "does not begin with `{`"),
            (format!("{{{a}}} x"), 8, "trailing characters"),
            (format!("{{{a}}}"), 9, "the file has"),
            (format!("{{{a}}}"), 7, "the file has"),
        ] {
            let message = find(&raw(&header, bytes), Some("a")).unwrap_err();
            assert!(message.contains(why), "{header}: {message}");
        }
    }

    #[test]
    fn dtypes_that_are_only_moved_keep_their_names() {
        let of = |dtype: &str, bytes: usize| {
            let file = raw(&format!(r#"{{"w":{{"dtype":"{dtype}","shape":[4],"data_offsets":[0,{bytes}]}}}}"#), bytes);
            super::find(head(&file), file.len() as u64, None)
        };
        for dtype in ["F8_E4M3", "F8_E5M2", "F8_E8M0", "F8_E4M3FNUZ", "F8_E5M2FNUZ", "C64"] {
            let (ours, bytes) = if dtype == "C64" { (DType::Opaque8, 32) } else { (DType::Opaque1, 4) };
            let (layout, _, stored) = of(dtype, bytes).unwrap();
            let name = stored.name().unwrap();
            assert_eq!((layout.dtype(), name.to_string()), (ours, dtype.to_string()));
            assert_eq!(stored.as_f32().is_some(), dtype != "C64");
            let again = super::header(Kept::default(), &layout, Some(name)).unwrap();
            assert!(String::from_utf8(again[PREFIX..].to_vec()).unwrap().contains(&format!("\"{dtype}\"")));
        }
        assert_eq!(of("F4", 2).unwrap_err(), "tensor \"w\" has dtype F4, whose elements are no whole bytes");
        assert_eq!(of("F32", 16).unwrap().2, Stored::Native);
    }

    #[test]
    fn other_tensors_are_lost() {
        let one = file("w", &Layout::contiguous(DType::F32, [2]).unwrap());
        let info = TensorInfo { dtype: Dtype::U8, shape: vec![0], data_offsets: (0, 0) };
        let metadata = Metadata::new(None, ["out", "v", "w"].map(|n| (n.to_string(), info.clone())).to_vec()).unwrap();
        let text = serde_json::to_vec(&metadata).unwrap();
        let three = [&(text.len() as u64).to_le_bytes()[..], &text].concat();
        let lost = |file: &[u8], name| kept(file, name).unwrap_err();
        assert_eq!(kept(&one, Some("w")), Ok(Kept::named(Some("w"))));
        assert_eq!(kept(&one, None), Ok(Kept::named(Some("w"))));
        assert_eq!(lost(&one, Some("v")), "w");
        assert_eq!(lost(&three, Some("w")), "out, v");
        assert_eq!(lost(&three, Some("x")), "out, v, w");
        assert_eq!(lost(&three, None), "v, w");
        assert_eq!(kept(b"no such file", Some("w")), Ok(Kept::named(Some("w"))));
        assert_eq!(kept(b"no such file", None), Ok(Kept::default()));
    }

    #[test]
    fn notes_are_kept_in_one_order() {
        let layout = Layout::contiguous(DType::F32, [2]).unwrap();
        let notes: BTreeMap<_, _> = (0..20).map(|i| (format!("key {i}"), format!("\"{i}\"\n"))).collect();
        let with = |name: Option<&str>| Kept { name: name.map(String::from), notes: Some(notes.clone()) };
        let mut bytes = header(with(Some("w")), &layout).unwrap();
        bytes.resize(bytes.len() + 8, 7);
        for name in [None, Some("w")] {
            assert_eq!(kept(&bytes, name), Ok(with(Some("w"))));
        }
        assert_eq!(find(&bytes, Some("w")).unwrap(), (layout.clone(), bytes.len() - 8));
        for _ in 0..10 {
            assert_eq!(header(with(Some("w")), &layout).unwrap(), bytes[..bytes.len() - 8]);
        }
    }

    #[test]
    fn names_are_shown_without_codes() {
        let file = file("a\n\u{1b}[31mX \u{202e}é", &Layout::contiguous(DType::F32, [2]).unwrap());
        let shown = r"a\n\u{1b}[31mX \u{202e}é";
        assert_eq!(find(&file, Some("w")).unwrap_err(), format!("has no tensor \"w\"; it has {shown}"));
        assert_eq!(kept(&file, Some("w")).unwrap_err(), shown);
    }

    #[test]
    fn a_name_without_letters_is_seen() {
        let file = file("", &Layout::contiguous(DType::F32, [2]).unwrap());
        assert_eq!(find(&file, Some("w")).unwrap_err(), "has no tensor \"w\"; it has \"\"");
        assert_eq!(kept(&file, Some("w")).unwrap_err(), "\"\"");
    }

    #[test]
    fn every_cut_is_an_error() {
        let good = file("x", &Layout::contiguous(DType::F32, [2, 3]).unwrap());
        for cut in 0..good.len() {
            assert!(find(&good[..cut], None).is_err(), "{cut}");
        }
        assert!(find(&good, Some("y")).unwrap_err().contains("no tensor \"y\"; it has x"));
        assert!(find(&u64::MAX.to_le_bytes(), None).unwrap_err().contains("header too large"));
    }
}
