//! Textures and surfaces with results worked out by hand from the CUDA C++ Programming Guide and the PTX ISA. The
//! kernels are as NVRTC 12.0 writes them (`tests/fixtures/textures`). `textures_h200` compares with a GPU.

use ptx_emulator::{
    AddressMode, Arg, BufferId, Control, Fault, FaultKind, Launch, LoadErrorKind, Memory, Module, Options, Sampler,
    TexelFormat, Texels, run,
};

const HEADER: &str = ".version 8.0\n.target sm_90\n.address_size 64\n";

/// Creates a kernel. Thread i loads four words of `in` into `%c0…%c3`, runs a statement, and stores `%d0…%d3`.
fn text(statement: &str) -> String {
    format!(
        "{HEADER}.visible .entry k(.param .u64 t, .param .u64 in, .param .u64 out)\n{{\n\
        .reg .b64 %x<9>, %w<4>; .reg .b32 %r<9>, %c<4>, %d<4>; .reg .b16 %h<4>;\n\
        ld.param.u64 %x1, [t]; ld.param.u64 %x2, [in]; ld.param.u64 %x3, [out]; mov.u32 %r1, %tid.x; mul.wide.u32 %x4, %r1, 16;\n\
        add.u64 %x2, %x2, %x4; add.u64 %x3, %x3, %x4; ld.global.v4.b32 {{%c0, %c1, %c2, %c3}}, [%x2];\n\
        mov.b32 %d0, 0; mov.b32 %d1, 0; mov.b32 %d2, 0; mov.b32 %d3, 0;\n\
        {statement}\nst.global.v4.b32 [%x3], {{%d0, %d1, %d2, %d3}}; ret;\n}}\n"
    )
}

/// Runs a statement on these words and returns each thread's results.
pub(crate) fn asked(
    statement: &str,
    object: u64,
    memory: &mut Memory,
    points: &[[u32; 4]],
) -> Result<Vec<[u32; 4]>, Fault> {
    let kernel = Module::parse(&text(statement))?.kernel("k")?;
    let bytes: Vec<u8> = points.iter().flatten().flat_map(|word| word.to_le_bytes()).collect();
    let given = memory.add("in", &bytes);
    let out = memory.add("out", &vec![0; bytes.len()]);
    let args = vec![Arg::U64(object), Arg::Buffer(given), Arg::Buffer(out)];
    let launch = Launch { block: [points.len() as u32, 1, 1], args, ..Launch::default() };
    run(&kernel, &launch, memory, &Options::default(), &Control::default())?;
    let words = memory.read(out).chunks(4).map(|word| u32::from_le_bytes(word.try_into().unwrap()));
    Ok(words.collect::<Vec<_>>().chunks(4).map(|four| four.try_into().unwrap()).collect())
}

/// Returns the first component of each fetch with floating-point coordinates.
fn fetch(geometry: &str, object: u64, memory: &mut Memory, points: &[[f32; 4]]) -> Vec<f32> {
    let place = match geometry {
        "1d" => "{%c0}",
        "2d" => "{%c0, %c1}",
        "3d" => "{%c0, %c1, %c2, %c2}",
        "a1d" => "{%c3, %c0}",
        _ => "{%c3, %c0, %c1, %c1}",
    };
    let statement = format!("tex.{geometry}.v4.f32.f32 {{%d0, %d1, %d2, %d3}}, [%x1, {place}];");
    let bits = |[x, y, z, layer]: &[f32; 4]| [x.to_bits(), y.to_bits(), z.to_bits(), *layer as u32];
    let points: Vec<[u32; 4]> = points.iter().map(bits).collect();
    asked(&statement, object, memory, &points).unwrap().iter().map(|four| f32::from_bits(four[0])).collect()
}

fn line(values: &[f32]) -> (Memory, BufferId) {
    let mut memory = Memory::new();
    let buffer = memory.add_f32("texels", values);
    (memory, buffer)
}

