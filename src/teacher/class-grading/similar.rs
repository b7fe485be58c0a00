/*! Finds submissions with the same structure, whatever their names, blanks and comments are.

The method is winnowing (Schleimer, Wilkerson & Aiken, *Winnowing: local algorithms for document fingerprinting*, 2003).
A text becomes tokens, and each name (in PTX each register) the same token. Every run of [`RUN`] tokens has a hash, and of each window of
[`WINDOW`] hashes the smallest one is a fingerprint. Passages of the starter code do not count, and neither do those that
many submissions have. Short exercises have few correct solutions, so a match proves nothing.
*/

use crate::files::read_handed_in;
use crate::submissions::{MAX_SUBMISSION_BYTES, Submission, Submissions, starter};
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use tutor_exercises::Exercise;
use tutor_support::t;

const RUN: usize = 10;
const WINDOW: usize = 5;
/// Fingerprints that two texts must share.
const MIN_SHARED: usize = 8;
/// Percentage of the shorter text's fingerprints that two texts must share.
const MIN_PERCENT: usize = 60;
/// A passage is common knowledge if more than one in `COMMON` submissions has it.
const COMMON: usize = 5;
/// A passage that at most this many submissions have is never common knowledge.
const FEW: usize = 3;

impl Submissions {
    /// Notes in each submission which other students have a similar one.
    pub fn compare(&mut self, exercise: &Exercise) {
        let read = |one: &Submission| read_handed_in(&one.path, MAX_SUBMISSION_BYTES).ok();
        let texts: Vec<_> = self.all.iter().map(read).collect();
        compare(&mut self.all, &texts, starter(exercise));
        if self.all.iter().any(|one| !one.similar.is_empty()) {
            self.notes.push(t!("grade-similar-note"));
        }
    }
}

/// Notes in each submission which other students have a similar one. `texts` has the text of each submission that can be
/// read.
fn compare(submissions: &mut [Submission], texts: &[Option<String>], starter: &str) {
    let known = fingerprints(starter);
    let mut prints: Vec<BTreeSet<u64>> = texts
        .iter()
        .map(|text| fingerprints(text.as_deref().unwrap_or_default()).difference(&known).copied().collect())
        .collect();
    let mut holders: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
    for (at, prints) in prints.iter().enumerate() {
        prints.iter().for_each(|print| holders.entry(*print).or_default().push(at));
    }
    holders.retain(|_, holders| holders.len() <= FEW.max(submissions.len() / COMMON));
    prints.iter_mut().for_each(|prints| prints.retain(|print| holders.contains_key(print)));
    let mut shared: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    for holders in holders.values() {
        for (index, one) in holders.iter().enumerate() {
            holders[index + 1..].iter().for_each(|other| *shared.entry((*one, *other)).or_default() += 1);
        }
    }
    for ((one, other), count) in shared {
        let percent = 100 * count / prints[one].len().min(prints[other].len()).max(1);
        if count < MIN_SHARED || percent < MIN_PERCENT || submissions[one].student == submissions[other].student {
            continue;
        }
        for (at, with) in [(one, other), (other, one)] {
            let (name, percent) = (submissions[with].student.clone(), percent as u32);
            let similar = &mut submissions[at].similar;
            // A student with several files is named once.
            match similar.iter_mut().find(|(known, _)| *known == name) {
                Some((_, most)) => *most = percent.max(*most),
                None => similar.push((name, percent)),
            }
        }
    }
}

fn fingerprints(text: &str) -> BTreeSet<u64> {
    let tokens = tokens(text);
    let hashes: Vec<u64> = tokens
        .windows(RUN)
        .map(|run| {
            let mut hasher = DefaultHasher::new();
            run.hash(&mut hasher);
            hasher.finish()
        })
        .collect();
    hashes.windows(WINDOW.min(hashes.len()).max(1)).filter_map(|window| window.iter().min().copied()).collect()
}

