//! Small kernels in families of faults that irregular programs have: a missing atomic, barrier, fence or guard. Each
//! fault has a correct kernel next to it. All kernels run on three graphs, in five launches each.
//!
//! The detector must report each kernel with a fault in every run in which two threads race, and nothing in all others.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use ptx_emulator::{
    Arg, Control, Hazard, HazardSeverity, Launch, Measure, Memory, Module, Options, Schedule, Undefined, run,
};

/// The runs in which a kernel has a race.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Races {
    Never,
    /// In every launch, and on every graph.
    Always,
    /// Only if a block has two warps or more.
    Warps,
    /// Only if a block has more than two warps.
    FourWarps,
    /// Only if the grid has two warps or more.
    Many,
    /// Only with two blocks or more.
    Blocks,
    /// Only on graphs where two vertices have a common neighbour.
    Shared,
    /// Only equal values are stored.
    Equal,
}

struct Kernel {
    family: String,
    name: String,
    body: String,
    races: Races,
}

use Races::{Always, Blocks, Equal, FourWarps, Many, Never, Shared, Warps};

/// Returns the kernels.
///
/// `%r0` is the thread's number in the grid, `%r1` in its block, `%r2` the number of threads, `%r3` the block's number.
/// `%rd0` points to `out`, `%rd4` to the thread's word there, `%rd5` to its value. `EDGES { … }` runs for each
/// neighbour, with its number in `%r10`, and `%rd10` and `%rd11` pointing to its word and its value.
fn kernels() -> Vec<Kernel> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/races.txt");
    let text = std::fs::read_to_string(path).unwrap();
    let mut all: Vec<Kernel> = Vec::new();
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        match line.strip_prefix("    ") {
            Some(code) => {
                let body = &mut all.last_mut().unwrap().body;
                *body += code;
                *body += "\n";
            }
            None => {
                let [family, name, races]: [&str; 3] = line.split(' ').collect::<Vec<_>>().try_into().unwrap();
                let races = [Never, Always, Warps, FourWarps, Many, Blocks, Shared, Equal]
                    .into_iter()
                    .find(|of| format!("{of:?}") == races)
                    .unwrap();
                all.push(Kernel { family: family.to_owned(), name: name.to_owned(), body: String::new(), races });
            }
        }
    }
    all
}

/// Blocks and threads per block.
const LAUNCHES: [[u32; 2]; 5] = [[1, 32], [1, 64], [1, 256], [8, 32], [16, 64]];

/// The graph without cycles.
const DAG: usize = 3;

/// Returns the neighbours of each vertex: the next one only, a hub and the next one, random ones, or two later ones.
fn graph(shape: usize, n: u32) -> Vec<Vec<u32>> {
    let neighbours = |v: u32| match shape {
        0 => vec![(v + 1) % n],
        1 => vec![0, (v + 1) % n],
        DAG => (1..3).map(|edge| v + edge + v % 7).filter(|to| *to < n).collect(),
        _ => (1..4).map(|edge| (v * 3 + edge).wrapping_mul(2_654_435_761) >> 7).map(|random| random % n).collect(),
    };
    (0..n).map(neighbours).collect()
}

