//! The emulator accepts the reductions that NVIDIA's assembler accepts, and no others.

use ptx_emulator::{Fault, Kernel, Module};

fn load(instruction: &str) -> Result<Kernel, Fault> {
    let text = format!(
        ".version 9.0\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 out, .param .align 64 .b8 map[128]) {{\n\
         .reg .b64 %rd<20>; .reg .b32 %r<20>; .reg .b16 %h<9>; .reg .pred %p<9>; .reg .f32 %f<5>; .reg .f64 %d<5>;\n\
         .shared .align 1024 .b8 tile[8192]; .shared .align 8 .b64 bar[4];\n\
         ld.param.u64 %rd0, [out]; mov.b64 %rd1, map; cvta.param.u64 %rd2, %rd1; mov.u32 %r0, tile; mov.u32 %r1, bar;\n\
         {instruction}\nret;\n}}"
    );
    Ok(Module::parse(&text)?.kernel("k")?)
}

#[test]
fn reductions_are_taken_with_the_types_that_they_have() {
    // The types that ptxas of CUDA 13.0 accepts: in global memory, in global memory with `.noftz`, in shared memory,
    // and of single values.
    let table: [(&str, [&str; 4]); 8] = [
        ("add", ["u32 s32 u64 f32 f64", "f16 bf16", "u32 s32 u64", "u32 s32 u64 s64"]),
        ("min", ["f16 bf16 u32 s32 u64 s64", "", "u32 s32", "u32 s32"]),
        ("max", ["f16 bf16 u32 s32 u64 s64", "", "u32 s32", "u32 s32"]),
        ("inc", ["u32", "", "u32", "u32"]),
        ("dec", ["u32", "", "u32", "u32"]),
        ("and", ["b32 b64", "", "b32", "b32"]),
        ("or", ["b32 b64", "", "b32", "b32"]),
        ("xor", ["b32 b64", "", "b32", "b32"]),
    ];
    for (operation, takes) in table {
        for ty in ["f16", "bf16", "b32", "u32", "s32", "b64", "u64", "s64", "f32", "f64"] {
            let value = if ty.ends_with("64") { "%rd0" } else { "%r2" };
            let forms = [
                format!("cp.reduce.async.bulk.global.shared::cta.bulk_group.{operation}.{ty} [%rd0],[%r0],32;"),
                format!("cp.reduce.async.bulk.global.shared::cta.bulk_group.{operation}.noftz.{ty} [%rd0],[%r0],32;"),
                format!(
                    "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.{operation}.{ty} [%r0+64],[%r0],32,[%r1];"
                ),
                format!(
                    "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.{operation}.{ty} [%r0],{value},[%r1];"
                ),
            ];
            for (form, takes) in forms.iter().zip(takes) {
                let found = load(form);
                assert_eq!(found.is_ok(), takes.split(' ').any(|known| known == ty), "{form} {:?}", found.err());
            }
        }
    }
}
