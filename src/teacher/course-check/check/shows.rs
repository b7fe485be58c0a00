//! Rules for what a page shows.

use super::known::Around;
use schemars::{Schema, schema_for};
use std::sync::LazyLock;
use tutor_course::lint::{Lint, Path};
use tutor_course::{
    AccessError, At, BankView, BlockScalesView, CoalescingView, CodeView, FormatsView, HazardView, ResiduesView,
    RooflineView, RunView, Show, TimelineView,
};
use tutor_exec::estimate::devices;
use tutor_exec::sweep::Sweep;
use tutor_exec::variant_model::VariantModel;
use tutor_kernels::Catalog;
use tutor_support::expr::Expr;

/// The type of `show`, which states the range of each number.
static SCHEMA: LazyLock<Schema> = LazyLock::new(|| schema_for!(Show));

pub(super) fn check(lint: &mut Lint<'_>, show: &Show, path: &Path<'_>, (catalog, exercises): Around) {
    lint.ranges("bad-show", path, SCHEMA.as_value());
    let known = if matches!(show, Show::Occupancy(_)) { Catalog::built_in() } else { catalog };
    show.kernels().into_iter().for_each(|id| kernel(lint, id, known));
    match show {
        Show::Code(view) => code(lint, view, catalog),
        Show::Exercise(id) => {
            lint.reference("unknown-exercise", "exercise", id, exercises.iter().map(|name| name.id.as_str()));
        }
        Show::TileWalk(walk) if walk.tile > walk.n => {
            let message = format!("`tile` is {}, more than `n`.", walk.tile);
            lint.report("bad-show", &path.to("tile_walk").to("tile"), message, "");
        }
        Show::Coalescing(view) => coalescing(lint, view, &path.to("coalescing")),
        Show::Banks(view) => banks(lint, view, &path.to("banks")),
        Show::Hazard(view) => hazard(lint, view, catalog),
        Show::Run(view) => run(lint, view, &path.to("run"), catalog),
        Show::Sweep(view) => {
            if catalog.kernel(&view.kernel).is_some_and(|kernel| kernel.variants.is_none()) {
                let message = format!("The kernel `{}` comes in one variant.", view.kernel.value);
                lint.report("bad-show", &view.kernel, message, "Name a kernel that has `variants` in the catalogue.");
            }
            let known = catalog.kernel(&view.kernel).filter(|_| view.budget_ms.is_some());
            if known.is_some_and(|kernel| Sweep::recorded(kernel, Some(view.size)).is_none()) {
                let message = "No sweep of this kernel at this size is recorded, so a search has no times.";
                lint.report("bad-show", &path.to("sweep").to("budget_ms"), message, "Leave `budget_ms` out.");
            }
        }
        Show::Choice(view) => {
            let known = |kernel| VariantModel::built_in().is_some_and(|model| model.loss(kernel).is_some());
            if catalog.kernel(&view.kernel).is_some_and(|kernel| !known(kernel)) {
                let message = format!("No variant of the kernel `{}` was measured.", view.kernel.value);
                let help = "Name a kernel of `assets/recorded/choice.yaml`, as it was when its variants were measured.";
                lint.report("bad-show", &view.kernel, message, help);
            }
        }
        Show::Roofline(view) => {
            kernel_list(lint, &view.kernels, RooflineView::MAX_KERNELS, &path.to("roofline"));
        }
        Show::Formats(view) => {
            let [least, most] = FormatsView::SIZES;
            for (field, value) in [("x", view.x), ("y", view.y)] {
                if !(least..=most).contains(&value.abs()) {
                    let message = format!("The size of `{field}` is {value}, not between {least:e} and {most:e}.");
                    lint.report("bad-show", &path.to("formats").to(field), message, "");
                }
            }
        }
        Show::BlockScales(view) => {
            let ([least, most], count) = (BlockScalesView::COUNTS, view.values.len());
            if !(least..=most).contains(&count) {
                let message = format!("{count} numbers are not between {least} and {most}.");
                lint.report("bad-show", &path.to("block_scales").to("values"), message, "");
            }
        }
        Show::Residues(view) => residues(lint, view, &path.to("residues")),
        Show::TensorBox(view) if view.column % 8 != 0 => {
            let message = format!("`column` is {}, not a multiple of 8.", view.column);
            let help = "The copy engine takes only boxes that begin at a multiple of 16 bytes.";
            lint.report("bad-show", &path.to("tensor_box").to("column"), message, help);
        }
        Show::Timeline(view) => {
            if let Some(message) = not_simulated(view, catalog) {
                lint.report("bad-show", &path.to("timeline"), message, "");
            }
        }
        Show::Divergence(view) => {
            let condition = Expr::parse(&view.condition);
            let all = condition.and_then(|condition| {
                let of = |lane| condition.integer(&|name| matches!(name, "lane" | "tx").then_some(lane));
                (0..32).try_for_each(|lane| of(lane).map(drop))
            });
            if let Err(error) = all {
                let place = lint.inside(&view.condition, error.offset.unwrap_or(0));
                lint.report("bad-expression", place, &error.message, "Write it in `lane`, with the operators of C.");
            }
        }
        Show::Occupancy(view) if view.kernel.is_none() && (view.threads.is_none() || view.registers.is_none()) => {
            let message = "`threads` and `registers` are not given, and no `kernel` that has them.";
            lint.report("bad-show", &path.to("occupancy"), message, "Name a kernel, or give both.");
        }
        // Their types say everything about the others.
        _ => {}
    }
}

