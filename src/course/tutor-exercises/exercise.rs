//! An exercise that is ready to be shown and judged.

use super::texts::replaced;
use super::written::{ExerciseKind, Found, Hint, Language, Points};
use tutor_exec::judge::{CountGoal, Engine, Goal, JudgeShape};
use tutor_kernels::{Kernel, Recipe, Source};
use tutor_support::{IN_A_PAGE, t};

#[derive(Debug, Clone)]
pub struct Exercise {
    /// The name of its folder.
    pub id: String,
    pub level: String,
    /// At most 40 characters.
    pub title: String,
    pub objectives: Vec<String>,
    pub task: String,
    /// The kernel as which a solution is launched. Its source is the solution, and it has no PTX.
    pub kernel: Kernel,
    pub language: Language,
    pub counts: Vec<CountGoal>,
    /// Parts of the hardware that a solution must use.
    pub uses: Vec<Engine>,
    /// True if the exercise is about matrices of more than 2³¹ elements.
    pub far: bool,
    /// Launches in addition to those that every kernel must pass.
    pub shapes: Vec<JudgeShape>,
    /// The kernel that a solution must beat for a star, and the required speedup.
    pub star: Option<(String, f64)>,
    /// The author's points for each goal, if given.
    pub points: Option<Points>,
    /// From the weakest to the strongest hint.
    pub hints: Vec<Hint>,
    pub next: String,
    /// The report of the bug, if the exercise belongs to the series *Bugs that shipped*.
    pub found: Option<Found>,
    pub work: Work,
}

#[derive(Debug, Clone)]
pub enum Work {
    /// Find the faulty line and choose a cure.
    Repair(Repair),
    /// Choose the code for the holes.
    Fill(Fill),
    Write(Write),
}

#[derive(Debug, Clone)]
pub struct Repair {
    pub broken: Source,
    /// Its faulty lines, 1-based. Each is a correct answer.
    pub lines: Vec<u32>,
    /// The first goal that it misses.
    pub symptom: Goal,
    pub cures: Vec<Cure>,
}

#[derive(Debug, Clone)]
pub struct Cure {
    pub id: String,
    /// The text that the student chooses.
    pub text: String,
    pub source: String,
    /// The goal that the kernel misses with this cure; `None` for the correct cure.
    pub fails: Option<Goal>,
    /// The reply to students who choose it.
    pub why: String,
}

#[derive(Debug, Clone)]
pub struct Fill {
    /// In the order of the file.
    pub holes: Vec<Hole>,
}

#[derive(Debug, Clone)]
pub struct Hole {
    pub id: String,
    pub ask: String,
    /// The solution's code in the hole.
    pub find: String,
    /// Id, code, and the reply to students who choose it.
    pub fillings: Vec<(String, String, String)>,
}

#[derive(Debug, Clone)]
pub struct Write {
    pub starter: String,
    pub solution: String,
    /// Incorrect solutions: id, goal, source.
    pub wrong: Vec<(String, Goal, String)>,
    /// Other correct solutions: id and source.
    pub right: Vec<(String, String)>,
    /// Lines whose mutants are correct.
    pub survivors: Vec<String>,
}

impl Hole {
    /// Returns the id of the filling that equals the solution.
    pub fn own(&self) -> &str {
        let own = self.fillings.iter().find(|(_, code, _)| code.trim() == self.find.trim());
        own.map_or("", |(id, ..)| id)
    }
}

impl Exercise {
    /// Returns the task, followed by the report of the bug.
    pub fn assignment(&self) -> String {
        let task = self.task.trim();
        self.found.as_ref().map_or_else(
            || task.to_owned(),
            |Found { project, date, link }| format!("{task}\n\n{}", t!("exercise-found", project, date, link)),
        )
    }

    /// True if the student writes CUDA C++.
    pub fn needs_compiler(&self) -> bool {
        matches!(self.work, Work::Write(_)) && self.language == Language::Cuda
    }

    /// True if only the native program can judge it.
    pub fn needs_program(&self) -> bool {
        IN_A_PAGE && (self.far || self.needs_compiler())
    }

    pub fn kind(&self) -> ExerciseKind {
        match self.work {
            Work::Repair(_) => ExerciseKind::Repair,
            Work::Fill(_) => ExerciseKind::Fill,
            Work::Write(_) => ExerciseKind::Write,
        }
    }

    /// Returns the name that messages and PTX use for a source of this exercise.
    pub fn file_name(&self) -> String {
        let extension = match self.language {
            Language::Cuda => "cu",
            Language::Ptx => "ptx",
        };
        format!("{}.{extension}", self.id)
    }

    /// Returns everything that the PTX of one of its sources depends on. `file` is [`Self::file_name`].
    pub fn recipe<'a>(&'a self, file: &'a str, source: &'a str) -> Recipe<'a> {
        Recipe { file, source, constants: &self.kernel.constants, arch: self.kernel.arch, lines: true }
    }

    /// Returns the name of the solution among its choices.
    pub fn solution(&self) -> String {
        match &self.work {
            Work::Repair(repair) => {
                repair.cures.iter().find(|cure| cure.fails.is_none()).map(|cure| cure.id.clone()).unwrap_or_default()
            }
            Work::Fill(fill) => fill.holes.iter().map(Hole::own).collect::<Vec<_>>().join("+"),
            Work::Write(_) => SOLUTION.to_owned(),
        }
    }

    /// Returns the sources that are compiled in advance, each with its name: the solution, whose counts are the
    /// reference, and everything that a student can choose without a compiler.
    pub fn choices(&self) -> Vec<(String, String)> {
        match &self.work {
            Work::Repair(repair) => {
                let cures = repair.cures.iter().map(|cure| (cure.id.clone(), cure.source.clone()));
                std::iter::once((BROKEN.to_owned(), repair.broken.text().to_owned())).chain(cures).collect()
            }
            Work::Fill(fill) => fill
                .combinations()
                .into_iter()
                .map(|ids| (ids.join("+"), self.filled(&ids).unwrap_or_default()))
                .collect(),
            Work::Write(write) => vec![(SOLUTION.to_owned(), write.solution.clone())],
        }
    }

    /// Returns the source of a fill-in with one filling per hole, in order. `None` if a filling does not exist.
    pub fn filled(&self, ids: &[String]) -> Option<String> {
        let Work::Fill(fill) = &self.work else { return None };
        fill.filled(self.kernel.source.text(), ids)
    }
}

/// The name of the choice that is the broken kernel itself.
pub const BROKEN: &str = "broken";
/// The name of the choice that is the solution of a kernel to write.
const SOLUTION: &str = "solution";

impl Fill {
    pub(super) fn filled(&self, solution: &str, ids: &[String]) -> Option<String> {
        (ids.len() == self.holes.len()).then_some(())?;
        self.holes.iter().zip(ids).try_fold(solution.to_owned(), |text, (hole, id)| {
            let (_, code, _) = hole.fillings.iter().find(|(known, ..)| known == id)?;
            replaced(&text, &hole.find, code).ok()
        })
    }

    pub fn combinations(&self) -> Vec<Vec<String>> {
        let mut all = vec![Vec::new()];
        for hole in &self.holes {
            let with = |ids: &Vec<String>| {
                let ids = ids.clone();
                hole.fillings.iter().map(move |(id, ..)| {
                    let mut ids = ids.clone();
                    ids.push(id.clone());
                    ids
                })
            };
            all = all.iter().flat_map(with).collect();
        }
        all
    }
}
