//! Loads a kernel's PTX on this GPU and prepares its launch.

use super::buffers::Buffers;
use super::driver::{CudaExecutor, failed};
use crate::epilogue_buffers::EpilogueBuffers;
use crate::footprint::{Footprint, human_bytes};
use crate::prelude::*;
use crate::resolve::Companion;
use cudarc::driver::sys::CUfunction_attribute_enum as Attribute;
use cudarc::driver::{CudaFunction, CudaSlice, DevicePtr as _, DeviceRepr, DriverError, LaunchConfig, sys};
use cudarc::nvrtc::Ptx;
use std::ffi::c_int;
use tutor_kernels::{Geometry, Swizzle, TensorMap};

/// A kernel that the driver has compiled.
pub(super) struct Loaded {
    /// Index of the program in the request.
    pub(super) index: usize,
    pub(super) id: String,
    pub(super) function: CudaFunction,
    pub(super) config: LaunchConfig,
    /// Tensor maps in the order of the kernel's parameters. [`Loaded::bind`] makes them for the buffers.
    pub(super) maps: Vec<MapParameter>,
    /// Buffers of the kernel's further parameters.
    pub(super) further: Vec<CudaSlice<u8>>,
    /// True if the number of products follows them.
    pub(super) batched: bool,
    /// Padded copies of the matrices, and their shape.
    pub(super) padded: Option<(Buffers, Shape)>,
    /// What else runs in a launch, and its kernels.
    pub(super) companion: Option<(Companion, Vec<(CudaFunction, LaunchConfig)>)>,
}

/// A tensor map as a kernel parameter.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(super) struct MapParameter(sys::CUtensorMap);

// SAFETY: The type is 128 bytes of plain data, passed by value as `const __grid_constant__ CUtensorMap`.
unsafe impl DeviceRepr for MapParameter {}

/// Maximum shared memory per block in bytes that does not need an attribute (CUDA C++ Programming Guide, compute
/// capabilities).
const ALWAYS_SHARED: u32 = 48 << 10;

/// Loads a kernel. A kernel that this GPU cannot run is refused here, and not at its launch.
pub(super) fn load(gpu: &CudaExecutor, program: &Resolved) -> Result<Loaded, ExecError> {
    let id = &program.id;
    let name = &gpu.device.name;
    let [major, minor] = gpu.device.capability.unwrap_or_default();
    if !program.arch.runs_on([major, minor]) {
        let has = format!("{major}.{minor}");
        let message = sentence!("exec-too-new", kernel = id, demand = program.arch.demand(), device = name, has);
        return Err(ExecError::new(ExecErrorKind::NoDevice, message).help(sentence!("exec-too-new-help")));
    }
    let doing = sentence!("exec-doing-load", kernel = id);
    let fault = |error: DriverError| failed(&doing, &error);
    let module = gpu.context.load_module(Ptx::from_src(crate::assembler::ascii(&program.ptx))).map_err(|error| {
        let mut fault = fault(error);
        if let Some(log) = compile_log(&program.ptx) {
            fault.message = fault.message + format!("\n{log}");
        }
        fault
    })?;
    let function = module.load_function(&program.entry).map_err(fault)?;
    let [bx, by, bz] = program.geometry.block;
    let threads = function.max_threads_per_block().map_err(fault)?;
    if i64::from(bx) * i64::from(by) * i64::from(bz) > i64::from(threads) {
        let message = sentence!("exec-threads", kernel = id, most = threads, block = format!("{bx}×{by}×{bz}"));
        return Err(ExecError::new(ExecErrorKind::NoDevice, message).help(sentence!("exec-threads-help")));
    }
    let dynamic = program.shared_bytes;
    let fixed = function.get_attribute(Attribute::CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES).map_err(fault)?;
    let needed = dynamic.saturating_add(u32::try_from(fixed).unwrap_or(0));
    if needed > gpu.shared_limit.max(ALWAYS_SHARED) {
        let (needed, has) = (human_bytes(needed.into()), human_bytes(gpu.shared_limit.into()));
        let message = sentence!("exec-shared", kernel = id, needed, device = name, has);
        return Err(ExecError::new(ExecErrorKind::NoDevice, message).help(sentence!("exec-smaller-tiles")));
    }
    if needed > ALWAYS_SHARED {
        let bytes = c_int::try_from(dynamic).unwrap_or(c_int::MAX);
        function.set_attribute(Attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, bytes).map_err(fault)?;
    }
    let blocks = function.occupancy_max_active_blocks_per_multiprocessor(bx * by * bz, dynamic as usize, None);
    if blocks.map_err(fault)? == 0 {
        let message = sentence!("exec-no-block-fits", kernel = id, device = name);
        return Err(ExecError::new(ExecErrorKind::NoDevice, message).help(sentence!("exec-smaller-tiles")));
    }
    let config = LaunchConfig { shared_mem_bytes: dynamic, ..config(program.geometry) };
    let other = |other: Resolved| {
        let copies = matches!(program.companion, Some(Companion::PaddedCopies(_)));
        let function = if copies { gpu.copier(&other) } else { module.load_function(&other.entry) };
        Ok((function.map_err(fault)?, self::config(other.geometry)))
    };
    let others = program.companions_kernels().into_iter().map(other).collect::<Result<Vec<_>, ExecError>>()?;
    let companion = program.companion.map(|companion| (companion, others));
    let (index, id, maps, further) = (program.index, id.clone(), Vec::new(), Vec::new());
    let batched = program.further.batched;
    Ok(Loaded { index, id, function, config, maps, further, batched, padded: None, companion })
}