fn residues(lint: &mut Lint<'_>, view: &ResiduesView, path: &Path<'_>) {
    let ([least, most], count) = (ResiduesView::COUNTS, view.moduli.len());
    if !(least..=most).contains(&count) {
        lint.report("bad-show", &path.to("moduli"), format!("{count} moduli are not between {least} and {most}."), "");
    }
    if let Some([one, other]) = view.not_coprime() {
        let message = format!("The moduli {one} and {other} have a common factor.");
        lint.report("bad-show", &path.to("moduli"), message, "Different integers then have the same residues.");
    }
    let matrices = !view.a.is_empty() || !view.b.is_empty();
    if view.value.is_some() == matrices {
        lint.report("bad-show", path, "Give either `value`, or `a` and `b`.", "");
    } else if matrices && !view.multiplies() {
        let help = "Each has one or two rows of equal length, one or two. `b` has as many rows as `a` has columns.";
        lint.report("bad-show", path, "The matrices `a` and `b` have no product.", help);
    }
}

pub(super) fn kernel(lint: &mut Lint<'_>, id: &At<String>, catalog: &Catalog) {
    let known = catalog.kernels().iter().map(|kernel| kernel.id.as_str());
    lint.reference("unknown-kernel", "kernel", id, known);
}

fn kernel_list(lint: &mut Lint<'_>, ids: &[At<String>], most: usize, path: &Path<'_>) {
    if ids.is_empty() || ids.len() > most {
        let message = format!("{} kernels are not between 1 and {most}.", ids.len());
        lint.report("bad-show", &path.to("kernels"), message, "");
    }
    for (index, id) in ids.iter().enumerate() {
        if ids.iter().take(index).any(|other| other == id) {
            lint.report("bad-show", id, format!("The kernel `{}` is given twice.", id.value), "");
        }
    }
}

pub(super) fn code(lint: &mut Lint<'_>, view: &CodeView, catalog: &Catalog) {
    let Some(source) = catalog.kernel(&view.kernel).map(|kernel| &kernel.source) else { return };
    let mut region = None;
    if let Some(name) = &view.region {
        region = source.region(name);
        if region.is_none() {
            let known = source.regions().iter().map(|region| region.name.as_str());
            return lint.reference("unknown-region", "region", name, known);
        }
    }
    let mut anchored: Vec<(u32, &str)> = Vec::new();
    for note in &view.notes {
        let line = source.lines(region).find(|(_, line)| line.contains(note.at.value.as_str()));
        let empty = note.at.value.trim().is_empty();
        match line {
            Some((number, _)) if !empty => {
                if let Some((_, other)) = anchored.iter().find(|(known, _)| *known == number) {
                    let message = format!("This note and that at `{other}` go to the same line.");
                    let help = "Anchor it to text that occurs first on another line.";
                    lint.report("note-not-found", &note.at, message, help);
                }
                anchored.push((number, &note.at.value));
            }
            _ => {
                let what =
                    view.region.as_ref().map_or("the file".to_owned(), |name| format!("region `{}`", name.value));
                let message = format!("`{}` does not occur in {what} of `{}`.", note.at.value, view.kernel.value);
                lint.report("note-not-found", &note.at, message, "Copy a piece of the line that the note is for.");
            }
        }
        if note.note.trim().is_empty() {
            lint.report("empty-text", &note.at, "The note is empty.", "");
        }
    }
}

