/*! The hazard stepper: two warps around a missing barrier, and one word that is read wrongly, step by step.

Everything shown was executed. On the emulator, the worker runs one block of the kernel in a harmful and in a harmless
order of warps, and the correct kernel in the harmful order. The stepper shows these runs as steps of two warps
([`story`]) and follows the word that is read wrongly, the word at stake.
*/

mod convert;
mod draw;
mod story;

use super::pace::Pace;
use crate::effect::{message, request};
use crate::launch_id;
use crate::prelude::*;
use convert::Stories;
use std::time::Duration;
use story::Story;
use tutor_course::HazardView;
use tutor_exec::protocol::{DeviceKind, LaunchRequest, Program, Reply, WitnessReport, WitnessRequest};
use tutor_exec::results::LaunchResults;
use tutor_kernels::Kernel;

/// Time for each step while the animation plays.
const STEP: Duration = Duration::from_millis(900);
/// Sizes of the whole matrices, on a GPU and on the emulator.
const GPU_SIZE: u32 = 1024;
const EMULATED_SIZE: u32 = 256;

/// The run that is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Order {
    /// The faulty kernel, in an order of warps that gives a wrong result.
    Wrong,
    /// The faulty kernel, in an order that happens to give the correct result.
    Right,
    /// The correct kernel, in the order that is harmful for the faulty one.
    Correct,
}

#[derive(Debug)]
enum State {
    Idle,
    /// The worker has received the request with this id.
    Requested(u64),
    Ready {
        stories: Box<Stories>,
        hazard: Box<ptx_emulator::Hazard>,
    },
    Failed(String),
}

/// A launch for the whole matrices.
#[derive(Debug)]
struct WholeRun {
    /// The kernels' names, in the order of the launch's programs.
    labels: Vec<fn() -> String>,
    results: LaunchResults,
}

/// Two warps around a missing barrier.
#[derive(Debug)]
pub struct Hazard {
    kernel: Program,
    correct: Program,
    known: Option<(Kernel, Kernel)>,
    delayed: Option<String>,
    on_gpu: bool,
    state: State,
    order: Order,
    at: usize,
    /// Also animates the closing of the current step's barrier.
    pace: Pace,
    whole: Option<WholeRun>,
    seed: u64,
}

impl Hazard {
    /// Creates the picture with the page's kernels. Nothing runs until the picture gets the keyboard focus.
    pub fn new(view: &HazardView, setting: Setting) -> Self {
        let find = |id: &str| setting.catalog.kernel(id).cloned();
        let kernel = find(&view.kernel);
        Self {
            known: kernel.zip(find(&view.correct)),
            delayed: view.delayed.as_ref().map(|delayed| delayed.value.clone()),
            ..Self::with(Program::new(view.kernel.value.clone()), Program::new(view.correct.value.clone()), setting)
        }
    }

    /// Creates the picture for kernels that the catalogue does not have.
    ///
    /// Returns None if their sources and PTX do not show where tiles are loaded and multiplied.
    pub fn between(kernel: Kernel, correct: Kernel, setting: Setting) -> Option<Self> {
        [&kernel, &correct].into_iter().all(|kernel| convert::regions(kernel).is_some()).then_some(())?;
        let programs = (Program::from(&kernel), Program::from(&correct));
        Some(Self { known: Some((kernel, correct)), ..Self::with(programs.0, programs.1, setting) })
    }

    fn with(kernel: Program, correct: Program, setting: Setting) -> Self {
        Self {
            kernel,
            correct,
            known: None,
            delayed: None,
            on_gpu: setting.description.is_some_and(|known| known.device.kind == DeviceKind::Cuda),
            state: State::Idle,
            order: Order::Wrong,
            at: 0,
            pace: Pace::new(STEP),
            whole: None,
            seed: 1,
        }
    }

    fn story(&self) -> Option<&Story> {
        let State::Ready { stories, .. } = &self.state else { return None };
        match self.order {
            Order::Wrong => Some(&stories.wrong),
            Order::Right => stories.right.as_ref(),
            Order::Correct => stories.correct.as_ref(),
        }
    }

    fn last(&self) -> usize {
        self.story().map_or(0, |story| story.steps.len().saturating_sub(1))
    }

    fn fault(&self) -> Option<usize> {
        self.story().and_then(Story::fault)
    }

    /// Returns the run to show next, or the current one if there is no other.
    fn other_order(&self) -> Order {
        let State::Ready { stories, .. } = &self.state else { return self.order };
        match self.order {
            Order::Wrong if stories.right.is_some() => Order::Right,
            Order::Wrong | Order::Right if stories.correct.is_some() => Order::Correct,
            _ => Order::Wrong,
        }
    }

    /// Goes one step forward, and starts the animation if the step is a barrier.
    fn forward(&mut self) {
        self.at = (self.at + 1).min(self.last());
        if self.story().and_then(|story| story.steps.get(self.at)).is_some_and(|step| step.column.is_none()) {
            self.pace.glide.start();
        }
    }

    /// Goes to the next step. Stops at the wrong read.
    fn play_step(&mut self) -> bool {
        self.forward();
        self.fault() != Some(self.at) && self.at < self.last()
    }

