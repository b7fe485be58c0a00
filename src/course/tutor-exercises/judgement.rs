//! The result of a try: the submission, the judge's verdict, and the time.

use super::exercise::{Exercise, Work};
use super::judging::Answer;
use tutor_exec::estimate::EstimateRequest;
use tutor_exec::judge::{Goal, Judged, Verdict};
use tutor_exec::protocol::{ExecErrorKind, LaunchRequest, Program, Shape, Target};
use tutor_exec::recorded::Limits;
use tutor_exec::results::LaunchResults;
use tutor_progress::Try;
use tutor_support::figures;
use tutor_support::sentence;
use tutor_support::t;
use tutor_support::words::Sentence;

/// Size of the square matrices in a race for a star, and in an estimate.
pub const RACE: u32 = 2048;

/// True if the text of a kernel names a clock: `%clock`, `%clock_hi`, `%clock64` or `%globaltimer` (PTX ISA, "Special
/// Registers"). A GPU's clocks differ in each launch, and the emulator's advance only when a warp reads them.
pub fn reads_clock(ptx: &str) -> bool {
    let code = ptx.lines().map(|line| line.split("//").next().unwrap_or_default());
    code.into_iter().any(|line| line.contains("%clock") || line.contains("%globaltimer"))
}

#[derive(Debug, Clone, PartialEq)]
pub struct Judgement {
    pub answer: Answer,
    pub verdict: Verdict,
    /// For a repair: true if the chosen line is faulty.
    pub line_right: Option<bool>,
    /// True if it is fast enough; `None` if that was not measured.
    pub star: Option<bool>,
    /// A sentence that explains the star.
    pub faster: Option<Sentence>,
    /// What knew the limits of a GPU. Empty if the kernel was not judged.
    pub limits: Sentence,
    /// The beginning of what the kernel printed.
    pub printed: String,
}

impl Judgement {
    /// Returns the judgement of an answer without a time.
    pub fn new(exercise: &Exercise, answer: Answer, judged: impl Into<Judged>) -> Self {
        let Judged { verdict, limits, printed } = judged.into();
        let line_right = match (&exercise.work, &answer) {
            (Work::Repair(repair), Answer::Cure { line, .. }) => Some(repair.lines.contains(line)),
            _ => None,
        };
        Self { answer, verdict, line_right, star: None, faster: None, limits, printed }
    }

    /// True if all goals are met and the line is correct.
    pub fn passed(&self) -> bool {
        self.verdict == Verdict::Passed && self.line_right != Some(false)
    }

    /// Returns the name of the first unmet goal, or `line`.
    pub fn failed(&self) -> Option<&'static str> {
        match &self.verdict {
            Verdict::Failed(finding) => Some(finding.goal.name()),
            Verdict::Passed if self.line_right == Some(false) => Some("line"),
            Verdict::Passed => None,
        }
    }

    /// Returns the try in the form that is stored.
    pub fn tried(&self, answer: &str) -> Try {
        Try {
            answer: answer.to_owned(),
            failed: self.failed().map(str::to_owned),
            starred: self.passed() && self.star == Some(true),
        }
    }

    /// Adds the result of a launch of [`Exercise::race`] that is over. `ptx` is the submission.
    ///
    /// A submission that faults or does not end gets no star; other errors are not its fault.
    pub fn raced(&mut self, exercise: &Exercise, ptx: &str, race: &LaunchResults) {
        let refused = |why| (Some(false), Some(why));
        if let Some(error) = race.error() {
            if matches!(error.kind, ExecErrorKind::KernelFault | ExecErrorKind::TimedOut) {
                let why = sentence!("exercise-star-failed", n = RACE, why = error.message);
                (self.star, self.faster) = refused(why);
            } else {
                self.faster = Some(error.message.clone());
            }
            return;
        }
        let (Some((rung, by)), [submission, beaten]) = (&exercise.star, race.programs.as_slice()) else { return };
        if submission.wrong_elements().is_some_and(|wrong| wrong > 0) {
            (self.star, self.faster) = refused(sentence!("exercise-star-wrong", n = RACE));
            return;
        }
        let (Some(own), Some(theirs)) = (submission.timed.median_ms(), beaten.timed.median_ms()) else { return };
        let device = race.device.as_ref().map_or("", |device| &device.name);
        if let Some(floor) = floor_ms(device, ptx).filter(|floor| own < *floor) {
            let (time, floor) = (figures::duration(own), figures::duration(floor));
            let why = sentence!("exercise-star-impossible", time, floor, device, n = RACE);
            (self.star, self.faster) = refused(why);
            return;
        }
        let share = theirs / own;
        let ratio = format!("{share:.2}");
        self.star = Some(share >= *by);
        let measured = sentence!("exercise-star-measured", ratio, rung, n = RACE);
        self.faster = Some(match race.cublas.median_ms() {
            Some(cublas) => {
                sentence!("exercise-star-cublas", measured, percent = format!("{:.0}", 100.0 * cublas / own))
            }
            None => measured,
        });
    }
}

/// Returns the minimum time of a race's multiply-adds in ms, as measured on the device. `None` if nothing was measured,
/// for example for tensor cores.
fn floor_ms(device: &str, ptx: &str) -> Option<f64> {
    let limits = Limits::of(device).filter(|_| !ptx.contains("mma."))?;
    Some(limits.floor_ms(2 * u64::from(RACE).pow(3)))
}

