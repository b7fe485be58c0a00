/*! What a fetch gives (CUDA C++ Programming Guide, *Texture Fetching*).

A coordinate x that is not normalized counts texels: texel i reaches from i to i + 1. One that is goes from 0 to 1 and is multiplied
by the extent N. To the nearest: the texel ⌊x⌋. Linearly: of x − 0.5 the whole part i and the fraction α, which is rounded to
eight bits; the result is (1 − α) T\[i] + α T\[i + 1], in two and three directions the product of such weights.

Beyond the edges: *clamp* takes the texel at the edge, *border* the border colour; with normalized coordinates *wrap* takes x − ⌊x⌋, *mirror* the
same or, where ⌊x⌋ is odd, 1 less it. Sums are made in double precision and rounded once: the guide does not say how a GPU adds.
*/

use super::{AddressMode, Sampler, TexelFormat, Texels};
use crate::arith::half;

/// Bits of the fraction of a weight.
const FRACTION: u32 = 8;
const ONE: i64 = 1 << FRACTION;

/// A coordinate among texels: the first of the two nearest texels, and the weight of the second of 256.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Place {
    index: i64,
    weight: i64,
}

/// How a direction goes on beyond its edges.
fn effective(sampler: &Sampler, axis: usize) -> AddressMode {
    match sampler.address[axis] {
        AddressMode::Wrap | AddressMode::Mirror if !sampler.normalized => AddressMode::Clamp,
        mode => mode,
    }
}

/// Where a coordinate lies; `half` if between the centres of texels.
fn place(x: f32, extent: u32, sampler: &Sampler, axis: usize, half: bool) -> Place {
    let (x, n) = (f64::from(x), f64::from(extent));
    let whole = x.floor();
    let folded = match effective(sampler, axis) {
        AddressMode::Wrap => x - whole,
        AddressMode::Mirror if whole.rem_euclid(2.0) == 1.0 => 1.0 - (x - whole),
        AddressMode::Mirror => x - whole,
        AddressMode::Clamp | AddressMode::Border => x,
    };
    // What is no number lies at 0; an infinite one that is wrapped is none.
    let folded = if folded.is_nan() { 0.0 } else { folded };
    let texels = if sampler.normalized { folded * n } else { folded }.clamp(-1e9, 1e9);
    if !half {
        return Place { index: texels.floor() as i64, weight: 0 };
    }
    let fixed = ((texels - 0.5) * ONE as f64).round_ties_even() as i64;
    Place { index: fixed >> FRACTION, weight: fixed & (ONE - 1) }
}

/// The texel of an index, which may lie beyond the edges; `None` is the border.
fn within(index: i64, extent: u32, mode: AddressMode) -> Option<u32> {
    let n = i64::from(extent);
    let found = match mode {
        AddressMode::Clamp => index.clamp(0, n - 1),
        AddressMode::Wrap => index.rem_euclid(n),
        AddressMode::Mirror => {
            let twice = index.rem_euclid(2 * n);
            if twice < n { twice } else { 2 * n - 1 - twice }
        }
        AddressMode::Border => index,
    };
    (0..n).contains(&found).then_some(found as u32)
}

/// The sampler and the texels of a fetch, and how bytes at an offset are read.
pub(crate) struct Source<'a, R> {
    pub(crate) texels: &'a Texels,
    pub(crate) sampler: &'a Sampler,
    pub(crate) read: R,
}

