//! Words of Korean text that belong on one line: a number and its counter or unit, a name and its number, a formula, a file name.

const UNITS: &str =
    "% ms µs ns s W KB MB GB KiB MiB GiB KB/s MB/s GB/s TB/s GFLOP/s TFLOP/s FLOP GFLOP FLOP/byte MHz GHz 대";
const KOREAN_NUMERALS: &str = "한 두 세 네 다섯 여섯 일곱 여덟 아홉 열 열두 스무 몇 첫 여러 한두 두세 서너";
const KOREAN_COUNTERS: &str = "번 개 배 가지 곳 줄 행 열 단계 쌍 칸 장 사이클 문제 문항 쪽 바이트 명령 묶음 비트 % 벌 바퀴 상자 문장 자리 조각 \
                               부분 병 년 퍼센트 레벨 웨이브 페이즈 스테이지 워드 FLOP TFLOP";
/// Korean words that a number follows.
const NUMBERED: &str = "레인 행 열 뱅크 워프 블록 스레드 타일 레벨 페이지 SM 바이트 대";
const OPERATORS: &str = "+ - − · × * / ÷ = ≈ < > ≤ ≥";

/// True if no line should end between `before`, which may end in a blank, and `after`.
pub(super) fn together(before: &str, after: &str) -> bool {
    let left = before.trim_end().rsplit(char::is_whitespace).next().unwrap_or_default();
    let right = after.split(char::is_whitespace).next().unwrap_or_default();
    if before.ends_with('-') {
        return right.contains('.');
    }
    let any = |list: &str, of: &dyn Fn(&str) -> bool| list.split(' ').any(of);
    let is = |list: &str, word: &str| any(list, &|known| known == word);
    let digit = |text: &str| text.trim_start_matches('(').starts_with(|c: char| c.is_ascii_digit());
    // A number, a letter or a name of two capitals, as t, K and BM개.
    let operand = |word: &str| {
        let name = word.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
        digit(word) || name.len() == 1 || name.len() == 2 && name.chars().all(|c| c.is_ascii_uppercase())
    };
    let unit = |unit: &str| {
        right.strip_prefix(unit).is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '/'))
    };
    let bare = left.trim_start_matches(|c: char| !c.is_alphanumeric());
    left.ends_with(|c: char| c.is_ascii_digit()) && any(UNITS, &unit)
        || is(KOREAN_NUMERALS, bare) && any(KOREAN_COUNTERS, &|counter| right.starts_with(counter))
        || is(NUMBERED, bare) && right.starts_with(|c: char| c.is_ascii_alphanumeric())
        || is(OPERATORS, left) && operand(right)
        || operand(left) && is(OPERATORS, right)
}
