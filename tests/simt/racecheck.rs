//! The kernels of `tests/fixtures/racecheck`: what is found in each, against the table that also has what NVIDIA's
//! tools find.

use matmul_tutor::simt::{
    Arg, Control, Fault, HazardKind, HazardSeverity, HazardSpace, Launch, Measure, Memory, Module, Options, Run, run,
};
use serde::Deserialize;
use std::collections::BTreeMap;

/// Words of each buffer.
pub(crate) const WORDS: u32 = 4096;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    /// What the tools of NVIDIA say, in words.
    #[expect(dead_code, reason = "for the reader")]
    nvidia: String,
    /// What we say: `KIND space severity first-line>second-line`, or the kind of a fault.
    ours: Vec<String>,
    /// Who is right, and why.
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
        Launch { grid: [number("grid"), 1, 1], block: [number("block"), 1, 1], dynamic_shared: 0, args: Vec::new() };
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

/// Runs a kernel of the fixtures; gives the words of `out` too.
pub(crate) fn launch(folder: &str, name: &str, options: &Options) -> Result<(Vec<u32>, Run), Fault> {
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
    let run = run(&kernel, &launch, &mut memory, options, &Control::default())?;
    let words = memory.read(out).chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect();
    Ok((words, run))
}

fn said(outcome: &Result<(Vec<u32>, Run), Fault>) -> Vec<String> {
    match outcome {
        Err(fault) => vec![serde_json::to_value(fault.kind).unwrap().as_str().unwrap().to_owned()],
        Ok((_, run)) => run
            .hazards
            .iter()
            .map(|hazard| {
                let kind = match hazard.kind {
                    HazardKind::Raw => "RAW",
                    HazardKind::War => "WAR",
                    HazardKind::Waw => "WAW",
                };
                let space = match hazard.space {
                    HazardSpace::Shared => "shared",
                    HazardSpace::Global => "global",
                };
                let severity = match hazard.severity {
                    HazardSeverity::Error => "error",
                    HazardSeverity::Warning => "warning",
                };
                format!("{kind} {space} {severity} {}>{}", hazard.first.place.line, hazard.second.place.line)
            })
            .collect(),
    }
}

fn options(name: &str) -> Options {
    Options {
        measure: Measure::All,
        global_hazards: true,
        step_budget: Some(1 << 20),
        fault_on_uninitialised_shared: name == "uninitialised_shared",
        threads: Some(2),
        ..Options::default()
    }
}

#[test]
fn what_is_found_in_each_kernel_is_what_the_table_says() {
    let path = format!("{}/tests/fixtures/racecheck/table.yaml", env!("CARGO_MANIFEST_DIR"));
    let table: BTreeMap<String, Row> = serde_yaml::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let names = names("racecheck");
    assert_eq!(names, table.keys().cloned().collect::<Vec<_>>());
    let mut wrong = Vec::new();
    for (name, row) in &table {
        let outcome = launch("racecheck", name, &options(name));
        let found = said(&outcome);
        if found != row.ours {
            let why = outcome.err().map(|fault| fault.message);
            wrong.push(format!("{name}:\n    table: {:?}\n    found: {found:?} {}", row.ours, why.unwrap_or_default()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
