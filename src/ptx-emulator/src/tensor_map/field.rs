use super::{Element, Fill, Swizzle, TensorMap};

/// A field of a tensor map that `tensormap.replace` can change, and its dimension.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum TensorMapField {
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

/// The element types in the numbering of `tensormap.replace`. It differs from the driver's from `F32` on.
const ELEMENTS: [Element; 13] = [
    Element::U8,
    Element::U16,
    Element::U32,
    Element::S32,
    Element::U64,
    Element::S64,
    Element::F16,
    Element::F32,
    Element::F32Ftz,
    Element::F64,
    Element::Bf16,
    Element::Tf32,
    Element::Tf32Ftz,
];

impl TensorMapField {
    /// Returns the field with this name and dimension, and true if its value has 64 bits.
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

    /// Returns the largest value of an enumerated field. The instruction takes such values as constants.
    pub(crate) fn max_value(self) -> Option<u64> {
        match self {
            Self::Element => Some(12),
            // The emulator does not support the other layouts.
            Self::Interleave => Some(0),
            Self::Swizzle => Some(3),
            Self::Fill => Some(1),
            _ => None,
        }
    }
}

impl TensorMap {
    /// Replaces a field. The resulting map is checked when it is used.
    pub(crate) fn replace(&mut self, field: TensorMapField, value: u64) {
        let small = value as u32;
        match field {
            TensorMapField::Address => self.address = value,
            TensorMapField::Rank => self.rank = small.wrapping_add(1),
            TensorMapField::Extent(d) => self.extent[usize::from(d)] = small,
            // The map stores the dimension minus one.
            TensorMapField::Dim(d) => self.dims[usize::from(d)] = u64::from(small.wrapping_sub(1)) + 1,
            // There is one stride fewer than dimensions.
            TensorMapField::Stride(d) => {
                self.strides.iter_mut().skip(d.into()).take(1).for_each(|stride| *stride = value);
            }
            TensorMapField::ElementStride(d) => self.element_strides[usize::from(d)] = small,
            TensorMapField::Element => self.element = ELEMENTS[value as usize % ELEMENTS.len()],
            TensorMapField::Interleave => {}
            TensorMapField::Swizzle => self.swizzle = Swizzle::ALL[value as usize % 4],
            TensorMapField::Fill => self.fill = Fill::ALL[value as usize % 2],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_take_the_values_that_an_h200_takes() {
        // Compares the maps that `tensormap.replace` produced on an H200 with maps that the driver encoded.
        let map = TensorMap::tiled(4096, Element::F32, &[40, 30, 20], &[160, 4800], &[4, 3, 2]);
        let Ok(map) = map else { unreachable!() };
        let with = |field, value| {
            let mut map = map;
            map.replace(field, value);
            map
        };
        assert_eq!(with(TensorMapField::Rank, 2), map);
        assert_eq!(with(TensorMapField::Rank, 4).rank, 5);
        assert_eq!((with(TensorMapField::Extent(1), 3), with(TensorMapField::ElementStride(2), 1)), (map, map));
        assert_eq!((with(TensorMapField::Dim(0), 5).dims[0], with(TensorMapField::Dim(1), 0).dims[1]), (5, 1 << 32));
        assert_eq!(with(TensorMapField::Stride(1), 4096).strides, [160, 4096, 0, 0]);
        assert_eq!(with(TensorMapField::Stride(4), 4096), map);
        let elements = [7, 8, 9, 10, 11, 12].map(|value| with(TensorMapField::Element, value).element);
        let expected = [Element::F32, Element::F32Ftz, Element::F64, Element::Bf16, Element::Tf32, Element::Tf32Ftz];
        assert_eq!(elements, expected);
        assert_eq!(with(TensorMapField::Swizzle, 3).swizzle, Swizzle::B128);
        assert_eq!(with(TensorMapField::Fill, 1).fill, Fill::Nan);
    }
}
