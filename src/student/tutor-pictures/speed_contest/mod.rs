/*! The race: the same product by one kernel of each level, the slowest first.

```text
 one product, one kernel of each level                             n = 4096
 recorded on NVIDIA H200, driver 580.159.04, 2026-11-28        no GPU here
                                    cuBLAS
 1 One thread per element ▎           ┊         1.01 %   499 GFLOP/s
 2 Shared-memory tiling   ███         ┊         17.4 %  8.63 TFLOP/s
```

A bar is a kernel's speed as a share of cuBLAS for elements of the same type. With a GPU, each kernel is launched there, one
after the other. Without one, the bars show one recording, with figures only where the map shows them, too. The race never mixes the two.
*/

use crate::effect::request;
use crate::pace::Glide;
use crate::prelude::*;
use crate::run::{Model, Recorded, TimeSource};
use std::slice::from_ref;
use std::time::Duration;
use tutor_exec::Against;
use tutor_exec::protocol::{Device, DeviceKind, LaunchRequest, Reply};
use tutor_exec::recorded::Recording;
use tutor_exec::results::LaunchResults;
use tutor_exec::tuned::Tuned;
use tutor_kernels::{Elements, Kernel};
use tutor_support::figures::{percent, speed};
use ui_kit::sheet;

/// Size of the matrices on the student's GPU. The slowest kernel takes seconds there at the size of the recordings.
const LIVE_N: u32 = 2048;
/// Maximum number of seconds that each kernel is timed.
const SECONDS: f64 = 1.0;
/// Minimum share at the right end of the bars; 1 is as fast as cuBLAS.
const SCALE: f64 = 2.5;
/// Cells of the columns to the right of the bars, and minimum cells of a bar.
const SHARE: usize = 8;
const SPEED: usize = 14;
const MIN_BAR: usize = 10;

/// A level's kernel in the race.
#[derive(Debug)]
struct Lane {
    /// Index of the level.
    level: usize,
    title: String,
    kernel: Kernel,
    times: Model,
    /// True if the recorded figures may be shown.
    shown: bool,
}

/// Bars that climb one after the other.
#[derive(Debug)]
pub struct SpeedContest {
    lanes: Vec<Lane>,
    /// Index of the lane that runs; the number of lanes after the race.
    at: usize,
    /// True if the times are measured now, false if they are recorded.
    live: bool,
    device: Option<Device>,
    climb: Glide,
    tuned: std::sync::Arc<Tuned>,
}

impl SpeedContest {
    /// Returns the race of a course. `None` if fewer than two of its levels name kernels.
    ///
    /// The first level sends its slowest kernel, each other level its fastest one. `shown` returns, for a level and a
    /// kernel's id, whether recorded figures may be shown. If not, there is only a bar.
    pub fn new(setting: Setting, shown: impl Fn(usize, &str) -> bool) -> Option<Self> {
        let levels = setting.course?.levels.iter().enumerate();
        let lane = |(level, content): (usize, &tutor_course::Level)| {
            let id = if level == 0 { content.ladder.first() } else { content.ladder.last() };
            let kernel = setting.catalog.kernel(id?)?.clone();
            let times = Model::new(from_ref(&kernel.id), LIVE_N, &[], &[], setting.catalog, Recording::built_in());
            Some(Lane { level, title: content.title.clone(), shown: shown(level, &kernel.id), kernel, times })
        };
        let lanes: Vec<Lane> = levels.filter_map(lane).collect();
        let device = setting.description.map(|description| description.device.clone());
        let tuned = setting.tuned.cloned().unwrap_or_default();
        (lanes.len() > 1).then(|| Self { at: lanes.len(), lanes, live: false, device, climb: Glide::default(), tuned })
    }

    fn on_gpu(&self) -> bool {
        self.device.as_ref().is_some_and(|device| device.kind == DeviceKind::Cuda)
    }

    /// True while a launch runs.
    fn running(&self) -> Option<u64> {
        self.lanes.get(self.at)?.times.running()
    }

    /// Returns the nearest recording with the kernels at one size, and the largest such size. A kernel that was not
    /// recorded at all does not count.
    fn recording(&self) -> Option<(&'static Recording, u32)> {
        let all = Recording::nearest_first(Recording::built_in(), self.device.as_ref());
        all.into_iter().find_map(|recording| {
            let kernels = || {
                let recorded = |kernel: &&Kernel| !recording.sizes(kernel).is_empty();
                self.lanes.iter().map(|lane| &lane.kernel).filter(recorded)
            };
            let sizes = recording.sizes(kernels().next()?);
            let has = |n: &u32| kernels().all(|kernel| recording.share_of_cublas(kernel, *n).is_some());
            sizes.into_iter().rev().find(has).map(|n| (recording, n))
        })
    }

