//! Plays `scripts/*.txt`: commands in a shell, and what must come of each.
//!
//! `test: NAME` begins a scenario, which has an empty directory of its own. `needs nvrtc` leaves it to the
//! test `what_needs_nvrtc`, which is ignored unless asked for. `$ COMMAND` runs `sh` in the directory, with the functions of `scripts/functions.sh`; lines with `> ` continue
//! the command. The lines below a command state what must come of it:
//!
//! | line | true if |
//! |---|---|
//! | `exit 2` | the exit code is 2; without such a line, it must be 0 |
//! | `says KEY NAME=VALUE …` | one of the streams contains the sentence with this key; arguments that are not named may be anything |
//! | `out ~ TEXT`, `err !~ TEXT`, `out = TEXT` | a stream contains a text, does not contain it, or has just these words |
//! | `snapshot NAME` | standard output is as in `snapshots/` |
//! | `out lines 3` | a stream has this number of lines |
//! | `.levels[0].passed = true` | standard output is JSON with this value (`!=`, `<` and `>` are possible, and `~` for a part) |
//! | `set NAME .path` | always: later lines have the value as `$NAME`, also in the shell |
//!
//! A step of a path is a field, `[3]`, `[-1]`, `[id=x]` for the item whose field is so, `[*]` for all items, `#` for their number, or `keys()` for the fields.

use super::shared::{files, root};
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};
use tutor_support::words::{Keyed, Sentence, Value};

macro_rules! scripts {
    ($($name:ident)*) => {
        $(#[test]
        fn $name() {
            play(stringify!($name), false);
        })*

        #[test]
        #[ignore = "needs NVRTC, and MATMUL_TUTOR_NVRTC must name its library"]
        fn what_needs_nvrtc() {
            $(play(stringify!($name), true);)*
        }

        #[test]
        fn every_script_is_played() {
            let names = files(&root().join("tests/commands/scripts"), ".txt");
            let names: Vec<_> = names.iter().map(|path| path.file_stem().unwrap().to_str().unwrap()).collect();
            assert_eq!(names, [$(stringify!($name)),*]);
        }
    };
}

scripts! { authoring banks check class copies emulate exam exercise failures grade kernels nvrtc quiz race results sealing web }

#[derive(Default)]
struct Scenario<'t> {
    name: &'t str,
    needs_nvrtc: bool,
    steps: Vec<Step<'t>>,
}

struct Step<'t> {
    command: String,
    /// The other lines, with their numbers.
    expected: Vec<(usize, &'t str)>,
    line: usize,
}

fn read(text: &str) -> Vec<Scenario<'_>> {
    let mut scenarios: Vec<Scenario> = Vec::new();
    for (line, text) in (1..).zip(text.lines()) {
        if let Some(name) = text.strip_prefix("test: ") {
            scenarios.push(Scenario { name, ..Scenario::default() });
        } else if text.is_empty() || text.starts_with('#') {
            continue;
        } else {
            let scenario = scenarios.last_mut().unwrap_or_else(|| panic!("line {line} is before the first scenario"));
            if let Some(command) = text.strip_prefix("$ ") {
                scenario.steps.push(Step { command: command.to_owned(), expected: Vec::new(), line });
            } else if text == "needs nvrtc" {
                scenario.needs_nvrtc = true;
            } else {
                let step = scenario.steps.last_mut().unwrap_or_else(|| panic!("line {line} is before a command"));
                match text.strip_prefix('>') {
                    Some(more) => step.command += &format!("\n{}", more.strip_prefix(' ').unwrap_or(more)),
                    None => step.expected.push((line, text)),
                }
            }
        }
    }
    scenarios
}

