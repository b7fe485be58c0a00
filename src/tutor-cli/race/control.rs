/*! `--control`: shows that the search would report a fault of each kind that the file can have.

It takes away one thing that orders threads at a time, in the PTX: a barrier, a fence, a wait, or the atomicity of an
update. Everything that one source line has of a kind goes together, because the compiler copies lines. Then it searches
again. What is new in the report, the removal has caused.
*/

use super::compile::Compiled;
use super::search::{Outcome, Passes, races};
use super::{Args, Format, Report};
use crate::emulate::arguments::wrong_call;
use crate::emulate::launch::LaunchArgs;
use crate::{Exit, failure, output};
use ptx_emulator::Fault;
use serde::Serialize;
use tutor_support::t;

/// What a removal took away.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
enum Kind {
    Barrier,
    Fence,
    Wait,
    Atomic,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Found {
    Race,
    /// A launch stopped: a fault, a hang.
    Fault,
    /// The results differ, and nothing is reported.
    WrongValue,
    Nothing,
    /// The launches do not execute the line.
    NotReached,
}

/// A removal and what came of it.
#[derive(Debug, Serialize)]
struct Row {
    /// The file, as the PTX names it, and the line. Without line information, the line is one of the PTX.
    file: String,
    line: usize,
    removed: Kind,
    /// The opcode.
    instruction: String,
    reported: Found,
    /// The report's sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
}

#[derive(Debug, Serialize)]
pub(super) struct Table {
    /// True if each removal was reported.
    ok: bool,
    file: String,
    kernel: String,
    removals: Vec<Row>,
}

/// The place of a statement that can be taken away: its line in the PTX, its bytes there, and what takes its place.
struct Place {
    line: usize,
    bytes: std::ops::Range<usize>,
    instead: String,
}

/// Statements of one source line.
struct Group {
    file: String,
    line: usize,
    kind: Kind,
    opcode: String,
    places: Vec<Place>,
}

/// What `--control` found.
pub(super) enum Control {
    /// The file as it is has races, or stops.
    NotClean(Box<Report>),
    Removed(Table),
}

impl Control {
    /// Prints the table, or the report of a file that has races already.
    pub(super) fn print(&self, format: Format) -> anyhow::Result<Exit> {
        match (self, format) {
            (Self::NotClean(report), _) => {
                super::print_as(format, report)?;
                return Ok(failure(Exit::Failed, t!("race-control-first"), None));
            }
            (Self::Removed(table), Format::Json) => output::json(table)?,
            (Self::Removed(table), _) => print(table)?,
        }
        Ok(if matches!(self, Self::Removed(table) if table.ok) { Exit::Done } else { Exit::Failed })
    }
}

/// Searches, and searches again without each thing that orders threads.
pub(super) fn run(args: &Args, described: &LaunchArgs, compiled: &mut Compiled) -> Result<Control, Fault> {
    if matches!(args.format, Format::Sarif | Format::Junit) {
        return Err(wrong_call(t!("race-control-format")));
    }
    let (report, before) = races(args, described, compiled, Passes::All)?;
    if !report.ok {
        return Ok(Control::NotClean(Box::new(report)));
    }
    let ptx = compiled.ptx.clone();
    let mut removals = Vec::new();
    for group in groups(&ptx) {
        let mut search = |trap: bool| {
            compiled.ptx = without(&ptx, &group, trap);
            races(args, described, compiled, Passes::All)
        };
        let (reported, text) = match search(false) {
            Ok((report, after)) => match found(&report, &before, &after) {
                (Found::Nothing, _) if search(true).is_ok_and(|(report, _)| report.ok) => (Found::NotReached, None),
                other => other,
            },
            Err(fault) => (Found::Fault, Some(fault.message)),
        };
        let Group { file, line, kind, opcode, .. } = group;
        removals.push(Row { file, line, removed: kind, instruction: opcode, reported, text });
    }
    let ok = removals.iter().all(|row| matches!(row.reported, Found::Race | Found::Fault));
    Ok(Control::Removed(Table { ok, file: report.file, kernel: report.kernel, removals }))
}

fn found(report: &Report, before: &[Outcome], after: &[Outcome]) -> (Found, Option<String>) {
    if let Some(race) = report.races.first() {
        return (Found::Race, Some(race.text.clone()));
    }
    match report.launches.iter().find_map(|launch| launch.stopped.clone()) {
        Some(why) => (Found::Fault, Some(why)),
        None if before != after => (Found::WrongValue, None),
        None => (Found::Nothing, None),
    }
}

fn print(table: &Table) -> std::io::Result<()> {
    for row in &table.removals {
        let what = match row.removed {
            Kind::Barrier => t!("race-control-barrier"),
            Kind::Fence => t!("race-control-fence"),
            Kind::Wait => t!("race-control-wait"),
            Kind::Atomic => t!("race-control-atomic"),
        };
        let came = match row.reported {
            Found::Race => t!("race-control-race"),
            Found::Fault => t!("race-control-fault"),
            Found::WrongValue => t!("race-control-wrong"),
            Found::Nothing => t!("race-control-nothing"),
            Found::NotReached => t!("race-control-not-reached"),
        };
        let instruction = row.instruction.as_str();
        // Another file is a header that the compiler has copied from.
        let name = std::path::Path::new(&row.file).file_name();
        let own = name.is_none() || name == std::path::Path::new(&table.file).file_name();
        let line = super::line_of(row.line, if own { "" } else { &row.file });
        output::paragraph(t!("race-control-row", line, what, instruction, came))?;
        if let Some(text) = &row.text {
            output::paragraph(format_args!("    {text}"))?;
        }
    }
    let (all, kernel) = (table.removals.len(), table.kernel.as_str());
    let noticed = table.removals.iter().filter(|row| matches!(row.reported, Found::Race | Found::Fault)).count();
    output::paragraph(if all == 0 {
        t!("race-control-none", kernel)
    } else {
        t!("race-control-sum", kernel, noticed, all)
    })
}

/// Returns the text with the statements of a group replaced. All lines keep their numbers.
fn without(ptx: &str, group: &Group, trap: bool) -> String {
    let mut lines: Vec<String> = ptx.lines().map(str::to_owned).collect();
    for place in group.places.iter().rev() {
        lines[place.line].replace_range(place.bytes.clone(), if trap { "trap;" } else { &place.instead });
    }
    lines.join("\n") + "\n"
}

/// Lists what can be taken away, by source line and kind.
fn groups(ptx: &str) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let files: Vec<(&str, &str)> = ptx
        .lines()
        .filter_map(|line| line.trim_start().strip_prefix(".file"))
        .filter_map(|rest| Some((rest.split_whitespace().next()?, rest.split('"').nth(1)?)))
        .collect();
    let mut source: Option<(&str, usize)> = None;
    for (number, line) in ptx.lines().enumerate() {
        if let Some(rest) = line.trim_start().strip_prefix(".loc") {
            // An inlined function has the line of its call.
            let place = rest.split_once("inlined_at").map_or(rest, |(_, place)| place);
            let mut words = place.split_whitespace();
            source = words.next().zip(words.next().and_then(|line| line.trim_end_matches(',').parse().ok()));
            continue;
        }
        let mut start = 0;
        while let Some(end) = line[start..].find(';').map(|at| start + at + 1) {
            let statement = &line[start..end];
            let bytes = start + (statement.len() - statement.trim_start_matches(['{', ' ', '\t']).len())..end;
            start = end;
            let Some((kind, opcode, instead)) = removable(&line[bytes.clone()]) else { continue };
            let named = |of: &str| files.iter().find(|(number, _)| *number == of).map_or("", |(_, name)| *name);
            let (file, source) = source.map_or(("", number + 1), |(file, line)| (named(file), line));
            let place = Place { line: number, bytes, instead };
            match groups.iter_mut().find(|group| (group.file.as_str(), group.line, group.kind) == (file, source, kind))
            {
                Some(group) => group.places.push(place),
                None => groups.push(Group { file: file.to_owned(), line: source, kind, opcode, places: vec![place] }),
            }
        }
    }
    groups.sort_by(|a, b| (&a.file, a.line, a.kind).cmp(&(&b.file, b.line, b.kind)));
    groups
}

