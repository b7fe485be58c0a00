//! The fields of a tensor map that `tensormap.replace` changes.

use super::{Element, Fill, Swizzle, TensorMap};

/// A field, and of which dimension.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Field {
    Address,
    Rank,
    Extent(u8),
    Dim(u8),
    Stride(u8),
    ElementStride(u8),
    Element,
    Interleave,
    Swizzle,
    Fill,
}

impl Field {
    /// The field of this name and dimension, and whether its value has 64 bits.
    pub(crate) fn of(name: &str, ordinal: Option<u8>) -> Option<(Self, bool)> {
        Some(match (name, ordinal) {
            ("global_address", None) => (Self::Address, true),
            ("rank", None) => (Self::Rank, false),
            ("box_dim", Some(d)) => (Self::Extent(d), false),
            ("global_dim", Some(d)) => (Self::Dim(d), false),
            ("global_stride", Some(d)) => (Self::Stride(d), true),
            ("element_stride", Some(d)) => (Self::ElementStride(d), false),
            ("elemtype", None) => (Self::Element, false),
            ("interleave_layout", None) => (Self::Interleave, false),
            ("swizzle_mode", None) => (Self::Swizzle, false),
            ("fill_mode", None) => (Self::Fill, false),
            _ => return None,
        })
    }

    /// The largest value of a field whose values are names; the instruction takes them as constants.
    pub(crate) fn most(self) -> Option<u64> {
        match self {
            Self::Element => Some(12),
            // The other layouts are not supported.
            Self::Interleave => Some(0),
            Self::Swizzle => Some(3),
            Self::Fill => Some(1),
            _ => None,
        }
    }
}

impl TensorMap {
    /// Replaces a field. What comes of it is checked when the map is used.
    pub(crate) fn replace(&mut self, field: Field, value: u64) {
        let small = value as u32;
        match field {
            Field::Address => self.address = value,
            Field::Rank => self.rank = small.wrapping_add(1),
            Field::Extent(d) => self.extent[usize::from(d)] = small,
            Field::Dim(d) => self.dims[usize::from(d)] = small.into(),
            // There is one stride less than there are dimensions.
            Field::Stride(d) => self.strides.iter_mut().skip(d.into()).take(1).for_each(|stride| *stride = value),
            Field::ElementStride(d) => self.element_strides[usize::from(d)] = small,
            Field::Element => self.element = Element::ALL[value as usize % Element::ALL.len()],
            Field::Interleave => {}
            Field::Swizzle => self.swizzle = Swizzle::ALL[value as usize % 4],
            Field::Fill => self.fill = Fill::ALL[value as usize % 2],
        }
    }
}
