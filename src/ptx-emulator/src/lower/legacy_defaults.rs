//! Defaults for PTX of the first versions and for the first devices. Each rule follows ptxas 12.9.

use crate::ptx::Tree;

/// Returns the modifiers of an instruction with the omitted ones added, or `None` if nothing is omitted.
///
/// - For `sm_1x`, single-precision instructions flush subnormal numbers to zero. Conversions to and from 64-bit types
///   and halves do not.
/// - For `sm_1x`, and before PTX 3.2, `mad.f32` means `fma.rn.f32`.
/// - Before PTX 1.4, which introduced `.approx`, `div.f32`, `sqrt.f32` and similar ones are approximate.
pub(super) fn completed<'m>(tree: &Tree<'_>, name: &str, m: &[&'m str]) -> Option<Vec<&'m str>> {
    let first = tree.target.sm < 20;
    let (true, [.., ty]) = (first || tree.version < (3, 2), m) else { return None };
    let mut all = m.to_vec();
    let rounded = m.iter().any(|m| matches!(*m, "rn" | "rz" | "rm" | "rp"));
    match name {
        "mad" if *ty == "f32" && !rounded => all.insert(0, "rn"),
        "div" | "rcp" | "sqrt" | "rsqrt" | "sin" | "cos" | "lg2" | "ex2"
            if *ty == "f32" && tree.version < (1, 4) && !rounded =>
        {
            all.insert(0, "approx");
        }
        _ => {}
    }
    let flushes = match (name, m) {
        (
            "add" | "sub" | "mul" | "mad" | "div" | "rcp" | "sqrt" | "rsqrt" | "sin" | "cos" | "lg2" | "ex2" | "min"
            | "max" | "abs" | "neg" | "set" | "setp" | "slct",
            [.., "f32"],
        ) => true,
        ("cvt", [.., to, "f32"]) => !matches!(*to, "f64" | "u64" | "s64" | "f16"),
        _ => false,
    };
    if first && flushes && !m.contains(&"ftz") {
        let types = if matches!(name, "cvt" | "set" | "slct") { 2 } else { 1 };
        all.insert(all.len().saturating_sub(types), "ftz");
    }
    (all != m).then_some(all)
}
