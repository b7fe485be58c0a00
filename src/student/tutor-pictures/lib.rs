/*! Interactive pictures for pages (`show` in a page's YAML).

Each picture is a module with a struct that implements [`Picture`]. A new picture needs this module, a variant of
[`Show`], a line in [`picture()`], and what else ARCHITECTURE.md lists. Most pictures are values that the student changes, and
rows that follow from them. For these, `control::Panel` implements the trait, and the module only says how to draw. Begin
with `warp_tile`. `grid::Grid` draws the elements of a matrix and finds the one that was clicked.

A picture knows its page, the course's kernels, and what was recorded or measured ([`Setting`]). It does not know the
screens, the store, the exercises or the worker. It returns [`Effect`]s, and it receives the worker's replies.
*/

mod banks;
mod block_scales;
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
mod grid;
mod hazard;
mod hierarchy;
mod ilp;
mod library;
mod moduli;
mod names;
mod occupancy;
mod ozaki;
mod pace;
mod picture;
mod prelude;
mod raster;
mod register_tile;
mod residues;
mod ring;
mod roofline;
mod run;
mod setting;
mod speed_contest;
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
pub use picture::Picture;
pub use setting::Setting;
pub use speed_contest::SpeedContest;

use control::Panel;
use tutor_course::Show;

/// Returns the picture of a page; None for code and exercises, which the lesson draws itself.
pub fn picture(show: &Show, setting: Setting) -> Option<Box<dyn Picture>> {
    Some(match show {
        Show::Code(_) | Show::Exercise(_) => return None,
        Show::Banks(view) => Box::new(Banks::new(view)),
        Show::BlockScales(view) => Box::new(Panel::new(block_scales::BlockScales::new(view))),
        Show::Choice(view) => Box::new(Panel::new(choice::Choice::new(view, setting))),
        Show::Coalescing(view) => Box::new(coalescing::Coalescing::new(view.clone())),
        Show::CooperativeLoad(view) => Box::new(cooperative::Cooperative::new(view.tile)),
        Show::Divergence(view) => Box::new(Panel::new(divergence::Divergence::new(view))),
        Show::Formats(view) => Box::new(Panel::new(formats::Formats::new(view))),
        Show::Fragment(view) => Box::new(fragment::FragmentPicture::new(view)),
        Show::Frontier(view) => Box::new(Panel::new(frontier::FrontierPicture::new(view))),
        Show::Hazard(view) => Box::new(Hazard::new(view, setting)),
        Show::Hierarchy(view) => Box::new(Panel::new(hierarchy::Hierarchy::new(view, setting.latencies.cloned()))),
        Show::Ilp(view) => Box::new(Panel::new(ilp::Ilp::new(view, setting.latencies))),
        Show::Library(view) => Box::new(library::Library::new(view)),
        Show::Moduli(view) => Box::new(Panel::new(moduli::Moduli::new(view))),
        Show::Occupancy(view) => Box::new(Panel::new(occupancy::Occupancy::new(view))),
        Show::Raster(view) => Box::new(Panel::new(raster::Raster::new(view))),
        Show::RegisterTile(view) => Box::new(register_tile::RegisterTile::new(view)),
        Show::Residues(view) => Box::new(Panel::new(residues::Residues::new(view))),
        Show::Ring(view) => Box::new(Panel::new(ring::Ring::new(view))),
        Show::Roofline(view) => Box::new(roofline::Roofline::new(view, setting)),
        Show::Run(view) => Box::new(run::Run::new(view, setting)),
        Show::Stages(view) => Box::new(Panel::new(stages::Stages::new(view, setting.latencies))),
        Show::Sweep(view) => Box::new(sweep::Sweep::new(view, setting)),
        Show::TensorBox(view) => Box::new(Panel::new(tensor_box::TensorBox::new(view))),
        Show::ThreadMap(view) => Box::new(thread_map::ThreadMap::new(view.m, view.n, view.k)),
        Show::Timeline(view) => Box::new(timeline::TimelinePicture::new(view, setting)),
        Show::TileWalk(view) => Box::new(tile_walk::TileWalk::new(view)),
        Show::WarpTile(view) => Box::new(Panel::new(warp_tile::WarpTile::new(view))),
    })
}
