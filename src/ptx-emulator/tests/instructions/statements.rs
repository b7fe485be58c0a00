//! Statements with the operands that the table of instructions writes out.

use ptx_emulator::Form;

/// Returns the size of a type.
fn bits(word: &str) -> Option<u32> {
    Some(match word {
        "pred" => 1,
        "b8" | "u8" | "s8" | "b16" | "u16" | "s16" | "f16" | "bf16" => 16,
        "b32" | "u32" | "s32" | "f32" | "f16x2" | "bf16x2" | "u16x2" | "tf32" => 32,
        "b64" | "u64" | "s64" | "f64" => 64,
        "b128" => 128,
        _ => return None,
    })
}

/// Returns a statement with an opcode of a form, or `None` if the form's operands are not written out.
pub(crate) fn statement(form: &Form, opcode: &str) -> Option<String> {
    let words: Vec<&str> = opcode.split('.').skip(1).collect();
    let has = |word: &str| words.contains(&word);
    let types: Vec<u32> = words.iter().filter_map(|word| bits(word)).collect();
    let (first, last) = (types.first().copied().unwrap_or(32), types.last().copied().unwrap_or(32));
    let mut number = 0;
    let mut register = |bits: u32| {
        number += 1;
        let letter = match bits {
            1 => 'p',
            16 => 'h',
            32 => 'r',
            64 => 'd',
            _ => 'q',
        };
        format!("%{letter}{number}")
    };
    let vectors = [("v8", 8), ("v4", 4), ("v2", 2)];
    let parts = vectors.into_iter().find(|(word, _)| has(word)).map_or(1, |(_, parts)| parts);
    let shared = words.iter().any(|word| word.starts_with("shared"))
        || ["mbarrier", "st.async", "red.async", "cp.async"].iter().any(|name| opcode.starts_with(name));
    let place = match () {
        () if opcode.starts_with("fence") => "[%d40]",
        () if has("const") => "[fixed]",
        () if has("local") => "[own]",
        () if has("param::func") || has("param") && opcode.starts_with("st") => "[argument]",
        () if has("param") || has("param::entry") => "[a]",
        () if shared => "[room]",
        () => "[%d40]",
    };
    let mut operands = Vec::new();
    for operand in form.operands.split_whitespace() {
        operands.push(match operand {
            "…" => return None,
            "t" => register(last),
            "w" => register(first),
            "2t" => register(2 * last),
            "v" if parts == 1 => register(last),
            "v" => format!("{{{}}}", (0..parts).map(|_| register(last)).collect::<Vec<_>>().join(", ")),
            "p" | "q" => register(1),
            "p|p" | "t|p" | "b32|p" => {
                let all = operand.split('|').map(|one| register(if one == "p" { 1 } else { 32 }));
                all.collect::<Vec<_>>().join("|")
            }
            "[a]" => place.to_owned(),
            "[g]" => "[%d40]".to_owned(),
            "#" if opcode.starts_with("setmaxnreg") => "24".to_owned(),
            "#" => "8".to_owned(),
            "L" => "L1".to_owned(),
            "_" => "_".to_owned(),
            optional if optional.starts_with('{') => {
                // A combined predicate must be present.
                if optional == "{q}" && ["and", "or", "xor"].iter().any(|word| has(word)) {
                    register(1)
                } else if opcode.ends_with("arrive") || opcode.ends_with("arrive.aligned") {
                    "64".to_owned()
                } else {
                    continue;
                }
            }
            number if number.starts_with(|c: char| c.is_ascii_digit()) => number.to_owned(),
            ty => register(bits(ty)?),
        });
    }
    if has("L2::cache_hint") {
        operands.push(register(64));
    }
    Some(format!("{opcode} {};", operands.join(", ")).replace(" ;", ";"))
}

/// Returns the lines of a table, without its comments.
pub(crate) fn rows(table: &str) -> Vec<&str> {
    table.lines().filter(|line| !line.starts_with("//")).collect()
}
