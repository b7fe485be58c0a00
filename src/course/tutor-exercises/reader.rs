//! Reads the exercises of a course and reports all problems.

use super::edition::translate;
use super::exercise::{Cure, Exercise, Fill, Hole, Repair, Work, Write};
use super::files::{FOLDER, ids};
use super::texts::{edited, replaced, starter, unmarked};
use super::written::{Edit, ExerciseFile, ExerciseKind, Found, Language, Lines, Points};
use std::sync::Arc;
use tutor_course::{At, CourseSource, File, Problem};
use tutor_exec::judge::{Count, CountGoal, JudgeShape};
use tutor_kernels::{Arch, Catalog, Constants, Contract, Extent, Kernel, Source};
use tutor_support::expr::Expr;
use tutor_support::yaml::Value;

pub const MAX_EXERCISES: usize = 200;
/// Maximum combinations of fillings per exercise, because each one is compiled.
pub const MAX_COMBINATIONS: usize = 64;
const MAX_TITLE: usize = 40;
/// The kinds of exercises in words, and the fields that only that kind uses.
const OF_KIND: [(ExerciseKind, &str, &[&str]); 3] = [
    (ExerciseKind::Repair, "a repair", &["broken", "line", "symptom", "cures"]),
    (ExerciseKind::Fill, "an exercise to fill in", &["holes"]),
    (ExerciseKind::Write, "an exercise to write", &["wrong", "right", "survivors"]),
];

/// Reads the exercises of a course like [`read`], with their texts in a language.
pub fn read_in(source: &CourseSource, catalog: &Catalog, lang: &str) -> (Vec<Exercise>, Vec<Problem>) {
    let (mut exercises, mut problems) = read(source, catalog);
    problems.extend(translate(&mut exercises, source, lang));
    (exercises, problems)
}

/// Reads the exercises of a course in the order of their names. Omits and reports those that cannot be used.
pub fn read(source: &CourseSource, catalog: &Catalog) -> (Vec<Exercise>, Vec<Problem>) {
    let (mut exercises, mut problems) = (Vec::new(), Vec::new());
    let all = ids(source);
    if all.len() > MAX_EXERCISES {
        let message = format!("{} exercises are more than {MAX_EXERCISES}; the rest is left out.", all.len());
        problems.push(Problem::error("too-many-exercises", FOLDER, message));
    }
    for id in all.into_iter().take(MAX_EXERCISES) {
        let name = format!("{FOLDER}/{id}/exercise.yaml");
        let file = match File::<ExerciseFile>::read(source, &name) {
            Ok(file) => file,
            Err(error) => {
                problems.push(Problem::error("exercise", name, error.to_string()));
                continue;
            }
        };
        problems.extend(file.problems.iter().cloned());
        let Some(value) = &file.value else { continue };
        let mut reader = Reader { id: &id, file: &file, source, problems: Vec::new() };
        let exercise = reader.exercise(value, catalog);
        let fine = reader.problems.is_empty() && !file.left_out;
        problems.append(&mut reader.problems);
        exercises.extend(exercise.filter(|_| fine));
    }
    (exercises, problems)
}

struct Reader<'a> {
    id: &'a str,
    file: &'a File<ExerciseFile>,
    source: &'a CourseSource,
    problems: Vec<Problem>,
}

