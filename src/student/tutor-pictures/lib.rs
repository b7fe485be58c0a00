/*! Interactive pictures for pages (`show` in a page's YAML), and the drawing code that all screens share.

Each picture is a folder with a struct that implements [`Picture`]. A new picture needs this folder, a variant of
[`Show`], a line in [`of`], and what else ARCHITECTURE.md lists. Most pictures are values that the student changes, and
rows that follow from them. For these, `control::Panel` implements the trait, and the folder only says how to draw. Begin
with `warp_tile/`.

A picture knows its page, the course's kernels, and what was recorded or measured ([`Setting`]). It does not know the
screens, the store or the worker. It returns [`Effect`]s, and it receives the worker's replies. The modules for drawing
are also in this package: [`look`] and [`theme`] (styles by meaning), [`wrap`], [`markdown`], [`code_pane`], and
[`action`] (the table of all keys).
*/

pub mod action;
pub mod code;
pub mod code_pane;
pub mod field;
pub mod look;
pub mod markdown;
#[cfg(any(test, feature = "snapshot"))]
pub mod snapshot;
pub mod theme;
pub mod wrap;

mod banks;
mod canvas;
#[cfg(test)]
mod checks;
mod choice;
mod coalescing;
mod control;
mod cooperative;
mod divergence;
mod effect;
mod expression;
mod formats;
mod fragment;
mod frontier;
mod hazard;
mod hierarchy;
mod ilp;
mod library;
mod names;
mod occupancy;
mod offer;
mod pace;
mod prelude;
mod race;
mod raster;
mod register_tile;
mod ring;
mod roofline;
mod run;
mod sheet;
mod stages;
mod sweep;
mod tensor_box;
#[cfg(test)]
mod tests;
mod thread_map;
mod tile_walk;
mod timeline;
mod warp_tile;

pub use banks::Banks;
pub use effect::{Effect, launch_id};
pub use hazard::Hazard;
pub use offer::{ExerciseState, kind_name};
pub use race::Race;

use action::Action;
use code::{HighlightRequest, Highlights};
use control::Panel;
use look::Look;
use ratatui::Frame;
use ratatui::layout::{Position, Rect};
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};
use std::time::Duration;
use theme::Theme;
use tutor_course::{Course, Show};
use tutor_exec::latency::Latencies;
use tutor_exec::protocol::{Description, Reply};
use tutor_exec::tuned::Tuned;
use tutor_exercises::Exercise;
use tutor_kernels::{Catalog, Kernel};
use tutor_keys::KeyEvent;
use tutor_progress::{RunRecord, Worked};

/// Everything that a new picture may use.
#[derive(Debug, Clone, Copy)]
pub struct Setting<'a> {
    /// Devices and libraries, if the worker has answered.
    pub description: Option<&'a Description>,
    /// The course, if there is one.
    pub course: Option<&'a Course>,
    /// The course's kernels, which may be an instructor's.
    pub catalog: &'a Catalog,
    /// The fastest correct run of each kernel on each device.
    pub best_runs: &'a [RunRecord],
    /// Latencies of the student's GPU, if they were measured.
    pub latencies: Option<&'a Arc<Latencies>>,
    /// The variants that were tuned on this machine.
    pub tuned: Option<&'a Arc<Tuned>>,
    pub exercises: &'a [Exercise],
    /// Progress of the exercises that the student has begun, by id.
    pub worked: &'a BTreeMap<String, Worked>,
}

impl<'a> Setting<'a> {
    /// Creates a setting that knows only a catalogue.
    pub fn of(catalog: &'a Catalog) -> Self {
        const NONE: &BTreeMap<String, Worked> = &BTreeMap::new();
        Self {
            description: None,
            course: None,
            catalog,
            best_runs: &[],
            latencies: None,
            tuned: None,
            exercises: &[],
            worked: NONE,
        }
    }
}

impl Setting<'_> {
    /// Replaces a kernel by the catalogue's edition, if only their texts differ.
    fn translate(self, kernel: &mut Kernel) {
        if let Some(known) = self.catalog.kernel(&kernel.id).filter(|known| known.runs_as(kernel)) {
            kernel.clone_from(known);
        }
    }
}

/// The picture of a page.
pub trait Picture: std::fmt::Debug {
    /// Returns the name for titles and hints.
    fn name(&self) -> String;

    /// Returns the actions that work now, most important first. [`action::TABLE`] has their keys.
    fn actions(&self) -> Vec<Action>;

    /// True if [`Self::act`] runs the action.
    fn can(&self, action: Action) -> bool {
        self.actions().contains(&action)
    }

    /// Runs an action that works now. Any other does nothing.
    fn act(&mut self, action: Action) -> Vec<Effect> {
        if self.can(action) { self.perform(action) } else { Vec::new() }
    }

    /// Runs one of [`Self::actions`], for [`Self::act`].
    fn perform(&mut self, action: Action) -> Vec<Effect>;

    /// True if a text field has the keyboard focus. Keys then go to [`Self::key`].
    fn editing(&self) -> bool {
        false
    }

    /// Handles a key for the text field.
    fn key(&mut self, _: KeyEvent) -> Vec<Effect> {
        Vec::new()
    }

    /// Handles a click at `at` inside `area`, the area of the last drawing.
    fn click(&mut self, _at: Position, _area: Rect) -> Vec<Effect> {
        Vec::new()
    }

