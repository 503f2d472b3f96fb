//! The functions of the runtime, [`Api`], and errors on the way to it, [`Failure`].

use core::ffi::{CStr, c_char};
use core::fmt::Display;
use core::mem::{MaybeUninit, transmute};
use core::ptr;
use std::any::Any;
use std::ffi::CString;
use std::panic::{AssertUnwindSafe, catch_unwind};

use ort_sys::{OrtApi, OrtApiBase, OrtErrorCode, OrtStatusPtr};

use crate::abi::{EpApi, VERSION};

/// The functions of the runtime, which stay where they are until the process ends.
#[derive(Clone, Copy)]
pub(crate) struct Api {
    pub(crate) ort: &'static OrtApi,
    pub(crate) ep: &'static EpApi,
    /// The version of the runtime, 1.x.
    pub(crate) runtime: u32,
}

/// An error for the runtime, or one that it reported.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Failure {
    pub(crate) code: OrtErrorCode,
    pub(crate) message: String,
}

pub(crate) type Outcome<T> = Result<T, Failure>;

impl Failure {
    /// An error of the user: an option, a shape. The runtime reports it, and keeps the session.
    pub(crate) fn invalid(message: impl Display) -> Failure {
        Failure { code: OrtErrorCode::ORT_INVALID_ARGUMENT, message: format!("eltwise: {message}") }
    }

    /// A fault of ours. The runtime's Python package makes a session on its own CPU provider then.
    pub(crate) fn fault(message: impl Display) -> Failure {
        Failure { code: OrtErrorCode::ORT_EP_FAIL, message: format!("eltwise: {message}") }
    }
}

/// `ask!(api, Function(handle, ...) -> Type)` calls a function of the runtime that writes its result through its last argument. It is
/// unsafe code: `Type` has the size and the alignment of what the function writes. Zeros, and all that the function writes, are values
/// of it; an enumeration is read as an integer, because later versions may have more of its values.
macro_rules! ask {
    ($api:expr, $function:ident($($argument:expr),*) -> $type:ty) => {{
        let mut out = core::mem::MaybeUninit::<$type>::zeroed();
        $api.check(($api.ort.$function)($($argument,)* out.as_mut_ptr().cast()))?;
        out.assume_init()
    }};
}
pub(crate) use ask;

impl Api {
    /// The functions of a runtime.
    ///
    /// # Errors
    /// The status for the runtime, if it is too old.
    ///
    /// # Safety
    /// `base` is the runtime's.
    pub(crate) unsafe fn load(base: *const OrtApiBase) -> Result<Api, OrtStatusPtr> {
        // SAFETY: the caller's contract. The runtime returns tables that stay where they are, or NULL.
        let ort = unsafe { ((*base).GetApi)(VERSION).as_ref() };
        let Some(ort) = ort else {
            // SAFETY: as above.
            return Err(unsafe { too_old(base) });
        };
        // SAFETY: the runtime's own table. We declare its first fields only.
        let ep = unsafe { &*(ort.GetEpApi)().cast::<EpApi>() };
        // SAFETY: the caller's contract; the text is the runtime's.
        let version = unsafe { text(((*base).GetVersionString)()) };
        let minor = version.strip_prefix("1.").and_then(|rest| rest.split('.').next()?.parse().ok());
        Ok(Api { ort, ep, runtime: minor.unwrap_or(u32::MAX) })
    }

    /// An error status that the runtime gave, as an error. The status is released.
    pub(crate) fn check(self, status: OrtStatusPtr) -> Outcome<()> {
        if status.0.is_null() {
            return Ok(());
        }
        // SAFETY: the status is the runtime's, is not NULL, and is released once. The message lives as long as it.
        unsafe {
            let message = CStr::from_ptr((self.ort.GetErrorMessage)(status.0)).to_string_lossy().into_owned();
            (self.ort.ReleaseStatus)(status.0);
            Err(Failure { code: OrtErrorCode::ORT_FAIL, message })
        }
    }

