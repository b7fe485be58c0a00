//! Tests that the package's modules depend on each other in one direction only, and only as listed. So files that depend on
//! each other in a cycle are in one room.
//!
//! A *room* is a file or folder of `src`. [`ROOMS`] lists the other rooms that it may name. The test reads every path
//! that begins with `crate`, `super` or `$crate`, follows re-exports to the definition, and refuses each path that
//! the table does not allow. In-file tests may name anything.

#![allow(clippy::unwrap_used, reason = "tests")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Each room with its allowed dependencies, which precede it in this table.
const ROOMS: [(&str, &str); 22] = [
    ("text", ""),
    ("host", ""),
    ("report", "text"),
    ("control", "host report"),
    ("arch", ""),
    ("tensor_map", ""),
    ("cost", "arch"),
    ("ptx", "text report"),
    ("arith", ""),
    ("program", "report arch tensor_map cost arith"),
    ("memory", "report arch program"),
    ("probes", "arch cost arith program"),
    ("fuse", "program"),
    ("lower", "report arch tensor_map ptx arith program fuse"),
    ("counts", "report arch cost program probes"),
    ("hazards", "report arch memory program probes counts"),
    ("machine", "text report control arch tensor_map cost arith program memory probes"),
    ("module", "text report ptx program memory lower"),
    ("run", "host report control arch tensor_map program memory probes counts hazards machine module"),
    ("observe", "report control arch cost machine memory probes program module run"),
    ("trace", "report control arch program memory probes machine module run"),
    ("witness", "report control program memory probes machine module run"),
];

/// A source file as the test sees it.
#[derive(Default)]
struct File {
    /// Its module path: `["machine", "warp"]`.
    module: Vec<String>,
    /// Its text, with comments, strings and in-file tests replaced by spaces, so that positions stay the same.
    text: String,
    /// Names imported by `use`, with their absolute paths. Glob imports are in `globs`.
    imports: BTreeMap<String, Vec<String>>,
    globs: Vec<Vec<String>>,
}

/// A dependency: file and line that name it, the file that defines it, and the path.
struct Arrow {
    from: usize,
    line: usize,
    to: usize,
    path: String,
}

#[test]
fn rooms_know_each_other_one_way() {
    for (at, (room, knows)) in ROOMS.iter().enumerate() {
        for known in knows.split_whitespace() {
            assert!(ROOMS[..at].iter().any(|(before, _)| *before == known), "the table has `{room}` before `{known}`");
        }
    }
    let package = Package::read();
    let arrows = package.arrows();
    let wrong = package.wrong(&arrows);
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    let used: BTreeSet<_> = arrows.iter().map(|arrow| (package.room(arrow.from), package.room(arrow.to))).collect();
    for (room, knows) in ROOMS {
        for known in knows.split_whitespace() {
            assert!(used.contains(&(room, known)), "`{room}` may know `{known}` and does not: take it from the table");
        }
    }
}

#[test]
fn an_upward_arrow_is_named_with_file_and_line() {
    let package = Package::of(vec![
        (
            "lib.rs".into(),
            "mod cost; mod machine; mod report;\npub use report::*;\npub use machine::{Fast as Quick};".into(),
        ),
        (
            "report.rs".into(),
            "pub struct Fault; /* crate::machine */ // crate::machine\nconst A: &str = \"crate::machine\";".into(),
        ),
        ("machine/mod.rs".into(), "mod warp;\npub(crate) use warp::{Warp, Fast};\nuse crate::Fault;".into()),
        (
            "machine/warp.rs".into(),
            "pub struct Warp; pub struct Fast;\nuse crate::{\n    cost::{self, price},\n};".into(),
        ),
        (
            "cost/mod.rs".into(),
            "mod price;\nuse crate::{Fault as Wrong,\n  Quick};\nfn f(_: crate::machine::Warp) {}\n".into(),
        ),
        (
            "cost/price.rs".into(),
            "use super::super::machine as m;\n#[cfg(test)]\nmod tests { use crate::machine::Warp; }".into(),
        ),
    ]);
    assert_eq!(
        package.wrong(&package.arrows()),
        [
            "cost/mod.rs:2: `crate::Fault`: `cost` must not know `report`",
            "cost/mod.rs:3: `crate::Quick`: `cost` must not know `machine`",
            "cost/mod.rs:4: `crate::machine::Warp`: `cost` must not know `machine`",
            "cost/price.rs:1: `super::super::machine`: `cost` must not know `machine`",
        ]
    );
}

/// All files of the package, with their names below `src`.
struct Package {
    files: Vec<File>,
    names: Vec<String>,
}

