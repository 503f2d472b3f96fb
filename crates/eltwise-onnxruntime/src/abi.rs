//! The structs that ONNX Runtime calls us through, and the head of its own table for providers. `ort-sys` has the rest of its interface.
//!
//! Layouts are those of release 1.24: the runtime reads no field beyond the version that a struct claims to have, [`VERSION`]. It reads
//! slots of that version without a check for NULL in some places, so every struct has them all, and a tail of NULL slots.

use core::ffi::{c_char, c_void};
use core::mem::{offset_of, size_of};
use core::ptr;

use ort_sys::{
    OrtEpDevice, OrtGraph, OrtHardwareDevice, OrtKernelContext, OrtKeyValuePairs, OrtLogger, OrtNode,
    OrtSessionOptions, OrtStatusPtr,
};

/// The version of the interface: the first with `GetTensorElementTypeAndShapeDataReference`, which reads a shape without allocating.
pub(crate) const VERSION: u32 = 24;

/// A function that the provider does not have.
#[repr(transparent)]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Absent(*const c_void);

impl Absent {
    pub(crate) const SLOT: Absent = Absent(ptr::null());
    pub(crate) const TAIL: Tail = [Absent::SLOT; 16];
}

// SAFETY: it is NULL.
unsafe impl Send for Absent {}
// SAFETY: it is NULL.
unsafe impl Sync for Absent {}

/// Slots of later versions.
pub(crate) type Tail = [Absent; 16];

/// `OrtEpGraphSupportInfo`.
#[repr(C)]
pub(crate) struct EpGraphSupportInfo {
    _unused: [u8; 0],
}

/// `OrtNodeComputeContext`.
#[repr(C)]
pub(crate) struct NodeComputeContext {
    _unused: [u8; 0],
}

/// `OrtNodeFusionOptions`.
#[repr(C)]
pub(crate) struct NodeFusionOptions {
    pub(crate) version: u32,
    pub(crate) drop_constant_initializers: bool,
}

/// The head of `OrtEpApi`, a table of the runtime.
#[repr(C)]
pub(crate) struct EpApi {
    pub(crate) create_ep_device: unsafe extern "system" fn(
        factory: *mut EpFactory,
        device: *const OrtHardwareDevice,
        metadata: *const OrtKeyValuePairs,
        options: *const OrtKeyValuePairs,
        out: *mut *mut OrtEpDevice,
    ) -> OrtStatusPtr,
    pub(crate) release_ep_device: unsafe extern "system" fn(*mut OrtEpDevice),
    pub(crate) add_nodes_to_fuse: unsafe extern "system" fn(
        info: *mut EpGraphSupportInfo,
        nodes: *const *const OrtNode,
        count: usize,
        options: *const NodeFusionOptions,
    ) -> OrtStatusPtr,
}

/// `OrtEpFactory`: makes a provider for each session.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct EpFactory {
    pub(crate) version: u32,
    pub(crate) get_name: unsafe extern "system" fn(*const EpFactory) -> *const c_char,
    pub(crate) get_vendor: unsafe extern "system" fn(*const EpFactory) -> *const c_char,
    pub(crate) get_supported_devices: unsafe extern "system" fn(
        factory: *mut EpFactory,
        devices: *const *const OrtHardwareDevice,
        count: usize,
        found: *mut *mut OrtEpDevice,
        max_found: usize,
        found_count: *mut usize,
    ) -> OrtStatusPtr,
    pub(crate) create_ep: unsafe extern "system" fn(
        factory: *mut EpFactory,
        devices: *const *const OrtHardwareDevice,
        metadata: *const *const OrtKeyValuePairs,
        count: usize,
        session_options: *const OrtSessionOptions,
        logger: *const OrtLogger,
        out: *mut *mut Ep,
    ) -> OrtStatusPtr,
    pub(crate) release_ep: unsafe extern "system" fn(*mut EpFactory, *mut Ep),
    pub(crate) get_vendor_id: unsafe extern "system" fn(*const EpFactory) -> u32,
    pub(crate) get_version: unsafe extern "system" fn(*const EpFactory) -> *const c_char,
    pub(crate) validate_compiled_model_compatibility_info: Absent,
    pub(crate) create_allocator: unsafe extern "system" fn(
        factory: *mut EpFactory,
        memory_info: *const c_void,
        options: *const OrtKeyValuePairs,
        out: *mut *mut c_void,
    ) -> OrtStatusPtr,
    pub(crate) release_allocator: unsafe extern "system" fn(*mut EpFactory, *mut c_void),
    pub(crate) create_data_transfer: unsafe extern "system" fn(*mut EpFactory, *mut *mut c_void) -> OrtStatusPtr,
    pub(crate) is_stream_aware: unsafe extern "system" fn(*const EpFactory) -> bool,
    pub(crate) create_sync_stream_for_device: unsafe extern "system" fn(
        factory: *mut EpFactory,
        device: *const c_void,
        options: *const OrtKeyValuePairs,
        out: *mut *mut c_void,
    ) -> OrtStatusPtr,
    pub(crate) get_hardware_device_incompatibility_details: Absent,
    pub(crate) create_external_resource_importer_for_device: Absent,
    pub(crate) get_num_custom_op_domains: Absent,
    pub(crate) get_custom_op_domains: Absent,
    pub(crate) tail: Tail,
}

