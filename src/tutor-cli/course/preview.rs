//! `preview`: the tutor as the author of a course uses it.

use crate::prelude::*;
use crate::tutor;
use tutor_course::{COURSE, Course, ExerciseName, Level, QuizFile, exercise_names, is_packed};
use tutor_support::text::nearest;
use tutor_tui::effect::Go;
use tutor_tui::runtime::Start;

#[derive(Debug, clap::Args)]
#[command(
    override_usage = "matmul-tutor course preview [DIR] [LEVEL[/PAGE] | quiz LEVEL[/SLOT[/VARIANT]] | exercise ID]"
)]
pub(crate) struct Args {
    /// The course's directory [default: `--course`, else the built-in course], and what to show first: a level or page,
    /// a question or an exercise, by id or number.
    #[arg(value_name = "WHAT", num_args = 0..=3)]
    words: Vec<String>,
}

impl Args {
    /// Returns the course that the arguments name, and what to show of it.
    fn split(&self) -> (Option<PathBuf>, &[String]) {
        split(&self.words, &|word| Path::new(word).is_dir() || is_packed(Path::new(word)))
    }

    /// Returns the course that the arguments name: a directory, or a packed course.
    pub(super) fn course(&self) -> Option<PathBuf> {
        self.split().0
    }
}

/// Opens the tutor with all levels unlocked.
pub(super) fn run(args: &Args, globals: &Globals) -> anyhow::Result<Exit> {
    let (_, what) = args.split();
    let directory = globals.course.clone();
    if let Some(directory) = directory.as_deref().filter(|directory| !directory.join(COURSE).is_file()) {
        let message = t!("cli-no-course", directory = directory.display().to_string());
        return Ok(failure(Exit::Usage, &message, None));
    }
    let source = CourseSource::from_option(directory.as_deref());
    let course = Course::load(&source, globals.lang.code());
    match place(&course, &exercise_names(&source), what) {
        Ok(go) => tutor::open(globals, source, Start::Preview(go)),
        Err(missing) => Ok(failure(Exit::Usage, missing.message(), missing.help().as_deref())),
    }
}

/// Splits off the directory. A first word that names a directory is the course, unless it is `quiz` or `exercise` with
/// one argument.
fn split<'a>(words: &'a [String], is_directory: &dyn Fn(&str) -> bool) -> (Option<PathBuf>, &'a [String]) {
    match words {
        [wish, _] if matches!(wish.as_str(), "quiz" | "exercise") => (None, words),
        [first, rest @ ..] if is_directory(first) || first.contains(std::path::MAIN_SEPARATOR) && rest.len() == 2 => {
            (Some(PathBuf::from(first)), rest)
        }
        _ => (None, words),
    }
}

/// A name that does not exist, and the names that do.
#[derive(Debug, PartialEq, Eq)]
struct Missing {
    what: &'static str,
    name: String,
    known: Vec<String>,
}

impl Missing {
    fn message(&self) -> String {
        let name = self.name.escape_debug().to_string();
        match self.what {
            "level" => t!("cli-preview-no-level", name),
            "page" => t!("cli-preview-no-page", name),
            "slot" => t!("cli-preview-no-slot", name),
            "variant" => t!("cli-preview-no-variant", name),
            "exercise" => t!("cli-preview-no-exercise", name),
            _ => t!("cli-preview-what", name),
        }
    }

    fn help(&self) -> Option<String> {
        let known = || self.known.iter().map(String::as_str);
        match nearest(&self.name, known()) {
            Some(near) => Some(t!("cli-preview-near", name = near)),
            None if self.known.is_empty() => None,
            None => Some(t!("cli-preview-known", names = known().take(20).collect::<Vec<_>>().join(", "))),
        }
    }
}

