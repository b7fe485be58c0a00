//! Tests that the device determines which launches are possible and what kernels see of it.

use ptx_emulator::{Arg, Control, Device, FaultKind, Launch, Memory, Module, Options, run};

const KERNEL: &str = ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 out) {\n\
    .reg .b64 %rd<8>; .reg .b32 %r<8>;\n\
    ld.param.u64 %rd0, [out]; mov.u32 %r0, %ctaid.x; mul.wide.u32 %rd1, %r0, 8; add.u64 %rd0, %rd0, %rd1;\n\
    mov.u32 %r1, %nsmid; mov.u32 %r2, %smid; st.global.v2.u32 [%rd0], {%r1, %r2};\nret;\n}";

/// Returns `%nsmid` and `%smid` of each block, or the fault's message.
fn attempt(device: Device, grid: u32, dynamic_shared: u64, cluster: Option<[u32; 3]>) -> Result<Vec<[u32; 2]>, String> {
    let kernel = Module::parse(KERNEL).unwrap().kernel("k").unwrap();
    let mut memory = Memory::new();
    let out = memory.add("out", &vec![0; 8 * grid as usize]);
    let launch = Launch {
        grid: [grid, 1, 1],
        block: [1, 1, 1],
        dynamic_shared,
        args: vec![Arg::Buffer(out)],
        ..Launch::default()
    };
    let options = Options { device, cluster, ..Options::default() };
    run(&kernel, &launch, &mut memory, &options, &Control::default()).map_err(|fault| {
        assert_eq!(fault.kind, FaultKind::Launch);
        fault.message
    })?;
    let word = |bytes: &[u8]| u32::from_le_bytes(bytes.try_into().unwrap());
    Ok(memory.read(out).chunks(8).map(|two| [word(&two[..4]), word(&two[4..])]).collect())
}

#[test]
fn blocks_run_on_the_multiprocessors_of_the_device() {
    let mut device = Device::A100;
    device.multiprocessors = 2;
    assert_eq!(attempt(device, 3, 0, None).unwrap(), [[2, 0], [2, 1], [2, 0]]);
    assert_eq!(attempt(Device::default(), 134, 0, None).unwrap()[131..], [[132, 131], [132, 0], [132, 1]]);
}

#[test]
fn missing_device_features_are_refused_by_name() {
    let mut own = Device::RTX_4090;
    own.name = "my GPU".into();
    assert_eq!(attempt(own.clone(), 1, 99 << 10, None).map(|words| words.len()), Ok(1));
    assert_eq!(
        attempt(own.clone(), 1, 100 << 10, None).unwrap_err(),
        "`k` needs 102400 bytes of shared memory per block; my GPU has at most 101376."
    );
    assert_eq!(attempt(Device::H200, 2, 227 << 10, Some([2, 1, 1])).map(|words| words.len()), Ok(2));
    assert_eq!(
        attempt(own, 2, 0, Some([2, 1, 1])).unwrap_err(),
        "A cluster of 2×1×1 blocks is not possible; on my GPU, its size is at least 1 and at most 1."
    );
}
