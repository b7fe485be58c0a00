//! Reads typed texts as `cases.txt` says.

use super::number::{self, Form};
use super::{cloze, normal, term};

/// Replaces `\u{…}` by the character, and `\0` by nothing.
fn unescaped(text: &str) -> String {
    let mut pieces = text.split("\\u{");
    let mut out = pieces.next().unwrap().replace("\\0", "");
    for piece in pieces {
        let (digits, rest) = piece.split_once('}').unwrap();
        out.push(char::from_u32(u32::from_str_radix(digits, 16).unwrap()).unwrap());
        out.push_str(rest);
    }
    out
}

#[test]
fn typed_texts_are_read_as_the_cases_say() {
    let (mut group, mut differ) = (Vec::new(), Vec::new());
    for line in include_str!("cases.txt").lines().filter(|line| !line.is_empty() && !line.starts_with("# ")) {
        let Some((known, typed)) = line.split_once("<- ") else {
            group = line.split("; ").map(str::trim).collect();
            continue;
        };
        let refused = known.starts_with('!');
        let known = unescaped(known.trim_start_matches("! ").trim_start_matches('!').trim());
        for typed in typed.split(" | ").map(unescaped) {
            let same = match group[0] {
                "text" => term::same(&typed, &known),
                "normal" => normal::normal(&typed) == normal::normal(&known),
                "code" => cloze::fills(&typed, &known),
                _ => {
                    let of = |at: usize| group.get(at).copied().filter(|of| !of.is_empty());
                    let form = Form { unit: of(1), original: of(2), thousands: of(3).is_some() };
                    match number::read(&typed, form) {
                        Ok(value) => {
                            let expected: f64 = known.parse().unwrap_or(f64::NAN);
                            (value - expected).abs() <= 1e-12 * expected.abs()
                        }
                        Err(error) => {
                            if refused && !error.to_string().contains(&known) {
                                differ.push(format!("{typed:?} in {group:?}: {error}"));
                            }
                            false
                        }
                    }
                }
            };
            if same == refused {
                differ.push(format!("{typed:?} in {group:?}: {line}"));
            }
        }
    }
    assert!(differ.is_empty(), "{}", differ.join("\n"));
}
