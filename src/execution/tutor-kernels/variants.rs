/*! A kernel's variants: the same file compiled with other constants. A tuner chooses from them, and a sweep measures
them all.

Each axis sets some constants, and a point is one value from each axis. If the block, the shared memory or a `whole`
formula of a point is not valid, the point is impossible and stores the reason. Each possible point is compiled ahead
of time to a compressed PTX file without line information. It is decompressed when it is needed.
*/

use super::elements::{Elements, Swizzle, TensorMap, TensorMaps};
use super::epilogue::{Epilogue, EpilogueParams, Scales};
use super::files::{Files, unpack};
use super::geometry::{Constants, GeometryError, GridFormulas, check_block};
use super::kernel::Kernel;
use super::origin::MissingPtx;
use super::ozaki::Ozaki;
use std::borrow::Cow;
use std::sync::Arc;
use tutor_support::expr::{Expr, ExprError};
use tutor_support::sentence;
use tutor_support::words::Sentence;

/// Maximum shared memory of a block on any device, in bytes (compute capability 9.0: 227 KiB).
pub(super) const MAX_SHARED_BYTES: i64 = 227 << 10;
/// Maximum number of points per kernel, so that no file exhausts memory.
pub(super) const MAX_POINTS: usize = 500;

/// Why a kernel cannot have these constants.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{}", Sentence::from(self))]
pub enum Impossible {
    /// A `whole` formula cannot be computed.
    Formula(String, ExprError),
    /// The value of a `whole` formula is not a positive integer.
    Whole { formula: String, value: f64 },
    /// The block or its shared memory cannot be computed.
    Value(ExprError),
    /// No device can launch this block.
    Block(GeometryError),
    /// No device accepts the box of this matrix's tensor map.
    Map(char, Sentence),
    /// There is no epilogue with this number.
    Epilogue(i64),
    /// A product by integers cannot have this number of moduli.
    Moduli(i64),
    /// The block needs more bytes of shared memory than any device has.
    Shared(i64),
}

impl From<&Impossible> for Sentence {
    fn from(error: &Impossible) -> Self {
        match error {
            Impossible::Formula(formula, error) => Sentence::from(format!("`{formula}`: ")) + error.message.clone(),
            Impossible::Whole { formula, value } => {
                sentence!("kernels-not-whole", formula, value = value.to_string())
            }
            Impossible::Value(error) => error.message.clone(),
            Impossible::Block(error) => error.into(),
            Impossible::Map(matrix, why) => sentence!("kernels-map-of", matrix, why),
            Impossible::Epilogue(number) => {
                sentence!("kernels-epilogue", number, most = Epilogue::ALL.len() - 1)
            }
            Impossible::Moduli(number) => {
                sentence!("kernels-moduli", number, least = *Ozaki::POSSIBLE.start(), most = *Ozaki::POSSIBLE.end())
            }
            Impossible::Shared(bytes) => sentence!("kernels-shared", bytes, most = MAX_SHARED_BYTES),
        }
    }
}

/// The parts of an entry that depend on its constants.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Template {
    pub(super) block: [Expr; 3],
    pub(super) shared_bytes: Option<Expr>,
    pub(super) boxes: BoxFormulas,
    pub(super) scales: Option<Scales>,
    pub(super) epilogue: Option<Expr>,
    pub(super) moduli: Option<Expr>,
    pub(super) batched: bool,
    pub(super) elements: Elements,
    pub(super) whole: Vec<(String, Expr)>,
}

/// Columns and rows of the boxes of the tensor maps for A, B and C, with their swizzles.
pub(super) type BoxFormulas = [Option<([Expr; 2], Swizzle)>; 3];

/// How a kernel with given constants is launched, for matrices of any shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Launch {
    /// Threads per dimension of a block.
    pub block: [u32; 3],
    /// Dynamic shared memory per block, in bytes.
    pub shared_bytes: u32,
    /// Tensor maps that the kernel takes as its first parameters.
    pub tensor_maps: TensorMaps,
    /// Parameters after `beta`, and what the kernel does to the product.
    pub further: EpilogueParams,
}

impl Template {
    /// Computes how a kernel with these constants is launched.
    ///
    /// # Errors
    /// If no device can launch it.
    pub(super) fn apply(&self, constants: &Constants) -> Result<Launch, Impossible> {
        let integer = |name: &str| constants.get(name).map(|value| i64::from(*value));
        let real = |name: &str| constants.get(name).map(|value| f64::from(*value));
        for (text, formula) in &self.whole {
            let value = formula.real(&real).map_err(|error| Impossible::Formula(text.clone(), error))?;
            if value.fract() != 0.0 || value < 1.0 {
                return Err(Impossible::Whole { formula: text.clone(), value });
            }
        }
        let mut block = [0; 3];
        for (extent, formula) in block.iter_mut().zip(&self.block) {
            let value = formula.integer(&integer).map_err(Impossible::Value)?;
            *extent = u32::try_from(value).unwrap_or(if value < 0 { 0 } else { u32::MAX });
        }
        check_block(block).map_err(Impossible::Block)?;
        let shared = self.shared_bytes.as_ref().map_or(Ok(0), |formula| formula.integer(&integer));
        let shared = shared.map_err(Impossible::Value)?;
        if !(0..=MAX_SHARED_BYTES).contains(&shared) {
            return Err(Impossible::Shared(shared));
        }
        let mut further = EpilogueParams { scales: self.scales, batched: self.batched, ..EpilogueParams::default() };
        if let Some(formula) = &self.moduli {
            let number = formula.integer(&integer).map_err(Impossible::Value)?;
            if !Ozaki::POSSIBLE.contains(&number) {
                return Err(Impossible::Moduli(number));
            }
            further.moduli = Some(number as u32);
        }
        if let Some(formula) = &self.epilogue {
            let number = formula.integer(&integer).map_err(Impossible::Value)?;
            let found = usize::try_from(number).ok().and_then(|number| Epilogue::ALL.get(number));
            further.epilogue = Some(*found.ok_or(Impossible::Epilogue(number))?);
        }
        let mut maps = [None; 3];
        for ((map, boxed), matrix) in maps.iter_mut().zip(&self.boxes).zip(['A', 'B', 'C']) {
            let Some((formulas, swizzle)) = boxed else { continue };
            let mut extent = [0; 2];
            for (extent, formula) in extent.iter_mut().zip(formulas) {
                let value = formula.integer(&integer).map_err(Impossible::Value)?;
                *extent = u32::try_from(value).unwrap_or(0);
            }
            let found = TensorMap { extent, swizzle: *swizzle };
            found
                .check(if matrix == 'C' { further.result(self.elements) } else { self.elements })
                .map_err(|why| Impossible::Map(matrix, why))?;
            *map = Some(found);
        }
        let [a, b, c] = maps;
        Ok(Launch { block, shared_bytes: shared as u32, tensor_maps: TensorMaps { a, b, c }, further })
    }
}

