//! Runs a case and compares what is found with what is expected: each finding must be expected, and the reverse.

use super::launch::Setting;
use super::number::{bits, bytes_of, list, shown};
use super::read::{Case, Directive};
use ptx_emulator::{
    BufferId, Control, Counts, Fault, Hazard, Kernel, LineCounts, Measure, Memory, Module, Options, Stream, attempt_in,
};
use std::path::PathBuf;

/// What is wrong with a case.
#[derive(Debug, Default)]
pub(crate) struct Verdict {
    pub(crate) problems: Vec<String>,
    /// Values for the question marks of expectations: file, line, value.
    pub(crate) values: Vec<(PathBuf, usize, String)>,
}

/// A race, a fault or a refusal.
#[derive(Debug, PartialEq)]
struct Finding {
    word: &'static str,
    /// Line of the case file.
    line: Option<usize>,
    /// For a race: `RAW shared error x2 in out after 12`. Otherwise: kind and message.
    text: String,
}

struct Found {
    findings: Vec<Finding>,
    memory: Memory,
    counts: Counts,
    output: String,
}

/// Runs a case and compares.
pub(crate) fn judge(case: &Case) -> Verdict {
    let mut verdict = Verdict { problems: case.problems.clone(), values: Vec::new() };
    if let Err(problem) = compare(case, &mut verdict) {
        verdict.problems.push(problem);
    }
    if let Some(words) = case.last("fails") {
        let found = verdict.problems.iter().any(|problem| problem.contains(words));
        verdict.problems = match found && !words.is_empty() {
            true => Vec::new(),
            false => vec![format!("must fail with `{words}`, but: {:?}", verdict.problems)],
        };
    }
    verdict
}

fn compare(case: &Case, verdict: &mut Verdict) -> Result<(), String> {
    let kernels = match load(case) {
        Err(fault) => {
            let refused = Finding { word: "refuse", ..finding(case, &fault) };
            matched(case, &[refused], &mut verdict.problems);
            return Ok(());
        }
        Ok(kernels) => kernels,
    };
    if case.all("loads").next().is_some() {
        matched(case, &[], &mut verdict.problems);
        return Ok(());
    }
    let listing = case.all("listing").next().map(|_| kernels[0].listing().to_string());
    for line in case.all("listing").filter(|line| !listing.iter().any(|listing| listing.contains(&line.value))) {
        verdict.problems.push(format!("line {}: the listing lacks {}", line.line, line.value));
    }
    let setting = Setting::of(case)?;
    let found = launched(case, &kernels, &setting, &setting.options);
    matched(case, &found.findings, &mut verdict.problems);
    for directive in case.all("count") {
        counted(case, directive, &found.counts)?;
    }
    let printed: Vec<&str> = case.all("printed").map(|line| line.value.as_str()).collect();
    if found.output.lines().map(str::trim_end).ne(printed.iter().copied()) {
        verdict.problems.push(format!("printed: {:?}", found.output));
    }
    for directive in case.all("values").chain(case.all("value")) {
        value(case, directive, &setting, &found.memory, verdict)?;
    }
    let racy = found.findings.iter().any(|finding| finding.word == "race");
    let others =
        setting.orders.iter().map(|schedule| Options { schedule: schedule.clone(), ..setting.options.clone() });
    let unmeasured = Options { measure: Measure::None, threads: Some(2), ..setting.options.clone() };
    for options in others.chain(Some(unmeasured).filter(|_| !racy)) {
        let again = launched(case, &kernels, &setting, &options);
        let same = |id: &BufferId| again.memory.read(*id) == found.memory.read(*id);
        let measured = options.measure != Measure::None;
        let expected = found.findings.iter().filter(|finding| measured || finding.word != "undefined");
        if again.findings.iter().ne(expected) || !racy && !setting.buffers.iter().all(|(_, id)| same(id)) {
            let how = format!("{:?}, {:?}", options.schedule, options.measure);
            verdict.problems.push(format!("{how}: another result, or {:?}", again.findings));
        }
    }
    Ok(())
}

fn load(case: &Case) -> Result<Vec<Kernel>, Fault> {
    let module = Module::parse(&case.ptx)?;
    let only = module.kernels().next().unwrap_or("k").to_owned();
    let names = case.last("entry").unwrap_or(&only).split_whitespace();
    Ok(names.map(|name| module.kernel(name)).collect::<Result<_, _>>()?)
}

