//! Keeps reads of variables without a value in a text that is compiled without optimisation.
//!
//! NVRTC keeps scalar variables in registers even then. It computes nothing from a register without a value. If one branch sets
//! a variable to a constant and the other one does not set it, the variable is that constant. A `volatile` variable stays in
//! memory, with all its reads. So each scalar that is declared without a value becomes `volatile`, unless its address may be
//! taken, because then it stays in memory anyway.

use crate::source::{comment_length, literal_length};

const TYPES: &[&str] = &[
    "float", "double", "int", "unsigned", "signed", "long", "short", "char", "bool", "size_t", "int8_t", "uint8_t",
    "int16_t", "uint16_t", "int32_t", "uint32_t", "int64_t", "uint64_t",
];

/// Returns a source in which variables without a value are `volatile`. Such a source may be invalid.
pub(super) fn kept(source: &str) -> String {
    let tokens = tokens(source);
    let (mut out, mut copied, mut begins) = (String::new(), 0, 0);
    // For each open brace: true if it is in a function.
    let mut inside: Vec<bool> = Vec::new();
    for (at, (_, token)) in tokens.iter().enumerate() {
        let statement = &tokens[begins..at];
        match *token {
            "{" => {
                let has = |any: &[&str]| statement.iter().any(|(_, token)| any.contains(token));
                let outside = has(&["class", "struct", "union", "enum", "namespace"]);
                inside.push(!outside && (has(&[")"]) || inside.last() == Some(&true)));
            }
            "}" => _ = inside.pop(),
            ";" if inside.last() == Some(&true) => {
                let lent = |name: &&str| is_lent(name, &tokens[..begins]) || is_lent(name, &tokens[at..]);
                let declared = declares(statement).filter(|(_, names)| !names.is_empty() && !names.iter().any(lent));
                if let Some((place, _)) = declared {
                    out.extend([&source[copied..place], "volatile "]);
                    copied = place;
                }
            }
            ";" => {}
            _ => continue,
        }
        begins = at + 1;
    }
    out + &source[copied..]
}

/// Returns the names of the variables without a value that a statement declares, and where the declaration begins.
fn declares<'a>(statement: &[(usize, &'a str)]) -> Option<(usize, Vec<&'a str>)> {
    let declaration = match statement {
        [(_, "for"), (_, "("), rest @ ..] => rest,
        all => all,
    };
    let types = declaration.iter().take_while(|(_, token)| TYPES.contains(token)).count();
    let mut depth = 0;
    let mut parts = declaration[types..].split(|(_, token)| {
        depth += i32::from(["(", "["].contains(token)) - i32::from([")", "]"].contains(token));
        depth == 0 && *token == ","
    });
    let names = parts.by_ref().filter_map(|part| if let [(_, name)] = part { Some(*name) } else { None }).collect();
    (types > 0).then(|| (declaration[0].0, names))
}

/// True if a function may take a variable's address: it is an argument by itself, or follows `&`.
fn is_lent(name: &str, tokens: &[(usize, &str)]) -> bool {
    let is_name = |token: &str| token.starts_with(|c: char| c.is_alphabetic() || c == '_') && !TYPES.contains(&token);
    tokens.windows(4).any(|four| {
        let [before, open, this, after] = [four[0].1, four[1].1, four[2].1, four[3].1];
        let calls =
            open == "," || open == "(" && is_name(before) && !["if", "while", "switch", "return"].contains(&before);
        this == name && (calls && [",", ")"].contains(&after) || open == "&" && ["(", ",", "="].contains(&before))
    })
}

/// Returns the tokens of a source and their places, without comments and directives.
fn tokens(source: &str) -> Vec<(usize, &str)> {
    let (mut tokens, mut at, mut new_line) = (Vec::new(), 0, true);
    while let Some(first) = source[at..].chars().next() {
        let rest = &source[at..];
        let part = |c: char| c.is_alphanumeric() || c == '_';
        let mut ends = rest.match_indices('\n').map(|(end, _)| end).filter(|end| !rest[..*end].ends_with('\\'));
        let skipped = match first {
            '#' if new_line => ends.next().unwrap_or(rest.len()),
            c if c.is_whitespace() => c.len_utf8(),
            _ => comment_length(rest),
        };
        let length = match literal_length(rest) {
            0 if part(first) => rest.find(|c| !part(c)).unwrap_or(rest.len()),
            literal => literal.max(first.len_utf8()),
        };
        if skipped == 0 {
            tokens.push((at, &rest[..length]));
        }
        new_line = first == '\n' || new_line && skipped > 0;
        at += if skipped == 0 { length } else { skipped };
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::kept;

    #[test]
    fn scalars_without_a_value_become_volatile_and_nothing_else_does() {
        for (source, is) in [
            ("int k; f(k + 1);", "volatile int k; f(k + 1);"),
            ("for (unsigned int k; k < 4; ++k) {}", "for (volatile unsigned int k; k < 4; ++k) {}"),
            ("int a = g(1, 2), b, c, d;", "volatile int a = g(1, 2), b, c, d;"),
            ("if (x) { float v; v = 1; }", "if (x) { volatile float v; v = 1; }"),
            ("float v = 0.0f; const int n = 3; float all[4]; float4 w; float f(int);", ""),
            ("float v; g(&v);", ""),
            ("float v; g(v, 1); float w; h(2, w);", ""),
            ("/* int a; */ // int b;\n#define MORE \\\n int c;\n char text = \"; int d;\";", ""),
            ("struct S { int a; };", ""),
        ] {
            let [text, is] = [source, if is.is_empty() { source } else { is }]
                .map(|body| format!("__global__ void k() {{ {body} }}"));
            assert_eq!(kept(&text), is);
        }
        let outside = "struct __align__(8) S { int a; };\nnamespace n { int b; }\nextern \"C\" { __device__ int c; }\n";
        assert_eq!(kept(outside), outside);
    }
}