    fn run_it(&mut self) -> Vec<Effect> {
        let n = if self.on_gpu { GPU_SIZE } else { EMULATED_SIZE };
        let mut programs = vec![self.kernel.clone(), self.correct.clone()];
        let mut labels: Vec<fn() -> String> = vec![|| t!("hazard-runner-removed"), || t!("hazard-runner-correct")];
        if let Some(delayed) = &self.delayed {
            programs.push(Program::new(delayed.clone()));
            labels.push(|| t!("hazard-runner-delayed"));
        }
        let request = LaunchRequest { verify: true, ..request(programs, n, self.seed) };
        self.seed = self.seed.wrapping_add(1);
        self.whole = Some(WholeRun { labels, results: LaunchResults::of(&request) });
        vec![Effect::Launch(Box::new(request))]
    }

    fn show_report(&mut self, report: &WitnessReport) {
        let stories = self.known.as_ref().and_then(|(kernel, correct)| Stories::new(report, kernel, correct));
        self.at = 0;
        self.state = match stories {
            Some(stories) => State::Ready { stories: Box::new(stories), hazard: Box::new(report.hazard.clone()) },
            None => State::Failed(t!("hazard-no-story")),
        };
    }
}

impl Picture for Hazard {
    fn kind(&self) -> &'static str {
        "hazard"
    }

    fn rename(&mut self, setting: Setting) {
        for own in self.known.iter_mut().flat_map(|(kernel, correct)| [kernel, correct]) {
            setting.translate(own);
        }
    }

    fn actions(&self) -> Vec<Action> {
        let mut actions = Vec::new();
        let ready = self.story().is_some();
        let (back, on) = (ready && self.at > 0, ready && self.at < self.last());
        actions.extend(back.then_some(Action::StepBack));
        actions.extend(on.then_some(Action::StepForward));
        actions.extend((ready && self.last() > 0).then_some(Action::Play));
        actions.extend(self.fault().filter(|fault| *fault != self.at).map(|_| Action::WrongRead));
        actions.extend((self.other_order() != self.order).then_some(Action::Schedule));
        let running = self.whole.as_ref().is_some_and(|whole| whole.results.is_running());
        actions.extend((!running).then_some(Action::RunIt));
        actions.extend(back.then_some(Action::First));
        actions.extend(on.then_some(Action::Last));
        actions
    }

    fn perform(&mut self, action: Action) -> Vec<Effect> {
        self.pace.glide.finish();
        self.pace.run(action == Action::Play && !self.pace.runs());
        match action {
            Action::StepForward => self.forward(),
            Action::StepBack => self.at -= 1,
            Action::Play if self.at == self.last() => self.at = 0,
            Action::First => self.at = 0,
            Action::Last => self.at = self.last(),
            Action::WrongRead => self.at = self.fault().unwrap_or(self.at),
            Action::Schedule => (self.order, self.at) = (self.other_order(), 0),
            Action::RunIt => return self.run_it(),
            _ => {}
        }
        Vec::new()
    }

    fn click(&mut self, at: Position, area: Rect) -> Vec<Effect> {
        self.pace.run(false);
        if let Some(step) = draw::hit(self, at, area) {
            self.at = step;
        }
        Vec::new()
    }

    /// Requests the two runs when the picture gets the keyboard focus for the first time, or after a failure.
    fn focus(&mut self) -> Vec<Effect> {
        if !matches!(self.state, State::Idle | State::Failed(_)) {
            return Vec::new();
        }
        let id = launch_id();
        self.state = State::Requested(id);
        let (kernel, correct) = (self.kernel.clone(), self.correct.clone());
        vec![Effect::Witness(Box::new(WitnessRequest { id, kernel, correct, seed: 1 }))]
    }

    crate::picture::played!();

    /// Takes the witness report, and the results for the whole matrices.
    fn reply(&mut self, reply: &Reply) -> bool {
        match (reply, &self.state) {
            (Reply::Description(description), _) => {
                self.on_gpu = description.device.kind == DeviceKind::Cuda;
                return true;
            }
            (Reply::Witnessed { id, report }, State::Requested(requested)) if id == requested => {
                self.show_report(report);
                return true;
            }
            (Reply::Failed { id, error }, State::Requested(requested)) if id == requested => {
                self.state = State::Failed(message(error));
                return true;
            }
            _ => {}
        }
        self.whole.as_mut().is_some_and(|whole| whole.results.apply(reply))
    }

    crate::picture::drawn!();

    fn wished_width(&self) -> u16 {
        draw::WISHED
    }

    fn describe(&self) -> Vec<String> {
        let mut sentences = vec![draw::subject(self)];
        match (&self.state, self.story()) {
            (State::Ready { hazard, .. }, Some(story)) => {
                sentences.push(t!("hazard-told", order = draw::order(self), word = &story.word, byte = story.address));
                for (at, step) in story.steps.iter().enumerate() {
                    sentences.push(draw::step_sentence(at, step, story));
                }
                sentences.push(draw::verdict(self, hazard));
            }
            (State::Failed(message), _) => sentences.push(message.clone()),
            (State::Requested(_), _) => sentences.push(t!("hazard-running")),
            _ => sentences.push(t!("hazard-idle")),
        }
        for (label, outcome) in self.whole.iter().flat_map(draw::outcomes) {
            sentences.push(format!("{label}: {outcome}."));
        }
        sentences
    }
}

#[cfg(test)]
mod tests;
