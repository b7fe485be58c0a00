//! Finds everything that the launch of a requested program needs.
//!
//! A kernel states its requirements: architecture, alignment, shared memory, tensor maps. If a shape does not meet
//! them, the kernel that `otherwise` names takes the launch, and a note says so. On a GPU, a large product keeps its kernel:
//! it is computed with rows of whole lines ([`PADDED`]). If the device cannot run a kernel, the launch skips it with a
//! sentence, and recorded times take its place.

use super::protocol::{KernelSpec, Program};
use super::variant_model::VariantModel;
use crate::prelude::*;
use tutor_kernels::{
    Arch, Catalog, Epilogue, EpilogueParams, Geometry, GridFormulas, Needs, Ozaki, PADDED, TensorMap, TensorMaps,
};

/// A kernel with everything that a launch needs.
#[derive(Debug, Clone)]
pub(super) struct Resolved {
    /// Index in the request.
    pub(super) index: usize,
    /// Catalogue id, or the name from the parent.
    pub(super) id: String,
    /// True if it is the catalogue's own kernel as committed.
    pub(super) committed: bool,
    /// Why it replaces the requested kernel, if it does.
    pub(super) instead_because: Option<Sentence>,
    pub(super) entry: String,
    pub(super) ptx: Arc<str>,
    pub(super) geometry: Geometry,
    /// The shape in whole tiles, and the number of products: what the blocks compute.
    pub(super) tiled: Shape,
    pub(super) shared_bytes: u32,
    pub(super) tensor_maps: TensorMaps,
    pub(super) further: EpilogueParams,
    pub(super) arch: Arch,
    pub(super) companion: Option<Companion>,
}

/// What else runs in a launch of a kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Companion {
    /// Another kernel copies A, B and C to copies of this shape, whose rows are whole lines, and then C back.
    PaddedCopies(Shape),
    /// The second kernel of an epilogue changes C afterwards.
    SecondKernel,
    /// Two kernels convert A and B to residues before, and a third converts the remainders to C afterwards.
    Integers(Ozaki),
}

impl Resolved {
    /// Returns `self` unless it replaces the requested kernel on a GPU. Then it returns the requested kernel on padded
    /// copies if they pay, and otherwise `self` in the variant that the model chooses.
    pub(super) fn chosen(self, program: &Program, device: &Device, shape: Shape, multiprocessors: u32) -> Self {
        let (asked, index) = (program.kernel.as_str(), self.index);
        let variant = |id: &str, shape: Shape| {
            let kernel = Catalog::built_in().kernel(id)?;
            let chosen = VariantModel::built_in()?.choose(kernel, device, shape)?.variant;
            kernel.variant(&chosen).filter(|variant| variant.constants != kernel.constants)
        };
        let better = || {
            let why = self.instead_because.clone().filter(|_| device.kind == DeviceKind::Cuda)?;
            let kernel = catalogued(asked).ok().filter(|kernel| program.spec.is_none() && pays(kernel.elements, shape));
            let found = match kernel {
                Some(kernel) => {
                    let better = variant(asked, padded(kernel.elements, shape));
                    let better = Program::new(better.map_or(kernel.id.clone(), |it| it.id));
                    on_copies(&better, index, shape, multiprocessors).and_then(|(_, found)| found)
                }
                None => built_in(&variant(&self.id, shape)?, None, &GridInputs { index, shape, multiprocessors }),
            };
            Some(Self { instead_because: Some(why), ..found.ok()? })
        };
        better().unwrap_or(self)
    }

