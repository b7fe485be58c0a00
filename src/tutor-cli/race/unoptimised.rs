//! Variables and shared memory that are read before they have a value. An optimising compiler removes such reads, and often
//! everything that depends on them. So a CUDA file is also compiled without optimisation, and launched once.

use super::compile::Compiled;
use super::search::{Passes, races};
use super::{Args, LaunchArgs, Report};
use crate::emulate::undefined;
use ptx_emulator::{Rule, Undefined};

/// Adds what is read without a value to the report, unless a launch has shown the line. Says nothing if the file does not compile
/// without optimisation.
pub(super) fn search(args: &Args, described: &LaunchArgs, compiled: &Compiled, report: &mut Report) {
    if report.launches.first().is_none_or(|first| first.stopped.is_some()) {
        return;
    }
    let found = compiled.without_optimisation(described).map(|plain| races(args, described, &plain, Passes::One));
    let Some(Ok((once, _))) = found else { return };
    let place = |found: &Undefined| (found.rule, found.place.line);
    let shown: Vec<_> = report.undefined.iter().map(place).collect();
    // The lines of the PTX are not those of the text that was launched before.
    let unwritten = |found: &Undefined| matches!(found.rule, Rule::UnwrittenRegister | Rule::UnwrittenShared);
    let new = |found: &Undefined| unwritten(found) && found.place.line != 0 && !shown.contains(&place(found));
    undefined::merge(&mut report.undefined, once.undefined.into_iter().filter(new).collect());
    report.settle();
}
