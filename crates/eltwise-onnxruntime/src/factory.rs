//! The factory: [`Factory`] tells the runtime about the provider and makes one for each session.

use core::ffi::{CStr, c_char, c_void};
use core::{ptr, slice};

use eltwise::Isa;
use ort_sys::{OrtEpDevice, OrtHardwareDevice, OrtKeyValuePairs, OrtLogger, OrtSessionOptions, OrtStatusPtr};

use crate::abi::{Absent, Ep, EpFactory, VERSION};
use crate::api::{Api, Outcome, ask, c_string, give_null, text};
use crate::options::Options;
use crate::provider::{NAME, Provider};

const VENDOR: &CStr = c"eltwise";
const OUR_VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");

/// `OrtHardwareDeviceType_CPU`.
const CPU: u32 = 0;

/// Makes providers.
#[repr(C)]
pub(crate) struct Factory {
    /// The functions that the runtime calls. The first field, so that a pointer to it is a pointer to the whole.
    table: EpFactory,
    api: Api,
}

impl Factory {
    /// The factory of a runtime.
    pub(crate) fn new(api: Api) -> Factory {
        let table = EpFactory {
            version: VERSION,
            get_name,
            get_vendor,
            get_supported_devices,
            create_ep,
            release_ep,
            get_vendor_id,
            get_version,
            validate_compiled_model_compatibility_info: Absent::SLOT,
            create_allocator,
            release_allocator,
            create_data_transfer,
            is_stream_aware,
            create_sync_stream_for_device,
            get_hardware_device_incompatibility_details: Absent::SLOT,
            create_external_resource_importer_for_device: Absent::SLOT,
            get_num_custom_op_domains: Absent::SLOT,
            get_custom_op_domains: Absent::SLOT,
            tail: Absent::TAIL,
        };
        Factory { table, api }
    }

    /// The pointer for the runtime. It is given back to [`Factory::release`].
    pub(crate) fn into_table(self) -> *mut EpFactory {
        Box::into_raw(Box::new(self)).cast()
    }

    /// Releases a factory.
    ///
    /// # Safety
    /// The pointer is from [`Factory::into_table`], and is not used again.
    pub(crate) unsafe fn release(table: *mut EpFactory) {
        // SAFETY: the caller's contract: the table is the first field of a factory in a box.
        drop(unsafe { Box::from_raw(table.cast::<Factory>()) });
    }

    /// The device of the provider on a CPU, if it is one.
    ///
    /// # Safety
    /// `table` is the runtime's pointer to this factory, and the device the runtime's.
    unsafe fn device(
        &self,
        table: *mut EpFactory,
        device: *const OrtHardwareDevice,
    ) -> Outcome<Option<*mut OrtEpDevice>> {
        let api = self.api;
        // SAFETY: the caller's contract. The type is read as a number: later versions may have others. The runtime copies the pairs,
        // and takes the device.
        unsafe {
            let kind: unsafe extern "system" fn(*const OrtHardwareDevice) -> u32 =
                core::mem::transmute(api.ort.HardwareDevice_Type);
            if kind(device) != CPU {
                return Ok(None);
            }
            let mut metadata = ptr::null_mut();
            (api.ort.CreateKeyValuePairs)(&raw mut metadata);
            (api.ort.AddKeyValuePair)(metadata, c"isa".as_ptr(), c_string(Isa::current().name()).as_ptr());
            let mut found = ptr::null_mut();
            let status = (api.ep.create_ep_device)(table, device, metadata, ptr::null(), &raw mut found);
            (api.ort.ReleaseKeyValuePairs)(metadata);
            api.check(status)?;
            Ok(Some(found))
        }
    }

    /// Makes the provider of a session.
    ///
    /// # Safety
    /// The session's options and its logger are the runtime's.
    unsafe fn provider(&self, session: *const OrtSessionOptions, logger: *const OrtLogger) -> Outcome<Provider> {
        let api = self.api;
        let prefix = format!("ep.{}.", NAME.to_string_lossy().to_lowercase());
        // SAFETY: the caller's contract. The texts live as long as the entries, which are released once.
        let options = unsafe {
            let entries = ask!(api, GetSessionOptionsConfigEntries(session) -> *mut OrtKeyValuePairs);
            let (mut names, mut values, mut count) = (ptr::null(), ptr::null(), 0);
            (api.ort.GetKeyValuePairs)(entries, &raw mut names, &raw mut values, &raw mut count);
            let pairs = (0..count).map(|i| (text(*names.add(i)), text(*values.add(i))));
            let options = Options::read(&prefix, api.runtime, pairs);
            (api.ort.ReleaseKeyValuePairs)(entries);
            options
        };
        Provider::new(api, options?, logger)
    }
}

