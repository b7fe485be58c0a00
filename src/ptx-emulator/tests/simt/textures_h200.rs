//! Compares textures and surfaces with an NVIDIA H200, at points inside, at the edges and far outside. The fixtures
//! cover every geometry, filter, address mode and format (`tests/fixtures/h200-textures.jsonl`,
//! `h200-surfaces.jsonl`).

use crate::textures::asked;
use ptx_emulator::{AddressMode, BufferId, Memory, Sampler, TexelFormat, Texels};
use serde::Deserialize;

/// A test case for one texture or surface. Words are in hexadecimal.
#[derive(Deserialize, Debug)]
struct Question {
    #[serde(default)]
    label: String,
    op: String,
    format: String,
    channels: u32,
    /// The extents, and the number of layers if layered.
    size: Vec<u32>,
    #[serde(default)]
    address: Address,
    #[serde(default)]
    sampler: String,
    /// The coordinates of each point, one per extent, the layer last.
    points: String,
    /// The values that a fetch or load returned.
    #[serde(default)]
    answers: String,
    /// The bytes that stores left.
    #[serde(default)]
    left: String,
}

#[derive(Deserialize, Debug)]
#[serde(untagged)]
enum Address {
    All(String),
    Each([String; 3]),
}

impl Default for Address {
    fn default() -> Self {
        Self::All("clamp".to_owned())
    }
}

fn questions(fixture: &str) -> Vec<Question> {
    fixture.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"))).collect()
}

fn words(hex: &str) -> Vec<u32> {
    hex.split(' ').map(|word| u32::from_str_radix(word, 16).unwrap()).collect()
}

fn format(name: &str) -> TexelFormat {
    match name {
        "u8" => TexelFormat::U8,
        "u16" => TexelFormat::U16,
        "u32" => TexelFormat::U32,
        "s8" => TexelFormat::S8,
        "s16" => TexelFormat::S16,
        "s32" => TexelFormat::S32,
        "f16" => TexelFormat::F16,
        "f32" => TexelFormat::F32,
        _ => panic!("{name}"),
    }
}

/// Returns component `i` of the GPU's input: floats are multiples of 1/256 below 128, halves multiples of 1/16 below
/// 8.
fn component(i: u32, format: TexelFormat) -> Vec<u8> {
    let bits = i.wrapping_mul(2_654_435_761) ^ i.wrapping_mul(40503) << 7;
    match format {
        TexelFormat::F32 => ((((bits >> 8 & 0xffff) as f32) - 32768.0) / 256.0).to_le_bytes().to_vec(),
        TexelFormat::F16 => half::f16::from_f32((((bits >> 8 & 0xff) as f32) - 128.0) / 16.0).to_le_bytes().to_vec(),
        _ => (bits >> 5).to_le_bytes()[..format.bytes() as usize].to_vec(),
    }
}

/// Returns the case's texels in a new memory.
fn texels(q: &Question) -> (Memory, BufferId, Texels) {
    let (format, layered) = (format(&q.format), geometry(&q.op).starts_with('a'));
    let (extent, layers) = q.size.split_at(q.size.len() - usize::from(layered));
    let pitch = if q.label == "pitched memory" { 16 } else { extent[0] };
    let count = pitch * q.size[1..].iter().product::<u32>() * q.channels;
    let bytes: Vec<u8> = match q.label.as_str() {
        // From 0 to 65,536, so that each weight is visible.
        "weights" => [0.0f32, 65536.0].iter().flat_map(|value| value.to_le_bytes()).collect(),
        _ => (0..count).flat_map(|i| component(i, format)).collect(),
    };
    let mut memory = Memory::new();
    let buffer = memory.add("texels", &bytes);
    let mut texels = Texels::new(buffer, format, q.channels, extent);
    if let [layers] = layers {
        texels = texels.layers(*layers);
    }
    match q.label.as_str() {
        "pitched memory" => (memory, buffer, texels.pitch(64)),
        "linear memory" => (memory, buffer, texels.linear()),
        _ => (memory, buffer, texels),
    }
}

/// Returns the geometry of an instruction: `1d`, `2d`, `3d`, `a1d` or `a2d`.
fn geometry(op: &str) -> &str {
    op.split('.').find(|part| part.ends_with('d') && part.len() <= 3).unwrap()
}

/// Returns the coordinates of an instruction in the form that `asked` expects, and the four words of each point.
fn points(q: &Question) -> (&'static str, Vec<[u32; 4]>) {
    let place = match geometry(&q.op) {
        "1d" => "{%c0}",
        "2d" => "{%c0, %c1}",
        "3d" => "{%c0, %c1, %c2, %c2}",
        "a1d" => "{%c3, %c0}",
        _ => "{%c3, %c0, %c1, %c1}",
    };
    let layered = geometry(&q.op).starts_with('a');
    let all = words(&q.points);
    let points = all.chunks(q.size.len()).map(|point| {
        let (axes, layer) = point.split_at(point.len() - usize::from(layered));
        let mut four = [0; 4];
        four[..axes.len()].copy_from_slice(axes);
        four[3] = layer.first().copied().unwrap_or(0);
        four
    });
    (place, points.collect())
}

