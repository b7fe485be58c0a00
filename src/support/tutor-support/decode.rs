/*! Decodes text files of other people, whose programs may not write UTF-8.

A byte order mark names UTF-8 or UTF-16 (WHATWG, Encoding Standard, "BOM sniff"). Without one, bytes that are UTF-8 are UTF-8.
Other bytes are decoded only if the guess is clear: as UTF-16 if every second byte is zero, as CP949 if nearly all pairs of
bytes are the Hangul syllables of KS X 1001, or as Windows-1252 if no three bytes in a row are outside ASCII.
*/

use crate::sentence;
use crate::words::Sentence;
use encoding_rs::{EUC_KR, Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

/// The signs with which old systems end a text or fill a file. They are not part of the text.
const ENDS: [char; 2] = ['\0', '\u{1a}'];

/// Decodes a text. Returns it with `\n` or `\r\n` at the ends of lines, and the name of its encoding if that is not UTF-8.
///
/// # Errors
/// If the bytes are not a text, or the encoding is not clear: a part of a sentence that says why.
pub fn decode(bytes: Vec<u8>) -> Result<(String, Option<&'static str>), Sentence> {
    let (text, encoding) = match Encoding::for_bom(&bytes) {
        Some((encoding, mark)) => (exact(encoding, &bytes[mark..]), encoding),
        None => match String::from_utf8(bytes) {
            Ok(text) if !text.trim_end_matches(ENDS).contains('\0') => (Some(text), UTF_8),
            Ok(text) => guess(text.as_bytes()),
            Err(error) => {
                let at = error.utf8_error().valid_up_to() + 1;
                let (text, encoding) = guess(error.as_bytes());
                (Some(text.ok_or_else(|| sentence!("file-encoding", at))?), encoding)
            }
        },
    };
    let mut text = text.ok_or_else(|| sentence!("file-not-text"))?;
    text.truncate(text.trim_end_matches(ENDS).len());
    if text.contains('\0') {
        return Err(sentence!("file-not-text"));
    }
    let name = match encoding {
        _ if encoding == UTF_8 => None,
        _ if encoding == EUC_KR => Some("CP949"),
        _ => Some(encoding.name()),
    };
    Ok((unix_lines(text), name))
}

fn exact(encoding: &'static Encoding, bytes: &[u8]) -> Option<String> {
    Some(encoding.decode_without_bom_handling_and_without_replacement(bytes)?.into_owned())
}

/// Guesses the encoding of bytes that are not UTF-8. The text is `None` if the guess would not be clear.
fn guess(bytes: &[u8]) -> (Option<String>, &'static Encoding) {
    let zeros = |first| bytes.iter().skip(first).step_by(2).filter(|byte| **byte == 0).count();
    let (high, low) = (zeros(0), zeros(1));
    let wide = |most: usize, least: usize| most * 4 > bytes.len() && most > least * 8;
    let control = |byte: &u8| matches!(byte, 0..=8 | 11 | 14..=31 | 0x7f);
    let encoding = match () {
        () if wide(low, high) => UTF_16LE,
        () if wide(high, low) => UTF_16BE,
        () if bytes.strip_suffix(b"\x1a").unwrap_or(bytes).iter().any(control) => return (None, UTF_8),
        () if is_korean(bytes) => EUC_KR,
        // Letters with accents are rarely neighbours. The five bytes have no sign in Windows-1252.
        () if bytes.windows(3).any(|three| three.iter().all(|byte| *byte >= 0x80))
            || bytes.iter().any(|byte| matches!(byte, 0x81 | 0x8d | 0x8f | 0x90 | 0x9d)) =>
        {
            return (None, UTF_8);
        }
        () => WINDOWS_1252,
    };
    (exact(encoding, bytes), encoding)
}

/// True if at least eight of nine pairs of bytes outside ASCII, without punctuation, are Hangul syllables of KS X 1001 (rows
/// 16 to 40). Chinese and Japanese encodings use the same bytes, but other rows as often.
fn is_korean(bytes: &[u8]) -> bool {
    let (mut syllables, mut pairs, mut at) = (0_usize, 0_usize, 0);
    while let Some(&lead) = bytes.get(at) {
        let trail = bytes.get(at + 1).copied().unwrap_or_default();
        at += if lead < 0x80 { 1 } else { 2 };
        pairs += usize::from(matches!(lead, 0x80..=0xa0 | 0xa4..));
        syllables += usize::from(matches!((lead, trail), (0xb0..=0xc8, 0xa1..=0xfe)));
    }
    syllables > 0 && syllables * 9 >= pairs * 8
}

/// Ends lines with a line feed where a carriage return alone ends them, as on old Macs.
fn unix_lines(text: String) -> String {
    let bytes = text.as_bytes();
    let alone = |at: usize| bytes[at] == b'\r' && bytes.get(at + 1) != Some(&b'\n');
    if !(0..bytes.len()).any(alone) {
        return text;
    }
    let mut rest = text.chars().peekable();
    let mut out = String::with_capacity(text.len());
    while let Some(c) = rest.next() {
        out.push(if c == '\r' && rest.peek() != Some(&'\n') { '\n' } else { c });
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn utf_16(text: &str, order: fn(u16) -> [u8; 2]) -> Vec<u8> {
        text.encode_utf16().flat_map(order).collect()
    }

    fn encoded(encoding: &'static Encoding, text: &str) -> Vec<u8> {
        let (bytes, _, unmappable) = encoding.encode(text);
        assert!(!unmappable, "{text}");
        bytes.into_owned()
    }

    #[test]
    fn a_text_is_read_however_it_was_saved() {
        let german = "// Größe: 16 × 16 – fertig, Änderung\nint a;\n";
        let korean = "s1,김민수\ns2,이서연 «과제»\n".replace(['«', '»'], "");
        for (text, bytes, name) in [
            (german, german.as_bytes().to_vec(), None),
            (german, format!("\u{feff}{german}").into_bytes(), None),
            (german, utf_16(&format!("\u{feff}{german}"), u16::to_le_bytes), Some("UTF-16LE")),
            (&korean, utf_16(&format!("\u{feff}{korean}"), u16::to_be_bytes), Some("UTF-16BE")),
            (german, utf_16(german, u16::to_le_bytes), Some("UTF-16LE")),
            (german, utf_16(german, u16::to_be_bytes), Some("UTF-16BE")),
            (german, encoded(WINDOWS_1252, german), Some("windows-1252")),
            ("// Änderung\n", encoded(WINDOWS_1252, "// Änderung\n"), Some("windows-1252")),
            ("déjà vu, naïveté", encoded(WINDOWS_1252, "déjà vu, naïveté"), Some("windows-1252")),
            (&korean, encoded(EUC_KR, &korean), Some("CP949")),
            ("// 타일을 함께 읽는다 (뷁)\n", encoded(EUC_KR, "// 타일을 함께 읽는다 (뷁)\n"), Some("CP949")),
            ("a\nb\n\nc", b"a\rb\r\rc".to_vec(), None),
            ("a\r\nb\nc", b"a\r\nb\nc".to_vec(), None),
            ("a", b"a\0\0".to_vec(), None),
            ("a\n", b"a\n\x1a".to_vec(), None),
            ("", Vec::new(), None),
        ] {
            assert_eq!(decode(bytes).map_err(|why| why.to_string()), Ok((text.to_owned(), name)), "{text}");
        }
    }

    #[test]
    fn what_is_not_clearly_a_text_is_refused() {
        use encoding_rs::{BIG5, EUC_JP, GB18030, SHIFT_JIS};
        let chinese = "张伟是一个学生，他的作业在这里。";
        let japanese = "タイルを共有メモリに読み込む。田中太郎";
        for bytes in [
            b"a\0b\0\0\0cccccccc".to_vec(),
            b"\x7fELF\x02\x01\x01\0\0\0\0\0\xff\xfe".to_vec(),
            b"\xff\xfe\0\0a\0\0\0".to_vec(),
            b"\xff\xfea".to_vec(),
            encoded(GB18030, chinese),
            encoded(BIG5, "張偉是一個學生，他的作業在這裡。"),
            encoded(SHIFT_JIS, japanese),
            encoded(EUC_JP, japanese),
            (0x80..=0xff).collect(),
        ] {
            assert!(decode(bytes.clone()).is_err(), "{:?}", decode(bytes));
        }
    }
}