impl Reader<'_> {
    fn problem(&mut self, message: impl std::fmt::Display, line: u32, column: u32) {
        let problem = Problem::error("exercise", self.file.name.as_str(), message);
        self.problems.push(if line > 0 { problem.at(&self.file.text, line, column, 1) } else { problem });
    }

    fn at<T>(&mut self, at: &At<T>, message: impl std::fmt::Display) {
        self.problem(message, at.line, at.column);
    }

    fn exercise(&mut self, value: &ExerciseFile, catalog: &Catalog) -> Option<Exercise> {
        if value.title.chars().count() > MAX_TITLE || value.title.contains('\n') {
            self.problem(format!("The title is longer than {MAX_TITLE} characters."), 0, 0);
        }
        let Some(known) = catalog.find(&value.kernel) else {
            let message = format!("There is no kernel `{}`.", value.kernel.value);
            self.at(&value.kernel, message);
            return None;
        };
        let text = self.solution(value, &known)?;
        let (solution, faults) = Source::read(&text);
        // Regions and holes end with the same mark, but the parser of regions does not know holes. Its faults are
        // therefore ignored.
        drop(faults);
        if let Some(entry) = value.entry.as_ref().filter(|entry| !text.contains(&entry.value)) {
            self.at(entry, format!("The solution has no function `{}`.", entry.value.escape_debug()));
            return None;
        }
        let arch = match &value.arch {
            None => None,
            Some(text) => match Arch::parse(text) {
                None => {
                    self.at(text, format!("`{}` is not an architecture.", text.value));
                    return None;
                }
                arch => arch,
            },
        };
        let constants = value.constants.clone().map(|constants| constants.into_iter().collect());
        let shared_bytes = match &value.shared_bytes {
            None => None,
            Some(formula) => Some(self.bytes(formula, constants.as_ref().unwrap_or(&known.constants))?),
        };
        let contract = Contract {
            entry: value.entry.as_ref().map(|entry| entry.value.clone()),
            constants,
            block: value.block,
            grid: value.grid.clone(),
            shared_bytes,
            needs: value.needs.clone(),
            arch,
        };
        let kernel = match known.like(self.id, Arc::new(solution), contract) {
            Ok(kernel) => kernel,
            Err(why) => {
                self.at(&value.kernel, why);
                return None;
            }
        };
        let star = value.goals.star.as_ref().map(|star| (star.faster_than.clone(), star.by));
        if let Some((rung, _)) = &star
            && catalog.find(rung).is_none()
        {
            let message = format!("There is no kernel `{}`.", rung.value);
            self.at(rung, message);
        }
        for shape in &value.goals.shapes {
            let JudgeShape { m, n, k, gap, .. } = shape.value;
            let (largest, deepest, widest) = (JudgeShape::LARGEST, JudgeShape::DEEPEST, JudgeShape::WIDEST_GAP);
            if [(m, largest), (n, largest), (k, deepest)].iter().any(|(extent, most)| !(1..=*most).contains(extent))
                || u64::from(m * n) * u64::from(k) > u64::from(largest).pow(3)
                || gap > widest
            {
                let product =
                    format!("M and N must be 1 to {largest}, K 1 to {deepest}, and M·N·K at most {largest}³.");
                self.at(shape, format!("{product} The gap must be at most {widest}."));
            }
        }
        if let Some(points) = &value.points {
            let Points { compiles, runs, results, hazards, counts } = points.value;
            let all = [compiles, runs, results, hazards, counts];
            if all.into_iter().any(|points| points > Points::MOST) {
                self.at(points, format!("A goal gives at most {} points.", Points::MOST));
            } else if all == [0; 5] {
                self.at(points, "No goal gives points. Give some to at least one of them, or remove `points`.");
            }
        }
        if let Some(found) = &value.found {
            let Found { project, date, link } = &found.value;
            let digits =
                |(at, byte): (usize, u8)| if matches!(at, 4 | 7) { byte == b'-' } else { byte.is_ascii_digit() };
            if project.trim().is_empty() || date.len() != 10 || !date.bytes().enumerate().all(digits) {
                self.at(found, "`found` needs a `project` and a `date` like 2026-09-12.");
            }
            if !link.starts_with("https://") || link.contains(char::is_whitespace) {
                self.at(found, "The `link` in `found` must begin with `https://` and have no blanks.");
            }
        }
        self.foreign(value.kind.value);
        let work = match value.kind.value {
            ExerciseKind::Repair => Work::Repair(self.repair(value, &text)?),
            ExerciseKind::Fill => Work::Fill(self.fill(value, &text)?),
            ExerciseKind::Write => Work::Write(self.write(value, &text)?),
        };
        Some(Exercise {
            id: self.id.to_owned(),
            level: value.level.value.clone(),
            title: value.title.clone(),
            objectives: value.objectives.iter().map(|objective| objective.value.clone()).collect(),
            task: value.task.clone(),
            kernel,
            language: value.language,
            counts: limits(&value.goals.counts),
            uses: value.goals.uses.clone(),
            far: value.goals.far,
            shapes: value.goals.shapes.iter().map(|shape| shape.value).collect(),
            star: star.map(|(rung, by)| (rung.value, by)),
            points: value.points.as_ref().map(|points| points.value),
            hints: value.hints.clone(),
            next: value.next.clone(),
            found: value.found.as_ref().map(|found| found.value.clone()),
            work,
        })
    }

    /// Reports the fields that only another kind of exercise uses, because nothing would read them.
    fn foreign(&mut self, kind: ExerciseKind) {
        let Value::Map(fields) = self.file.tree().value else { return };
        let own = OF_KIND.iter().find(|(of, ..)| *of == kind).map_or("", |(_, phrase, _)| phrase);
        for (_, phrase, names) in OF_KIND.iter().filter(|(of, ..)| *of != kind) {
            for (key, _) in fields.iter().filter(|(key, _)| key.text().is_some_and(|text| names.contains(&text))) {
                let name = key.text().unwrap_or_default();
                let message = format!("`{name}` belongs to {phrase}. This exercise is {own}.");
                self.problem(message, key.line, key.column);
            }
        }
    }

    /// Evaluates a formula for a number of bytes.
    fn bytes(&mut self, formula: &At<Extent>, constants: &Constants) -> Option<u32> {
        let Extent(text) = &formula.value;
        let value = Expr::parse(text)
            .and_then(|formula| formula.integer(&|name| constants.get(name).map(|value| i64::from(*value))));
        match value.map(u32::try_from) {
            Ok(Ok(bytes)) => Some(bytes),
            Ok(Err(_)) => {
                self.at(formula, format!("`{}` is not a number of bytes.", text.escape_debug()));
                None
            }
            Err(error) => {
                self.at(formula, format!("`{}`: {error}", text.escape_debug()));
                None
            }
        }
    }

    fn solution(&mut self, value: &ExerciseFile, known: &Kernel) -> Option<String> {
        let Some(name) = &value.source else { return Some(known.source.text().to_owned()) };
        let extension = match value.language {
            Language::Cuda => ".cu",
            Language::Ptx => ".ptx",
        };
        if !name.ends_with(extension) {
            self.at(name, format!("In this language, the solution must be a file `…{extension}`."));
            return None;
        }
        match self.source.read(&format!("{FOLDER}/{}/{}", self.id, name.value)) {
            Ok(text) => Some(text),
            Err(error) => {
                self.at(name, error.to_string());
                None
            }
        }
    }

    fn edited(&mut self, text: &str, edits: &[Edit]) -> Option<String> {
        match edited(text, edits) {
            Ok(text) => Some(text),
            Err(misplaced) => {
                let place = edits.get(misplaced.index).map(|edit| &edit.find);
                let (line, column) = place.map_or((0, 0), |at| (at.line, at.column));
                self.problem(format!("The text to replace occurs {}, not once.", times(misplaced.found)), line, column);
                None
            }
        }
    }

    fn unique<'b>(&mut self, ids: impl Iterator<Item = &'b At<String>>) {
        let mut seen: Vec<&str> = Vec::new();
        for id in ids {
            let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
            if id.is_empty() || id.len() > 40 || !id.chars().all(plain) {
                let shown = id.escape_debug();
                self.at(id, format!("`{shown}` is not an id. An id has letters, digits, `-` and `_`, at most 40."));
            } else if seen.contains(&id.as_str()) {
                self.at(id, format!("The id `{}` is used twice.", id.value));
            }
            seen.push(id);
        }
    }

    fn repair(&mut self, value: &ExerciseFile, solution: &str) -> Option<Repair> {
        let broken = self.edited(solution, &value.broken)?;
        if broken == solution {
            self.at(&value.kind, "A repair needs edits in `broken`.");
        }
        let wanted: &[String] = match value.line.as_ref().map(|line| &line.value) {
            None => &[],
            Some(Lines::One(line)) => std::slice::from_ref(line),
            Some(Lines::Several(lines)) => lines,
        };
        if wanted.is_empty() {
            self.at(&value.kind, "A repair needs the faulty line in `line`.");
        }
        let mut lines = Vec::new();
        for text in wanted {
            let found: Vec<u32> =
                (1..).zip(broken.lines()).filter(|(_, line)| line.contains(text.trim())).map(|(at, _)| at).collect();
            match found[..] {
                [line] => lines.push(line),
                _ => {
                    let (line, times) = (text.trim().escape_debug(), times(found.len()));
                    let message = format!("The line `{line}` occurs {times} in the broken source, not once.");
                    value.line.iter().for_each(|at| self.at(at, &message));
                }
            }
        }
        let Some(symptom) = &value.symptom else {
            self.at(&value.kind, "A repair needs the first goal that the broken kernel misses in `symptom`.");
            return None;
        };
        self.unique(value.cures.iter().map(|cure| &cure.id));
        if value.cures.iter().filter(|cure| cure.right).count() != 1 || value.cures.len() < 2 {
            let second = value.cures.iter().filter(|cure| cure.right).nth(1).or(value.cures.first());
            let (line, column) =
                second.map_or((value.kind.line, value.kind.column), |cure| (cure.id.line, cure.id.column));
            self.problem("A repair needs at least two `cures`. Exactly one must have `right: true`.", line, column);
        }
        let mut cures = Vec::new();
        for cure in &value.cures {
            let source = self.edited(&broken, &cure.edits)?;
            match (cure.right, &cure.fails) {
                (true, Some(fails)) => self.at(fails, "The correct fix must not have `fails`."),
                (false, None) => {
                    self.at(&cure.id, "An incorrect fix needs `fails`: the goal that the kernel misses with it.");
                }
                _ => {}
            }
            if !cure.right && cure.why.is_empty() {
                self.at(&cure.id, "An incorrect fix needs a `why`, the reply to students who choose it.");
            }
            let (id, fails) = (cure.id.value.clone(), cure.fails.as_ref().map(|goal| goal.value));
            cures.push(Cure { id, text: cure.text.clone(), source, fails, why: cure.why.clone() });
        }
        let (broken, _) = Source::read(broken);
        Some(Repair { broken, lines, symptom: symptom.value, cures })
    }

    fn fill(&mut self, value: &ExerciseFile, solution: &str) -> Option<Fill> {
        self.unique(value.holes.iter().map(|hole| &hole.id));
        let combinations: usize = value.holes.iter().map(|hole| hole.fillings.len()).product();
        if value.holes.is_empty() || combinations > MAX_COMBINATIONS {
            let message = format!("A fill-in needs holes, with at most {MAX_COMBINATIONS} combinations of fillings.");
            self.at(&value.kind, message);
            return None;
        }
        let mut holes = Vec::new();
        for hole in &value.holes {
            if let Err(found) = replaced(solution, &hole.find, "") {
                self.at(&hole.find, format!("The hole's text occurs {} in the solution, not once.", times(found)));
            }
            self.unique(hole.fillings.iter().map(|filling| &filling.id));
            let own = hole.fillings.iter().filter(|filling| filling.text.trim() == hole.find.trim()).count();
            if own != 1 || hole.fillings.len() < 2 {
                self.at(&hole.id, "A hole needs at least two fillings. One of them must be the solution's own text.");
            }
            let fillings = hole.fillings.iter();
            let fillings =
                fillings.map(|filling| (filling.id.value.clone(), filling.text.clone(), filling.why.clone()));
            holes.push(Hole {
                id: hole.id.value.clone(),
                ask: hole.ask.clone(),
                find: hole.find.value.clone(),
                fillings: fillings.collect(),
            });
        }
        let fill = Fill { holes };
        let solution = Source::read(solution).0;
        let unfilled = fill.combinations().into_iter().find(|ids| fill.filled(solution.text(), ids).is_none());
        if let (true, Some(ids)) = (self.problems.is_empty(), unfilled) {
            let ids = ids.join("+");
            let message =
                format!("With `{ids}`, a hole cannot be found, because a filling contains another hole's text.");
            self.at(&value.kind, message);
        }
        Some(fill)
    }

    fn write(&mut self, value: &ExerciseFile, solution: &str) -> Option<Write> {
        let starter = match starter(solution) {
            Ok(starter) => starter,
            Err((line, message)) => {
                match value.source.as_ref().filter(|_| line > 0) {
                    Some(file) => {
                        let file = format!("{FOLDER}/{}/{}", self.id, file.value);
                        self.problems.push(Problem::error("exercise", file, message).at(solution, line, 1, 1));
                    }
                    None if line > 0 => {
                        self.at(&value.kernel, format!("Line {line} of the source of `{}`: {message}", *value.kernel));
                    }
                    None => self.at(&value.kind, message),
                }
                return None;
            }
        };
        self.unique(value.wrong.iter().map(|wrong| &wrong.id));
        if value.wrong.is_empty() {
            let message =
                "An exercise to write needs incorrect solutions in `wrong`, to show that the judge rejects them.";
            self.at(&value.kind, message);
        }
        let mut wrong = Vec::new();
        for entry in &value.wrong {
            let text = self.edited(solution, &entry.edits)?;
            wrong.push((entry.id.value.clone(), entry.fails.value, unmarked(&text)));
        }
        self.unique(value.right.iter().map(|right| &right.id));
        let mut right = Vec::new();
        for entry in &value.right {
            let text = self.edited(solution, &entry.edits)?;
            right.push((entry.id.value.clone(), unmarked(&text)));
        }
        let survivors = value.survivors.iter().map(|survivor| survivor.find.trim().to_owned()).collect();
        Some(Write { starter, solution: unmarked(solution), wrong, right, survivors })
    }
}

/// Returns the limits with those that always exist. The last one leaves room for every reasonable style, and not for
/// kernels in which most warps only wait.
fn limits(own: &[CountGoal]) -> Vec<CountGoal> {
    let mut limits = own.to_vec();
    for (of, at_most) in [(Count::GlobalSectors, 1.05), (Count::GlobalBytes, 1.05), (Count::LongestWarp, 6.0)] {
        if limits.iter().all(|limit| limit.of != of) {
            limits.push(CountGoal { of, at_most });
        }
    }
    limits
}

fn times(found: usize) -> String {
    match found {
        0 => "nowhere".to_owned(),
        found => format!("{found} times"),
    }
}
