/*! No sentence that a student reads stands in Rust.

Every text literal of the rooms that speak to a student is looked at, and one that reads like English is refused: two
words side by side, a word behind a placeholder, or a capital with a full stop. A word alone may be a name or a key,
and is let through. What is English on purpose is listed, each with its reason; an entry that nothing needs any more
fails, too.
*/

use crate::shared::files;
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// `english.yaml`, which explains its fields. A text's value is its reason.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entries {
    heard: Vec<String>,
    unheard: BTreeMap<String, String>,
    listed: BTreeMap<String, String>,
}

/// The text literals of a source that a student could hear: not those of tests and attributes, except
/// `#[error("…")]`, the text of an error.
fn literals(source: &str) -> Vec<String> {
    let mut found = Vec::new();
    collect(source.parse().unwrap(), &mut found);
    found
}

fn collect(tokens: TokenStream, found: &mut Vec<String>) {
    // Whether a `#` came last, and whether the item belongs to tests.
    let (mut hash, mut of_tests) = (false, false);
    for token in tokens {
        match &token {
            TokenTree::Group(group) if hash && group.delimiter() == Delimiter::Bracket => {
                let attribute = group.stream().to_string().replace(' ', "");
                of_tests |= attribute == "cfg(test)";
                if attribute.starts_with("error(") && !of_tests {
                    collect(group.stream(), found);
                }
            }
            TokenTree::Group(group) => {
                if !of_tests {
                    collect(group.stream(), found);
                }
                of_tests &= group.delimiter() != Delimiter::Brace;
            }
            TokenTree::Punct(punct) => of_tests &= punct.as_char() != ';',
            TokenTree::Literal(literal) if !of_tests => {
                let text = literal.to_string();
                let inside = text.split_once('"').and_then(|(_, rest)| rest.rsplit_once('"'));
                found.extend(inside.filter(|_| !text.starts_with('\'')).map(|(inside, _)| inside.to_owned()));
            }
            _ => {}
        }
        // `#![…]` is an attribute, too.
        hash = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == '#' || hash && punct.as_char() == '!');
    }
}

/// Whether a literal reads like English.
fn is_english(text: &str) -> bool {
    // What a placeholder says does not count, that it is there does.
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, inside)) = rest.split_once('{') {
        plain.push_str(before);
        match inside.split_once('}') {
            Some((_, after)) => {
                plain.push('§');
                rest = after;
            }
            None => rest = inside,
        }
    }
    plain.push_str(rest);
    // What stands in backquotes is a command or a name.
    let prose: String = plain.split('`').step_by(2).collect::<Vec<_>>().join("§");
    let prose = prose.replace("\\n", " ").replace("\\\"", "");
    let word = |word: &str| {
        let bare = word.trim_matches(|c: char| matches!(c, ',' | '.' | ':' | ';' | '(' | ')' | '?' | '!' | '\''));
        bare.len() >= 2 && bare.chars().all(|c| c.is_ascii_alphabetic() || c == '\'') && {
            bare.chars().skip(1).any(|c| c.is_ascii_lowercase())
        }
    };
    let words: Vec<&str> = prose.split_whitespace().collect();
    let pair = words.windows(2).any(|pair| match pair {
        [a, b] => (word(a) && word(b)) || (a.contains('§') && word(b) && b.len() > 2),
        _ => false,
    });
    let sentence = matches!(words.as_slice(), [only] if only.ends_with('.') && word(only) && only.starts_with(|c: char| c.is_ascii_uppercase()));
    pair || sentence
}

/// The files, or folders, of modules that only tests have.
fn test_modules(file: &Path, source: &str) -> Vec<PathBuf> {
    let folder = match file.file_stem().and_then(|stem| stem.to_str()) {
        Some("mod" | "lib" | "main") | None => file.parent().unwrap().to_owned(),
        Some(stem) => file.parent().unwrap().join(stem),
    };
    let declared = source.split("#[cfg(test)]").skip(1).filter_map(|rest| {
        let (head, _) = rest.trim_start().split_once(';')?;
        if let Some((_, path)) = head.split_once("#[path = \"") {
            return Some(file.with_file_name(path.split_once('"')?.0));
        }
        let name = head.rsplit_once("mod ").filter(|(before, _)| !before.contains('{'))?.1;
        name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_').then(|| folder.join(name))
    });
    declared.flat_map(|path| [path.with_extension("rs"), path]).collect()
}

#[test]
fn no_sentence_that_a_student_reads_stands_in_rust() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let entries: Entries = serde_yaml::from_str(include_str!("english.yaml")).unwrap();
    let files = entries.heard.iter().flat_map(|room| {
        let found = files(&root.join(room), ".rs");
        assert!(!found.is_empty(), "{room} has no source");
        found
    });
    let sources: Vec<(PathBuf, String)> =
        files.map(|file| (file.clone(), std::fs::read_to_string(file).unwrap())).collect();
    let of_tests: Vec<PathBuf> = sources.iter().flat_map(|(file, source)| test_modules(file, source)).collect();
    let (mut wrong, mut needed) = (Vec::new(), BTreeSet::new());
    for (file, source) in &sources {
        if of_tests.iter().any(|module| file.starts_with(module)) {
            continue;
        }
        let name = file.strip_prefix(&root).unwrap().to_string_lossy().replace('\\', "/");
        for text in literals(source).into_iter().filter(|text| is_english(text)) {
            let known = entries.unheard.keys().find(|beginning| name.starts_with(beginning.as_str()));
            let known = known.or_else(|| entries.listed.keys().find(|beginning| text.starts_with(beginning.as_str())));
            match known {
                Some(entry) => drop(needed.insert(entry)),
                None => wrong.push(format!("src/{name}: {text:?}")),
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} texts read like English. Say them by `t!`, or list them in english.yaml with a reason:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    let listed = entries.unheard.keys().chain(entries.listed.keys());
    let idle: Vec<&String> = listed.filter(|entry| !needed.contains(entry)).collect();
    assert!(idle.is_empty(), "nothing needs these entries any more: {idle:?}");
}

#[test]
fn english_is_told_from_names_keys_and_formats() {
    for english in [
        "The kernel faulted.",
        "Interrupted.",
        "{} bytes",
        "`{id}` needs {} of shared memory",
        "wrote {}",
        "no GPU; choose another size",
        "float64 on the host",
    ] {
        assert_eq!(is_english(english), !matches!(english, "wrote {}"), "{english}");
    }
    for other in [
        "sgemm_tiled",
        "map-next-page",
        "{}.{}.{}",
        "n = {n}",
        "SELECT",
        "`cargo run now`",
        "GFLOP/s",
        "  {}  {}",
        "smem[lane][5]",
    ] {
        assert!(!is_english(other), "{other}");
    }
}

#[test]
fn literals_are_found_outside_of_tests_comments_and_attributes() {
    let source = "// \"a comment\"\n#[doc = \"an attribute\"]\n#[error(\"an error\")]\nlet c = '\"'; let l: &'static str = \"one \\\" text\";\n\
                  r#\"two \" texts\"#;\n#[cfg(test)]\nmod tests { fn f() { \"a test\"; } }\n\"the end\"\n#[cfg(test)]\nmod more;\n\"after\"";
    assert_eq!(literals(source), ["an error", "one \\\" text", "two \" texts", "the end", "after"]);
}
