/*! The timeline: the cycles of a simulated SM, and the effect of fewer blocks on it.

```text
 cycles of tiled, simulated, not measured                          cycle 10,261
 one block at a time:  12.4 ms (9.4 to 16.3 ms)   long scoreboard 41 %
 two blocks:           8.62 ms (6.6 to 11.3 ms)   short scoreboard 30 %
```
Below are the rows of [`view`]. The worker simulates the launch once the picture gets the keyboard focus. `+` and `-`
change the number of blocks that run at once. The estimates that are known stay on the screen, to be compared.
*/

mod view;

pub(crate) use view::{Cursor, ROWS, draw};

use crate::effect::{message, request};
use crate::prelude::*;
use crate::run::{Listing, listings, wants};
use std::collections::BTreeMap;
use tutor_course::TimelineView;
use tutor_exec::estimate::{EstimateRequest, Estimated};
use tutor_exec::protocol::{LaunchRequest, Program, Reply};
use tutor_exec::results::LaunchResults;
use tutor_support::figures::{duration, percent};
use ui_kit::code::HighlightRequest;

/// Rows of warps in a description, in addition to those that are always drawn.
const DESCRIBED: u16 = 16;
/// Estimates that are compared on the screen.
const COMPARED: usize = 3;

/// The timeline of a simulated launch.
#[derive(Debug)]
pub(crate) struct TimelinePicture {
    view: TimelineView,
    kernels: Vec<Listing>,
    program: Program,
    title: String,
    launch: Option<LaunchResults>,
    /// By number of blocks at once.
    known: BTreeMap<u32, Box<Estimated>>,
    /// The number of blocks that is shown or simulated. `None` for as many as fit.
    blocks: Option<u32>,
    cursor: Cursor,
}

impl TimelinePicture {
    /// Creates the picture of a launch. Nothing runs until the picture gets the keyboard focus.
    pub(crate) fn new(view: &TimelineView, setting: Setting) -> Self {
        let id = view.program();
        let kernel = setting.catalog.find(&id);
        Self {
            program: kernel.as_ref().map_or_else(|| Program::new(&id), |kernel| kernel.as_ref().into()),
            title: kernel.as_ref().map_or(id, |kernel| kernel.title.clone()),
            kernels: listings(kernel.into_iter().map(std::borrow::Cow::into_owned).collect()),
            view: view.clone(),
            launch: None,
            known: BTreeMap::new(),
            blocks: view.blocks,
            cursor: Cursor::default(),
        }
    }

    fn shown(&self) -> Option<&Estimated> {
        self.known.get(&self.blocks?).map(|found| &**found)
    }

    /// Returns the launch, while the worker simulates it.
    fn running(&self) -> Option<&LaunchResults> {
        self.launch.as_ref().filter(|launch| launch.is_running())
    }

    /// Returns why the last launch gave no estimate. A launch with an estimate is dropped once it is shown.
    fn failure(&self) -> Option<String> {
        let launch = self.launch.as_ref()?;
        let refused = launch.programs.first().and_then(|found| found.estimated.as_ref()?.as_ref().err());
        let why = refused.map(ToString::to_string).or_else(|| launch.error().map(message));
        if why.is_none() && launch.is_running() {
            return None;
        }
        Some(why.unwrap_or_else(|| t!("timeline-stopped")))
    }

    fn launch(&mut self) -> Vec<Effect> {
        let device = self.view.device.as_ref().map(|device| device.value.as_str());
        let launch = request(vec![self.program.clone()], self.view.size, 1);
        let Some(estimate) = EstimateRequest::of(device, launch.shape) else { return Vec::new() };
        let estimate = Some(Box::new(EstimateRequest { blocks: self.blocks, ..*estimate }));
        let request = LaunchRequest { estimate, ..launch };
        self.launch = Some(LaunchResults::of(&request));
        vec![Effect::Launch(Box::new(request))]
    }

    fn show(&mut self, found: &Estimated) {
        if let Some(timeline) = &found.timeline {
            self.cursor = Cursor::at(timeline, self.view.warp);
        }
        self.blocks = Some(found.resident);
        self.known.insert(found.resident, Box::new(found.clone()));
        self.launch = None;
    }

    /// Returns the next larger or smaller number of blocks: a power of two, or all that fit.
    fn other(&self, more: bool) -> Option<u32> {
        let found = self.shown()?;
        let all = (0..6).map(|power| 1 << power).filter(|blocks| *blocks < found.fits).chain([found.fits]);
        let mut others = all.filter(|blocks| if more { *blocks > found.resident } else { *blocks < found.resident });
        if more { others.next() } else { others.next_back() }
    }

