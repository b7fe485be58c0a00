/*! Breaks styled text into lines of a given width.

Unicode's rules determine where a line may end (UAX #14, in `unicode-linebreak`). In addition, lines do not break inside
Korean words (as in Korean books) or short inline code, or next to the sign of an equation. In Korean text, they do not
break between words that belong together. Widths are terminal cells: a wide character has two cells and is never cut.
*/

mod together;

use crate::prelude::*;
use together::together;
use unicode_linebreak::{BreakOpportunity, linebreaks};
use unicode_segmentation::UnicodeSegmentation;

/// Maximum cells of inline code that is kept on one line.
const WHOLE_CODE: usize = 28;

/// Maximum characters of a word ending in a slash that is kept together with the next word, as in GFLOP/s.
const WHOLE_UNIT: usize = 6;

/// A run of text in one style.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// The text; `\n` ends a line.
    pub text: String,
    pub style: Style,
    /// True if the run should not be broken.
    pub whole: bool,
}

impl Run {
    pub fn new(text: impl Into<String>, style: Style) -> Self {
        Self { text: text.into(), style, whole: false }
    }
}

/// Breaks `runs` into lines of at most `width` cells.
pub fn wrap(runs: &[Run], width: u16) -> Vec<Line<'static>> {
    let width = usize::from(width.max(2));
    let text: String = runs.iter().map(|run| run.text.as_str()).collect();
    if text.is_empty() {
        return Vec::new();
    }
    let (whole, mut slices) = (whole_ranges(runs), Slices::new(runs));
    let mut whole = whole.as_slice();
    let korean = text.contains(hangul);
    let mut lines = Vec::new();
    let (mut line, mut segment) = (0, 0); // byte offsets of the line's and the segment's start
    let mut end = 0; // end of the line without trailing blanks
    for (at, opportunity) in linebreaks(&text) {
        let mandatory = opportunity == BreakOpportunity::Mandatory;
        if !mandatory && !may_break(&text, at, &mut whole, korean) {
            continue;
        }
        let stop = text[segment..at].trim_end().len() + segment;
        if segment > line && wider(&text[line..stop], width) {
            lines.push(slices.line(line, end));
            line = segment;
        }
        while wider(&text[line..stop], width) {
            let full = line + fitting(&text[line..stop], width);
            // Words that stay together but do not fit are parted at a blank.
            let fits = &text[line..full];
            let blank = if text[full..].starts_with(' ') { Some(fits.len()) } else { fits.rfind(' ') };
            let blank = blank.filter(|blank| !fits[..*blank].trim().is_empty());
            let cut = blank.map_or(full, |blank| line + blank);
            lines.push(slices.line(line, cut));
            line = cut + usize::from(blank.is_some());
        }
        (segment, end) = (at, stop);
        let ended = text[..at].ends_with('\n') || at == text.len();
        if mandatory && ended {
            lines.push(slices.line(line, stop));
            line = at;
        }
    }
    if text.ends_with('\n') && lines.last().is_some_and(|line| line.width() == 0) {
        lines.pop();
    }
    lines
}

/// Breaks text in one style into lines of at most `width` cells.
pub fn wrap_text(text: &str, style: Style, width: u16) -> Vec<Line<'static>> {
    wrap(&[Run::new(text, style)], width)
}

