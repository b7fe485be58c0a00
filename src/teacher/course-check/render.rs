/*! Shows problems like a compiler.

Messages are in English, like those of compilers. Authors who use another language can read the broken rule in that
language.
*/

use super::rules::RULES;
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use tutor_course::{Problem, Severity};
use tutor_support::t;
use tutor_support::words::{self, ENGLISH};

/// Renders one problem with its line, for example for a terminal.
pub fn render(problem: &Problem, colour: bool) -> String {
    let level = match problem.severity {
        Severity::Error => Level::ERROR.with_name(t!("rule-error")),
        Severity::Warning => Level::WARNING.with_name(t!("rule-warning")),
    };
    let title = level.primary_title(problem.message.as_str()).id(problem.code);
    let mut group = Group::with_title(title);
    group = match &problem.snippet {
        Some(line) => {
            let (start, end) = span(line, problem.column, problem.length);
            let snippet = Snippet::source(line.as_str())
                .line_start(problem.line as usize)
                .path(problem.file.as_str())
                .annotation(AnnotationKind::Primary.span(start..end));
            group.element(snippet)
        }
        None => {
            let mut origin = annotate_snippets::Origin::path(problem.file.as_str());
            if problem.line > 0 {
                origin = origin.line(problem.line as usize).char_column(problem.column.max(1) as usize);
            }
            group.element(origin)
        }
    };
    if words::current().code() != ENGLISH
        && let Some(rule) = RULES.iter().find(|rule| rule.code == problem.code)
    {
        group = group.element(Level::NOTE.with_name(t!("rule-word")).message(rule.asks()));
    }
    if let Some(help) = &problem.help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
    renderer.render(&[group])
}

/// Returns the byte range of `length` characters from `column` (1-based) in a line.
fn span(line: &str, column: u32, length: u32) -> (usize, usize) {
    let byte = |character: usize| line.char_indices().nth(character).map_or(line.len(), |(at, _)| at);
    let first = (column as usize).saturating_sub(1);
    let start = byte(first);
    (start, byte(first + length as usize).max(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_author_reads_the_rule_in_the_language_that_is_spoken() {
        let problem = Problem::error("unknown-field", "modules/a.yaml", "There is no field `titel` here.");
        let shown = words::speaking(words::Words::of("ko"), || render(&problem, false));
        assert!(shown.starts_with("오류[unknown-field]: There is no field `titel` here."), "{shown}");
        assert!(shown.contains("규칙: 그 자리에서 쓸 수 있는 필드만 적어야 합니다."), "{shown}");
        assert!(!render(&problem, false).contains("rule"));
    }

    #[test]
    fn a_problem_is_shown_with_its_line_and_what_to_do() {
        let text = "pages:\n  - titel: 격자 x\n";
        let problem = Problem::error("unknown-field", "modules/a.yaml", "There is no field `titel` here.")
            .help("Did you mean `title`?")
            .at(text, 2, 5, 5);
        let expected = "\
error[unknown-field]: There is no field `titel` here.
 --> modules/a.yaml:2:5
  |
2 |   - titel: 격자 x
  |     ^^^^^
  |
  = help: Did you mean `title`?";
        assert_eq!(render(&problem, false), expected);
        assert!(render(&problem, true).contains("\u{1b}["));
    }

    #[test]
    fn a_place_beyond_the_line_and_a_file_without_a_line_are_no_panic() {
        let beyond = Problem::error("yaml", "f", "Odd.").at("ab\n", 1, 99, 5);
        assert!(render(&beyond, false).contains("f:1:"));
        let whole = Problem::warning("edition-missing", "modules/ko/a.yaml", "It is missing.");
        assert_eq!(render(&whole, false), "warning[edition-missing]: It is missing.\n--> modules/ko/a.yaml");
    }
}
