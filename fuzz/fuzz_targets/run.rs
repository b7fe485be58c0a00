//! Any bytes, read as a PTX text; what loads is run on small buffers for some steps, with everything measured.
#![no_main]

use libfuzzer_sys::fuzz_target;
use matmul_tutor::simt::{Arg, Control, Launch, Measure, Memory, Module, Options, run};

/// Registers for the body of a kernel that has none of its own.
const KERNEL: &str = ".version 8.0 .target sm_90a .address_size 64 .visible .entry k(.param .u64 a, .param .u32 n) {\n\
    .reg .pred %p<9>; .reg .b16 %rs<9>; .reg .b32 %r<19>; .reg .b64 %rd<9>; .reg .f32 %f<19>; .reg .f64 %fd<9>;\n\
    .shared .align 16 .b8 room[2048]; ld.param.u64 %rd1, [a]; ld.param.u32 %r1, [n]; mov.u32 %r2, %tid.x;\n";

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    run_all(&text);
    run_all(&format!("{KERNEL}{text}\nret; }}"));
});

fn run_all(text: &str) {
    let Ok(module) = Module::parse(text) else { return };
    for kernel in module.kernels().filter_map(|name| module.kernel(name).ok()) {
        let mut memory = Memory::new();
        let buffer = memory.add("buffer", &[0x3f; 4096]);
        let argument = |bytes| match bytes {
            4 => Arg::U32(16),
            _ => Arg::Buffer(buffer),
        };
        let args = kernel.params().iter().map(|param| argument(param.bytes)).collect();
        let launch = Launch { grid: [2, 1, 1], block: [48, 1, 1], dynamic_shared: 1024, args };
        let options = Options {
            measure: Measure::All,
            global_hazards: true,
            step_budget: Some(4000),
            threads: Some(1),
            ..Options::default()
        };
        let _ = run(&kernel, &launch, &mut memory, &options, &Control::default());
    }
}
