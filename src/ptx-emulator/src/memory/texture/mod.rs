/*! Textures and surfaces: objects of a [`Memory`](crate::Memory) that refer to its buffers.

On a GPU, the host fills an opaque array and passes a 64-bit object to a kernel (`cuTexObjectCreate`,
`cuSurfObjectCreate`). Here the texels are stored in a buffer, row after row. The object is a number: an argument, a
field of a structure or an entry of a table in memory.

Fetches follow the CUDA C++ Programming Guide, *Texture Fetching*: the position of a coordinate among the texels, values
beyond the edges, and rounding of weights and means. If the guide leaves bits open, they follow an NVIDIA H200. See
[`sample`].

The emulator refuses PTX that uses mipmaps, cube maps, multisampling, texture references, offsets, depth comparisons,
formatted stores or reductions of surfaces. Fetches have no counted cost and are not searched for hazards.
*/

pub(crate) mod sample;

use super::{BufferId, Memory};
use crate::Fault;
use crate::program::texture::Geometry;

/// Upper bits of an object's number.
const TAG: u64 = 0x7478_0000_0000_0000;

/// Type of a component of a texel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum TexelFormat {
    /// 8 bits, unsigned.
    U8,
    /// 16 bits, unsigned.
    U16,
    /// 32 bits, unsigned.
    U32,
    /// 8 bits, signed.
    S8,
    /// 16 bits, signed.
    S16,
    /// 32 bits, signed.
    S32,
    /// Half precision.
    F16,
    /// Single precision.
    F32,
}

impl TexelFormat {
    /// Returns the number of bytes of a component.
    pub fn bytes(self) -> u32 {
        match self {
            Self::U8 | Self::S8 => 1,
            Self::U16 | Self::S16 | Self::F16 => 2,
            Self::U32 | Self::S32 | Self::F32 => 4,
        }
    }
}

/// The texels of a texture or surface, stored in a buffer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Texels {
    buffer: BufferId,
    format: TexelFormat,
    channels: u32,
    /// Texels in each dimension; 1 beyond `dimensions`.
    extent: [u32; 3],
    dimensions: u32,
    layers: Option<u32>,
    /// Bytes between the starts of two rows.
    pitch: u64,
    linear: bool,
}

impl Texels {
    /// Describes texels of 1, 2 or 4 channels, with one dimension per extent (x first). Rows follow each other without
    /// gaps, from the beginning of the buffer.
    pub fn new(buffer: BufferId, format: TexelFormat, channels: u32, extent: &[u32]) -> Self {
        let mut all = [1; 3];
        all.iter_mut().zip(extent).for_each(|(own, given)| *own = *given);
        let pitch = u64::from(all[0]) * u64::from(channels) * u64::from(format.bytes());
        let dimensions = extent.len() as u32;
        Self { buffer, format, channels, extent: all, dimensions, layers: None, pitch, linear: false }
    }

    /// Adds layers: `layers` times these extents, one after another (`cudaArrayLayered`).
    #[must_use]
    pub fn layers(self, layers: u32) -> Self {
        Self { layers: Some(layers), ..self }
    }

    /// Sets the number of bytes between the starts of two rows.
    #[must_use]
    pub fn pitch(self, pitch: u64) -> Self {
        Self { pitch, ..self }
    }

    /// Makes this linear memory (`tex1Dfetch`): texels beyond it are zero, whatever the sampler says.
    #[must_use]
    pub fn linear(self) -> Self {
        Self { linear: true, ..self }
    }

    /// Returns the number of bytes of a texel.
    pub(crate) fn texel(&self) -> u64 {
        u64::from(self.channels) * u64::from(self.format.bytes())
    }

    /// Returns the offset of a texel in the buffer.
    pub(crate) fn offset(&self, [x, y, z]: [u32; 3], layer: u32) -> u64 {
        let rows =
            u64::from(y) + u64::from(self.extent[1]) * (u64::from(z) + u64::from(self.extent[2]) * u64::from(layer));
        u64::from(x) * self.texel() + rows * self.pitch
    }

    fn check(&self, memory: &Memory) -> Result<(), Fault> {
        let refuse = |why: String| Err(Fault::launch(format!("This cannot be a texture or surface: {why}.")));
        if !matches!(self.channels, 1 | 2 | 4) {
            return refuse(format!("texels have 1, 2 or 4 channels, not {}", self.channels));
        }
        if !(1..=3).contains(&self.dimensions) || self.layers.is_some() && self.dimensions == 3 {
            let layered = if self.layers.is_some() { " in layers" } else { "" };
            return refuse(format!("there are none of {} directions{layered}", self.dimensions));
        }
        if self.extent.iter().chain(&self.layers).any(|n| !(1..=1 << 27).contains(n)) {
            return refuse("an extent is 1 to 2²⁷ texels".to_owned());
        }
        if self.linear && self.dimensions + u32::from(self.layers.is_some()) > 1 {
            return refuse("linear memory has one direction".to_owned());
        }
        if self.pitch < u64::from(self.extent[0]) * self.texel() || self.pitch > 1 << 40 {
            return refuse(format!(
                "a row has {} bytes, and the next begins after {}",
                u64::from(self.extent[0]) * self.texel(),
                self.pitch
            ));
        }
        let rows = [self.extent[1], self.extent[2], self.layers.unwrap_or(1)].map(u128::from).iter().product::<u128>();
        let bytes = (rows - 1) * u128::from(self.pitch) + u128::from(self.extent[0]) * u128::from(self.texel());
        let has = memory.read(self.buffer).len();
        if bytes > has as u128 {
            return refuse(format!("its texels take {bytes} bytes, and the buffer has {has}"));
        }
        Ok(())
    }
}

