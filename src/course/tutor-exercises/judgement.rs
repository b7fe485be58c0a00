//! The result of a try: the submission, the judge's verdict, and the time.

use super::exercise::{Exercise, Work};
use super::judging::Answer;
use tutor_exec::estimate::EstimateRequest;
use tutor_exec::judge::{Goal, Verdict};
use tutor_exec::protocol::{ExecError, ExecErrorKind, LaunchRequest, Program, Reply, Shape, Subject, Target};
use tutor_exec::recorded::Limits;
use tutor_progress::Try;
use tutor_support::figures;
use tutor_support::sentence;
use tutor_support::t;
use tutor_support::words::Sentence;

/// Size of the square matrices in a race for a star, and in an estimate.
pub const RACE: u32 = 2048;

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
}

impl Judgement {
    /// Returns the judgement of an answer without a time.
    pub fn new(exercise: &Exercise, answer: Answer, verdict: Verdict) -> Self {
        let line_right = match (&exercise.work, &answer) {
            (Work::Repair(repair), Answer::Cure { line, .. }) => Some(repair.lines.contains(line)),
            _ => None,
        };
        Self { answer, verdict, line_right, star: None, faster: None }
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

    /// Adds the result of a finished race.
    pub fn raced(&mut self, exercise: &Exercise, race: &StarLaunch) {
        if race.wrong {
            (self.star, self.faster) = (Some(false), Some(sentence!("exercise-star-wrong", n = RACE)));
            return;
        }
        let (Some((rung, by)), [Some(own), Some(theirs)]) = (&exercise.star, race.times) else { return };
        if let Some((device, floor)) = race.floor().filter(|(_, floor)| own < *floor) {
            let (time, floor) = (figures::duration(own), figures::duration(floor));
            self.star = Some(false);
            self.faster = Some(sentence!("exercise-star-impossible", time, floor, device, n = RACE));
            return;
        }
        let share = theirs / own;
        let ratio = format!("{share:.2}");
        self.star = Some(share >= *by);
        let measured = sentence!("exercise-star-measured", ratio, rung, n = RACE);
        self.faster = Some(match race.cublas {
            Some(cublas) => {
                sentence!("exercise-star-cublas", measured, percent = format!("{:.0}", 100.0 * cublas / own))
            }
            None => measured,
        });
    }

    /// Records that there is no time. A kernel that faults or does not end gets no star; other errors are not its
    /// fault.
    pub fn not_raced(&mut self, error: &ExecError) {
        if matches!(error.kind, ExecErrorKind::KernelFault | ExecErrorKind::TimedOut) {
            (self.star, self.faster) =
                (Some(false), Some(sentence!("exercise-star-failed", n = RACE, why = error.message)));
        } else {
            self.faster = Some(error.message.clone());
        }
    }
}

/// The results of a race on a GPU so far.
#[derive(Debug, Clone, Default)]
pub struct StarLaunch {
    /// Times of the submission and of the kernel to beat, in ms.
    times: [Option<f64>; 2],
    /// Time of cuBLAS, in ms.
    cublas: Option<f64>,
    /// True if the submission's result is incorrect.
    wrong: bool,
    /// True if the submission uses tensor cores, for which no limit was measured.
    tensor: bool,
    device: String,
}

impl StarLaunch {
    /// Returns a race before its first reply.
    pub fn of(request: &LaunchRequest) -> Self {
        let ptx = request.programs.first().and_then(|program| program.ptx.as_deref());
        Self { tensor: ptx.is_none_or(|ptx| ptx.contains("mma.")), ..Self::default() }
    }

    /// Returns the device and the measured minimum time of its multiply-adds in ms. `None` if nothing was measured.
    fn floor(&self) -> Option<(&str, f64)> {
        let limits = Limits::of(&self.device).filter(|_| !self.tensor)?;
        Some((&self.device, limits.floor_ms(2 * u64::from(RACE).pow(3))))
    }

    /// Adds a reply to the race. Returns false if the reply does not concern the race.
    pub fn hear(&mut self, reply: &Reply) -> bool {
        match reply {
            Reply::Timed { subject: Subject::Program(at @ (0 | 1)), timing, .. } => {
                self.times[*at] = Some(timing.median_ms);
            }
            Reply::Started { device, .. } => {
                self.device.clone_from(&device.name);
            }
            Reply::Timed { subject: Subject::Cublas, timing, .. } => self.cublas = Some(timing.median_ms),
            Reply::Verified { program: 0, verification, .. } => self.wrong |= !verification.verified,
            _ => return false,
        }
        true
    }
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
    use tutor_exec::protocol::{Device, DeviceKind, Timing, Verification};
    use tutor_kernels::{Catalog, Elements};

    fn race_result(replies: &[Reply]) -> (Option<bool>, String) {
        let exercises = crate::read(&CourseSource::BuiltIn, Catalog::built_in()).0;
        let exercise = exercises.iter().find(|exercise| exercise.id == "eight-sums").unwrap();
        let mut judgement = Judgement::new(exercise, Answer::Source(String::new()), Verdict::Passed);
        let request = exercise.race(1, "fma.rn.f32", 7).unwrap();
        let mut race = StarLaunch::of(&request);
        assert!(replies.iter().all(|reply| race.hear(reply)));
        judgement.raced(exercise, &race);
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
