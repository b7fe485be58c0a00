/*! The interactive pictures of pages (`show` in a page's YAML), and what every screen draws with.

A picture has a struct and the trait [`Picture`] in a folder of its own; a new one is that folder, a variant of [`Show`]
and a line in [`of`]. Most pictures are numbers that the student changes and rows that follow from them: `control::Panel`
is the picture, and the folder says how it is drawn. Begin with `ilp/`, the smallest.

A picture knows its page, the course's kernels, and what was recorded or measured ([`Setting`]). It knows no screen, no
store and no worker: it returns [`Effect`]s, and is given the worker's replies. What it draws with stands beside it:
[`look`] and [`theme`] (styles by meaning), [`wrap`], [`markdown`], [`code_pane`], and [`action`] (every key, once).
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
mod warp_tile;

pub use banks::Banks;
pub use effect::{Effect, launch_id};
pub use hazard::Hazard;
pub use offer::{State, kind_name};

use action::Action;
use code::{HighlightRequest, Highlights};
use crossterm::event::KeyEvent;
use look::Look;
use ratatui::Frame;
use ratatui::layout::{Position, Rect};
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};
use std::time::Duration;
use theme::Theme;
use tutor_course::Show;
use tutor_exec::latency::Latencies;
use tutor_exec::protocol::{Description, Reply};
use tutor_exec::tuned::Tuned;
use tutor_kernels::{Catalog, Kernel};
use tutor_mastery::{RunRecord, Worked};
use tutor_workshop::Exercise;

/// What a picture may know of the world when it is made.
#[derive(Debug, Clone, Copy)]
pub struct Setting<'a> {
    /// Devices and libraries, if the worker has answered.
    pub description: Option<&'a Description>,
    /// The course's kernels, which may be an instructor's own.
    pub catalog: &'a Catalog,
    /// The fastest right run of each kernel on each device.
    pub best_runs: &'a [RunRecord],
    /// Latencies of the student's own GPU, if they were measured.
    pub latencies: Option<&'a Arc<Latencies>>,
    /// The variants that were tuned on this machine.
    pub tuned: Option<&'a Arc<Tuned>>,
    pub exercises: &'a [Exercise],
    /// How far those are that were begun, by their ids.
    pub worked: &'a BTreeMap<String, Worked>,
}

impl<'a> Setting<'a> {
    /// A catalogue, and nothing else that is known.
    pub fn of(catalog: &'a Catalog) -> Self {
        const NONE: &BTreeMap<String, Worked> = &BTreeMap::new();
        Self { description: None, catalog, best_runs: &[], latencies: None, tuned: None, exercises: &[], worked: NONE }
    }
}

impl Setting<'_> {
    /// Replaces a kernel by the catalogue's edition of it, if the two differ in their texts alone.
    fn translate(self, kernel: &mut Kernel) {
        if let Some(known) = self.catalog.kernel(&kernel.id).filter(|known| known.runs_as(kernel)) {
            kernel.clone_from(known);
        }
    }
}

/// What a page's picture can do.
pub trait Picture: std::fmt::Debug {
    /// What it is called in titles and hints.
    fn name(&self) -> String;

    /// What works now, most important first. Keys come from [`action::TABLE`].
    fn actions(&self) -> Vec<Action>;

    /// Does one of [`Self::actions`].
    fn act(&mut self, action: Action) -> Vec<Effect>;

    /// Whether a text field has the keys; then they go to [`Self::key`].
    fn editing(&self) -> bool {
        false
    }

    /// A key for the text field.
    fn key(&mut self, _: KeyEvent) -> Vec<Effect> {
        Vec::new()
    }

    /// A click at `at` inside of `area`, where it was last drawn.
    fn click(&mut self, _at: Position, _area: Rect) -> Vec<Effect> {
        Vec::new()
    }

    /// It has just got the keys.
    fn focus(&mut self) -> Vec<Effect> {
        Vec::new()
    }

    /// Ends a short movement at once: a key was pressed, or nothing is to move (`--no-motion`).
    fn finish_animation(&mut self) {}

    /// What is left of an action where nothing is to move; a picture whose steps *are* a movement takes them at once.
    fn skip_motion(&mut self) {
        self.finish_animation();
    }

    /// Whether it wants ticks.
    fn animating(&self) -> bool {
        false
    }

    /// Time passes, called only while [`Self::animating`]; true if it now looks different.
    fn tick(&mut self, _now: Duration) -> bool {
        false
    }

    /// The course was read again, maybe in another language: kernels and exercises are called as it calls them now.
    fn rename(&mut self, _: Setting) {}

    /// How far the exercises are that were begun, by their ids.
    fn learn(&mut self, _: &BTreeMap<String, Worked>) {}

    /// Every reply of the worker; those with another launch's id are to be ignored. True if it now looks different.
    fn reply(&mut self, _: &Reply) -> bool {
        false
    }

    /// Draws into `area` of any size without a panic.
    fn render(&self, frame: &mut Frame, area: Rect, look: &Look);

    /// Draws what may be seen before the page's question is answered; false if there is nothing.
    fn render_before(&self, _: &mut Frame, _: Rect, _: &Look) -> bool {
        false
    }

    /// Rows below which it cannot be used at this width; the page then gives it the whole screen.
    fn min_height(&self, width: u16) -> u16;

    /// Rows of the whole picture at this width; a page scrolls to what its place lacks.
    fn height(&self, width: u16) -> u16 {
        self.min_height(width)
    }

    /// Cells from which on it is drawn larger; the text beside gives way a little for that.
    fn wished_width(&self) -> u16 {
        0
    }

    /// Code that it shows, to be coloured.
    fn wants(&self) -> Vec<HighlightRequest> {
        Vec::new()
    }

    /// The picture as sentences, for those who read line by line.
    fn describe(&self) -> Vec<String>;

    /// The signs that it draws and what they mean, for help.
    fn signs(&self) -> Vec<(&'static str, String)> {
        Vec::new()
    }
}

/// The picture of a page; none for code, which the lesson itself draws.
pub fn of(show: &Show, setting: Setting) -> Option<Box<dyn Picture>> {
    Some(match show {
        Show::Code(_) => return None,
        Show::Banks(view) => Box::new(Banks::new(view)),
        Show::Choice(view) => Box::new(choice::new(view, setting)),
        Show::Coalescing(view) => Box::new(coalescing::Coalescing::new(view)),
        Show::CooperativeLoad(view) => Box::new(cooperative::CooperativeLoad::new(view)),
        Show::Divergence(view) => Box::new(divergence::Divergence::new(view)),
        Show::Exercise(id) => Box::new(offer::Offer::new(id, setting)),
        Show::Formats(view) => Box::new(formats::new(view)),
        Show::Fragment(view) => Box::new(fragment::Fragment::new(view)),
        Show::Frontier(view) => Box::new(frontier::new(view)),
        Show::Hazard(view) => Box::new(Hazard::new(view, setting)),
        Show::Hierarchy(view) => Box::new(hierarchy::new(view, setting)),
        Show::Ilp(view) => Box::new(ilp::new(view, setting)),
        Show::Library(view) => Box::new(library::Library::new(view)),
        Show::Occupancy(view) => Box::new(occupancy::new(view)),
        Show::Raster(view) => Box::new(raster::new(view)),
        Show::RegisterTile(view) => Box::new(register_tile::RegisterTile::new(view)),
        Show::Ring(view) => Box::new(ring::Ring::new(view)),
        Show::Roofline(view) => Box::new(roofline::Roofline::new(view, setting)),
        Show::Run(view) => Box::new(run::Run::new(view, setting)),
        Show::Stages(view) => Box::new(stages::new(view, setting)),
        Show::Sweep(view) => Box::new(sweep::Sweep::new(view, setting)),
        Show::TensorBox(view) => Box::new(tensor_box::new(view)),
        Show::ThreadMap(view) => Box::new(thread_map::ThreadMap::new(view)),
        Show::TileWalk(view) => Box::new(tile_walk::TileWalk::new(view)),
        Show::WarpTile(view) => Box::new(warp_tile::new(view)),
    })
}

/// Does something with a look of no colours, where nothing is drawn: to measure, or to say a picture in words.
fn with_mono_look<T: Default>(with: impl FnOnce(&Look) -> T) -> T {
    static THEME: LazyLock<Option<Theme>> = LazyLock::new(|| Theme::named("mono").ok());
    let highlights = Highlights::default();
    let look = THEME.as_ref().map(|theme| Look { theme, ascii: false, now: Duration::ZERO, highlights: &highlights });
    look.map_or_else(T::default, |look| with(&look))
}