/// Result of a fetch beyond the edges of a texture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum AddressMode {
    /// The texture repeats. Works like `Clamp` if coordinates are not normalized.
    Wrap,
    /// The texel at the edge.
    #[default]
    Clamp,
    /// The texture repeats, mirrored each time. Works like `Clamp` if coordinates are not normalized.
    Mirror,
    /// The border colour.
    Border,
}

/// Settings of texture fetches.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Sampler {
    /// Result beyond the edges, in each dimension.
    pub address: [AddressMode; 3],
    /// Interpolates between the nearest texels instead of taking the nearest one.
    pub linear: bool,
    /// Coordinates range from 0 to 1 instead of 0 to the extent.
    pub normalized: bool,
    /// Integers stay integers. Otherwise 8-bit and 16-bit integers become 0…1 or -1…1.
    pub integers: bool,
    /// The border colour.
    pub border: [f32; 4],
}

/// A texture, or a surface if it has no sampler.
#[derive(Debug, Clone)]
pub(crate) struct Object {
    pub(crate) texels: Texels,
    pub(crate) sampler: Option<Sampler>,
}

impl Memory {
    /// Makes a texture object. Returns its 64-bit number, which kernels take as [`Arg::U64`](crate::Arg::U64).
    ///
    /// # Errors
    /// If textures cannot have these settings, or if the buffer has too few bytes.
    pub fn texture(&mut self, texels: Texels, sampler: Sampler) -> Result<u64, Fault> {
        let wide = matches!(texels.format, TexelFormat::U32 | TexelFormat::S32);
        if sampler.linear && (sampler.integers || wide) && texels.format != TexelFormat::F32 {
            return Err(Fault::launch("Linear filtering takes numbers with a fraction, not whole ones."));
        }
        self.object(Object { texels, sampler: Some(sampler) })
    }

    /// Makes a surface object and returns its number.
    ///
    /// # Errors
    /// As for [`Memory::texture`].
    pub fn surface(&mut self, texels: Texels) -> Result<u64, Fault> {
        self.object(Object { texels, sampler: None })
    }

    fn object(&mut self, object: Object) -> Result<u64, Fault> {
        object.texels.check(self)?;
        self.objects.push(object);
        Ok(TAG | self.objects.len() as u64)
    }
}

/// Returns the object with this number.
pub(crate) fn find(objects: &[Object], number: u64) -> Option<&Object> {
    objects.get(((number ^ TAG) as usize).checked_sub(1)?)
}

impl Texels {
    pub(crate) fn buffer_index(&self) -> usize {
        self.buffer.0
    }

    pub(crate) fn row_bytes(&self) -> u64 {
        u64::from(self.extent[0]) * self.texel()
    }

    /// True if an instruction's coordinates fit this texture.
    pub(crate) fn fits(&self, geometry: Geometry) -> bool {
        geometry.dimensions == self.dimensions && geometry.layered == self.layers.is_some()
    }

    /// Returns the layer of a fetch. An index beyond the last layer selects the last.
    pub(crate) fn layer(&self, asked: u32) -> u32 {
        asked.min(self.layers.unwrap_or(1) - 1)
    }

    pub(crate) fn queried_last(&self, axis: usize) -> u64 {
        u64::from(self.extent[axis]) - 1
    }

    /// Returns the result of `txq.width`, `.height` or `.depth`.
    pub(crate) fn queried_extent(&self, axis: usize) -> u32 {
        if axis as u32 >= self.dimensions { 0 } else { self.extent[axis] }
    }

    pub(crate) fn queried_layers(&self) -> u32 {
        self.layers.unwrap_or(0)
    }

    /// True if fetches return integers.
    pub(crate) fn gives_whole(&self, sampler: &Sampler) -> bool {
        match self.format {
            TexelFormat::F16 | TexelFormat::F32 => false,
            TexelFormat::U32 | TexelFormat::S32 => true,
            _ => sampler.integers,
        }
    }

    pub(crate) fn kind(&self) -> String {
        let layers = if self.layers.is_some() { ", layered" } else { "" };
        format!("of {} directions{layers}", self.dimensions)
    }
}