/// Returns the configuration of a launch without dynamic shared memory.
pub(super) fn config(Geometry { grid: [x, y, z], block: [bx, by, bz] }: Geometry) -> LaunchConfig {
    LaunchConfig { grid_dim: (x, y, z), block_dim: (bx, by, bz), shared_mem_bytes: 0 }
}

impl Loaded {
    /// Makes the tensor maps for the buffers, uploads the further parameters, and allocates the scratch memory.
    pub(super) fn bind(
        &mut self,
        gpu: &CudaExecutor,
        program: &Resolved,
        extra: &EpilogueBuffers,
        shape: Shape,
        buffers: &Buffers,
    ) -> Result<(), ExecError> {
        if let Some(shape) = program.padded() {
            let fault = |error| failed(&sentence!("exec-doing-load", kernel = self.id), &error);
            let empty = |bytes: u64| gpu.stream.alloc_zeros(bytes as usize).map_err(fault);
            let Footprint { a, b, c } = Footprint::of(shape, buffers.elements);
            let copies = Buffers { elements: buffers.elements, a: empty(a)?, b: empty(b)?, c: empty(c)? };
            self.padded = Some((copies, shape));
        }
        let (buffers, shape) = self.padded.as_ref().map_or((buffers, shape), |(copies, shape)| (copies, *shape));
        for values in &extra.buffers {
            let copied = gpu.stream.clone_htod(&crate::matrix::encode(Elements::F32, values));
            self.further.push(copied.map_err(|error| failed(&sentence!("exec-doing-copy"), &error))?);
        }
        for bytes in program.scratch() {
            let made = gpu.stream.alloc_zeros(bytes as usize);
            self.further.push(made.map_err(|error| failed(&sentence!("exec-doing-load", kernel = self.id), &error))?);
        }
        for (place, [rows, columns], elements, map) in program.maps(buffers.elements, shape) {
            let mut all = [&buffers.a, &buffers.b, &buffers.c].into_iter().chain(&self.further);
            let Some(buffer) = all.nth(place) else { continue };
            let address = buffer.device_ptr(&gpu.stream).0;
            let batch = self.batched.then_some(shape.batch);
            let map = encode(&map, elements, address, [columns, rows], batch).map_err(|error| {
                let matrix = ["A", "B", "C"][place % 3];
                let mut fault = failed(&sentence!("exec-doing-map", matrix, kernel = self.id), &error);
                fault.help = Some(sentence!("exec-map-help"));
                fault
            })?;
            self.maps.push(map);
        }
        Ok(())
    }
}