    /// Returns the program with each of its companion's kernels in the place of its own.
    pub(super) fn companions_kernels(&self) -> Vec<Self> {
        let copier = || Catalog::built_in().kernel("sgemm_any_rows")?.ptx.clone();
        let own = |entry: &str| Self { entry: entry.to_owned(), ..self.clone() };
        match self.companion {
            None => Vec::new(),
            Some(Companion::PaddedCopies(_)) => {
                copier().into_iter().map(|ptx| Self { ptx, ..own("copy_rows") }).collect()
            }
            Some(Companion::SecondKernel) => vec![own(Epilogue::SECOND)],
            Some(Companion::Integers(product)) => {
                let others = product.others().into_iter();
                others.map(|(entry, geometry)| Self { geometry, shared_bytes: 0, ..own(entry) }).collect()
            }
        }
    }

    /// Returns the bytes of the buffers that only its launches use.
    pub(super) fn scratch(&self) -> Vec<u64> {
        if let Some(Companion::Integers(product)) = self.companion { product.scratch().into() } else { Vec::new() }
    }

    /// Returns the tensor maps: the place of the matrix among A, B, C and the further parameters, its rows and columns, and the type of
    /// its elements.
    pub(super) fn maps(
        &self,
        elements: Elements,
        Shape { m, n, k, .. }: Shape,
    ) -> Vec<(usize, [u32; 2], Elements, TensorMap)> {
        if let Some(Companion::Integers(product)) = self.companion {
            let maps = product.maps().into_iter();
            return maps.map(|(buffer, extents, map)| (3 + buffer, extents, Elements::S8, map)).collect();
        }
        let stored = elements.stored(m, n, k);
        let of = |(name, map)| match name {
            'A' => (0, stored[0], elements, map),
            'B' => (1, stored[1], elements, map),
            _ => (2, stored[2], self.further.result(elements), map),
        };
        self.tensor_maps.each().map(of).collect()
    }

    /// Returns the shape of the padded copies on which the kernel runs, if it does.
    pub(super) fn padded(&self) -> Option<Shape> {
        if let Some(Companion::PaddedCopies(shape)) = self.companion { Some(shape) } else { None }
    }
}

/// Returns the shape whose rows are whole lines of 128 bytes. The added columns of A and rows of B are zeros.
fn padded(elements: Elements, shape: Shape) -> Shape {
    let line = 128 / elements.bytes();
    Shape { n: shape.n.next_multiple_of(line), k: shape.k.next_multiple_of(line), ..shape }
}

/// Returns the geometry of `copy_rows` for up to two of A, B and C (0, 1, 2), and its extents: the rows and their bytes,
/// before and after. `sgemm_any_rows` has this entry.
pub(super) fn copies(elements: Elements, from: Shape, to: Shape, which: &[usize]) -> (Geometry, [[i32; 4]; 2]) {
    let (mut extents, mut blocks) = ([[0; 4]; 2], 1);
    for (extents, at) in extents.iter_mut().zip(which) {
        let bytes = if *at == 2 { elements.result().bytes() } else { elements.bytes() };
        let [from, to] = [from, to].map(|Shape { m, n, k, .. }| elements.stored(m, n, k)[*at]);
        let size = u64::from(to[0]) * u64::from(to[1]) * u64::from(bytes);
        blocks = blocks.max(size.div_ceil(16 * 256));
        *extents = [from[0], from[1] * bytes, to[0], to[1] * bytes].map(|extent| extent as i32);
    }
    (Geometry { grid: [blocks as u32, which.len() as u32, 1], block: [256, 1, 1] }, extents)
}

/// True if the copies cost less than the slower kernel: each copied element is used in enough multiply-adds, and all of
/// them take long compared with two more launches. "Rows that begin anywhere" in `kernels/NOTES.md` describes how the limits were chosen.
fn pays(elements: Elements, Shape { m, n, k, .. }: Shape) -> bool {
    let [m, n, k] = [m, n, k].map(f64::from);
    let uses = match elements {
        Elements::F32 => 140.0,
        Elements::Tf32 => 250.0,
        _ => 100.0,
    };
    m * n * k >= f64::from(1 << 28) && m * n * k / (m * k + k * n + m * n) >= uses
}