/// Replaces the words in capitals by code.
fn expanded(body: &str) -> String {
    let mut text = body.to_owned();
    let mut braces = |word: &str| -> Option<Vec<String>> {
        let at = text.find(word)?;
        let rest = text[at + word.len()..].to_owned();
        let mut parts = Vec::new();
        let mut left = rest.trim_start();
        while let Some(inner) = left.strip_prefix('{') {
            let end = inner.find(" }").unwrap();
            parts.push(inner[..end].to_owned());
            left = inner[end + 2..].trim_start();
        }
        let after = left.to_owned();
        text = format!("{}@@{after}", &text[..at]);
        Some(parts)
    };
    let code = if let Some(parts) = braces("EDGES") {
        format!(
            "mul.wide.u32 %rd12, %r0, 4; add.u64 %rd12, %rd2, %rd12; ld.global.u32 %r11, [%rd12]; ld.global.u32 %r12, [%rd12+4];\n\
            LOOP: setp.ge.u32 %p1, %r11, %r12; @%p1 bra OVER; mul.wide.u32 %rd12, %r11, 4; add.u64 %rd12, %rd3, %rd12;\n\
            ld.global.u32 %r10, [%rd12]; mul.wide.u32 %rd12, %r10, 4; add.u64 %rd10, %rd0, %rd12; add.u64 %rd11, %rd1, %rd12;\n\
            {} add.u32 %r11, %r11, 1; bra LOOP; OVER:",
            parts[0]
        )
    } else if let Some(parts) = braces("HALVE") {
        format!(
            "mov.u32 %r8, %ntid.x; STEP: shr.u32 %r8, %r8, 1; setp.eq.u32 %p1, %r8, 0; @%p1 bra OVER; {}\n\
            setp.ge.u32 %p2, %r1, %r8; @%p2 bra SKIP; mul.wide.u32 %rd7, %r8, 4; add.u64 %rd7, %rd6, %rd7;\n\
            ld.global.u32 %r5, [%rd7]; ld.global.u32 %r6, [%rd6]; add.u32 %r5, %r5, %r6; st.global.u32 [%rd6], %r5;\n\
            SKIP: bra STEP; OVER:",
            parts[0]
        )
    } else if let Some(parts) = braces("TICKET") {
        format!(
            "setp.ne.u32 %p0, %r1, 0; @%p0 bra END; mul.wide.u32 %rd6, %r3, 4; add.u64 %rd6, %rd0, %rd6;\n\
            st.global.u32 [%rd6], %r3; {} atom.global.add.u32 %r4, [%rd0+128], 1; mov.u32 %r5, %nctaid.x; sub.u32 %r5, %r5, 1;\n\
            setp.ne.u32 %p0, %r4, %r5; @%p0 bra END; {} add.u32 %r6, %r3, 1; mov.u32 %r5, %nctaid.x; rem.u32 %r6, %r6, %r5;\n\
            mul.wide.u32 %rd6, %r6, 4; add.u64 %rd6, %rd0, %rd6; ld.global.u32 %r6, [%rd6]; st.global.u32 [%rd0+256], %r6; END:",
            parts[0], parts[1]
        )
    } else {
        String::new()
    };
    let spin = |load: &str| {
        format!(
            "LAST: setp.ne.u32 %p0, %r3, %r14; @%p0 bra END; WAIT: {load} %r5, [%rd0+128]; setp.eq.u32 %p1, %r5, 0; @%p1 bra WAIT;"
        )
    };
    text.replace("@@", &code)
        .replace("PUBLISH", "setp.ne.u32 %p0, %r1, 0; @%p0 bra END; mov.u32 %r9, 1; mov.u32 %r14, %nctaid.x; sub.u32 %r14, %r14, 1;\n\
            setp.ne.u32 %p0, %r3, 0; @%p0 bra LAST; st.global.u32 [%rd0], %r14;")
        .replace("AWAIT_ACQUIRE", &spin("ld.acquire.gpu.global.u32"))
        .replace("AWAIT", &spin("ld.relaxed.gpu.global.u32"))
        .replace("DONE", "ld.global.u32 %r6, [%rd0]; END:")
        .replace("OWN", "mov.u32 %r7, %ntid.x; mul.lo.u32 %r7, %r7, %r3; mul.wide.u32 %rd8, %r7, 4; add.u64 %rd8, %rd0, %rd8;\n\
            mul.wide.u32 %rd6, %r1, 4; add.u64 %rd6, %rd6, %rd8;")
        .replace("OTHER", "mov.u32 %r7, %ntid.x; sub.u32 %r7, %r7, %r1; sub.u32 %r7, %r7, 1; mul.wide.u32 %rd7, %r7, 4; add.u64 %rd7, %rd7, %rd8;")
}

/// Places of counters and results, which must be behind the words of all threads: in small launches, and in large ones.
const PLACES: [[&str; 2]; 3] = [["+128]", "+8388608]"], ["+256]", "+8388864]"], ["+65536]", "+4194304]"]];

