/*! Results of texture fetches (CUDA C++ Programming Guide, *Texture Fetching*). Details that the guide leaves open
follow an NVIDIA H200, to the bit.

A coordinate x that is not normalized counts texels: texel i extends from i to i + 1. A normalized coordinate ranges
from 0 to 1. The H200 rounds it down to 21 fraction bits and multiplies it by the extent N. A fetch of the nearest
texel takes texel ⌊x⌋. For a linear fetch, x − 0.5, rounded to eight fraction bits (halves up), has the integer part i
and the fraction α. The result is (1 − α) T\[i] + α T\[i + 1]. In two and three dimensions, the products of such
weights are rounded to eight bits, too ([`weights`]).

Beyond the edges, *clamp* takes the texel at the edge and *border* the border colour. With normalized coordinates,
*wrap* takes the index modulo N, and *mirror* does the same with every second period reversed. A missing channel is 0.
The H200 treats a one-dimensional texture as a two-dimensional one with y = 0. So with a border in y, the border
colour makes up half of a linearly filtered result. Integer indices (`.s32`) ignore the sampler: they read zeros beyond
the edges, and everywhere in a one-dimensional array.

Linear filtering rounds to the texels' format: 8-bit and 16-bit numbers to 1/65535 or 1/32767 (halves up), half
precision to half precision (halves away from 0). For `S8`, the last step of the H200 is unknown: 36 of 1152 components
differ by 1/32767.
*/

use super::{AddressMode, Sampler, TexelFormat, Texels};
use crate::arith::{half, soft};

/// Fraction bits of a weight.
const FRACTION: u32 = 8;
const ONE: u32 = 1 << FRACTION;

/// Fraction bits of a coordinate.
const COORDINATE: u32 = 21;

/// A coordinate among texels: the first of the two nearest texels, and the weight of the second one, in 1/256.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Tap {
    index: i64,
    weight: u32,
}

/// Returns the address mode that applies in a dimension.
fn effective(sampler: &Sampler, axis: usize) -> AddressMode {
    match sampler.address[axis] {
        AddressMode::Wrap | AddressMode::Mirror if !sampler.normalized => AddressMode::Clamp,
        mode => mode,
    }
}

/// Returns the place of a coordinate; with `half`, relative to the centres of the texels.
fn place(x: f32, extent: u32, sampler: &Sampler, axis: usize, half: bool) -> Tap {
    let mode = effective(sampler, axis);
    let x = match mode {
        // With mirroring, every second period is the same. NaN becomes 0, and so does infinity, because `rem_euclid`
        // makes it NaN.
        AddressMode::Wrap | AddressMode::Mirror => f64::from(x).rem_euclid(2.0),
        // These limits are beyond every extent.
        AddressMode::Clamp | AddressMode::Border => f64::from(x).clamp(-1e9, 1e9),
    };
    let x = if x.is_nan() { 0.0 } else { x };
    // In units of 2⁻²¹ texels.
    let fine = if sampler.normalized {
        (x.clamp(-4.0, 4.0) * f64::from(1 << COORDINATE)).floor() as i64 * i64::from(extent)
    } else {
        (x * f64::from(1 << COORDINATE)).floor() as i64
    };
    if !half {
        return Tap { index: fine >> COORDINATE, weight: 0 };
    }
    let round = 1 << (COORDINATE - FRACTION - 1);
    let fixed = (fine - (1 << (COORDINATE - 1)) + round) >> (COORDINATE - FRACTION);
    let index = fixed >> FRACTION;
    // At a clamped edge, both texels are the same one.
    let edge = mode == AddressMode::Clamp && !(0..i64::from(extent) - 1).contains(&index);
    Tap { index, weight: if edge { 0 } else { (fixed & i64::from(ONE - 1)) as u32 } }
}

