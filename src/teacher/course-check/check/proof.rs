/*! Rules that compare a page's sentences with its evidence: a cause needs a claim `because`, and a speed must agree with the recorded
times of the panel next to it.

Both are warnings, and a page can allow itself to break them. They apply to the original edition.
*/

use super::teaching::allows;
use tutor_course::lint::{Lint, Path};
use tutor_course::{Claim, Page, RecordedFigure, Show, SweepFigure};
use tutor_exec::recorded::Recording;
use tutor_kernels::Catalog;

/// Words that announce a cause.
const CAUSES: [&str; 3] = ["because", "therefore", "the reason"];
/// A number that is this near to a recorded value, but not equal to it, is probably meant to be that value.
const NEAR: f64 = 0.15;

/// The unit of a number that the panel shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Unit {
    Speed,
    /// Percent of cuBLAS's speed.
    Share,
    /// A quotient of two speeds or counts.
    Times,
}

/// A value that the page's panel shows or its claims state.
type Known = (Unit, f64);

pub(super) fn check(lint: &mut Lint<'_>, page: &Page, path: &Path<'_>, catalog: &Catalog) {
    let texts = [("text", &page.text), ("after", &page.after)];
    if !allows(page, "cause-unproved") && compares_times(page) {
        let proved = page.claims.iter().any(|claim| matches!(claim.value, Claim::Because(_)));
        let predict = page.predict.iter().flat_map(|predict| &predict.choices).filter(|choice| choice.correct);
        let replies = predict.flat_map(|choice| [("predict", &choice.text), ("predict", &choice.reply)]);
        let model = page.why.iter().map(|why| ("why", &why.model));
        for (field, text) in texts.into_iter().chain(replies).chain(model) {
            let lower = text.to_lowercase();
            if let Some(word) = CAUSES.iter().find(|word| !proved && lower.contains(*word)) {
                let message = format!(
                    "The page compares measured times and states a cause (\"{word}\") without a claim `because`."
                );
                let help = "Name the count that changed with the time. `allow: [cause-unproved]` if none can.";
                lint.report("cause-unproved", &path.to(field), message, help);
            }
        }
    }
    let known = known(page, catalog);
    if known.is_empty() || allows(page, "number-differs") {
        return;
    }
    for (field, text) in texts {
        for (unit, digits, stated) in stated(text) {
            let off = |value: f64| (value - stated).abs();
            let of_unit = || known.iter().filter(|(of, _)| *of == unit).map(|(_, value)| *value);
            // Half of the last digit, and an allowance for binary rounding.
            if of_unit().any(|value| off(value) <= 0.500_001 * 0.1_f64.powi(digits)) {
                continue;
            }
            if let Some(near) =
                of_unit().filter(|value| off(*value) < NEAR * stated).min_by(|a, b| off(*a).total_cmp(&off(*b)))
            {
                let message = format!("The page states {stated:.*}, but its recording has {near:.4}.", digits as usize);
                let help = "Correct the number. `allow: [number-differs]` if it is about something else.";
                lint.report("number-differs", &path.to(field), message, help);
            }
        }
    }
}

/// True if the page's claims compare the recorded times of two kernels.
fn compares_times(page: &Page) -> bool {
    let mut kernels = Vec::new();
    for claim in &page.claims {
        match &claim.value {
            Claim::Recorded(recorded) if matches!(recorded.states, RecordedFigure::Speedup(_)) => return true,
            Claim::Recorded(recorded) => kernels.push(recorded.kernel.as_str()),
            Claim::Cycles(cycles) => kernels.push(cycles.kernel.as_str()),
            _ => {}
        }
    }
    kernels.iter().any(|kernel| *kernel != kernels[0])
}

