//! `--show`: prints the bytes of a buffer as numbers.

use super::arguments::Hex;
use tutor_support::t;

/// Format and maximum count of the numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Show {
    kind: Kind,
    /// Maximum numbers per buffer.
    count: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    F32,
    S32,
    U32,
    F64,
    Hex,
}

const KINDS: [(&str, Kind); 5] =
    [("f32", Kind::F32), ("s32", Kind::S32), ("u32", Kind::U32), ("f64", Kind::F64), ("hex", Kind::Hex)];
const COUNT: usize = 64;
const ON_A_LINE: usize = 8;

impl Show {
    /// Parses `KIND` or `KIND:COUNT`.
    pub(super) fn read(text: &str) -> Result<Self, String> {
        let (kind, count) = text.split_once(':').map_or((text, None), |(kind, count)| (kind, Some(count)));
        let known = KINDS.iter().find(|(name, _)| *name == kind);
        let (_, kind) =
            known.ok_or_else(|| "it takes f32, s32, u32, f64 or hex, perhaps with a count: f32:16".to_owned())?;
        let count = count.map_or(Ok(COUNT), str::parse);
        let count = count.map_err(|_| "it takes a whole number as the count: f32:16".to_owned())?;
        Ok(Self { kind: *kind, count })
    }

    pub(super) fn name(self) -> &'static str {
        KINDS.iter().find(|(_, kind)| *kind == self.kind).map_or("hex", |(name, _)| *name)
    }

    /// Returns the number of bytes per number.
    fn bytes(self) -> usize {
        if self.kind == Kind::F64 { 8 } else { 4 }
    }

    /// Returns the first numbers of a buffer. Bytes that do not form a whole number are shown in hexadecimal.
    pub(super) fn numbers(self, buffer: &[u8]) -> Vec<String> {
        buffer.chunks(self.bytes()).take(self.count).map(|bytes| self.number(bytes)).collect()
    }

    fn number(self, bytes: &[u8]) -> String {
        let word = bytes.try_into().map(u32::from_le_bytes).ok();
        match (self.kind, word) {
            (Kind::F32, Some(word)) => format!("{}", f32::from_bits(word)),
            (Kind::S32, Some(word)) => format!("{}", word as i32),
            (Kind::U32, Some(word)) => format!("{word}"),
            (Kind::Hex, Some(word)) => format!("{word:08x}"),
            (Kind::F64, _) => {
                bytes.try_into().map(f64::from_le_bytes).map_or_else(|_| rest(bytes), |number| format!("{number}"))
            }
            (_, None) => rest(bytes),
        }
    }

    /// Returns lines that begin with the index of their first number. The last line counts the numbers left out of a
    /// buffer of `bytes` bytes.
    pub(super) fn lines(self, numbers: &[String], bytes: usize) -> Vec<String> {
        let all = bytes.div_ceil(self.bytes());
        let digits = all.saturating_sub(1).to_string().len();
        let width = numbers.iter().map(String::len).max().unwrap_or(0);
        let mut lines: Vec<String> = (numbers.chunks(ON_A_LINE).zip(0..))
            .map(|(chunk, line): (_, usize)| {
                let numbers: String = chunk.iter().map(|number| format!("  {number:>width$}")).collect();
                format!("  {:>digits$}:{numbers}", line * ON_A_LINE)
            })
            .collect();
        if numbers.len() < all {
            lines.push(format!(
                "  … {}",
                t!("emulate-more", more = all - numbers.len(), option = format!("--show {}:{all}", self.name()))
            ));
        }
        lines
    }
}

/// Shows the remaining bytes at the end, which do not form a whole number.
fn rest(bytes: &[u8]) -> String {
    format!("0x{}", Hex(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_and_a_count_are_read() {
        assert_eq!(Show::read("f32"), Ok(Show { kind: Kind::F32, count: 64 }));
        assert_eq!(Show::read("hex:3"), Ok(Show { kind: Kind::Hex, count: 3 }));
        for wrong in ["", "f16", "f32:", "f32:-1", "f32:x", "F32"] {
            assert!(Show::read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn bytes_are_numbers_and_what_is_left_out_is_said() {
        let buffer: Vec<u8> = [1.5f32, -0.1, f32::NAN].into_iter().flat_map(f32::to_le_bytes).chain([7]).collect();
        let show = |text: &str| Show::read(text).unwrap();
        assert_eq!(show("f32").numbers(&buffer), ["1.5", "-0.1", "NaN", "0x07"]);
        assert_eq!(show("s32:1").numbers(&(-5i32).to_le_bytes()), ["-5"]);
        assert_eq!(show("f64").numbers(&2.25f64.to_le_bytes()), ["2.25"]);
        assert_eq!(show("hex").numbers(&[0, 0, 0x80, 0x3f]), ["3f800000"]);
        let numbers = show("u32:9").numbers(&[0; 400]);
        assert_eq!(
            show("u32:9").lines(&numbers, 400),
            ["   0:  0  0  0  0  0  0  0  0", "   8:  0", "  … 91 more; `--show u32:100` prints all"]
        );
    }
}