/// Returns the kind of a statement, its opcode, and what does the same without ordering threads.
fn removable(statement: &str) -> Option<(Kind, String, String)> {
    let statement = statement.trim().trim_end_matches(';');
    let (guard, rest) = match statement.starts_with('@') {
        true => statement.split_once(char::is_whitespace)?,
        false => ("", statement),
    };
    let (opcode, operands) = rest.trim().split_once(char::is_whitespace).unwrap_or((rest.trim(), ""));
    let is = |names: &[&str]| names.iter().any(|name| opcode.starts_with(name));
    let operands: Vec<&str> = operands.split(',').map(str::trim).collect();
    let kind = if is(&["bar.sync", "bar.warp.sync", "barrier.sync", "barrier.cta.sync"]) {
        Kind::Barrier
    } else if is(&["membar", "fence"]) {
        Kind::Fence
    } else if is(&["cp.async.wait", "cp.async.bulk.wait", "wgmma.wait", "barrier.cluster.wait"]) {
        Kind::Wait
    } else if is(&["griddepcontrol.wait"]) {
        // The kernel keeps it, and so may overlap the launch before it, but no thread executes it.
        let instead = "{ .reg .pred %never; setp.ne.u32 %never, 0, 0; @%never griddepcontrol.wait; }";
        return Some((Kind::Wait, opcode.to_owned(), instead.to_owned()));
    } else if is(&["mbarrier.try_wait", "mbarrier.test_wait"]) {
        let instead = format!("{guard} setp.eq.u32 {}, 0, 0;", operands.first()?);
        return Some((Kind::Wait, opcode.to_owned(), instead));
    } else if is(&["atom.", "red."]) {
        let instead = separate(guard, opcode, &operands)?;
        return Some((Kind::Atomic, opcode.to_owned(), instead));
    } else {
        return None;
    };
    Some((kind, opcode.to_owned(), String::new()))
}

