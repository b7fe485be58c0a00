//! Numbers and lists of numbers in directives.

/// Returns the size in bytes of a type.
pub(crate) fn bytes_of(ty: &str) -> Result<usize, String> {
    match ty {
        "u8" | "s8" => Ok(1),
        "u16" | "s16" => Ok(2),
        "u32" | "s32" | "f32" => Ok(4),
        "u64" | "s64" | "f64" => Ok(8),
        _ => Err(format!("there is no type `{ty}`")),
    }
}

/// Returns a number's bits: `7`, `-7`, `0xff`; with the suffix `f` or `d`, or as an `f32` or `f64`, those of a float.
pub(crate) fn bits(ty: &str, text: &str) -> Result<u64, String> {
    let wrong = || format!("`{text}` is not a number");
    if let Some(digits) = text.strip_prefix("0x") {
        return u64::from_str_radix(&digits.replace('_', ""), 16).map_err(|_| wrong());
    }
    let single = |text: &str| text.parse::<f32>().map(|value| value.to_bits().into()).map_err(|_| wrong());
    let double = |text: &str| text.parse::<f64>().map(f64::to_bits).map_err(|_| wrong());
    match (ty, text.strip_suffix('f'), text.strip_suffix('d')) {
        ("f32", ..) => single(text),
        ("f64", ..) => double(text),
        (_, Some(text), _) if text != "in" => single(text),
        (_, _, Some(text)) => double(text),
        _ => text.parse::<i128>().map(|value| value as u64).map_err(|_| wrong()),
    }
}

/// Returns the bytes of a list: numbers, `A..B` with both ends, `N*VALUE` or `N*(LIST)`.
pub(crate) fn list(ty: &str, text: &str) -> Result<Vec<u8>, String> {
    let size = bytes_of(ty)?;
    let mut all = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let ends = |c: char| c == ',' || c.is_whitespace();
        if let Some((count, list_on)) = rest.split_once("*(").filter(|(count, _)| !count.contains(ends)) {
            let (inner, on) = list_on.split_once(')').ok_or("a `(` is not closed")?;
            all.extend(list(ty, inner)?.repeat(whole(count)?));
            rest = on.trim_start_matches(ends);
            continue;
        }
        let (item, on) = rest.split_once(ends).unwrap_or((rest, ""));
        rest = on.trim_start_matches(ends);
        let (count, item) =
            item.split_once('*').map_or(Ok((1, item)), |(count, item)| Ok::<_, String>((whole(count)?, item)))?;
        let values = match item.split_once("..") {
            Some((from, to)) => (bits("u64", from)?..=bits("u64", to)?).map(|value| value.to_string()).collect(),
            None => vec![item.to_owned()],
        };
        for _ in 0..count {
            for value in &values {
                all.extend_from_slice(&bits(ty, value)?.to_le_bytes()[..size]);
            }
        }
    }
    Ok(all)
}

/// Returns a size: a number, with `K` or `M` for 2¹⁰ or 2²⁰.
pub(crate) fn whole(text: &str) -> Result<usize, String> {
    let (digits, shift) = match text.chars().last() {
        Some('K') => (&text[..text.len() - 1], 10),
        Some('M') => (&text[..text.len() - 1], 20),
        _ => (text, 0),
    };
    digits.parse::<usize>().map(|number| number << shift).map_err(|_| format!("`{text}` is not a size"))
}

/// Writes bytes as a list, in the shortest form that [`list`] reads: the inverse of [`list`].
pub(crate) fn shown(ty: &str, bytes: &[u8]) -> String {
    let size = bytes_of(ty).unwrap_or(4);
    let words: Vec<u64> =
        bytes.chunks(size).map(|word| word.iter().rev().fold(0, |value, byte| value << 8 | u64::from(*byte))).collect();
    let text = |word: u64| match ty {
        "f32" => format!("{}", f32::from_bits(word as u32)),
        "f64" => format!("{}", f64::from_bits(word)),
        _ if word > 0xffff => format!("{word:#x}"),
        _ => word.to_string(),
    };
    let mut parts = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let same = words[at..].iter().take_while(|word| **word == words[at]).count();
        let rising = words[at..].iter().zip(words[at]..).take_while(|(word, value)| **word == *value).count();
        let (part, count) = match (same, rising) {
            (3.., _) => (format!("{same}*{}", text(words[at])), same),
            (_, 3..) if !ty.starts_with('f') => (format!("{}..{}", words[at], words[at + rising - 1]), rising),
            _ => (text(words[at]), 1),
        };
        parts.push(part);
        at += count;
    }
    parts.join(" ")
}
