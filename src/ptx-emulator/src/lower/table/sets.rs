//! Names for words that often occur in the same position.

/// Sets by name. The names are upper-case, so they cannot be PTX words.
pub(super) const SETS: &[(&str, &str)] = &[
    ("INT", "u16|u32|u64|s16|s32|s64"),
    ("LONG", "u32|u64|s32|s64"),
    ("SHORT", "u32|s32"),
    ("BITS", "b16|b32|b64"),
    ("WORD", "b16|b32|b64|u16|u32|u64|s16|s32|s64|f32|f64"),
    ("INT8", "u8|s8|u16|s16|u32|s32|u64|s64"),
    ("M8", "b8|u8|s8"),
    ("M16", "b16|u16|s16"),
    ("M32", "b32|u32|s32|f32"),
    ("M64", "b64|u64|s64|f64"),
    ("HALF", "f16|f16x2|bf16|bf16x2"),
    ("ROUND", "rn|rz|rm|rp"),
    ("WHOLE", "rni|rzi|rmi|rpi"),
    ("SIGNED", "eq|ne|lt|le|gt|ge"),
    ("UNSIGNED", "eq|ne|lt|le|gt|ge|lo|ls|hi|hs"),
    ("FLOAT", "eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan"),
    ("LOGIC", "and|or|xor"),
    ("SCOPE", "cta|cluster|gpu|sys"),
    ("SHARED", "shared|shared::cta|shared::cluster"),
    ("OWN", "shared|shared::cta"),
    ("EVICT1", "L1::evict_normal|L1::evict_unchanged|L1::evict_first|L1::evict_last|L1::no_allocate"),
    ("EVICT2", "L2::evict_normal|L2::evict_first|L2::evict_last"),
    ("PREFETCH", "L2::64B|L2::128B|L2::256B"),
    ("FP8", "e4m3|e5m2"),
    ("NARROW", "e4m3x2|e5m2x2|e2m3x2|e3m2x2|e2m1x2"),
    ("WMMA16", "m16n16k16|m32n8k16|m8n32k16"),
];

type Columns = fn() -> Box<dyn Iterator<Item = u32>>;

/// Shapes of `wgmma`: the mark is replaced by each possible number of columns of B, for floating-point and for
/// integer formats.
pub(super) const COLUMNS: [(&str, Columns); 2] = [
    ("FCOLS", || Box::new((8..=256).step_by(8))),
    ("ICOLS", || Box::new((8..=256).step_by(8).filter(|columns| *columns <= 24 || columns % 16 == 0))),
];
