//! Kernel sources and their named regions.

use std::ops::RangeInclusive;

const OPEN: &str = "// [region ";
const CLOSE: &str = "// [end]";
/// Maximum number of regions in a source, and of problems reported for it.
const MAX_REGIONS: usize = 200;

/// CUDA C++ with its regions. Each region is between a line `// [region NAME]` and a line `// [end]`.
///
/// Regions may contain regions. [`Source::lines`] leaves out the markers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Source {
    text: String,
    regions: Vec<Region>,
}

/// A named range of lines in a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Region {
    /// The name in the opening marker.
    pub name: String,
    /// Line numbers between the markers, 1-based.
    pub lines: RangeInclusive<u32>,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct SourceProblem {
    /// 1-based line number.
    pub line: u32,
    /// What is wrong, as a sentence.
    pub message: String,
    pub help: String,
}

impl Source {
    /// Reads a source. Returns it with its regions, and every problem found.
    pub fn read(text: impl Into<String>) -> (Self, Vec<SourceProblem>) {
        let text = text.into();
        let (regions, problems) = find_regions(&text);
        (Self { text, regions }, problems)
    }

    /// Returns the whole file with its markers, as it is compiled and edited.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the code without comments, blank lines and trailing spaces: two sources with the same code differ only in line numbers.
    pub fn code(&self) -> String {
        let (mut code, mut rest) = (String::new(), self.text.as_str());
        while let Some(at) = rest.find(['/', '"']) {
            let (plain, marked) = rest.split_at(at);
            code.push_str(plain);
            let comment = comment_length(marked);
            let taken = if comment > 0 { comment } else { literal_length(marked).max(1) };
            code.push_str(if comment > 0 { " " } else { &marked[..taken] });
            rest = &marked[taken..];
        }
        code.push_str(rest);
        let lines = code.lines().map(str::trim_end).filter(|line| !line.is_empty());
        lines.flat_map(|line| [line, "\n"]).collect()
    }

    /// Returns the regions in the order of their opening markers.
    pub fn regions(&self) -> &[Region] {
        &self.regions
    }

    pub fn region(&self, name: &str) -> Option<&Region> {
        self.regions.iter().find(|region| region.name == name)
    }

    /// Iterates over the lines to show, with their line numbers: those of a region, or all. Markers are left out.
    pub fn lines(&self, region: Option<&Region>) -> impl Iterator<Item = (u32, &str)> {
        let shown = region.map_or(1..=u32::MAX, |region| region.lines.clone());
        numbered(&self.text).filter(move |(number, line)| shown.contains(number) && !is_marker(line))
    }
}

/// Returns the number of bytes of the comment with which a text begins, or 0.
pub(crate) fn comment_length(text: &str) -> usize {
    if text.starts_with("//") {
        text.find('\n').unwrap_or(text.len())
    } else if text.starts_with("/*") {
        text.find("*/").map_or(text.len(), |at| at + 2)
    } else {
        0
    }
}

/// Returns the number of bytes of the quoted literal with which a text begins, or 0.
pub(crate) fn literal_length(text: &str) -> usize {
    let mut escaped = false;
    let ends = |(_, next): &(usize, char)| {
        let end = *next == '"' && !escaped;
        escaped = *next == '\\' && !escaped;
        end
    };
    text.strip_prefix('"').map_or(0, |inner| inner.char_indices().find(ends).map_or(text.len(), |(at, _)| at + 2))
}

fn numbered(text: &str) -> impl Iterator<Item = (u32, &str)> {
    (1..).zip(text.lines())
}

fn is_marker(line: &str) -> bool {
    line.trim() == CLOSE || opened(line).is_some()
}

fn opened(line: &str) -> Option<&str> {
    line.trim().strip_prefix(OPEN)?.strip_suffix(']').map(str::trim)
}

