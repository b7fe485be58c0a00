//! `--arg`: the parameters of a kernel, and the buffers that they describe.

use ptx_emulator::{Arg, BufferId, Fault, FaultKind, Memory};
use ptx_emulator::{Element, Swizzle, TensorMap};
use serde::ser::{Serialize, SerializeMap as _, Serializer};
use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;
use tutor_support::random::{STEP, mix};
use tutor_support::t;
use tutor_support::words::Sentence;

/// Maximum size of a file for a variable of the module, in bytes.
const MAX_SYMBOL_BYTES: u64 = 1 << 30;

/// Reads a file of up to `most` bytes. Endless files, such as devices, are refused like files that are too long.
pub(crate) fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(io::Error::other(t!("emulate-file-long", most = most >> 20)));
    }
    Ok(bytes)
}

/// The buffers after a launch. They become hexadecimal only during serialization, because storing that text would take
/// twice their memory.
pub(crate) struct Buffers {
    pub(crate) memory: Memory,
    pub(crate) ids: Vec<BufferId>,
    pub(crate) named: Vec<(String, BufferId)>,
}

impl Buffers {
    /// Returns the number or the name of each buffer, and its contents.
    pub(crate) fn contents(&self) -> impl Iterator<Item = (String, &[u8])> {
        let numbered = self.ids.iter().enumerate().map(|(index, id)| (index.to_string(), *id));
        numbered.chain(self.named.iter().cloned()).map(|(name, id)| (name, self.memory.read(id)))
    }
}

/// Two fields: the list `buffers` and, if there are any, the mapping `named_buffers`.
impl Serialize for Buffers {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        struct Each<'a, T>(&'a Memory, &'a [T]);
        impl Serialize for Each<'_, BufferId> {
            fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.collect_seq(self.1.iter().map(|id| Hex(self.0.read(*id))))
            }
        }
        impl Serialize for Each<'_, (String, BufferId)> {
            fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.collect_map(self.1.iter().map(|(name, id)| (name, Hex(self.0.read(*id)))))
            }
        }
        let mut fields = to.serialize_map(None)?;
        fields.serialize_entry("buffers", &Each(&self.memory, &self.ids))?;
        if !self.named.is_empty() {
            fields.serialize_entry("named_buffers", &Each(&self.memory, &self.named))?;
        }
        fields.end()
    }
}

/// Displays bytes in hexadecimal.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Hex<'a>(pub(crate) &'a [u8]);

impl fmt::Display for Hex<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        let mut text = String::with_capacity(1 << 13);
        for bytes in self.0.chunks(1 << 12) {
            text.clear();
            text.extend(
                bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]).map(|digit| char::from(DIGITS[digit as usize])),
            );
            f.write_str(&text)?;
        }
        Ok(())
    }
}

impl Serialize for Hex<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

fn unhex(text: &str) -> Result<Vec<u8>, String> {
    if !text.len().is_multiple_of(2) {
        return Err(t!("emulate-odd-digits"));
    }
    let digits: Option<Vec<u32>> = text.chars().map(|digit| digit.to_digit(16)).collect();
    let digits = digits.ok_or_else(|| t!("emulate-not-hexadecimal"))?;
    Ok(digits.chunks(2).map(|pair| (pair[0] << 4 | pair[1]) as u8).collect())
}

/// Creates a fault for a wrong call.
pub(crate) fn wrong_call(message: String) -> Fault {
    Fault::new(FaultKind::Launch, message)
}

/// Parses arguments and allocates their buffers.
pub(crate) struct Arguments {
    pub(crate) memory: Memory,
    /// Bytes that buffers may still take.
    pub(crate) left: u64,
    named: BTreeMap<String, BufferId>,
    count: usize,
}

impl Arguments {
    pub(crate) fn new(left: u64) -> Self {
        Self { memory: Memory::new(), left, named: BTreeMap::new(), count: 0 }
    }

    /// Parses one `--buffer`.
    pub(crate) fn buffer(&mut self, text: &str) -> Result<(), String> {
        let (name, value) = text.split_once('=').ok_or_else(|| t!("emulate-buffer-name"))?;
        let id = buffer(value, name, &mut self.memory, &mut self.left)?;
        self.named.insert(name.to_owned(), id);
        Ok(())
    }

    /// Begins with the first parameter again, for another launch.
    pub(crate) fn restart(&mut self) {
        self.count = 0;
    }

    /// Returns a buffer by its name.
    pub(crate) fn named(&self, name: &str) -> Option<BufferId> {
        self.named.get(name).copied()
    }

    /// Returns all buffers with their names. Those of arguments have the argument's number.
    pub(crate) fn all(&self) -> Vec<(String, BufferId)> {
        self.named.clone().into_iter().collect()
    }

