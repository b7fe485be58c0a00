/*! The sweep: every variant of a kernel, as a heat map that fills while they run.

Rows and columns are the first two axes of the variants. Keys step through the values of the third axis. With a GPU, a
cell is a speed in GFLOP/s. Without one, it is the number of bytes requested from memory per multiply-add, which the
emulator counts. Before a launch without a GPU, a recorded sweep is shown with its source, if there is one.

With a budget, the picture is a search: it hides the recorded times, and a key replays the measurement of one variant. This takes
its recorded time from the budget. A launch is stopped when it has taken twice the time of the best variant so far.
*/

mod draw;

use crate::effect::request;
use crate::picture::signs_of;
use crate::prelude::*;
use tutor_course::SweepView;
use tutor_exec::Against;
use tutor_exec::protocol::{DeviceKind, LaunchRequest, Program, Reply, Target};
use tutor_exec::results::LaunchResults;
use tutor_exec::sweep::{Sweep as Measured, SweepPoint, fingerprint};
use tutor_kernels::Kernel;

/// Maximum number of seconds that each variant is timed.
const SECONDS: f64 = 0.1;
/// Size at which the emulator counts. It runs all blocks of each variant.
const EMULATED: u32 = 128;

/// A launch of a search is stopped when it has taken this many times the time of the best variant so far.
const PATIENCE: f64 = 2.0;
/// Share of the best variant's speed that a search must reach.
const GOAL: f64 = 0.95;

/// A search for a fast variant in a recorded sweep.
#[derive(Debug)]
struct Search {
    recorded: &'static Measured,
    budget_ms: f64,
    spent_ms: f64,
}

impl Search {
    fn left_ms(&self) -> f64 {
        self.budget_ms - self.spent_ms
    }

    /// Returns the speed of the best variant that the student has measured, as a share of the best of all.
    fn share(&self, shown: &Measured) -> Option<f64> {
        Some(shown.best()?.gflops? / self.recorded.best()?.gflops?)
    }
}

/// A comparison of a kernel's variants.
#[derive(Debug, Default)]
pub(crate) struct Sweep {
    /// The kernel, if the catalogue has it and if it has variants.
    kernel: Option<Kernel>,
    /// The kernel's id on the page.
    id: String,
    size: u32,
    /// The results that are shown.
    shown: Option<Measured>,
    /// True if the results were recorded, false if they were measured here.
    recorded: bool,
    /// Index of the value on the third axis.
    panel: usize,
    /// Row and column under the cursor.
    cursor: (usize, usize),
    emulated: bool,
    device: Option<String>,
    launch: Option<LaunchResults>,
    /// Indices of the points whose variants were launched.
    launched: Vec<usize>,
    seed: u64,
    search: Option<Search>,
}

impl Sweep {
    /// Creates the picture of the page's kernel without a launch.
    pub(crate) fn new(view: &SweepView, setting: Setting) -> Self {
        let kernel = setting.catalog.kernel(&view.kernel).filter(|kernel| kernel.variants.is_some()).cloned();
        let mut sweep =
            Self { kernel, id: view.kernel.value.clone(), size: view.size, emulated: true, seed: 1, ..Self::default() };
        if let Some(description) = setting.description {
            sweep.reply(&Reply::Description(description.clone()));
        }
        sweep.panel = sweep.panels().saturating_sub(1);
        if let Some(budget) = view.budget_ms {
            let recorded = sweep.kernel.as_ref().and_then(|kernel| Measured::recorded(kernel, Some(view.size)));
            sweep.search = recorded.map(|recorded| Search { recorded, budget_ms: budget.into(), spent_ms: 0.0 });
            sweep.hide();
        }
        sweep
    }