    fn start(&mut self) -> Vec<Effect> {
        self.live = self.on_gpu();
        let recording = if self.live { None } else { self.recording() };
        for lane in &mut self.lanes {
            lane.times.device.clone_from(&self.device);
            lane.times.resize(recording.map_or(LIVE_N, |(_, n)| n));
            lane.times.recorded = recording.map(|(recording, _)| Recorded(recording));
        }
        self.at = 0;
        self.climb.finish();
        if self.live {
            return self.launch();
        }
        match recording {
            Some(_) => self.climb.start(),
            None => self.at = self.lanes.len(),
        }
        Vec::new()
    }

    fn launch(&mut self) -> Vec<Effect> {
        let Some(lane) = self.lanes.get_mut(self.at) else { return Vec::new() };
        let programs = lane.times.programs(&self.tuned);
        let asked = request(programs, lane.times.n, 1);
        let asked = LaunchRequest { time: true, seconds: SECONDS, cublas: true, verify: true, ..asked };
        lane.times.begin(&asked);
        vec![Effect::Launch(Box::new(asked))]
    }

    /// Returns the share of cuBLAS and the speed in GFLOP/s of a lane, from the source of this race.
    fn result(&self, lane: &Lane) -> Option<(f64, f64)> {
        let of_this_race =
            matches!((self.live, lane.times.source()), (true, TimeSource::Live(_)) | (false, TimeSource::Recorded(_)));
        let ms = lane.times.time(0).filter(|_| of_this_race)?.median_ms;
        Some((lane.times.cublas_beside(0)? / ms, lane.times.gflops(ms)))
    }

    fn hides(&self, lane: &Lane) -> bool {
        !self.live && !lane.shown
    }

    /// Returns the part of a lane's bar that is visible, from 0 to 1.
    fn climbed(&self, at: usize) -> f64 {
        match at.cmp(&self.at) {
            std::cmp::Ordering::Less => 1.0,
            std::cmp::Ordering::Equal => self.climb.fraction(),
            std::cmp::Ordering::Greater => 0.0,
        }
    }

    fn over(&self) -> bool {
        self.at >= self.lanes.len() && self.lanes.iter().any(|lane| self.result(lane).is_some())
    }

    fn write(&self, sheet: &mut Sheet) {
        let look = sheet.look;
        let n = self.lanes.first().map_or(LIVE_N, |lane| lane.times.n);
        sheet.title(&t!("climb-what"), vec![look.span(Meaning::Accent, format!("n = {}", grouped(n.into())))]);
        self.source(sheet);
        let titles = self.lanes.iter().map(|lane| lane.title.width()).max().unwrap_or(0);
        let width = usize::from(sheet.width);
        let titles = titles.min(width.saturating_sub(5 + MIN_BAR + SHARE + SPEED)).max(8);
        let bar = width.saturating_sub(6 + titles + SHARE + SPEED);
        let known = self.lanes.iter().filter_map(|lane| self.result(lane));
        let scale = known.map(|(share, _)| share).fold(SCALE, f64::max);
        let cublas = (bar as f64 / scale) as usize;
        // Levels have different element types, so the name is without one.
        let against = self.recording().filter(|_| !self.live).map_or(Against::Best, |(recording, _)| recording.against);
        let name = against.name(Elements::F32);
        sheet.drawn(vec![
            look.span(Meaning::Muted, format!("{}{name}", " ".repeat((5 + titles + cublas).saturating_sub(3)))),
        ]);
        for (at, lane) in self.lanes.iter().enumerate() {
            let mut row = vec![
                look.span(Meaning::Accent, format!(" {:>2} ", lane.level + 1)),
                look.span(if at == self.at { Meaning::Strong } else { Meaning::Text }, pad(&lane.title, titles + 1)),
            ];
            let result = self.result(lane).filter(|_| at <= self.at);
            let climbed = self.climbed(at);
            let shown = result.map_or(0.0, |(share, _)| share * climbed / scale);
            row.extend(look.bar_past(shown, 1.0 / scale, bar as u16));
            row.extend(match result {
                Some((share, _)) if self.hides(lane) => {
                    let words = if share < 1.0 { t!("climb-slower") } else { t!("climb-faster") };
                    vec![look.span(Meaning::Muted, pad_left(&words, SHARE + SPEED))]
                }
                Some((share, gflops)) => vec![
                    look.span(Meaning::Strong, pad_left(&percent(share * climbed).to_string(), SHARE)),
                    look.span(Meaning::Muted, pad_left(&speed(gflops * climbed), SPEED)),
                ],
                None => vec![look.span(Meaning::Muted, format!("  {}", self.state(at, lane)))],
            });
            sheet.row(row);
        }
        self.remarks(sheet);
    }