    /// Parses the next `--arg`.
    pub(crate) fn argument(&mut self, text: &str) -> Result<Arg, String> {
        let index = self.count;
        self.count += 1;
        let arg = match text.split_once(':') {
            Some(("struct", members)) => Arg::Bytes(self.members(members)?.into()),
            Some(("map", value)) => Arg::TensorMap(self.map(value)?),
            _ => self.value(text, index)?,
        };
        if let Arg::Buffer(id) = arg {
            self.named.insert(index.to_string(), id);
        }
        Ok(arg)
    }

    fn value(&mut self, text: &str, index: usize) -> Result<Arg, String> {
        match text.split_once(':') {
            Some(("ptr", place)) => Ok(Arg::U64(self.address(place)?)),
            _ => argument(text, index, &mut self.memory, &mut self.left),
        }
    }

    /// Returns the address of `NAME` or `NAME+BYTES`.
    fn address(&self, text: &str) -> Result<u64, String> {
        let (name, offset) = text.split_once('+').unwrap_or((text, "0"));
        let id = self.named.get(name).ok_or_else(|| t!("emulate-no-buffer", name))?;
        let offset: u64 = offset.parse().map_err(|_| t!("emulate-not-bytes", text = offset))?;
        Ok(self.memory.address(*id).wrapping_add(offset))
    }

    /// Returns the bytes of a structure. Each member has the alignment of its size, and so has the structure.
    fn members(&mut self, text: &str) -> Result<Vec<u8>, String> {
        let (mut all, mut most) = (Vec::new(), 1);
        for member in text.split(',') {
            let bytes = match self.value(member, usize::MAX)? {
                Arg::Buffer(id) => self.memory.address(id).to_le_bytes().to_vec(),
                other => bytes_of(&other).ok_or_else(|| t!("emulate-member", text = member))?,
            };
            let align = if member.starts_with("hex:") { 1 } else { bytes.len().max(1) };
            most = most.max(align);
            all.resize(all.len().next_multiple_of(align), 0);
            all.extend(bytes);
        }
        all.resize(all.len().next_multiple_of(most), 0);
        Ok(all)
    }

    /// Parses `NAME:TYPE:DIMS:BOX` and perhaps `:SWIZZLE`. Rows follow each other without gaps.
    fn map(&self, text: &str) -> Result<TensorMap, String> {
        let parts: Vec<&str> = text.split(':').collect();
        let [place, ty, dims, extent, rest @ ..] = parts.as_slice() else { return Err(t!("emulate-map-form")) };
        fn numbers<T: std::str::FromStr>(text: &str) -> Result<Vec<T>, String> {
            text.split('x').map(|n| n.parse().map_err(|_| t!("emulate-not-number", text = n))).collect()
        }
        let element = ELEMENTS.iter().find(|(name, _)| name == ty).ok_or_else(|| t!("emulate-map-type", kind = *ty))?.1;
        let dims: Vec<u64> = numbers(dims)?;
        let mut stride = u64::from(element.bytes());
        let strides: Vec<u64> = dims
            .iter()
            .take(dims.len().saturating_sub(1))
            .map(|n| {
                stride = stride.saturating_mul(*n);
                stride
            })
            .collect();
        let map = TensorMap::tiled(self.address(place)?, element, &dims, &strides, &numbers::<u32>(extent)?);
        let mut map = map.map_err(|error| error.to_string())?;
        map.swizzle = match rest {
            [] | ["0"] => Swizzle::None,
            ["32"] => Swizzle::B32,
            ["64"] => Swizzle::B64,
            ["128"] => Swizzle::B128,
            _ => return Err(t!("emulate-map-form")),
        };
        Ok(map)
    }
}

/// Types of a tensor map's elements.
const ELEMENTS: [(&str, Element); 11] = [
    ("u8", Element::U8),
    ("u16", Element::U16),
    ("u32", Element::U32),
    ("s32", Element::S32),
    ("u64", Element::U64),
    ("s64", Element::S64),
    ("f16", Element::F16),
    ("f32", Element::F32),
    ("f64", Element::F64),
    ("bf16", Element::Bf16),
    ("tf32", Element::Tf32),
];

/// Returns the bytes of a number or of raw bytes.
fn bytes_of(arg: &Arg) -> Option<Vec<u8>> {
    Some(match arg {
        Arg::U32(value) => value.to_le_bytes().to_vec(),
        Arg::S32(value) => value.to_le_bytes().to_vec(),
        Arg::U64(value) => value.to_le_bytes().to_vec(),
        Arg::F32(value) => value.to_le_bytes().to_vec(),
        Arg::F64(value) => value.to_le_bytes().to_vec(),
        Arg::Bytes(bytes) => bytes.to_vec(),
        _ => return None,
    })
}

