/*! The run: real kernels, launched, timed as the batches come, verified, counted.

Up to four kernels stand side by side; the first is what the others are compared with. Without a GPU
the times are recorded ones and say so; the counts are always the emulator's, of this very launch.
There is never a time that nothing measured: a cell without one holds a dash.
*/

mod count;
mod draw;
mod model;

use super::{Picture, Setting};
use crate::course::{CountRow, RunView};
use crate::exec::protocol::{DeviceKind, LaunchRequest, Program, Reply, Shape, Target};
use crate::exec::recorded::Recording;
use crate::kernels::Kernel;
use crate::mastery::RunRecord;
use crate::tui::action::Action;
use crate::tui::effect::{Effect, launch_id};
use crate::tui::look::Look;
use model::{Model, Phase, Rival};
use ratatui::Frame;
use ratatui::layout::{Position, Rect};

/// Largest size whose every element the emulator is asked to compute.
const LARGEST_EMULATED: u32 = 512;
/// Most seconds that each kernel is timed.
const SECONDS: f64 = 3.0;

/// Kernels launched, timed, verified and counted.
#[derive(Debug)]
pub struct Run {
    model: Model,
    rivals: Vec<Rival>,
    /// The best runs so far.
    runs: Vec<RunRecord>,
    why: bool,
    /// Data of the next launch; each launch has other random numbers.
    seed: u64,
}

impl Run {
    /// The page's kernels, nothing launched yet.
    pub fn new(view: &RunView, setting: Setting) -> Self {
        Self::with(view, setting, Recording::built_in())
    }

    fn with(view: &RunView, setting: Setting, recordings: &'static [Recording]) -> Self {
        let kernels: Vec<String> = view.kernels.iter().take(4).map(|kernel| kernel.value.clone()).collect();
        let mut model = Model::new(&kernels, view.size, &view.sizes, &view.counts, setting.catalog, recordings);
        if let Some(description) = setting.description {
            model.reply(&Reply::Description(description.clone()));
        }
        let rival = |kernel: &Kernel| Rival {
            kernel: kernel.id.clone(),
            level: kernel.level.clone(),
            elements: kernel.elements,
        };
        let rivals = setting.catalog.kernels().iter().filter(|kernel| !kernel.expected_wrong).map(rival).collect();
        Self { model, rivals, runs: setting.best_runs.to_vec(), why: false, seed: 1 }
    }

    /// Asks the worker to stop; its last replies still count.
    fn stop(&mut self) -> Vec<Effect> {
        self.model.running().map(Effect::CancelLaunch).into_iter().collect()
    }

    fn launch(&mut self) -> Vec<Effect> {
        let mut effects = self.stop();
        let id = launch_id();
        let emulated = self.model.device.as_ref().is_some_and(|device| device.kind == DeviceKind::Emulator);
        let request = LaunchRequest {
            id,
            programs: self.model.columns.iter().map(|column| Program::new(column.kernel.clone())).collect(),
            shape: Shape::square(self.model.n),
            alpha: 1.0,
            beta: 0.0,
            on: Target::Auto,
            seed: self.seed,
            time: true,
            seconds: SECONDS,
            cublas: true,
            verify: !emulated || self.model.n <= LARGEST_EMULATED,
            counts: !self.model.rows.is_empty(),
            hazards: self.model.rows.contains(&CountRow::Hazards),
        };
        self.seed = self.seed.wrapping_add(1);
        self.model.begin(id);
        effects.push(Effect::Launch(Box::new(request)));
        effects
    }
}

impl Picture for Run {
    /// What works now.
    fn actions(&self) -> Vec<Action> {
        let mut actions = Vec::new();
        if self.model.running().is_some() {
            actions.push(Action::CancelLaunch);
        }
        actions.extend([Action::Play, Action::Launch]);
        if self.model.sizes.len() > 1 {
            actions.push(Action::Size);
        }
        if self.model.columns.iter().any(|column| column.counts.is_some()) {
            actions.push(Action::Why);
        }
        actions
    }

    /// Does an action.
    fn act(&mut self, action: Action) -> Vec<Effect> {
        match action {
            Action::Play if self.model.running().is_some() => self.stop(),
            Action::Play | Action::Launch => self.launch(),
            Action::CancelLaunch => self.stop(),
            Action::Size => {
                let running = self.model.running().is_some();
                let mut effects = self.stop();
                self.model.resize(self.model.next_size());
                if running {
                    effects.extend(self.launch());
                }
                effects
            }
            Action::Why => {
                self.why = !self.why;
                Vec::new()
            }
            _ => Vec::new(),
        }
    }

    /// A click on the title takes the next size; elsewhere it launches what is not running.
    fn click(&mut self, at: Position, area: Rect) -> Vec<Effect> {
        if at.y == area.y {
            self.act(Action::Size)
        } else if self.model.running().is_none() {
            self.launch()
        } else {
            Vec::new()
        }
    }

    /// The first time that it gets the keys, it starts.
    fn focus(&mut self) -> Vec<Effect> {
        if self.model.phase == Phase::Idle { self.launch() } else { Vec::new() }
    }

    /// Samples, times, results, counts.
    fn reply(&mut self, reply: &Reply) -> bool {
        self.model.reply(reply)
    }

    /// Draws it.
    fn render(&self, frame: &mut Frame, area: Rect, look: &Look) {
        draw::draw(self, frame, area, look);
    }

    /// Rows it needs.
    fn min_height(&self, _: u16) -> u16 {
        10 + self.model.rows.len() as u16
    }
}

#[cfg(test)]
mod tests;
