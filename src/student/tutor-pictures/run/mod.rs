/*! The run: kernels that are launched, timed batch by batch, verified and counted.

The picture shows up to four kernels side by side and compares the others with the first. No results are shown before the
student launches. With a GPU, a launch measures. Without one, it shows the recorded times with their source, and the
emulator runs the kernels at a size at which it verifies them, under its own heading. Every time that is shown was
measured somewhere.
*/

mod count;
mod counted;
mod draw;
mod estimates;
mod model;
mod sources;
mod times;

pub(crate) use model::{Model, Recorded, TimeSource};
pub(crate) use sources::{Listing, listings, wants};

use crate::effect::request;
use crate::prelude::*;
use crate::timeline::{Cursor, ROWS, draw as timeline};
use model::Rival;
use sm_timing_model::Timeline;
use std::sync::Arc;
use tutor_course::{CountRow, RunView};
use tutor_exec::estimate::EstimateRequest;
use tutor_exec::protocol::{LaunchRequest, Reply, Shape};
use tutor_exec::recorded::Recording;
use tutor_exec::run_record::RunRecord;
use tutor_exec::tuned::Tuned;
use tutor_kernels::Kernel;
use ui_kit::code::HighlightRequest;

/// Maximum number of seconds that each kernel is timed.
const SECONDS: f64 = 3.0;

/// Kernels that are launched, timed, verified and counted.
#[derive(Debug)]
pub(crate) struct Run {
    model: Model,
    sources: Vec<sources::Listing>,
    rivals: Vec<Rival>,
    /// The best runs so far.
    runs: Vec<RunRecord>,
    /// True if the source lines that cost more than their minimum are shown.
    why: bool,
    /// True if totals are shown instead of costs per step.
    totals: bool,
    /// True if launches also estimate times.
    estimates: bool,
    /// The kernel whose timeline is open, and what the student looks at.
    cursor: Option<(usize, Cursor)>,
    tuned: Arc<Tuned>,
    /// Seed of the next launch. It determines the random numbers and, on the emulator, the order of warps.
    seed: u64,
}

impl Run {
    /// Creates the picture of the page's kernels without a launch.
    pub(crate) fn new(view: &RunView, setting: Setting) -> Self {
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
            title: kernel.title.clone(),
            level: kernel.level.clone(),
            elements: kernel.elements,
        };
        let rivals = setting.catalog.kernels().iter().filter(|kernel| !kernel.expected_wrong).map(rival).collect();
        let sources = kernels.iter().filter_map(|id| setting.catalog.kernel(id).cloned()).collect();
        let sources = listings(sources);
        let tuned = setting.tuned.cloned().unwrap_or_default();
        Self {
            model,
            sources,
            rivals,
            runs: setting.best_runs.to_vec(),
            why: false,
            totals: false,
            estimates: view.bounds,
            cursor: None,
            tuned,
            seed: 1,
        }
    }

    /// Asks the worker to stop. Its remaining replies still count.
    fn stop(&mut self) -> Vec<Effect> {
        self.model.running().map(Effect::CancelLaunch).into_iter().collect()
    }

    fn launch(&mut self) -> Vec<Effect> {
        let mut effects = self.stop();
        let n = self.model.launched_n();
        let estimate = self.estimate();
        let request = LaunchRequest {
            estimate,
            time: true,
            seconds: SECONDS,
            cublas: true,
            verify: true,
            counts: true,
            hazards: self.model.rows.contains(&CountRow::Hazards),
            ..request(self.model.programs(&self.tuned), n, self.seed)
        };
        self.seed = self.seed.wrapping_add(1);
        self.cursor = None;
        self.model.begin(&request);
        effects.push(Effect::Launch(Box::new(request)));
        effects
    }

    /// Returns the estimate that a launch makes in addition: if the student asked for it, or if no time is known here.
    fn estimate(&self) -> Option<Box<EstimateRequest>> {
        let wanted = self.estimates || self.model.lacks_times();
        wanted.then(|| EstimateRequest::like(self.model.compared_device(), Shape::square(self.model.n))).flatten()
    }

    /// Returns the timeline of a kernel, if its time was estimated.
    fn timeline(&self, kernel: usize) -> Option<&Timeline> {
        self.model.found().get(kernel)?.estimated.as_ref()?.as_ref().ok()?.timeline.as_ref()
    }

    /// Returns the start of the next kernel's timeline. Returns `None` after the last one, which closes it.
    fn next_timeline(&self) -> Option<(usize, Cursor)> {
        let first = self.cursor.map_or(0, |(kernel, _)| kernel + 1);
        (first..self.model.kernels.len()).find_map(|kernel| Some((kernel, Cursor::at(self.timeline(kernel)?, 0))))
    }

    /// Returns the open timeline, with the index of its kernel.
    fn open(&self) -> Option<(usize, Cursor, &Timeline)> {
        let (kernel, cursor) = self.cursor?;
        Some((kernel, cursor, self.timeline(kernel)?))
    }

    fn timeline_sheet<'l>(&self, look: &'l Look<'l>, width: u16, height: u16) -> Option<Sheet<'l>> {
        let (kernel, cursor, found) = self.open()?;
        let mut sheet = Sheet::new(look, width);
        let code = |line| self.sources.get(kernel)?.line(line);
        timeline(&self.model.kernels.get(kernel)?.title, cursor, found, &code, &mut sheet, height.saturating_sub(ROWS));
        Some(sheet)
    }

    fn counted(&self) -> bool {
        self.model.found().iter().any(|found| found.counts.is_some())
    }
}

