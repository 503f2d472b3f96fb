//! `.npy`: NumPy's format for one array. [`find`] reads versions 1 to 3; [`header`] writes versions 1 and 2.

use eltwise::{Layout, Shape, Strides};

use super::encoding::{Encoding, FoundArray};
use super::npy_header::{self, Header};
use crate::error::engine;

const MAGIC: &[u8; 6] = b"\x93NUMPY";
/// The longest header accepted, in bytes. The header of an array has some hundred bytes, even at rank 64.
const MAX_HEADER: usize = 1 << 16;

/// The largest number of bytes before the elements.
pub(crate) const MAX_PREFIX: usize = MAX_HEADER + 12;

/// Finds the array in a file of `length` bytes whose first bytes are `file`.
pub(crate) fn find(file: &[u8], length: u64) -> Result<FoundArray, String> {
    let Some(rest) = file.strip_prefix(MAGIC) else {
        return Err("is not an .npy file: it does not begin with \\x93NUMPY".into());
    };
    let (len, start) = match *rest {
        [1, 0, a, b, ..] => (usize::from(u16::from_le_bytes([a, b])), 10),
        [2 | 3, 0, a, b, c, d, ..] => (u32::from_le_bytes([a, b, c, d]) as usize, 12),
        [] | [1..=3] | [1..=3, 0, ..] => return Err(format!("is cut off within its first {} bytes", file.len())),
        [major, ref minor @ ..] => {
            let minor = minor.first().copied().unwrap_or(0);
            return Err(format!("has format version {major}.{minor}; expected 1.0, 2.0 or 3.0"));
        }
    };
    if len > MAX_HEADER {
        return Err(format!("has a header of {len} bytes; expected at most {MAX_HEADER}"));
    }
    let Some(text) = file.get(start..start + len) else {
        return Err(format!("is cut off within its header: {} bytes of {}", file.len(), start + len));
    };
    let header = npy_header::parse(text)?;
    let layout = header_layout(&header)?;
    let needed = layout.shape().bytes(header.dtype.size()).map_err(|e| engine(&e))?;
    let given = length.saturating_sub((start + len) as u64);
    if given < needed as u64 {
        return Err(format!("is cut off: {layout} needs {needed} bytes after the header, the file has {given}"));
    }
    Ok((layout, start + len, if header.big_endian { Encoding::BigEndian } else { Encoding::Native }))
}

fn header_layout(header: &Header) -> Result<Layout, String> {
    let c = Layout::contiguous(header.dtype, Shape::new(&header.shape)).map_err(|e| engine(&e))?;
    if header.fortran { to_fortran(&c).map_err(|e| engine(&e)) } else { Ok(c) }
}

/// The layout of the same shape in Fortran order: the first axis is fastest.
fn to_fortran(layout: &Layout) -> Result<Layout, eltwise::Error> {
    let mut step = layout.dtype().size() as isize;
    let strides: Vec<isize> = layout
        .shape()
        .iter()
        .map(|&d| {
            let stride = step;
            // Wraps only if the array has no elements: the caller's layout fits in an isize.
            step = step.wrapping_mul(d.max(1) as isize);
            stride
        })
        .collect();
    layout.with_strides(&strides[..])
}

/// Whether an `.npy` file can store this layout: it must be dense, in C or Fortran order.
pub(crate) fn can_store(layout: &Layout) -> bool {
    layout.is_contiguous() || is_fortran(layout)
}

fn is_fortran(layout: &Layout) -> bool {
    let shape: Shape = layout.shape().iter().rev().copied().collect();
    let strides: Strides = layout.strides().iter().rev().copied().collect();
    Layout::strided(layout.dtype(), shape, strides).is_ok_and(|l| l.is_contiguous())
}