/// Checks the figures in the guide's section, with a table T of four texels.
#[test]
fn the_nearest_texel_or_a_weighted_mean_of_two_is_fetched() {
    let nearest = Sampler::default();
    let linear = Sampler { linear: true, ..nearest };
    let normalized = Sampler { normalized: true, ..nearest };
    let wrapped = Sampler { address: [AddressMode::Wrap; 3], linear: true, ..normalized };
    let mirrored = Sampler { address: [AddressMode::Mirror; 3], ..wrapped };
    let address = [AddressMode::Border, AddressMode::Clamp, AddressMode::Clamp];
    let border = Sampler { address, linear: true, border: [100.0; 4], ..nearest };
    for (sampler, x, expected) in [
        (nearest, 0.0, 10.0),
        (nearest, 1.999, 20.0),
        (nearest, -3.0, 10.0),
        (nearest, 9.0, 40.0),
        (linear, 0.5, 10.0),
        (linear, 1.0, 15.0),
        (linear, 0.2, 10.0),
        (linear, 3.9, 40.0),
        (normalized, 0.25, 20.0),
        (normalized, 1.0, 40.0),
        // The weights have eight bits, so 1/1024 is too small and 1/256 is not.
        (linear, 0.5 + 1.0 / 1024.0, 10.0),
        (linear, 0.5 + 1.0 / 256.0, 10.0390625),
        // Between the last texel and the first.
        (wrapped, 0.0, 25.0),
        (wrapped, 1.0, 25.0),
        (wrapped, -0.125, 40.0),
        (wrapped, 5.125, 10.0),
        (mirrored, 0.0, 10.0),
        (mirrored, -0.125, 10.0),
        (mirrored, 1.125, 40.0),
        (mirrored, 1.375, 30.0),
        (border, 0.0, 55.0),
        (border, 4.0, 70.0),
        (border, -1.0, 100.0),
        (nearest, f32::NAN, 10.0),
        (nearest, f32::INFINITY, 40.0),
        (nearest, -1e30, 10.0),
    ] {
        let (mut memory, buffer) = line(&[10.0, 20.0, 30.0, 40.0]);
        let object = memory.texture(Texels::new(buffer, TexelFormat::F32, 1, &[4]), sampler).unwrap();
        assert_eq!(fetch("1d", object, &mut memory, &[[x, 0.0, 0.0, 0.0]]), [expected], "{sampler:?} at {x}");
    }
}

#[test]
fn components_are_what_their_format_says() {
    let at = |format, channels, integers, bytes: &[u8], result: &str| {
        let mut memory = Memory::new();
        let buffer = memory.add("texels", bytes);
        let sampler = Sampler { integers, ..Sampler::default() };
        let object = memory.texture(Texels::new(buffer, format, channels, &[1]), sampler).unwrap();
        let statement = format!("tex.1d.v4.{result}.f32 {{%d0, %d1, %d2, %d3}}, [%x1, {{%c0}}];");
        asked(&statement, object, &mut memory, &[[0; 4]]).unwrap()[0]
    };
    let f = |values: [f32; 4]| values.map(f32::to_bits);
    assert_eq!(at(TexelFormat::U8, 4, false, &[0, 255, 51, 1], "f32"), f([0.0, 1.0, 0.2, 1.0 / 255.0]));
    assert_eq!(at(TexelFormat::U8, 4, true, &[0, 255, 51, 1], "u32"), [0, 255, 51, 1]);
    assert_eq!(at(TexelFormat::S8, 4, false, &[0x80, 0x81, 127, 0], "f32"), f([-1.0, -1.0, 1.0, 0.0]));
    assert_eq!(at(TexelFormat::S8, 2, true, &[0x80, 127], "s32"), [-128i32 as u32, 127, 0, 0]);
    assert_eq!(at(TexelFormat::U16, 1, false, &[0xff, 0xff], "f32"), f([1.0, 0.0, 0.0, 0.0]));
    assert_eq!(at(TexelFormat::S16, 1, false, &[1, 0x80], "f32"), f([-1.0, 0.0, 0.0, 0.0]));
    assert_eq!(at(TexelFormat::F16, 2, false, &[0, 0x3c, 0, 0xc0], "f32"), f([1.0, -2.0, 0.0, 0.0]));
    assert_eq!(at(TexelFormat::F32, 1, false, &1.5f32.to_le_bytes(), "f32"), f([1.5, 0.0, 0.0, 0.0]));
    assert_eq!(at(TexelFormat::S32, 1, false, &[0xfe, 0xff, 0xff, 0xff], "s32"), [-2i32 as u32, 0, 0, 0]);
}

