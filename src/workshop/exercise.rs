//! An exercise ready to be shown and judged.

use super::texts::replaced;
use super::written::{ExerciseKind, Hint, Language};
use tutor_exec::judge::{CountGoal, Goal, JudgeShape};
use tutor_kernels::{Kernel, Recipe, Source};

/// An exercise.
#[derive(Debug, Clone)]
pub struct Exercise {
    /// The name of its folder.
    pub id: String,
    /// Id of its level.
    pub level: String,
    /// At most 40 characters.
    pub title: String,
    /// Ids of the level's objectives.
    pub objectives: Vec<String>,
    /// Markdown.
    pub task: String,
    /// What a solution is launched as; its source is the solution, and it has no PTX.
    pub kernel: Kernel,
    /// Of the solution.
    pub language: Language,
    /// Limits of counts.
    pub counts: Vec<CountGoal>,
    /// Whether matrices of more than 2³¹ elements are asked for.
    pub far: bool,
    /// Launches beside those that every kernel must stand.
    pub shapes: Vec<JudgeShape>,
    /// The kernel that it is to be faster than for a star, and by what factor.
    pub star: Option<(String, f64)>,
    /// The weakest first.
    pub hints: Vec<Hint>,
    /// Said after passing.
    pub next: String,
    /// What there is to do.
    pub work: Work,
}

/// What there is to do.
#[derive(Debug, Clone)]
pub enum Work {
    /// Find the line, choose the cure.
    Repair(Repair),
    /// Choose what stands in the holes.
    Fill(Fill),
    /// Write what is missing.
    Write(Write),
}

/// A broken kernel.
#[derive(Debug, Clone)]
pub struct Repair {
    /// The broken source.
    pub broken: Source,
    /// The lines at fault in it, 1-based: each is a right answer.
    pub lines: Vec<u32>,
    /// The first goal that it does not meet.
    pub symptom: Goal,
    /// What the student chooses from.
    pub cures: Vec<Cure>,
}

/// A cure.
#[derive(Debug, Clone)]
pub struct Cure {
    /// Unique in the exercise.
    pub id: String,
    /// What the student chooses.
    pub text: String,
    /// The source with it.
    pub source: String,
    /// The goal that is not met with it; none if it is the right one.
    pub fails: Option<Goal>,
    /// The answer to who chose it.
    pub why: String,
}

/// A kernel with holes.
#[derive(Debug, Clone)]
pub struct Fill {
    /// In the order of the file.
    pub holes: Vec<Hole>,
}

/// A hole.
#[derive(Debug, Clone)]
pub struct Hole {
    /// Unique in the exercise.
    pub id: String,
    /// The question.
    pub ask: String,
    /// What stands there in the solution.
    pub find: String,
    /// Id, code, and the answer to who chose it.
    pub fillings: Vec<(String, String, String)>,
}

/// A kernel to be written.
#[derive(Debug, Clone)]
pub struct Write {
    /// What the student begins with.
    pub starter: String,
    /// Without marks.
    pub solution: String,
    /// Wrong solutions: id, goal, source.
    pub wrong: Vec<(String, Goal, String)>,
    /// Lines that may be mutated without harm.
    pub survivors: Vec<String>,
}

impl Hole {
    /// The id of the filling that is the solution's own.
    pub fn own(&self) -> &str {
        let own = self.fillings.iter().find(|(_, code, _)| code.trim() == self.find.trim());
        own.map_or("", |(id, ..)| id)
    }
}

impl Exercise {
    /// What the student does.
    pub fn kind(&self) -> ExerciseKind {
        match self.work {
            Work::Repair(_) => ExerciseKind::Repair,
            Work::Fill(_) => ExerciseKind::Fill,
            Work::Write(_) => ExerciseKind::Write,
        }
    }

    /// The name of a source of this exercise in messages and PTX.
    pub fn file_name(&self) -> String {
        let extension = match self.language {
            Language::Cuda => "cu",
            Language::Ptx => "ptx",
        };
        format!("{}.{extension}", self.id)
    }

    /// All that the PTX of one of its sources depends on; `file` is [`Self::file_name`].
    pub fn recipe<'a>(&'a self, file: &'a str, source: &'a str) -> Recipe<'a> {
        Recipe { file, source, constants: &self.kernel.constants, arch: self.kernel.arch, lines: true }
    }

    /// The name of the solution among its choices.
    pub fn solution(&self) -> String {
        match &self.work {
            Work::Repair(repair) => {
                repair.cures.iter().find(|cure| cure.fails.is_none()).map(|cure| cure.id.clone()).unwrap_or_default()
            }
            Work::Fill(fill) => fill.holes.iter().map(Hole::own).collect::<Vec<_>>().join("+"),
            Work::Write(_) => SOLUTION.to_owned(),
        }
    }

    /// The sources that are compiled ahead, each with its name: the solution, whose counts are the measure, and what a student
    /// may choose without having a compiler.
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

    /// The source of a fill-in with these fillings, one a hole, in order; none if there are no such.
    pub fn filled(&self, ids: &[String]) -> Option<String> {
        let Work::Fill(fill) = &self.work else { return None };
        fill.filled(self.kernel.source.text(), ids)
    }
}

/// The names of a broken source and of a written solution among an exercise's choices.
pub const BROKEN: &str = "broken";
const SOLUTION: &str = "solution";

impl Fill {
    pub(super) fn filled(&self, solution: &str, ids: &[String]) -> Option<String> {
        (ids.len() == self.holes.len()).then_some(())?;
        self.holes.iter().zip(ids).try_fold(solution.to_owned(), |text, (hole, id)| {
            let (_, code, _) = hole.fillings.iter().find(|(known, ..)| known == id)?;
            replaced(&text, &hole.find, code).ok()
        })
    }

    /// All combinations of fillings.
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