fn launched(case: &Case, kernels: &[Kernel], setting: &Setting, options: &Options) -> Found {
    let mut found = Found {
        findings: Vec::new(),
        memory: setting.memory.clone(),
        counts: Counts::default(),
        output: String::new(),
    };
    let mut stream = Stream::default();
    for kernel in kernels.iter().cycle().take(kernels.len() * setting.times) {
        if setting.dependent {
            stream.dependent();
        }
        match attempt_in(&mut stream, kernel, &setting.launch, &mut found.memory, options, &Control::default()) {
            Err(fault) => found.findings.push(finding(case, &fault)),
            Ok(outcome) => {
                found.findings.extend(outcome.run.hazards.iter().map(|hazard| race(case, hazard)));
                found.findings.extend(outcome.run.undefined.iter().map(|undefined| Finding {
                    word: "undefined",
                    line: case.file_line(undefined.place.ptx_line),
                    text: format!("{} {} x{}", undefined.rule.name(), undefined.message, undefined.occurrences),
                }));
                found.findings.extend(outcome.fault.iter().map(|fault| finding(case, fault)));
                found.output += &outcome.run.output;
                found.counts = outcome.run.counts.unwrap_or_default();
            }
        }
    }
    found
}

/// Returns a variant's name as in the command line's JSON: `OutOfBounds` becomes `out_of_bounds`.
fn name_of(variant: impl std::fmt::Debug) -> String {
    let mut name = String::new();
    for c in format!("{variant:?}").chars() {
        if c.is_uppercase() && !name.is_empty() {
            name.push('_');
        }
        name.extend(c.to_lowercase());
    }
    name
}

fn finding(case: &Case, fault: &Fault) -> Finding {
    // With `.loc`, the fault's line is that of the source, and the message names that of the PTX.
    let named = fault.message.split_once("(PTX line ").and_then(|(_, rest)| rest.split_once(')')?.0.parse().ok());
    let line = case.file_line(named.unwrap_or(fault.line));
    Finding { word: "fault", line, text: format!("{} {}", name_of(fault.kind), fault.message) }
}

fn race(case: &Case, hazard: &Hazard) -> Finding {
    let line = |place: &ptx_emulator::SourceLocation| case.file_line(place.ptx_line);
    let after = line(&hazard.first.place).map_or(String::new(), |line| format!(" after {line}"));
    let buffer = hazard.buffer.as_ref().map_or(String::new(), |buffer| format!(" in {buffer}"));
    let (kind, space, severity) = (name_of(hazard.kind), name_of(hazard.space), name_of(hazard.severity));
    let launch = hazard.first.launch.as_ref().map_or(String::new(), |launch| format!(" launch={}", launch.number));
    let text = format!("{} {space} {severity} x{}{buffer}{launch}{after}", kind.to_uppercase(), hazard.occurrences);
    Finding { word: "race", line: line(&hazard.second.place), text }
}

fn matched(case: &Case, findings: &[Finding], problems: &mut Vec<String>) {
    let words = ["race", "undefined", "fault", "refuse"];
    let mut expected: Vec<&Directive> = words.into_iter().flat_map(|word| case.all(word)).collect();
    for finding in findings {
        match expected.iter().position(|directive| fits(case, directive, finding)) {
            Some(at) => drop(expected.remove(at)),
            None => {
                let line = finding.line.map_or(String::new(), |line| format!("line {line}: "));
                problems.push(format!("{line}found {}: {}", finding.word, finding.text));
            }
        }
    }
    for Directive { word, value, line, .. } in expected {
        problems.push(format!("line {line}: did not find {word}: {value}"));
    }
}