#[test]
fn surfaces_are_loaded_and_stored_and_have_edges() {
    let bytes: Vec<u8> = (0..64u8).collect();
    let surface = |memory: &mut Memory| {
        let buffer = memory.add("texels", &bytes);
        // Four rows of eight bytes, with a pitch of sixteen bytes.
        let texels = Texels::new(buffer, TexelFormat::U32, 1, &[2, 4]).pitch(16);
        (buffer, memory.surface(texels).unwrap())
    };
    let load = |statement: &str, x: i32, y: i32| {
        let mut memory = Memory::new();
        let (_, object) = surface(&mut memory);
        asked(statement, object, &mut memory, &[[x as u32, y as u32, 0, 0]]).map(|all| all[0])
    };
    let words = "suld.b.2d.b32.EDGE %d0, [%x1, {%c0, %c1}];";
    for (edge, x, y, expected) in [
        ("trap", 4, 1, Some(0x1716_1514)),
        ("clamp", 400, 1, Some(0x1716_1514)),
        ("clamp", -4, 9, Some(0x3332_3130)),
        ("zero", 0, 3, Some(0x3332_3130)),
        ("zero", 8, 0, Some(0)),
        ("zero", 0, -1, Some(0)),
        ("trap", 8, 0, None),
        ("trap", 0, 4, None),
        ("trap", 2, 0, None),
    ] {
        let found = load(&words.replace("EDGE", edge), x, y);
        assert_eq!(found.as_ref().ok().map(|words| words[0]), expected, "{edge} ({x}, {y}): {found:?}");
    }
    assert_eq!(
        load("suld.b.2d.ca.v4.b8.trap {%h0, %h1, %h2, %h3}, [%x1, {%c0, %c1}]; cvt.u32.u16 %d0, %h3;", 4, 2).unwrap()
            [0],
        39
    );
    assert_eq!(
        load("suld.b.2d.b64.trap %w0, [%x1, {%c0, %c1}]; mov.b64 {%d0, %d1}, %w0;", 0, 1).unwrap()[..2],
        [0x1312_1110, 0x1716_1514]
    );
    let stored = |statement: &str, x: i32, y: i32| {
        let mut memory = Memory::new();
        let (buffer, object) = surface(&mut memory);
        let done = asked(statement, object, &mut memory, &[[x as u32, y as u32, 0, 0]]);
        let changed: Vec<(usize, u8)> =
            memory.read(buffer).iter().copied().enumerate().filter(|(at, byte)| *at != usize::from(*byte)).collect();
        (done.is_ok(), changed)
    };
    let store = "mov.b32 %d0, 0xa0b0c0d0; sust.b.2d.b32.EDGE [%x1, {%c0, %c1}], %d0;";
    let four = |at: usize| vec![(at, 0xd0), (at + 1, 0xc0), (at + 2, 0xb0), (at + 3, 0xa0)];
    assert_eq!(stored(&store.replace("EDGE", "trap"), 4, 2), (true, four(36)));
    assert_eq!(stored(&store.replace("EDGE", "zero"), 8, 2), (true, vec![]));
    assert_eq!(stored(&store.replace("EDGE", "clamp"), 80, 2), (true, four(36)));
    assert_eq!(stored(&store.replace("EDGE", "trap"), 8, 2), (false, vec![]));
    assert_eq!(stored("mov.b16 %h0, 0x99; sust.b.2d.b8.trap [%x1, {%c0, %c1}], %h0;", 3, 0), (true, vec![(3, 0x99)]));
}

#[test]
fn texture_objects_report_their_extents() {
    let mut memory = Memory::new();
    let buffer = memory.add("texels", &[0; 4096]);
    let texels = Texels::new(buffer, TexelFormat::F16, 2, &[7, 5]);
    let (flat, layered) = (texels.clone(), texels.layers(3));
    let flat = memory.texture(flat, Sampler::default()).unwrap();
    let layered = memory.surface(layered).unwrap();
    let ask = |op: &str| {
        format!(
            "{op}.width.b32 %d0, [%x1]; {op}.height.b32 %d1, [%x1]; {op}.depth.b32 %d2, [%x1]; {op}.array_size.b32 %d3, [%x1];"
        )
    };
    assert_eq!(asked(&ask("txq"), flat, &mut memory, &[[0; 4]]).unwrap(), [[7, 5, 0, 0]]);
    assert_eq!(asked(&ask("suq"), layered, &mut memory, &[[0; 4]]).unwrap(), [[7, 5, 0, 3]]);
}

#[test]
fn four_texels_are_gathered_counterclockwise_from_the_lower_left() {
    let (mut memory, buffer) = line(&[0.0, 1.0, 10.0, 11.0]);
    let object = memory.texture(Texels::new(buffer, TexelFormat::F32, 1, &[2, 2]), Sampler::default()).unwrap();
    let statement = "tld4.r.2d.v4.f32.f32 {%d0, %d1, %d2, %d3}, [%x1, {%c0, %c1}];";
    let one = 1.0f32.to_bits();
    let found = asked(statement, object, &mut memory, &[[one, one, 0, 0]]).unwrap()[0].map(f32::from_bits);
    assert_eq!(found, [10.0, 11.0, 1.0, 0.0]);
}