impl Picture for Run {
    fn kind(&self) -> &'static str {
        "run"
    }

    fn rename(&mut self, setting: Setting) {
        self.model.rename(setting.catalog);
        for rival in &mut self.rivals {
            if let Some(known) = setting.catalog.kernel(&rival.kernel) {
                rival.title.clone_from(&known.title);
            }
        }
    }

    fn actions(&self) -> Vec<Action> {
        let mut actions = vec![if self.model.running().is_some() { Action::CancelLaunch } else { Action::Launch }];
        if self.model.sizes().len() > 1 {
            actions.push(Action::Size);
        }
        actions.extend(self.model.other_size(false).map(|_| Action::Smaller));
        actions.extend(self.model.other_size(true).map(|_| Action::Larger));
        actions.extend((!self.estimates).then_some(Action::Estimate));
        let timed = (0..self.model.kernels.len()).any(|kernel| self.timeline(kernel).is_some());
        actions.extend(timed.then_some(Action::Timeline));
        actions.extend(self.open().into_iter().flat_map(|(_, cursor, timeline)| cursor.actions(timeline)));
        if self.counted() {
            actions.extend([Action::Totals, Action::Why]);
        }
        actions
    }

    /// A queued launch counts as running, but it can be requested again.
    fn can(&self, action: Action) -> bool {
        action == Action::Launch || self.actions().contains(&action)
    }

    fn perform(&mut self, action: Action) -> Vec<Effect> {
        match action {
            Action::Launch => return self.launch(),
            Action::CancelLaunch => return self.stop(),
            Action::Estimate => {
                self.estimates = true;
                return self.launch();
            }
            Action::Size | Action::Smaller | Action::Larger => {
                let other = match action {
                    Action::Size => Some(self.model.next_size()),
                    _ => self.model.other_size(action == Action::Larger),
                };
                let running = self.model.running().is_some();
                let mut effects = self.stop();
                self.model.resize(other.unwrap_or(self.model.n));
                if running {
                    effects.extend(self.launch());
                }
                return effects;
            }
            Action::Timeline => self.cursor = self.next_timeline(),
            Action::Totals => self.totals = !self.totals,
            Action::Why => self.why = !self.why,
            _ => {
                if let Some((kernel, mut cursor, timeline)) = self.open() {
                    cursor.act(action, timeline);
                    self.cursor = Some((kernel, cursor));
                }
            }
        }
        Vec::new()
    }

    /// Switches to the next size after a click on the title. Any other click launches, unless a launch is running.
    fn click(&mut self, at: Position, area: Rect) -> Vec<Effect> {
        if at.y == area.y {
            self.act(Action::Size)
        } else if self.model.running().is_none() {
            self.launch()
        } else {
            Vec::new()
        }
    }

    fn reply(&mut self, reply: &Reply) -> bool {
        self.model.reply(reply)
    }

    /// True if all times are known, or if the launch is over.
    fn has_results(&self) -> bool {
        let over = self.model.launch.as_ref().is_some_and(|launch| !launch.is_running());
        over || (0..self.model.kernels.len()).all(|at| self.model.time(at).is_some())
    }

    fn render(&self, frame: &mut Frame, area: Rect, look: &Look) {
        if let Some(sheet) = self.timeline_sheet(look, area.width, area.height) {
            return sheet.draw(frame, area);
        }
        let sheet = draw::sheet(self, look, area.width, true);
        // Reserves the rows that a launch will add, so that the code below does not move.
        let used = if self.model.running().is_some() {
            sheet.height().max(draw::expected(&self.model))
        } else {
            sheet.height()
        };
        sheet.draw(frame, area);
        let below = Rect { y: area.y + used.min(area.height), height: area.height.saturating_sub(used), ..area };
        let mut sheet = Sheet::new(look, area.width);
        sources::draw(&self.sources, &self.model, below.height, &mut sheet);
        sheet.draw(frame, below);
    }

    /// Draws the kernels as code, from which the student makes a prediction.
    fn render_before(&self, frame: &mut Frame, area: Rect, look: &Look) -> bool {
        let mut sheet = draw::before(self, look, area.width);
        let head = sheet.height();
        sources::draw(&self.sources, &self.model, area.height.saturating_sub(head), &mut sheet);
        let drawn = sheet.height() > head;
        if drawn {
            sheet.draw(frame, area);
        }
        drawn
    }

    fn min_height(&self, width: u16) -> u16 {
        if self.open().is_some() {
            return ROWS;
        }
        ui_kit::look::with_mono_look(|look| draw::sheet(self, look, width, true).height())
    }

    fn wants(&self) -> Vec<HighlightRequest> {
        wants(&self.sources)
    }

    fn describe(&self) -> Vec<String> {
        ui_kit::look::with_mono_look(|look| match self.timeline_sheet(look, 96, 40) {
            Some(sheet) => sheet.lines(),
            None => draw::sheet(self, look, 96, false).lines(),
        })
    }
}

#[cfg(test)]
mod tests;
