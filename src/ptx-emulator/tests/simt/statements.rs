//! Single statements with the value that a GPU computes, or the reason why they are refused
//! (`tests/fixtures/statements.txt`).

use ptx_emulator::{Arg, Control, Fault, FaultKind, Launch, Memory, Module, Options, run};

/// Returns the PTX of a case, which stores its value in the first word of the buffer.
fn text(case: &str) -> String {
    let (before, body) = case.split_once('|').filter(|(before, _)| before.starts_with('.')).unwrap_or(("", case));
    format!(
        ".version 8.0\n.target sm_90\n.address_size 64\n{before}\n.visible .entry k(.param .u64 out)\n{{\n\
        .reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %r<19>; .reg .b64 %rd<19>; .reg .f32 %f<19>; .reg .f64 %fd<9>;\n\
        ld.param.u64 %rd18, [out]; mov.u32 %r2, 40; mov.u32 %r1, 0; setp.eq.u32 %p1, %r2, 40;\n\
        {body}\nst.global.u32 [%rd18], %r1;\nret;\n}}\n"
    )
}

fn value(case: &str) -> Result<u32, Fault> {
    let kernel = Module::parse(&text(case))?.kernel("k")?;
    let mut memory = Memory::new();
    let out = memory.add("out", &[0; 4]);
    let launch = Launch { grid: [1; 3], block: [1; 3], args: vec![Arg::Buffer(out)], ..Launch::default() };
    run(&kernel, &launch, &mut memory, &Options::default(), &Control::default())?;
    let bytes = memory.read(out);
    Ok(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
}

#[test]
fn statements_give_the_values_or_messages_that_are_noted() {
    let path = format!("{}/fixtures/statements.txt", env!("CARGO_MANIFEST_DIR"));
    let cases = std::fs::read_to_string(path).unwrap();
    let cases: Vec<&str> = cases.lines().filter(|line| !line.starts_with('#') && !line.is_empty()).collect();
    let mut wrong = Vec::new();
    for line in &cases {
        // The value or message follows the last `=` or `!` that is surrounded by spaces.
        let (at, mark) =
            ["=", "!"].into_iter().filter_map(|m| line.rfind(&format!(" {m} ")).map(|at| (at, m))).max().unwrap();
        let (case, wanted) = (&line[..at], &line[at + 3..]);
        match (mark, value(case)) {
            ("=", Ok(value)) if wanted == value.to_string() => {}
            ("!", Err(fault)) if fault.kind == FaultKind::Parse && fault.message.contains(wanted) && fault.line > 0 => {
            }
            (_, found) => wrong.push(format!("{line}: {}", found.map_or_else(|f| f.message, |v| v.to_string()))),
        }
    }
    assert!(cases.len() > 60 && wrong.is_empty(), "{} of {}:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}