#[test]
fn invalid_texture_objects_are_faults() {
    let (mut memory, buffer) = line(&[1.0; 8]);
    let texels = || Texels::new(buffer, TexelFormat::F32, 1, &[4, 2]);
    let flat = memory.texture(texels(), Sampler::default()).unwrap();
    let surface = memory.surface(texels()).unwrap();
    for (statement, object) in [
        ("tex.1d.v4.f32.f32 {%d0, %d1, %d2, %d3}, [%x1, {%c0}];", flat),
        ("tex.2d.v4.u32.f32 {%d0, %d1, %d2, %d3}, [%x1, {%c0, %c1}];", flat),
        ("tex.2d.v4.f32.f32 {%d0, %d1, %d2, %d3}, [%x1, {%c0, %c1}];", surface),
        ("tex.2d.v4.f32.f32 {%d0, %d1, %d2, %d3}, [%x1, {%c0, %c1}];", 0),
        ("tex.2d.v4.f32.f32 {%d0, %d1, %d2, %d3}, [%x1, {%c0, %c1}];", surface + 1),
        ("suld.b.1d.b32.zero %d0, [%x1, {%c0}];", surface),
    ] {
        let fault = asked(statement, object, &mut memory, &[[0; 4]]).unwrap_err();
        assert_eq!((fault.kind, fault.line), (FaultKind::OutOfBounds, 10), "{statement} {object:#x}: {fault}");
    }
    let linear = Sampler { linear: true, ..Sampler::default() };
    for (texels, sampler) in [
        (Texels::new(buffer, TexelFormat::F32, 1, &[4, 3]), Sampler::default()),
        (Texels::new(buffer, TexelFormat::F32, 3, &[2]), Sampler::default()),
        (Texels::new(buffer, TexelFormat::F32, 1, &[]), Sampler::default()),
        (Texels::new(buffer, TexelFormat::F32, 1, &[0]), Sampler::default()),
        (Texels::new(buffer, TexelFormat::F32, 1, &[2, 2, 1]).layers(2), Sampler::default()),
        (Texels::new(buffer, TexelFormat::F32, 1, &[u32::MAX, u32::MAX, u32::MAX]), Sampler::default()),
        (Texels::new(buffer, TexelFormat::F32, 1, &[4]).pitch(8), Sampler::default()),
        (Texels::new(buffer, TexelFormat::S32, 1, &[4]), linear),
    ] {
        assert_eq!(memory.texture(texels.clone(), sampler).unwrap_err().kind, FaultKind::Launch, "{texels:?}");
    }
}

#[test]
fn unsupported_texture_features_are_refused_by_name() {
    for (statement, reason) in [
        ("tex.cube.v4.f32.f32 {%d0, %d1, %d2, %d3}, [%x1, {%c0, %c1, %c2, %c2}];", "cube maps"),
        ("tex.level.2d.v4.f32.f32 {%d0, %d1, %d2, %d3}, [%x1, {%c0, %c1}], %c2;", "mipmaps"),
        ("tex.2dms.v4.f32.s32 {%d0, %d1, %d2, %d3}, [%x1, {%c0, %c1, %c2, %c2}];", "several samples"),
        ("tex.2d.v4.f32.f32 {%d0, %d1, %d2, %d3}, [%x1, {%c0, %c1}], {%r1, %r1};", "offset"),
        ("tex.2d.v4.f32.f32 {%d0, %d1, %d2, %d3}, [%x1, %x2, {%c0, %c1}];", "a separate sampler"),
        ("tex.2d.v4.f32.f32 {%d0, %d1, %d2, %d3}, [old, {%c0, %c1}];", "texture references"),
        ("sust.p.2d.b32.trap [%x1, {%c0, %c1}], %d0;", "formatted surface accesses"),
        ("sured.b.add.2d.u32.trap [%x1, {%c0, %c1}], %d0;", "reductions on surfaces"),
        ("txq.filter_mode.b32 %d0, [%x1];", "this query"),
        ("multimem.ld_reduce.global.add.u32 %d0, [%x1];", "multimem"),
        ("multimem.red.relaxed.sys.global.add.u32 [%x1], %d0;", "multimem"),
    ] {
        let source = text(statement).replace(HEADER, &format!("{HEADER}.global .texref old; "));
        let fault = Module::parse(&source).unwrap().kernel("k").unwrap_err();
        assert_eq!((fault.kind, fault.line), (LoadErrorKind::Unsupported, 10), "{statement}: {fault}");
        assert!(fault.message.contains(reason), "{statement}: {fault}");
    }
}

const NVRTC: &str = include_str!("../fixtures/textures/textures.ptx");