#[test]
fn textures_give_what_an_h200_gave() {
    let mut near = (0, 0);
    for q in questions(include_str!("../fixtures/h200-textures.jsonl")) {
        let (mut memory, _, texels) = texels(&q);
        let mode = |name: &str| match name {
            "wrap" => AddressMode::Wrap,
            "clamp" => AddressMode::Clamp,
            "mirror" => AddressMode::Mirror,
            _ => AddressMode::Border,
        };
        let address = match &q.address {
            Address::All(name) => [mode(name); 3],
            Address::Each(names) => names.each_ref().map(|name| mode(name)),
        };
        let has = |word| q.sampler.contains(word);
        let sampler = Sampler {
            address,
            linear: has("linear"),
            normalized: has("normalized"),
            integers: has("integer"),
            border: [1.5, -2.0, 3.25, 0.5],
        };
        let object = memory.texture(texels, sampler).unwrap();
        let (place, points) = points(&q);
        let statement = format!("{} {{%d0, %d1, %d2, %d3}}, [%x1, {place}];", q.op);
        let found = asked(&statement, object, &mut memory, &points).unwrap();
        let answers = words(&q.answers);
        let given = answers.len() / points.len();
        for ((point, found), answer) in points.iter().zip(&found).zip(answers.chunks(given)) {
            let mut expected = [0; 4];
            expected[..given].copy_from_slice(answer);
            if q.format == "s8" && sampler.linear {
                // The last step of this format is unknown.
                for (found, expected) in
                    found.iter().zip(expected).map(|(a, b)| (f32::from_bits(*a), f32::from_bits(b)))
                {
                    assert!((found - expected).abs() < 1.01 / 32767.0, "{q:?} at {point:x?}: {found} {expected}");
                    near = (near.0 + usize::from(found != expected), near.1 + 1);
                }
                continue;
            }
            assert_eq!(*found, expected, "{} {} {:?} {sampler:?} at {point:x?}", q.op, q.format, q.size);
        }
    }
    assert_eq!(near, (19, 512), "components of signed bytes that differ, of so many");
}

#[test]
fn surface_loads_and_stores_match_an_h200() {
    for q in questions(include_str!("../fixtures/h200-surfaces.jsonl")) {
        let (mut memory, buffer, texels) = texels(&q);
        let object = memory.surface(texels).unwrap();
        let (place, points) = points(&q);
        let vector = if q.op.contains(".v4.") { 4 } else { 1 + usize::from(q.op.contains(".v2.")) };
        let (bits, register) = match q.op.split('.').rev().nth(1).unwrap() {
            "b8" => (8, "%h"),
            "b16" => (16, "%h"),
            "b32" => (32, "%d"),
            _ => (64, "%w"),
        };
        let all: Vec<String> = (0..vector).map(|i| format!("{register}{i}")).collect();
        let values = if vector == 1 { all[0].clone() } else { format!("{{{}}}", all.join(", ")) };
        let each = |one: &dyn Fn(usize) -> String| (0..vector).map(one).collect::<String>();
        if q.op.starts_with("suld") {
            let taken = each(&|i| match bits {
                64 => format!("mov.b64 {{%d{}, %d{}}}, %w{i};", 2 * i, 2 * i + 1),
                32 => String::new(),
                // A 16-bit register holds a byte in its lower half.
                bits => format!("cvt.u32.u{bits} %d{i}, %h{i};"),
            });
            let statement = format!("{} {values}, [%x1, {place}]; {taken}", q.op);
            let found = asked(&statement, object, &mut memory, &points).unwrap();
            let answers = words(&q.answers);
            let given = answers.len() / points.len();
            for ((point, found), answer) in points.iter().zip(&found).zip(answers.chunks(given)) {
                assert_eq!(found[..given], *answer, "{} {} at {point:x?}", q.op, q.format);
            }
        } else {
            // Thread i stores multiples of a number that depends on its index.
            let made = each(&|i| {
                let times = [1, 3, 5, 7][i];
                let low = format!("mad.lo.u32 %d0, %r1, 0x9e3779b1, 77; mul.lo.u32 %d{i}, %d0, {times};");
                match bits {
                    64 => format!(
                        "mad.lo.u32 %d0, %r1, 0x9e3779b1, 77; mul.lo.u32 %d1, %d0, {times}; mov.b64 %w{i}, {{%d1, %d0}};"
                    ),
                    32 => low,
                    _ => format!("{low} cvt.u16.u32 %h{i}, %d{i};"),
                }
            });
            let statement = format!("{made} {} [%x1, {place}], {values};", q.op);
            asked(&statement, object, &mut memory, &points).unwrap();
            let left: String = memory.read(buffer).iter().map(|byte| format!("{byte:02x}")).collect();
            assert_eq!(left, q.left, "{} {}", q.op, q.format);
        }
    }
}
