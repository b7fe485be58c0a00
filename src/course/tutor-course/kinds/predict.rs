/*! Predict a number that the machine counts during grading, so the key is always correct.

The cost rules of the emulator give the cost of an access. A built-in kernel runs on the emulator at a small size, once per
process, and for at most [`DEADLINE`]. A course's own kernel is a stranger's code, which runs only in the worker. So its author
states the count, and `check` verifies it.
*/

use super::number::{self, Form};
use super::unit;
use super::{Asked, Numeric, QuestionRules};
use crate::lint::Path;
use crate::prelude::*;
use crate::show::{AccessDirection, BankView, CoalescingView};
use ptx_emulator::cost::{Direction, global_sectors, shared_wavefronts};
use std::sync::{LazyLock, Mutex, PoisonError};
use std::time::Duration;
use tutor_exec::Counted;
use tutor_kernels::Catalog;

/// Maximum time for which a kernel runs.
const DEADLINE: Duration = Duration::from_secs(20);
/// Maximum square size.
const MAX_SIZE: u32 = 128;

/// A number that the machine counts.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Predicted {
    /// What is counted.
    pub of: Counting,
    /// Unit, shown after the field and accepted after the number.
    pub unit: Option<String>,
    /// In a translation, the original's unit, which is also accepted.
    #[serde(skip)]
    pub original_unit: Option<String>,
    /// Typical mistakes.
    #[serde(default)]
    pub slips: Vec<WrongCount>,
    /// The reason for any other wrong number.
    pub why: String,
}

/// A typical wrong count.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct WrongCount {
    /// The number.
    pub is: f64,
    /// Names the mistake and corrects it.
    pub why: String,
}

/// What the machine counts.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Counting {
    /// Wavefronts of a shared access, described as on a page.
    Banks(BankView),
    /// Sectors of a global access by the block's first warp, described as on a page.
    Coalescing(CoalescingView),
    /// Wavefronts per request of a kernel's shared accesses.
    Wavefronts(KernelAccess),
    /// Sectors per request of a kernel's global accesses.
    Sectors(KernelAccess),
}

/// Accesses of a kernel.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct KernelAccess {
    /// Catalogue id.
    pub kernel: At<String>,
    /// Text in the source line of the access; if absent, all lines with that `op` together.
    pub at: Option<At<String>>,
    /// `ld.shared`, `st.shared`, `ld.global` or `st.global`.
    #[schemars(extend("enum" = ["ld.shared", "st.shared", "ld.global", "st.global"]))]
    pub op: At<String>,
    /// Square size, 64 by default.
    #[serde(default = "number::<64>")]
    #[schemars(range(min = 1, max = MAX_SIZE))]
    pub size: u32,
    /// The count, for a kernel of the course: the tutor never runs it to grade an answer. `check` runs it and compares.
    pub is: Option<f64>,
}

impl Counting {
    /// Returns the accesses of a kernel, if they are counted.
    pub fn of_kernel(&self) -> Option<&KernelAccess> {
        match self {
            Self::Wavefronts(access) | Self::Sectors(access) => Some(access),
            Self::Banks(_) | Self::Coalescing(_) => None,
        }
    }

    /// Computes the number.
    ///
    /// # Errors
    /// The reason why it cannot be counted, as a sentence.
    pub fn count(&self) -> Result<f64, Sentence> {
        match self {
            Self::Banks(view) => {
                let access = view.access().map_err(|error| error.message)?;
                let direction = match access.direction {
                    AccessDirection::Load => Direction::Load,
                    AccessDirection::Store => Direction::Store,
                };
                Ok(shared_wavefronts(direction, access.bytes, access.mask, &access.addr).into())
            }
            Self::Coalescing(view) => {
                let access = view.access(0, 0).map_err(|error| error.message)?;
                Ok(global_sectors(access.bytes, access.mask, &access.addr).into())
            }
            Self::Wavefronts(access) => access.per_request(true),
            Self::Sectors(access) => access.per_request(false),
        }
    }

    /// Returns a text that identifies what is counted.
    fn name(&self) -> String {
        match self {
            Self::Banks(view) => {
                let access = view.access().map(|it| (it.direction, it.bytes, it.mask, it.addr));
                format!("banks {:?}", access.ok())
            }
            Self::Coalescing(view) => {
                let access = view.access(0, 0).map(|it| (it.bytes, it.mask, it.addr));
                format!("sectors {:?}", access.ok())
            }
            Self::Wavefronts(access) => format!("wavefronts {}", access.name()),
            Self::Sectors(access) => format!("sectors {}", access.name()),
        }
    }
}

impl KernelAccess {
    fn name(&self) -> String {
        let at = self.at.as_ref().map_or("", |at| at.value.as_str());
        format!("{} {at} {} {} {:?}", self.kernel.value, self.op.value, self.size, self.is)
    }