/// All variants of a kernel.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Variants {
    /// The axes in the order of the catalogue entry.
    pub axes: Vec<Axis>,
    /// Every combination of values. The last axis changes fastest.
    pub points: Vec<Point>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Axis {
    /// Name of the axis, e.g. `block tile`.
    pub name: String,
    /// The constants that it sets.
    pub constants: Vec<String>,
    /// Labels and values. Each value is one number for each constant.
    pub values: Vec<(String, Vec<i32>)>,
}

/// One combination of the axes' values.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    /// Name made from the labels of its values, e.g. `32x32x32_8x4_k_innermost`.
    pub name: String,
    /// Index of its value on each axis.
    pub place: Vec<usize>,
    /// All constants of the kernel at this point.
    pub constants: Constants,
    /// The launch, or why the point is impossible.
    pub launch: Result<Launch, Impossible>,
    /// Its compressed PTX; `None` if it has not been built.
    packed: Option<Cow<'static, [u8]>>,
}

impl Variants {
    pub(super) fn new(id: &str, axes: Vec<Axis>, template: &Template, base: &Constants, files: &Files) -> Self {
        let mut points = Vec::new();
        let count: usize = axes.iter().map(|axis| axis.values.len()).product();
        for number in 0..count {
            let mut place = vec![0; axes.len()];
            let mut rest = number;
            for (index, axis) in place.iter_mut().zip(&axes).rev() {
                *index = rest % axis.values.len();
                rest /= axis.values.len();
            }
            let mut constants = base.clone();
            let mut labels = Vec::new();
            for (axis, &index) in axes.iter().zip(&place) {
                let (label, values) = &axis.values[index];
                labels.push(slug(label));
                constants.extend(axis.constants.iter().cloned().zip(values.iter().copied()));
            }
            let name = labels.join("_");
            let launch = template.apply(&constants);
            let packed = launch.is_ok().then(|| files.bytes(&packed_file(id, &name)).ok()).flatten();
            points.push(Point { name, place, constants, launch, packed });
        }
        Self { axes, points }
    }

    pub fn point(&self, name: &str) -> Option<&Point> {
        self.points.iter().find(|point| point.name == name)
    }

    /// Iterates over the points that can be launched.
    pub fn possible(&self) -> impl Iterator<Item = &Point> {
        self.points.iter().filter(|point| point.launch.is_ok())
    }
}

impl Point {
    /// Returns the point as a separate kernel, or `None` if it is impossible.
    pub fn kernel(&self, of: &Kernel) -> Option<Kernel> {
        let Launch { block, shared_bytes, tensor_maps, further } = *self.launch.as_ref().ok()?;
        let formulas = GridFormulas::parse(of.grid.iter().map(String::as_str), &self.constants).ok()?;
        let labels = of.variants.iter().flat_map(|variants| variants.axes.iter().zip(&self.place));
        let labels: Vec<&str> = labels.filter_map(|(axis, at)| Some(axis.values.get(*at)?.0.as_str())).collect();
        let late = if self.packed.is_none() { tutor_assets::late(&packed_file(&of.id, &self.name)) } else { None };
        let packed = self.packed.as_deref().or(late.as_deref()).map(|packed| (unpack(packed), of.recipe_at(self)));
        let (ptx, refused) = match packed {
            None => (None, None),
            Some((Err(_), _)) => (None, Some(MissingPtx::Changed)),
            Some((Ok(ptx), recipe)) => match recipe.holds(&ptx) {
                Ok(()) => (Some(Arc::from(ptx)), None),
                Err(why) => (None, Some(why)),
            },
        };
        Some(Kernel {
            id: format!("{}@{}", of.id, self.name),
            title: format!("{}: {}", of.title, labels.join(", ")),
            label: labels.join(", "),
            constants: self.constants.clone(),
            block,
            shared_bytes,
            tensor_maps,
            further,
            ptx_file: packed_file(&of.id, &self.name),
            ptx,
            refused,
            variants: None,
            formulas,
            ..of.clone()
        })
    }
}

/// Returns the path of a point's compressed PTX.
pub(super) fn packed_file(id: &str, name: &str) -> String {
    format!("assets/ptx/{id}/{name}.ptx.gz")
}

/// Turns a label into a part of a file name.
pub(super) fn slug(label: &str) -> String {
    let words = label.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("_").to_ascii_lowercase()
}
