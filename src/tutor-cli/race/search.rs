//! Launches kernels in several sizes and orders, and collects their races.

mod launched;

use super::compile::Compiled;
use super::program::{Launch, Program, Step};
use super::{Args, REPEATED, Race, Report, Tried, line_of};
use crate::emulate::arguments::wrong_call;
use crate::emulate::hazards::{Shown, at_line, describe, index, settle_headers};
use crate::emulate::launch::{LaunchArgs, guessed, lacks_shared, opt_ins, until_then};
use crate::emulate::undefined;
use ptx_emulator::{
    BufferId, Control, Fault, FaultKind, Hazard, HazardKind, HazardSeverity, Kernel, Measure, Memory, Module, Options,
    Schedule, Stream, attempt, attempt_in, witness,
};
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hasher as _};
use std::path::{Path, PathBuf};
use tutor_support::t;
use tutor_support::words::recognise;

/// Sizes to try if none is given: blocks, then threads per block. The last one is for kernels with a second dimension.
const SIZES: [[[u32; 3]; 2]; 4] =
    [[[1, 1, 1], [256, 1, 1]], [[4, 1, 1], [64, 1, 1]], [[8, 1, 1], [32, 1, 1]], [[2, 2, 1], [16, 16, 1]]];
/// Maximum number of races for which a witness is searched for, and of bytes that this copies.
const MAX_WITNESSES: usize = 8;
const MAX_COPIED: u64 = 64 << 20;
/// Bytes of dynamic shared memory, if a program computes them from what is not known.
const GUESSED_SHARED: u64 = 32 << 10;

/// A kernel, and what is known about its launch. The rest is guessed.
#[derive(Clone)]
struct Case {
    kernel: Kernel,
    /// The kernel's name for people.
    name: String,
    /// Grid, block, shared memory, and the arguments before the first that is guessed.
    described: LaunchArgs,
    /// The arguments that are known.
    args: Vec<Option<String>>,
    line: Option<usize>,
    /// The header with the launch, if it is in one.
    header: String,
    /// The parameters that are integers, though they are as wide as an address.
    integers: Vec<usize>,
    /// Whether the host lets it start before the launch before it has ended, if that is known.
    dependent: Option<bool>,
}

impl Case {
    /// True if it may start before the launch before it has ended. A kernel that waits for that launch is made for this.
    fn may_overlap(&self) -> bool {
        self.dependent.unwrap_or_else(|| self.kernel.overlaps_launches(true))
    }

    fn threads(&self) -> u32 {
        let extents = [self.described.grid, self.described.block].map(|extent| extent.unwrap_or([1; 3]));
        extents.iter().flatten().fold(1u32, |n, extent| n.saturating_mul(*extent)).min(1 << 14)
    }

    /// Returns the arguments, with guesses for those that are not known, and the numbers of the guessed ones.
    fn filled(&self, (modulus, integers): Guess) -> (Vec<String>, Vec<usize>) {
        let n = self.threads();
        let integer = integers.unwrap_or(n);
        let mut guesses = guessed(&self.kernel, 0, n, modulus, integer);
        for at in &self.integers {
            guesses.get_mut(*at).into_iter().for_each(|guess| *guess = format!("u64:{integer}"));
        }
        let count = guesses.len().max(self.args.len());
        let known = |at: usize| self.args.get(at).cloned().flatten();
        let args = (0..count).filter_map(|at| known(at).or_else(|| guesses.get(at).cloned())).collect();
        (args, (0..count).filter(|at| known(*at).is_none()).collect())
    }
}

/// What happens in order on the same buffers: a launch, or bytes that the host sets.
enum Event {
    Launch(Box<Case>),
    Set { buffer: String, offset: usize, bytes: usize, pattern: Option<Vec<u8>> },
}

/// What is guessed: the modulus of the numbers in buffers, and an integer other than the number of threads.
type Guess = (u32, Option<u32>);

/// How often to launch.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Passes {
    /// In each size, with each guess and seed.
    All,
    /// In the first size only, with the first guess and seed.
    One,
}

/// A digest of all buffers after the launches of one pass.
pub(super) type Outcome = u64;

