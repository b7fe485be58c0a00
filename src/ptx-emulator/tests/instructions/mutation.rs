//! No PTX makes the parser, the loader or a run panic, and none runs longer than its steps allow.

use crate::statements::rows;
use proptest::prelude::*;
use ptx_emulator::{Arg, Control, Launch, Measure, Memory, Module, Options, attempt, witness};
use std::sync::LazyLock;

/// Returns the PTX of the `racecheck` kernels, which NVRTC compiled.
fn compiled_texts() -> Vec<String> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/racecheck");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files.retain(|path| path.extension().is_some_and(|e| e == "ptx"));
    assert!(!files.is_empty());
    files.iter().map(|path| std::fs::read_to_string(path).unwrap()).collect()
}

/// The seed is in `.cargo/config.toml`.
fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

/// Loads PTX and, if that works, all its kernels.
fn load(text: &str) {
    if let Ok(module) = Module::parse(text) {
        for name in module.kernels().map(str::to_owned).collect::<Vec<_>>() {
            let error = module.kernel(&name).err();
            assert!(error.is_none_or(|error| error.kind != ptx_emulator::LoadErrorKind::Internal), "{text}");
        }
    }
}

static WORDS: LazyLock<Vec<&str>> = LazyLock::new(|| rows(include_str!("mutation/words.txt")));

proptest! {
    #![proptest_config(config(96))]

    #[test]
    fn a_damaged_text_is_told_or_runs_but_never_panics(
        which in 0usize..64,
        cuts in prop::collection::vec((any::<prop::sample::Index>(), 0usize..40, 0usize..WORDS.len(), any::<u8>()), 1..6),
    ) {
        let texts = compiled_texts();
        let mut bytes = texts[which % texts.len()].clone().into_bytes();
        for (at, length, word, byte) in cuts {
            let at = at.index(bytes.len());
            let end = (at + length).min(bytes.len());
            let insert = if byte % 3 == 0 { vec![byte] } else { WORDS[word].as_bytes().to_vec() };
            bytes.splice(at..end, insert);
        }
        load(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn any_bytes_are_told_but_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        load(&String::from_utf8_lossy(&bytes));
        load(&format!(".version 8.0 .entry k() {{ {} }}", String::from_utf8_lossy(&bytes)));
    }
}

/// Bodies of kernels that race, spin, wait, call functions, or run for long.
static BODIES: LazyLock<Vec<&str>> = LazyLock::new(|| rows(include_str!("mutation/bodies.txt")));

/// Statements that the test inserts in place of words of [`BODIES`].
static STATEMENTS: LazyLock<Vec<&str>> = LazyLock::new(|| rows(include_str!("mutation/statements.txt")));

proptest! {
    #![proptest_config(config(3000))]

    #[test]
    fn whatever_a_text_does_runs_hazards_and_witnesses_end_with_the_steps(
        body in 0usize..BODIES.len(),
        grid in prop::sample::select(vec![1u32, 2, 5, i32::MAX as u32]),
        cuts in prop::collection::vec((any::<prop::sample::Index>(), 0usize..4, 0usize..STATEMENTS.len()), 0..5),
    ) {
        const STEPS: u64 = 10_000;
        let mut words: Vec<&str> = BODIES[body].split(' ').collect();
        for (at, length, word) in cuts {
            let at = at.index(words.len() + 1);
            let end = (at + length).min(words.len());
            words.splice(at..end, [STATEMENTS[word]]);
        }
        let text = format!(
            ".version 8.0\n.target sm_80\n.address_size 64\n.func f() {{ call f, (); }}\n.visible .entry k(.param .u64 m) {{\n\
            .reg .b32 %r<8>; .reg .b64 %rd<4>; .reg .pred %p<3>; .shared .align 16 .b32 flag; .shared .align 16 .b8 tile[1024];\n\
            ld.param.u64 %rd1, [m]; mov.u32 %r1, %tid.x; mov.u32 %r0, %ctaid.x; mul.wide.u32 %rd2, %r1, 4;\n\
            add.u64 %rd2, %rd2, %rd1; mov.u32 %r4, tile; mad.lo.u32 %r4, %r1, 4, %r4;\n{}\nret;\n}}\n",
            words.join(" ")
        );
        let Ok(kernel) = Module::parse(&text).and_then(|module| module.kernel("k")) else { return Ok(()) };
        let mut memory = Memory::new();
        let args = vec![Arg::Buffer(memory.add("m", &[1; 1024]))];
        let launch = Launch { grid: [grid, 1, 1], block: [64, 1, 1], args, ..Launch::default() };
        let options =
            Options { measure: Measure::All, global_hazards: grid < 8, threads: Some(1), ..Options::default() };
        let control = Control::default().steps(STEPS);
        let outcome = attempt(&kernel, &launch, &mut memory.clone(), &options, &control).unwrap();
        // A basic block always runs to its end.
        let most = STEPS + kernel.instructions();
        prop_assert!(outcome.run.stats.warp_instructions <= most, "{}: {:?}", text, outcome.run.stats);
        let used = control.used();
        prop_assert!(used <= STEPS && (outcome.fault.is_some() || used >= outcome.run.stats.warp_instructions), "{}", used);
        for hazard in &outcome.run.hazards {
            let before = control.used();
            let found = witness(&kernel, &launch, &memory, hazard, &control);
            prop_assert!(before < STEPS || found.is_err(), "{}", text);
        }
        prop_assert!(control.used() <= STEPS);
    }
}