/// Resolves a program that runs on padded copies.
fn on_copies(program: &Program, index: usize, shape: Shape, multiprocessors: u32) -> Result<Resolution, ExecError> {
    let id = format!("{}{PADDED}", program.kernel.escape_debug());
    let elements =
        program.spec.as_ref().map_or_else(|| Ok(catalogued(&program.kernel)?.elements), |spec| Ok(spec.elements))?;
    let padded = padded(elements, shape);
    if padded == shape {
        return Ok((elements, Err(invalid(sentence!("exec-padded-whole", kernel = id)))));
    }
    let found = resolve(program, index, padded, multiprocessors)?.1.and_then(|found| match found.instead_because {
        Some(why) => Err(invalid(sentence!("exec-shape", kernel = id, why))),
        None if found.further != EpilogueParams::default() => {
            Err(invalid(sentence!("exec-padded-further", kernel = id)).help(sentence!("exec-padded-further-help")))
        }
        None => Ok(Resolved { id, companion: Some(Companion::PaddedCopies(padded)), ..found }),
    });
    Ok((elements, found))
}

/// The element type of a program, and either the program ready to launch or the reason why it does not take this shape.
pub(super) type Resolution = (Elements, Result<Resolved, ExecError>);

/// Resolves a program for a shape and a device with `multiprocessors` SMs.
///
/// # Errors
/// If there is no such kernel, or if no device can launch the kernel or the shape.
pub(super) fn resolve(
    program: &Program,
    index: usize,
    shape: Shape,
    multiprocessors: u32,
) -> Result<Resolution, ExecError> {
    let name = program.kernel.escape_debug().to_string();
    if program.ptx.as_ref().is_some_and(|ptx| ptx.contains('\0')) {
        return Err(invalid(sentence!("exec-ptx-nul", kernel = name)));
    }
    if let Some(kernel) = program.kernel.strip_suffix(PADDED) {
        return on_copies(&Program { kernel: kernel.to_owned(), ..program.clone() }, index, shape, multiprocessors);
    }
    let at = GridInputs { index, shape, multiprocessors };
    if let Some(spec) = &program.spec {
        let Some(ptx) = &program.ptx else {
            return Err(invalid(sentence!("exec-no-ptx", kernel = name)).help(sentence!("exec-no-ptx-help")));
        };
        let found = match spec.needs.unmet(shape.m, shape.n, shape.k) {
            Some(why) => resolve_fallback(&program.kernel, spec.otherwise.as_deref(), why, &at)?,
            None => Ok(resolve_spec(&program.kernel, spec, ptx.as_str().into(), &at)?),
        };
        return Ok((spec.elements, found));
    }
    let kernel = catalogued(&program.kernel)?;
    let found = match &program.ptx {
        Some(_) => {
            let maps = Needs::default().with_maps(&kernel.tensor_maps, kernel.elements);
            (maps.unmet(shape.m, shape.n, shape.k), None)
        }
        None => (kernel.needs.unmet(shape.m, shape.n, shape.k), kernel.otherwise.as_deref()),
    };
    let found = match found {
        (Some(why), otherwise) => resolve_fallback(&program.kernel, otherwise, why, &at)?,
        (None, _) => Ok(built_in(&kernel, program.ptx.as_deref(), &at)?),
    };
    Ok((kernel.elements, found))
}

/// Resolves a kernel of the built-in catalogue, as committed.
#[cfg(feature = "cuda")]
pub(super) fn committed(id: &str, shape: Shape, multiprocessors: u32) -> Result<Resolved, ExecError> {
    built_in(catalogued(id)?.as_ref(), None, &GridInputs { index: 0, shape, multiprocessors })
}

/// The values on which a geometry depends.
struct GridInputs {
    index: usize,
    shape: Shape,
    multiprocessors: u32,
}

impl GridInputs {
    fn geometry(&self, formulas: &GridFormulas, block: [u32; 3]) -> Result<Geometry, ExecError> {
        let Shape { m, n, k, batch } = self.shape;
        formulas.geometry(block, [m, n, k, batch], self.multiprocessors).map_err(|error| invalid(&error))
    }
}

