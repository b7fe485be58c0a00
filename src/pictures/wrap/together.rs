//! Words that belong on one line: a number and its counter or unit, a name and its number, a short formula, a file name.

use unicode_width::UnicodeWidthStr as _;

/// Maximum cells of a formula that stays on one line.
const WHOLE_FORMULA: usize = 28;

/// Units after a number.
const UNITS: &str = "% ms µs ns s W KB MB GB KiB MiB GiB KB/s MB/s GB/s TB/s GFLOP/s TFLOP/s FLOP GFLOP MHz GHz";
/// Korean numerals before a counter.
const NUMERALS: &str = "한 두 세 네 다섯 여섯 일곱 여덟 아홉 열 열두 스무 몇 첫 여러 한두 두세 서너";
/// Korean counters.
const COUNTERS: &str = "번 개 배 가지 곳 줄 행 열 단계 쌍 칸 장 사이클 문제 문항 쪽 바이트 명령 스텝 묶음 비트";
/// Korean nouns that a number follows.
const NUMBERED: &str = "레인 행 열 뱅크 워프 블록 스레드 타일 레벨 페이지 SM 바이트";

/// True if no line should end between `before`, which may end in a blank, and `after`.
pub(super) fn together(before: &str, after: &str, width: usize) -> bool {
    let left = before.trim_end().rsplit(char::is_whitespace).next().unwrap_or_default();
    let right = after.split(char::is_whitespace).next().unwrap_or_default();
    if before.ends_with('-') {
        return right.contains('.') && left.width() + right.width() <= width;
    }
    let any = |list: &str, of: &dyn Fn(&str) -> bool| list.split(' ').any(of);
    let number = left.ends_with(|c: char| c.is_ascii_digit());
    let digit = right.starts_with(|c: char| c.is_ascii_digit());
    let unit = |unit: &str| {
        right.strip_prefix(unit).is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '/'))
    };
    let bare = left.trim_start_matches(|c: char| !c.is_alphanumeric());
    number && any(UNITS, &unit)
        || any(NUMERALS, &|numeral| bare == numeral) && any(COUNTERS, &|counter| right.starts_with(counter))
        || digit && any(NUMBERED, &|noun| bare == noun)
        || number && right == "대"
        || digit && left == "대"
        || in_formula(before, after, width)
}

/// True if the break is next to an operator between two operands of a formula that is short.
fn in_formula(before: &str, after: &str, width: usize) -> bool {
    let of = |word: &&str| operator(word) || operand(word);
    let mut words: Vec<&str> = before.split_whitespace().rev().take_while(of).collect();
    words.reverse();
    let at = words.len();
    words.extend(after.split_whitespace().take_while(of));
    let binary = |at: usize| {
        let around = [at.wrapping_sub(1), at + 1].map(|at| words.get(at).is_some_and(|word| operand(word)));
        words.get(at).is_some_and(|word| operator(word)) && around == [true; 2]
    };
    let cells: usize = words.iter().map(|word| word.width() + 1).sum();
    cells <= WHOLE_FORMULA.min(width) && (binary(at) || binary(at.wrapping_sub(1)))
}

fn operator(word: &str) -> bool {
    matches!(word, "+" | "-" | "−" | "·" | "×" | "*" | "/" | "÷" | "=" | "≈" | "<" | ">" | "≤" | "≥")
}

/// True for a number, and for a name of at most two capitals, also with a bracket before it.
fn operand(word: &str) -> bool {
    let word = word.trim_start_matches('(');
    let name = word.trim_end_matches(|c: char| !c.is_ascii_alphanumeric());
    word.starts_with(|c: char| c.is_ascii_digit())
        || (1..=2).contains(&name.len()) && name.chars().all(|c| c.is_ascii_uppercase())
}