/// Plays the scenarios of a file that need NVRTC, or the others, four at a time.
fn play(file: &str, nvrtc: bool) {
    let path = root().join("tests/commands/scripts").join(file).with_extension("txt");
    let text = std::fs::read_to_string(&path).unwrap();
    let mut scenarios = read(&text);
    scenarios.retain(|scenario| scenario.needs_nvrtc == nvrtc);
    let played = |scenario: &Scenario| {
        let failed = |why| format!("tests/commands/scripts/{file}.txt, {}\n{why}", scenario.name);
        scenario.play().err().map(failed)
    };
    let queue = std::sync::Mutex::new(scenarios.iter());
    let work = || {
        let next = || queue.lock().unwrap().next();
        std::iter::from_fn(next).filter_map(played).collect::<Vec<_>>()
    };
    let failures: Vec<String> = std::thread::scope(|scope| {
        let threads = [(); 4].map(|()| scope.spawn(work));
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

impl Scenario<'_> {
    fn play(&self) -> Result<(), String> {
        let dir = tempfile::tempdir().unwrap();
        let work = dir.path().canonicalize().unwrap();
        let mut variables = BTreeMap::from([
            ("WORK".to_owned(), work.display().to_string()),
            ("ROOT".to_owned(), root().display().to_string()),
        ]);
        for step in &self.steps {
            let called = step.call(&work, &variables);
            for (line, expected) in std::iter::once((step.line, "exit 0")).chain(step.expected.iter().copied()) {
                let other_code = line == step.line && step.expected.iter().any(|(_, text)| text.starts_with("exit "));
                if !other_code {
                    called.check(expected, &mut variables).map_err(|found| {
                        let all = format!(
                            "line {line}: {expected}\nfound: {found}\n$ {}\n{}{}",
                            step.command, called.out, called.err
                        );
                        all.chars().take(3000).collect::<String>()
                    })?;
                }
            }
        }
        Ok(())
    }
}

impl Step<'_> {
    fn call(&self, work: &Path, variables: &BTreeMap<String, String>) -> super::Called {
        let functions = root().join("tests/commands/scripts/functions.sh");
        let programs = Path::new(env!("CARGO_BIN_EXE_matmul-tutor")).parent().unwrap();
        let path = std::env::join_paths(
            std::iter::once(programs.to_owned()).chain(std::env::split_paths(&std::env::var_os("PATH").unwrap())),
        );
        let mut command = Command::new("sh");
        command.args(["-c", &format!(". '{}'\n{}", functions.display(), self.command)]).current_dir(work);
        command.envs(variables).env("PATH", path.unwrap()).env("XDG_DATA_HOME", work.join("home"));
        super::called(command.stdin(Stdio::null()))
    }
}

impl super::Called {
    /// Checks one line. Returns what was found instead.
    fn check(&self, line: &str, variables: &mut BTreeMap<String, String>) -> Result<(), String> {
        let names = variables.iter().rev();
        let line = names.fold(line.to_owned(), |line, (name, value)| line.replace(&format!("${name}"), value));
        let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
        let document = || serde_json::from_str::<Json>(&self.out).map_err(|error| error.to_string());
        let is = |right: bool, found: &dyn std::fmt::Debug| if right { Ok(()) } else { Err(format!("{found:?}")) };
        match word {
            "exit" => is(self.code.map(|code| code.to_string()).as_deref() == Some(rest), &self.code),
            "says" => is(says(&format!("{}\n{}", self.out, self.err), rest), &"no such sentence"),
            "out" | "err" => {
                let text = if word == "out" { &self.out } else { &self.err };
                let (how, wanted) = rest.split_once(' ').unwrap_or((rest, ""));
                let right = match how {
                    "~" => text.contains(wanted),
                    "!~" => !text.contains(wanted),
                    "=" => text.split_whitespace().eq(wanted.split_whitespace()),
                    "lines" => text.lines().count().to_string() == wanted,
                    _ => panic!("`{how}` in {line}"),
                };
                is(right, &text)
            }
            "snapshot" => {
                is(std::panic::catch_unwind(|| insta::assert_snapshot!(rest, self.out)).is_ok(), &"a difference")
            }
            "set" => {
                let (name, path) = rest.split_once(' ').unwrap();
                let value = at(&document()?, path);
                variables.insert(name.to_owned(), value.as_str().map_or(value.to_string(), str::to_owned));
                Ok(())
            }
            path if path.starts_with('.') => {
                let found = at(&document()?, path);
                let (how, text) = rest.split_once(' ').unwrap();
                let wanted = || serde_json::from_str::<Json>(text).unwrap_or_else(|error| panic!("{error} in {line}"));
                let right = match how {
                    "=" => found == wanted() || found.is_number() && found.as_f64() == wanted().as_f64(),
                    "!=" => found != wanted(),
                    "<" => found.as_f64().is_some_and(|found| Some(found) < wanted().as_f64()),
                    ">" => found.as_f64().is_some_and(|found| Some(found) > wanted().as_f64()),
                    "~" => found.as_str().map_or(found.to_string(), str::to_owned).contains(text),
                    _ => panic!("`{how}` in {line}"),
                };
                is(right, &found)
            }
            _ => panic!("cannot read: {line}"),
        }
    }
}

/// Returns what a path leads to: null if no item is as wanted.
fn at(value: &Json, path: &str) -> Json {
    let path = path.trim_start_matches('.');
    if path.is_empty() {
        return value.clone();
    }
    let end =
        if path.starts_with('[') { path.find(']').unwrap() + 1 } else { path.find(['.', '[']).unwrap_or(path.len()) };
    let (step, rest) = path.split_at(end);
    let items = || value.as_array().into_iter().flatten();
    let inside = step.strip_prefix('[').and_then(|step| step.strip_suffix(']'));
    match inside.map(|inside| (inside, inside.parse::<isize>(), inside.split_once('='))) {
        None if step == "#" => items().count().into(),
        None if step == "keys()" => value.as_object().into_iter().flat_map(|fields| fields.keys().cloned()).collect(),
        None => value.get(step).map_or_else(|| "no such field".into(), |field| at(field, rest)),
        Some(("*", ..)) => items().map(|item| at(item, rest)).collect(),
        Some((_, Ok(index), _)) => {
            let index = if index < 0 { items().count().wrapping_add_signed(index) } else { index as usize };
            at(&value[index], rest)
        }
        Some((_, _, Some((field, wanted)))) => {
            items().find(|item| item[field] == wanted).map_or(Json::Null, |item| at(item, rest))
        }
        _ => panic!("`{step}` is no step of a path"),
    }
}

/// True if a text contains a sentence. Line breaks count as spaces.
fn says(text: &str, key_and_arguments: &str) -> bool {
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut parts = key_and_arguments.split(' ');
    let key = parts.next().unwrap().to_owned();
    let arguments = parts.map(|part| part.split_once('=').unwrap());
    let value = |text: &str| text.parse().map_or_else(|_| Value::Words(text.into()), Value::Number);
    let with = arguments.map(|(name, text)| (name.to_owned().into(), value(text))).collect();
    let sentence = words(&Sentence::Keyed(Box::new(Keyed { key: key.clone().into(), with })).to_string());
    assert!(!sentence.starts_with(&key), "there is no `{key}`");
    let text = words(text);
    // In the place of an argument that is missing, the sentence has its name in braces.
    let mut rest = text.as_str();
    sentence.split('{').enumerate().all(|(at, piece)| {
        let piece = if at == 0 { piece } else { piece.split_once('}').map_or(piece, |(_, after)| after) };
        rest.find(piece).map(|found| rest = &rest[found + piece.len()..]).is_some()
    })
}
