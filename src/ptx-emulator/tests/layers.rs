//! Tests that the package's modules depend on each other in one direction only, and only as listed. So files that depend on
//! each other in a cycle are in one room.
//!
//! A *room* is a file or folder of `src`. [`ROOMS`] lists the other rooms that it may name. The test reads every path that
//! begins with `crate` or leaves its room with `super`, and refuses each one that the table does not allow. A name that
//! `lib.rs` re-exports counts as the room that it comes from. In-file tests may name anything.

#![allow(clippy::unwrap_used, reason = "tests")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// Each room with its allowed dependencies, which precede it in this table.
static ROOMS: LazyLock<Vec<(&str, &str)>> =
    LazyLock::new(|| include_str!("layers.txt").lines().map(|line| line.split_once(':').unwrap()).collect());

/// A path below `crate` that a file names, and its line.
struct Named {
    line: usize,
    path: Vec<String>,
}

#[test]
fn rooms_know_each_other_one_way() {
    for (at, (room, knows)) in ROOMS.iter().enumerate() {
        for known in knows.split_whitespace() {
            assert!(ROOMS[..at].iter().any(|(before, _)| *before == known), "the table has `{room}` before `{known}`");
        }
    }
    let root = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").unwrap()).join("src");
    let mut files = Vec::new();
    walk(&root, &mut files);
    let files: Vec<(String, String)> = files
        .iter()
        .map(|path| (path.strip_prefix(&root).unwrap().to_string_lossy().replace('\\', "/"), read(path)))
        .collect();
    let (wrong, used) = judge(&files);
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    for (room, knows) in ROOMS.iter() {
        for known in knows.split_whitespace() {
            let pair = ((*room).to_owned(), known.to_owned());
            assert!(used.contains(&pair), "`{room}` may know `{known}` and does not: take it from the table");
        }
    }
}

#[test]
fn an_upward_arrow_is_named_with_file_and_line() {
    let file = |name: &str, text: &str| (name.to_owned(), text.to_owned());
    let files = [
        file(
            "lib.rs",
            "mod cost; mod machine; mod report;\npub use report::*;\npub use machine::{Warp, Fast as Quick};",
        ),
        file("report.rs", "// crate::machine\npub struct Fault;"),
        file("machine/warp.rs", "use crate::{\n    cost::{self, price},\n};\nuse crate::Fault;"),
        file("cost/mod.rs", "use crate::{Fault as Wrong,\n  Quick};\nfn f(_: crate::machine::Warp) {}\n"),
        file(
            "cost/price.rs",
            "use super::super::machine as m;\n#[cfg(test)]\nmod tests {\n    use crate::machine::Warp;\n}",
        ),
    ];
    let wrong = [
        "cost/mod.rs:1: `crate::Fault`: `cost` must not know `report`",
        "cost/mod.rs:1: `crate::Quick`: `cost` must not know `machine`",
        "cost/mod.rs:3: `crate::machine::Warp`: `cost` must not know `machine`",
        "cost/price.rs:1: `crate::machine`: `cost` must not know `machine`",
    ];
    assert_eq!(judge(&files).0, wrong);
}

/// Returns the paths that the table does not allow, and every pair of rooms in which the first room names the second.
fn judge(files: &[(String, String)]) -> (Vec<String>, BTreeSet<(String, String)>) {
    let lib = files.iter().find(|(name, _)| name == "lib.rs").map_or("", |(_, text)| text);
    let (mut origins, mut all) = (BTreeMap::new(), String::new());
    for (path, name) in lib.split("pub use ").skip(1).flat_map(|part| flat(part.split(';').next().unwrap_or(part))) {
        match name.as_str() {
            "*" => all.clone_from(&path[0]),
            _ => _ = origins.insert(name, path[0].clone()),
        }
    }
    let is_room = |name: &String| files.iter().any(|(file, _)| file.split(['/', '.']).next() == Some(name));
    let (mut wrong, mut used) = (Vec::new(), BTreeSet::new());
    for (file, text) in files.iter().filter(|(file, _)| file != "lib.rs") {
        let module: Vec<&str> = file.trim_end_matches(".rs").trim_end_matches("/mod").split('/').collect();
        let knows = ROOMS.iter().find(|(room, _)| *room == module[0]).map(|(_, knows)| *knows);
        if knows.is_none() {
            wrong.push(format!("{file}: `{}` is not among the rooms of this test", module[0]));
        }
        for Named { line, path } in named(text, module.len()) {
            let Some(first) = path.first() else { continue };
            let room = if is_room(first) { first } else { origins.get(first).unwrap_or(&all) };
            if room != module[0] && !knows.is_some_and(|knows| knows.split_whitespace().any(|known| known == room)) {
                let path = path.join("::");
                wrong.push(format!("{file}:{line}: `crate::{path}`: `{}` must not know `{room}`", module[0]));
            }
            used.insert((module[0].to_owned(), room.clone()));
        }
    }
    (wrong, used)
}

/// Returns the paths below `crate` in the text of a module that is `depth` levels below it, without comments and tests.
fn named(text: &str, depth: usize) -> Vec<Named> {
    let text = text.split("\nmod tests {").next().unwrap_or(text);
    let (mut code, mut essay) = (String::new(), false);
    for line in text.lines() {
        essay |= line.starts_with("/*");
        if !essay {
            code += line.split("//").next().unwrap_or(line);
        }
        essay &= !line.contains("*/");
        code.push('\n');
    }
    let up = "super::".repeat(depth);
    let mut found = Vec::new();
    for start in ["crate::", up.as_str()] {
        for (at, _) in code.match_indices(start) {
            if code[..at].ends_with(|c: char| c.is_ascii_alphanumeric() || "_:".contains(c)) {
                continue;
            }
            let rest = &code[at + start.len()..];
            let line = code[..at].matches('\n').count() + 1;
            found.extend(flat(rest).into_iter().map(|(path, _)| Named { line, path }));
        }
    }
    found.sort_by_key(|named| named.line);
    found
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap()
}

fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            walk(&path, found);
        } else if path.extension().is_some_and(|end| end == "rs") {
            found.push(path);
        }
    }
    found.sort();
}

/// Returns the paths of a tree at the start of a text, each with the name that it imports.
fn flat(text: &str) -> Vec<(Vec<String>, String)> {
    let text = text.trim_start();
    let end = text.find(|c: char| !(c.is_ascii_alphanumeric() || "_:*".contains(c))).unwrap_or(text.len());
    let words: Vec<String> = text[..end].split("::").filter(|word| !word.is_empty()).map(str::to_owned).collect();
    let Some(inside) = text[end..].strip_prefix('{').filter(|_| end == 0 || text[..end].ends_with("::")) else {
        let alias = text[end..].strip_prefix(" as ").map(|rest| flat(rest)[0].1.clone());
        let name = alias.or_else(|| words.last().cloned()).unwrap_or_default();
        return vec![(words, name)];
    };
    let (mut depth, mut start, mut found) = (0, 0, Vec::new());
    for (at, c) in inside.char_indices() {
        match c {
            ',' | '}' if depth == 0 => {
                let part = inside[start..at].trim();
                let inner =
                    if part.is_empty() || part == "self" { vec![(vec![], part.to_owned())] } else { flat(part) };
                found.extend(inner.into_iter().filter(|(_, name)| !name.is_empty()));
                start = at + 1;
                if c == '}' {
                    break;
                }
            }
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
    }
    found.into_iter().map(|(path, name)| ([words.clone(), path].concat(), name)).collect()
}