pub(super) fn access(lint: &mut Lint<'_>, error: &AccessError, row: &At<String>, column: &At<String>, path: &Path<'_>) {
    let expression = match error.field {
        "row" => row,
        "column" => column,
        field => return lint.report("bad-show", &path.to(field), &error.message, ""),
    };
    match error.offset {
        Some(offset) => {
            let place = lint.inside(expression, offset);
            let help = "Names are lane, tx, ty and k; operators are those of C.";
            lint.report("bad-expression", place, &error.message, help);
        }
        None => lint.report("bad-expression", expression, &error.message, ""),
    }
}

pub(super) fn coalescing(lint: &mut Lint<'_>, view: &CoalescingView, path: &Path<'_>) {
    if let Err(error) = view.access(0, 0) {
        access(lint, &error, &view.row, &view.column, path);
    }
}

pub(super) fn banks(lint: &mut Lint<'_>, view: &BankView, path: &Path<'_>) {
    if let Err(error) = view.access() {
        access(lint, &error, &view.row, &view.column, path);
    }
}

fn hazard(lint: &mut Lint<'_>, view: &HazardView, catalog: &Catalog) {
    let kernels = [(Some(&view.kernel), true), (Some(&view.correct), false), (view.delayed.as_ref(), true)];
    for (id, wrong) in kernels {
        let Some(id) = id else { continue };
        if catalog.kernel(id).is_some_and(|known| known.expected_wrong != wrong) {
            let message = if wrong {
                format!("According to the catalogue, `{}` is correct, so it has no hazard to show.", id.value)
            } else {
                format!("According to the catalogue, `{}` is incorrect, so it cannot be the counterpart.", id.value)
            };
            lint.report("hazard-kernel", id, message, "");
        }
    }
}

/// Returns why a launch cannot be simulated.
pub(super) fn not_simulated(view: &TimelineView, catalog: &Catalog) -> Option<String> {
    let name = view.program();
    if catalog.kernel(&view.kernel).is_some() && catalog.find(&name).is_none() {
        return Some(format!("The kernel has no variant `{name}`."));
    }
    let device = view.device.as_ref().filter(|device| !devices().contains(&device.value.as_str()));
    if let Some(device) = device {
        return Some(format!("There are no constants of `{}`. Known are {}.", device.value, devices().join(", ")));
    }
    None
}

fn run(lint: &mut Lint<'_>, view: &RunView, path: &Path<'_>, catalog: &Catalog) {
    kernel_list(lint, &view.kernels, RunView::MAX_KERNELS, path);
    let elements = |id: &At<String>| catalog.kernel(id).map(|kernel| kernel.elements);
    // An unknown kernel has no element type.
    let first = view.kernels.iter().find_map(elements);
    if let Some(other) = view.kernels.iter().find(|id| elements(id).is_some_and(|of| Some(of) != first)) {
        let message = format!("`{}` multiplies other elements than the first kernel.", other.value);
        let help = "Kernels of one run share their matrices: show each type on its own page.";
        lint.report("bad-show", other, message, help);
    }
    lint.at_most(RunView::MAX_SIZES, "sizes", view.sizes.len(), &path.to("sizes"));
    if !view.sizes.is_empty() && !view.sizes.contains(&view.size) {
        let message = format!("`size` is {}, which is not one of `sizes`.", view.size);
        lint.report("bad-show", &path.to("size"), message, "");
    }
}
