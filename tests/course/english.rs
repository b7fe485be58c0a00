/*! No sentence that a student reads stands in Rust.

Every text literal of the rooms that speak to a student is looked at, and one that reads like English is refused: two
words side by side, a word behind a placeholder, or a capital with a full stop. A word alone may be a name or a key,
and is let through. What is English on purpose is listed, each with its reason; an entry that nothing needs any more
fails, too.
*/

use crate::shared::files;
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Rooms, and files outside of them, that a student hears.
const HEARD: &[&str] = &[
    "course/tutor-progress",
    "execution/tutor-exec",
    "execution/tutor-kernels",
    "main.rs",
    "student/tutor-pictures",
    "student/tutor-tui",
    "student/ui-kit",
    "support/tutor-support/expr",
    "support/tutor-support/figures.rs",
    "teacher/class-grading",
    "tutor-cli",
];

/// Files that instructors and developers alone hear, by the beginning of their path.
const UNHEARD: &[(&str, &str)] = &[
    ("student/ui-kit/keys/wasm.rs", "names of keys"),
    ("tutor-cli/commands.rs", "names of commands, and help"),
    ("tutor-cli/course/", "an instructor's commands"),
    ("tutor-cli/support/globals.rs", "names of commands"),
    ("execution/tutor-kernels/catalog.rs", "diagnostics of a catalogue that an instructor writes"),
    ("execution/tutor-kernels/files.rs", "diagnostics of a catalogue that an instructor writes"),
    ("execution/tutor-kernels/read.rs", "diagnostics of a catalogue that an instructor writes"),
    ("execution/tutor-kernels/source.rs", "diagnostics of a catalogue that an instructor writes"),
    ("execution/tutor-kernels/written.rs", "schema, and diagnostics of a catalogue that an instructor writes"),
    ("course/tutor-progress/store/", "SQL"),
];

const NETWORK: &str = "what other programs say where there is no network";

/// What the beginning of a literal shows to be no sentence for a student.
const LISTED: &[(&str, &str)] = &[
    ("it takes ", "refusals of option parsers, which clap's English surrounds, as it does `--help`"),
    ("\\\nExample", "help"),
    ("worker ", "names of threads"),
    ("{}, cuBLASLt {}", "names of libraries with their versions"),
    ("long scoreboard", "a counter of NVIDIA's profiler"),
    ("short scoreboard", "a counter of NVIDIA's profiler"),
    ("mio throttle", "a counter of NVIDIA's profiler"),
    ("lg throttle", "a counter of NVIDIA's profiler"),
    ("math pipe throttle", "a counter of NVIDIA's profiler"),
    ("not selected", "a counter of NVIDIA's profiler"),
    ("% ms ", "names of units"),
    ("Line {}, column {}: ", "how the emulator's messages begin"),
    ("  text { fill", "a style sheet"),
    ("line limit", "a class of the style sheet"),
    ("tile load", "a region of a kernel"),
    ("first barrier", "a region of a kernel"),
    ("second barrier", "a region of a kernel"),
    (".shared .align ", "PTX"),
    ("extern ", "CUDA C++"),
    ("#pragma once", "CUDA C++"),
    ("open source file", "what the compiler says"),
    ("considered a host function", "what the compiler says"),
    ("import venv", "Python"),
    ("// Made of ", "a line of PTX"),
    ("failure in name resolution", NETWORK),
    ("name or service not known", NETWORK),
    ("nodename nor servname", NETWORK),
    ("getaddrinfo failed", NETWORK),
    ("dns error", NETWORK),
    ("failed to establish a new connection", NETWORK),
    ("network is unreachable", NETWORK),
    ("connection refused", NETWORK),
    ("timed out", NETWORK),
    ("error sending request", NETWORK),
    ("no route to host", NETWORK),
    ("matmul-tutor {FOLDER} install", "a command to type"),
    ("A B C M N K lda", "parameters of a kernel"),
    ("matmul-tutor exercise check", "a command to type"),
    ("({index}) mod 32", "a formula"),
    ("(({index})·{words}) mod 32", "a formula"),
    ("The distribution of a box", "a schema"),
    ("Theme `{", "faults of a built-in theme, which tests rule out"),
];

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
    let files = HEARD.iter().flat_map(|room| {
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
            let known = UNHEARD.iter().find(|(beginning, _)| name.starts_with(beginning)).map(|(it, _)| it);
            let known = known.or(LISTED.iter().find(|(it, _)| text.starts_with(it)).map(|(it, _)| it));
            match known {
                Some(entry) => drop(needed.insert(*entry)),
                None => wrong.push(format!("src/{name}: {text:?}")),
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} texts read like English. Say them by `t!`, or list them here with a reason:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    let idle: Vec<&str> =
        UNHEARD.iter().chain(LISTED).map(|(entry, _)| *entry).filter(|entry| !needed.contains(entry)).collect();
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