/// Runs a kernel on a graph with a vertex for each of the first `n` threads. The others end at once.
fn hazards(kernel: &Kernel, shape: usize, [grid, block]: [u32; 2], n: u32) -> Vec<Hazard> {
    let mut body = expanded(&kernel.body);
    if grid * block > 4096 {
        PLACES.iter().for_each(|[small, large]| body = body.replace(small, large));
    }
    if n < grid * block {
        body = format!("setp.ge.u32 %p0, %r0, {n}; @%p0 ret;\n{body}");
    }
    let text = format!(
        ".version 8.0\n.target sm_90\n.address_size 64\n\
        .visible .entry k(.param .u64 out, .param .u64 value, .param .u64 first, .param .u64 edges)\n{{\n\
        .shared .align 128 .b8 s[1024]; .shared .align 8 .b64 m; .reg .b16 %h<4>; .reg .b32 %r<20>; .reg .b64 %rd<16>; .reg .pred %p<4>;\n\
        ld.param.u64 %rd0, [out]; ld.param.u64 %rd1, [value]; ld.param.u64 %rd2, [first]; ld.param.u64 %rd3, [edges];\n\
        mov.u32 %r1, %tid.x; mov.u32 %r3, %ctaid.x; mov.u32 %r4, %ntid.x; mad.lo.u32 %r0, %r3, %r4, %r1;\n\
        mov.u32 %r5, %nctaid.x; mul.lo.u32 %r2, %r4, %r5; mul.wide.u32 %rd4, %r0, 4; add.u64 %rd5, %rd1, %rd4; add.u64 %rd4, %rd0, %rd4;\n\
        {body}\nret;\n}}\n"
    );
    let loaded = Module::parse(&text).and_then(|module| module.kernel("k"));
    let loaded = loaded.unwrap_or_else(|error| panic!("{} {}: {error}\n{text}", kernel.family, kernel.name));
    let edges = graph(shape, n);
    let words = |all: Vec<u32>| all.into_iter().flat_map(u32::to_le_bytes).collect::<Vec<u8>>();
    let mut first = vec![0];
    edges.iter().for_each(|of| first.push(first[first.len() - 1] + of.len() as u32));
    let mut memory = Memory::new();
    let args = vec![
        Arg::Buffer(memory.add_zeros("out", 1 << 24).unwrap()),
        Arg::Buffer(memory.add("value", &words((0..n).collect()))),
        Arg::Buffer(memory.add("first", &words(first))),
        Arg::Buffer(memory.add("edges", &words(edges.concat()))),
    ];
    let launch = Launch { grid: [grid, 1, 1], block: [block, 1, 1], args, ..Launch::default() };
    let options = Options {
        measure: Measure::All,
        global_hazards: true,
        schedule: Schedule::Seeded(u64::from(grid + block) + shape as u64),
        follow_unwritten: true,
        ..Options::default()
    };
    let run = run(&loaded, &launch, &mut memory, &options, &Control::default());
    let run = run.unwrap_or_else(|fault| panic!("{} {} {grid}x{block}: {fault}", kernel.family, kernel.name));
    assert!(!run.undefined.iter().any(Undefined::is_error), "{} {}: {:?}", kernel.family, kernel.name, run.undefined);
    run.hazards
}

#[test]
fn every_race_is_reported_and_no_other() {
    let kernels = kernels();
    let (found, racy, clean) = score(&kernels, &[0, 1, 2], &LAUNCHES, None);
    assert_eq!((kernels.len(), found, racy, clean), (93, 667, 667, 728), "README.md states these numbers");
}

#[test]
fn so_is_every_race_of_a_hundred_threads_among_many() {
    let irregular = ["counter", "worklist", "push", "pull", "path", "histogram", "lanes", "equal"];
    let kernels: Vec<Kernel> =
        kernels().into_iter().filter(|kernel| irregular.contains(&kernel.family.as_str())).collect();
    let (found, racy, clean) = score(&kernels, &[DAG], &[[1024, 256]], Some(100));
    assert_eq!((kernels.len(), found, racy, clean), (37, 21, 21, 16), "README.md states these numbers");
}

/// Runs kernels on each graph, with all threads or only the first ones. Returns the number of racy runs with a report, of all racy runs, and of race-free runs.
///
/// # Panics
/// If a race-free run has a report.
fn score(kernels: &[Kernel], graphs: &[usize], launches: &[[u32; 2]], threads: Option<u32>) -> (usize, usize, usize) {
    let (mut found, mut racy, mut clean, mut wrong) = (0, 0, 0, Vec::new());
    for kernel in kernels {
        for &shape in graphs {
            for &launch in launches {
                let races = match kernel.races {
                    Never => false,
                    Always | Equal => true,
                    Warps => launch[1] > 32,
                    FourWarps => launch[1] > 64,
                    Many => launch[0] * launch[1] > 32,
                    Blocks => launch[0] > 1,
                    Shared => shape != 0,
                };
                let hazards = hazards(kernel, shape, launch, threads.unwrap_or(launch[0] * launch[1]));
                racy += usize::from(races);
                clean += usize::from(!races);
                found += usize::from(races && !hazards.is_empty());
                let equal = hazards.iter().all(|hazard| hazard.severity == HazardSeverity::SameValue);
                let may_be_equal = kernel.races == Equal || kernel.name == "flag";
                if hazards.is_empty() == races || equal && !hazards.is_empty() && !may_be_equal {
                    wrong.push(format!("{} {}, graph {shape}, {launch:?}: {hazards:?}", kernel.family, kernel.name));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{found} of {racy} found, {clean} without a race:\n{}", wrong.join("\n"));
    (found, racy, clean)
}
