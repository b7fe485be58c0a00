/*! No sentence that a student reads stands in Rust.

Every text literal of the rooms that speak to a student is looked at, and one that reads like English is refused: two
words side by side, a word behind a placeholder, or a capital with a full stop. A word alone may be a name or a key,
and is let through. What is English on purpose is listed, each with its reason; an entry that nothing needs any more
fails, too.
*/

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Rooms, and files outside of them, that a student hears.
const HEARD: &[&str] =
    &["cli", "exec", "base/expr", "base/figures.rs", "kernels", "main.rs", "mastery", "pictures", "tui"];

/// Files that instructors and developers alone hear, by the beginning of their path.
const UNHEARD: &[(&str, &str)] = &[
    ("cli/check.rs", "an instructor's command"),
    ("kernels/catalog.rs", "diagnostics of a catalogue that an instructor writes"),
    ("kernels/files.rs", "diagnostics of a catalogue that an instructor writes"),
    ("kernels/read.rs", "diagnostics of a catalogue that an instructor writes"),
    ("kernels/source.rs", "diagnostics of a catalogue that an instructor writes"),
    ("kernels/written.rs", "schema, and diagnostics of a catalogue that an instructor writes"),
    ("mastery/store/", "SQL"),
];

const NETWORK: &str = "what other programs say where there is no network";

/// What the beginning of a literal shows to be no sentence for a student.
const LISTED: &[(&str, &str)] = &[
    ("it takes ", "refusals of option parsers, which clap's English surrounds, as it does `--help`"),
    ("\\\nExample", "help"),
    ("\\\nWithout a command", "help"),
    ("worker ", "names of threads"),
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
    ("Invalid job id", "what Slurm says of a job that it has forgotten"),
    ("matmul-tutor {FOLDER} install", "a command to type"),
    ("A B C M N K lda", "parameters of a kernel"),
    ("matmul-tutor exercise check", "a command to type"),
    ("({index}) mod 32", "a formula"),
    ("(({index})·{words}) mod 32", "a formula"),
    ("The distribution of a box", "a schema"),
    ("Theme `{", "faults of a built-in theme, which tests rule out"),
];

/// A text literal, and the line that it begins in.
#[derive(Debug, PartialEq, Eq)]
struct Literal {
    line: usize,
    text: String,
}

/// The text literals of a source that a student could hear: not those of tests, comments and attributes, except
/// `#[error("…")]`, the text of an error.
fn literals(source: &str) -> Vec<Literal> {
    let mut found = Vec::new();
    let mut scan = Scan { rest: source, line: 1 };
    // How deep in braces, and the depth at which a test module ends.
    let (mut depth, mut tests_end) = (0usize, None::<usize>);
    let mut tests_next = false;
    while let Some(token) = scan.next() {
        match token {
            Token::Open => {
                depth += 1;
                if tests_next && tests_end.is_none() {
                    tests_end = Some(depth);
                }
                tests_next = false;
            }
            Token::Close => {
                if tests_end == Some(depth) {
                    tests_end = None;
                }
                depth = depth.saturating_sub(1);
            }
            Token::End => tests_next = false,
            Token::Attribute(text) if text.starts_with("#[cfg(test)") => tests_next = true,
            Token::Attribute(text) if text.starts_with("#[error(") && tests_end.is_none() => {
                let mut inside = Scan { rest: &text[2..], line: scan.line };
                while let Some(token) = inside.next() {
                    if let Token::Text(literal) = token {
                        found.push(literal);
                    }
                }
            }
            Token::Text(literal) if tests_end.is_none() && !tests_next => found.push(literal),
            Token::Attribute(_) | Token::Text(_) => {}
        }
    }
    found
}

enum Token<'a> {
    Open,
    Close,
    /// A semicolon.
    End,
    /// `#[…]`, whole.
    Attribute(&'a str),
    Text(Literal),
}

struct Scan<'a> {
    rest: &'a str,
    line: usize,
}