/// Breaks a line of code into rows of `width` cells, at blanks if possible. The rows after the first are indented
/// further.
pub fn wrap_code(runs: &[Run], width: usize) -> Vec<Line<'static>> {
    let text: String = runs.iter().map(|run| run.text.as_str()).collect();
    let mut slices = Slices::new(runs);
    if text.width() <= width {
        return vec![slices.line(0, text.trim_end().len())];
    }
    let indent = (text.len() - text.trim_start().len() + 4).min(width / 2);
    let margin = " ".repeat(indent);
    let mut rows: Vec<Vec<Span>> = vec![Vec::new()];
    let mut used = 0;
    let mut at = 0;
    for word in text.split_inclusive(' ') {
        let cells = word.trim_end().width();
        if used + cells > width && cells + indent <= width {
            rows.push(vec![Span::raw(margin.clone())]);
            used = indent;
        }
        let whole = used + cells <= width;
        for span in slices.line(at, at + word.len()).spans {
            // Only a word that is wider than a row is broken.
            for part in if whole { vec![&*span.content] } else { span.content.graphemes(true).collect() } {
                if used + part.trim_end().width() > width {
                    rows.push(vec![Span::raw(margin.clone())]);
                    used = indent;
                }
                used += part.width();
                let Some(row) = rows.last_mut() else { continue };
                match row.last_mut() {
                    // The margin of a continued row remains a separate span.
                    Some(last) if last.style == span.style && last.content != margin => {
                        last.content.to_mut().push_str(part);
                    }
                    _ => row.push(Span::styled(part.to_owned(), span.style)),
                }
            }
        }
        at += word.len();
    }
    let trimmed = |mut row: Vec<Span<'static>>| {
        if let Some(last) = row.last_mut() {
            last.content = last.content.trim_end().to_owned().into();
        }
        Line::from(row)
    };
    rows.into_iter().map(trimmed).collect()
}

/// Puts `first` before the first line and `rest` before the others.
pub fn hang(lines: Vec<Line<'static>>, first: &Span<'static>, rest: &Span<'static>) -> Vec<Line<'static>> {
    lines
        .into_iter()
        .enumerate()
        .map(|(at, mut line)| {
            line.spans.insert(0, if at == 0 { first.clone() } else { rest.clone() });
            line
        })
        .collect()
}

fn whole_ranges(runs: &[Run]) -> Vec<(usize, usize)> {
    let mut at = 0;
    let mut ranges = Vec::new();
    for run in runs {
        if run.whole && run.text.width() <= WHOLE_CODE {
            ranges.push((at, at + run.text.len()));
        }
        at += run.text.len();
    }
    ranges
}

/// True if a line may end at `at`. Ranges of `whole` before `at` are dropped, so `at` must not decrease between calls.
fn may_break(text: &str, at: usize, whole: &mut &[(usize, usize)], in_korean: bool) -> bool {
    while let Some((_, rest)) = whole.split_first().filter(|((_, end), _)| *end <= at) {
        *whole = rest;
    }
    if whole.first().is_some_and(|&(start, _)| start < at) {
        return false;
    }
    let before = text[..at].chars().next_back();
    let after = text[at..].chars().next();
    let letters = || text[..at].chars().rev().take(WHOLE_UNIT + 1).take_while(|c| !c.is_whitespace()).count();
    let unit = before == Some('/') && letters() <= WHOLE_UNIT;
    // A Korean particle belongs to the code, bracket, symbol or number before it: `병합(coalescing)` is one word.
    let korean = before.is_some_and(hangul) || after.is_some_and(hangul);
    let word = korean && !before.is_some_and(char::is_whitespace);
    // There is no break after a bracket, an ellipsis or the dash of a range.
    let joined = matches!(before, Some(']' | ')' | '…' | '–'));
    // The hyphens of an option like `--seconds` begin a word.
    let option = text[..at].strip_suffix('-').is_some_and(|rest| !rest.ends_with(char::is_alphanumeric));
    let kept = unit || word || joined || option || in_equation(text, at);
    !kept && (!in_korean || !together(&text[..at], &text[at..]))
}

/// True if a break would be next to the sign of an equation, or between a number and its percent sign or the dot and the
/// factor after it.
fn in_equation(text: &str, at: usize) -> bool {
    let (before, after) = text.split_at(at);
    let number = |before: &str| before.ends_with(char::is_numeric);
    let factor = before.strip_suffix(" · ").is_some_and(number)
        || after.starts_with(['%', '·']) && before.strip_suffix(' ').is_some_and(number);
    before.ends_with(" = ") || after.starts_with("= ") || factor
}

fn hangul(c: char) -> bool {
    matches!(c, '\u{1100}'..='\u{11ff}' | '\u{3130}'..='\u{318f}' | '\u{ac00}'..='\u{d7af}')
}

/// Returns how many bytes of `text` fit in `width` cells; at least one grapheme.
fn fitting(text: &str, width: usize) -> usize {
    let mut used = 0;
    for (at, grapheme) in text.grapheme_indices(true) {
        used += grapheme.width();
        if used > width && at > 0 {
            return at;
        }
    }
    text.len()
}

/// True if a text takes more than `width` cells. Reads only as much of a long text as necessary.
fn wider(text: &str, width: usize) -> bool {
    // No character takes more cells than bytes.
    if text.len() <= width {
        return false;
    }
    let begins = text.char_indices().nth(4 * width).map_or(text, |(end, _)| &text[..end]);
    begins.width() > width || begins.len() < text.len() && text.width() > width
}

/// Slices of styled text in ascending order, so that each run is visited once.
struct Slices<'r> {
    /// The runs that do not end before the last slice.
    runs: &'r [Run],
    /// Bytes before those runs.
    at: usize,
}

