//! `plot`: draws a recording as a picture.

mod svg;

use super::support::read_text;
use crate::prelude::*;
use svg::{Panel, Rung};
use tutor_course::Course;
use tutor_exec::recorded::Recording;
use tutor_kernels::Elements;
use tutor_support::sentence;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The SVG file to write.
    file: PathBuf,
    /// A recording made by `bench --record` [default: the built-in recording].
    #[arg(long, value_name = "FILE")]
    recording: Option<PathBuf>,
    /// Element types, with one panel each [default: all recorded types].
    #[arg(long, value_name = "TYPE", value_parser = elements)]
    elements: Vec<Elements>,
    /// Draw every correct kernel, not only the ladder of the course.
    #[arg(long)]
    all: bool,
}

fn elements(text: &str) -> Result<Elements, String> {
    let found = Elements::ALL.into_iter().find(|elements| elements.name().eq_ignore_ascii_case(text));
    let or_short = Elements::ALL.into_iter().find(|elements| format!("{elements:?}").eq_ignore_ascii_case(text));
    found.or(or_short).ok_or_else(|| "it takes f32, tf32, f16 or bf16".to_owned())
}

/// Draws GFLOP/s against size.
pub(super) fn run(args: &Args, globals: &Globals) -> anyhow::Result<Exit> {
    let own = match &args.recording {
        None => None,
        Some(path) => {
            let file = path.display().to_string();
            let parsed = read_text(path).and_then(|text| {
                serde_json::from_str::<Recording>(&text)
                    .map_err(|error| sentence!("cli-plot-no-recording", file, why = error.to_string()))
            });
            match parsed {
                Ok(recording) => Some(recording),
                Err(why) => {
                    return Ok(failure(Exit::Usage, why.to_string(), Some(&t!("cli-plot-no-recording-help"))));
                }
            }
        }
    };
    let Some(recording) = own.as_ref().or_else(|| Recording::built_in().first()) else {
        return Ok(failure(Exit::Usage, t!("cli-plot-none"), Some(&t!("cli-plot-none-help"))));
    };
    let (catalog, _) = Catalog::of_course_in(globals.course.as_deref(), globals.lang.code());
    let rungs = rungs(recording, &catalog, args.all, globals);
    let wanted = |elements: &Elements| args.elements.is_empty() || args.elements.contains(elements);
    let panels: Vec<Panel> = Elements::ALL
        .into_iter()
        .filter(wanted)
        .filter_map(|elements| {
            let rungs: Vec<Rung> = rungs.iter().filter(|rung| rung.elements == elements).cloned().collect();
            (!rungs.is_empty()).then_some(Panel { elements, rungs })
        })
        .collect();
    if panels.is_empty() {
        return Ok(failure(Exit::Failed, t!("cli-plot-nothing"), None));
    }
    std::fs::write(&args.file, svg::draw(recording, &panels))?;
    output::note(t!("cli-wrote", file = args.file.display().to_string()));
    Ok(Exit::Done)
}

/// Returns the recorded kernels to draw, in the catalogue's order: the ladder of each level. A level without a ladder
/// contributes all its correct kernels.
fn rungs(recording: &Recording, catalog: &Catalog, all: bool, globals: &Globals) -> Vec<Rung> {
    let course = Course::load(&CourseSource::from_option(globals.course.as_deref()), globals.lang.code());
    let named = |level: &str| {
        let level = course.levels.iter().find(|of| of.id == level)?;
        (!level.ladder.is_empty()).then_some(&level.ladder)
    };
    let right = catalog.kernels().iter().filter(|kernel| !kernel.expected_wrong);
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