    /// Adds the known estimates: the shown one, and others with fewer and more blocks.
    fn estimates(&self, sheet: &mut Sheet) {
        let look = sheet.look;
        let Some(shown) = self.shown() else { return };
        sheet.text(Meaning::Muted, &t!("timeline-for", device = shown.device, n = self.view.size, blocks = shown.fits));
        let at = self.known.keys().position(|blocks| *blocks == shown.resident).unwrap_or(0);
        for (blocks, found) in self.known.iter().skip(at.saturating_sub(COMPARED - 1)).take(COMPARED) {
            let here = *blocks == shown.resident;
            let meaning = if here { Meaning::Strong } else { Meaning::Muted };
            let mark = if here { look.sign("▸", ">") } else { " " };
            let (time, interval) = (duration(found.median_ms), found.interval());
            let row = t!("timeline-blocks", blocks = *blocks, time, interval);
            let wait = found.longest_wait().map(|(stall, share)| format!("{} {}", stall.name(), percent(share)));
            sheet.ends(
                vec![look.span(meaning, format!(" {mark} {row}"))],
                vec![look.span(Meaning::Muted, wait.unwrap_or_default())],
            );
        }
    }

    fn write(&self, sheet: &mut Sheet, spare: u16) {
        if let Some(why) = self.failure() {
            sheet.title(&self.title, Vec::new());
            return sheet.error(&why);
        }
        if let Some(launch) = self.running() {
            sheet.title(&self.title, Vec::new());
            let share = percent(launch.fraction());
            return sheet.text(Meaning::Note, &t!("timeline-running", n = self.view.size, share));
        }
        let Some((found, timeline)) = self.shown().and_then(|found| Some((found, found.timeline.as_ref()?))) else {
            sheet.title(&self.title, Vec::new());
            return sheet.text(Meaning::Note, &t!("timeline-idle"));
        };
        self.estimates(sheet);
        let code = |line| self.kernels.first()?.line(line);
        draw(&self.title, self.cursor, timeline, &code, sheet, spare);
        sheet.text(Meaning::Muted, &found.accuracy().to_string());
    }
}

impl Picture for TimelinePicture {
    fn kind(&self) -> &'static str {
        "timeline"
    }

    fn rename(&mut self, setting: Setting) {
        if let Some(known) = setting.catalog.find(&self.view.program()) {
            self.title.clone_from(&known.title);
        }
    }

    fn actions(&self) -> Vec<Action> {
        match (&self.launch, self.shown()) {
            (Some(launch), _) if launch.is_running() => vec![Action::CancelLaunch],
            (None, Some(found)) => {
                let mut actions: Vec<Action> =
                    found.timeline.iter().flat_map(|timeline| self.cursor.actions(timeline)).collect();
                actions.extend(self.other(false).map(|_| Action::Smaller));
                actions.extend(self.other(true).map(|_| Action::Larger));
                actions
            }
            _ => vec![Action::Launch],
        }
    }

    fn perform(&mut self, action: Action) -> Vec<Effect> {
        match action {
            Action::Launch => return self.launch(),
            Action::CancelLaunch => {
                return self.running().map(|launch| Effect::CancelLaunch(launch.id)).into_iter().collect();
            }
            Action::Smaller | Action::Larger => {
                self.blocks = self.other(action == Action::Larger).or(self.blocks);
                match self.shown().cloned() {
                    Some(found) => self.show(&found),
                    None => return self.launch(),
                }
            }
            _ => {
                let mut cursor = self.cursor;
                self.shown()
                    .and_then(|found| found.timeline.as_ref())
                    .into_iter()
                    .for_each(|all| cursor.act(action, all));
                self.cursor = cursor;
            }
        }
        Vec::new()
    }

    /// Simulates the launch when the picture gets the keyboard focus for the first time, or after a failure.
    fn focus(&mut self) -> Vec<Effect> {
        let begins = self.running().is_none() && (self.launch.is_some() || self.shown().is_none());
        if begins { self.launch() } else { Vec::new() }
    }

    fn reply(&mut self, reply: &Reply) -> bool {
        let Some(launch) = &mut self.launch else { return false };
        if !launch.apply(reply) {
            return false;
        }
        if let Some(Some(Ok(found))) = launch.programs.first().map(|found| found.estimated.clone()) {
            self.show(&found);
        }
        true
    }

    fn render(&self, frame: &mut Frame, area: Rect, look: &Look) {
        let mut sheet = Sheet::new(look, area.width);
        self.write(&mut sheet, area.height.saturating_sub(self.min_height(area.width)));
        sheet.draw(frame, area);
    }

    /// Draws the kernel, from which the student makes a prediction.
    fn render_before(&self, frame: &mut Frame, area: Rect, look: &Look) -> bool {
        let mut sheet = Sheet::new(look, area.width);
        let room = usize::from(area.height).saturating_sub(1);
        self.kernels.iter().for_each(|kernel| kernel.draw(&self.title, self.view.size, room, &mut sheet));
        let drawn = !self.kernels.is_empty() && room > 2;
        if drawn {
            sheet.draw(frame, area);
        }
        drawn
    }

    fn min_height(&self, width: u16) -> u16 {
        ui_kit::sheet::rows(width, |sheet| self.write(sheet, 0))
    }

    fn wants(&self) -> Vec<HighlightRequest> {
        wants(&self.kernels)
    }

    fn describe(&self) -> Vec<String> {
        ui_kit::look::with_mono_look(|look| {
            let mut sheet = Sheet::new(look, 96);
            self.write(&mut sheet, DESCRIBED);
            sheet.lines()
        })
    }
}