/// Returns the steps from the map to the requested place.
fn place(course: &Course, exercises: &[ExerciseName], what: &[String]) -> Result<Vec<Go>, Missing> {
    let words: Vec<&str> = what.iter().map(String::as_str).collect();
    match words.as_slice() {
        [] => Ok(Vec::new()),
        ["exercise", id] => {
            let names = exercises.iter().map(|exercise| exercise.id.clone());
            let at = index("exercise", id, names.collect())?;
            Ok(exercises.get(at).map(|exercise| Go::Exercise(exercise.id.clone())).into_iter().collect())
        }
        ["quiz", path] => {
            let mut path = path.splitn(3, '/');
            let (level, content) = level(course, path.next().unwrap_or_default())?;
            let slots = content.quiz().map_or(&[][..], |quiz: &QuizFile| &quiz.slots);
            let (mut slot, mut variant) = (0, 0);
            if let Some(id) = path.next() {
                slot = index("slot", id, slots.iter().map(|slot| slot.id.value.clone()).collect())?;
            }
            if let (Some(id), Some(of)) = (path.next(), slots.get(slot)) {
                variant = index("variant", id, of.variants.iter().map(|variant| variant.id.value.clone()).collect())?;
            }
            Ok(vec![Go::Variant { level, slot, variant }])
        }
        [path] => {
            let (name, page) = path.split_once('/').map_or((*path, None), |(level, page)| (level, Some(page)));
            let (level, content) = level(course, name)?;
            let ids: Vec<String> = content.pages().iter().map(|page| page.id.value.clone()).collect();
            // A number counts the regular pages, as the page list does.
            let mut regular = content.regular_pages().map(|page| page.id.value.as_str());
            let number = page.filter(|name| !ids.iter().any(|id| id == name)).and_then(|name| name.parse().ok());
            let numbered = number.and_then(|number: usize| regular.nth(number.checked_sub(1)?));
            let page = numbered.or(page).map_or(Ok(0), |name| index("page", name, ids.clone()))?;
            Ok(vec![Go::Page { level, page }])
        }
        [other, ..] => Err(Missing { what: "", name: (*other).to_owned(), known: Vec::new() }),
    }
}

fn level<'a>(course: &'a Course, name: &str) -> Result<(usize, &'a Level), Missing> {
    let at = index("level", name, course.levels.iter().map(|level| level.id.clone()).collect())?;
    let missing = || Missing { what: "level", name: name.to_owned(), known: Vec::new() };
    Ok((at, course.levels.get(at).ok_or_else(missing)?))
}

/// Returns the index of `name` in `known`. A name that is not in `known` may be a number from 1.
fn index(what: &'static str, name: &str, known: Vec<String>) -> Result<usize, Missing> {
    let by_number = || name.parse::<usize>().ok()?.checked_sub(1).filter(|at| *at < known.len());
    let at = known.iter().position(|id| id == name).or_else(by_number);
    at.ok_or_else(|| Missing { what, name: name.to_owned(), known })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn a_first_word_that_is_a_directory_is_the_course() {
        let is_directory = |word: &str| matches!(word, "my" | "quiz");
        let course = Some(PathBuf::from("my"));
        assert_eq!(split(&words(""), &is_directory), (None, &[][..]));
        assert_eq!(split(&words("my"), &is_directory), (course.clone(), &[][..]));
        assert_eq!(split(&words("my lab/books"), &is_directory), (course.clone(), &words("lab/books")[..]));
        assert_eq!(split(&words("my quiz lab"), &is_directory), (course, &words("quiz lab")[..]));
        assert_eq!(split(&words("quiz lab/s1/a"), &is_directory), (None, &words("quiz lab/s1/a")[..]));
        assert_eq!(split(&words("quiz"), &is_directory).0, Some(PathBuf::from("quiz")));
        assert_eq!(split(&words("lab"), &is_directory), (None, &words("lab")[..]));
    }

    #[test]
    fn what_is_asked_for_is_found_by_id_or_number_and_what_is_not_there_is_named() {
        let course = Course::load(&CourseSource::BuiltIn, "en");
        let exercises = exercise_names(&CourseSource::BuiltIn);
        let go = |text: &str| place(&course, &exercises, &words(text));
        assert_eq!(go(""), Ok(Vec::new()));
        assert_eq!(go("2"), Ok(vec![Go::Page { level: 1, page: 0 }]));
        assert_eq!(go("shared-tiling/3"), Ok(vec![Go::Page { level: 1, page: 2 }]));
        assert_eq!(go("quiz shared-tiling"), Ok(vec![Go::Variant { level: 1, slot: 0, variant: 0 }]));
        assert_eq!(go("quiz 2/3/2"), Ok(vec![Go::Variant { level: 1, slot: 2, variant: 1 }]));
        let first = exercises[0].id.clone();
        assert_eq!(go(&format!("exercise {first}")), Ok(vec![Go::Exercise(first)]));
        assert_eq!(go("shared-tilin").unwrap_err().help().unwrap(), "Did you mean `shared-tiling`?");
        for (text, what) in [("99", "level"), ("1/none", "page"), ("quiz 1/zz", "slot"), ("exercise zz", "exercise")] {
            assert_eq!(go(text).unwrap_err().what, what, "{text}");
        }
        assert_eq!(go("quiz").unwrap_err().what, "level");
        assert_eq!(go("a b c").unwrap_err().what, "");
    }
}
