/*! Instruments: the interactive pictures of a page (`show` in its YAML), also opened on the whole screen.

An instrument is a plain struct with the methods that [`Instrument`] forwards, one file each. It never
does anything outside itself: it returns [`Effect`]s and is given the worker's replies.

- `new(&View, &Setting)`: the start values from the page.
- `actions`: what works now, most important first; `act` does one. Keys come from [`super::action::TABLE`].
- `editing`: whether a text field has the keys; then they go to `key`, which returns the field's effects.
- `click(at, area)`: `area` is where the instrument was last drawn, `at` lies inside it.
- `focus`: it has just got the keys. A run may start itself here.
- `tick(now)`: only called while `animating`; true if it now looks different.
- `reply`: every reply of the worker; those with another launch's id are to be ignored. True if it now looks different.
- `render(frame, area, look)`: draws into `area` of any size without a panic.
- `min_height(width)`: rows below which it cannot be used; the page then gives it the whole screen.
*/

use super::action::Action;
use super::effect::Effect;
use super::look::Look;
use crate::course::Show;
use crate::exec::protocol::{Description, Reply};
use crate::kernels::Catalog;
use crate::mastery::RunRecord;
use crossterm::event::KeyEvent;
use ratatui::Frame;
use ratatui::layout::{Position, Rect};
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
}

macro_rules! instruments {
    ($($(#[$about:meta])* $variant:ident($module:ident :: $type:ident) = $name:literal,)*) => {
        $(mod $module; pub use $module::$type;)*

        /// The interactive picture of a page.
        #[derive(Debug)]
        pub enum Instrument {
            $($(#[$about])* $variant($type),)*
        }

        impl Instrument {
            /// The instrument of a page; none for code, which the lesson itself draws.
            pub fn of(show: &Show, setting: Setting) -> Option<Self> {
                match show {
                    Show::Code(_) => None,
                    $(Show::$variant(view) => Some(Self::$variant($type::new(view, setting))),)*
                }
            }

            /// What it is called in titles and hints.
            pub fn name(&self) -> &'static str {
                match *self { $(Self::$variant(_) => $name,)* }
            }

            /// What works now.
            pub fn actions(&self) -> Vec<Action> {
                match *self { $(Self::$variant(ref it) => it.actions(),)* }
            }

            /// Does one of [`Self::actions`].
            pub fn act(&mut self, action: Action) -> Vec<Effect> {
                match *self { $(Self::$variant(ref mut it) => it.act(action),)* }
            }

            /// Whether a text field has the keys.
            pub fn editing(&self) -> bool {
                match *self { $(Self::$variant(ref it) => it.editing(),)* }
            }

            /// A key for the text field.
            pub fn key(&mut self, key: KeyEvent) -> Vec<Effect> {
                match *self { $(Self::$variant(ref mut it) => it.key(key),)* }
            }

            /// A click at `at` inside of `area`, where it was last drawn.
            pub fn click(&mut self, at: Position, area: Rect) -> Vec<Effect> {
                match *self { $(Self::$variant(ref mut it) => it.click(at, area),)* }
            }

            /// It has got the keys.
            pub fn focus(&mut self) -> Vec<Effect> {
                match *self { $(Self::$variant(ref mut it) => it.focus(),)* }
            }

            /// Whether it wants ticks.
            pub fn animating(&self) -> bool {
                match *self { $(Self::$variant(ref it) => it.animating(),)* }
            }

            /// Time passes; true if it now looks different.
            pub fn tick(&mut self, now: Duration) -> bool {
                match *self { $(Self::$variant(ref mut it) => it.tick(now),)* }
            }

            /// The worker said something; true if it now looks different.
            pub fn reply(&mut self, reply: &Reply) -> bool {
                match *self { $(Self::$variant(ref mut it) => it.reply(reply),)* }
            }

            /// Draws it.
            pub fn render(&self, frame: &mut Frame, area: Rect, look: &Look) {
                match *self { $(Self::$variant(ref it) => it.render(frame, area, look),)* }
            }

            /// Rows it needs at this width.
            pub fn min_height(&self, width: u16) -> u16 {
                match *self { $(Self::$variant(ref it) => it.min_height(width),)* }
            }
        }
    };
}

mod line_edit;
mod pace;
mod sheet;
#[cfg(test)]
mod snapshot;

instruments! {
    /// The wavefronts of a shared-memory access over the 32 banks.
    Banks(banks::Banks) = "bank-conflict simulator",
    /// Kernels launched, timed, verified and counted.
    Run(run::Run) = "run",
    /// The walk of the A tile and the B tile over t.
    TileWalk(tile_walk::TileWalk) = "tile walk",
    /// Who loads which element of the tiles.
    CooperativeLoad(cooperative::CooperativeLoad) = "cooperative load",
    /// The iteration space and which thread computes which element of C.
    ThreadMap(thread_map::ThreadMap) = "thread map",
    /// The sectors that one warp-wide global access touches.
    Coalescing(coalescing::Coalescing) = "coalescing",
    /// Arithmetic intensity against the device's limits.
    Roofline(roofline::Roofline) = "roofline",
    /// Two warps around a missing barrier, step by step.
    Hazard(hazard::Hazard) = "hazard stepper",
    /// Every variant of a kernel compared.
    Sweep(sweep::Sweep) = "sweep",
    /// Books fetched one by one or a desk-full at a time.
    Library(library::Library) = "library",
}