/// Returns the weights of the eight texels around a point, in units of 1/256; x varies fastest. Splits the two halves
/// in z along x and then along y, and rounds to an integer each time.
fn weights([x, y, z]: [u32; 3]) -> [u32; 8] {
    let mut all = [0; 8];
    for (layer, total) in [ONE - z, z].into_iter().enumerate() {
        let right = (total * x + ONE / 2) >> FRACTION;
        let left = total - right;
        // Halves are rounded up on the right and down on the left.
        let [upper_left, upper_right] = [(left * y + ONE / 2 - 1) >> FRACTION, (right * y + ONE / 2) >> FRACTION];
        all[4 * layer..][..4].copy_from_slice(&[left - upper_left, right - upper_right, upper_left, upper_right]);
    }
    all
}

/// Returns the texel of an index that may be beyond the edges; `None` is the border.
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

/// Texels and sampler of a fetch, and the function that reads bytes at an offset.
pub(crate) struct Source<'a, R> {
    pub(crate) texels: &'a Texels,
    pub(crate) sampler: &'a Sampler,
    pub(crate) read: R,
}

impl<R: FnMut(u64, u32) -> u32> Source<'_, R> {
    /// Returns the bits of a texel's four components in the texel format. Beyond the edges, `modes` apply.
    fn texel(&mut self, index: [i64; 3], modes: [AddressMode; 3], layer: u32) -> [u32; 4] {
        let Texels { format, channels, extent, .. } = *self.texels;
        let mut at = Some([0; 3]);
        for axis in 0..3 {
            let found = within(index[axis], extent[axis], modes[axis]);
            at = at.zip(found).map(|(mut at, found)| {
                at[axis] = found;
                at
            });
        }
        let offset = at.map(|at| self.texels.offset(at, layer));
        std::array::from_fn(|channel| match offset {
            _ if channel as u32 >= channels => 0,
            Some(offset) => (self.read)(offset + channel as u64 * u64::from(format.bytes()), format.bytes()),
            None => self.border(channel),
        })
    }

    /// Returns the border colour in the texel format.
    fn border(&self, channel: usize) -> u32 {
        let (format, border) = (self.texels.format, self.sampler.border[channel]);
        let mask = u32::MAX >> (32 - 8 * format.bytes());
        match largest(format) {
            // Integers take the bits of the colour.
            _ if self.texels.gives_whole(self.sampler) => border.to_bits() & mask,
            Some((most, signed)) => {
                let least = if signed { -1.0 } else { 0.0 };
                (f64::from(border.clamp(least, 1.0)) * f64::from(most)) as i32 as u32 & mask
            }
            None if format == TexelFormat::F16 => half::narrow(border.into(), soft::F16) as u32,
            None => border.to_bits(),
        }
    }

    /// Returns a texel as the kernel sees it.
    fn seen(&self, bits: [u32; 4]) -> [u32; 4] {
        let (format, channels) = (self.texels.format, self.texels.channels as usize);
        let whole = self.texels.gives_whole(self.sampler);
        std::array::from_fn(|channel| match bits[channel] {
            _ if channel >= channels => 0,
            bits if whole => signed(bits, format) as u32,
            bits => match largest(format) {
                Some((most, _)) => (fraction(bits, format) / f64::from(most)) as f32,
                None => fraction(bits, format) as f32,
            }
            .to_bits(),
        })
    }

    fn modes(&self) -> [AddressMode; 3] {
        let plain = self.texels.dimensions == 1 && self.texels.layers.is_none();
        let directions = if plain { 2 } else { self.texels.dimensions as usize };
        std::array::from_fn(|axis| match self.texels.linear {
            true => AddressMode::Border,
            false if axis < directions => effective(self.sampler, axis),
            false => AddressMode::Clamp,
        })
    }

    /// Fetches at fractional coordinates. They are 0 in dimensions that the texture does not have.
    pub(crate) fn fetch(&mut self, coordinates: [f32; 3], layer: u32) -> [u32; 4] {
        let Texels { extent, format, dimensions, .. } = *self.texels;
        let (half, modes) = (self.sampler.linear, self.modes());
        let places: [Tap; 3] = std::array::from_fn(|axis| {
            if axis as u32 >= dimensions && modes[axis] != AddressMode::Border {
                return Tap { index: 0, weight: 0 };
            }
            place(coordinates[axis], extent[axis], self.sampler, axis, half)
        });
        if !half {
            let bits = self.texel(places.map(|place| place.index), modes, layer);
            return self.seen(bits);
        }
        let mut sum = [0.0f64; 4];
        for (corner, weight) in weights(places.map(|place| place.weight)).into_iter().enumerate() {
            if weight == 0 {
                // A texel with weight zero must not contribute, even if it is infinite.
                continue;
            }
            let index = std::array::from_fn(|axis| places[axis].index + (corner >> axis & 1) as i64);
            let texel = self.texel(index, modes, layer);
            for (sum, bits) in sum.iter_mut().zip(texel) {
                *sum += f64::from(weight) * fraction(bits, format);
            }
        }
        let channels = self.texels.channels as usize;
        std::array::from_fn(|channel| {
            if channel < channels { filtered(sum[channel] / f64::from(ONE), format).to_bits() } else { 0 }
        })
    }

    /// Fetches at integer indices.
    pub(crate) fn fetch_whole(&mut self, coordinates: [i32; 3], layer: u32) -> [u32; 4] {
        let Texels { dimensions, layers, linear, extent, .. } = *self.texels;
        let inside = (0..3).all(|axis| (0..i64::from(extent[axis])).contains(&coordinates[axis].into()));
        let array = dimensions == 1 && layers.is_none() && !linear;
        if array || !inside || layers.is_some_and(|layers| layer >= layers) {
            return [0; 4];
        }
        let bits = self.texel(coordinates.map(i64::from), [AddressMode::Clamp; 3], layer);
        self.seen(bits)
    }

    /// Returns one component of the four texels for linear filtering in two dimensions: lower left, lower right, upper
    /// right, upper left, with y upwards (PTX ISA, `tld4`).
    pub(crate) fn gather(&mut self, coordinates: [f32; 3], component: usize) -> [u32; 4] {
        let (extent, modes) = (self.texels.extent, self.modes());
        let [x, y] = [0, 1].map(|axis| place(coordinates[axis], extent[axis], self.sampler, axis, true).index);
        [[x, y + 1], [x + 1, y + 1], [x + 1, y], [x, y]].map(|[x, y]| {
            let bits = self.texel([x, y, 0], modes, 0);
            self.seen(bits)[component & 3]
        })
    }
}

