/*! Instruments: the interactive pictures of a page (`show` in its YAML), also opened on the whole screen.

An instrument is a struct with a `new(&View, Setting)` and the trait [`Picture`], in a folder of its own. It never
does anything outside itself: it returns [`Effect`]s and is given the worker's replies. A new one is a variant of
[`Show`], a folder here, and one line in `instruments!` below.
*/

use super::action::Action;
use super::code::{HighlightRequest, Highlights};
use super::effect::Effect;
use super::look::Look;
use super::theme::Theme;
use crate::course::Show;
use crate::exec::latency::Latencies;
use crate::exec::protocol::{Description, Reply};
use crate::exec::tuned::Tuned;
use crate::kernels::Catalog;
use crate::mastery::{RunRecord, Worked};
use crate::t;
use crate::workshop::Exercise;
use crossterm::event::KeyEvent;
use ratatui::Frame;
use ratatui::layout::{Position, Rect};
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

/// What an instrument may know of the world when it is made.
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
    /// The course's exercises.
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

/// What a page's picture can do.
pub trait Picture: std::fmt::Debug {
    /// What works now, most important first. Keys come from [`super::action::TABLE`].
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
    fn settle(&mut self) {}

    /// What is left of an action where nothing is to move; a picture whose steps *are* a movement takes them at once.
    fn stand_still(&mut self) {
        self.settle();
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

macro_rules! instruments {
    ($($(#[$about:meta])* $variant:ident($module:ident :: $type:ident) = $name:expr,)*) => {
        $(mod $module; pub use $module::$type;)*

        /// The interactive picture of a page.
        #[derive(Debug)]
        pub enum Instrument {
            $($(#[$about])* $variant(Box<$type>),)*
        }

        impl Instrument {
            /// The instrument of a page; none for code, which the lesson itself draws.
            pub fn of(show: &Show, setting: Setting) -> Option<Self> {
                match show {
                    Show::Code(_) => None,
                    $(Show::$variant(view) => Some(Self::$variant(Box::new($type::new(view, setting)))),)*
                }
            }

            /// What it is called in titles and hints.
            pub fn name(&self) -> String {
                match *self { $(Self::$variant(_) => $name,)* }
            }
        }

        impl std::ops::Deref for Instrument {
            type Target = dyn Picture;

            fn deref(&self) -> &Self::Target {
                match self { $(Self::$variant(it) => &**it,)* }
            }
        }

        impl std::ops::DerefMut for Instrument {
            fn deref_mut(&mut self) -> &mut Self::Target {
                match self { $(Self::$variant(it) => &mut **it,)* }
            }
        }
    };
}

/// Does something with a look of no colours, where nothing is drawn: to measure, or to say a picture in words.
fn plain<T: Default>(with: impl FnOnce(&Look) -> T) -> T {
    static THEME: LazyLock<Option<Theme>> = LazyLock::new(|| Theme::named("mono").ok());
    let highlights = Highlights::default();
    let look = THEME.as_ref().map(|theme| Look { theme, ascii: false, now: Duration::ZERO, highlights: &highlights });
    look.map_or_else(T::default, |look| with(&look))
}

/// Typographic signs in ASCII.
pub(super) fn in_ascii(text: &str) -> String {
    sheet::plain(text)
}

mod canvas;
mod control;
mod expression;
mod names;
mod pace;
mod sheet;
#[cfg(test)]
mod snapshot;

instruments! {
    /// The wavefronts of a shared-memory access over the 32 banks.
    Banks(banks::Banks) = t!("pictures-name-banks"),
    /// Kernels launched, timed, verified and counted.
    Run(run::Run) = t!("pictures-name-run"),
    /// The walk of the A tile and the B tile over t.
    TileWalk(tile_walk::TileWalk) = t!("pictures-name-tile-walk"),
    /// Who loads which element of the tiles.
    CooperativeLoad(cooperative::CooperativeLoad) = t!("pictures-name-cooperative-load"),
    /// The iteration space and which thread computes which element of C.
    ThreadMap(thread_map::ThreadMap) = t!("pictures-name-thread-map"),
    /// The sectors that one warp-wide global access touches.
    Coalescing(coalescing::Coalescing) = t!("pictures-name-coalescing"),
    /// Arithmetic intensity against the device's limits.
    Roofline(roofline::Roofline) = t!("pictures-name-roofline"),
    /// Two warps around a missing barrier, step by step.
    Hazard(hazard::Hazard) = t!("pictures-name-hazard"),
    /// Every variant of a kernel compared.
    Sweep(sweep::Sweep) = t!("pictures-name-sweep"),
    /// Books fetched one by one or a desk-full at a time.
    Library(library::Library) = t!("pictures-name-library"),
    /// Blocks on a multiprocessor, what limits them, and the waves of a grid.
    Occupancy(occupancy::Occupancy) = t!("pictures-name-occupancy"),
    /// The outer product of a thread's tile, k by k.
    RegisterTile(register_tile::RegisterTile) = t!("pictures-name-register-tile"),
    /// Which lane of a warp holds which element of a matrix.
    Fragment(fragment::Fragment) = t!("pictures-name-fragment"),
    /// Numbers in FP32, TF32, FP16 and BF16, bit by bit, and what a product loses.
    Formats(formats::Formats) = t!("pictures-name-formats"),
    /// A ring of stages, step by step, which can be broken.
    Ring(ring::Ring) = t!("pictures-name-ring"),
    /// Load, wait and multiply over time, with one stage or several.
    Stages(stages::Stages) = t!("pictures-name-stages"),
    /// Recorded latency against the size of what is read.
    Hierarchy(hierarchy::Hierarchy) = t!("pictures-name-hierarchy"),
    /// A box of a matrix, as a tensor map brings it into shared memory.
    TensorBox(tensor_box::TensorBox) = t!("pictures-name-tensor-box"),
    /// Where the lanes of a warp stand in its tile, and which of them share words.
    WarpTile(warp_tile::WarpTile) = t!("pictures-name-warp-tile"),
    /// Which tiles of C are computed at the same time, and which strips they share.
    Raster(raster::Raster) = t!("pictures-name-raster"),
    /// A warp at a branch, and what it issues.
    Divergence(divergence::Divergence) = t!("pictures-name-divergence"),
    /// Recorded multiply-adds in a cycle, by warps and by independent sums.
    Ilp(ilp::Ilp) = t!("pictures-name-ilp"),
    /// The variants of a kernel for a shape, ranked by the model.
    Choice(choice::Choice) = t!("pictures-name-choice"),
    /// Recorded error against speed of FP32 products.
    Frontier(frontier::Ways) = t!("pictures-name-frontier"),
    /// An exercise that the page offers.
    Exercise(offer::Offer) = t!("pictures-name-exercise"),
}
