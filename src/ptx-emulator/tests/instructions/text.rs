//! Untrusted PTX cannot put control characters into messages and source locations.

use ptx_emulator::{Arg, Control, FaultKind, Launch, LoadError, Measure, Memory, Module, Options, attempt};

/// Writes to the clipboard, sets colours, changes the text direction, hides letters.
const NASTY: &str = "src/x\u{1b}]52;c;ZXZpbA==\u{7}\u{9b}31m\u{202e}\u{2066}\u{200b}\u{feff}.cu";
const CLEAN: &str = "src/x\u{fffd}]52;c;ZXZpbA==\u{fffd}\u{fffd}31m\u{fffd}\u{fffd}\u{fffd}\u{fffd}.cu";

/// Threads of two warps race in line 7 of a file, and those of block 1 trap there.
fn raced(file: &str) -> ptx_emulator::Outcome {
    let text = format!(
        ".version 8.0\n.target sm_80\n.address_size 64\n.file 1 \"{file}\"\n.visible .entry k(.param .u64 out) {{\n\
        .reg .b64 %rd<2>; .reg .b32 %r<4>; .reg .pred %p<2>; .shared .align 4 .b32 word;\n\
        .loc 1 7 1\nmov.u32 %r0, %tid.x; st.shared.u32 [word], %r0; mov.u32 %r1, %ctaid.x;\n\
        setp.eq.u32 %p0, %r1, 1; @%p0 trap; ret;\n}}"
    );
    let kernel = Module::parse(&text).unwrap().kernel("k").unwrap();
    let mut memory = Memory::new();
    let out = memory.add("out", &[0; 4]);
    let launch = Launch { grid: [2, 1, 1], block: [64, 1, 1], args: vec![Arg::Buffer(out)], ..Launch::default() };
    let options = Options { measure: Measure::All, ..Options::default() };
    attempt(&kernel, &launch, &mut memory, &options, &Control::default()).unwrap()
}

#[test]
fn the_name_of_a_source_file_is_cleaned_where_it_is_read() {
    let outcome = raced(NASTY);
    let fault = outcome.fault.unwrap();
    assert_eq!((fault.kind, fault.file.as_str()), (FaultKind::Trap, CLEAN));
    assert!(fault.message.starts_with(&CLEAN[4..]), "{fault:?}");
    assert!(!outcome.run.hazards.is_empty());
    for hazard in &outcome.run.hazards {
        assert_eq!([&hazard.first, &hazard.second].map(|side| side.place.file.as_str()), [CLEAN; 2]);
    }
}

#[test]
fn the_name_of_a_source_file_has_an_end() {
    let outcome = raced(&"x".repeat(1_000_000));
    assert_eq!(outcome.fault.unwrap().file.chars().count(), 1025);
    assert_eq!(outcome.run.hazards[0].first.place.file.chars().count(), 1025);
}

#[test]
fn a_name_in_a_message_is_one_line_of_bounded_length() {
    let asked = |entry: &str| -> LoadError { Module::parse(".version 8.0").unwrap().kernel(entry).unwrap_err() };
    assert_eq!(
        asked("a\u{1b}[2J\n\u{202e}b").message,
        "There is no kernel `a\u{fffd}[2J\u{fffd}\u{fffd}b`: the PTX has no `.entry`."
    );
    assert!(asked(&"a".repeat(1 << 20)).message.chars().count() <= 4097);
    let word = "w".repeat(1 << 20);
    for text in [word.clone(), format!(".version 8.0\n{word}"), format!(".version 8.0\n.entry k() {{ {word} %r1; }}")] {
        let fault = Module::parse(&text).and_then(|module| module.kernel("k")).unwrap_err();
        assert!(fault.message.chars().count() <= 4097, "{} characters", fault.message.chars().count());
    }
}

#[test]
fn the_listing_of_the_readme_is_what_the_emulator_makes() {
    let read = |file: &str| std::fs::read_to_string(format!("{}/{file}", env!("CARGO_MANIFEST_DIR"))).unwrap();
    let listing = |text: &str, entry: &str| Module::parse(text).unwrap().kernel(entry).unwrap().listing().to_string();
    let readme = read("README.md");
    let (_, section) = readme.split_once("## The listing of a program").unwrap();
    let [_, shown, explained, ..] = section.split("```").collect::<Vec<_>>()[..] else { panic!("{section}") };
    let made = listing(&read("examples/transpose.ptx"), "tiled");
    assert!(made.contains(shown.trim_matches('\n')), "{made}");
    let diverges = listing(
        ".version 8.0\n.target sm_80\n.address_size 64\n.entry k() { .reg .pred %p; .reg .b32 %r; mov.u32 %r, %tid.x; \
        setp.eq.u32 %p, %r, 0; @%p bra A; add.u32 %r, %r, 1; A: add.u32 %r, %r, 2; ret; }",
        "k",
    );
    for name in ["Enter", "Reconverge", "InvalidatePattern", "Region"] {
        assert!(explained.contains(&format!("`{name}`")), "the README does not explain {name}");
        assert!(made.contains(name) || diverges.contains(name), "{name} is in neither listing");
    }
}

#[test]
fn a_text_may_end_with_the_zero_of_its_string() {
    assert!(Module::parse(".version 8.0\n.target sm_80\n.address_size 64\n.entry k() { ret; }\n\0").is_ok());
}
