//! Number formats of tensor-core operands.

/// The exponent of zero: so far below that of any product that it never matters in a sum.
pub(crate) const ZERO: i32 = -1 << 12;

/// A floating-point format of A and B.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Float {
    /// Bits per element in a register or in memory.
    pub(crate) bits: u32,
    exponent_bits: u32,
    /// Fraction bits that the tensor core reads.
    pub(crate) fraction_bits: u32,
    /// Low bits that the tensor core ignores.
    ignored: u32,
    /// True if the highest exponent stands for infinities and NaN. Otherwise only the pattern of all ones is NaN.
    infinities: bool,
}

impl Float {
    pub(crate) const F16: Self = Self::new(16, 5, 10, 0, true);
    pub(crate) const BF16: Self = Self::new(16, 8, 7, 0, true);
    /// A 32-bit format. A tensor core ignores the low 13 bits of its fraction.
    pub(crate) const TF32: Self = Self::new(32, 8, 10, 13, true);
    pub(crate) const E4M3: Self = Self::new(8, 4, 3, 0, false);
    pub(crate) const E5M2: Self = Self::new(8, 5, 2, 0, true);

    const fn new(bits: u32, exponent_bits: u32, fraction_bits: u32, ignored: u32, infinities: bool) -> Self {
        Self { bits, exponent_bits, fraction_bits, ignored, infinities }
    }

    /// Returns exponent and signed significand of a number: its value is `significand · 2^(exponent − fraction_bits)`.
    /// Zero has the exponent [`ZERO`], so that a product with zero is never the largest.
    #[inline(always)]
    pub(crate) fn decode(self, bits: u32) -> (i32, i32) {
        let bits = bits >> self.ignored;
        let fraction = bits & ((1 << self.fraction_bits) - 1);
        let exponent = (bits >> self.fraction_bits) & ((1 << self.exponent_bits) - 1);
        let normal = u32::from(exponent != 0);
        let significand = (fraction | normal << self.fraction_bits) as i32;
        let negative = (bits >> (self.fraction_bits + self.exponent_bits)) & 1;
        let signed = if negative == 1 { -significand } else { significand };
        (if significand == 0 { ZERO } else { (exponent + 1 - normal) as i32 - self.bias() }, signed)
    }

    fn bias(self) -> i32 {
        (1 << (self.exponent_bits - 1)) - 1
    }

    /// True if the bits stand for an infinity or NaN.
    #[inline(always)]
    pub(crate) fn special(self, bits: u32) -> bool {
        let bits = bits >> self.ignored;
        let exponents = ((1u32 << self.exponent_bits) - 1) << self.fraction_bits;
        let all = exponents | ((1 << self.fraction_bits) - 1);
        if self.infinities { bits & exponents == exponents } else { bits & all == all }
    }

    pub(crate) fn nan(self, bits: u32) -> bool {
        self.special(bits) && (!self.infinities || (bits >> self.ignored) & ((1 << self.fraction_bits) - 1) != 0)
    }

    pub(crate) fn zero(self, bits: u32) -> bool {
        !self.special(bits) && self.decode(bits).1 == 0
    }

    pub(crate) fn negative(self, bits: u32) -> bool {
        bits >> (self.bits - 1) & 1 == 1
    }
}

/// The format of A or of B.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    Float(Float),
    S8,
    U8,
    S4,
    U4,
    /// Single bits; 32 of them form one element.
    B1,
    F64,
}

impl Format {
    /// Returns the format that a PTX type names.
    pub(crate) fn named(ty: &str) -> Option<Self> {
        Some(match ty {
            "f16" => Self::Float(Float::F16),
            "bf16" => Self::Float(Float::BF16),
            "tf32" => Self::Float(Float::TF32),
            "e4m3" => Self::Float(Float::E4M3),
            "e5m2" => Self::Float(Float::E5M2),
            "s8" => Self::S8,
            "u8" => Self::U8,
            "s4" => Self::S4,
            "u4" => Self::U4,
            "b1" => Self::B1,
            "f64" => Self::F64,
            _ => return None,
        })
    }

    pub(crate) fn bits(self) -> u32 {
        match self {
            Self::Float(float) => float.bits,
            Self::S8 | Self::U8 => 8,
            Self::S4 | Self::U4 => 4,
            Self::B1 => 32,
            Self::F64 => 64,
        }
    }

    /// Returns the integer that an element stands for.
    #[inline(always)]
    pub(crate) fn value(self, bits: u32) -> i32 {
        match self {
            Self::S8 => i32::from(bits as i8),
            Self::S4 => (bits << 28) as i32 >> 28,
            _ => bits as i32,
        }
    }

    /// Returns the number of elements in a 32-bit register (a 64-bit one for double precision).
    pub(crate) fn each(self) -> u32 {
        (32 / self.bits()).max(1)
    }
}

/// The format of C and D.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Accumulator {
    F32,
    F16,
    S32,
    F64,
}

impl Accumulator {
    /// Returns the format that a PTX type names.
    pub(crate) fn named(ty: &str) -> Option<Self> {
        Some(match ty {
            "f32" => Self::F32,
            "f16" => Self::F16,
            "s32" => Self::S32,
            "f64" => Self::F64,
            _ => return None,
        })
    }
}