/// Words that are part of a program's structure, unlike the names that a student chooses.
const WORDS: [&str; 18] = [
    "for",
    "if",
    "else",
    "while",
    "do",
    "return",
    "continue",
    "break",
    "float",
    "int",
    "const",
    "float4",
    "threadIdx",
    "blockIdx",
    "blockDim",
    "__syncthreads",
    "__shared__",
    "unroll",
];

/// Returns the tokens of a text: words of the language, `n` for every other name, `0` for every number, and signs.
fn tokens(text: &str) -> Vec<String> {
    let (text, mut tokens) = (without_comments(text), Vec::<String>::new());
    // A register of PTX begins with `%`, and its opcodes are words that count.
    let ptx = text.contains(".u32 %");
    let mut rest = text.as_str();
    while let Some(first) = rest.chars().next() {
        let word = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        let length = if word > 0 { word } else { first.len_utf8() };
        let (token, after) = rest.split_at(length);
        rest = after;
        if first.is_whitespace() {
            continue;
        }
        let register = tokens.last().is_some_and(|last| last == "%");
        tokens.push(match token {
            word if ptx => {
                if register {
                    "n".to_owned()
                } else {
                    word.to_owned()
                }
            }
            number if number.starts_with(|c: char| c.is_ascii_digit()) => "0".to_owned(),
            word if word.len() > 1 && !WORDS.contains(&word) || first.is_alphabetic() && word.len() == 1 => {
                "n".to_owned()
            }
            other => other.to_owned(),
        });
    }
    tokens
}

/// Removes the comments of C++ from a text.
pub(crate) fn without_comments(text: &str) -> String {
    let (mut out, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(at) = rest.find('/') {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let length = match from.as_bytes().get(1) {
            Some(b'/') => from.find('\n').unwrap_or(from.len()),
            Some(b'*') => from[2..].find("*/").map_or(from.len(), |end| end + 4),
            _ => {
                out.push('/');
                1
            }
        };
        rest = &from[length..];
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "int row = blockIdx.y * 16 + threadIdx.y; float total = 0; for (int t = 0; t < K; t += 16) { \
        a[row][t] = A[row * lda + t]; __syncthreads(); if (t > 3) { total += a[row][t] * b[t][col]; } else { total -= 1; } \
        __syncthreads(); while (total > 3) { total /= 2; } } C[row * ldc + col] = alpha * total + beta * C[row * ldc + col];";

    fn similar(texts: &[&str], starter: &str) -> Vec<Vec<String>> {
        let mut all: Vec<Submission> = (0..texts.len())
            .map(|at| Submission { files: 1, ..Submission::without_file(at.to_string().into()) })
            .collect();
        let texts: Vec<_> = texts.iter().map(|text| Some((*text).to_owned())).collect();
        compare(&mut all, &texts, starter);
        all.into_iter().map(|one| one.similar.into_iter().map(|(name, _)| name).collect()).collect()
    }

    #[test]
    fn other_names_blanks_and_comments_hide_nothing_and_another_structure_does() {
        let renamed = TEXT.replace("total", "x").replace("row", "my_row").replace("; ", ";\n // step\n/* and */ ");
        let other = "float s = 0; int i = 0; while (i < K) { s = s + A[i + lda * r] * B[i * ldb + c]; i = i + 1; } \
            if (beta != 0) { s = alpha * s + beta * C[c + r * ldc]; } C[c + r * ldc] = s; return; do { i--; } while (i > 0);";
        assert_eq!(similar(&[TEXT, other, &renamed], ""), [vec!["2"], vec![], vec!["0"]]);
        assert_eq!(similar(&[TEXT, &renamed], TEXT), [vec![""; 0], vec![]], "all of it is starter code");
        assert_eq!(similar(&[TEXT; 4], ""), vec![vec![""; 0]; 4], "everybody has it");
    }

    #[test]
    fn comments_are_removed_and_divisions_are_not() {
        assert_eq!(without_comments("a / b // c\nd /* e\n */ f /"), "a / b \nd  f /");
    }
}
