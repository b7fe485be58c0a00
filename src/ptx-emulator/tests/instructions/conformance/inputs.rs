//! Operand values: combinations of edge values, as many as fit, then random values that are close together.

use crate::support::Random;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Kind {
    Pred,
    I16,
    I32,
    I64,
    /// A shift amount, bit position or length.
    Small,
    F16,
    Bf16,
    F16x2,
    Bf16x2,
    F32,
    F64,
}

impl Kind {
    pub(crate) fn bits(self) -> u32 {
        match self {
            Self::Pred => 1,
            Self::I16 | Self::F16 | Self::Bf16 => 16,
            Self::I32 | Self::Small | Self::F16x2 | Self::Bf16x2 | Self::F32 => 32,
            Self::I64 | Self::F64 => 64,
        }
    }

    /// Returns the numbers of exponent and mantissa bits of a float.
    fn float(self) -> Option<(u32, u32)> {
        match self {
            Self::F16 | Self::F16x2 => Some((5, 10)),
            Self::Bf16 | Self::Bf16x2 => Some((8, 7)),
            Self::F32 => Some((8, 23)),
            Self::F64 => Some((11, 52)),
            _ => None,
        }
    }

    fn edges(self) -> Vec<u64> {
        match self {
            Self::Pred => vec![0, 1],
            Self::I16 => I16.to_vec(),
            Self::I32 => I32.to_vec(),
            Self::I64 => I64.to_vec(),
            Self::Small => SMALL.to_vec(),
            Self::F16 | Self::F16x2 => float_edges(5, 10),
            Self::Bf16 | Self::Bf16x2 => float_edges(8, 7),
            Self::F32 => float_edges(8, 23),
            Self::F64 => float_edges(11, 52),
        }
    }

    /// Returns the most important edge values, for combinations of three operands.
    fn few(self) -> Vec<u64> {
        match self.float() {
            None => {
                let all = self.edges();
                let step = all.len().div_ceil(12);
                all.iter().copied().step_by(step).collect()
            }
            Some((exponent, mantissa)) => {
                let (inf, sign, one) = landmarks(exponent, mantissa);
                let least = 1 << mantissa;
                vec![0, sign, 1, least, sign | (least - 1), one, sign | one, one + 1, inf - 1, inf, sign | inf, inf | 1]
            }
        }
    }
}

#[rustfmt::skip]
const I16: [u64; 22] = [
    0, 1, 2, 3, 7, 8, 15, 16, 31, 0x7f, 0x80, 0xff, 0x100, 0x5555, 0xaaaa, 0x7ffe, 0x7fff, 0x8000, 0x8001, 0xfff0,
    0xfffe, 0xffff,
];
#[rustfmt::skip]
const I32: [u64; 36] = [
    0, 0xffff_ffff, 0x8000_0000, 1, 0x7fff_ffff, 2, 0x8000_0001, 3, 0xffff_fffe, 7, 16, 31, 32, 33, 0x7f, 0x80, 0xff,
    0x100, 0x7fff, 0x8000, 0xffff, 0x1_0000, 0x7f_ffff, 0x80_0000, 0xff_ffff, 0x100_0000, 0x1000_0001, 0x5555_5555,
    0xaaaa_aaaa, 0xdead_beef, 0x0102_0304, 0x80ff_7f01, 0x7531, 0x0f0f_f0f0, 0x8000_8000, 0xffff_8000,
];
#[rustfmt::skip]
const I64: [u64; 36] = [
    0, u64::MAX, 1 << 63, 1, (1 << 63) - 1, 2, (1 << 63) + 1, 3, u64::MAX - 1, 7, 63, 64, 0xff, 0x8000, 0xffff,
    0x7fff_ffff, 0x8000_0000, 0xffff_ffff, 0x1_0000_0000, 0x1_0000_0001, 0xffff_fffe_ffff_ffff, 0xffff_ffff_0000_0000,
    0xffff_ffff_7fff_ffff, 0xffff_ffff_8000_0000, 1 << 24, (1 << 24) + 1, 1 << 53, (1 << 53) + 1, (1 << 54) - 1,
    0x7fff_ffff_ffff_fc00, 0x7fff_ff80_0000_0000, 0x7fff_ffc0_0000_0001, 0x5555_5555_5555_5555, 0xaaaa_aaaa_aaaa_aaaa,
    0xdead_beef_0123_4567, 0x0102_0304_0506_0708,
];
const SMALL: [u64; 24] =
    [0, 1, 2, 7, 8, 15, 16, 17, 24, 31, 32, 33, 40, 48, 62, 63, 64, 65, 127, 255, 256, 0x11f, 0x8000_0000, 0xffff_ffff];

/// Returns infinity, the sign bit and one in a format.
fn landmarks(exponent: u32, mantissa: u32) -> (u64, u64, u64) {
    (((1 << exponent) - 1) << mantissa, 1 << (exponent + mantissa), ((1 << (exponent - 1)) - 1) << mantissa)
}

