//! Small courses, and the right answer to a drawn question.

use matmul_tutor::course::{AnswerSpec, Choice, Course, CourseSource, QuizFile};
use matmul_tutor::expr::Expr;
use matmul_tutor::mastery::{Answer, Question};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

pub(crate) fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mastery").join(path)
}

/// Every YAML file of a folder, with its name.
pub(crate) fn yaml_files(folder: &str) -> Vec<(String, String)> {
    let mut files: Vec<(String, String)> = fs::read_dir(here(folder))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), fs::read_to_string(&path).unwrap()))
        .collect();
    files.sort();
    assert!(!files.is_empty(), "no files in {folder}");
    files
}

/// A level's quiz: `questions` slots, each with three variants of a single choice whose right id is `right`.
pub(crate) fn quiz_yaml(level: &str, questions: usize) -> String {
    let mut yaml = format!("level: {level}\nslots:\n");
    for slot in 1..=questions {
        let _ = write!(yaml, "  - id: s{slot}\n    objective: o\n    bloom: apply\n    page: p1\n    variants:\n");
        for variant in ["p", "q", "r"] {
            let _ = write!(
                yaml,
                "      - id: {variant}\n        ask: Question {slot}{variant}?\n        because: It is so.\n        \
                 answer:\n          single:\n            - {{ id: right, text: yes it is, correct: true }}\n            \
                 - {{ id: slip, text: a slip, why: That is the slip of {slot}{variant}. }}\n            \
                 - {{ id: belief, text: a belief, why: That is the belief of {slot}{variant}. }}\n"
            );
        }
    }
    yaml
}

/// Writes a course of levels with so many questions each, all with the pages `p1` and `p2`.
pub(crate) fn write_course(dir: &Path, levels: &[(&str, usize)]) {
    let mut course = "id: small\ntitle: Small\nlanguages: [en]\ngate: { percent: 80 }\nlevels:\n".to_owned();
    for folder in ["modules", "quizzes"] {
        fs::create_dir_all(dir.join(folder)).unwrap();
    }
    for (level, questions) in levels {
        let _ = writeln!(
            course,
            "  - {{ id: {level}, title: Level {level}, question: Why?, lesson: {level}.yaml, quiz: {level}.yaml }}"
        );
        let lesson = format!(
            "level: {level}\nobjectives: [{{ id: o, text: do it }}]\npages:\n  \
             - {{ id: p1, title: First, tag: concrete, text: One. }}\n  \
             - {{ id: p2, title: Second, tag: summary, text: Two. }}\n"
        );
        fs::write(dir.join(format!("modules/{level}.yaml")), lesson).unwrap();
        fs::write(dir.join(format!("quizzes/{level}.yaml")), quiz_yaml(level, *questions)).unwrap();
    }
    fs::write(dir.join("modules/course.yaml"), course).unwrap();
}

/// A quiz with all kinds of questions, then the built-in ones.
pub(crate) fn quizzes() -> &'static [QuizFile] {
    static QUIZZES: OnceLock<Vec<QuizFile>> = OnceLock::new();
    QUIZZES.get_or_init(|| {
        let sample = fs::read_to_string(here("all-kinds.yaml")).unwrap();
        let built_in =
            Course::load(&CourseSource::BuiltIn, "en").levels.into_iter().filter_map(|level| level.quiz?.ok());
        std::iter::once(serde_yaml::from_str(&sample).unwrap()).chain(built_in).collect()
    })
}

/// The right answer, from the key in the quiz file.
pub(crate) fn right(quiz: &QuizFile, question: &Question) -> Answer {
    let slot = quiz.slots.iter().find(|slot| slot.id.value == question.slot).unwrap();
    let variant = slot.variants.iter().find(|variant| variant.id.value == question.variant).unwrap();
    let correct = |choices: &[Choice]| -> Vec<String> {
        choices.iter().filter(|choice| choice.correct).map(|choice| choice.id.value.clone()).collect()
    };
    match &variant.answer {
        AnswerSpec::Single(choices) => Answer::Single(correct(choices).remove(0)),
        AnswerSpec::Multiple(choices) => Answer::Multiple(correct(choices)),
        AnswerSpec::Numeric(numeric) => {
            let formula = Expr::parse(&numeric.formula).unwrap();
            Answer::Number(formula.real(&|name| question.parameters.get(name).copied()).unwrap().to_string())
        }
        AnswerSpec::Predict(predict) => Answer::Predicted(predict.of.count().unwrap().to_string()),
        AnswerSpec::Fault(fault) => {
            let shown = fault.code();
            let at = shown.iter().position(|(number, _)| *number == fault.places()[0]).unwrap();
            Answer::Fault(vec![(at + 1).to_string(), correct(&fault.consequences).remove(0)])
        }
        AnswerSpec::Text(text) => Answer::Text(text.accept[0].value.clone()),
        AnswerSpec::Cloze(cloze) => {
            Answer::Blanks(cloze.blanks.iter().map(|blank| blank.accept[0].value.clone()).collect())
        }
        AnswerSpec::Match(spec) => {
            Answer::Pairs(spec.left.iter().map(|left| (left.id.value.clone(), left.is.value.clone())).collect())
        }
        AnswerSpec::Order(order) => Answer::Order(order.items.iter().map(|item| item.id.value.clone()).collect()),
    }
}
