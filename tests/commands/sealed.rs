//! What a sealed course contains, and what it gives away.

use super::shared::files;
use super::tutor;
use std::fs;
use std::path::{Path, PathBuf};
use tutor_course::{AnswerSpec, Choice, Course, CourseSource, Variant};

/// Returns the paths and texts of all files below a folder.
fn texts(folder: &Path) -> Vec<(String, String)> {
    let text = |path: &PathBuf| String::from_utf8_lossy(&fs::read(path).unwrap()).into_owned();
    files(folder, "").iter().map(|path| (path.display().to_string(), text(path))).collect()
}

fn variants(course: &Course) -> Vec<&Variant> {
    let quizzes = course.levels.iter().filter_map(|level| level.quiz());
    quizzes.flat_map(|quiz| quiz.slots.iter().flat_map(|slot| &slot.variants)).collect()
}

/// How often an attack was right, and how often it was tried.
#[derive(Default)]
struct Score {
    right: usize,
    of: usize,
}

impl Score {
    fn count(&mut self, right: bool) {
        self.right += usize::from(right);
        self.of += 1;
    }

    fn is_chance(&self, most_percent: usize, what: &str) {
        assert!(self.of > 0 && self.right * 100 <= most_percent * self.of, "{what}: {} of {}", self.right, self.of);
    }
}

#[test]
fn nothing_in_a_sealed_course_gives_its_keys_away() {
    let place = tempfile::tempdir().unwrap();
    let path = |name: &str| place.path().join(name).to_str().unwrap().to_owned();
    assert_eq!(tutor(&["course", "new", &path("full"), "--id", "copy"]).code, Some(0));
    let made = tutor(&["--course", &path("full"), "course", "seal", &path("sealed"), "--exam", "midterm"]);
    assert_eq!(made.code, Some(0), "{}", made.err);
    let packed = tutor(&["course", "pack", &path("sealed"), "--out", &path("sealed.course")]);
    assert_eq!(packed.code, Some(0), "{}", packed.err);
    let load = |name: &str| Course::load(&CourseSource::Directory(path(name).into()), "en");
    let (full, sealed) = (load("full"), load("sealed"));
    assert!(sealed.problems.is_empty(), "{:?}", sealed.problems);
    let (full, sealed) = (variants(&full), variants(&sealed));
    // Both languages have the same questions.
    assert!(made.err.contains(&format!("{} variants", full.len())), "{}", made.err);
    assert_eq!(made.err.matches("what-breaks/no-fence: ").count(), 1, "{}", made.err);
    // One wrong choice of it is `wrong-size`.
    assert!(!made.err.contains("pitch-proof/row-walk"), "{}", made.err);
    assert_eq!(full.len(), sealed.len());
    let (mut pairs, mut by_text, mut by_length) = (Score::default(), Score::default(), Score::default());
    let (mut orders, mut firsts, mut marked) = (Score::default(), Score::default(), Score::default());
    let (mut longest, mut faults) = (Score::default(), Score::default());
    for (key, found) in full.iter().zip(&sealed) {
        let choices = |key: &[Choice], found: &[Choice]| -> Vec<[bool; 3]> {
            let right = |id: &str| key.iter().any(|choice| choice.correct && choice.id.value == id);
            let most = found.iter().map(|choice| choice.text.len()).max();
            let of = |choice: &Choice| [right(&choice.id), choice.correct, Some(choice.text.len()) == most];
            found.iter().map(of).collect()
        };
        match (&key.answer, &found.answer) {
            (AnswerSpec::Match(key), AnswerSpec::Match(found)) => {
                let wanted: Vec<&str> = key.left.iter().map(|left| left.is.value.as_str()).collect();
                let mut right: Vec<_> = found.right.iter().collect();
                let attack = |score: &mut Score, right: &[&tutor_course::RightSide]| {
                    for (wanted, right) in wanted.iter().zip(right) {
                        score.count(*wanted == right.id.value);
                    }
                };
                attack(&mut pairs, &right);
                assert!(found.left.iter().all(|left| left.is.value == "sealed"));
                right.sort_by_key(|right| &right.text);
                attack(&mut by_text, &right);
                right.sort_by_key(|right| right.text.len());
                attack(&mut by_length, &right);
            }
            (AnswerSpec::Order(key), AnswerSpec::Order(found)) => {
                let ids = |order: &tutor_course::Order| -> Vec<String> {
                    order.items.iter().map(|item| item.id.value.clone()).collect()
                };
                let mut guess = ids(found);
                orders.count(guess == ids(key));
                guess.sort();
                orders.count(guess == ids(key));
            }
            (AnswerSpec::Single(key), AnswerSpec::Single(found)) => {
                let all = choices(key, found);
                firsts.count(all[0][0]);
                firsts.count(all[all.len() - 1][0]);
                marked.count(all.iter().any(|[_, marked, _]| *marked));
                longest.count(all.iter().any(|[right, _, longest]| *right && *longest));
            }
            (AnswerSpec::Fault(key), AnswerSpec::Fault(found)) => {
                assert_eq!(key.code().into_iter().map(|(_, line)| line).collect::<Vec<_>>(), found.code);
                faults.count(found.kernel.value == key.kernel.value);
                faults.count(found.places().len() < found.code.len());
            }
            _ => {}
        }
    }
    pairs.is_chance(45, "pairs in the order of the file");
    by_text.is_chance(45, "pairs with sorted texts");
    by_length.is_chance(45, "pairs by length");
    orders.is_chance(25, "orders");
    firsts.is_chance(45, "the first and the last choice");
    marked.is_chance(0, "a marked choice");
    longest.is_chance(60, "the longest choice");
    faults.is_chance(0, "the kernel of a fault");
    let all = texts(Path::new(&path("sealed")));
    for key in &full {
        let because = serde_json::to_string(key.because.trim()).unwrap();
        let found = all.iter().find(|(_, text)| text.contains(because.trim_matches('"')));
        assert!(found.is_none(), "{found:?} has the reason of {}: {because}", key.id.value);
    }
    assert!(all.iter().all(|(file, _)| !file.contains("exercises") && !file.contains("solution")), "{all:?}");
    let quizzes = || all.iter().filter(|(file, _)| file.contains("quizzes"));
    for key in ["\"of\": \"", "slips", "\"correct\""] {
        assert!(quizzes().all(|(_, text)| !text.contains(key)), "{key}");
    }
    assert!(quizzes().any(|(file, _)| file.contains("/ko/")), "the translation is sealed, too");
}
