//! `.safetensors`: Hugging Face's format for named arrays in C order. [`find`] locates a tensor in a file. [`header`] writes
//! the header of a file with one tensor. [`preserved`] reads the metadata and the tensor name that an output keeps when it
//! overwrites a file.

use std::collections::BTreeMap;

use eltwise::{DType, Layout};
use safetensors::tensor::{Dtype, Metadata, TensorInfo};

use super::encoding::{Encoding, FoundArray};
use super::safetensors_header::{Header, METADATA_KEY};
use crate::error::engine;

/// Bytes of the length field before the header.
pub(crate) const PREFIX: usize = 8;
/// The longest header that the format allows, in bytes.
const MAX_HEADER: u64 = 100_000_000;
/// The name of a tensor that is written without a given name.
const DEFAULT_TENSOR: &str = "out";

/// The number of bytes before the tensor data in a file that begins with `first`. A header longer than the format allows
/// counts as empty.
pub(crate) fn data_start(first: [u8; PREFIX]) -> usize {
    let bytes = u64::from_le_bytes(first);
    PREFIX + if bytes <= MAX_HEADER { bytes as usize } else { 0 }
}

/// Finds a tensor in a file of `length` bytes whose first bytes are `file`. Without a name the file must have exactly one
/// tensor.
pub(crate) fn find(file: &[u8], length: u64, name: Option<&str>) -> Result<FoundArray, String> {
    let (header, metadata) = read(file, length).map_err(|e| format!("is not a valid .safetensors file: {e}"))?;
    let names = metadata.offset_keys();
    let name = match (name, &names[..]) {
        (Some(name), _) => name,
        (None, [only]) => only,
        (None, []) => return Err("has no tensors".into()),
        (None, _) => return Err(format!("has {} tensors; name one: {}", names.len(), list_names(&names))),
    };
    let info = metadata.info(name).ok_or_else(|| format!("has no tensor {name:?}; it has {}", list_names(&names)))?;
    let (dtype, encoding) = from_format(info.dtype)
        .ok_or_else(|| format!("tensor {name:?} has dtype {}, whose elements are not whole bytes", info.dtype))?;
    let layout = Layout::contiguous(dtype, &info.shape[..]).map_err(|e| engine(&e))?;
    Ok((layout, header + info.data_offsets.0, encoding))
}

/// Parses the header. Returns the number of bytes before the tensor data and the metadata. The parser of the crate
/// `safetensors` needs the whole file in memory.
fn read(file: &[u8], length: u64) -> Result<(usize, Metadata), String> {
    let Some(&first) = file.first_chunk() else {
        return Err(format!("the file has {length} bytes, the length of the header alone takes {PREFIX}"));
    };
    let bytes = u64::from_le_bytes(first);
    if bytes > MAX_HEADER {
        return Err(format!("the header has {bytes} bytes, at most {MAX_HEADER} are allowed"));
    }
    let data_start = data_start(first);
    let text = file.get(PREFIX..data_start);
    let text = text.ok_or_else(|| format!("the header ends at byte {data_start}, the file has {length} bytes"))?;
    if text.first() != Some(&b'{') {
        return Err("invalid header: it does not begin with `{`".to_string());
    }
    let Header { user_metadata, tensors } = serde_json::from_slice(text).map_err(|e| format!("invalid header: {e}"))?;
    check_contiguous(&tensors)?;
    let metadata = Metadata::new(user_metadata, tensors).map_err(|e| format!("invalid header: {e}"))?;
    let expected = data_start as u64 + metadata.data_len() as u64;
    if expected != length {
        return Err(format!("its tensors end at byte {expected}, the file has {length} bytes"));
    }
    Ok((data_start, metadata))
}