impl<R: FnMut(u64, u32) -> u32> Source<'_, R> {
    /// The four components at an index, as bits: of floats, or of whole numbers if the sampler leaves them so. A channel that
    /// is not there is 0, the fourth 1.
    fn texel(&mut self, index: [i64; 3], layer: u32) -> [u32; 4] {
        let Texels { format, channels, extent, linear, .. } = *self.texels;
        let mut at = [0; 3];
        let mut inside = true;
        for axis in 0..3 {
            let mode = if axis as u32 >= self.texels.dimensions {
                AddressMode::Clamp
            } else if linear {
                AddressMode::Border
            } else {
                effective(self.sampler, axis)
            };
            match within(index[axis], extent[axis], mode) {
                Some(found) => at[axis] = found,
                None => inside = false,
            }
        }
        let whole = self.sampler.integers || matches!(format, TexelFormat::U32 | TexelFormat::S32);
        let whole = whole && !matches!(format, TexelFormat::F16 | TexelFormat::F32);
        let offset = self.texels.offset(at, layer);
        std::array::from_fn(|channel| {
            if channel as u32 >= channels {
                return match (channel, whole) {
                    (3, true) => 1,
                    (3, false) => 1.0f32.to_bits(),
                    _ => 0,
                };
            }
            if !inside {
                let border = if linear { 0.0 } else { self.sampler.border[channel] };
                return if whole { border as i32 as u32 } else { border.to_bits() };
            }
            let bits = (self.read)(offset + channel as u64 * u64::from(format.bytes()), format.bytes());
            if whole { extended(bits, format) } else { real(bits, format).to_bits() }
        })
    }

    /// The fetch at coordinates that are numbers with a fraction.
    pub(crate) fn fetch(&mut self, coordinates: [f32; 3], layer: u32) -> [u32; 4] {
        let Texels { extent, dimensions, .. } = *self.texels;
        let half = self.sampler.linear;
        let places: [Place; 3] = std::array::from_fn(|axis| {
            if axis as u32 >= dimensions {
                return Place { index: 0, weight: 0 };
            }
            place(coordinates[axis], extent[axis], self.sampler, axis, half)
        });
        if !half {
            return self.texel(places.map(|place| place.index), layer);
        }
        let mut sum = [0.0f64; 4];
        for corner in 0..1i64 << dimensions {
            let second = |axis: usize| corner >> axis & 1;
            let weight = |axis: usize| if second(axis) == 1 { places[axis].weight } else { ONE - places[axis].weight };
            let weight = (0..dimensions as usize).map(|axis| weight(axis) as f64 / ONE as f64).product::<f64>();
            if weight == 0.0 {
                // The neighbour of a texel that is hit exactly has no part, infinite or not.
                continue;
            }
            let texel = self.texel(std::array::from_fn(|axis| places[axis].index + second(axis)), layer);
            sum.iter_mut().zip(texel).for_each(|(sum, bits)| *sum += weight * f64::from(f32::from_bits(bits)));
        }
        sum.map(|sum| (sum as f32).to_bits())
    }

    /// The fetch at indices.
    pub(crate) fn fetch_whole(&mut self, coordinates: [i32; 3], layer: u32) -> [u32; 4] {
        self.texel(coordinates.map(i64::from), layer)
    }

    /// One component of the four texels of linear filtering in two directions: lower left, lower right, upper right, upper
    /// left, y upwards (PTX ISA, `tld4`).
    pub(crate) fn gather(&mut self, coordinates: [f32; 3], component: usize) -> [u32; 4] {
        let extent = self.texels.extent;
        let [x, y] = [0, 1].map(|axis| place(coordinates[axis], extent[axis], self.sampler, axis, true).index);
        [[x, y + 1], [x + 1, y + 1], [x + 1, y], [x, y]].map(|[x, y]| self.texel([x, y, 0], 0)[component & 3])
    }
}

/// A whole number of 32 bits.
fn extended(bits: u32, format: TexelFormat) -> u32 {
    match format {
        TexelFormat::S8 => bits as u8 as i8 as i32 as u32,
        TexelFormat::S16 => bits as u16 as i16 as i32 as u32,
        _ => bits,
    }
}

/// The value of a component.
fn real(bits: u32, format: TexelFormat) -> f32 {
    match format {
        TexelFormat::U8 => bits as f32 / 255.0,
        TexelFormat::U16 => bits as f32 / 65535.0,
        TexelFormat::S8 => (f32::from(bits as u8 as i8) / 127.0).max(-1.0),
        TexelFormat::S16 => (f32::from(bits as u16 as i16) / 32767.0).max(-1.0),
        TexelFormat::F16 => f32::from_bits(half::to_single(bits.into(), 0, 0, 0) as u32),
        TexelFormat::U32 | TexelFormat::S32 | TexelFormat::F32 => f32::from_bits(bits),
    }
}
