//! Reductions by asynchronous copies: which operation on which element type.

use crate::arch::AtomicKind;
use crate::tensor_map::Element;

/// A reduction that a copy applies to each element instead of overwriting it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Reduce {
    pub(crate) kind: AtomicKind,
    /// Bytes per element.
    pub(crate) size: u8,
}

/// A reduction whose element type comes from a tensor map.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Operation {
    Add,
    Min,
    Max,
    Increment,
    Decrement,
    And,
    Or,
    Xor,
}

impl Operation {
    pub(crate) fn of(word: &str) -> Option<Self> {
        Some(match word {
            "add" => Self::Add,
            "min" => Self::Min,
            "max" => Self::Max,
            "inc" => Self::Increment,
            "dec" => Self::Decrement,
            "and" => Self::And,
            "or" => Self::Or,
            "xor" => Self::Xor,
            _ => return None,
        })
    }

    /// Returns the reduction for this element type, or `None` if it does not exist.
    pub(crate) fn on(self, element: Element) -> Option<Reduce> {
        use AtomicKind as A;
        use Element as E;
        let kind = match (self, element) {
            (Self::Add, E::U32 | E::S32 | E::U64) => A::Add,
            (Self::Add, E::F32 | E::Tf32) => A::AddF32NoFtz,
            (Self::Add, E::F32Ftz | E::Tf32Ftz) => A::AddF32,
            (Self::Add, E::F64) => A::AddF64,
            (Self::Add, E::F16) => A::AddF16,
            (Self::Add, E::Bf16) => A::AddBf16,
            (Self::Min, E::U32 | E::U64) => A::Min,
            (Self::Min, E::S32) => A::MinS32,
            (Self::Min, E::S64) => A::MinS64,
            (Self::Min, E::F16) => A::MinF16,
            (Self::Min, E::Bf16) => A::MinBf16,
            (Self::Max, E::U32 | E::U64) => A::Max,
            (Self::Max, E::S32) => A::MaxS32,
            (Self::Max, E::S64) => A::MaxS64,
            (Self::Max, E::F16) => A::MaxF16,
            (Self::Max, E::Bf16) => A::MaxBf16,
            (Self::Increment, E::U32) => A::Increment,
            (Self::Decrement, E::U32) => A::Decrement,
            (Self::And, E::U32 | E::S32 | E::U64) => A::And,
            (Self::Or, E::U32 | E::S32 | E::U64) => A::Or,
            (Self::Xor, E::U32 | E::S32 | E::U64) => A::Xor,
            _ => return None,
        };
        Some(Reduce { kind, size: element.bytes() as u8 })
    }
}