    /// Runs `f` for the runtime: an error or a panic becomes a status.
    pub(crate) fn guard(self, f: impl FnOnce() -> Outcome<()>) -> OrtStatusPtr {
        let Err(failure) = caught(f) else { return OrtStatusPtr(ptr::null_mut()) };
        let message = c_string(&failure.message);
        // SAFETY: the runtime copies the text.
        unsafe { (self.ort.CreateStatus)(failure.code, message.as_ptr()) }
    }
}

/// Calls `f`. A panic is a fault.
fn caught(f: impl FnOnce() -> Outcome<()>) -> Outcome<()> {
    let fault = |panic: Box<dyn Any + Send>| {
        Failure::fault(format_args!("a panic, which is a fault of eltwise: {}", panic_message(&*panic)))
    };
    catch_unwind(AssertUnwindSafe(f)).unwrap_or_else(|panic| Err(fault(panic)))
}

/// The message of a panic.
fn panic_message(panic: &(dyn Any + Send)) -> &str {
    let literal = panic.downcast_ref::<&str>().copied();
    literal.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("without a message")
}

/// Gives the runtime NULL for something that the provider does not have.
pub(crate) fn give_null<T>(place: &mut MaybeUninit<*mut T>) -> OrtStatusPtr {
    place.write(ptr::null_mut());
    OrtStatusPtr(ptr::null_mut())
}

/// A text for C. It ends at the first NUL, if it has one.
pub(crate) fn c_string(text: &str) -> CString {
    CString::new(text.split('\0').next().unwrap_or_default()).unwrap_or_default()
}

/// The text that a pointer of the runtime points to; empty for NULL and for text that is not UTF-8.
///
/// # Safety
/// As for [`bytes`].
pub(crate) unsafe fn text<'a>(pointer: *const c_char) -> &'a str {
    // SAFETY: the caller's contract.
    unsafe { bytes(pointer) }.to_str().unwrap_or_default()
}

/// The text that a pointer of the runtime points to, in any encoding; empty for NULL.
///
/// # Safety
/// The pointer is NULL or points to a text that ends with NUL and lives for `'a`.
pub(crate) unsafe fn bytes<'a>(pointer: *const c_char) -> &'a CStr {
    // SAFETY: the caller's contract.
    if pointer.is_null() { c"" } else { unsafe { CStr::from_ptr(pointer) } }
}

/// The status for a runtime without our version of the interface.
///
/// # Safety
/// `base` is the runtime's.
unsafe fn too_old(base: *const OrtApiBase) -> OrtStatusPtr {
    // SAFETY: the caller's contract. The first functions of the interface are those of every version; others are not called.
    unsafe {
        let version = text(((*base).GetVersionString)());
        let message = format!("eltwise needs ONNX Runtime 1.{VERSION} or newer, this is {version}");
        let Some(oldest) = ((*base).GetApi)(1).cast::<*const ()>().as_ref() else {
            return OrtStatusPtr(ptr::null_mut());
        };
        // CreateStatus is the first function of the table. A reference to the whole of it would claim more than there is.
        let create: unsafe extern "system" fn(OrtErrorCode, *const c_char) -> OrtStatusPtr = transmute(*oldest);
        create(OrtErrorCode::ORT_NOT_IMPLEMENTED, c_string(&message).as_ptr())
    }
}

#[cfg(test)]
mod tests {
    use std::panic::panic_any;

    use super::*;

    #[test]
    fn panics_are_faults_with_their_message() {
        assert_eq!(caught(|| Ok(())), Ok(()));
        assert_eq!(caught(|| Err(Failure::invalid("a shape"))), Err(Failure::invalid("a shape")));
        let fault = |text: &str| Err(Failure::fault(format_args!("a panic, which is a fault of eltwise: {text}")));
        assert_eq!(caught(|| panic!("a literal")), fault("a literal"));
        assert_eq!(caught(|| panic!("number {}", 7)), fault("number 7"));
        assert_eq!(caught(|| panic_any(7)), fault("without a message"));
    }

    #[test]
    fn texts_for_c_end_at_a_nul() {
        assert_eq!(c_string("ab\0cd").as_c_str(), c"ab");
        assert_eq!(c_string("").as_c_str(), c"");
    }
}
