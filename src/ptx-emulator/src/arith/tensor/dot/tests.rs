use super::*;

/// Computes A·B + C of 16×32 and 32×8 elements with near factors and without, and returns whether all factors were
/// near.
fn both<const FAST: bool, const DENSE: bool>(sum: Sum, a: &[u32], b: &[u32], c: &[u32]) -> ([Vec<u32>; 2], bool) {
    let (mut left, mut right) = (Matrix::default(), Matrix::default());
    left.set_rows(sum, a, 32);
    right.set_columns(sum, b, 8);
    let near = left.near && right.near;
    let results = [near, false].map(|near| {
        left.near = near;
        let mut c = c.to_vec();
        // SAFETY: the caller sets `FAST` only if the CPU has the features.
        unsafe { multiply::<FAST, DENSE>(sum, &left, &right, 8, &mut c, |_, k| k) };
        c
    });
    (results, near)
}

#[test]
fn the_largest_sums_of_32_bits_are_cut_as_others_are() {
    let sum = Sum { a: Float::BF16, b: Float::BF16, block: 16, kept: 25, half: false, fraction: 23 };
    let (mut a, b) = (vec![0x3fff; 16 * 32], vec![0x3fff; 32 * 8]);
    // One block of sixteen products, each 255² / 128².
    a.chunks_exact_mut(32).for_each(|row| row[16..].fill(0));
    let products = 16 * ((255 * 255) << (25 - 14));
    let c: Vec<u32> = (0..16 * 8)
        .map(|at| ((i64::from(i32::MAX - products) - 96 + at) as f32 * single_power(-25)).to_bits())
        .collect();
    let ([near, all], found) = both::<false, true>(sum, &a, &b, &c);
    assert!(found);
    assert_eq!(near, all);
    #[cfg(target_arch = "x86_64")]
    if has_fast() {
        assert_eq!(both::<true, true>(sum, &a, &b, &c).0, [all.clone(), all]);
    }
}

#[test]
fn products_of_near_factors_have_the_bits_of_all_others() {
    let mut state = 7u64;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as u32
    };
    let single = |fraction| (25, fraction);
    let formats = [
        (Float::BF16, 16, single(23)),
        (Float::F16, 16, single(23)),
        (Float::TF32, 8, single(23)),
        (Float::E4M3, 32, (13, 13)),
        (Float::E5M2, 32, (13, 13)),
    ];
    for (format, block, (kept, fraction)) in formats {
        let sum = Sum { a: format, b: format, block, kept, half: false, fraction };
        let mut near = 0;
        for case in 0..200 {
            // Factors of about 2^middle, some of them zero, down to the smallest near ones.
            let middle = [0, -20, 30, -46, 55][case % 5];
            // In every seventh case, all factors are as large as their exponent allows, for the largest sums. In
            // the others, some are zero.
            let largest = case % 7 == 6;
            let mut factor = || {
                let exponent = middle + if largest { 0 } else { (random() % 8) as i32 - 3 };
                let fraction = if largest { 0x7f_ffff } else { random() & 0x7f_ffff };
                let value = f32::from_bits(((127 + exponent) as u32) << 23 | fraction);
                let value = if !largest && random() % 5 == 0 { 0.0 } else { value };
                let negative = !largest && random() % 2 == 1;
                let bits = (if negative { -value } else { value }).to_bits();
                match format.bits {
                    32 => bits,
                    16 if format == Float::BF16 => bits >> 16,
                    // Finite numbers only: the lowest bit of the exponent is cleared.
                    all => random() & (u32::MAX >> (32 - all)) & !(1 << (format.fraction_bits)),
                }
            };
            let mut a: Vec<u32> = (0..16 * 32).map(|_| factor()).collect();
            if case % 7 == 5 {
                // All products are zero, so the smallest numbers stay unchanged.
                a.fill(0);
            }
            let b: Vec<u32> = (0..32 * 8).map(|_| factor()).collect();
            let mut c: Vec<u32> = (0..16 * 8).map(|at| if at % 3 == 0 { 0 } else { random() << 1 | at & 1 }).collect();
            if case % 2 == 1 {
                // C is the negated result of the products alone, so that little or nothing is left.
                let ([products, _], _) = both::<false, true>(sum, &a, &b, &[0; 16 * 8]);
                c = products.iter().map(|bits| bits ^ 1 << 31).collect();
            }
            let (results, found) = both::<false, true>(sum, &a, &b, &c);
            assert_eq!(results[0], results[1], "{format:?}, case {case}");
            #[cfg(target_arch = "x86_64")]
            if has_fast() {
                let same = [results[1].clone(), results[1].clone()];
                assert_eq!(both::<true, false>(sum, &a, &b, &c).0, same, "{format:?}");
                assert_eq!(both::<true, true>(sum, &a, &b, &c).0, same, "{format:?}");
            }
            near += usize::from(found);
        }
        assert!(near > 100, "{format:?}: {near}");
    }
}