/// Parses an argument without references to other buffers, and allocates its buffer, if it describes one. `left` counts
/// the bytes that buffers may still take.
fn argument(text: &str, index: usize, memory: &mut Memory, left: &mut u64) -> Result<Arg, String> {
    fn number<T: std::str::FromStr>(text: &str) -> Result<T, String> {
        text.parse().map_err(|_| t!("emulate-not-number", text))
    }
    let (kind, value) = text.split_once(':').ok_or_else(|| t!("emulate-arg-form"))?;
    Ok(match kind {
        "u32" => Arg::U32(number(value)?),
        "s32" => Arg::S32(number(value)?),
        "u64" => Arg::U64(number(value)?),
        "f32" => Arg::F32(number(value)?),
        "f64" => Arg::F64(number(value)?),
        "u8" => Arg::Bytes(number::<u8>(value)?.to_le_bytes().as_slice().into()),
        "s8" => Arg::Bytes(number::<i8>(value)?.to_le_bytes().as_slice().into()),
        "u16" => Arg::Bytes(number::<u16>(value)?.to_le_bytes().as_slice().into()),
        "s16" => Arg::Bytes(number::<i16>(value)?.to_le_bytes().as_slice().into()),
        "hex" => Arg::Bytes(unhex(value)?.into()),
        "buf" => Arg::Buffer(buffer(value, &format!("argument {index}"), memory, left)?),
        _ => return Err(t!("emulate-arg-kind", kind)),
    })
}

/// Parses one `--symbol`: its name, and its initial bytes if given.
pub(crate) fn symbol(text: &str) -> Result<(&str, Option<Vec<u8>>), String> {
    let Some((name, value)) = text.split_once('=') else { return Ok((text, None)) };
    let bytes = match value.split_once(':') {
        Some(("file", path)) => {
            read(path.as_ref(), MAX_SYMBOL_BYTES).map_err(|error| Sentence::from(error).to_string())?
        }
        Some(("buf", _)) => return Err(t!("emulate-symbol-buffer")),
        _ => {
            let value = argument(value, 0, &mut Memory::new(), &mut 0)?;
            bytes_of(&value).ok_or_else(|| t!("emulate-symbol-buffer"))?
        }
    };
    Ok((name, Some(bytes)))
}

fn buffer(text: &str, name: &str, memory: &mut Memory, left: &mut u64) -> Result<BufferId, String> {
    let most = *left;
    let mut reserve = |bytes: u64| {
        *left = left.checked_sub(bytes).ok_or_else(|| t!("emulate-buffers-large"))?;
        Ok::<(), String>(())
    };
    let (kind, value) = text.split_once(':').ok_or_else(|| t!("emulate-buffer-form"))?;
    match kind {
        "zeros" => {
            let bytes: u64 = value.parse().map_err(|_| t!("emulate-not-bytes", text = value))?;
            reserve(bytes)?;
            zeros(name, bytes, memory)
        }
        "hex" => {
            let bytes = unhex(value)?;
            reserve(bytes.len() as u64)?;
            Ok(memory.add(name, &bytes))
        }
        "file" => {
            let failed = |error: io::Error| error.to_string();
            let mut file = File::open(value).map_err(failed)?;
            let about = file.metadata().map_err(failed)?;
            if about.is_file() {
                reserve(about.len())?;
                let id = zeros(name, about.len(), memory)?;
                file.read_exact(memory.write(id)).map_err(failed)?;
                return Ok(id);
            }
            let bytes = read(value.as_ref(), most).map_err(failed)?;
            reserve(bytes.len() as u64)?;
            Ok(memory.add(name, &bytes))
        }
        "f32" => {
            let mut parts = value.split(':');
            let (Some("rand"), Some(count), Some(seed), None) =
                (parts.next(), parts.next(), parts.next(), parts.next())
            else {
                return Err(t!("emulate-random-form"));
            };
            let count: u64 = count.parse().map_err(|_| t!("emulate-not-count", text = count))?;
            let seed: u64 = seed.parse().map_err(|_| t!("emulate-not-seed", text = seed))?;
            reserve(count.saturating_mul(4))?;
            let id = zeros(name, count * 4, memory)?;
            for (word, number) in memory.write(id).chunks_exact_mut(4).zip(random(seed)) {
                word.copy_from_slice(&number.to_le_bytes());
            }
            Ok(id)
        }
        "u32" => {
            let parts: Vec<&str> = value.split(':').collect();
            let ["mod", count, n] = parts.as_slice() else { return Err(t!("emulate-modulo-form")) };
            let count: u64 = count.parse().map_err(|_| t!("emulate-not-count", text = *count))?;
            let n: u32 = n.parse().ok().filter(|n| *n != 0).ok_or_else(|| t!("emulate-not-count", text = *n))?;
            reserve(count.saturating_mul(4))?;
            let id = zeros(name, count * 4, memory)?;
            for (word, number) in memory.write(id).chunks_exact_mut(4).zip((0..n).cycle()) {
                word.copy_from_slice(&number.to_le_bytes());
            }
            Ok(id)
        }
        _ => Err(t!("emulate-buffer-kind", kind)),
    }
}