/// Returns the shape in whole tiles of the kernel.
fn in_whole_tiles(spec: &KernelSpec, formulas: &GridFormulas, Shape { m, n, k, batch }: Shape) -> Shape {
    /// If no constants state a tile of C, the grid of a product of this size shows it.
    const LARGE: u32 = 1024;
    let constant = |name: &str| spec.constants.get(name).and_then(|value| u32::try_from(*value).ok());
    let grid = || formulas.geometry(spec.block, [LARGE, LARGE, LARGE, 1], 1).ok().map(|geometry| geometry.grid);
    let [rows, columns] = match (constant("BM").zip(constant("BN")), spec.grid.len()) {
        (Some((rows, columns)), _) => [rows, columns],
        (None, 2) => grid().map_or([1, 1], |[x, y, _]| [LARGE / y, LARGE / x]),
        _ => [1, 1],
    };
    let depth = spec.tensor_maps.a.map(|map| map.extent[0]).or(constant("BK")).unwrap_or(1);
    let whole = |extent: u32, tile: u32| extent.checked_next_multiple_of(tile.max(1)).unwrap_or(extent);
    let products = batch.saturating_mul(spec.further.moduli.unwrap_or(1));
    Shape { batch: products, ..Shape::new(whole(m, rows), whole(n, columns), whole(k, depth)) }
}

fn invalid(message: impl Into<Sentence>) -> ExecError {
    ExecError::new(ExecErrorKind::Invalid, message)
}

fn catalogued(id: &str) -> Result<std::borrow::Cow<'static, Kernel>, ExecError> {
    let catalog = Catalog::built_in();
    if let Some(kernel) = catalog.find(id) {
        return Ok(kernel);
    }
    let name = id.escape_debug().to_string();
    if let Some((kernel, variant)) = id.split_once('@')
        && let Some(variants) = catalog.kernel(kernel).and_then(|kernel| kernel.variants.as_ref())
    {
        return Err(match variants.point(variant).map(|point| &point.launch) {
            Some(Err(why)) => invalid(sentence!("exec-impossible-variant", variant = name, why = Sentence::from(why))),
            _ => invalid(sentence!("exec-no-variant", variant = name)).help(sentence!("exec-no-variant-help", kernel)),
        });
    }
    let help = catalog
        .nearest(id)
        .map_or_else(|| sentence!("exec-no-kernel-help"), |nearest| sentence!("exec-no-kernel-nearest", nearest));
    Err(invalid(sentence!("exec-no-kernel", kernel = name)).help(help))
}

/// Resolves the kernel that takes the shapes that `id` does not take. The inner error says that there is none.
fn resolve_fallback(
    id: &str,
    otherwise: Option<&str>,
    why: Sentence,
    at: &GridInputs,
) -> Result<Result<Resolved, ExecError>, ExecError> {
    let Some(otherwise) = otherwise else {
        let message = sentence!("exec-shape", kernel = id.escape_debug().to_string(), why);
        return Ok(Err(invalid(message).help(sentence!("exec-shape-help"))));
    };
    let kernel = catalogued(otherwise)?;
    if kernel.needs != Needs::default() {
        let message = sentence!("exec-otherwise", otherwise, kernel = id);
        return Err(invalid(message));
    }
    Ok(Ok(Resolved { instead_because: Some(why), ..built_in(&kernel, None, at)? }))
}

fn built_in(kernel: &Kernel, edited: Option<&str>, at: &GridInputs) -> Result<Resolved, ExecError> {
    let ptx = match (edited, &kernel.ptx) {
        (Some(edited), _) => Arc::from(edited),
        (None, Some(built)) => Arc::clone(built),
        (None, None) => {
            let message = sentence!("exec-not-built", kernel = kernel.id, file = kernel.ptx_file);
            return Err(invalid(message).help(sentence!("exec-not-built-help")));
        }
    };
    Ok(Resolved { committed: edited.is_none(), ..resolve_spec(&kernel.id, &kernel.into(), ptx, at)? })
}