fn float_edges(exponent: u32, mantissa: u32) -> Vec<u64> {
    let (inf, sign, one) = landmarks(exponent, mantissa);
    let least = 1u64 << mantissa;
    let mut all = vec![0, 1, 2, least - 1, least, least + 1, one - 1, one, one + 1, inf - 1, inf];
    // Halves (for rounding to integers), and the limits of integers and of narrower formats.
    let bias = (1i64 << (exponent - 1)) - 1;
    let power =
        |n: i64| u64::try_from(n + bias).ok().filter(|e| (1..(1 << exponent) - 1).contains(e)).map(|e| e << mantissa);
    all.extend([-1, 1, 2, 3].iter().filter_map(|n| power(*n)));
    all.extend([one + least / 2, one + least + least / 4, one + least + 3 * least / 4]);
    for n in [7, 8, 15, 16, 24, 31, 32, 52, 53, 63, 64, 127, 128, -14, -15, -24, -25, -126, -127, -149, -150] {
        if let Some(bits) = power(n) {
            all.push(bits);
            all.push(bits - 1);
        }
    }
    // 65,504 and 65,520: the largest half, and the first value that rounds to infinity.
    if mantissa > 11 {
        all.extend([65504.0f64, 65520.0, 65519.9, 3.402_823_466e38, 0.1, 1e9].map(|x| match exponent {
            8 => u64::from((x as f32).to_bits()),
            _ => x.to_bits(),
        }));
    }
    // NaN: quiet, signalling, and with a payload.
    all.extend([inf | (least / 2), inf | 1, inf | (least - 1), inf | 0x25 | (least / 2)]);
    let mut both: Vec<u64> = all.iter().flat_map(|bits| [*bits, bits | sign]).collect();
    let mut seen = std::collections::HashSet::new();
    both.retain(|bits| seen.insert(*bits));
    both
}

/// Returns random bits of a kind: anything, or a float near one.
fn random(kind: Kind, random: &mut Random) -> u64 {
    let bits = random.bits();
    let width = kind.bits();
    let all = if width == 64 { u64::MAX } else { (1 << width) - 1 };
    let Some((exponent, mantissa)) = kind.float() else {
        return match kind {
            Kind::Small => bits % 72,
            _ if bits >> 60 < 4 => random.bits() >> (bits & 63) & all,
            _ => random.bits() & all,
        };
    };
    let mut value = random.bits();
    if bits >> 59 == 0 {
        // NaN with any payload, to show which of several NaNs results.
        let (inf, _, _) = landmarks(exponent, mantissa);
        value |= inf | 2;
    } else if bits & 3 != 0 {
        let one_of = |value: u64, shift: u32| {
            let (inf, sign, one) = landmarks(exponent, mantissa);
            let spread = 1u64 << (exponent - 2).min(4);
            let near = (one >> mantissa) + (value >> 40) % (2 * spread) - spread;
            let fraction = if bits & 4 != 0 { value } else { value & 0x3 << (mantissa - 2) };
            ((value >> 10 & sign) | (near << mantissa & inf) | fraction & ((1 << mantissa) - 1)) << shift
        };
        value = match kind {
            Kind::F16x2 | Kind::Bf16x2 => one_of(value, 0) | one_of(random.bits(), 16),
            _ => one_of(value, 0),
        };
    }
    value & all
}

/// Returns `count` cases for these operands, four values each.
pub(crate) fn cases(kinds: &[Kind], count: usize) -> Vec<[u64; 4]> {
    let seed = kinds.iter().fold(0x5eed_u64, |seed, kind| seed * 31 + *kind as u64 + 1);
    let mut generator = Random(seed);
    let lists: Vec<Vec<u64>> =
        kinds.iter().map(|kind| if kinds.len() < 3 { kind.edges() } else { kind.few() }).collect();
    let combinations: usize = lists.iter().map(Vec::len).product();
    (0..count)
        .map(|index| {
            let mut case = [0u64; 4];
            let exhaustive = kinds.len() == 1 && kinds[0].bits() == 16 && count == 1 << 16;
            // There are too many combinations, so spread the chosen ones.
            let mut rest = if combinations > count { index * 7919 % combinations } else { index };
            for (slot, (kind, list)) in case.iter_mut().zip(kinds.iter().zip(&lists)) {
                *slot = if exhaustive {
                    index as u64
                } else if index < combinations.min(3 * count / 4) || combinations <= count && index < combinations {
                    let value = list[rest % list.len()];
                    rest /= list.len();
                    match kind {
                        // The other half has a different edge value.
                        Kind::F16x2 | Kind::Bf16x2 => value | list[(index * 7 + 3) % list.len()] << 16,
                        _ => value,
                    }
                } else if generator.bits().is_multiple_of(5) {
                    list[generator.bits() as usize % list.len()]
                } else {
                    random(*kind, &mut generator)
                };
            }
            // Sums that cancel: the third operand is close to minus the product of the other two.
            if kinds.len() == 3 && index >= combinations && index % 3 == 0 {
                case[2] = cancel(kinds, case, index as u64 / 3).unwrap_or(case[2]);
            }
            case
        })
        .collect()
}

fn cancel(kinds: &[Kind], case: [u64; 4], step: u64) -> Option<u64> {
    match kinds {
        [Kind::F32, Kind::F32, Kind::F32] => {
            let product = f32::from_bits(case[0] as u32) * f32::from_bits(case[1] as u32);
            Some(u64::from((-product).to_bits().wrapping_add((step % 3) as u32).wrapping_sub(1)))
        }
        [Kind::F64, Kind::F64, Kind::F64] => {
            let product = f64::from_bits(case[0]) * f64::from_bits(case[1]);
            Some((-product).to_bits().wrapping_add(step % 3).wrapping_sub(1))
        }
        _ => None,
    }
}
