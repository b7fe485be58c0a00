//! Reads case files: the cases of a file, and the directives in their comments.

use std::path::{Path, PathBuf};

/// Directives that say how a case runs.
const ASKS: [&str; 8] = ["launch", "args", "in", "options", "orders", "entry", "mark", "fails"];

/// Directives that state what is expected.
const EXPECTS: [&str; 11] =
    ["value", "values", "printed", "count", "listing", "race", "undefined", "fault", "refuse", "clean", "loads"];

/// Directives without a value.
const ALONE: [&str; 2] = ["clean", "loads"];

/// A line of a case file.
#[derive(Debug, Clone)]
struct Line {
    number: usize,
    text: String,
}

/// A comment that the runner reads.
#[derive(Debug, Clone)]
pub(crate) struct Directive {
    pub(crate) word: &'static str,
    pub(crate) value: String,
    /// Its line in the file.
    pub(crate) line: usize,
    /// The line in the file of the code that it belongs to; `None` if it stands alone.
    pub(crate) code: Option<usize>,
}

/// One text with its launch and its expectations.
#[derive(Debug)]
pub(crate) struct Case {
    /// File below the root, line and title.
    pub(crate) name: String,
    pub(crate) file: PathBuf,
    pub(crate) ptx: String,
    /// The file's line of each line of `ptx`.
    pub(crate) lines: Vec<usize>,
    pub(crate) directives: Vec<Directive>,
    /// Faults of the case itself.
    pub(crate) problems: Vec<String>,
}

/// Returns the cases of a file whose names contain one of the words, or all cases if there are no words. Without a line
/// `//// TITLE`, the file is one case. Reads only what it must, because Miri is slow.
pub(crate) fn cases_of(file: &Path, root: &Path, words: &[String]) -> Vec<Case> {
    let path = file.strip_prefix(root).unwrap_or(file).display().to_string();
    if !words.is_empty() && words.iter().all(|word| word.contains('/') && !path.contains(word.as_str())) {
        return Vec::new();
    }
    let text = std::fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let lines = text.lines().enumerate();
    let lines: Vec<Line> = lines.map(|(index, text)| Line { number: index + 1, text: text.to_owned() }).collect();
    let mut parts = lines.split(|line| line.text.starts_with("//// "));
    let frame = parts.next().unwrap_or_default();
    let make = |title: &str, line: usize, body: &[&[Line]]| {
        let name = format!("{path}:{line} {title}").trim_end().to_owned();
        let chosen = words.is_empty() || words.iter().any(|word| name.contains(word.as_str()));
        chosen.then(|| case(file, name, frame, &body.concat()))
    };
    let titles: Vec<&Line> = lines.iter().filter(|line| line.text.starts_with("//// ")).collect();
    if titles.is_empty() {
        return make("", 1, &[]).into_iter().collect();
    }
    let mut cases = Vec::new();
    for (title, body) in titles.iter().zip(parts) {
        match title.text[5..].strip_prefix("each: ") {
            None => cases.extend(make(&title.text[5..], title.number, &[body])),
            Some(name) => {
                let (common, each) = statements(body);
                cases.extend(each.iter().filter_map(|one| make(name, one[0].number, &[&common, one])));
            }
        }
    }
    cases
}

/// Splits a group into what precedes the first statement and one part per statement. Indented lines continue a
/// statement.
fn statements(body: &[Line]) -> (Vec<Line>, Vec<&[Line]>) {
    let begins = |line: &&Line| !line.text.is_empty() && !line.text.starts_with([' ', '/']);
    let starts: Vec<usize> = (0..body.len()).filter(|at| begins(&&body[*at])).collect();
    let first = starts.first().copied().unwrap_or(body.len());
    let ends = starts.iter().copied().skip(1).chain([body.len()]);
    let each = starts.iter().zip(ends).map(|(from, to)| {
        let prose = body[*from..to].iter().skip(1).position(|line| !line.text.starts_with(' '));
        &body[*from..prose.map_or(to, |at| from + 1 + at)]
    });
    (body[..first].to_vec(), each.collect())
}

/// Makes a case: the body replaces the frame's line `// ...`, or follows the frame.
fn case(file: &Path, name: String, frame: &[Line], body: &[Line]) -> Case {
    let at = frame.iter().position(|line| line.text.trim() == "// ...");
    let (before, after) = frame.split_at(at.unwrap_or(frame.len()));
    let after = after.get(1..).unwrap_or_default();
    let lines: Vec<&Line> = before.iter().chain(body).chain(after).collect();
    let (mut directives, mut problems) = (Vec::new(), Vec::new());
    let mut code = None;
    for line in &lines {
        let (text, comments) = line.text.split_once("//").unwrap_or((&line.text, ""));
        let alone = text.trim().is_empty();
        if !alone {
            code = Some(line.number);
        }
        for comment in comments.split(" // ") {
            let (comment, above) = comment.strip_prefix('^').map_or((comment, false), |rest| (rest, true));
            match directive(comment.trim()) {
                Ok(None) => {}
                Ok(Some((word, value))) => {
                    let code = code.filter(|_| above || !alone);
                    directives.push(Directive { word, value: value.to_owned(), line: line.number, code });
                }
                Err(word) => problems.push(format!("line {}: there is no directive `{word}`", line.number)),
            }
        }
    }
    let expects = |directive: &Directive| EXPECTS.contains(&directive.word);
    if !directives.iter().any(expects) {
        problems.push("the case expects nothing".to_owned());
    }
    let ptx = lines.iter().map(|line| format!("{}\n", line.text)).collect();
    Case {
        name,
        file: file.to_owned(),
        ptx,
        lines: lines.iter().map(|line| line.number).collect(),
        directives,
        problems,
    }
}

/// Reads a comment: `word: value`, or a word that stands alone. Everything else is prose.
///
/// # Errors
/// A word of small letters before a colon that is not a directive.
fn directive(comment: &str) -> Result<Option<(&'static str, &str)>, &str> {
    let known = |word: &str| ASKS.iter().chain(&EXPECTS).copied().find(|known| *known == word);
    match comment.split_once(':') {
        None => Ok(ALONE.into_iter().find(|word| *word == comment).map(|word| (word, ""))),
        Some((word, value)) if !word.is_empty() && word.chars().all(|c| c.is_ascii_lowercase() || c == '_') => {
            known(word).filter(|word| !ALONE.contains(word)).map(|word| Some((word, value.trim()))).ok_or(word)
        }
        Some(_) => Ok(None),
    }
}

impl Case {
    /// Returns the values of all directives of this word.
    pub(crate) fn all<'a>(&'a self, word: &'a str) -> impl Iterator<Item = &'a Directive> {
        self.directives.iter().filter(move |directive| directive.word == word)
    }

    /// Returns the value of the last directive of this word, which overrides those of the frame.
    pub(crate) fn last(&self, word: &str) -> Option<&str> {
        self.directives.iter().rev().find(|directive| directive.word == word).map(|directive| directive.value.as_str())
    }

    /// Returns the file's line of a line of the PTX.
    pub(crate) fn file_line(&self, ptx_line: u32) -> Option<usize> {
        self.lines.get((ptx_line as usize).checked_sub(1)?).copied()
    }
}