fn zeros(name: &str, bytes: u64, memory: &mut Memory) -> Result<BufferId, String> {
    memory.add_zeros(name, bytes as usize).ok_or_else(|| t!("emulate-no-memory", bytes = bytes.to_string()))
}

/// Returns multiples of 2⁻²³ in -1…1 from SplitMix64 ([`mix`]). A seed gives the same numbers on
/// every machine.
fn random(seed: u64) -> impl Iterator<Item = f32> {
    let mut state = seed;
    let next = move || {
        state = state.wrapping_add(STEP);
        Some((mix(state) >> 40) as f32 / (1u64 << 23) as f32 - 1.0)
    };
    std::iter::from_fn(next)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_read_as_the_contract_has_them() {
        let mut memory = Memory::new();
        let mut left = 8 << 30;
        let mut read = |text: &str| argument(text, 0, &mut memory, &mut left);
        assert_eq!(read("u32:7"), Ok(Arg::U32(7)));
        assert_eq!(read("s32:-1"), Ok(Arg::S32(-1)));
        assert_eq!(read("f32:1.5"), Ok(Arg::F32(1.5)));
        assert_eq!(read("s8:-2"), Ok(Arg::Bytes([0xfe].into())));
        assert_eq!(read("u16:258"), Ok(Arg::Bytes([2, 1].into())));
        assert_eq!(read("hex:0011ff"), Ok(Arg::Bytes([0, 0x11, 0xff].into())));
        assert!(matches!(read("buf:zeros:16"), Ok(Arg::Buffer(_))));
        assert!(matches!(read("buf:hex:0011ff"), Ok(Arg::Buffer(_))));
        assert!(matches!(read("buf:f32:rand:4:1"), Ok(Arg::Buffer(_))));
        for bad in [
            "",
            "u32",
            "u32:x",
            "u32:-1",
            "u8:256",
            "hex:0",
            "buf:hex:0",
            "buf:hex:zz",
            "buf:zeros:99999999999999",
            "buf:f32:rand:1",
            "i8:1",
        ] {
            assert!(read(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn structures_pointers_and_maps_name_buffers() {
        let mut arguments = Arguments::new(8 << 30);
        arguments.buffer("a=zeros:4096").unwrap();
        let mut read = |text: &str| arguments.argument(text);
        assert_eq!(read("ptr:a+16"), Ok(Arg::U64((1 << 40) + 16)));
        let Ok(Arg::Buffer(_)) = read("buf:u32:mod:3:2") else { panic!("a buffer") };
        assert_eq!(read("ptr:1"), Ok(Arg::U64(2 << 40)), "argument 1");
        let bytes = [&7u32.to_le_bytes()[..], &[0; 4], &(1u64 << 40).to_le_bytes(), &[9, 0, 0, 0, 0, 0, 0, 0]].concat();
        assert_eq!(read("struct:u32:7,ptr:a,u8:9"), Ok(Arg::Bytes(bytes.into())));
        let Ok(Arg::TensorMap(map)) = read("map:a:f16:32x16:32x8:64") else { panic!("a map") };
        assert_eq!((map.dims[..2].to_vec(), map.strides[0], map.swizzle), (vec![32, 16], 64, Swizzle::B64));
        for bad in
            ["ptr:b", "ptr:a+x", "struct:u32", "map:a:f16:32", "map:a:x:32:32", "map:a:f16:32:32:7", "buf:u32:mod:1:0"]
        {
            assert!(read(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn symbols_have_a_name_and_perhaps_bytes() {
        assert_eq!(symbol("table"), Ok(("table", None)));
        assert_eq!(symbol("factor=f32:1.5"), Ok(("factor", Some(1.5f32.to_le_bytes().to_vec()))));
        assert_eq!(symbol("table=hex:0102"), Ok(("table", Some(vec![1, 2]))));
        assert!(symbol("table=buf:zeros:4").is_err() && symbol("table=7").is_err());
    }

    #[test]
    fn hexadecimal_goes_there_and_back() {
        assert_eq!(unhex("00ff10").map(|bytes| Hex(&bytes).to_string()), Ok("00ff10".to_owned()));
    }
}
