//! The file parsers of the command line, on any bytes: they never panic, do not allocate memory for sizes that a header
//! claims, and give arrays within the file. If the header of such an array is written again, it reads the same.
//!
//! The first byte chooses the format and whether a tensor is requested by name; the file follows.
#![no_main]

use eltwise::{Layout, View};
use libfuzzer_sys::fuzz_target;

/// The file parsers of the command-line tool. They parse bytes, so they need no files.
#[path = "../../crates/eltwise-cli/src/files"]
mod files {
    #[allow(dead_code, reason = "the command-line tool uses more of it")]
    pub(crate) mod encoding;
    #[allow(dead_code, reason = "the command-line tool uses more of it")]
    pub(crate) mod npy;
    #[allow(dead_code, reason = "the command-line tool uses more of it")]
    pub(crate) mod npy_header;
    #[allow(dead_code, reason = "the command-line tool uses more of it")]
    pub(crate) mod safetensors;
    #[allow(dead_code, reason = "the command-line tool uses more of it")]
    pub(crate) mod safetensors_header;
}

/// The error texts of the parsers.
#[path = "../../crates/eltwise-cli/src/error.rs"]
#[allow(dead_code, reason = "the command-line tool uses more of it")]
mod error;

use files::safetensors::Preserved;
use files::{npy, safetensors};

/// A file with this header and elements that are all 0.
fn with_elements(mut header: Vec<u8>, layout: &Layout) -> Vec<u8> {
    let bytes = layout.shape().bytes(layout.dtype().size()).expect("a layout read from a file should have a size");
    header.resize(header.len() + bytes, 0);
    header
}

/// Whether the elements have the same positions. If there are none, the strides do not count.
fn is_same(reread: &Layout, layout: &Layout) -> bool {
    let same_shape = reread.dtype() == layout.dtype() && reread.shape() == layout.shape();
    same_shape && (layout.shape().contains(&0) || reread.places_as(layout))
}

fuzz_target!(|input: &[u8]| {
    let Some((&first, file)) = input.split_first() else { return };
    let is_npy = first.is_multiple_of(2);
    let name = (first % 4 == 3).then_some("x");
    let length = file.len() as u64;
    let found = if is_npy { npy::find(file, length) } else { safetensors::find(file, length, name) };
    let preserved = safetensors::preserved(file, length, name);
    let (layout, offset, encoding) = match found {
        Ok(found) => found,
        Err(message) => return assert!(!message.is_empty()),
    };
    assert!(View::from_bytes(file, layout.clone(), offset).is_ok(), "{layout} at {offset} of {} bytes", file.len());
    if is_npy {
        assert!(npy::can_store(&layout), "{layout}");
        let reread = {
            let file = with_elements(npy::header(&layout), &layout);
            npy::find(&file, file.len() as u64)
        };
        assert!(reread.as_ref().is_ok_and(|(reread, ..)| is_same(reread, &layout)), "{layout}: {reread:?}");
    } else {
        assert!(preserved.as_ref().err().is_none_or(|lost| !lost.is_empty() && !lost.contains(char::is_control)));
        let preserved = preserved.unwrap_or_else(|_| Preserved::named(name));
        if let Ok(header) = safetensors::header(preserved, &layout, encoding.opaque_dtype()) {
            let reread = {
                let file = with_elements(header, &layout);
                safetensors::find(&file, file.len() as u64, name)
            };
            assert!(
                reread.as_ref().is_ok_and(|(reread, _, same)| *reread == layout && *same == encoding),
                "{layout}: {reread:?}"
            );
        }
    }
});