/// Returns the values that the page's panel and claims give.
fn known(page: &Page, catalog: &Catalog) -> Vec<Known> {
    let (mut kernels, mut sizes, mut devices, mut known) = (Vec::new(), Vec::new(), vec!["NVIDIA H200"], Vec::new());
    let shown: (&[_], _) = match &page.show {
        Some(Show::Run(view)) => (&view.kernels, [&[view.size], view.sizes.as_slice()].concat()),
        Some(Show::Roofline(view)) => (&view.kernels, vec![view.size]),
        _ => (&[], Vec::new()),
    };
    kernels.extend(shown.0.iter().map(|id| id.as_str()));
    sizes.extend(shown.1);
    for claim in &page.claims {
        match &claim.value {
            Claim::Recorded(recorded) => {
                devices.push(&recorded.device);
                sizes.push(recorded.size);
                kernels.push(&recorded.kernel);
                if let RecordedFigure::Speedup(speedup) = &recorded.states {
                    kernels.push(&speedup.over);
                }
            }
            Claim::Ratio(ratio) => known.push((Unit::Times, ratio.is)),
            Claim::Sweep(sweep) => {
                if let SweepFigure::Highest(of) | SweepFigure::Lowest(of) | SweepFigure::Mean(of) = sweep.states {
                    known.push((Unit::Speed, of / 1000.0));
                }
            }
            _ => {}
        }
    }
    let recordings = Recording::built_in().iter().filter(|recording| devices.contains(&recording.device.as_str()));
    for (recording, size) in recordings.flat_map(|recording| sizes.iter().map(move |size| (recording, *size))) {
        let rows = kernels.iter().filter_map(|id| recording.row(catalog.kernel(id)?, size));
        let cublas = rows.clone().filter_map(|row| recording.cublas_ms(row));
        let times: Vec<f64> = rows.clone().map(|row| row.time.median_ms).chain(cublas).collect();
        let speeds = times.iter().map(|ms| (Unit::Speed, 2.0 * f64::from(size).powi(3) / ms / 1e9));
        let quotients = times.iter().flat_map(|ms| times.iter().map(move |other| (Unit::Times, other / ms)));
        let share = |row| Some((Unit::Share, 100.0 * recording.cublas_ms(row)? / row.time.median_ms));
        known.extend(speeds.chain(quotients).chain(rows.filter_map(share)));
    }
    known
}

/// Returns the numbers with a unit in a text: `8.6, 15.9 and 23.8 TFLOP/s` has three. Each has its unit, its decimals and its value.
fn stated(text: &str) -> Vec<(Unit, i32, f64)> {
    let (mut found, mut pending) = (Vec::new(), Vec::new());
    let mut words =
        text.split(|c: char| c.is_whitespace() || "–|*()".contains(c)).filter(|word| !word.is_empty()).peekable();
    while let Some(word) = words.next() {
        let unit = match word.trim_end_matches(['.', ',', ':', ';', '?']) {
            "TFLOP/s" => Some((Unit::Speed, 1.0)),
            "GFLOP/s" => Some((Unit::Speed, 1000.0)),
            "times" => Some((Unit::Times, 1.0)),
            "%" if words.next_if_eq(&"of").is_some() && words.next_if(|next| next.starts_with("cuBLAS")).is_some() => {
                Some((Unit::Share, 1.0))
            }
            "to" | "and" | "→" => continue,
            number => {
                let (digits, times) = number.strip_suffix('×').map_or((number, false), |digits| (digits, true));
                let digits = digits.replace(',', "");
                match digits.parse::<f64>() {
                    Ok(value) if digits.starts_with(|c: char| c.is_ascii_digit()) => {
                        pending.push((digits.split_once('.').map_or(0, |(_, after)| after.len() as i32), value));
                    }
                    _ => pending.clear(),
                }
                times.then_some((Unit::Times, 1.0))
            }
        };
        if let Some((unit, scale)) = unit {
            let scaled = |(digits, value): (i32, f64)| (unit, digits + if scale > 1.0 { 3 } else { 0 }, value / scale);
            found.extend(pending.drain(..).map(scaled));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_with_their_unit_and_others_are_left_out() {
        let texts = [
            (
                "*Measured*: 8.6, 15.9 and 23.8 TFLOP/s.",
                vec![(Unit::Speed, 1, 8.6), (Unit::Speed, 1, 15.9), (Unit::Speed, 1, 23.8)],
            ),
            (
                "4702 GFLOP/s, 1.25× in **2.4 to 2.8 times**",
                vec![(Unit::Speed, 3, 4.702), (Unit::Times, 2, 1.25), (Unit::Times, 1, 2.4), (Unit::Times, 1, 2.8)],
            ),
            ("87 % of cuBLAS, 87 % of 132 SMs, 8 × 8 at n = 4096", vec![(Unit::Share, 0, 87.0)]),
            ("from 1.15 it takes three times", vec![]),
        ];
        for (text, numbers) in texts {
            assert_eq!(stated(text), numbers, "{text}");
        }
    }
}