/// Searches for the races of a kernel, or of a program's launches. Returns what each pass left in the buffers, too.
pub(super) fn races(
    args: &Args,
    described: &LaunchArgs,
    compiled: &Compiled,
    passes: Passes,
) -> Result<(Report, Vec<Outcome>), Fault> {
    let module = Module::parse(&compiled.ptx)?;
    let mut report = Report { ok: true, file: args.file.display().to_string(), ..Report::default() };
    if compiled.newer {
        report.host.push(t!("race-newer"));
    }
    if let Some(program) = &compiled.program {
        let name = |(name, lines): &(String, std::ops::Range<usize>)| match (lines.start, lines.end - 1) {
            (first, last) if first == last => t!("race-host-line", name = name.as_str(), first),
            (first, last) => t!("race-host-lines", name = name.as_str(), first, last),
        };
        let names: Vec<String> = program.left_out.iter().map(name).collect();
        report.host.push(t!("race-host", names = names.join(", ")));
    }
    let mut search = Search {
        args,
        described,
        control: described.control(),
        compiled,
        passes,
        report: &mut report,
        over: false,
        outcomes: Vec::new(),
        guessed: HashSet::new(),
    };
    let refused = match &compiled.program {
        _ if !described.launches.is_empty() => {
            let case = |one: LaunchArgs| Ok(Event::Launch(Box::new(Case::of(&one, one.kernel(&module)?))));
            let events = described.each().map(case).collect::<Result<Vec<_>, Fault>>()?;
            search.sequence(&events, None)?
        }
        Some(program) if search.is_for(program) => search.program(program, &module)?,
        Some(program) if program.steps.is_empty() && described.entry.is_none() => {
            let until = program.ended.map_or_else(String::new, |line| format!(" {}", t!("race-read-until", line)));
            return Err(wrong_call(t!("race-no-launches") + &until));
        }
        _ => search.sizes(&Case::of(described, described.kernel(&module)?), None)?,
    };
    let (outcomes, over) = (search.outcomes, search.over);
    if over {
        report.left_out.push(t!("race-over"));
    }
    let mut kernels: Vec<&str> = Vec::new();
    for launch in &report.launches {
        if !kernels.contains(&launch.kernel.as_str()) {
            kernels.push(&launch.kernel);
        }
    }
    report.kernel = kernels.join(", ");
    if report.launches.is_empty() {
        let late = over.then(|| t!("race-reader-time", seconds = args.launch.seconds.to_string()));
        let why = || late.or_else(|| report.left_out.first().cloned()).unwrap_or_else(|| t!("race-no-launch"));
        return Err(refused.unwrap_or_else(|| wrong_call(why())));
    }
    report.settle();
    Ok((report, outcomes))
}

impl Case {
    fn of(described: &LaunchArgs, kernel: Kernel) -> Self {
        let args = described.args.iter().cloned().map(Some).collect();
        let (name, header, integers) = (kernel.name().to_owned(), String::new(), Vec::new());
        let dependent = described.dependent;
        Self { name, kernel, described: described.clone(), args, line: None, header, integers, dependent }
    }
}

struct Search<'a> {
    args: &'a Args,
    described: &'a LaunchArgs,
    control: Control<'static>,
    compiled: &'a Compiled,
    passes: Passes,
    report: &'a mut Report,
    /// True if the time or the steps of the whole search are used up.
    over: bool,
    outcomes: Vec<Outcome>,
    /// The launches, by their lines, and arguments whose guess the report names.
    guessed: HashSet<(Option<usize>, usize)>,
}