    /// Begins the search in the middle of the table: hides all times.
    fn hide(&mut self) {
        let axes = self.kernel.as_ref().and_then(|kernel| kernel.variants.as_deref()).map(|variants| &variants.axes);
        let middle = |at: usize| axes.and_then(|axes| axes.get(at)).map_or(0, |axis| axis.values.len() / 2);
        let start = (middle(0), middle(1));
        let Some(search) = &mut self.search else { return };
        search.spent_ms = 0.0;
        let hidden = |point: &SweepPoint| SweepPoint {
            variant: point.variant.clone(),
            why: point.why.clone(),
            ..SweepPoint::default()
        };
        let points = search.recorded.points.iter().map(hidden).collect();
        self.shown = Some(Measured { points, ..search.recorded.clone() });
        (self.recorded, self.panel, self.cursor) = (true, 0, start);
    }

    /// Returns the index of the variant under the cursor.
    fn here(&self) -> Option<usize> {
        let variants = self.kernel.as_ref()?.variants.as_ref()?;
        draw::point_at(variants, [self.cursor.0, self.cursor.1, self.panel])
    }

    /// True if the search can measure the variant under the cursor.
    fn unmeasured(&self, search: &Search) -> bool {
        let point = self.here().zip(self.shown.as_ref()).and_then(|(at, shown)| shown.points.get(at));
        search.left_ms() > 0.0 && point.is_some_and(|point| point.time.is_none() && point.why.is_none())
    }

    /// Replays the measurement of the variant under the cursor. If the budget ends before it does, it gives no time.
    fn measure(&mut self) {
        let Some(at) = self.here() else { return };
        let (Some(search), Some(shown)) = (&mut self.search, &mut self.shown) else { return };
        let limit = shown.best().and_then(|best| best.time).map_or(f64::INFINITY, |best| PATIENCE * best.median_ms);
        let (Some(point), Some(to)) = (search.recorded.points.get(at), shown.points.get_mut(at)) else { return };
        let Some(time) = point.time else { return };
        let cost = time.median_ms.min(limit);
        if cost > search.left_ms() {
            search.spent_ms = search.budget_ms;
            return;
        }
        search.spent_ms += cost;
        if time.median_ms > limit {
            to.why = Some(t!("sweep-late"));
        } else {
            to.clone_from(point);
        }
    }

    /// Returns the number of values on an axis; 1 if there is no such axis.
    fn extent(&self, axis: usize) -> usize {
        let variants = self.kernel.as_ref().and_then(|kernel| kernel.variants.as_ref());
        variants.and_then(|variants| variants.axes.get(axis)).map_or(1, |axis| axis.values.len().max(1))
    }

    fn panels(&self) -> usize {
        self.extent(2)
    }

    /// Returns the launch, if it is not over.
    fn running(&self) -> Option<&LaunchResults> {
        self.launch.as_ref().filter(|launch| launch.is_running())
    }

    fn stop(&mut self) -> Vec<Effect> {
        self.running().map(|launch| Effect::CancelLaunch(launch.id)).into_iter().collect()
    }

    fn launch(&mut self) -> Vec<Effect> {
        let mut effects = self.stop();
        let Some((kernel, variants)) =
            self.kernel.as_ref().and_then(|kernel| Some((kernel, kernel.variants.as_ref()?)))
        else {
            return effects;
        };
        let n = if self.emulated { self.size.min(EMULATED) } else { self.size };
        let blank = |point: &tutor_kernels::Point| SweepPoint {
            variant: point.name.clone(),
            why: point.launch.as_ref().err().map(ToString::to_string),
            ..SweepPoint::default()
        };
        let mut programs = Vec::new();
        self.launched.clear();
        for (at, point) in variants.points.iter().enumerate() {
            if let Some(variant) = point.kernel(kernel) {
                programs.push(Program::from(&variant));
                self.launched.push(at);
            }
        }
        self.shown = Some(Measured {
            kernel: kernel.id.clone(),
            fingerprint: fingerprint(kernel),
            elements: kernel.elements,
            n,
            device: self.device.clone().unwrap_or_default(),
            driver: None,
            date: String::new(),
            cublas: None,
            against: Against::Best,
            unlike: false,
            points: variants.points.iter().map(blank).collect(),
        });
        let request = LaunchRequest {
            on: if self.emulated { Target::Emulator } else { Target::Auto },
            time: !self.emulated,
            seconds: SECONDS,
            cublas: !self.emulated,
            verify: true,
            counts: self.emulated,
            ..request(programs, n, self.seed)
        };
        self.recorded = false;
        self.seed = self.seed.wrapping_add(1);
        self.launch = Some(LaunchResults::of(&request));
        effects.push(Effect::Launch(Box::new(request)));
        effects
    }
}

