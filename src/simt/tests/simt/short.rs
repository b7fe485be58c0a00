//! PTX with 32-bit addresses must give the same results as with 64-bit addresses.

use ptx_emulator::{Arg, Control, Fault, FaultKind, Launch, Memory, Module, Options, run};

/// Accesses every state space by its own and by generic addresses. `P` is replaced by the bits of an address, `CVT`
/// by the conversion of an offset to an address.
const TEXT: &str = "
    .version 7.0 .target sm_80 .address_size P
    .const .u32 factors[4] = { 2, 3, 5, 7 };
    .global .u32 table[4] = { 11, 13, 17, 19 };
    .global .bP third = generic(table)+8;
    .global .u32 counter;
    .visible .entry k(.param .uP out, .param .uP in, .param .u32 bias)
    {
        .reg .bP %a<20>; .reg .b32 %r<20>; .reg .pred %p<3>;
        .shared .u32 tile[32]; .local .u32 own[2];
        ld.param.uP %a1, [out]; ld.param.uP %a2, [in]; ld.param.u32 %r1, [bias];
        cvta.to.global.uP %a1, %a1;
        mov.u32 %r2, %tid.x; mul.lo.u32 %r3, %r2, 4; CVT %a3, %r3;
        add.uP %a4, %a2, %a3; ld.u32 %r4, [%a4]; add.u32 %r4, %r4, %r1;

        mov.uP %a5, tile; add.uP %a6, %a5, %a3; st.shared.u32 [%a6], %r4;
        bar.sync 0;
        cvta.shared.uP %a7, %a6; isspacep.shared %p1, %a7; xor.b32 %r5, %r2, 1;
        mul.lo.u32 %r6, %r5, 4; CVT %a8, %r6; add.uP %a9, %a5, %a8; cvta.shared.uP %a10, %a9;
        ld.u32 %r7, [%a10];

        mov.uP %a11, own; cvta.local.uP %a12, %a11; st.u32 [%a12+4], %r7; ld.local.u32 %r8, [own+4];
        @!%p1 add.u32 %r8, %r8, 1000;

        and.b32 %r9, %r2, 3; mul.lo.u32 %r9, %r9, 4; CVT %a13, %r9;
        mov.uP %a14, factors; add.uP %a14, %a14, %a13; ld.const.u32 %r10, [%a14];
        ld.global.bP %a15, [third]; ld.u32 %r11, [%a15+-4];
        mad.lo.u32 %r12, %r8, %r10, %r11;

        mov.uP %a16, counter; atom.global.add.u32 %r13, [%a16], 1;
        add.uP %a17, %a1, %a3; st.global.u32 [%a17], %r12;
        bar.sync 0;
        setp.eq.u32 %p2, %r2, 0; @%p2 ld.global.u32 %r14, [counter]; @%p2 st.global.u32 [%a1+128], %r14;
        ret;
    }";

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