/// Makes a map of a row-major matrix without gaps, or of a batch of them: zeros outside, L2 promotion of 128 bytes.
fn encode(
    map: &TensorMap,
    elements: Elements,
    address: sys::CUdeviceptr,
    [columns, rows]: [u32; 2],
    batch: Option<u32>,
) -> Result<MapParameter, DriverError> {
    use sys::CUtensorMapDataType as Type;
    use sys::CUtensorMapFloatOOBfill as Fill;
    use sys::CUtensorMapInterleave as Interleave;
    use sys::CUtensorMapL2promotion as Promotion;
    use sys::CUtensorMapSwizzle as Pattern;
    let data = match elements {
        Elements::F64 => Type::CU_TENSOR_MAP_DATA_TYPE_FLOAT64,
        Elements::F32 => Type::CU_TENSOR_MAP_DATA_TYPE_FLOAT32,
        Elements::Tf32 => Type::CU_TENSOR_MAP_DATA_TYPE_TFLOAT32,
        Elements::F16 => Type::CU_TENSOR_MAP_DATA_TYPE_FLOAT16,
        Elements::Bf16 => Type::CU_TENSOR_MAP_DATA_TYPE_BFLOAT16,
        Elements::E4m3 | Elements::S8 => Type::CU_TENSOR_MAP_DATA_TYPE_UINT8,
        Elements::S32 => Type::CU_TENSOR_MAP_DATA_TYPE_INT32,
    };
    let swizzle = match map.swizzle {
        Swizzle::None => Pattern::CU_TENSOR_MAP_SWIZZLE_NONE,
        Swizzle::B32 => Pattern::CU_TENSOR_MAP_SWIZZLE_32B,
        Swizzle::B64 => Pattern::CU_TENSOR_MAP_SWIZZLE_64B,
        Swizzle::B128 => Pattern::CU_TENSOR_MAP_SWIZZLE_128B,
    };
    let dimensions = [columns, rows, batch.unwrap_or(1)].map(u64::from);
    let row = dimensions[0] * u64::from(elements.bytes());
    let strides = [row, dimensions[1] * row];
    let boxed = [map.extent[0], map.extent[1], 1];
    let steps = [1u32; 3];
    let mut made = sys::CUtensorMap { opaque: [0; 16] };
    // SAFETY: The rank is 2 or 3, so the driver reads at most three dimensions, three box extents, three steps and two strides. It
    // writes the map, which has the alignment of its type. The matrices are stored at the address.
    unsafe {
        sys::cuTensorMapEncodeTiled(
            &raw mut made,
            data,
            if batch.is_some() { 3 } else { 2 },
            address as *mut std::ffi::c_void,
            dimensions.as_ptr(),
            strides.as_ptr(),
            boxed.as_ptr(),
            steps.as_ptr(),
            Interleave::CU_TENSOR_MAP_INTERLEAVE_NONE,
            swizzle,
            Promotion::CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
            Fill::CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE,
        )
    }
    .result()?;
    Ok(MapParameter(made))
}

/// Returns the log of the driver's compiler for a PTX that it refused.
fn compile_log(ptx: &str) -> Option<String> {
    use sys::CUjit_option as Option_;
    let image = std::ffi::CString::new(ptx).ok()?;
    let mut log = vec![0u8; 4096];
    let mut options = [Option_::CU_JIT_ERROR_LOG_BUFFER, Option_::CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES];
    let mut values = [log.as_mut_ptr().cast(), log.len() as *mut std::ffi::c_void];
    let mut module = std::ptr::null_mut();
    // SAFETY: The image is NUL-terminated. The log buffer has the given length and outlives the call. A module that
    // loads after all is unloaded at once.
    unsafe {
        if sys::cuModuleLoadDataEx(&raw mut module, image.as_ptr().cast(), 2, options.as_mut_ptr(), values.as_mut_ptr())
            .result()
            .is_ok()
        {
            let _ = sys::cuModuleUnload(module);
        }
    }
    let end = log.iter().position(|&byte| byte == 0)?;
    log.truncate(end);
    Some(String::from_utf8_lossy(&log).trim().to_owned()).filter(|text| !text.is_empty())
}
