//! Options of a compilation database, `compile_commands.json` (Clang, *JSON Compilation Database Format*).

use crate::emulate::arguments::{read, wrong_call};
use ptx_emulator::Fault;
use serde::Deserialize;
use std::path::{Path, PathBuf};
use tutor_support::t;
use tutor_support::words::Sentence;

const MAX_BYTES: u64 = 64 << 20;
const NAME: &str = "compile_commands.json";

#[derive(Debug, Deserialize)]
struct Entry {
    directory: PathBuf,
    file: PathBuf,
    command: Option<String>,
    arguments: Option<Vec<String>>,
}

/// What a compiler needs to know about a file.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct Flags {
    pub(super) include: Vec<PathBuf>,
    pub(super) define: Vec<String>,
    pub(super) std: Option<String>,
}

/// Returns the options for a file: of the database that is named, or of the one next to the file.
pub(super) fn flags(file: &Path, named: Option<&Path>) -> Result<Flags, Fault> {
    let beside = file.with_file_name(NAME);
    let Some(path) = named.map(Path::to_owned).or_else(|| beside.is_file().then_some(beside)) else {
        return Ok(Flags::default());
    };
    let refused = |why: Sentence| wrong_call(t!("race-database", file = path.display().to_string(), why));
    let text = read(&path, MAX_BYTES).map_err(|error| refused(error.into()))?;
    let entries: Vec<Entry> = serde_json::from_slice(&text)
        .map_err(|error| refused(tutor_support::text::without_types(&error.to_string()).into()))?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let wanted = file.canonicalize().ok();
    let is_it = |entry: &&Entry| folder.join(&entry.directory).join(&entry.file).canonicalize().ok() == wanted;
    match (entries.iter().find(is_it), named) {
        (Some(entry), _) => {
            let words = entry.arguments.clone().unwrap_or_else(|| words(entry.command.as_deref().unwrap_or_default()));
            Ok(of(&words, &folder.join(&entry.directory)))
        }
        (None, None) => Ok(Flags::default()),
        (None, Some(_)) => Err(refused(t!("race-database-without", source = file.display().to_string()).into())),
    }
}

/// Splits a command as a shell does: at blanks outside quotes.
fn words(command: &str) -> Vec<String> {
    let (mut all, mut word, mut quote) = (Vec::new(), None::<String>, None);
    let mut letters = command.chars();
    while let Some(letter) = letters.next() {
        match (letter, quote) {
            ('\\', None | Some('"')) => word.get_or_insert_default().extend(letters.next()),
            ('"' | '\'', None) => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (letter, Some(open)) if letter == open => quote = None,
            (letter, None) if letter.is_whitespace() => all.extend(word.take()),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    all.extend(word);
    all
}

fn of(words: &[String], folder: &Path) -> Flags {
    let mut flags = Flags::default();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        // A value follows its option at once, after `=`, or as the next word.
        let mut value = |names: &[&str]| {
            let name = names.iter().find(|name| word.starts_with(**name))?;
            let rest = word[name.len()..].trim_start_matches('=');
            if rest.is_empty() { words.next().cloned() } else { Some(rest.to_owned()) }
        };
        if let Some(directory) = value(&["-isystem", "--include-path", "-I"]) {
            flags.include.extend(directory.split(',').map(|directory| folder.join(directory)));
        } else if let Some(define) = value(&["--define-macro", "-D"]) {
            flags.define.push(define);
        } else if let Some(version) = value(&["--std", "-std"]) {
            flags.std = Some(version.replace("gnu++", "c++"));
        } else if let Some(path) = value(&["--options-file", "-optf"]) {
            let text = read(&folder.join(path), MAX_BYTES).unwrap_or_default();
            let more = of(&self::words(&String::from_utf8_lossy(&text)), folder);
            flags.include.extend(more.include);
            flags.define.extend(more.define);
            flags.std = flags.std.or(more.std);
        }
    }
    flags
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read_as_compilers_read_them() {
        let command = r#"nvcc -DN=16 -D M -D'S="a b"' -I inc -I/abs -isystem=sys --std=gnu++17 -O3 -c "k 1.cu""#;
        let found = of(&words(command), Path::new("/d"));
        let include = ["/d/inc", "/abs", "/d/sys"].map(PathBuf::from).to_vec();
        let define = ["N=16", "M", "S=\"a b\""].map(str::to_owned).to_vec();
        assert_eq!(found, Flags { include, define, std: Some("c++17".to_owned()) });
    }
}
