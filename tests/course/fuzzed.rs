//! Damages course files and other untrusted texts at random. Each is read or refused, without a panic. `fuzz`
//! does the same for longer.

#[path = "../../fuzz/src/lib.rs"]
#[allow(unreachable_pub, clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a crate of its own, too")]
mod drive;

use crate::shared::{self, root};
use proptest::prelude::*;
use proptest::sample::Index;
use std::sync::LazyLock;
use tutor_course::QuizFile;

/// Words that break such texts more often than random letters do.
const WORDS: [&str; 28] = [
    "- ", ": ", "&a ", "*a", "|\n", ">", "\"", "'", "[", "]", "{", "}", "\n", "  ", "# ", "!!str ", "---\n", "\\e",
    "\u{1b}", "\u{202e}", "9e999", "-1", ".inf", "null", "`", "**", "|", "가",
];

type Damage = Vec<(Index, usize, usize, char)>;

fn damage() -> impl Strategy<Value = Damage> {
    prop::collection::vec((any::<Index>(), 0usize..60, 0usize..2 * WORDS.len(), any::<char>()), 0..6)
}

fn damaged(text: &str, damage: &Damage) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    for (at, length, word, letter) in damage {
        let at = at.index(letters.len() + 1);
        let end = (at + length).min(letters.len());
        let insert = WORDS.get(*word).map_or_else(|| letter.to_string(), |word| (*word).to_owned());
        // Sometimes moves the piece to the front instead of dropping it.
        let moved: Vec<char> = letters.splice(at..end, insert.chars()).collect();
        if word % 5 == 0 {
            letters.splice(0..0, moved);
        }
    }
    letters.into_iter().collect()
}

fn files(folder: &str) -> Vec<String> {
    shared::files(&root().join(folder), "").iter().map(|path| std::fs::read_to_string(path).unwrap()).collect()
}

static QUIZ: LazyLock<QuizFile> =
    LazyLock::new(|| serde_yaml::from_str(include_str!("../mastery/all-kinds.yaml")).unwrap());
static COURSE: LazyLock<Vec<String>> =
    LazyLock::new(|| [files("tests/course/base/modules"), files("tests/course/base/quizzes")].concat());

fn of_course(which: Index) -> &'static str {
    let text: &String = which.get(COURSE.as_slice());
    text
}

const CATALOG: &str = include_str!("../exec/catalogues/varied.yaml");

/// The seed is in `.cargo/config.toml`.
fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

/// Runs inputs that reached new code when they were found, or that once failed.
fn corpus(target: &str, drive: impl Fn(&[u8])) {
    let paths = shared::files(&root().join("fuzz/corpus").join(target), "");
    assert!(!paths.is_empty(), "{target} is empty");
    for path in paths {
        println!("{}", path.display());
        drive(&std::fs::read(path).unwrap());
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn inputs_of_the_corpora_that_are_texts() {
    let dir = tempfile::tempdir().unwrap();
    corpus("answers", |bytes| drive::answers(&text(bytes), &QUIZ));
    corpus("catalogue", |bytes| drive::catalogue(&text(bytes), dir.path()).unwrap());
    corpus("course", |bytes| drive::course(&text(bytes)));
    corpus("expression", |bytes| drive::expression(&text(bytes)));
    corpus("recording", |bytes| drive::recording(&text(bytes)));
    corpus("markdown", |bytes| {
        let (width, bytes) = bytes.split_first().unwrap_or((&80, &[]));
        drive::markdown(&text(bytes), u16::from(*width));
    });
}

#[test]
fn inputs_of_the_corpora_that_are_messages() {
    corpus("replies", drive::replies);
    corpus("requests", drive::requests);
}

#[test]
fn inputs_of_the_corpora_that_are_keys() {
    corpus("keys", drive::keys);
}

proptest! {
    #![proptest_config(config(600))]

    #[test]
    fn files_of_a_course(which: Index, damage in damage()) {
        drive::course(&damaged(of_course(which), &damage));
    }

    #[test]
    fn markdown(width in 0u16..200, damage in damage(), which: Index, text in "[-*>#`|~_ \\n\\[\\]()<a1.&;]{0,200}") {
        drive::markdown(&damaged(&text, &damage), width);
        drive::markdown(&damaged(of_course(which), &damage), width);
    }

    #[test]
    fn catalogues(damage in damage()) {
        let dir = tempfile::tempdir().unwrap();
        drive::catalogue(&damaged(CATALOG, &damage), dir.path()).unwrap();
    }

    #[test]
    fn answers(text in "[-+0-9 .,eE^*/_x%a-z\\[\\]{}\":µ]{0,60}", damage in damage()) {
        drive::answers(&damaged(&text, &damage), &QUIZ);
        drive::answers(&damaged("{\"order\":[\"a\",\"b\"]}", &damage), &QUIZ);
    }

    #[test]
    fn formulas(text in "[-+*/%()0-9a-z_.,^&|<> ]{0,80}", damage in damage()) {
        drive::expression(&damaged(&text, &damage));
        drive::expression(&damaged("min(SMS, ceil_div(N, BN) * ceil_div(M, BM)) - 2^3", &damage));
    }

    #[test]
    fn recordings(damage in damage()) {
        const RECORDING: &str = include_str!("../../assets/recorded/nvidia-h200.json");
        static SHORT: LazyLock<String> = LazyLock::new(|| {
            let mut recording: serde_json::Value = serde_json::from_str(RECORDING).unwrap();
            for list in ["rows", "cublas", "conditions", "left_out"] {
                recording[list].as_array_mut().unwrap().truncate(3);
            }
            recording.to_string()
        });
        drive::recording(&damaged(&SHORT, &damage));
    }

    #[test]
    fn replies_of_a_worker(which: Index, damage in damage()) {
        const REPLIES: &str = include_str!("../../fuzz/src/replies.jsonl");
        let lines: Vec<&str> = REPLIES.lines().filter(|line| line.len() < 1000).collect();
        let text = damaged(&which.get(&lines).replace("\"ID\"", "7"), &damage);
        drive::replies(format!("{text}\n").as_bytes());
        drive::requests(text.as_bytes());
    }
}

proptest! {
    // Each draws a screen for every byte.
    #![proptest_config(config(30))]

    #[test]
    fn keys_and_clicks(bytes in prop::collection::vec(any::<u8>(), 0..40)) {
        drive::keys(&bytes);
    }
}
