//! PTX with 32-bit addresses must give the same results as with 64-bit addresses.

use ptx_emulator::{Arg, Control, Fault, FaultKind, Launch, Memory, Module, Options, run};

/// Accesses every state space by its own and by generic addresses. `P` is replaced by the bits of an address, `CVT`
/// by the conversion of an offset to an address.
const TEXT: &str = include_str!("short.ptx");

fn give(bits: u32) -> Result<Vec<u32>, Fault> {
    let convert = if bits == 64 { "cvt.u64.u32" } else { "mov.b32" };
    let text = TEXT.replace("CVT", convert).replace('P', &bits.to_string());
    let kernel = Module::parse(&text)?.kernel("k")?;
    let mut memory = Memory::new();
    let input: Vec<u8> = (0..32u32).flat_map(|n| (n * n).to_le_bytes()).collect();
    let (out, input) = (memory.add("out", &[0; 132]), memory.add("in", &input));
    let args = vec![Arg::Buffer(out), Arg::Buffer(input), Arg::U32(100)];
    let launch = Launch { grid: [1; 3], block: [32, 1, 1], args, ..Launch::default() };
    run(&kernel, &launch, &mut memory, &Options::default(), &Control::default())?;
    Ok(memory.read(out).chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect())
}

#[test]
fn every_space_is_reached_by_addresses_of_32_bits_as_by_those_of_64() {
    let factors = [2, 3, 5, 7];
    let wanted: Vec<u32> = (0..32u32).map(|n| ((n ^ 1).pow(2) + 100) * factors[n as usize % 4] + 13).collect();
    for bits in [64, 32] {
        let found = give(bits).unwrap();
        assert_eq!(found[..32], wanted, "{bits}");
        assert_eq!(found[32], 32, "{bits}");
    }
}

fn fault_of(body: &str) -> Fault {
    let text = format!(
        ".version 7.0\n.target sm_80\n.address_size 32\n.visible .entry k(.param .u32 out)\n{{\n\
        .reg .b32 %r<9>; .reg .b64 %x<9>; .shared .align 16 .b8 tile[16];\nld.param.u32 %r1, [out];\n{body}\nret; }}"
    );
    let kernel = match Module::parse(&text).and_then(|module| module.kernel("k")) {
        Ok(kernel) => kernel,
        Err(error) => return error.into(),
    };
    let mut memory = Memory::new();
    memory.add("before", &[0; 8]);
    let out = memory.add("out", &[0; 8]);
    let launch = Launch { grid: [1; 3], block: [1; 3], args: vec![Arg::Buffer(out)], ..Launch::default() };
    run(&kernel, &launch, &mut memory, &Options::default(), &Control::default()).unwrap_err()
}

#[test]
fn an_access_outside_a_buffer_names_the_buffer() {
    let fault = fault_of("ld.global.u32 %r2, [%r1+8];");
    assert_eq!((fault.kind, fault.line), (FaultKind::OutOfBounds, 8));
    assert!(fault.message.contains("at byte 8 of buffer `out`"), "{fault}");
    let fault = fault_of("ld.u32 %r2, [%r1+-4];");
    assert!(fault.message.contains("at byte -4 of buffer `out`"), "{fault}");
    let fault = fault_of("mov.u32 %r3, 12; ld.u32 %r2, [%r3];");
    assert!(fault.message.contains("address 0xc"), "{fault}");
}

#[test]
fn code_that_needs_64_bit_addresses_is_refused_at_load() {
    for body in [
        "cp.async.ca.shared.global [tile], [%r1], 16;",
        "mov.u64 %x1, 0; ld.global.u32 %r2, [%x1];",
        "cvta.shared.u64 %x1, %x1;",
    ] {
        let fault = fault_of(body);
        assert!(matches!(fault.kind, FaultKind::Unsupported | FaultKind::Parse), "{body}: {fault}");
        assert_eq!(fault.line, 8, "{body}: {fault}");
    }
}
