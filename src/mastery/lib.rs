/*! Quiz attempts, grading, gates, unlocking, and the store that remembers them.

An attempt is *drawn* ([`draw`]): one variant of each slot, chosen by a stored seed, with its
choices shuffled and its numbers filled in. What is drawn is a [`Question`], which holds what a
screen shows and not the key. An [`Answer`] is checked for its form as it is entered
([`Question::problem`]) and graded against the quiz file ([`grade`]), never on its position on the
screen: a choice is its id.

What happened is stored as facts that are only ever added ([`Store`]): attempts, answers, visits,
predictions, runs. What follows from them, such as which level is open, is computed
([`progress`]) and never stored.

Nothing here knows of a terminal.
*/

mod analysis;
mod answer;
mod attempt;
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

pub use analysis::{ChoiceAnalysis, FEWEST, Flag, IDLE_SHARE, ItemAnalysis, analyse, first_attempts, wilson};
pub use attempt::{Attempt, AttemptError, AttemptKind, Begun, Change};
pub use draw::{Seen, SeenVariant, draw, fresh_seed, shown_order};
pub use exam::{exam_seed, examine, is_student, student};
pub use grade::{Graded, grade};
pub use guesses::{Guesses, ObjectiveGuess, PageGuess};
pub use handed_in::{HANDED_IN_VERSION, HandedAttempt, HandedExercise, HandedIn, HandedItem};
pub use keyed::{Keyed, keyed};
pub use outcome::{Outcome, OutcomeItem};
pub use progress::{
    Best, LevelProgress, Next, Outline, OutlineLevel, PagesRead, Progress, Record, Required, Submission, progress,
};
pub use question::{Drawn, Question, QuizError, fill, present};
pub use regrade::{Regraded, regrade};
pub use renamed::Renamed;
pub use review::{A_DAY, GradedFact, Item as ReviewItem, Queue, REVIEW, pool, unpooled};
pub use store::{
    Carried, Explanation, Known, Notice, Prediction, Predictions, RunRecord, Store, StoreError, Try, Worked, data_dir,
};
pub use tutor_course::{Answer, Asked, Choices, Code, Events, Item, Miss, QuestionKind, Sides, Suspects, Typed};