/// `OrtEp`: the provider of a session.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct Ep {
    pub(crate) version: u32,
    pub(crate) get_name: unsafe extern "system" fn(*const Ep) -> *const c_char,
    pub(crate) get_capability:
        unsafe extern "system" fn(*mut Ep, *const OrtGraph, *mut EpGraphSupportInfo) -> OrtStatusPtr,
    pub(crate) compile: unsafe extern "system" fn(
        ep: *mut Ep,
        graphs: *mut *const OrtGraph,
        fused_nodes: *mut *const OrtNode,
        count: usize,
        compute_infos: *mut *mut NodeComputeInfo,
        context_nodes: *mut *mut OrtNode,
    ) -> OrtStatusPtr,
    pub(crate) release_node_compute_infos: unsafe extern "system" fn(*mut Ep, *mut *mut NodeComputeInfo, usize),
    pub(crate) get_preferred_data_layout: Absent,
    pub(crate) should_convert_data_layout_for_op: Absent,
    pub(crate) set_dynamic_options: Absent,
    pub(crate) on_run_start: Absent,
    pub(crate) on_run_end: Absent,
    pub(crate) create_allocator: Absent,
    pub(crate) create_sync_stream_for_device: Absent,
    pub(crate) get_compiled_model_compatibility_info: Absent,
    pub(crate) get_kernel_registry: Absent,
    pub(crate) is_concurrent_run_supported: Absent,
    pub(crate) tail: Tail,
}

/// `OrtNodeComputeInfo`: computes a fused node.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct NodeComputeInfo {
    pub(crate) version: u32,
    pub(crate) create_state:
        unsafe extern "system" fn(*mut NodeComputeInfo, *mut NodeComputeContext, *mut *mut c_void) -> OrtStatusPtr,
    pub(crate) compute:
        unsafe extern "system" fn(*mut NodeComputeInfo, *mut c_void, *mut OrtKernelContext) -> OrtStatusPtr,
    pub(crate) release_state: unsafe extern "system" fn(*mut NodeComputeInfo, *mut c_void),
    pub(crate) tail: Tail,
}

// The sizes and offsets in the headers of release 1.24, in words.
const WORD: usize = size_of::<*const c_void>();
const _: () = assert!(size_of::<NodeFusionOptions>() == 8);
const _: () = assert!(offset_of!(NodeFusionOptions, drop_constant_initializers) == 4);
const _: () = assert!(offset_of!(EpApi, add_nodes_to_fuse) == 2 * WORD);
const _: () = assert!(offset_of!(EpFactory, create_ep) == 4 * WORD);
const _: () = assert!(offset_of!(EpFactory, validate_compiled_model_compatibility_info) == 8 * WORD);
const _: () = assert!(offset_of!(EpFactory, is_stream_aware) == 12 * WORD);
const _: () = assert!(offset_of!(EpFactory, get_num_custom_op_domains) == 16 * WORD);
const _: () = assert!(offset_of!(EpFactory, tail) == 18 * WORD);
const _: () = assert!(size_of::<EpFactory>() == (18 + 16) * WORD);
const _: () = assert!(offset_of!(Ep, compile) == 3 * WORD);
const _: () = assert!(offset_of!(Ep, on_run_start) == 8 * WORD);
const _: () = assert!(offset_of!(Ep, get_kernel_registry) == 13 * WORD);
const _: () = assert!(offset_of!(Ep, tail) == 15 * WORD);
const _: () = assert!(size_of::<Ep>() == (15 + 16) * WORD);
const _: () = assert!(offset_of!(NodeComputeInfo, compute) == 2 * WORD);
const _: () = assert!(offset_of!(NodeComputeInfo, tail) == 4 * WORD);
const _: () = assert!(size_of::<NodeComputeInfo>() == (4 + 16) * WORD);