impl Package {
    fn read() -> Self {
        let root = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").unwrap()).join("src");
        let mut paths = Vec::new();
        walk(&root, &mut paths);
        paths.sort();
        let name = |path: &Path| path.strip_prefix(&root).unwrap().to_string_lossy().replace('\\', "/");
        Self::of(paths.iter().map(|path| (name(path), fs::read_to_string(path).unwrap())).collect())
    }

    fn of(all: Vec<(String, String)>) -> Self {
        let (mut files, mut names) = (Vec::new(), Vec::new());
        for (name, text) in all {
            let stem = name.trim_end_matches(".rs").trim_end_matches("/mod");
            let module: Vec<String> = if stem == "lib" { vec![] } else { stem.split('/').map(str::to_owned).collect() };
            files.push(File { module, text: plain(&text), ..File::default() });
            names.push(name);
        }
        let mut all = Self { files, names };
        for at in 0..all.files.len() {
            for (_, tree) in uses(&all.files[at].text) {
                for (path, name) in flat(&tree) {
                    let Some(path) = all.absolute(&path, at) else { continue };
                    if name == "*" {
                        all.files[at].globs.push(path[..path.len() - 1].to_vec());
                    } else {
                        all.files[at].imports.insert(name, path);
                    }
                }
            }
        }
        all
    }

    /// Returns the absolute path in the package, or `None` if the path leads elsewhere.
    fn absolute(&self, path: &[String], at: usize) -> Option<Vec<String>> {
        let mut base = self.files[at].module.clone();
        let mut rest = path;
        match path.first()?.as_str() {
            "crate" => return Some(path[1..].to_vec()),
            "self" => rest = &path[1..],
            "super" => {
                while rest.first().is_some_and(|word| word == "super") {
                    base.pop()?;
                    rest = &rest[1..];
                }
            }
            // A child module.
            child => _ = self.find(&[base.as_slice(), &[child.to_owned()]].concat())?,
        }
        base.extend_from_slice(rest);
        Some(base)
    }

    fn find(&self, module: &[String]) -> Option<usize> {
        self.files.iter().position(|file| file.module == module)
    }

    fn room(&self, at: usize) -> &str {
        self.files[at].module.first().map_or("lib", String::as_str)
    }

    /// Returns the file that defines the last name of an absolute path.
    fn target(&self, path: &[String], depth: usize) -> Option<usize> {
        let modules = (0..=path.len()).rev().find(|end| self.find(&path[..*end]).is_some())?;
        let at = self.find(&path[..modules])?;
        let file = &self.files[at];
        let Some(name) = path.get(modules).filter(|_| depth < 8) else { return Some(at) };
        if let Some(further) = file.imports.get(name) {
            return self.target(&[further.as_slice(), &path[modules + 1..]].concat(), depth + 1);
        }
        let through = |glob: &Vec<String>| {
            let inner = self.find(glob)?;
            let found = self.target(&[glob.as_slice(), &path[modules..]].concat(), depth + 1)?;
            (found != inner || defines(&self.files[inner].text, name)).then_some(found)
        };
        match file.globs.iter().filter(|glob| self.find(glob).is_some_and(|other| other != at)).find_map(through) {
            Some(found) if !defines(&file.text, name) => Some(found),
            _ => Some(at),
        }
    }

    /// Returns the dependencies that the table does not allow.
    fn wrong(&self, arrows: &[Arrow]) -> Vec<String> {
        let mut wrong = Vec::new();
        for Arrow { from, line, to, path } in arrows {
            let (name, a, b) = (&self.names[*from], self.room(*from), self.room(*to));
            match ROOMS.iter().find(|(room, _)| *room == a) {
                _ if a == b || a == "lib" => {}
                Some((_, knows)) if knows.split_whitespace().any(|known| known == b) => {}
                Some(_) => wrong.push(format!("{name}:{line}: `{path}`: `{a}` must not know `{b}`")),
                None => wrong.push(format!("{name}: `{a}` is not among the rooms of this test")),
            }
        }
        wrong.sort();
        wrong.dedup();
        wrong
    }