    /// Called when the picture has just received the keyboard focus.
    fn focus(&mut self) -> Vec<Effect> {
        Vec::new()
    }

    /// Ends a short animation at once, because a key was pressed or because of `--no-motion`.
    fn finish_animation(&mut self) {}

    /// Completes an action without motion (`--no-motion`). A picture whose steps are animations runs them at once.
    fn skip_motion(&mut self) {
        self.finish_animation();
    }

    /// True if the picture needs ticks.
    fn animating(&self) -> bool {
        false
    }

    /// Advances an animation; called only while [`Self::animating`]. Returns true if the picture looks different.
    fn tick(&mut self, _now: Duration) -> bool {
        false
    }

    /// Takes the kernels' and exercises' new names after a reload of the course, which may be in another language.
    fn rename(&mut self, _: Setting) {}

    /// Takes the progress of the exercises that the student has begun, by id.
    fn learn(&mut self, _: &BTreeMap<String, Worked>) {}

    /// Handles a reply of the worker and ignores those to other requests. Returns true if the picture looks different.
    fn reply(&mut self, _: &Reply) -> bool {
        false
    }

    /// Returns what follows from the last reply, such as the next of several launches.
    fn go_on(&mut self) -> Vec<Effect> {
        Vec::new()
    }

    /// Draws into an area of any size. Must not panic.
    fn render(&self, frame: &mut Frame, area: Rect, look: &Look);

    /// Draws what is visible before the student answers the page's question. Returns false if there is nothing.
    fn render_before(&self, _: &mut Frame, _: Rect, _: &Look) -> bool {
        false
    }

    /// Returns the minimum height at this width. If a page has less room, the picture gets the whole screen.
    fn min_height(&self, width: u16) -> u16;

    /// Returns the full height at this width. The page scrolls if it has less room.
    fn height(&self, width: u16) -> u16 {
        self.min_height(width)
    }

    /// Returns the width from which the picture is drawn larger. The page narrows its text a little to provide it.
    fn wished_width(&self) -> u16 {
        0
    }

    /// Returns the code to highlight.
    fn wants(&self) -> Vec<HighlightRequest> {
        Vec::new()
    }

    /// Describes the picture in sentences, for the line-by-line mode (`--plain`).
    fn describe(&self) -> Vec<String>;

    /// Returns the signs in the drawing and their meanings, for the help.
    fn signs(&self) -> Vec<(&'static str, String)> {
        Vec::new()
    }
}

/// Returns the picture of a page; None for code, which the lesson draws itself.
pub fn of(show: &Show, setting: Setting) -> Option<Box<dyn Picture>> {
    Some(match show {
        Show::Code(_) => return None,
        Show::Banks(view) => Box::new(Banks::new(view)),
        Show::Choice(view) => Box::new(Panel::new(choice::Shapes::new(view, setting))),
        Show::Coalescing(view) => Box::new(coalescing::Coalescing::new(view)),
        Show::CooperativeLoad(view) => Box::new(cooperative::Cooperative::new(view.tile)),
        Show::Divergence(view) => Box::new(divergence::Divergence::new(view)),
        Show::Exercise(id) => Box::new(offer::Offer::new(id, setting)),
        Show::Formats(view) => Box::new(Panel::new(formats::Factors::new(view))),
        Show::Fragment(view) => Box::new(fragment::Spread::new(view)),
        Show::Frontier(view) => Box::new(Panel::new(frontier::Ways::new(view))),
        Show::Hazard(view) => Box::new(Hazard::new(view, setting)),
        Show::Hierarchy(view) => Box::new(Panel::new(hierarchy::Curve::new(view, setting.latencies.cloned()))),
        Show::Ilp(view) => Box::new(Panel::new(ilp::Chains::new(view, setting.latencies))),
        Show::Library(view) => Box::new(library::Library::new(view)),
        Show::Occupancy(view) => Box::new(Panel::new(occupancy::Load::new(view))),
        Show::Raster(view) => Box::new(Panel::new(raster::Order::new(view))),
        Show::RegisterTile(view) => Box::new(register_tile::RegisterTile::new(view)),
        Show::Ring(view) => Box::new(ring::Ring::new(view)),
        Show::Roofline(view) => Box::new(roofline::Roofline::new(view, setting)),
        Show::Run(view) => Box::new(run::Run::new(view, setting)),
        Show::Stages(view) => Box::new(Panel::new(stages::Line::new(view, setting.latencies))),
        Show::Sweep(view) => Box::new(sweep::Sweep::new(view, setting)),
        Show::TensorBox(view) => Box::new(Panel::new(tensor_box::Copied::new(view))),
        Show::ThreadMap(view) => Box::new(thread_map::ThreadMap::new(view)),
        Show::Timeline(view) => Box::new(timeline::Cycles::new(view, setting)),
        Show::TileWalk(view) => Box::new(tile_walk::TileWalk::new(view)),
        Show::WarpTile(view) => Box::new(Panel::new(warp_tile::Lanes::new(view))),
    })
}

/// Calls `with` with a look without colours, to measure or describe a picture without drawing it.
fn with_mono_look<T: Default>(with: impl FnOnce(&Look) -> T) -> T {
    static THEME: LazyLock<Option<Theme>> = LazyLock::new(|| Theme::named("mono").ok());
    let highlights = Highlights::default();
    let look = THEME.as_ref().map(|theme| Look { theme, ascii: false, now: Duration::ZERO, highlights: &highlights });
    look.map_or_else(T::default, |look| with(&look))
}
