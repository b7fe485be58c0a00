//! `bench --tune`: compares a kernel's variants on this device, and keeps the best for later runs.

mod go;
mod heat;

use super::Args;
use crate::prelude::*;
use tutor_exec::protocol::{Device, Shape, Target};
use tutor_exec::sweep::Sweep;
use tutor_exec::tuned::Tuned;
use tutor_exec::variant_pick::VariantPick;
use tutor_kernels::Variants;
use tutor_progress::data_dir;

/// Seconds for timing a variant the first time.
const SECONDS: f64 = 0.05;

/// The document that `--json` prints.
#[derive(Debug, Serialize)]
struct TuneDocument<'a> {
    kernel: &'a str,
    axes: Vec<AxisRow<'a>>,
    sweeps: &'a [Sweep],
    recorded: Option<&'a Sweep>,
}

#[derive(Debug, Serialize)]
struct AxisRow<'a> {
    name: &'a str,
    constants: &'a [String],
    values: Vec<&'a str>,
}

pub(super) fn run(id: &str, args: &Args, globals: &Globals) -> anyhow::Result<Exit> {
    let (catalog, _) = Catalog::of_course_in(globals.course.as_deref(), globals.lang.code());
    let Some(kernel) = catalog.kernel(id) else {
        let help = catalog.nearest(id).map(|nearest| t!("cli-tune-nearest", nearest));
        let message = t!("exec-no-kernel", kernel = id.escape_debug().to_string());
        return Ok(failure(Exit::Usage, &message, help.as_deref()));
    };
    let Some(variants) = kernel.variants.as_deref() else {
        let with: Vec<&str> =
            catalog.kernels().iter().filter(|k| k.variants.is_some()).map(|k| k.id.as_str()).collect();
        let help = t!("cli-tune-one-variant-help", kernels = with.join(", "));
        let message = t!("cli-tune-one-variant", kernel = kernel.id);
        return Ok(failure(Exit::Usage, &message, (!with.is_empty()).then_some(help.as_str())));
    };
    if args.list {
        list(kernel, variants, args.json)?;
        return Ok(Exit::Done);
    }
    if args.forget {
        let data = data_dir(globals.data.as_deref())?;
        let mut tuned = Tuned::load(&data);
        let count = tuned.forget(&kernel.id);
        tuned.save(&data)?;
        output::note(t!("cli-tune-forgot", count, kernel = &kernel.id));
        return Ok(Exit::Done);
    }
    let session = Session::start()?;
    let description = session.describe()?;
    let device = match (globals.on, description.why_not_cuda.as_ref()) {
        (Target::Cuda, Some(why)) => {
            return Ok(failure(Exit::NoDevice, t!("cli-tune-no-gpu", why), None));
        }
        (Target::Emulator, _) | (_, Some(_)) => None,
        _ => Some(&description.device),
    };
    // Without a GPU, recorded times of another GPU are more useful than counts from the emulator.
    let recorded = match args.size.as_slice() {
        _ if globals.on == Target::Emulator || device.is_some() || args.record.is_some() => None,
        [] => Sweep::recorded(kernel, None),
        [n] => Sweep::recorded(kernel, Some(*n)),
        _ => None,
    };
    if recorded.is_some() {
        let why = description.why_not_cuda.unwrap_or_default();
        output::remark(t!("cli-tune-recorded", why));
    }
    let sizes = match (args.size.as_slice(), device) {
        _ if recorded.is_some() => &[],
        ([], Some(_)) => &[2048][..],
        ([], None) => &[128],
        (sizes, _) => sizes,
    };
    let mut sweeps = Vec::new();
    for &n in sizes {
        let comparison = go::Comparison { kernel, variants, n, seconds: args.seconds.unwrap_or(SECONDS), device };
        let Some(sweep) = go::go(&session, &comparison)? else { return Ok(Exit::Interrupted) };
        sweeps.push(sweep);
    }
    if let Some(path) = &args.record {
        output::file(path, &(serde_json::to_string_pretty(&sweeps)? + "\n"))?;
    }
    keep(&sweeps, globals)?;
    if args.json {
        let axes = variants.axes.iter().map(|axis| AxisRow {
            name: &axis.name,
            constants: &axis.constants,
            values: axis.values.iter().map(|(label, _)| label.as_str()).collect(),
        });
        output::json(&TuneDocument { kernel: &kernel.id, axes: axes.collect(), sweeps: &sweeps, recorded })?;
    } else {
        let paint = heat::Paint::new(globals);
        for sweep in sweeps.iter().chain(recorded) {
            heat::print(kernel, variants, sweep, recorded.is_some(), &paint)?;
        }
    }
    let wrong = sweeps.iter().flat_map(|sweep| &sweep.points).find(|point| !point.may_be_best());
    Ok(match wrong.filter(|_| !kernel.expected_wrong) {
        Some(point) => failure(Exit::Failed, t!("cli-tune-wrong-variant", variant = point.variant), None),
        None => Exit::Done,
    })
}

/// Keeps the best variant of every timed sweep for `run` and `bench`.
fn keep(sweeps: &[Sweep], globals: &Globals) -> anyhow::Result<()> {
    if !sweeps.iter().any(Sweep::timed) {
        return Ok(());
    }
    let data = data_dir(globals.data.as_deref())?;
    let mut tuned = Tuned::load(&data);
    for sweep in sweeps {
        if let Some(choice) = tuned.learn(sweep) {
            let variant = format!("{}@{}", choice.kernel, choice.variant);
            output::note(t!("cli-tune-kept", n = choice.n.to_string(), variant));
        }
    }
    Ok(tuned.save(&data)?)
}

fn list(kernel: &Kernel, variants: &Variants, json: bool) -> anyhow::Result<()> {
    #[derive(Serialize)]
    struct Row<'a> {
        variant: &'a str,
        constants: &'a tutor_kernels::Constants,
        impossible: Option<String>,
    }
    let rows = variants.points.iter().map(|point| Row {
        variant: &point.name,
        constants: &point.constants,
        impossible: point.launch.as_ref().err().map(ToString::to_string),
    });
    if json {
        output::json(&rows.collect::<Vec<_>>())?;
        return Ok(());
    }
    for row in rows {
        let why = row.impossible.map_or_else(String::new, |why| format!("  {}", t!("cli-tune-list-impossible", why)));
        output::line(format_args!("{}@{}{why}", kernel.id, row.variant))?;
    }
    let (possible, all) = (variants.possible().count(), variants.points.len());
    output::note(t!("cli-tune-possible", count = possible, all));
    Ok(())
}

/// Returns the variant that runs on a device if the user names none. Returns `None` for a kernel without variants.
pub(crate) fn variant_pick(kernel: &Kernel, device: &Device, shape: Shape, globals: &Globals) -> Option<VariantPick> {
    kernel.variants.as_ref()?;
    // Without a data directory, there are no tuned variants.
    let tuned = data_dir(globals.data.as_deref()).map(|data| Tuned::load(&data)).unwrap_or_default();
    VariantPick::on(kernel, device, shape, &tuned)
}
