//! Prints the catalogue by level, with recorded speeds and the kernels that cannot run here.

use super::Available;
use crate::prelude::*;
use std::collections::BTreeMap;
use std::io::IsTerminal as _;
use tutor_course::Course;
use tutor_exec::protocol::{Description, DeviceKind};
use tutor_exec::recorded::Recording;
use tutor_kernels::Elements;
use tutor_support::figures::{percent, speed};
use ui_kit::look::truncate;
use unicode_width::UnicodeWidthStr as _;

/// Prints levels with their kernels: id, element type, recorded speed, share of cuBLAS, title.
pub(super) fn print(
    catalog: &Catalog,
    description: Option<&Description>,
    available: impl Fn(&Kernel) -> Available,
    globals: &Globals,
) -> anyhow::Result<()> {
    let recording = Recording::nearest(description.map(|description| &description.device));
    let recorded = recording.and_then(|recording| Some((recording, recording.common_size()?)));
    if let Some((recording, n)) = recorded {
        let label = (&recording.device, &recording.driver, &recording.date);
        output::line(t!(
            "cli-kernels-recorded",
            cublas = recording.against.name(Elements::F32),
            device = label.0,
            driver = label.1,
            date = label.2,
            n = n.to_string()
        ))?;
    }
    let course = Course::load(&CourseSource::from_option(globals.course.as_deref()), globals.lang.code());
    let widest = catalog.kernels().iter().map(|kernel| kernel.id.width()).max().unwrap_or(0);
    let on_gpu = description.is_some_and(|description| description.device.kind == DeviceKind::Cuda);
    let to_terminal = std::io::stdout().is_terminal();
    let none = globals.none();
    let mut level = "";
    // For each reason, the kernels that cannot run because of it.
    let mut reasons: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for kernel in catalog.kernels() {
        if kernel.level != level {
            level = &kernel.level;
            let title = course.level(level).map_or(level, |level| level.title.as_str());
            let number = super::level_number(catalog, level);
            output::line(format_args!("\n{}", t!("cli-kernels-level", number, title)))?;
        }
        let row = recorded.and_then(|(recording, n)| recording.row(kernel, n));
        let share = recorded.and_then(|(recording, n)| recording.share_of_cublas(kernel, n));
        let mut title = kernel.title.clone();
        if kernel.expected_wrong {
            title = t!("cli-kernels-wrong", title);
        }
        if let Some(variant) = row.and_then(|row| row.variant.as_ref()) {
            title = t!("cli-kernels-variant", title, variant);
        }
        let line = format!(
            "  {}  {}  {}  {}  {title}",
            pad(&kernel.id, widest),
            pad(&kernel.elements.to_string(), 9),
            pad_left(&row.map_or_else(|| none.to_owned(), |row| speed(row.time.gflops)), 13),
            pad_left(&share.map_or_else(|| none.to_owned(), |share| percent(share).to_string()), 7),
        );
        let room =
            if to_terminal { output::columns().map_or(usize::MAX, |columns| columns.max(60)) } else { usize::MAX };
        output::line(truncate(&line, room, globals.ascii))?;
        let available = available(kernel);
        // If there is no GPU at all, that is reported only once.
        if !available.emulator || on_gpu && !available.cuda {
            for reason in available.reasons {
                reasons.entry(reason).or_default().push(&kernel.id);
            }
        }
    }
    let no_gpu = description.and_then(|description| description.why_not_cuda.as_ref()).filter(|_| !on_gpu);
    if let Some(why) = no_gpu {
        reasons.remove(&why.to_string());
        output::line(format_args!("\n{}", t!("cli-kernels-no-gpu", why)))?;
    }
    for (reason, kernels) in reasons {
        output::line(format_args!("\n{}", t!("cli-kernels-unavailable", kernels = kernels.join(", "), why = reason)))?;
    }
    Ok(())
}
