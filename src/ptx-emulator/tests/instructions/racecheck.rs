//! Compares the hazards found in the kernels of `tests/fixtures/racecheck` with a table. The table also lists what
//! NVIDIA's tools find.

use ptx_emulator::{
    Arg, BufferId, Control, Fault, Kernel, Launch, Measure, Memory, Module, Options, Run, attempt, run, witness,
};
use serde::Deserialize;
use std::collections::BTreeMap;

/// Words per buffer.
pub(crate) const WORDS: u32 = 4096;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    /// The findings of NVIDIA's tools, in words.
    #[expect(dead_code, reason = "for the reader")]
    nvidia: String,
    /// Our findings: `KIND space severity first-line>second-line`, after the kind of a fault if there is one.
    ours: Vec<String>,
    /// For each hazard, the harmful choice with the correct and the incorrect value, or why there is none.
    #[serde(default)]
    shown: Vec<String>,
    /// Which tool is correct, and why.
    #[expect(dead_code, reason = "for the reader")]
    verdict: String,
}

pub(crate) fn fixture(folder: &str, name: &str) -> (String, Launch) {
    let path = format!("{}/tests/fixtures/{folder}/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(format!("{path}.ptx")).unwrap_or_else(|e| panic!("{path}: {e}"));
    let source = path.split(".nvrtc").next().unwrap_or(&path);
    let source = std::fs::read_to_string(format!("{source}.cu")).unwrap();
    let number = |word: &str| {
        let mut words = source.split_whitespace().skip_while(|w| *w != word);
        words.nth(1).and_then(|n| n.trim_end_matches(':').parse::<u32>().ok()).unwrap()
    };
    let launch =
        Launch { grid: [number("grid"), 1, 1], block: [number("block"), 1, 1], args: Vec::new(), ..Launch::default() };
    (text, launch)
}

pub(crate) fn names(folder: &str) -> Vec<String> {
    let path = format!("{}/tests/fixtures/{folder}", env!("CARGO_MANIFEST_DIR"));
    let mut names: Vec<String> = std::fs::read_dir(path)
        .unwrap()
        .filter_map(|entry| Some(entry.unwrap().file_name().to_str()?.strip_suffix(".ptx")?.to_owned()))
        .collect();
    names.sort();
    names
}

/// Returns a kernel of the fixtures with its launch, its memory and its output buffer.
fn prepared(folder: &str, name: &str) -> Result<(Kernel, Launch, Memory, BufferId), Fault> {
    let (text, mut launch) = fixture(folder, name);
    let kernel = Module::parse(&text)?.kernel(name.split('.').next().unwrap_or(name))?;
    let mut memory = Memory::new();
    let words: Vec<u8> = (0..WORDS).flat_map(|i| (i.wrapping_mul(2_654_435_761) >> 7).to_le_bytes()).collect();
    let input = memory.add("in", &words);
    let out = match name {
        "uninitialised_global" => memory.add_uninitialised("out", 4 * WORDS as usize),
        _ => memory.add("out", &vec![0; 4 * WORDS as usize]),
    };
    launch.args = vec![Arg::Buffer(out), Arg::Buffer(input), Arg::S32(launch.block[0] as i32)];
    Ok((kernel, launch, memory, out))
}

/// Runs a kernel of the fixtures. Also returns the words of `out`.
pub(crate) fn launch(folder: &str, name: &str, options: &Options) -> Result<(Vec<u32>, Run), Fault> {
    let (kernel, launch, mut memory, out) = prepared(folder, name)?;
    let run = run(&kernel, &launch, &mut memory, options, &Control::default())?;
    let words = memory.read(out).chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect();
    Ok((words, run))
}

/// Returns a variant's name as in the table: `OutOfBounds` becomes `out_of_bounds`.
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

/// Returns a kernel's findings, and the witnesses of its hazards.
fn findings(name: &str) -> (Vec<String>, Vec<String>) {
    let (kernel, launch, memory, _) = prepared("racecheck", name).unwrap_or_else(|fault| panic!("{name}: {fault}"));
    let control = Control::default().steps(1 << 28);
    let outcome = attempt(&kernel, &launch, &mut memory.clone(), &options(name), &control).unwrap();
    let mut said: Vec<String> = outcome.fault.iter().map(|fault| name_of(fault.kind)).collect();
    let mut shown = Vec::new();
    for hazard in &outcome.run.hazards {
        said.push(format!(
            "{} {} {} {}>{}",
            name_of(hazard.kind).to_uppercase(),
            name_of(hazard.space),
            name_of(hazard.severity),
            hazard.first.place.line,
            hazard.second.place.line
        ));
        shown.push(match witness(&kernel, &launch, &memory, hazard, &control) {
            Ok(found) => {
                let what = if found.stays { "stays" } else { "read" };
                format!("{}: {:#x} {what}, not {:#x}", found.way, found.wrong, found.right)
            }
            Err(why) => why.to_string(),
        });
    }
    let undefined = outcome.run.undefined.iter();
    said.extend(undefined.map(|found| format!("undefined {} {}", found.rule.name(), found.place.line)));
    (said, shown)
}

fn options(name: &str) -> Options {
    Options {
        measure: Measure::All,
        global_hazards: true,
        step_budget: Some(1 << 20),
        fault_on_uninitialised_shared: name == "uninitialised_shared",
        fault_on_uninitialised_local: name.ends_with("_local") || name.starts_with("local_"),
        threads: Some(2),
        follow_unwritten: true,
        ..Options::default()
    }
}

#[test]
fn each_kernels_hazards_are_those_of_the_table() {
    let path = format!("{}/tests/fixtures/racecheck/table.yaml", env!("CARGO_MANIFEST_DIR"));
    let table: BTreeMap<String, Row> = serde_yaml::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let names = names("racecheck");
    assert_eq!(names, table.keys().cloned().collect::<Vec<_>>());
    assert_eq!(names.len(), 95, "README.md states this number");
    let mut wrong = Vec::new();
    for (name, row) in &table {
        let found = findings(name);
        if found != (row.ours.clone(), row.shown.clone()) {
            wrong.push(format!(
                "{name}:\n    table: {:?}\n    found: {:?}\n    table: {:?}\n    found: {:?}",
                row.ours, found.0, row.shown, found.1
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
