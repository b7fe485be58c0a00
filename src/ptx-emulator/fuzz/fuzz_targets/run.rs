//! Loads any text, and runs its kernels on small buffers for a limited number of steps: once as usual, with hazards and
//! witnesses, and once without fused instructions. Both runs must have the same result and stay within the limit.
#![no_main]

use libfuzzer_sys::{fuzz_crossover, fuzz_mutator, fuzz_target, fuzzer_mutate};
use ptx_emulator::{
    Arg, Control, Element, Kernel, Launch, Measure, Memory, Module, Options, Schedule, TensorMap, attempt, witness,
};
use ptx_emulator_fuzz::{cross, mutate};

/// Registers for a text that is the body of a kernel.
const KERNEL: &str = ".version 8.0 .target sm_90a .address_size 64\n\
    .func (.reg .b32 y) f (.reg .b32 x) { add.u32 y, x, 1; ret; }\n\
    .visible .entry k(.param .u64 a, .param .u32 n) {\n\
    .reg .pred %p<9>; .reg .b16 %rs<9>; .reg .b32 %r<19>; .reg .b64 %rd<9>; .reg .f32 %f<19>; .reg .f64 %fd<9>;\n\
    .shared .align 16 .b8 room[2048]; ld.param.u64 %rd1, [a]; ld.param.u32 %r1, [n]; mov.u32 %r2, %tid.x;\n";

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let choice = bytes.iter().fold(0u32, |sum, byte| sum.wrapping_mul(31).wrapping_add((*byte).into()));
    run_all(&text, choice);
    run_all(&format!("{KERNEL}{text}\nret; }}"), choice);
});

/// Maximum warp instructions of a launch, and of a launch with its witnesses.
const STEPS: [u64; 2] = [6000, 20_000];
/// Maximum number of hazards for which a witness is sought.
const HAZARDS: usize = 2;

fn run_all(text: &str, choice: u32) {
    let Ok(module) = Module::parse(text) else { return };
    for kernel in module.kernels().filter_map(|name| module.kernel(name).ok()).take(4) {
        let measure = [Measure::All, Measure::Counts, Measure::None][choice as usize % 3];
        let schedule = match choice / 3 % 3 {
            0 => Schedule::InOrder,
            1 => Schedule::RoundRobin,
            _ => Schedule::Priority(vec![1, 0]),
        };
        let options = Options {
            measure,
            schedule,
            global_hazards: choice & 64 != 0,
            fault_on_uninitialised_shared: choice & 128 != 0,
            threads: Some(1),
            ..Options::default()
        };
        let fused = outcome(&kernel, choice, &options);
        let plain = outcome(&kernel, choice, &Options { unfused: true, ..options });
        assert_eq!(fused, plain);
    }
}

/// Returns the result of a run: its buffer, and its counts and hazards, or its fault.
fn outcome(kernel: &Kernel, choice: u32, options: &Options) -> (Vec<u8>, String) {
    let mut memory = Memory::new();
    let buffer = memory.add("buffer", &[0x3f; 4096]);
    let fresh = memory.add_uninitialised("fresh", 4096);
    let mut buffers = [buffer, fresh].into_iter().cycle();
    let mut argument = |bytes| match bytes {
        4 => Some(Arg::U32(16)),
        8 => buffers.next().map(Arg::Buffer),
        128 => {
            TensorMap::tiled(memory.address(buffer), Element::F32, &[16, 16], &[64], &[16, 8]).ok().map(Arg::TensorMap)
        }
        _ => None,
    };
    let Some(args) = kernel.params().iter().map(|param| argument(param.bytes)).collect() else {
        return Default::default();
    };
    let grid = if choice & 256 == 0 { [2, 1, 1] } else { [4, 1, 1] };
    let launch = Launch { grid, block: [48, 1, 1], dynamic_shared: 1024, args, ..Launch::default() };
    let control = Control::default().steps(STEPS[usize::from(choice & 512 != 0)]);
    let before = memory.clone();
    let outcome = match attempt(kernel, &launch, &mut memory, options, &control) {
        Ok(outcome) => outcome,
        Err(fault) => return (Vec::new(), format!("{fault:?}")),
    };
    let run = outcome.run;
    assert!(run.stats.warp_instructions <= control.used() || outcome.fault.is_some());
    let tried = run.hazards.iter().take(HAZARDS);
    let witnesses: Vec<_> = tried.map(|hazard| witness(kernel, &launch, &before, hazard, &control)).collect();
    assert!(control.used() <= STEPS[1]);
    let told = match outcome.fault {
        Some(fault) => format!("{fault:?} {:?} {witnesses:?}", run.hazards),
        None => {
            let stats = (run.stats.warp_instructions, run.stats.thread_instructions);
            format!("{:?} {:?} {:?} {stats:?} {witnesses:?}", run.counts, run.hazards, run.output)
        }
    };
    (memory.read(buffer).to_vec(), told)
}

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    if seed % 8 == 0 { fuzzer_mutate(data, size, max_size) } else { mutate(data, size, max_size, seed) }
});

fuzz_crossover!(|first: &[u8], second: &[u8], out: &mut [u8], seed: u32| { cross(first, second, out, seed) });