    fn per_request(&self, wavefronts: bool) -> Result<f64, Sentence> {
        type Known = BTreeMap<(String, u32), Result<Counted, Sentence>>;
        static KNOWN: LazyLock<Mutex<Known>> = LazyLock::new(Mutex::default);
        let id = self.kernel.value.as_str();
        let nothing = || sentence!("mastery-counts-nothing", kernel = id, op = self.op.value.as_str());
        if let Some(is) = self.is {
            return Ok(is);
        }
        let Some(kernel) = Catalog::built_in().kernel(id) else {
            return Err(sentence!("mastery-count-own", kernel = id));
        };
        if !(1..=MAX_SIZE).contains(&self.size) {
            return Err(sentence!("mastery-count-size", size = self.size, most = MAX_SIZE));
        }
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        let counted = known
            .entry((id.to_owned(), self.size))
            .or_insert_with(|| tutor_exec::counted(id, self.size, DEADLINE).map_err(|error| error.message));
        let counts = &counted.as_ref().map_err(Clone::clone)?.counts;
        let at = self.at.as_ref().map(|at| at.value.as_str());
        let cost = if wavefronts { |line: &_| cost_of(line, true) } else { |line: &_| cost_of(line, false) };
        Counted::per_request(counts, kernel, &self.op, at, cost).ok_or_else(nothing)
    }
}

fn cost_of(line: &ptx_emulator::LineCounts, wavefronts: bool) -> u64 {
    if wavefronts { line.wavefronts } else { line.sectors }
}

impl QuestionRules for Predicted {
    type Authored = Self;
    type Shown = Asked;
    type Response = String;
    const NAME: &'static str = "predict";

    fn view(spec: &Predicted, _: Vec<Item>) -> Asked {
        Asked { unit: spec.unit.clone(), original: spec.original_unit.clone() }
    }
    fn usable(_: &Predicted, _: &Parameters) -> bool {
        true
    }
    fn counted(spec: &Predicted) -> Option<f64> {
        spec.of.count().ok()
    }
    fn fingerprint(spec: &Predicted, hash: &mut Fnv) {
        hash.text(&spec.of.name());
        hash.text(spec.original_unit.as_ref().or(spec.unit.as_ref()).map_or("", String::as_str));
    }
    fn expects(view: &Asked) -> Sentence {
        Numeric::expects(view)
    }
    fn problem(view: &Asked, typed: &String) -> Option<Sentence> {
        Numeric::problem(view, typed)
    }
    fn no_longer_valid(view: &Asked, typed: &String) -> Option<Sentence> {
        Numeric::no_longer_valid(view, typed)
    }
    fn grade(spec: &Predicted, _: &Parameters, typed: &String) -> Result<Verdict, Sentence> {
        let counted = spec.of.count()?;
        let typed = match number::read(typed, Form::given(spec.unit.as_deref(), spec.original_unit.as_deref())) {
            Ok(typed) => typed,
            Err(problem) => return Ok(Err((Miss::Malformed, problem.to_string()))),
        };
        let slip = || spec.slips.iter().find(|slip| number::equal(typed, slip.is, 0.0));
        Ok(if number::equal(typed, counted, 0.0) {
            Ok(())
        } else if let Some(slip) = slip() {
            Err((Miss::Slip, slip.why.clone()))
        } else if counted.fract() != 0.0 && number::rounds_to(counted, typed, 2) {
            Ok(())
        } else {
            Err((Miss::Other, spec.why.clone()))
        })
    }
    fn describe_answer(view: &Asked, typed: &String) -> Vec<String> {
        Numeric::describe_answer(view, typed)
    }
    fn form(view: &Asked) -> String {
        Numeric::form(view)
    }
    fn reasons(spec: &Predicted, _: &Parameters) -> Vec<Reason> {
        let counted = spec.of.count().map_or_else(|problem| problem.to_string(), number::for_authors);
        let slips = spec.slips.iter().map(|slip| Reason::wrong(number::for_authors(slip.is), &slip.why));
        [Reason::right(counted)].into_iter().chain(slips).chain([Reason::other(&spec.why)]).collect()
    }

    fn check(lint: &mut Lint<'_>, spec: &Predicted, _: &Variant, path: &Path<'_>) {
        lint.text("The reason", &spec.why, &path.to("why"));
        lint.markdown(&spec.why, &path.to("why"));
        let counted = match spec.of.count() {
            Ok(counted) => counted,
            // `check` itself reports expressions, and kernels that are not built in.
            Err(_) if spec.of.of_kernel().is_none_or(|access| Catalog::built_in().kernel(&access.kernel).is_none()) => {
                return;
            }
            Err(why) => {
                let message = format!("The machine cannot count this: {why}");
                return lint.report("predict-count", &path.to("of"), message, "");
            }
        };
        for (index, slip) in spec.slips.iter().enumerate() {
            let path = path.to("slips").to(index);
            lint.text("The reason", &slip.why, &path.to("why"));
            lint.markdown(&slip.why, &path.to("why"));
            if number::equal(slip.is, counted, 0.0) {
                let message = format!("The slip {} is what the machine counts.", slip.is);
                lint.report("numeric-slip", &path.to("is"), message, "");
            }
        }
    }
    fn fixed(spec: &Predicted) -> String {
        let slips: String = spec.slips.iter().map(|slip| format!("{};", slip.is)).collect();
        format!("{slips} {:?}", spec.unit.as_deref().map(unit::measure))
    }
    fn translates(spec: &mut Predicted, original: &Predicted) {
        spec.original_unit.clone_from(&original.unit);
    }
}