    fn arrows(&self) -> Vec<Arrow> {
        let mut arrows = Vec::new();
        for (from, file) in self.files.iter().enumerate() {
            let mut add = |path: &[String], at: usize| {
                let Some(full) = self.absolute(path, from) else { return };
                let full = if full.last().is_some_and(|name| name == "*") { &full[..full.len() - 1] } else { &full };
                let line = file.text[..at].matches('\n').count() + 1;
                if let Some(to) = self.target(full, 0).filter(|to| *to != from) {
                    arrows.push(Arrow { from, line, to, path: path.join("::") });
                }
            };
            let mut rest = file.text.clone();
            for (at, tree) in uses(&file.text) {
                let mut from = 0;
                for (path, _) in flat(&tree) {
                    // In a tree of several lines, report the line of the last name.
                    let name = path.last().map_or("", String::as_str);
                    from += tree[from..].find(name).unwrap_or(0);
                    add(&path, at + from);
                }
                rest.replace_range(at..at + tree.len(), &" ".repeat(tree.len()));
            }
            for (at, path) in paths(&rest) {
                add(&path, at);
            }
        }
        arrows
    }
}

fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            walk(&path, found);
        } else if path.extension().is_some_and(|end| end == "rs") {
            found.push(path);
        }
    }
}

/// Replaces comments, strings and everything after `#[cfg(test)]` by spaces.
fn plain(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    let blank = |out: &mut String, part: &str| {
        out.extend(part.chars().map(|c| if c == '\n' { '\n' } else { ' ' }));
    };
    while at < bytes.len() {
        let rest = &text[at..];
        let end = if rest.starts_with("#[cfg(test)]") {
            rest.len()
        } else if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if rest.starts_with('"') {
            let mut inside = 1;
            while rest.as_bytes().get(inside).is_some_and(|c| *c != b'"') {
                inside += if rest.as_bytes()[inside] == b'\\' { 2 } else { 1 };
            }
            inside + 1
        } else if rest.starts_with("'\"'") {
            3
        } else {
            let c = rest.chars().next().unwrap();
            out.push(if c.is_ascii() { c } else { ' ' });
            at += c.len_utf8();
            continue;
        };
        blank(&mut out, &rest[..end.min(rest.len())]);
        at += end;
    }
    out
}

/// Returns the trees of `use` declarations, with their positions.
fn uses(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(next) = text[from..].find("use ").map(|at| at + from) {
        let begins = text[..next].bytes().next_back().is_none_or(|c| !c.is_ascii_alphanumeric() && c != b'_');
        from = next + 4;
        if begins && let Some(end) = text[from..].find(';') {
            found.push((from, text[from..from + end].to_owned()));
            from += end;
        }
    }
    found
}

/// Returns the paths of a tree, each with the name that it imports.
fn flat(tree: &str) -> Vec<(Vec<String>, String)> {
    let tree = tree.trim();
    if let Some((before, inside)) = tree.split_once('{') {
        let inside = &inside[..inside.rfind('}').unwrap_or(inside.len())];
        let prefix: Vec<String> = before.split("::").filter(|word| !word.is_empty()).map(str::to_owned).collect();
        let (mut depth, mut start, mut parts) = (0, 0, Vec::new());
        for (at, c) in inside.char_indices() {
            match c {
                '{' => depth += 1,
                '}' => depth -= 1,
                ',' if depth == 0 => {
                    parts.push(&inside[start..at]);
                    start = at + 1;
                }
                _ => {}
            }
        }
        parts.push(&inside[start..]);
        let parts = parts.into_iter().filter(|part| !part.trim().is_empty());
        return parts
            .flat_map(flat)
            .map(|(path, name)| match path.as_slice() {
                [itself] if itself == "self" => (prefix.clone(), prefix.last().cloned().unwrap_or_default()),
                _ => ([prefix.clone(), path].concat(), name),
            })
            .collect();
    }
    let (path, alias) = tree.split_once(" as ").map_or((tree, None), |(path, alias)| (path, Some(alias)));
    let path: Vec<String> = path.split("::").map(|word| word.trim().to_owned()).collect();
    let name = alias.map_or_else(|| path.last().cloned().unwrap_or_default(), |alias| alias.trim().to_owned());
    vec![(path, name)]
}

/// Returns all paths of two or more names.
fn paths(text: &str) -> Vec<(usize, Vec<String>)> {
    let is_path = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == ':';
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = text[at..].find(is_path).map(|start| at + start) {
        at = text[start..].find(|c| !is_path(c)).map_or(text.len(), |end| start + end);
        let path = text[start..at].trim_matches(':');
        if path.contains("::") {
            found.push((start, path.split("::").map(str::to_owned).collect()));
        }
    }
    found
}

fn defines(text: &str, name: &str) -> bool {
    ["struct ", "enum ", "trait ", "type ", "fn ", "const ", "static ", "mod ", "macro_rules! "].iter().any(|keyword| {
        text.match_indices(keyword).any(|(at, _)| {
            let after = &text[at + keyword.len()..];
            after
                .strip_prefix(name)
                .is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_'))
        })
    })
}
