/*! Quiz attempts, grading, gates, unlocking, and the store of progress.

An attempt is *drawn* ([`draw`]): a stored seed selects one variant of each slot, shuffles its choices and fills in its
numbers. The result is a [`Question`], which contains what a screen shows but not the key. An [`Answer`] is checked for
its form when it is entered ([`Question::problem`]). It is graded with the quiz file ([`grade`]) by the ids of choices,
not by their positions on the screen.

The [`Store`] keeps facts that are only ever added: attempts, answers, visits, predictions, runs. Everything that
follows from them, such as unlocked levels, is computed ([`progress`]) and never stored.

This crate does not depend on a terminal.
*/

mod analysis;
mod answer;
mod attempt;
mod clock;
mod draw;
mod exam;
mod grade;
mod guesses;
mod handed_in;
mod keyed;
mod outcome;
mod progress;
mod question;
mod regrade;
mod renamed;
mod review;
mod store;

pub use analysis::{
    ChoiceAnalysis, Flag, IDLE_SHARE, ItemAnalysis, MIN_ANSWERS, TypedAnswer, analyse, first_attempts, wilson,
};
pub use attempt::{Attempt, AttemptError, AttemptKind, Begun, Change};
pub use clock::now;
pub use draw::{Seen, SeenVariant, draw, fresh_seed, shown_order};
pub use exam::{exam_seed, examine, set_student, student};
pub use grade::{Graded, grade};
pub use guesses::{Guesses, ObjectiveGuess, PageGuess};
pub use handed_in::{HANDED_IN_VERSION, HandedAttempt, HandedExercise, HandedIn, HandedItem};
pub use keyed::{Keyed, keyed};
pub use outcome::{Outcome, OutcomeItem};
pub use progress::{
    Best, LevelProgress, Next, Outline, OutlineLevel, PagesRead, Progress, Record, Required, Submission, progress,
};
pub use question::{Drawn, Question, QuizError, fill, present};
pub use regrade::{Contradicted, Regraded, mark, regrade, undrawn};
pub use renamed::Renamed;
pub use review::{A_DAY, GradedFact, Item as ReviewItem, Queue, REVIEW, pool, unpooled};
pub use store::{
    Carried, Explanation, Known, Notice, Prediction, Predictions, Store, StoreError, Try, Worked, data_dir,
};
pub use tutor_course::{Answer, Asked, Choices, Code, Events, Item, Miss, QuestionKind, Sides, Suspects, Typed};
