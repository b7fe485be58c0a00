//! Verifies the exercises of a course with the judge. An exercise states which of its texts are correct and which goal
//! each other text misses; all of these statements are verified.

use serde::Serialize;
use std::collections::BTreeMap;
use tutor_course::{Problem, Severity};
use tutor_exec::judge::{Count, Finding, Goal, JudgeRequest, Verdict};
use tutor_exec::protocol::{ExecError, ExecErrorKind};
use tutor_exercises::mutants::mutants;
use tutor_exercises::texts::{starter, unmarked};
use tutor_exercises::{BROKEN, Exercise, FOLDER, Fill, Language, Repair, Work, Write, pack};
use tutor_kernels::MissingPtx;
use tutor_kernels::nvrtc::Compiled;
use tutor_support::words::Sentence;
use tutor_support::yaml::{self, PathStep};

pub trait Judge {
    /// Compiles a source as a solution of an exercise.
    ///
    /// # Errors
    /// Of the kind [`ExecErrorKind::Compile`] if the compiler rejects it.
    fn compile(&mut self, exercise: &Exercise, source: String) -> Result<Compiled, ExecError>;

    fn judge(&mut self, request: JudgeRequest) -> Result<Verdict, ExecError>;
}

/// Numbers of judged texts. The field names are those of the command line's JSON.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct ExerciseCounts {
    pub exercises: u32,
    /// Texts that were judged: solutions, starters, incorrect texts, cures, fillings.
    pub judged: u32,
    /// Judged texts whose verdict differs from the file.
    pub differ: u32,
    pub mutants: u32,
    /// Mutants that the judge rejected.
    pub killed: u32,
    /// Accepted mutants that the file excuses.
    pub excused: u32,
}

/// The results for all exercises of a course.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ExerciseReport {
    pub counts: ExerciseCounts,
    /// The statements that are false.
    pub problems: Vec<Problem>,
    /// Reasons why exercises were not verified, with the number of exercises for each.
    pub skipped: BTreeMap<String, u32>,
}

/// What the check of exercises reads.
pub struct ExerciseSources<'a> {
    /// Returns the compiled choices of an exercise.
    pub packs: &'a dyn Fn(&str) -> Result<pack::Texts, Sentence>,
    /// Returns the text of its `exercise.yaml`.
    pub file: &'a dyn Fn(&str) -> String,
    /// The command that compiles the choices.
    pub build: &'a str,
}

/// Judges every text of every exercise and, with `mutate`, mutants of the solutions.
pub fn exercises(
    exercises: &[Exercise],
    sources: &ExerciseSources<'_>,
    mutate: bool,
    judge: &mut dyn Judge,
) -> Result<ExerciseReport, ExecError> {
    let mut report = ExerciseReport::default();
    for exercise in exercises {
        let (text, solution, found) = ((sources.file)(&exercise.id), String::new(), Vec::new());
        let mut proof = Proof { exercise, text, build: sources.build, judge, report: &mut report, solution, found };
        match proof.all(sources.packs, mutate) {
            Ok(()) => report.counts.exercises += 1,
            Err(error) if error.kind == ExecErrorKind::Interrupted => return Err(error),
            Err(error) => *report.skipped.entry(error.message.to_string()).or_default() += 1,
        }
    }
    Ok(report)
}

struct Proof<'a> {
    exercise: &'a Exercise,
    text: String,
    build: &'a str,
    judge: &'a mut dyn Judge,
    report: &'a mut ExerciseReport,
    solution: String,
    /// The findings in incorrect texts. Each hint must match one of them.
    found: Vec<Finding>,
}

/// Returns the first choice whose PTX was not compiled from its source, and the reason. A missing PTX is reported when
/// the choice is judged.
fn stale(exercise: &Exercise, texts: &pack::Texts) -> Option<(String, String)> {
    let file = exercise.file_name();
    exercise.choices().into_iter().find_map(|(name, source)| {
        let ptx = texts.get(&name)?;
        let why = match exercise.language {
            Language::Ptx if *ptx == source => return None,
            Language::Ptx => MissingPtx::OfAnother,
            Language::Cuda => exercise.recipe(&file, &source).holds(ptx).err()?,
        };
        Some((name, why.to_string()))
    })
}

#[derive(Clone, Copy)]
enum At<'a> {
    File,
    Field(&'a str),
    /// A list, an index, and a field of that entry.
    Entry(&'a str, usize, &'a str),
}

/// The same seed for every check, so that the result does not depend on chance.
const SEED: u64 = 20;