/// Resolves a kernel that the request describes completely.
fn resolve_spec(id: &str, spec: &KernelSpec, ptx: Arc<str>, at: &GridInputs) -> Result<Resolved, ExecError> {
    let name = id.escape_debug().to_string();
    let readable = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$';
    if spec.entry.is_empty() || !spec.entry.chars().all(readable) {
        return Err(invalid(sentence!("exec-entry", entry = spec.entry.escape_debug().to_string())));
    }
    let formulas = GridFormulas::parse(spec.grid.iter().map(String::as_str), &spec.constants)
        .map_err(|(_, error)| invalid(sentence!("exec-grid", kernel = name, why = Sentence::from(&error))))?;
    if spec.further.scales.is_some_and(|scales| !scales.are_possible()) {
        return Err(invalid(sentence!("exec-scales", kernel = name)));
    }
    let arch = match &spec.arch {
        None => Arch::default(),
        Some(text) => Arch::parse(text)
            .ok_or_else(|| invalid(sentence!("exec-arch-of", arch = text.escape_debug().to_string(), kernel = name)))?,
    };
    for (matrix, map) in spec.tensor_maps.each() {
        map.check(spec.elements).map_err(|why| invalid(sentence!("exec-tensor-map", matrix, kernel = name, why)))?;
    }
    if at.shape.batch > 1 && !spec.further.batched {
        return Err(invalid(sentence!("exec-one-product", kernel = name)).help(sentence!("exec-one-product-help")));
    }
    let companion = match spec.further {
        EpilogueParams { epilogue: Some(Epilogue::Unfused), .. } => Some(Companion::SecondKernel),
        EpilogueParams { moduli: Some(moduli), .. } => {
            let Shape { m, n, k, .. } = at.shape;
            if k > Ozaki::max_k() {
                let message = sentence!("exec-moduli-long", kernel = name, k, most = Ozaki::max_k());
                return Err(invalid(message).help(sentence!("exec-moduli-long-help")));
            }
            Some(Companion::Integers(Ozaki { moduli, m, n, k }))
        }
        _ => None,
    };
    Ok(Resolved {
        index: at.index,
        id: id.to_owned(),
        committed: false,
        instead_because: None,
        entry: spec.entry.clone(),
        ptx,
        geometry: at.geometry(&formulas, spec.block)?,
        tiled: in_whole_tiles(spec, &formulas, at.shape),
        shared_bytes: spec.shared_bytes,
        tensor_maps: spec.tensor_maps,
        further: spec.further,
        arch,
        companion,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::emulation_limits::work;
    use tutor_kernels::EMULATED_SMS;

    fn found(id: &str, n: u32) -> Result<Resolution, ExecError> {
        resolve(&Program::new(id), 0, Shape::square(n), EMULATED_SMS)
    }

    #[test]
    fn an_unknown_kernel_is_refused_with_the_one_that_was_meant() {
        let error = found("sgem_tiled", 8).unwrap_err();
        assert_eq!(error.kind, ExecErrorKind::Invalid);
        assert!(error.help.unwrap().to_string().contains("Did you mean `sgemm_tiled`?"));
        let error = found("sgemm_tiled", 0).unwrap_err();
        assert!(error.message.to_string().contains("M is 0"), "{}", error.message);
    }

    #[test]
    fn what_was_handed_in_is_run_or_refused_and_never_another_kernel() {
        let at = |id: &str, ptx: Option<&str>| {
            let mut program = Program::new(id);
            ptx.into_iter().for_each(|ptx| program.hand_in(ptx.to_owned()));
            resolve(&program, 0, Shape::new(100, 100, 100), EMULATED_SMS).unwrap().1
        };
        let committed = at("bf16_mma", None).unwrap();
        assert!(committed.id != "bf16_mma" && committed.instead_because.is_some());
        let own = at("bf16_mma", Some("// mine")).unwrap();
        assert_eq!((own.id.as_str(), &*own.ptx, own.instead_because), ("bf16_mma", "// mine", None));
        let refused = at("bf16_wgmma", Some("// mine")).unwrap_err();
        assert!(refused.message.to_string().contains("does not support this shape: lda = 100"), "{}", refused.message);
    }

    #[test]
    fn the_work_of_a_launch_is_known_in_whole_tiles() {
        let tiled =
            |id: &str, shape: Shape| resolve(&Program::new(id), 0, shape, EMULATED_SMS).unwrap().1.unwrap().tiled;
        for (id, rows, columns, depth) in [
            ("sgemm_naive_coalesced", 32, 32, 8),
            ("sgemm_row_per_block", 1, 8, 8),
            ("sgemm_conflict_free", 128, 128, 8),
            ("sgemm_tuned", 128, 256, 8),
            ("bf16_wgmma", 64, 256, 64),
            ("bf16_batched@64x64", 64, 64, 64),
        ] {
            assert_eq!(tiled(id, Shape::new(1, 8, 8)), Shape::new(rows, columns, depth), "{id}");
        }
        let times = |id: &str, shape: Shape| work(shape, tiled(id, shape)) / shape.products();
        assert_eq!(times("bf16_batched@64x64", Shape { batch: 100_000, ..Shape::square(8) }), 64);
        assert_eq!(times("sgemm_conflict_free", Shape::new(1, 16_384, 16_384)), 16);
        assert_eq!(times("sgemm_conflict_free", Shape::square(1000)), 1);
    }

    #[test]
    fn a_kernel_that_takes_over_runs_in_the_variant_that_the_model_chooses_for_a_gpu() {
        let (mut device, shape) = (VariantModel::built_in().unwrap().device(), Shape::new(129, 1027, 515));
        let chosen = |device: &Device, shape| {
            let program = Program::new("bf16_split_k");
            resolve(&program, 0, shape, 132).unwrap().1.unwrap().chosen(&program, device, shape, 132)
        };
        assert_eq!(chosen(&device, shape).id, "bf16_any_rows@64x64");
        let large = chosen(&device, Shape::square(2047));
        assert_eq!(large.id, "bf16_split_k@256x128_cluster_1x2+padded");
        assert_eq!(large.padded(), Some(Shape::new(2047, 2048, 2048)));
        device.kind = DeviceKind::Emulator;
        assert_eq!(chosen(&device, Shape::square(2047)).id, "bf16_any_rows");
    }

    #[test]
    fn a_shape_that_a_kernel_does_not_take_goes_to_the_other_one_or_is_refused_with_the_reason() {
        let mut spec = KernelSpec {
            entry: "own".to_owned(),
            block: [32, 1, 1],
            grid: vec!["SMS".to_owned()],
            otherwise: Some("sgemm_tiled".to_owned()),
            ..KernelSpec::default()
        };
        spec.needs.multiple.ldb = Some(4);
        let mut program = Program { ptx: Some("//".to_owned()), spec: Some(spec), ..Program::new("own") };
        let at = |program: &Program, n| resolve(program, 0, Shape::square(n), 7).unwrap().1;
        let own = at(&program, 8).unwrap();
        assert_eq!((own.id.as_str(), own.geometry.grid, own.instead_because), ("own", [7, 1, 1], None));
        let other = at(&program, 6).unwrap();
        assert_eq!(other.id, "sgemm_tiled");
        assert_eq!(other.instead_because.map(|why| why.to_string()).as_deref(), Some("ldb = 6 is not a multiple of 4"));
        program.spec.as_mut().unwrap().otherwise = None;
        let refused = at(&program, 6).unwrap_err();
        assert!(refused.message.to_string().contains("does not support this shape: ldb = 6"), "{}", refused.message);
    }
}