impl Search<'_> {
    /// Launches one kernel in the sizes that are given, or in several.
    fn sizes(&mut self, case: &Case, program: Option<&Program>) -> Result<Option<Fault>, Fault> {
        // Threads that differ only in y do the same in a kernel that never reads y.
        let sizes = if case.kernel.reads_y() { &SIZES[..] } else { &SIZES[..3] };
        let mut sizes: Vec<_> = sizes
            .iter()
            .map(|[grid, block]| [case.described.grid.unwrap_or(*grid), case.described.block.unwrap_or(*block)])
            .collect();
        sizes.dedup();
        if self.passes == Passes::One {
            sizes.truncate(1);
        }
        let mut refused = None;
        for [grid, block] in sizes {
            let described = LaunchArgs { grid: Some(grid), block: Some(block), ..case.described.clone() };
            let case = Case { described, ..case.clone() };
            refused = refused.or(self.sequence(&[Event::Launch(Box::new(case))], program)?);
        }
        Ok(refused)
    }

    /// Launches kernels in order, with every seed. Returns why a launch was refused, if one was.
    fn sequence(&mut self, events: &[Event], program: Option<&Program>) -> Result<Option<Fault>, Fault> {
        let cases =
            || events.iter().filter_map(|event| if let Event::Launch(case) = event { Some(case) } else { None });
        let n = cases().map(|case| case.threads()).max().unwrap_or(1);
        let block = cases().map(|case| case.described.block.unwrap_or([1; 3]).iter().product()).max().unwrap_or(1);
        let others = [block, 1, 0].map(|integer| (n, Some(integer)));
        let mut guesses = Vec::new();
        for guess in [(n, None), (REPEATED, None)].into_iter().chain(others) {
            let buffers = program.map(|program| program.buffers(guess.0)).unwrap_or_default();
            let filled: Vec<_> = cases().map(|case| case.filled(guess)).collect();
            if guesses.iter().all(|(_, known)| *known != (buffers.clone(), filled.clone())) {
                guesses.push((guess, (buffers, filled)));
            }
        }
        for note in alone(events).map(itself).into_iter().flatten() {
            if !self.report.left_out.contains(&note) {
                self.report.left_out.push(note);
            }
        }
        for case in cases() {
            let (args, unknown) = case.filled((n, None));
            for at in unknown {
                let value = args[at].as_str();
                if self.guessed.insert((case.line, at)) {
                    self.report.guessed.push(match case.line {
                        None => t!("race-argument", at, value),
                        Some(line) => t!("race-argument-of", line = line_of(line, &case.header), at, value),
                    });
                }
            }
        }
        let copied = program.map(Program::copied).unwrap_or_default().join(", ");
        let contents = t!("race-copied", buffers = copied.as_str());
        if !copied.is_empty() && !self.report.guessed.contains(&contents) {
            self.report.guessed.push(contents);
        }
        let (mut refused, mut stopped) = (None, None);
        for (guess, (buffers, filled)) in &guesses {
            let seeds = if guess.1.is_some() { 1 } else { self.args.seeds.unwrap_or(3) };
            for seed in 1..=seeds {
                let once = self.passes == Passes::One && !self.outcomes.is_empty();
                if stopped == Some(guess) || self.over || once {
                    continue;
                }
                let (fault, ended) = self.pass(events, program, (buffers, filled), (*guess, guess.0 != n), seed)?;
                if let Some((fault, text)) = fault {
                    if !self.report.left_out.contains(&text) {
                        self.report.left_out.push(text);
                    }
                    if program.is_none() {
                        return Ok(Some(fault));
                    }
                    refused = Some(fault);
                }
                if ended {
                    stopped = Some(guess);
                }
            }
        }
        Ok(refused)
    }

    /// Launches kernels in order once. Returns why a launch was refused, and whether one stopped.
    #[expect(clippy::type_complexity, reason = "a fault with its sentence")]
    fn pass(
        &mut self,
        events: &[Event],
        program: Option<&Program>,
        (buffers, filled): (&[String], &[(Vec<String>, Vec<usize>)]),
        ((modulus, integers), repeated): (Guess, bool),
        seed: u16,
    ) -> Result<(Option<(Fault, String)>, bool), Fault> {
        let all = buffers.iter().chain(&self.described.buffers).cloned().collect();
        let mut arguments = LaunchArgs { buffers: all, ..self.described.clone() }.arguments()?;
        for (name, bytes) in program.iter().flat_map(|program| program.contents()) {
            if let Some(id) = arguments.named(name) {
                for part in arguments.memory.write(id).chunks_mut(bytes.len()) {
                    part.copy_from_slice(&bytes[..part.len()]);
                }
            }
        }
        let near: Vec<&Path> =
            self.args.file.parent().into_iter().chain(self.compiled.include.iter().map(PathBuf::as_path)).collect();
        let (mut refused, mut ids) = (None, Vec::new());
        let again = alone(events).filter(|case| case.may_overlap()).is_some();
        let overlapping = |event: &Event| matches!(event, Event::Launch(case) if case.may_overlap());
        let mut stream = events.iter().any(overlapping).then(Stream::default);
        let (mut filled, mut last) = (filled.iter(), None);
        let mut unknown = Vec::new();
        for (number, event) in events.iter().chain(events.iter().filter(|_| again)).enumerate() {
            let again = number >= events.len();
            self.over |= self.control.reached().is_some();
            if self.over {
                return Ok((refused, true));
            }
            let case = match event {
                Event::Launch(case) => case,
                Event::Set { buffer, offset, bytes, pattern } => {
                    // What is not known is guessed like other contents.
                    let guessed = || (0..modulus).flat_map(u32::to_le_bytes).collect();
                    let pattern = pattern.clone().unwrap_or_else(guessed);
                    let id = arguments.named(buffer);
                    if let Some(id) = id.or_else(|| variable(&mut arguments.memory, events, buffer)) {
                        let place = arguments.memory.write(id).get_mut(*offset..offset.saturating_add(*bytes));
                        for part in place.unwrap_or_default().chunks_mut(pattern.len().max(1)) {
                            part.copy_from_slice(&pattern[..part.len()]);
                        }
                    }
                    stream.iter_mut().for_each(Stream::complete);
                    continue;
                }
            };
            let launch = match last.take().filter(|_| again) {
                Some(launch) => launch,
                None => {
                    let args;
                    (args, unknown) = filled.next().cloned().unwrap_or_default();
                    let described = LaunchArgs { args, ..case.described.clone() };
                    let (launch, own) = described.bind_in(&case.kernel, &mut arguments)?;
                    ids.extend(own);
                    launch
                }
            };
            last = Some(launch.clone());
            let taken = self.described.memory - arguments.left;
            let before = (taken <= MAX_COPIED).then(|| arguments.memory.clone());
            let options = Options {
                device: self.described.device(),
                registers: self.compiled.registers.get(case.kernel.name()).copied(),
                measure: Measure::All,
                global_hazards: true,
                follow_unwritten: true,
                hazard_bytes: Some(arguments.left.saturating_sub(if before.is_some() { taken } else { 0 })),
                schedule: Schedule::Seeded(seed.into()),
                fault_on_uninitialised_shared: self.args.uninitialised,
                fault_on_uninitialised_local: self.args.uninitialised,
                ..Options::default()
            };
            if let Some(stream) = stream.as_mut().filter(|_| case.may_overlap()) {
                stream.dependent();
            }
            let (memory, control) = (&mut arguments.memory, &self.control);
            let outcome = match &mut stream {
                Some(stream) => attempt_in(stream, &case.kernel, &launch, memory, &options, control),
                None => attempt(&case.kernel, &launch, memory, &options, control),
            };
            let mut outcome = match outcome {
                Err(fault) if fault.kind == FaultKind::Launch => {
                    let size = format!("{}×{}", index(launch.grid), index(launch.block));
                    let text = t!("race-size", size, why = recognise("exec-says", &fault.message));
                    refused = Some((fault, text));
                    continue;
                }
                other => other?,
            };
            for note in opt_ins(&case.kernel, &launch) {
                if !self.report.left_out.contains(&note) {
                    self.report.left_out.push(note);
                }
            }
            if again {
                // Only what concerns both launches is new. The second one may not be meant to run to its end.
                outcome.run.hazards.retain(|hazard| hazard.first.launch.is_some());
                outcome.run.undefined.clear();
                outcome.fault = None;
            }
            let until = until_then(&outcome, &launch).map_or_else(String::new, |until| format!(" {until}"));
            let hint = outcome.fault.as_ref().and_then(|fault| lacks_shared(fault, &case.kernel, &launch));
            let hint = hint.map_or_else(String::new, |hint| format!(" {hint}"));
            let budget = |fault: &Fault| matches!(fault.kind, FaultKind::TimeBudget | FaultKind::StepBudget);
            self.over |= outcome.fault.as_ref().is_some_and(budget);
            let stopped = outcome.fault.map(|fault| fault.message + &until + &hint);
            let ended = stopped.is_some();
            let (kernel, header, line) = (case.name.clone(), case.header.clone(), case.line);
            let (grid, block) = (launch.grid, launch.block);
            let guessed = !unknown.is_empty() || program.is_some_and(|program| !program.copied().is_empty());
            let mut tried = Tried {
                kernel,
                line,
                header,
                guessed,
                grid,
                block,
                seed,
                repeated,
                integers,
                stopped,
                races: Vec::new(),
            };
            // With another integer, a loop may not run that gives a variable its value.
            if integers.is_none() {
                undefined::merge(&mut self.report.undefined, undefined::settled(outcome.run.undefined, &near));
            }
            let counts = |hazard: &Hazard| self.args.same_value || hazard.severity != HazardSeverity::SameValue;
            let known = |hazard: &Hazard| self.report.races.iter().position(|race| same(&race.hazard, hazard));
            // Another integer may be a pitch or a limit, for which the kernel was not written.
            let unfit = |hazard: &Hazard| {
                let itself =
                    hazard.kind == HazardKind::Waw && at_line(&hazard.first.place) == at_line(&hazard.second.place);
                itself && counts(hazard) && known(hazard).is_none()
            };
            let overwritten = outcome.run.hazards.iter().any(unfit).then(|| t!("race-overwritten"));
            if let Some(why) = tried.stopped.clone().or(overwritten).filter(|_| integers.is_some()) {
                self.report.left_out.push(t!("race-not-counted", launch = tried.describe(), why));
                return Ok((refused, true));
            }
            for mut hazard in outcome.run.hazards.into_iter().filter(counts) {
                let found = hazard.clone();
                settle_headers(&mut hazard, &near);
                if let Some(known) = self.report.races.iter().position(|race| same(&race.hazard, &hazard)) {
                    self.report.races[known].hazard.occurrences += hazard.occurrences;
                    tried.races.push(known);
                    continue;
                }
                let shown = before
                    .as_ref()
                    .filter(|_| self.report.races.len() < MAX_WITNESSES && hazard.first.launch.is_none());
                let shown = shown
                    .map(|before| Shown::new(witness(&case.kernel, &launch, before, &found, &self.control), &found));
                tried.races.push(self.report.races.len());
                self.report.races.push(Race { text: describe(&hazard), hazard, shown });
            }
            match self.report.launches.last_mut() {
                Some(last) if again => last.races.append(&mut tried.races),
                _ => self.report.launches.push(tried),
            }
            if ended {
                return Ok((refused, true));
            }
        }
        if !self.args.control {
            // Nobody compares the results.
            self.outcomes.push(0);
            return Ok((refused, false));
        }
        ids.extend(arguments.all().into_iter().map(|(_, id)| id));
        let mut digest = DefaultHasher::new();
        ids.iter().for_each(|id| digest.write(arguments.memory.read(*id)));
        self.outcomes.push(digest.finish());
        Ok((refused, false))
    }
}