impl Proof<'_> {
    /// Reports a problem of the field at `path`.
    fn problem(&mut self, code: &'static str, severity: Severity, path: At<'_>, message: String) {
        let file = format!("{FOLDER}/{}/exercise.yaml", self.exercise.id);
        let problem = match severity {
            Severity::Error => Problem::error(code, file, message),
            Severity::Warning => Problem::warning(code, file, message),
        };
        let path: Vec<PathStep<'_>> = match path {
            At::File => Vec::new(),
            At::Field(field) => vec![field.into()],
            At::Entry(list, index, field) => vec![list.into(), index.into(), field.into()],
        };
        let problem = match yaml::read(&self.text) {
            Ok(tree) => {
                let node = tree.find(&path);
                problem.at(&self.text, node.line, node.column, 1)
            }
            Err(_) => problem,
        };
        self.report.problems.push(problem);
    }

    fn all(&mut self, packs: &dyn Fn(&str) -> Result<pack::Texts, Sentence>, mutate: bool) -> Result<(), ExecError> {
        let exercise = self.exercise;
        let texts = match packs(&exercise.id) {
            Ok(texts) => texts,
            Err(why) => {
                let message = format!("Its choices are not compiled: {why} Run `{}`.", self.build);
                self.problem("exercise-not-built", Severity::Error, At::File, message);
                return Ok(());
            }
        };
        if let Some((name, why)) = stale(exercise, &texts) {
            let message = format!("What its choice `{name}` compiles to {why}. Run `{}`.", self.build);
            self.problem("ptx-stale", Severity::Error, At::File, message);
            return Ok(());
        }
        let Some(solution) = texts.get(&exercise.solution()) else {
            let message = format!("The solution is not compiled. Run `{}`.", self.build);
            self.problem("exercise-not-built", Severity::Error, At::File, message);
            return Ok(());
        };
        self.solution.clone_from(solution);
        let shared = (Count::SharedWavefronts, "shared_wavefronts", ".shared");
        for (of, name, needs) in [shared, (Count::LocalAccesses, "local_accesses", ".local")] {
            let limited = exercise.counts.iter().any(|limit| limit.of == of && limit.at_most > 1.0);
            if limited && !solution.contains(needs) {
                let message = format!("The solution needs no `{name}`, so the limit is 0. Write 1.0 or remove it.");
                self.problem("exercise", Severity::Warning, At::Field("goals"), message);
            }
        }
        match &exercise.work {
            Work::Write(write) => self.write(write, mutate)?,
            Work::Repair(repair) => self.repair(repair, &texts)?,
            Work::Fill(fill) => self.fill(fill, &texts)?,
        }
        for (index, hint) in exercise.hints.iter().enumerate() {
            let Some(when) = &hint.when else { continue };
            let mut reached = self.found.iter().any(|finding| when.is(finding));
            if let (false, Work::Fill(fill)) = (reached, &exercise.work) {
                reached = self.some_combination(fill, &texts, |finding| when.is(finding))?;
            }
            if !reached {
                let message = format!("Hint {} is for something that none of its wrong texts has.", index + 1);
                self.problem("hint-not-reached", Severity::Error, At::Entry("hints", index, "when"), message);
            }
        }
        Ok(())
    }

    /// Judges a PTX and compares the verdict with the file: it passes, or it misses this goal.
    fn expect(&mut self, what: &str, at: At<'_>, ptx: &str, expected: Option<Goal>) -> Result<(), ExecError> {
        let verdict = self.judged(&ptx.to_owned().into())?;
        self.compare(what, at, verdict, expected);
        Ok(())
    }

    fn judged(&mut self, text: &Compiled) -> Result<Verdict, ExecError> {
        self.judge.judge(self.exercise.judging(1, text, &self.solution, SEED))
    }

    fn compare(&mut self, what: &str, at: At<'_>, verdict: Verdict, expected: Option<Goal>) {
        self.report.counts.judged += 1;
        let failed = match &verdict {
            Verdict::Passed => None,
            Verdict::Failed(finding) => Some(finding.goal),
        };
        if failed != expected {
            self.report.counts.differ += 1;
            let should = expected.map_or("pass".to_owned(), |goal| format!("fail by `{}`", goal.name()));
            let does = match &verdict {
                Verdict::Passed => "passes".to_owned(),
                Verdict::Failed(finding) => format!("fails by `{}`: {}", finding.goal.name(), finding.message),
            };
            self.problem("exercise", Severity::Error, at, format!("{what} should {should}, but {does}"));
        }
        if let Verdict::Failed(finding) = verdict {
            self.found.push(*finding);
        }
    }

    fn repair(&mut self, repair: &Repair, texts: &pack::Texts) -> Result<(), ExecError> {
        self.choice(BROKEN, "The broken kernel", At::Field("symptom"), texts, Some(repair.symptom))?;
        for (index, cure) in repair.cures.iter().enumerate() {
            let at = At::Entry("cures", index, "fails");
            self.choice(&cure.id, &format!("Cure `{}`", cure.id), at, texts, cure.fails)?;
        }
        Ok(())
    }

    fn choice(
        &mut self,
        name: &str,
        what: &str,
        at: At<'_>,
        texts: &pack::Texts,
        expected: Option<Goal>,
    ) -> Result<(), ExecError> {
        match texts.get(name) {
            Some(ptx) => self.expect(what, at, ptx, expected),
            None => {
                let message = format!("{what} is not compiled. Run `{}`.", self.build);
                self.problem("exercise-not-built", Severity::Error, at, message);
                Ok(())
            }
        }
    }

    /// Verifies that the solution's fillings pass. Each other filling, combined with the solution's fillings for the
    /// other holes, must fail if it has a `why`.
    fn fill(&mut self, fill: &Fill, texts: &pack::Texts) -> Result<(), ExecError> {
        let own: Vec<String> = fill.holes.iter().map(|hole| hole.own().to_owned()).collect();
        self.choice(&own.join("+"), "The solution", At::Field("holes"), texts, None)?;
        for (at, hole) in fill.holes.iter().enumerate() {
            for (id, _, why) in hole.fillings.iter().filter(|(id, ..)| *id != own[at]) {
                let mut ids = own.clone();
                ids[at].clone_from(id);
                let Some(ptx) = texts.get(&ids.join("+")) else { continue };
                let verdict = self.judged(&ptx.clone().into())?;
                let what = format!("Filling `{id}` of hole `{}`", hole.id);
                let place = At::Entry("holes", at, "fillings");
                match &verdict {
                    Verdict::Passed if why.is_empty() => self.compare(&what, place, verdict, None),
                    Verdict::Passed => {
                        self.report.counts.judged += 1;
                        self.report.counts.differ += 1;
                        self.problem("exercise", Severity::Error, place, format!("{what} has a `why`, but passes."));
                    }
                    Verdict::Failed(finding) => {
                        let goal = finding.goal;
                        self.compare(&what, place, verdict, Some(goal));
                        if why.is_empty() {
                            let message = format!("{what} fails by `{}`, and has no `why`.", goal.name());
                            self.problem("exercise", Severity::Warning, place, message);
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// True if the finding of some combination of fillings satisfies `wanted`.
    fn some_combination(
        &mut self,
        fill: &Fill,
        texts: &pack::Texts,
        wanted: impl Fn(&Finding) -> bool,
    ) -> Result<bool, ExecError> {
        for ids in fill.combinations() {
            let Some(ptx) = texts.get(&ids.join("+")) else { continue };
            if let Verdict::Failed(finding) = self.judged(&ptx.clone().into())?
                && wanted(&finding)
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns the text of a source, or the finding that it does not compile.
    fn compiled(&mut self, source: &str) -> Result<Result<Compiled, Finding>, ExecError> {
        if self.exercise.language == Language::Ptx {
            return Ok(Ok(source.to_owned().into()));
        }
        match self.judge.compile(self.exercise, source.to_owned()) {
            Ok(text) => Ok(Ok(text)),
            Err(error) if error.kind == ExecErrorKind::Compile => Ok(Err(Finding::not_compiled(&error))),
            Err(error) => Err(error),
        }
    }

    fn verdict(&mut self, source: &str) -> Result<Verdict, ExecError> {
        match self.compiled(source)? {
            Ok(text) => self.judged(&text),
            Err(finding) => Ok(Verdict::Failed(Box::new(finding))),
        }
    }

    fn write(&mut self, write: &Write, mutate: bool) -> Result<(), ExecError> {
        let verdict = self.verdict(&write.solution)?;
        self.compare("The solution", At::Field("source"), verdict, None);
        match self.verdict(&write.starter)? {
            Verdict::Failed(finding) if finding.goal == Goal::Compiles => {
                let message = format!("The starter does not compile: {}", finding.message);
                self.problem("exercise", Severity::Error, At::Field("source"), message);
            }
            Verdict::Failed(finding) => self.found.push(*finding),
            Verdict::Passed => {
                let message = "The starter passes.".to_owned();
                self.problem("exercise", Severity::Error, At::Field("source"), message);
            }
        }
        self.report.counts.judged += 1;
        for (index, (id, goal, source)) in write.wrong.iter().enumerate() {
            let verdict = self.verdict(source)?;
            let at = At::Entry("wrong", index, "fails");
            self.compare(&format!("Wrong solution `{id}`"), at, verdict, Some(*goal));
        }
        for (index, (id, source)) in write.right.iter().enumerate() {
            let verdict = self.verdict(source)?;
            self.compare(&format!("Correct solution `{id}`"), At::Entry("right", index, "edits"), verdict, None);
        }
        if mutate {
            self.mutants(write)?;
        }
        Ok(())
    }

    fn mutants(&mut self, write: &Write) -> Result<(), ExecError> {
        for mutant in mutants(self.exercise.kernel.source.text()) {
            let source = unmarked(&mutant.text);
            // A mutant of an irrelevant line may equal the solution.
            if starter(&mutant.text).is_err() || source == write.solution {
                continue;
            }
            self.report.counts.mutants += 1;
            if let Verdict::Failed(_) = self.verdict(&source)? {
                self.report.counts.killed += 1;
            } else if write.survivors.iter().any(|line| mutant.line.contains(line.as_str())) {
                self.report.counts.excused += 1;
            } else {
                let message = format!("A mutant survives: `{}` for `{}`.", mutant.instead, mutant.line);
                self.problem("mutant-survives", Severity::Error, At::Field("survivors"), message);
            }
        }
        Ok(())
    }
}
