//! Asynchronous copies, `mbarrier` objects, tensor maps, clusters.

mod bulk;
mod clusters;
mod copies;
mod forms;
mod h200;
mod mbarriers;
mod tiles;

use ptx_emulator::{Arg, BufferId, Control, Fault, Kernel, Launch, Memory, Module, Options, Run, run};

/// Creates a kernel `k` with the parameter `out` (in `%rd0`), registers of every kind, and this body.
pub(crate) fn assemble(body: &str) -> Result<Kernel, Fault> {
    let text = format!(
        ".version 8.6\n.target sm_90a\n.address_size 64\n\
         .extern .shared .align 1024 .b8 dynamic[];\n\
         .visible .entry k(.param .u64 out) {{\n\
         .reg .b64 %rd<40>; .reg .b32 %r<40>; .reg .pred %p<20>; .reg .b16 %h<8>; .reg .f32 %f<8>;\n\
         .shared .align 128 .b8 data[4096]; .shared .align 8 .b64 bar[8];\n\
         ld.param.u64 %rd0, [out]; mov.u32 %r0, %tid.x;\n{body}\nret;\n}}"
    );
    Ok(Module::parse(&text)?.kernel("k")?)
}

/// Runs a body on a buffer.
pub(crate) fn go(body: &str, threads: u32, out: &[u8], options: &Options) -> Result<(Vec<u8>, Run), Fault> {
    let kernel = assemble(body)?;
    let mut memory = Memory::new();
    let id = memory.add("out", out);
    let run = launch(&kernel, &mut memory, threads, id, options)?;
    Ok((memory.read(id).to_vec(), run))
}

pub(crate) fn launch(
    kernel: &Kernel,
    memory: &mut Memory,
    threads: u32,
    out: BufferId,
    options: &Options,
) -> Result<Run, Fault> {
    let launch = Launch { grid: [1; 3], block: [threads, 1, 1], args: vec![Arg::Buffer(out)], ..Launch::default() };
    run(kernel, &launch, memory, options, &Control::default())
}

pub(crate) fn words(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect()
}

/// Loads a kernel from a PTX file next to these tests.
pub(crate) fn fixture(file: &str, name: &str) -> Kernel {
    let path = format!("{}/simt/asynch/{file}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
    Module::parse(&text).and_then(|module| module.kernel(name)).unwrap_or_else(|fault| panic!("{file}: {fault}"))
}