unsafe extern "system" fn get_name(_: *const EpFactory) -> *const c_char {
    NAME.as_ptr()
}

unsafe extern "system" fn get_vendor(_: *const EpFactory) -> *const c_char {
    VENDOR.as_ptr()
}

/// No vendor of devices.
unsafe extern "system" fn get_vendor_id(_: *const EpFactory) -> u32 {
    0
}

unsafe extern "system" fn get_version(_: *const EpFactory) -> *const c_char {
    OUR_VERSION.as_ptr().cast()
}

unsafe extern "system" fn get_supported_devices(
    table: *mut EpFactory,
    devices: *const *const OrtHardwareDevice,
    count: usize,
    found: *mut *mut OrtEpDevice,
    max_found: usize,
    found_count: *mut usize,
) -> OrtStatusPtr {
    // SAFETY: the table is the first field of a factory, which lives until the runtime gives it back.
    let factory = unsafe { &*table.cast::<Factory>() };
    factory.api.guard(|| {
        // SAFETY: the runtime gives so many devices, places for so many results and one for their number.
        unsafe {
            *found_count = 0;
            let devices = if count == 0 { &[] } else { slice::from_raw_parts(devices, count) };
            for &device in devices {
                if *found_count < max_found
                    && let Some(device) = factory.device(table, device)?
                {
                    *found.add(*found_count) = device;
                    *found_count += 1;
                }
            }
        }
        Ok(())
    })
}

unsafe extern "system" fn create_ep(
    table: *mut EpFactory,
    _: *const *const OrtHardwareDevice,
    _: *const *const OrtKeyValuePairs,
    _: usize,
    session_options: *const OrtSessionOptions,
    logger: *const OrtLogger,
    out: *mut *mut Ep,
) -> OrtStatusPtr {
    // SAFETY: the table is the first field of a factory.
    let factory = unsafe { &*table.cast::<Factory>() };
    // SAFETY: the runtime gives the options of the session, its logger, and a place for the provider.
    factory.api.guard(|| unsafe {
        *out = ptr::null_mut();
        *out = factory.provider(session_options, logger)?.into_table();
        Ok(())
    })
}

unsafe extern "system" fn release_ep(_: *mut EpFactory, ep: *mut Ep) {
    if !ep.is_null() {
        // SAFETY: the runtime gives back what `create_ep` has given.
        unsafe { Provider::release(ep) };
    }
}

/// NULL: the provider uses the runtime's memory.
unsafe extern "system" fn create_allocator(
    _: *mut EpFactory,
    _: *const c_void,
    _: *const OrtKeyValuePairs,
    out: *mut *mut c_void,
) -> OrtStatusPtr {
    // SAFETY: the runtime's place for the result.
    give_null::<c_void>(unsafe { &mut *out.cast() })
}

unsafe extern "system" fn release_allocator(_: *mut EpFactory, _: *mut c_void) {}

/// NULL: memory of the CPU needs no transfer.
unsafe extern "system" fn create_data_transfer(_: *mut EpFactory, out: *mut *mut c_void) -> OrtStatusPtr {
    // SAFETY: the runtime's place for the result.
    give_null::<c_void>(unsafe { &mut *out.cast() })
}

unsafe extern "system" fn is_stream_aware(_: *const EpFactory) -> bool {
    false
}

/// NULL: there are no streams.
unsafe extern "system" fn create_sync_stream_for_device(
    _: *mut EpFactory,
    _: *const c_void,
    _: *const OrtKeyValuePairs,
    out: *mut *mut c_void,
) -> OrtStatusPtr {
    // SAFETY: the runtime's place for the result.
    give_null::<c_void>(unsafe { &mut *out.cast() })
}