/// Checks that tensors, sorted by their offsets, have the right sizes and follow each other without gaps or overlaps.
fn check_contiguous(tensors: &[(String, TensorInfo)]) -> Result<(), String> {
    let mut end = 0;
    for (name, TensorInfo { dtype, shape, data_offsets: (from, to) }) in tensors {
        let bits = shape.iter().try_fold(dtype.bitsize(), |bits, &size| bits.checked_mul(size));
        let bits = bits.ok_or_else(|| format!("tensor {name:?} is larger than the address space: {dtype}{shape:?}"))?;
        if to.checked_sub(*from) != Some(bits / 8) || !bits.is_multiple_of(8) {
            let (needed, given) = (bits.div_ceil(8), to.saturating_sub(*from));
            return Err(format!(
                "tensor {name:?} is at bytes {from} to {to} ({given} bytes); {dtype}{shape:?} needs {needed} bytes"
            ));
        }
        if *from != end {
            let problem = if *from < end { "overlaps the one before it" } else { "leaves a gap" };
            return Err(format!("tensor {name:?} begins at byte {from}, which {problem}; expected {end}"));
        }
        end = *to;
    }
    Ok(())
}

/// The first names for a message: up to 8, joined by commas, then `...` if there are more.
fn list_names(names: &[String]) -> String {
    const MAX_NAMES: usize = 8;
    // A name may be empty or contain control characters.
    let shown = |name: &String| if name.is_empty() { "\"\"".into() } else { name.escape_debug().to_string() };
    let list = names.iter().take(MAX_NAMES).map(shown).collect::<Vec<_>>().join(", ");
    if names.len() > MAX_NAMES { format!("{list}, ...") } else { list }
}

/// The tensor name and user metadata of a new file. A file that replaces another one preserves them.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Preserved {
    /// The tensor's name; `None` for [`DEFAULT_TENSOR`].
    name: Option<String>,
    /// The entries of `__metadata__`.
    user_metadata: Option<BTreeMap<String, String>>,
}

impl Preserved {
    /// A tensor of this name, without user metadata.
    pub(crate) fn named(name: Option<&str>) -> Preserved {
        Preserved { name: name.map(String::from), user_metadata: None }
    }
}

/// The metadata and the tensor name to carry over when an output with one tensor overwrites a file: the user metadata, and if
/// `name` is `None` the name of the file's only tensor. The file has `length` bytes and begins with `file`. From an invalid
/// file nothing is carried over.
///
/// # Errors
/// A comma-separated list of the tensors that overwriting would lose.
pub(crate) fn preserved(file: &[u8], length: u64, name: Option<&str>) -> Result<Preserved, String> {
    let Ok((_, metadata)) = read(file, length) else { return Ok(Preserved::named(name)) };
    let mut names = metadata.offset_keys();
    let name = match (name, &names[..]) {
        (None, [only]) => Some(only.clone()),
        _ => name.map(String::from),
    };
    names.retain(|other| other != name.as_deref().unwrap_or(DEFAULT_TENSOR));
    names.sort();
    // For the reserved name, `header` returns an error with its own message.
    if names.is_empty() || name.as_deref() == Some(METADATA_KEY) {
        let user_metadata = metadata.metadata().clone().map(|user_metadata| user_metadata.into_iter().collect());
        Ok(Preserved { name, user_metadata })
    } else {
        Err(list_names(&names))
    }
}

/// The bytes before the data of a file with one tensor, padded to a multiple of 8 as the format recommends. `dtype` is the
/// file's dtype for elements that are opaque to the engine.
pub(crate) fn header(preserved: Preserved, layout: &Layout, dtype: Option<Dtype>) -> Result<Vec<u8>, String> {
    let name = preserved.name.as_deref().unwrap_or(DEFAULT_TENSOR);
    if name == METADATA_KEY {
        return Err(format!("no tensor can be called {METADATA_KEY}: the format reserves that name for metadata"));
    }
    let dtype = dtype.or_else(|| to_format(layout.dtype()));
    let dtype =
        dtype.ok_or_else(|| format!(".safetensors has no dtype {}; write an .npy file instead", layout.dtype()))?;
    let bytes = layout.shape().bytes(layout.dtype().size()).map_err(|e| engine(&e))?;
    let info = TensorInfo { dtype, shape: layout.shape().to_vec(), data_offsets: (0, bytes) };
    let user_metadata = preserved.user_metadata.map(|user_metadata| user_metadata.into_iter().collect());
    let metadata = Metadata::new(user_metadata, vec![(name.to_string(), info)]).map_err(|e| e.to_string())?;
    // Through a `Value`, whose keys are sorted, so that the same run writes the same bytes.
    let text = serde_json::to_value(&metadata).and_then(|value| serde_json::to_vec(&value));
    let mut text = text.map_err(|e| e.to_string())?;
    text.resize(text.len().next_multiple_of(8), b' ');
    let mut out = (text.len() as u64).to_le_bytes().to_vec();
    out.append(&mut text);
    Ok(out)
}

