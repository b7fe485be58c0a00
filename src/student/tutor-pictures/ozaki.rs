/*! Products of FP64 matrices from residues of 8 bits: "Ozaki Scheme II" (Ozaki, Uchino, Imamura, arXiv 2504.08009).

Each row of A and column of B is multiplied by a power of two and rounded to integers. Their product is computed by
pairwise coprime moduli, and the Chinese remainder theorem gives the exact integer, because it is smaller than half the
product P of the moduli.
*/

use tutor_kernels::Ozaki;

/// The moduli of the kernel.
pub(crate) const MODULI: [u32; 16] = Ozaki::MODULI;

/// Returns the product P of moduli.
pub(crate) fn product(moduli: &[u32]) -> i128 {
    moduli.iter().map(|p| i128::from(*p)).product()
}

/// Returns T, the largest norm of a scaled row or column. The margin covers the rounding to integers.
pub(crate) fn largest_norm(moduli: &[u32]) -> f64 {
    (product(moduli) as f64 / 2.0).sqrt() * (1.0 - 2f64.powi(-19))
}

/// Returns the largest exponent s for which `norm` · 2^s is at most `most`.
pub(crate) fn exponent(norm: f64, most: f64) -> i32 {
    if norm == 0.0 {
        return 0;
    }
    let guess = (most / norm).log2().floor() as i32;
    (guess - 1..=guess + 1).rev().find(|s| norm * 2f64.powi(*s) <= most).unwrap_or(guess)
}

/// Returns the integer nearest to `value` · 2^`exponent`.
pub(crate) fn scaled(value: f64, exponent: i32) -> i64 {
    (value * 2f64.powi(exponent)).round_ties_even() as i64
}

/// Returns the residue of an integer that is at least -p/2 and less than p/2.
pub(crate) fn residue(value: i128, p: u32) -> i128 {
    let (p, half) = (i128::from(p), i128::from(p / 2));
    (value + half).rem_euclid(p) - half
}

/// A modulus's part of an integer that is put together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Term {
    /// P/p, the product of the other moduli.
    pub(crate) others: i128,
    /// The inverse of `others` modulo p.
    pub(crate) inverse: i128,
    /// `inverse` times the residue, modulo p: at least 0.
    pub(crate) digit: i128,
}

/// An integer that the Chinese remainder theorem puts together from residues.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Together {
    pub(crate) terms: Vec<Term>,
    /// The multiple of P that is subtracted from the sum of all `digit` · `others`.
    pub(crate) times: i128,
    /// The only integer from -P/2 up to P/2, without P/2, that has these residues.
    pub(crate) value: i128,
}

/// Puts an integer together from its residues.
pub(crate) fn together(moduli: &[u32], residues: impl Iterator<Item = i128>) -> Together {
    let all = product(moduli);
    let (mut times, mut value) = (0, 0);
    let mut terms = Vec::new();
    for (p, residue) in moduli.iter().map(|p| i128::from(*p)).zip(residues) {
        let others = all / p;
        let inverse = (1..p).find(|q| others % p * q % p == 1).unwrap_or(1);
        let digit = (inverse * residue).rem_euclid(p);
        terms.push(Term { others, inverse, digit });
        value += digit * others;
        // Subtracting at once keeps 16 moduli within 128 bits.
        if value >= all - all / 2 {
            value -= all;
            times += 1;
        }
    }
    Together { terms, times, value }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn there_and_back(value: i128, moduli: &[u32]) -> i128 {
        together(moduli, moduli.iter().map(|p| residue(value, *p))).value
    }

    #[test]
    fn no_two_moduli_have_a_common_factor_and_a_larger_number_has_one_with_an_earlier_modulus() {
        let common = |a: u32, b: u32| (2..=a.min(b)).any(|f| a.is_multiple_of(f) && b.is_multiple_of(f));
        let mut greedy: Vec<u32> = Vec::new();
        for p in (2..=256).rev() {
            if greedy.len() < 16 && greedy.iter().all(|known| !common(*known, p)) {
                greedy.push(p);
            }
        }
        assert_eq!(greedy, MODULI);
        assert_eq!((product(&MODULI[..14]) as f64).log2().floor(), 110.0);
        assert!(largest_norm(&MODULI).log2() < 62.3);
    }

    #[test]
    fn residues_of_a_byte_give_back_every_integer_below_half_of_p() {
        for count in 2..=MODULI.len() {
            let moduli = &MODULI[..count];
            let all = product(moduli);
            for value in [0, 1, -1, 12345, all / 3, -all / 5, all - all / 2 - 1, -(all / 2)] {
                assert!(moduli.iter().all(|p| i8::try_from(residue(value, *p)).is_ok()));
                assert_eq!(there_and_back(value, moduli), value, "{count} moduli");
            }
            assert_eq!(there_and_back(all - all / 2, moduli), -(all / 2), "{count} moduli");
        }
    }

    #[test]
    fn all_integers_that_three_small_moduli_can_represent_come_back_and_the_others_are_off_by_a_multiple() {
        for value in -2000..2000 {
            let back = there_and_back(value, &[7, 9, 10]);
            assert!((-315..315).contains(&back) && (back - value) % 630 == 0);
            assert_eq!(back == value, (-315..315).contains(&value));
        }
    }

    #[test]
    fn the_exponent_is_the_largest_that_stays_below_the_bound() {
        for norm in [1.0, 0.999, 1e-200, 3.7e200, 2f64.powi(62), 1e-9] {
            let most = largest_norm(&MODULI[..14]);
            let s = exponent(norm, most);
            assert!(norm * 2f64.powi(s) <= most && norm * 2f64.powi(s) * 2.0 > most, "{norm}: {s}");
        }
        assert_eq!(exponent(0.0, 1.0), 0);
        assert_eq!(scaled(-1.5, 1), -3);
    }
}