/// Returns the only launch of a sequence, if the launch before it is not known.
fn alone(events: &[Event]) -> Option<&Case> {
    match events {
        [Event::Launch(case)] if case.dependent.is_none() => Some(case),
        _ => None,
    }
}

/// Returns a variable of the GPU that a launch uses. The name of a `static` one is mangled.
fn variable(memory: &mut Memory, events: &[Event], name: &str) -> Option<BufferId> {
    let names = [name.to_owned(), format!("_ZL{}{name}", name.len())];
    events.iter().find_map(|event| match event {
        Event::Launch(case) => names.iter().find_map(|name| memory.symbol(&case.kernel, name).ok()),
        Event::Set { .. } => None,
    })
}

/// Describes how a launch is compared with others that may overlap it, if its kernel has `griddepcontrol`.
fn itself(case: &Case) -> Option<String> {
    let kernel = case.name.as_str();
    match [true, false].map(|waits| case.kernel.overlaps_launches(waits)) {
        [true, _] => Some(t!("race-overlaps-itself", kernel)),
        [false, true] => Some(t!("race-overlaps-next", kernel)),
        _ => None,
    }
}

/// True if two hazards are of the same kind at the same places.
fn same(known: &Hazard, new: &Hazard) -> bool {
    let of = |hazard: &Hazard| (hazard.kind, hazard.space, hazard.severity);
    let places = |hazard: &Hazard| (at_line(&hazard.first.place), at_line(&hazard.second.place));
    let launches =
        |hazard: &Hazard| [&hazard.first, &hazard.second].map(|side| side.launch.as_ref().map(|of| of.kernel.clone()));
    of(known) == of(new) && places(known) == places(new) && launches(known) == launches(new)
}
