/*! Korean numbers: written in words (`육백삼십`, `여덟`), or with the signs of ten, hundred, thousand and myriads
(`1억 3천4백만`).
*/

use super::korean::PARTICLES;

/// Returns a number that is written in words at the start of the text, and the rest: 630 for `육백삼십 개`, 8 for `여덟 개`.
pub(super) fn in_words(text: &str) -> Option<(f64, &str)> {
    native(text).or_else(|| sino_korean(text))
}

/// The digits from 0 to 9. Zero is also called `공`.
const DIGITS: &str = "영일이삼사오육칠팔구";

fn digit_of(c: char) -> Option<f64> {
    DIGITS.chars().position(|digit| digit == c || c == '공').map(|value| value as f64)
}

fn sino_korean(text: &str) -> Option<(f64, &str)> {
    let mut sum = Sum::default();
    let mut rest = text;
    let mut digit = None;
    loop {
        let here = rest.trim_start();
        let c = here.chars().next();
        // `이` also begins an ending.
        let ends = rest.len() < text.len()
            && PARTICLES.iter().any(|(_, all)| all.split('|').any(|end| end.len() > 3 && here == end));
        let next = c.filter(|_| !ends).and_then(digit_of);
        match (digit, next) {
            (None, Some(value)) => (digit, rest) = (Some(value), &here[3..]),
            _ => match sum.take(digit.unwrap_or(1.0), here).filter(|_| !ends) {
                Some(after) => (digit, rest) = (None, after),
                None => break,
            },
        }
    }
    if rest.len() == text.len() {
        return None;
    }
    Some((if sum.begun() { sum.end(digit.unwrap_or(0.0), rest)? } else { digit? }, rest))
}

/// The numbers from 1 to 10, and the other tens up to 90. Some have a second form before a counter.
const NATIVE: [&str; 18] = [
    "하나|한",
    "둘|두",
    "셋|세",
    "넷|네",
    "다섯",
    "여섯",
    "일곱",
    "여덟",
    "아홉",
    "열",
    "스물|스무",
    "서른",
    "마흔",
    "쉰",
    "예순",
    "일흔",
    "여든",
    "아흔",
];

fn native(text: &str) -> Option<(f64, &str)> {
    let word = |text: &str| {
        let length = |words: &str| words.split('|').find(|word| text.starts_with(word)).map(str::len);
        (1..=10)
            .chain((20..=90).step_by(10))
            .zip(NATIVE)
            .find_map(|(value, words)| Some((f64::from(value), length(words)?)))
    };
    let (value, length) = word(text)?;
    let rest = &text[length..];
    match word(rest.trim_start()) {
        Some((ones, length)) if value >= 10.0 && ones < 10.0 => Some((value + ones, &rest.trim_start()[length..])),
        _ => Some((value, rest)),
    }
}

/// A number with several Korean magnitude signs: `1억 3천4백만`.
#[derive(Debug, Default)]
pub(super) struct Sum {
    /// The sum up to the last 만, 억 or 조.
    total: f64,
    /// The sum after that sign.
    section: f64,
    /// The last sign below 만 in this section. `large` is the last sign from 만 on.
    small: Option<f64>,
    large: Option<f64>,
}

const SMALL: [(char, f64); 3] = [('천', 1e3), ('백', 1e2), ('십', 1e1)];
const LARGE: [(char, f64); 3] = [('조', 1e12), ('억', 1e8), ('만', 1e4)];

impl Sum {
    /// True if a sign has occurred.
    pub(super) fn begun(&self) -> bool {
        self.small.is_some() || self.large.is_some()
    }

    /// Adds a number with the signs after it. Returns the text after the signs, or `None` if no fitting sign follows.
    pub(super) fn take<'a>(&mut self, number: f64, rest: &'a str) -> Option<&'a str> {
        let mut after = rest.trim_start();
        let sign = |text: &str, signs: &[(char, f64)]| {
            let first = text.chars().next()?;
            signs.iter().find(|(sign, _)| *sign == first).map(|(_, value)| *value)
        };
        let small = sign(after, &SMALL);
        if let Some(value) = small {
            if self.small.is_some_and(|last| value >= last) {
                return None;
            }
            self.section += number * value;
            self.small = Some(value);
            after = after[3..].trim_start();
        }
        if let Some(value) = sign(after, &LARGE) {
            let number = if small.is_some() { 0.0 } else { number };
            let fits = self.small.is_none_or(|last| number < last) && self.large.is_none_or(|last| value < last);
            if !fits {
                return None;
            }
            self.total += (self.section + number) * value;
            (self.section, self.small, self.large) = (0.0, None, Some(value));
            return Some(&after[3..]);
        }
        small.map(|_| after)
    }

    /// Returns the sum after adding a last part without a sign. `None` if that part does not fit after the last sign,
    /// or if `rest` begins with a sign.
    pub(super) fn end(&self, number: f64, rest: &str) -> Option<f64> {
        let last = self.small.or(self.large)?;
        let signed = SMALL.iter().chain(&LARGE).any(|(sign, _)| rest.trim_start().starts_with(*sign));
        (number < last && !signed).then(|| self.total() + number)
    }

    pub(super) fn total(&self) -> f64 {
        self.total + self.section
    }
}