/// The dtypes that the format and the engine have in common.
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

/// The engine's dtype for a dtype of the format; an opaque dtype if the engine has no arithmetic for it. `None` if elements
/// are not whole bytes.
fn from_format(dtype: Dtype) -> Option<(DType, Encoding)> {
    if let Some(&(_, ours)) = DTYPES.iter().find(|(theirs, _)| *theirs == dtype) {
        return Some((ours, Encoding::Native));
    }
    let bits = dtype.bitsize();
    let opaque = if bits.is_multiple_of(8) { DType::opaque(bits / 8) } else { None };
    opaque.map(|opaque| (opaque, Encoding::Opaque(dtype)))
}

fn to_format(dtype: DType) -> Option<Dtype> {
    DTYPES.iter().find(|(_, ours)| *ours == dtype).map(|&(theirs, _)| theirs)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Finds a tensor in a whole file.
    fn find(file: &[u8], name: Option<&str>) -> Result<(Layout, usize), String> {
        super::find(head(file), file.len() as u64, name).map(|(layout, offset, _)| (layout, offset))
    }

    fn header(preserved: Preserved, layout: &Layout) -> Result<Vec<u8>, String> {
        super::header(preserved, layout, None)
    }

    /// A file with this header and `bytes` bytes of tensor data.
    fn raw(header: &str, bytes: usize) -> Vec<u8> {
        [&(header.len() as u64).to_le_bytes()[..], header.as_bytes(), &vec![0; bytes]].concat()
    }

    fn preserved(file: &[u8], name: Option<&str>) -> Result<Preserved, String> {
        super::preserved(head(file), file.len() as u64, name)
    }

    fn head(file: &[u8]) -> &[u8] {
        let first = file.first_chunk().map_or(PREFIX, |first| data_start(*first));
        &file[..file.len().min(first)]
    }

    fn file(name: &str, layout: &Layout) -> Vec<u8> {
        let mut bytes = header(Preserved::named(Some(name)), layout).unwrap();
        bytes.resize(bytes.len() + layout.shape().bytes(layout.dtype().size()).unwrap(), 7);
        bytes
    }

    #[test]
    fn written_headers_read_back() {
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
        assert!(header(Preserved::named(Some("x")), &opaque).unwrap_err().contains("opaque16"));
        let f32 = Layout::contiguous(DType::F32, [1]).unwrap();
        assert!(header(Preserved::named(Some("__metadata__")), &f32).unwrap_err().contains("__metadata__"));
        assert_eq!(header(Preserved::default(), &f32), header(Preserved::named(Some("out")), &f32));
    }

    #[test]
    fn inconsistent_headers_are_errors_that_name_the_tensor() {
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
            (
                format!("{{{}}}", t("a", "F32", "[2]", 0, 4)),
                4,
                "\"a\" is at bytes 0 to 4 (4 bytes); F32[2] needs 8 bytes",
            ),
            (format!("{{{}}}", t("a", "F32", "[2]", 8, 0)), 8, "\"a\" is at bytes 8 to 0"),
            (format!("{{{}}}", t("a", "F4", "[3]", 0, 1)), 1, "\"a\" is at bytes 0 to 1 (1 bytes); F4[3] needs 2"),
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
    fn opaque_dtypes_keep_their_names() {
        let of = |dtype: &str, bytes: usize| {
            let file = raw(&format!(r#"{{"w":{{"dtype":"{dtype}","shape":[4],"data_offsets":[0,{bytes}]}}}}"#), bytes);
            super::find(head(&file), file.len() as u64, None)
        };
        for dtype in ["F8_E4M3", "F8_E5M2", "F8_E8M0", "F8_E4M3FNUZ", "F8_E5M2FNUZ", "C64"] {
            let (ours, bytes) = if dtype == "C64" { (DType::Opaque8, 32) } else { (DType::Opaque1, 4) };
            let (layout, _, encoding) = of(dtype, bytes).unwrap();
            let name = encoding.opaque_dtype().unwrap();
            assert_eq!((layout.dtype(), name.to_string()), (ours, dtype.to_string()));
            assert_eq!(encoding.as_f32().is_some(), dtype != "C64");
            let written = super::header(Preserved::default(), &layout, Some(name)).unwrap();
            assert!(String::from_utf8(written[PREFIX..].to_vec()).unwrap().contains(&format!("\"{dtype}\"")));
        }
        assert_eq!(of("F4", 2).unwrap_err(), "tensor \"w\" has dtype F4, whose elements are not whole bytes");
        assert_eq!(of("F32", 16).unwrap().2, Encoding::Native);
    }

    #[test]
    fn tensors_that_would_be_lost_are_errors() {
        let one = file("w", &Layout::contiguous(DType::F32, [2]).unwrap());
        let info = TensorInfo { dtype: Dtype::U8, shape: vec![0], data_offsets: (0, 0) };
        let metadata = Metadata::new(None, ["out", "v", "w"].map(|n| (n.to_string(), info.clone())).to_vec()).unwrap();
        let text = serde_json::to_vec(&metadata).unwrap();
        let three = [&(text.len() as u64).to_le_bytes()[..], &text].concat();
        let lost = |file: &[u8], name| preserved(file, name).unwrap_err();
        assert_eq!(preserved(&one, Some("w")), Ok(Preserved::named(Some("w"))));
        assert_eq!(preserved(&one, None), Ok(Preserved::named(Some("w"))));
        assert_eq!(lost(&one, Some("v")), "w");
        assert_eq!(lost(&three, Some("w")), "out, v");
        assert_eq!(lost(&three, Some("x")), "out, v, w");
        assert_eq!(lost(&three, None), "v, w");
        assert_eq!(preserved(b"no such file", Some("w")), Ok(Preserved::named(Some("w"))));
        assert_eq!(preserved(b"no such file", None), Ok(Preserved::default()));
    }

    #[test]
    fn user_metadata_is_kept_and_written_in_sorted_order() {
        let layout = Layout::contiguous(DType::F32, [2]).unwrap();
        let user_metadata: BTreeMap<_, _> = (0..20).map(|i| (format!("key {i}"), format!("\"{i}\"\n"))).collect();
        let with =
            |name: Option<&str>| Preserved { name: name.map(String::from), user_metadata: Some(user_metadata.clone()) };
        let mut bytes = header(with(Some("w")), &layout).unwrap();
        bytes.resize(bytes.len() + 8, 7);
        for name in [None, Some("w")] {
            assert_eq!(preserved(&bytes, name), Ok(with(Some("w"))));
        }
        assert_eq!(find(&bytes, Some("w")).unwrap(), (layout.clone(), bytes.len() - 8));
        for _ in 0..10 {
            assert_eq!(header(with(Some("w")), &layout).unwrap(), bytes[..bytes.len() - 8]);
        }
    }

    #[test]
    fn control_characters_in_names_are_escaped() {
        let file = file("a\n\u{1b}[31mX \u{202e}é", &Layout::contiguous(DType::F32, [2]).unwrap());
        let shown = r"a\n\u{1b}[31mX \u{202e}é";
        assert_eq!(find(&file, Some("w")).unwrap_err(), format!("has no tensor \"w\"; it has {shown}"));
        assert_eq!(preserved(&file, Some("w")).unwrap_err(), shown);
    }

    #[test]
    fn an_empty_name_is_shown_in_quotes() {
        let file = file("", &Layout::contiguous(DType::F32, [2]).unwrap());
        assert_eq!(find(&file, Some("w")).unwrap_err(), "has no tensor \"w\"; it has \"\"");
        assert_eq!(preserved(&file, Some("w")).unwrap_err(), "\"\"");
    }

    #[test]
    fn truncated_files_are_errors() {
        let good = file("x", &Layout::contiguous(DType::F32, [2, 3]).unwrap());
        for cut in 0..good.len() {
            let message = find(&good[..cut], None).unwrap_err();
            assert!(message.ends_with(" bytes") || message.contains("takes 8"), "{cut}: {message}");
        }
        assert!(find(&good, Some("y")).unwrap_err().contains("no tensor \"y\"; it has x"));
        assert!(find(&u64::MAX.to_le_bytes(), None).unwrap_err().contains("bytes, at most 100000000 are allowed"));
    }
}