impl<'r> Slices<'r> {
    fn new(runs: &'r [Run]) -> Self {
        Self { runs, at: 0 }
    }

    /// Returns bytes `start` to `end`. A later call must not begin earlier.
    fn line(&mut self, start: usize, end: usize) -> Line<'static> {
        while let Some((first, rest)) = self.runs.split_first().filter(|(first, _)| self.at + first.text.len() <= start)
        {
            (self.runs, self.at) = (rest, self.at + first.text.len());
        }
        let mut at = self.at;
        let mut spans = Vec::new();
        for run in self.runs {
            if at >= end {
                break;
            }
            let (from, to) = (start.max(at), end.min(at + run.text.len()));
            if from < to {
                spans.push(Span::styled(run.text[from - at..to - at].to_owned(), run.style));
            }
            at += run.text.len();
        }
        Line::from(spans)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn wrapped(text: &str, width: u16) -> Vec<String> {
        wrap_text(text, Style::new(), width).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn lines_end_between_words_and_keep_numbers_equations_and_units_whole() {
        let cases: [(&str, u16, &[&str]); 15] = [
            ("a warp is thirty-two lanes", 10, &["a warp is", "thirty-two", "lanes"]),
            ("all of 1,048,576 elements", 14, &["all of", "1,048,576", "elements"]),
            ("times at n = 2048: none", 13, &["times at", "n = 2048:", "none"]),
            ("waits take 1.4 % of it", 14, &["waits take", "1.4 % of it"]),
            ("it is 2 · 16 bits", 9, &["it is", "2 · 16", "bits"]),
            ("read by lanes 8–15", 16, &["read by lanes", "8–15"]),
            ("warp 0 12 lanes", 8, &["warp 0", "12 lanes"]),
            ("adds B[2][3] and A[0…15]", 10, &["adds", "B[2][3]", "and", "A[0…15]"]),
            ("copies 4.29 TB/s here", 15, &["copies 4.29", "TB/s here"]),
            ("at most 60 GFLOP/s", 17, &["at most 60", "GFLOP/s"]),
            ("kernels/sgemm_tiled", 12, &["kernels/", "sgemm_tiled"]),
            // Only a word that is too long is cut. A syllable takes two cells.
            ("x abcdefghij y", 4, &["x", "abcd", "efgh", "ij y"]),
            ("공유 메모리 타일링", 11, &["공유 메모리", "타일링"]),
            ("공유메모리타일링", 6, &["공유메", "모리타", "일링"]),
            ("one\n\ntwo", 20, &["one", "", "two"]),
        ];
        for (text, width, lines) in cases {
            assert_eq!(wrapped(text, width), lines);
        }
    }

    #[test]
    fn no_line_begins_with_a_particle_and_numbers_stay_with_their_counters_units_and_operators() {
        for (text, width, lines) in [
            ("여기서 A를 읽는다", 8, ["여기서", "A를", "읽는다"]),
            ("접근 병합(coalescing)은 한다", 18, ["접근", "병합(coalescing)은", "한다"]),
            ("모두 32가 된다", 7, ["모두", "32가", "된다"]),
            ("크기 16 KB를 쓴다", 8, ["크기", "16 KB를", "쓴다"]),
            ("전체 80 %에서 끝", 8, ["전체", "80 %에서", "끝"]),
            ("속도 1.4×로 는다", 7, ["속도", "1.4×로", "는다"]),
            ("행 (열)을 로드/스토어", 11, ["행 (열)을", "로드/스토어", ""]),
            ("A·B의 곱", 5, ["A·B의", "곱", ""]),
            ("답을 두 번 읽으세요", 8, ["답을", "두 번", "읽으세요"]),
            ("섹터가 몇 개만 드는", 10, ["섹터가", "몇 개만", "드는"]),
            ("모두 아홉 레벨이다", 13, ["모두", "아홉 레벨이다", ""]),
            ("그 원소 TM × TN개", 14, ["그 원소", "TM × TN개", ""]),
            ("모두 1.07 TFLOP/s입니다", 16, ["모두", "1.07", "TFLOP/s입니다"]),
            ("모두 1.07 TFLOP/s입니다", 18, ["모두", "1.07 TFLOP/s입니다", ""]),
            ("블록이 (132 + 256)개 있다", 16, ["블록이", "(132 + 256)개", "있다"]),
            ("지붕은 4 × 4.29 = 17 정도", 16, ["지붕은", "4 × 4.29 = 17", "정도"]),
            ("비율은 33 대 5입니다. 끝", 15, ["비율은", "33 대 5입니다.", "끝"]),
            ("워프의 레인 16에서 본다", 15, ["워프의", "레인 16에서", "본다"]),
            ("고칠 파일 a-long-way-down.cu", 20, ["고칠 파일", "a-long-way-down.cu", ""]),
            ("a long-lived row", 8, ["a long-", "lived", "row"]),
            ("그러면 레인 l은 읽는다", 13, ["그러면", "레인 l은", "읽는다"]),
        ] {
            assert_eq!(wrapped(text, width), lines.into_iter().filter(|line| !line.is_empty()).collect::<Vec<_>>());
        }
        let code = |text: &str| Run { text: text.into(), style: Style::new(), whole: true };
        let runs = [
            Run::new("다음 ", Style::new()),
            code("x"),
            Run::new("를, 또 ", Style::new()),
            code("f(a)"),
            Run::new("은", Style::new()),
        ];
        let lines: Vec<String> = wrap(&runs, 6).iter().map(ToString::to_string).collect();
        assert_eq!(lines, ["다음", "x를,", "또", "f(a)은"]);
    }

    #[test]
    fn short_code_is_not_broken() {
        let runs = [
            Run::new("read ", Style::new()),
            Run { text: "A_tile[ty][k + 1]".into(), style: Style::new(), whole: true },
        ];
        let lines: Vec<String> = wrap(&runs, 18).iter().map(ToString::to_string).collect();
        assert_eq!(lines, ["read", "A_tile[ty][k + 1]"]);
    }

    fn code(text: &str, width: usize) -> Vec<String> {
        wrap_code(&[Run::new(text, Style::new())], width).iter().map(|row| row.to_string().trim_end().into()).collect()
    }

    #[test]
    fn a_line_of_code_goes_on_indented_further() {
        assert_eq!(code("  int x = a + (b * c);", 14), ["  int x = a +", "      (b * c);"]);
        assert_eq!(code("a = b;", 6), ["a = b;"]);
        assert_eq!(code("abcdefghijkl", 8), ["abcdefgh", "    ijkl"]);
        let coloured = ["i += ", "blockDim", ".x"].map(|run| Run::new(run, Style::new()));
        let rows: Vec<String> = wrap_code(&coloured, 14).iter().map(ToString::to_string).collect();
        assert_eq!(rows, ["i +=", "    blockDim.x"]);
    }

    proptest! {
        #[test]
        fn no_line_is_too_wide_and_no_visible_character_is_lost(text in "[a-z가-힣 ,\\-]{0,80}", width in 2u16..40) {
            let lines = wrapped(&text, width);
            for line in &lines {
                prop_assert!(line.width() <= usize::from(width), "{line:?}");
            }
            let visible = |s: &str| s.chars().filter(|c| !c.is_whitespace()).collect::<String>();
            prop_assert_eq!(visible(&lines.concat()), visible(&text));
        }
    }
}
