//! What texts of the first versions, and for the first devices, leave unsaid. Each rule is what ptxas 12.9 makes of such a text.

use crate::ptx::Tree;

/// The modifiers of an instruction with those that it leaves out; `None` if it leaves out nothing.
///
/// - For `sm_1x`, single-precision instructions flush subnormal numbers to zero. Conversions to and from 64 bits and halves do not.
/// - `mad.f32` of such a text, and of any before PTX 3.2, is `fma.rn.f32`.
/// - Before PTX 1.4 (which has `.approx`), `div.f32`, `sqrt.f32`, … are the approximate ones.
pub(super) fn unsaid<'m>(tree: &Tree<'_>, name: &str, m: &[&'m str]) -> Option<Vec<&'m str>> {
    let first = tree.target < 20;
    let (true, [.., ty]) = (first || tree.version < (3, 2), m) else { return None };
    let mut said = m.to_vec();
    let rounded = m.iter().any(|m| matches!(*m, "rn" | "rz" | "rm" | "rp"));
    match name {
        "mad" if *ty == "f32" && !rounded => said.insert(0, "rn"),
        "div" | "rcp" | "sqrt" | "rsqrt" | "sin" | "cos" | "lg2" | "ex2"
            if *ty == "f32" && tree.version < (1, 4) && !rounded =>
        {
            said.insert(0, "approx");
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
        said.insert(said.len().saturating_sub(types), "ftz");
    }
    (said != m).then_some(said)
}