impl<'a> Scan<'a> {
    fn skip(&mut self, bytes: usize) -> &'a str {
        let (skipped, rest) = self.rest.split_at(bytes);
        self.line += skipped.matches('\n').count();
        self.rest = rest;
        skipped
    }

    /// Length of the text literal that begins here, without its prefix, and its inside.
    fn quoted(text: &str) -> Option<(usize, &str)> {
        let raw = text.strip_prefix('r').map(|rest| (rest.len() - rest.trim_start_matches('#').len(), rest));
        if let Some((hashes, rest)) = raw
            && rest[hashes..].starts_with('"')
        {
            let end = format!("\"{}", "#".repeat(hashes));
            let inside = &rest[hashes + 1..];
            let length = inside.find(&end)?;
            return Some((1 + hashes + 1 + length + end.len(), &inside[..length]));
        }
        let inside = text.strip_prefix('"')?;
        let mut escaped = false;
        for (at, c) in inside.char_indices() {
            match c {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '"' => return Some((at + 2, &inside[..at])),
                _ => {}
            }
        }
        None
    }

    fn next(&mut self) -> Option<Token<'a>> {
        loop {
            let first = self.rest.chars().next()?;
            if self.rest.starts_with("//") {
                self.skip(self.rest.find('\n').unwrap_or(self.rest.len()));
            } else if self.rest.starts_with("/*") {
                self.skip(self.rest.find("*/").map_or(self.rest.len(), |at| at + 2));
            } else if self.rest.starts_with("#[") || self.rest.starts_with("#![") {
                return Some(Token::Attribute(self.skip(attribute(self.rest))));
            } else if let Some((length, inside)) = Self::quoted(self.rest) {
                let literal = Literal { line: self.line, text: inside.to_owned() };
                self.skip(length);
                return Some(Token::Text(literal));
            } else if first == '\'' {
                self.skip(character(self.rest));
            } else if first.is_alphanumeric() || first == '_' {
                // A whole word, so that the `r` of a name begins no raw text.
                let end = self.rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(self.rest.len());
                self.skip(end);
            } else {
                self.skip(first.len_utf8());
                match first {
                    '{' => return Some(Token::Open),
                    '}' => return Some(Token::Close),
                    ';' => return Some(Token::End),
                    _ => {}
                }
            }
        }
    }
}

/// Length of the attribute that a text begins with.
fn attribute(text: &str) -> usize {
    let mut depth = 0;
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        if let Some((length, _)) = Scan::quoted(&text[at..]).filter(|_| c == '"') {
            at += length;
            continue;
        }
        at += c.len_utf8();
        match c {
            '[' => depth += 1,
            ']' if depth == 1 => return at,
            ']' => depth -= 1,
            _ => {}
        }
    }
    text.len()
}

/// Length of the character or lifetime that a text begins with.
fn character(text: &str) -> usize {
    let inside = &text[1..];
    let end = match inside.strip_prefix('\\') {
        Some(escaped) => escaped.char_indices().skip(1).find(|(_, c)| *c == '\'').map(|(at, _)| at + 3),
        None => inside.chars().next().and_then(|c| inside[c.len_utf8()..].starts_with('\'').then(|| c.len_utf8() + 2)),
    };
    end.unwrap_or(1)
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

fn rust_files(folder: &Path, found: &mut Vec<PathBuf>) {
    if folder.is_file() {
        return found.push(folder.to_owned());
    }
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries.into_iter().filter(|path| path.is_dir() || path.extension().is_some_and(|e| e == "rs")) {
        rust_files(&path, found);
    }
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
    let mut files = Vec::new();
    HEARD.iter().for_each(|room| rust_files(&root.join(room), &mut files));
    let sources: Vec<(PathBuf, String)> =
        files.into_iter().map(|file| (file.clone(), std::fs::read_to_string(file).unwrap())).collect();
    let of_tests: Vec<PathBuf> = sources.iter().flat_map(|(file, source)| test_modules(file, source)).collect();
    let (mut wrong, mut needed) = (Vec::new(), BTreeSet::new());
    for (file, source) in &sources {
        if of_tests.iter().any(|module| file.starts_with(module)) {
            continue;
        }
        let name = file.strip_prefix(&root).unwrap().to_string_lossy().replace('\\', "/");
        for Literal { line, text } in literals(source).into_iter().filter(|literal| is_english(&literal.text)) {
            let known = UNHEARD.iter().find(|(beginning, _)| name.starts_with(beginning)).map(|(it, _)| it);
            let known = known.or(LISTED.iter().find(|(it, _)| text.starts_with(it)).map(|(it, _)| it));
            match known {
                Some(entry) => drop(needed.insert(*entry)),
                None => wrong.push(format!("src/{name}:{line}: {text:?}")),
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
    let found = literals(source);
    let texts: Vec<&str> = found.iter().map(|literal| literal.text.as_str()).collect();
    assert_eq!(texts, ["an error", "one \\\" text", "two \" texts", "the end", "after"]);
    assert_eq!(found.iter().map(|literal| literal.line).collect::<Vec<_>>(), [3, 4, 5, 8, 11]);
}
