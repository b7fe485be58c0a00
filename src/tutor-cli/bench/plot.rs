//! `bench --svg`: draws times as a picture.

use super::Args;
use super::svg::{self, Panel, Rung};
use crate::prelude::*;
use crate::support::read_text;
use tutor_course::Course;
use tutor_exec::recorded::Recording;
use tutor_kernels::Elements;
use tutor_support::sentence;
use tutor_support::words::Sentence;

pub(super) fn elements(text: &str) -> Result<Elements, String> {
    let found = Elements::ALL.into_iter().find(|elements| elements.name().eq_ignore_ascii_case(text));
    let or_short = Elements::ALL.into_iter().find(|elements| format!("{elements:?}").eq_ignore_ascii_case(text));
    found.or(or_short).ok_or_else(|| "it takes f32, tf32, f16, bf16, e4m3, s8 or f64".to_owned())
}

pub(super) fn read(path: &Path) -> Result<Recording, Sentence> {
    let file = path.display().to_string();
    read_text(path).and_then(|text| {
        serde_json::from_str(&text).map_err(|error| {
            sentence!("cli-plot-no-recording", file, why = tutor_support::text::without_types(&error.to_string()))
        })
    })
}

/// Draws GFLOP/s against size into the file of `--svg`, if there is one.
pub(super) fn draw(args: &Args, recording: &Recording, kernels: &[Kernel], globals: &Globals) -> anyhow::Result<()> {
    let Some(path) = &args.svg else { return Ok(()) };
    let rungs = rungs(recording, kernels, args.all || !args.kernel.is_empty(), globals);
    let panel = |elements| {
        let rungs: Vec<Rung> = rungs.iter().filter(|rung| rung.elements == elements).cloned().collect();
        (!rungs.is_empty()).then_some(Panel { elements, rungs })
    };
    let panels: Vec<Panel> = Elements::ALL.into_iter().filter_map(panel).collect();
    if panels.is_empty() {
        anyhow::bail!(t!("cli-plot-nothing"));
    }
    output::file(path, &svg::draw(recording, &panels))?;
    Ok(())
}

/// Returns the recorded kernels to draw, in the catalogue's order: the ladder of each level. A level without a ladder
/// contributes all its correct kernels.
fn rungs(recording: &Recording, kernels: &[Kernel], all: bool, globals: &Globals) -> Vec<Rung> {
    let course = Course::load(&CourseSource::from_option(globals.course.as_deref()), globals.lang.code());
    let named = |level: &str| {
        let level = course.levels.iter().find(|of| of.id == level)?;
        (!level.ladder.is_empty()).then_some(&level.ladder)
    };
    let right = kernels.iter().filter(|kernel| !kernel.expected_wrong);
    let on_ladder = right.filter(|kernel| all || named(&kernel.level).is_none_or(|ladder| ladder.contains(&kernel.id)));
    on_ladder
        .map(|kernel| Rung {
            elements: kernel.elements,
            label: kernel.title.clone(),
            points: recording
                .sizes(kernel)
                .into_iter()
                .filter_map(|n| Some((n, recording.row(kernel, n)?.time.gflops)))
                .collect(),
        })
        .filter(|rung| !rung.points.is_empty())
        .collect()
}