/// Writes an atomic operation as a load, the operation, and a store. `None` for vectors and packed numbers.
fn separate(guard: &str, opcode: &str, operands: &[&str]) -> Option<String> {
    let parts: Vec<&str> = opcode.split('.').collect();
    let ty = *parts.last()?;
    if !matches!(ty, "u32" | "s32" | "b32" | "f32" | "u64" | "s64" | "b64" | "f64")
        || parts.iter().any(|part| part.starts_with("v"))
    {
        return None;
    }
    let space = parts.iter().find(|part| ["global", "shared", "shared::cta", "shared::cluster"].contains(part));
    let space = space.map_or_else(String::new, |space| format!(".{space}"));
    let (target, rest) = if parts[0] == "atom" { (*operands.first()?, operands.get(1..)?) } else { ("_", operands) };
    let (address, value) = (*rest.first()?, *rest.get(1)?);
    let operation = parts
        .iter()
        .find(|part| ["add", "min", "max", "and", "or", "xor", "exch", "inc", "dec", "cas"].contains(part))?;
    let update = match *operation {
        "exch" => format!("mov.{ty} %ctl_n, {value};"),
        "inc" => format!(
            "setp.ge.u32 %ctl_p, %ctl_o, {value}; add.u32 %ctl_n, %ctl_o, 1; selp.u32 %ctl_n, 0, %ctl_n, %ctl_p;"
        ),
        "dec" => format!(
            "sub.u32 %ctl_n, %ctl_o, 1; setp.gt.u32 %ctl_p, %ctl_n, {value}; selp.u32 %ctl_n, {value}, %ctl_n, %ctl_p;"
        ),
        "cas" => format!("setp.eq.{ty} %ctl_p, %ctl_o, {value}; selp.{ty} %ctl_n, {}, %ctl_o, %ctl_p;", rest.get(2)?),
        "and" | "or" | "xor" => format!("{operation}.{} %ctl_n, %ctl_o, {value};", ty.replace(['u', 's'], "b")),
        operation => format!("{operation}.{ty} %ctl_n, %ctl_o, {value};"),
    };
    let result = if target == "_" { String::new() } else { format!(" mov.{ty} {target}, %ctl_o;") };
    let all = format!("ld{space}.{ty} %ctl_o, {address}; {update} st{space}.{ty} {address}, %ctl_n;{result}");
    let guarded: String = all.split_inclusive(';').map(|part| format!("{guard} {}", part.trim())).collect();
    Some(format!("{{ .reg .{ty} %ctl_o, %ctl_n; .reg .pred %ctl_p;{guarded} }}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_taken_away_keeps_the_lines_and_the_guard() {
        for (statement, kind, instead) in [
            ("bar.sync 0;", Kind::Barrier, ""),
            ("@%p1 membar.gl;", Kind::Fence, ""),
            ("cp.async.wait_group 1;", Kind::Wait, ""),
            ("mbarrier.try_wait.parity.shared::cta.b64 p, [a], 1;", Kind::Wait, " setp.eq.u32 p, 0, 0;"),
            (
                "@%p2 red.global.add.u32 [%rd1+4], %r2;",
                Kind::Atomic,
                "{ .reg .u32 %ctl_o, %ctl_n; .reg .pred %ctl_p;@%p2 ld.global.u32 %ctl_o, [%rd1+4];@%p2 add.u32 %ctl_n, \
                 %ctl_o, %r2;@%p2 st.global.u32 [%rd1+4], %ctl_n; }",
            ),
        ] {
            let found = removable(statement).map(|(kind, _, instead)| (kind, instead));
            assert_eq!(found, Some((kind, instead.to_owned())), "{statement}");
        }
        for other in ["add.u32 %r1, %r2, 3;", "atom.global.add.noftz.f16x2 %r1, [%rd1], %r2;", "ret;"] {
            assert!(removable(other).is_none(), "{other}");
        }
        let ptx = ".loc 1 7 0\nbar.sync 0;\n.loc 1 9 0\nbar.sync 0; bar.sync 0;\n.file 1 \"k.cu\"\n";
        let groups = groups(ptx);
        let places: Vec<_> = groups.iter().map(|group| (group.file.as_str(), group.line, group.places.len())).collect();
        assert_eq!(places, [("k.cu", 7, 1), ("k.cu", 9, 2)]);
        assert_eq!(without(ptx, &groups[1], false), ptx.replace("bar.sync 0; bar.sync 0;", " "));
    }
}