fn find_regions(text: &str) -> (Vec<Region>, Vec<SourceProblem>) {
    let mut regions: Vec<Region> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    let mut problems = Vec::new();
    let mut problem = |line, message: String, help: &str| {
        problems.push(SourceProblem { line, message, help: help.to_owned() });
    };
    for (number, line) in numbered(text) {
        if let Some(name) = opened(line) {
            if regions.len() == MAX_REGIONS {
                problem(number, format!("There are more than {MAX_REGIONS} regions."), "Divide the file.");
                break;
            }
            if name.is_empty() {
                problem(number, "A region has no name.".to_owned(), "Write `// [region NAME]`.");
            } else if regions.iter().any(|region| region.name == name) {
                problem(number, format!("There are two regions `{name}`."), "Give each region of a file its own name.");
            }
            open.push(regions.len());
            // The closing marker sets the end of the range.
            regions.push(Region { name: name.to_owned(), lines: number + 1..=number });
        } else if line.trim() == CLOSE {
            match open.pop().and_then(|index| regions.get_mut(index)) {
                Some(region) => region.lines = *region.lines.start()..=number - 1,
                None => problem(
                    number,
                    format!("`{CLOSE}` closes no region."),
                    "Remove it, or open a region above it with `// [region NAME]`.",
                ),
            }
        } else if line.trim_start().starts_with("// [region") {
            problem(number, "The region marker cannot be read.".to_owned(), "Write `// [region NAME]`.");
        }
    }
    for region in open.iter().filter_map(|index| regions.get(*index)) {
        problem(
            region.lines.start() - 1,
            format!("The region `{}` is not closed.", region.name),
            "Write `// [end]` below its last line.",
        );
    }
    problems.sort_by_key(|problem| problem.line);
    problems.truncate(MAX_REGIONS);
    (regions, problems)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NESTED: &str = "int a;\n// [region outer]\nint b;\n    // [region inner]\n    int c;\n    // [end]\nint d;\n// [end]\nint e;\n";

    fn shown(source: &Source, region: Option<&str>) -> Vec<(u32, String)> {
        let region = region.map(|name| source.region(name).unwrap());
        source.lines(region).map(|(number, line)| (number, line.trim().to_owned())).collect()
    }

    #[test]
    fn code_is_what_remains_without_comments() {
        let source = |text: &str| Source::read(text).0.code();
        let text = "// head\n\nint a;  // last\nint /* b */ c;\nasm(\"// \\\" not one\"); // one\n// [end]";
        assert_eq!(source(text), "int a;\nint   c;\nasm(\"// \\\" not one\");\n");
        assert_eq!(source(text), source(&text.replace("head", "other\n// words").replace("last", "")));
        assert_ne!(source(text), source(&text.replace("not one", "another")));
    }

    #[test]
    fn a_region_keeps_the_files_line_numbers_and_hides_inner_markers() {
        let (source, problems) = Source::read(NESTED);
        assert_eq!(problems, []);
        assert_eq!(shown(&source, Some("inner")), [(5, "int c;".to_owned())]);
        let outer = [(3, "int b;"), (5, "int c;"), (7, "int d;")].map(|(n, l)| (n, l.to_owned()));
        assert_eq!(shown(&source, Some("outer")), outer);
        assert_eq!(shown(&source, None).len(), 5);
        assert_eq!(source.region("inner").unwrap().lines, 5..=5);
        assert!(source.region("nobody").is_none());
    }

    #[test]
    fn every_fault_of_the_markers_is_found_with_its_line() {
        for (text, line, part) in [
            ("// [region a]\nx\n", 1, "`a` is not closed"),
            ("x\n// [end]\n", 2, "closes no region"),
            ("// [region a]\n// [end]\n// [region a]\n// [end]\n", 3, "two regions `a`"),
            ("// [region ]\n// [end]\n", 1, "no name"),
            ("// [region a\n", 1, "cannot be read"),
        ] {
            let (_, problems) = Source::read(text);
            assert_eq!(problems.len(), 1, "{text}: {problems:?}");
            assert_eq!(problems[0].line, line, "{text}");
            assert!(problems[0].message.contains(part), "{text}: {}", problems[0].message);
        }
    }
}