    fn source(&self, sheet: &mut Sheet) {
        let look = sheet.look;
        let (left, right) = match (&self.device, self.recording()) {
            (Some(device), _) if self.live => {
                let driver = device.driver.clone().unwrap_or_default();
                let now = if self.over() {
                    t!("run-measured")
                } else {
                    format!("{} {}", t!("run-live"), look.sign("●", "*"))
                };
                (t!("run-device", device = device.name, driver), look.span(Meaning::Right, now))
            }
            (_, Some((recording, _))) => {
                let here = if self.on_gpu() { t!("climb-live-now") } else { t!("run-no-gpu") };
                let (device, driver, date) = (&recording.device, &recording.driver, &recording.date);
                (t!("run-recorded", device, driver, date), look.span(Meaning::Muted, here))
            }
            _ => (t!("climb-nothing"), Span::raw("")),
        };
        sheet.ends(vec![Span::raw(" "), look.span(Meaning::Muted, left)], vec![right]);
    }

    /// Describes a lane without a result.
    fn state(&self, at: usize, lane: &Lane) -> String {
        match &lane.times.launch {
            Some(launch) if launch.is_running() => match &launch.progress {
                Some((_, fraction)) => t!("climb-runs", percent = percent(*fraction)),
                None => t!("climb-begins"),
            },
            Some(launch) if launch.error().is_some() => t!("climb-failed"),
            _ if at < self.at => "–".to_owned(),
            _ => String::new(),
        }
    }

    /// Adds what the bars need to be understood, and at the end the question.
    fn remarks(&self, sheet: &mut Sheet) {
        sheet.blank();
        if self.over() {
            sheet.text(Meaning::Title, &t!("climb-question"));
        }
        sheet.text(Meaning::Muted, &t!("climb-share"));
        if self.lanes.iter().any(|lane| self.hides(lane)) {
            sheet.text(Meaning::Muted, &t!("map-ladder-hidden"));
        }
        let why = self.lanes.iter().find_map(|lane| {
            let failed = lane.times.launch.as_ref().and_then(LaunchResults::error);
            let why =
                failed.map(|error| error.message.to_string()).or_else(|| lane.times.notes().into_iter().next())?;
            Some(t!("climb-failed-why", level = lane.level + 1, why))
        });
        if let Some(why) = why.filter(|_| self.live) {
            sheet.text(Meaning::Muted, &why);
        }
    }
}

impl Picture for SpeedContest {
    fn kind(&self) -> &'static str {
        "contest"
    }

    fn actions(&self) -> Vec<Action> {
        match self.running() {
            Some(_) => vec![Action::CancelLaunch],
            // Without a GPU there is nothing to launch.
            None => self.on_gpu().then_some(Action::Launch).into_iter().collect(),
        }
    }

    fn perform(&mut self, action: Action) -> Vec<Effect> {
        match action {
            Action::Launch => self.start(),
            _ => self.running().map(Effect::CancelLaunch).into_iter().collect(),
        }
    }

    fn focus(&mut self) -> Vec<Effect> {
        self.start()
    }

    fn finish_animation(&mut self) {
        let moving = self.climb.moving();
        self.climb.finish();
        if moving && !self.live {
            self.at = self.lanes.len();
        }
    }

    fn animating(&self) -> bool {
        self.climb.moving()
    }

    fn tick(&mut self, now: Duration) -> bool {
        let moved = self.climb.tick(now);
        if moved && !self.climb.moving() && !self.live {
            self.at += 1;
            if self.at < self.lanes.len() {
                self.climb.start();
            }
        }
        moved
    }

    fn rename(&mut self, setting: Setting) {
        for lane in &mut self.lanes {
            if let Some(level) = setting.course.and_then(|course| course.levels.get(lane.level)) {
                lane.title.clone_from(&level.title);
            }
        }
    }

    fn reply(&mut self, reply: &Reply) -> bool {
        if let Reply::Description(description) = reply {
            self.device = Some(description.device.clone());
            return true;
        }
        let Some(lane) = self.lanes.get_mut(self.at) else { return false };
        let before = lane.times.time(0).zip(lane.times.cublas_beside(0)).is_some();
        let changed = lane.times.reply(reply);
        if self.live && !before && lane.times.time(0).zip(lane.times.cublas_beside(0)).is_some() {
            self.climb.start();
        }
        if changed && matches!(reply, Reply::Finished { cancelled: true, .. }) {
            self.at = self.lanes.len();
        }
        changed
    }

    /// Launches the next kernel once the last one is over.
    fn go_on(&mut self) -> Vec<Effect> {
        let ended = |lane: &Lane| lane.times.launch.as_ref().is_some_and(|launch| !launch.is_running());
        if !self.live || !self.lanes.get(self.at).is_some_and(ended) {
            return Vec::new();
        }
        self.at += 1;
        self.launch()
    }

    fn render(&self, frame: &mut Frame, area: Rect, look: &Look) {
        let mut sheet = Sheet::new(look, area.width);
        self.write(&mut sheet);
        sheet.draw(frame, area);
    }

    fn min_height(&self, width: u16) -> u16 {
        sheet::rows(width, |sheet| self.write(sheet))
    }

    fn describe(&self) -> Vec<String> {
        sheet::describe(|sheet| self.write(sheet))
    }
}

#[cfg(test)]
mod tests;
