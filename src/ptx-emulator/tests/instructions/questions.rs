//! Inputs drawn from seeds, shared with `scripts/gpu-tensor`, and digests of the GPU's results.

fn bytes_of(format: &str) -> usize {
    match format {
        "f64" => 8,
        "f16" | "bf16" => 2,
        "s8" | "e4m3" | "e5m2" => 1,
        _ => 4,
    }
}

/// Returns a position in the sequence of Steele, Lea and Flood's generator (2014).
pub(crate) fn splitmix(x: u64) -> u64 {
    let x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// Returns an element of one kind of input: any bits, near one, wide, few bits, subnormal, many zeros, infinities, …
fn element(format: &str, kind: u64, seed: u64, index: u64) -> u64 {
    let h = splitmix(index.wrapping_add(seed << 32));
    let h2 = splitmix(h);
    let (bits, exponent_bits, fraction_bits) = match format {
        "s8" => return h & 255,
        "s32" if kind.is_multiple_of(2) => return (h & 0xffff_ffff) >> 9,
        "s32" => return (h & 0xffff_ffff) >> if h2.is_multiple_of(4) { 0 } else { 12 },
        "f16" => (16, 5, 10),
        "bf16" => (16, 8, 7),
        "e4m3" => (8, 4, 3),
        "e5m2" => (8, 5, 2),
        "f64" => (64, 11, 52),
        _ => (32u64, 8u64, 23u64),
    };
    let bias = (1u64 << (exponent_bits - 1)) - 1;
    let top = (1u64 << exponent_bits) - 1;
    let (r, pick) = (h2 >> 8, h2 & 255);
    let fraction = (h >> 1) & ((1 << fraction_bits) - 1);
    let span = (bias - 1).min(60);
    let within = |low: u64, high: u64| low + r % (high - low + 1);
    let wide = || within((bias - span).max(1), bias + span);
    let (exponent, fraction) = match kind {
        0 => (r & top, fraction),
        1 => (within(bias - 2, bias + 2), fraction),
        2 => (wide(), fraction),
        3 => {
            let keep = if bits > 8 { 2 } else { 1 };
            (within(bias - 1, bias + 1), fraction & (((1 << keep) - 1) << (fraction_bits - keep)))
        }
        4 => (if pick < 160 { 0 } else { within(1, 4) }, fraction),
        5 if pick < 170 => (0, 0),
        5 => (wide(), fraction),
        6 => (if pick < 2 { top } else { within(bias - 3, bias + 3) }, if pick == 0 { 0 } else { fraction }),
        8 => {
            let zero = if pick < 128 { 0 } else { within(1, (bias / 2 + 2).max(2)) };
            (zero, if pick < 100 { 0 } else { fraction })
        }
        9 => (within(bias + bias / 2 - 2, top - 1), fraction),
        _ => (within(bias - 14.min(bias - 1), bias + 14.min(bias - 1)), fraction),
    };
    (h & 1) << (bits - 1) | exponent << fraction_bits | fraction
}

/// The checksum that the fixtures' `README.md` defines.
pub(crate) fn digest(words: impl Iterator<Item = u64>) -> u64 {
    let term = |(index, word): (usize, u64)| (splitmix(index as u64) | 1).wrapping_mul(word.wrapping_add(1));
    words.enumerate().map(term).fold(0, u64::wrapping_add)
}

/// Returns the words of memory, with `size` bytes each.
pub(crate) fn words(memory: &[u8], size: usize) -> impl Iterator<Item = u64> + '_ {
    memory.chunks_exact(size).map(move |word| {
        let mut bytes = [0; 8];
        bytes[..size].copy_from_slice(word);
        u64::from_le_bytes(bytes)
    })
}

/// Returns `bytes` bytes of elements.
pub(crate) fn input(format: &str, kind: u64, seed: u64, bytes: usize) -> Vec<u8> {
    let size = bytes_of(format);
    (0..(bytes / size) as u64).flat_map(|i| element(format, kind, seed, i).to_le_bytes()[..size].to_vec()).collect()
}