/// True if a finding is what a directive expects.
fn fits(case: &Case, expected: &Directive, finding: &Finding) -> bool {
    if expected.word != finding.word || expected.code.is_some() && expected.code != finding.line {
        return false;
    }
    if expected.word != "race" {
        let (kind, message) = finding.text.split_once(' ').unwrap_or((&finding.text, ""));
        let (wanted, part) = expected.value.split_once(' ').unwrap_or((&expected.value, ""));
        let mut rest = Some(message);
        part.split('…').for_each(|part| rest = rest.and_then(|rest| Some(rest.split_once(part.trim())?.1)));
        return wanted == kind && rest.is_some();
    }
    let (wanted, after) =
        expected.value.split_once(" after ").map_or((expected.value.as_str(), None), |(w, a)| (w, Some(a)));
    let marked = |mark: &str| case.all("mark").find(|directive| directive.value == mark).and_then(|mark| mark.code);
    let found: Vec<&str> = finding.text.split(' ').collect();
    let first = found.iter().position(|word| *word == "after").and_then(|at| found.get(at + 1));
    let severities = ["warning", "volatile", "unfenced", "same_value"];
    let severe = !severities.iter().any(|severity| wanted.contains(severity));
    let meets = |mark: &str| marked(mark).is_some_and(|line| first == Some(&line.to_string().as_str()));
    after.is_none_or(meets)
        && found.get(2).is_some_and(|severity| !severe || *severity == "error")
        && found.starts_with(&wanted.split(' ').take(2).collect::<Vec<_>>())
        && wanted.split(' ').skip(2).all(|word| found.contains(&word))
}

/// Compares the counts of the instruction at the directive's line, or the sums if the directive stands alone.
fn counted(case: &Case, directive: &Directive, counts: &Counts) -> Result<(), String> {
    let at = |line: &&LineCounts| case.file_line(line.place.ptx_line) == directive.code;
    let here: Vec<&LineCounts> = counts.lines.iter().filter(at).collect();
    for pair in directive.value.split(' ') {
        let (name, wanted) = pair.split_once('=').ok_or_else(|| format!("`{pair}` is not a count"))?;
        let found = match (directive.code, here.as_slice()) {
            (None, _) => match name {
                "flop" => counts.totals.flop,
                "barriers" => counts.totals.barriers,
                _ => return Err(format!("there is no sum `{name}`")),
            },
            (_, [line]) => match name {
                "requests" => line.requests,
                "bytes" => line.bytes.into(),
                "wavefronts" => line.wavefronts,
                "wavefronts_ideal" => line.wavefronts_ideal,
                "sectors" => line.sectors,
                "sectors_ideal" => line.sectors_ideal,
                _ => return Err(format!("there is no count `{name}`")),
            },
            _ => return Err(format!("line {}: {} instructions are counted here", directive.line, here.len())),
        };
        if wanted != found.to_string() {
            return Err(format!("line {}: found {name}={found}, not {wanted}", directive.line));
        }
    }
    Ok(())
}

/// Compares a buffer. `value: N` is the first buffer as one number, `values: NAME = LIST` are a buffer's elements, and
/// `values: NAME:TYPE[AT] = LIST …` those from an index on; after `…` may be others.
fn value(
    case: &Case,
    directive: &Directive,
    setting: &Setting,
    memory: &Memory,
    verdict: &mut Verdict,
) -> Result<(), String> {
    let (left, wanted) = match directive.word {
        "value" => ("", directive.value.as_str()),
        _ => directive.value.split_once(" = ").ok_or("`values` has no ` = `")?,
    };
    let (left, at) = left.strip_suffix(']').and_then(|left| left.split_once('[')).unwrap_or((left, "0"));
    let (name, ty) = left.split_once(':').unwrap_or((left, "u32"));
    let mut all = setting.buffers.iter();
    let (_, id) =
        all.find(|(known, _)| name.is_empty() || known == name).ok_or_else(|| format!("no buffer `{name}`"))?;
    let bytes = memory.read(*id);
    let found = bytes.get(bits("u64", at)? as usize * bytes_of(ty)?..).ok_or("the index is past the end")?;
    let (found, expected) = match directive.word {
        "value" if wanted == "?" => (found, Vec::new()),
        "value" => (found, bits("u64", wanted)?.to_le_bytes()[..bytes.len().min(8)].to_vec()),
        _ => match wanted.strip_suffix('…') {
            Some(wanted) => {
                let expected = list(ty, wanted)?;
                (&found[..found.len().min(expected.len())], expected)
            }
            None if wanted == "?" => (found, Vec::new()),
            None => (found, list(ty, wanted)?),
        },
    };
    if wanted == "?" {
        let ty = if directive.word == "value" && bytes.len() == 8 { "u64" } else { ty };
        verdict.values.push((case.file.clone(), directive.line, shown(ty, found)));
    }
    if found != expected {
        let line = directive.line;
        verdict.problems.push(format!("line {line}: found {}: {left} = {}", directive.word, shown(ty, found)));
    }
    Ok(())
}
