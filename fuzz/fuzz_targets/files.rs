//! Any bytes as a file: the readers of the command line never panic, take no memory for what a header claims, and give
//! arrays that lie within the file; what they read is written as a header that reads the same.
//!
//! The first byte is the format, and whether a tensor is asked for by its name; the file follows.
#![no_main]

use eltwise::{Layout, View};
use libfuzzer_sys::fuzz_target;

/// The readers, as the program has them: they read bytes, and know nothing of where these are from.
#[path = "../../crates/eltwise-cli/src/files"]
mod files {
    #[allow(dead_code, reason = "the program uses more of it")]
    pub(crate) mod npy;
    #[allow(dead_code, reason = "the program uses more of it")]
    pub(crate) mod npy_header;
    #[allow(dead_code, reason = "the program uses more of it")]
    pub(crate) mod safetensors;
    #[allow(dead_code, reason = "the program uses more of it")]
    pub(crate) mod stored;
}

/// The words of what they refuse.
#[path = "../../crates/eltwise-cli/src/error.rs"]
#[allow(dead_code, reason = "the program uses more of it")]
mod error;

use files::safetensors::Kept;
use files::{npy, safetensors};

/// A file of this header and elements that are all 0.
fn with_elements(mut header: Vec<u8>, layout: &Layout) -> Vec<u8> {
    let bytes = layout.shape().bytes(layout.dtype().size()).expect("the layout was found in a file");
    header.resize(header.len() + bytes, 0);
    header
}

/// Whether the elements lie in the same places; without elements, any strides do.
fn is_same(again: &Layout, layout: &Layout) -> bool {
    let alike = again.dtype() == layout.dtype() && again.shape() == layout.shape();
    alike && (layout.shape().contains(&0) || again.places_as(layout))
}

fuzz_target!(|input: &[u8]| {
    let Some((&first, file)) = input.split_first() else { return };
    let is_npy = first.is_multiple_of(2);
    let name = (first % 4 == 3).then_some("x");
    let length = file.len() as u64;
    let found = if is_npy { npy::find(file, length) } else { safetensors::find(file, length, name) };
    let kept = safetensors::kept(file, length, name);
    let (layout, offset, stored) = match found {
        Ok(found) => found,
        Err(why) => return assert!(!why.is_empty()),
    };
    assert!(View::from_bytes(file, layout.clone(), offset).is_ok(), "{layout} at {offset} of {} bytes", file.len());
    if is_npy {
        assert!(npy::holds(&layout), "{layout}");
        let again = {
            let file = with_elements(npy::header(&layout), &layout);
            npy::find(&file, file.len() as u64)
        };
        assert!(again.as_ref().is_ok_and(|(again, ..)| is_same(again, &layout)), "{layout}: {again:?}");
    } else {
        assert!(kept.as_ref().err().is_none_or(|lost| !lost.is_empty() && !lost.contains(char::is_control)));
        let kept = kept.unwrap_or_else(|_| Kept::named(name));
        if let Ok(header) = safetensors::header(kept, &layout, stored.name()) {
            let again = {
                let file = with_elements(header, &layout);
                safetensors::find(&file, file.len() as u64, name)
            };
            assert!(
                again.as_ref().is_ok_and(|(again, _, as_before)| *again == layout && *as_before == stored),
                "{layout}: {again:?}"
            );
        }
    }
});