/// Returns the integer that stands for 1.0 in a format of fractions, and whether the format is signed.
fn largest(format: TexelFormat) -> Option<(i32, bool)> {
    match format {
        TexelFormat::U8 => Some((0xff, false)),
        TexelFormat::U16 => Some((0xffff, false)),
        TexelFormat::S8 => Some((0x7f, true)),
        TexelFormat::S16 => Some((0x7fff, true)),
        TexelFormat::U32 | TexelFormat::S32 | TexelFormat::F16 | TexelFormat::F32 => None,
    }
}

/// Returns a component as a 32-bit integer.
fn signed(bits: u32, format: TexelFormat) -> i32 {
    match format {
        TexelFormat::S8 => i32::from(bits as u8 as i8),
        TexelFormat::S16 => i32::from(bits as u16 as i16),
        _ => bits as i32,
    }
}

/// Returns the value of a component, not yet divided by the largest number of its format.
fn fraction(bits: u32, format: TexelFormat) -> f64 {
    match largest(format) {
        Some((most, _)) => f64::from(signed(bits, format).max(-most)),
        None if format == TexelFormat::F16 => half::widen(bits.into(), soft::F16),
        None => f64::from(f32::from_bits(bits)),
    }
}

/// Rounds a mean of components as linear filtering does.
fn filtered(mean: f64, format: TexelFormat) -> f32 {
    match largest(format) {
        Some((most, signed)) => {
            let wide = if signed { 0x7fff } else { 0xffff };
            let steps = (mean * f64::from(wide) / f64::from(most) + 0.5).floor();
            (steps / f64::from(wide)) as f32
        }
        None if format == TexelFormat::F16 => {
            let exponent = (mean.abs().to_bits() >> 52) as i32 - 1023;
            let step = 2.0f64.powi(exponent.max(-14) - 10);
            let rounded = (mean.abs() / step + 0.5).floor() * step;
            let rounded = if rounded > 65504.0 { f64::INFINITY } else { rounded };
            rounded.copysign(mean) as f32
        }
        None => mean as f32,
    }
}
