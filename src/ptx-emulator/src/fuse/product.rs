//! Finds products: load, load, multiply-add, repeated.

use crate::program::fused::{AddressRow, Kept, Product};
use crate::program::{Inst, Op, Slot};
use std::collections::HashMap;

/// Maximum number of terms of a product.
const MAX_TERMS: usize = 64;

/// One term in the code.
struct Term {
    loads: [AddressRow; 2],
    offsets: [i32; 2],
    rows: [Slot; 2],
    c: Slot,
    d: Slot,
}

/// Returns the longest product at the beginning of `code`, the rest of a region, if it has at least `fewest` terms.
/// `at` is its index.
pub(super) fn find(code: &[Inst], at: u32, fewest: usize) -> Option<Product> {
    let mut terms: Vec<Term> = Vec::new();
    for three in code.chunks_exact(3).take(MAX_TERMS) {
        let Some(term) = term(three) else { break };
        if let Some(last) = terms.last()
            && (last.loads != term.loads || last.d != term.c)
        {
            break;
        }
        terms.push(term);
    }
    // A term does not have to write a row that a later term writes again. Within the terms, only a term's own
    // multiply-add reads its loaded values, and only the next multiply-add reads its sum.
    let mut last: HashMap<Slot, usize> = HashMap::new();
    for (index, term) in terms.iter().enumerate() {
        last.extend([(term.rows[0], index), (term.rows[1], index), (term.d, index)]);
    }
    let ends = |slot: Slot, index: usize| last.get(&slot) == Some(&index);
    let lasting =
        |(index, term): (usize, &Term)| ends(term.rows[0], index) || ends(term.rows[1], index) || ends(term.d, index);
    let without = terms.iter().enumerate().position(lasting).unwrap_or(terms.len());
    let kept = terms[without..].iter().map(|term| Kept { x: term.rows[0], y: term.rows[1], d: term.d }).collect();
    let (Some(first), Some(end)) = (terms.first(), terms.last()) else { return None };
    if terms.len() < fewest {
        return None;
    }
    let range = |side: usize| {
        let each = || terms.iter().map(move |term| term.offsets[side]);
        [each().min().unwrap_or(0), each().max().unwrap_or(0)]
    };
    Some(Product {
        x: first.loads[0],
        y: first.loads[1],
        c: first.c,
        d: end.d,
        terms: terms.iter().map(|term| term.offsets).collect(),
        kept,
        x_range: range(0),
        y_range: range(1),
        at,
    })
}

fn term(code: &[Inst]) -> Option<Term> {
    let [x, y, fma] = code else { return None };
    if !matches!((x.op, y.op, fma.op), (Op::LoadShared, Op::LoadShared, Op::Fma)) {
        return None;
    }
    let source = |load: &Inst| {
        let from = load.operands;
        AddressRow { slot: from.a, wide: from.c == 1, pattern: from.b }
    };
    let offset = |load: &Inst| i32::try_from(load.imm as i64).ok().filter(|offset| offset % 4 == 0);
    let (loads, offsets) = ([source(x), source(y)], [offset(x)?, offset(y)?]);
    let (x, y, fma) = (x.operands, y.operands, fma.operands);
    let factors = (fma.a, fma.b) == (x.d, y.d) || (fma.a, fma.b) == (y.d, x.d);
    if !factors || x.d == y.d || fma.c == x.d || fma.c == y.d {
        return None;
    }
    // A load into its own address row would change the address. An `InvalidatePattern` follows it, so it is not a term.
    Some(Term { loads, offsets, rows: [x.d, y.d], c: fma.c, d: fma.d })
}