impl Picture for Sweep {
    fn kind(&self) -> &'static str {
        "sweep"
    }

    fn rename(&mut self, setting: Setting) {
        self.kernel.iter_mut().for_each(|own| setting.translate(own));
    }

    fn actions(&self) -> Vec<Action> {
        let mut actions = Vec::new();
        if let Some(search) = &self.search {
            actions.extend(self.unmeasured(search).then_some(Action::Launch));
            actions.extend((search.spent_ms > 0.0).then_some(Action::Restart));
        } else if self.running().is_some() {
            actions.push(Action::CancelLaunch);
        } else if self.kernel.is_some() {
            actions.push(Action::Launch);
        }
        if self.panels() > 1 {
            actions.push(Action::Panel);
        }
        if self.shown.is_some() && self.extent(0) > 1 {
            actions.extend([Action::Up, Action::Down]);
        }
        if self.shown.is_some() && self.extent(1) > 1 {
            actions.extend([Action::Left, Action::Right]);
        }
        actions
    }

    /// A queued launch counts as running, but it can be requested again.
    fn can(&self, action: Action) -> bool {
        (action == Action::Launch && self.search.is_none()) || self.actions().contains(&action)
    }

    fn perform(&mut self, action: Action) -> Vec<Effect> {
        let (rows, columns) = (self.extent(0), self.extent(1));
        let (row, column) = &mut self.cursor;
        match action {
            Action::Launch if self.search.is_some() => self.measure(),
            Action::Launch => return self.launch(),
            Action::Restart => self.hide(),
            Action::CancelLaunch => return self.stop(),
            Action::Panel => self.panel = (self.panel + 1) % self.panels(),
            Action::Up => *row = (*row + rows - 1) % rows,
            Action::Down => *row = (*row + 1) % rows,
            Action::Left => *column = (*column + columns - 1) % columns,
            Action::Right => *column = (*column + 1) % columns,
            _ => {}
        }
        Vec::new()
    }

    fn click(&mut self, _: Position, _: Rect) -> Vec<Effect> {
        if self.can(Action::Launch) && self.running().is_none() { self.perform(Action::Launch) } else { Vec::new() }
    }

    fn reply(&mut self, reply: &Reply) -> bool {
        if let Reply::Description(description) = reply {
            self.emulated = description.device.kind == DeviceKind::Emulator;
            self.device = Some(description.device.name.clone());
            if self.emulated && self.shown.is_none() {
                let of = |kernel: &Kernel| {
                    Measured::recorded(kernel, Some(self.size)).or_else(|| Measured::recorded(kernel, None))
                };
                self.shown = self.kernel.as_ref().and_then(of).cloned();
                self.recorded = self.shown.is_some();
            }
            return true;
        }
        let (Some(launch), Some(shown)) = (&mut self.launch, &mut self.shown) else { return false };
        let changed = launch.apply(reply);
        if changed {
            shown.add(launch, &self.launched);
        }
        changed
    }

    fn render(&self, frame: &mut Frame, area: Rect, look: &Look) {
        draw::sheet(self, look, area.width).draw(frame, area);
    }

    fn min_height(&self, width: u16) -> u16 {
        ui_kit::look::with_mono_look(|look| draw::sheet(self, look, width).height())
    }

    fn describe(&self) -> Vec<String> {
        ui_kit::look::with_mono_look(|look| draw::sheet(self, look, 96).lines())
    }

    fn signs(&self) -> Vec<(&'static str, String)> {
        let late = self.search.iter().map(|_| ("…", t!("sweep-sign-late")));
        signs_of(self.kind()).into_iter().chain(late).collect()
    }
}

#[cfg(test)]
mod tests;