impl Exercise {
    /// Returns the launch on a GPU that decides whether the student gets the star. `None` if the exercise has no star.
    pub fn race(&self, id: u64, ptx: &str, seed: u64) -> Option<LaunchRequest> {
        let (rung, _) = self.star.as_ref()?;
        Some(LaunchRequest {
            on: Target::Cuda,
            seed,
            time: true,
            seconds: 1.0,
            cublas: true,
            verify: true,
            ..LaunchRequest::new(id, vec![self.program(ptx), Program::new(rung)], Shape::square(RACE))
        })
    }

    /// Returns the launch that only estimates how long a kernel of this exercise would take.
    pub fn estimate(&self, id: u64, ptx: &str, estimate: Box<EstimateRequest>) -> LaunchRequest {
        let request = LaunchRequest::new(id, vec![self.program(ptx)], estimate.shape);
        LaunchRequest { estimate: Some(estimate), ..request }
    }
}

/// Returns the name of a goal.
pub fn goal_name(goal: Goal) -> String {
    match goal {
        Goal::Compiles => t!("exercise-goal-compiles"),
        Goal::Runs => t!("exercise-goal-runs"),
        Goal::Results => t!("exercise-goal-results"),
        Goal::Hazards => t!("exercise-goal-hazards"),
        Goal::Counts => t!("exercise-goal-counts"),
        Goal::Faster => t!("exercise-goal-faster"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tutor_course::CourseSource;
    use tutor_exec::protocol::{Device, DeviceKind, ExecError, Reply, Subject, Timing, Verification};
    use tutor_kernels::{Catalog, Elements};

    fn race_result(replies: &[Reply]) -> (Option<bool>, String) {
        let exercises = crate::read(&CourseSource::BuiltIn, Catalog::built_in()).0;
        let exercise = exercises.iter().find(|exercise| exercise.id == "eight-sums").unwrap();
        let mut judgement = Judgement::new(exercise, Answer::Source(String::new()), Verdict::Passed);
        let ptx = "fma.rn.f32";
        let mut race = LaunchResults::of(&exercise.race(1, ptx, 7).unwrap());
        assert!(replies.iter().all(|reply| race.apply(reply)));
        judgement.raced(exercise, ptx, &race);
        (judgement.star, judgement.faster.unwrap_or_default().to_string())
    }

    fn timed(subject: Subject, median_ms: f64) -> Reply {
        let timing = Timing { median_ms, low_ms: median_ms, high_ms: median_ms, launches: 10, ..Timing::default() };
        Reply::Timed { id: 1, subject, timing }
    }

    fn verified(verified: bool) -> Reply {
        let mismatches = u64::from(!verified);
        let verification = Verification { verified, mismatches, ..Verification::default() };
        Reply::Verified { id: 1, program: 0, verification }
    }

    #[test]
    fn a_star_is_for_a_right_kernel_that_is_fast_enough() {
        let (own, theirs, cublas) = (Subject::Program(0), Subject::Program(1), Subject::Cublas);
        let fast = [verified(true), timed(own, 1.0), timed(theirs, 1.5), timed(cublas, 0.4)];
        let (star, said) = race_result(&fast);
        assert_eq!(star, Some(true));
        assert!(
            said.starts_with("1.50 times as fast as `sgemm_tiled32`") && said.ends_with("40 % of cuBLAS."),
            "{said}"
        );
        let slow = [verified(true), timed(own, 1.0), timed(theirs, 1.1)];
        assert_eq!(race_result(&slow).0, Some(false));
        let wrong = [verified(false), timed(own, 0.1), timed(theirs, 1.5)];
        let (star, said) = race_result(&wrong);
        assert_eq!(star, Some(false));
        assert!(said.contains("is wrong"), "{said}");
        assert_eq!(race_result(&[verified(true)]), (None, String::new()));
    }

    #[test]
    fn only_a_fault_of_the_kernel_itself_costs_the_star() {
        let failed = |kind| Reply::Failed { id: 1, error: ExecError::new(kind, "It broke.") };
        assert_eq!(race_result(&[failed(ExecErrorKind::KernelFault)]).0, Some(false));
        assert_eq!(race_result(&[failed(ExecErrorKind::Worker)]), (None, "It broke.".to_owned()));
    }

    #[test]
    fn a_time_that_the_device_cannot_reach_is_no_record() {
        let on = |name: &str| {
            let device = Device::named(DeviceKind::Cuda, name);
            Reply::Started { id: 1, device, note: None, elements: Elements::default() }
        };
        let (own, theirs) = (Subject::Program(0), Subject::Program(1));
        let raced = |name: &str, ms: f64| race_result(&[on(name), verified(true), timed(own, ms), timed(theirs, 1.5)]);
        let (star, said) = raced("NVIDIA H200", 0.2);
        assert_eq!(star, Some(false));
        // 2 · 2048³ operations at the 65,100 GFLOP/s of assets/recorded/limits.yaml.
        assert!(said.contains("200.0 µs") && said.contains("263.9 µs") && said.contains("NVIDIA H200"), "{said}");
        assert_eq!(raced("NVIDIA H200", 0.4).0, Some(true));
        assert_eq!(raced("Another", 0.2).0, Some(true));
    }
}