#[test]
fn an_image_is_magnified_through_a_texture() {
    let mut memory = Memory::new();
    let image = memory.add("image", &[0, 0, 0, 255, 255, 0, 0, 255, 0, 255, 0, 255, 255, 255, 255, 255]);
    let out = memory.add("out", &[0; 256]);
    let sampler = Sampler { linear: true, normalized: true, ..Sampler::default() };
    let object = memory.texture(Texels::new(image, TexelFormat::U8, 4, &[2, 2]), sampler).unwrap();
    let args = vec![Arg::U64(object), Arg::Buffer(out), Arg::S32(4), Arg::S32(4)];
    let launch = Launch { block: [4, 4, 1], args, ..Launch::default() };
    let kernel = Module::parse(NVRTC).unwrap().kernel("magnify").unwrap();
    run(&kernel, &launch, &mut memory, &Options::default(), &Control::default()).unwrap();
    let found = memory.read_f32(out);
    let red: Vec<f32> = found.iter().copied().step_by(4).collect();
    // Means of bytes are multiples of 1/65535.
    let [quarter, most, part] = [16384.0f32, 49151.0, 4096.0].map(|steps| steps / 65535.0);
    assert_eq!(red[..4], [0.0, quarter, most, 1.0]);
    // The corner texel is white. Between all four texels, red is a half from either side.
    assert_eq!(found[60..], [1.0; 4]);
    assert_eq!(found[20..24], [quarter, quarter, part, 1.0]);
}

#[test]
fn a_surface_is_filtered_into_another() {
    let mut memory = Memory::new();
    let from = memory.add_f32("from", &(0..20).map(|i| i as f32).collect::<Vec<_>>());
    let to = memory.add_f32("to", &[0.0; 20]);
    let [a, b] = [from, to].map(|buffer| memory.surface(Texels::new(buffer, TexelFormat::F32, 1, &[5, 4])).unwrap());
    let args = vec![Arg::U64(a), Arg::U64(b), Arg::S32(5), Arg::S32(4)];
    let launch = Launch { block: [8, 8, 1], args, ..Launch::default() };
    let kernel = Module::parse(NVRTC).unwrap().kernel("box").unwrap();
    run(&kernel, &launch, &mut memory, &Options::default(), &Control::default()).unwrap();
    let expected: Vec<f32> = (0..20i32)
        .map(|i| {
            let near = |j: &i32| (j % 5 - i % 5).abs() <= 1 && (j / 5 - i / 5).abs() <= 1;
            (0..20).filter(near).sum::<i32>() as f32
        })
        .collect();
    assert_eq!(memory.read_f32(to), expected);
}

#[test]
fn textures_of_all_kinds_are_fetched_by_one_kernel() {
    let mut memory = Memory::new();
    let line = memory.add_f32("line", &[1.0, 2.0, 4.0, 8.0]);
    let table = memory.add("table", &[5, 0, 0, 0, 6, 0, 0, 0]);
    let volume = memory.add_f32("volume", &(0..8).map(|i| i as f32).collect::<Vec<_>>());
    let layers = memory.add_f32("layers", &[1.0, 2.0, 10.0, 20.0]);
    let out = memory.add_f32("out", &[0.0; 16]);
    let linear = Sampler { linear: true, ..Sampler::default() };
    let objects = [
        memory.texture(Texels::new(line, TexelFormat::F32, 1, &[4]), linear).unwrap(),
        memory.texture(Texels::new(table, TexelFormat::S32, 1, &[2]).linear(), Sampler::default()).unwrap(),
        memory.texture(Texels::new(volume, TexelFormat::F32, 1, &[2, 2, 2]), linear).unwrap(),
        memory.texture(Texels::new(layers, TexelFormat::F32, 1, &[2, 1]).layers(2), Sampler::default()).unwrap(),
    ];
    let args = objects.map(Arg::U64).into_iter().chain([Arg::Buffer(out)]).collect();
    let launch = Launch { block: [4, 1, 1], args, ..Launch::default() };
    let kernel = Module::parse(NVRTC).unwrap().kernel("kinds").unwrap();
    run(&kernel, &launch, &mut memory, &Options::default(), &Control::default()).unwrap();
    let found = memory.read_f32(out);
    let column = |at: usize| found.iter().copied().skip(at).step_by(4).collect::<Vec<_>>();
    assert_eq!(column(0), [1.0, 1.75, 3.5, 7.0]);
    assert_eq!(column(1), [0.0, 0.0, 5.0, 6.0]);
    // The point is half-way in y and at a quarter in z: 1 + 1 + x.
    assert_eq!(column(2), [2.0, 2.25, 2.5, 2.75]);
    assert_eq!(column(3), [1.0, 10.0, 20.0, 20.0]);
}