/// The bytes before the elements, padded to a multiple of 64.
pub(crate) fn header(layout: &Layout) -> Vec<u8> {
    let fortran = if !layout.is_contiguous() && is_fortran(layout) { "True" } else { "False" };
    let shape: Vec<String> = layout.shape().iter().map(usize::to_string).collect();
    let comma = if shape.len() == 1 { "," } else { "" };
    let descr = npy_header::descr(layout.dtype());
    let shape = shape.join(", ");
    let mut text = format!("{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': ({shape}{comma}), }}");
    let long = text.len() + 1 + 10 + 63 > usize::from(u16::MAX);
    let before = if long { 12 } else { 10 };
    let padded = (before + text.len() + 1).next_multiple_of(64) - before;
    text.extend(std::iter::repeat_n(' ', padded - text.len() - 1));
    text.push('\n');
    let mut out = MAGIC.to_vec();
    if long {
        out.extend([2, 0]);
        out.extend((padded as u32).to_le_bytes());
    } else {
        out.extend([1, 0]);
        out.extend((padded as u16).to_le_bytes());
    }
    out.extend(text.into_bytes());
    out
}

#[cfg(test)]
mod tests {
    use eltwise::DType;

    use super::*;

    /// The layout and the data offset of a whole file.
    fn find(file: &[u8]) -> Result<(Layout, usize), String> {
        let (layout, offset, encoding) = super::find(&file[..file.len().min(MAX_PREFIX)], file.len() as u64)?;
        assert_eq!(encoding, Encoding::Native);
        Ok((layout, offset))
    }

    fn file(layout: &Layout) -> Vec<u8> {
        let mut bytes = header(layout);
        bytes.resize(bytes.len() + layout.shape().bytes(layout.dtype().size()).unwrap(), 7);
        bytes
    }

    #[test]
    fn written_headers_read_back() {
        for dtype in DType::ALL {
            for shape in [&[][..], &[5], &[2, 3], &[4, 1, 0], &[1; 64]] {
                let l = Layout::contiguous(dtype, shape).unwrap();
                assert_eq!(header(&l).len() % 64, 0);
                let (found, at) = find(&file(&l)).unwrap();
                assert_eq!((&found, at), (&l, header(&l).len()));
            }
        }
        let f = to_fortran(&Layout::contiguous(DType::F64, [2, 3, 4]).unwrap()).unwrap();
        assert_eq!(f.strides().values(), [8, 16, 48]);
        assert!(can_store(&f));
        assert_eq!(find(&file(&f)).unwrap().0, f);
        assert!(!can_store(&Layout::strided(DType::U8, [2, 3, 4], [4, 8, 1]).unwrap()));
    }

    #[test]
    fn truncated_files_are_errors() {
        let good = file(&Layout::contiguous(DType::F32, [2, 3]).unwrap());
        for cut in 0..good.len() {
            assert!(find(&good[..cut]).is_err(), "{cut}");
        }
        assert!(
            find(&good[..good.len() - 1]).unwrap_err().contains("needs 24 bytes after the header, the file has 23")
        );
    }

    #[test]
    fn wrong_lengths_shapes_versions_and_magic_are_errors() {
        let mut huge = b"\x93NUMPY\x02\x00".to_vec();
        huge.extend(u32::MAX.to_le_bytes());
        huge.resize(200, b'(');
        assert!(find(&huge).unwrap_err().contains("header of 4294967295 bytes"));
        let text = "{'descr': '<f4', 'fortran_order': True, 'shape': (4294967296, 4294967296, 4294967296)}";
        let mut overflow = b"\x93NUMPY\x01\x00".to_vec();
        overflow.extend((text.len() as u16).to_le_bytes());
        overflow.extend(text.bytes());
        assert!(find(&overflow).unwrap_err().contains("address space"));
        assert!(find(b"\x93NUMPY\x09\x00").unwrap_err().contains("version 9.0"));
        assert!(find(b"\x93NUMPY\x01\x01").unwrap_err().contains("version 1.1"));
        assert!(find(b"PK\x03\x04").unwrap_err().contains("not an .npy file"));
    }
}
