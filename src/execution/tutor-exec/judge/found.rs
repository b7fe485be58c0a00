//! Describes what the judge found.

use super::cases::Case;
use super::pattern::Wrong;
use super::verdict::{Cause, Count, CountGoal, Engine, Finding, Goal};
use crate::assembler::assembled;
use crate::fault::{explain, hazard_letters};
use crate::matrices::Matrices;
use crate::protocol::Shape;
use crate::resolve::Resolved;
use crate::verify::{Problem, Tolerance};
use ptx_emulator::{
    Fault, FaultKind, Hazard, HazardAccess, HazardKind, HazardSeverity, HazardSpace, Kernel, LoadError, Module,
    SourceLocation, Undefined,
};
use tutor_kernels::Elements;
use tutor_support::sentence;
use tutor_support::words::{Sentence, recognise};

/// Loads the kernel of a program, and checks its entry and its parameters.
pub(super) fn kernel(program: &Resolved, elements: Elements) -> Result<Kernel, Box<Finding>> {
    let compiles = |message: Sentence| Box::new(Finding::new(Goal::Compiles, Cause::Other, message));
    let broken = |error: LoadError| {
        let finding = compiles(recognise("exec-says", &error.message));
        Box::new(Finding { place: Some((String::new(), error.line)), ..*finding })
    };
    let module = Module::parse(&program.ptx).map_err(broken)?;
    assembled(program).map_err(|refused| Box::new(Finding::not_compiled(&refused)))?;
    let entry = &program.entry;
    let names: Vec<&str> = module.kernels().collect();
    if !names.contains(&entry.as_str()) {
        // C++ encodes the parameter types into the name: `_Z`, the length of the name, the name, then the types.
        let mangled = format!("{}{entry}", entry.len());
        let finding = match names.iter().find(|name| name.starts_with("_Z") && name.contains(&mangled)) {
            Some(_) => {
                let finding = compiles(sentence!("exec-judge-mangled", entry));
                Box::new(finding.help(sentence!("exec-judge-mangled-help", entry)))
            }
            None if names.is_empty() => compiles(sentence!("exec-judge-no-entry", entry)),
            None => compiles(sentence!("exec-judge-other-entry", entry, names = names.join(", "))),
        };
        return Err(finding);
    }
    let kernel = module.kernel(entry).map_err(broken)?;
    let has: Vec<u32> = kernel.params().iter().map(|param| param.bytes).collect();
    let maps = program.tensor_maps.each().map(|_| 128);
    let (factor, bytes) = if elements == Elements::F64 { ("double", 8) } else { ("float", 4) };
    let wanted: Vec<u32> = maps.chain([8; 3]).chain([4; 6]).chain([bytes; 2]).collect();
    if has != wanted {
        let types: Vec<&str> = kernel.params().iter().map(|param| param.ty.as_str()).collect();
        let message = sentence!("exec-judge-signature", entry, types = types.join(", "), count = has.len());
        let names = program.tensor_maps.each().map(|(name, _)| format!("map_{name}"));
        let names: Vec<String> =
            names.chain("A B C M N K lda ldb ldc alpha beta".split(' ').map(str::to_owned)).collect();
        let help = sentence!("exec-judge-signature-help", names = names.join(", "), factor);
        return Err(Box::new(compiles(message).help(help)));
    }
    Ok(kernel)
}

/// Describes a launch that stopped with a fault.
pub(super) fn fault(fault: &Fault, case: &Case, matrices: &Matrices, elements: Elements) -> Finding {
    let meant = fault.address.and_then(|address| meant(address, case, matrices, elements));
    let help = match fault.kind {
        FaultKind::OutOfBounds if meant.as_ref().is_some_and(|(_, before)| *before) => {
            Some(sentence!("exec-judge-before-help"))
        }
        FaultKind::OutOfBounds => Some(sentence!("exec-judge-out-of-bounds-help")),
        FaultKind::Misaligned => Some(sentence!("exec-judge-misaligned-help")),
        FaultKind::LaneMask => Some(sentence!("exec-judge-mask-help")),
        FaultKind::DivergentBarrier => Some(sentence!("exec-judge-barrier-help")),
        FaultKind::Mbarrier => Some(sentence!("exec-judge-mbarrier-help")),
        FaultKind::StepBudget | FaultKind::Livelock => Some(sentence!("exec-judge-endless-help")),
        _ => None,
    };
    let mut message = sentence!("exec-judge-fault", launch = launch(case), what = explain(fault));
    if let Some((meant, _)) = meant {
        message = message + " " + meant;
    }
    let finding = Finding::new(Goal::Runs, Cause::Fault(fault.kind), message).at(case.shape);
    let place = (!fault.file.is_empty() && fault.line > 0).then(|| (fault.file.clone(), fault.line));
    let finding = Finding { place, ..finding };
    match help {
        Some(help) => finding.help(help),
        None => finding,
    }
}

/// Returns a sentence that says which matrix element an address outside all matrices would be. It assumes that the
/// nearest matrix is meant. Also returns true if the element is before the first one.
fn meant(address: u64, case: &Case, matrices: &Matrices, elements: Elements) -> Option<(Sentence, bool)> {
    let Shape { m, n, k, .. } = case.shape;
    let all = [("A", m, k), ("B", k, n), ("C", m, n)].into_iter().zip(matrices.buffers).enumerate();
    let away = |buffer| address.wrapping_sub(matrices.memory.address(buffer)) as i64;
    let (at, ((name, rows, columns), buffer)) = all.min_by_key(|(_, (_, buffer))| away(*buffer).unsigned_abs())?;
    let [row, column] = place(away(buffer), at, case, elements);
    let [bytes, _, pitch] = case.extents(elements)[at];
    // Behind the last row, nothing tells whether the row or the column is too large.
    let (last, beyond) = (row - 1, column + (pitch / bytes) as i64);
    let either = row == rows as i64;
    let [row, column, last, beyond] = [row, column, last, beyond].map(|index| index.to_string());
    let meant = if either {
        sentence!("exec-judge-meant-either", matrix = name, row, column, last, beyond, rows, columns)
    } else {
        sentence!("exec-judge-meant", matrix = name, row, column, rows, columns)
    };
    Some((meant, away(buffer) < 0))
}

/// Returns what is wrong after a launch: A or B has changed, elements of C are incorrect, or the gaps between the rows
/// of C have changed.
pub(super) fn wrong(
    problem: &Problem,
    exact: &[f64],
    tolerance: &Tolerance,
    case: &Case,
    before: &[Vec<u8>; 3],
    after: &Matrices,
) -> Option<Finding> {
    let elements = problem.elements;
    let finding = |message: Sentence| Finding::new(Goal::Results, Cause::Other, message).at(case.shape);
    for (matrix, name) in ["A", "B"].into_iter().enumerate() {
        let (was, is) = (before[matrix].as_slice(), after.memory.read(after.buffers[matrix]));
        if was != is
            && let Some(at) = was.iter().zip(is).position(|(was, is)| was != is)
        {
            let [row, column] = place(at as i64, matrix, case, elements);
            return Some(finding(sentence!("exec-judge-changed", launch = launch(case), matrix = name, row, column)));
        }
    }
    if let Some(finding) = wrong_elements(problem, exact, tolerance, case, after) {
        return Some(finding);
    }
    let (was, is) = (before[2].as_slice(), after.c());
    let (columns, [_, kept, bytes]) = (case.shape.n, case.extents(elements)[2]);
    let mut rows = was.chunks(bytes).zip(is.chunks(bytes)).enumerate();
    let in_gap = rows.find_map(|(row, (was, is))| {
        let gap = was.iter().skip(kept).zip(is.iter().skip(kept)).position(|(was, is)| was != is)?;
        Some(row * bytes + kept + gap)
    });
    in_gap.map(|at| {
        let [row, column] = place(at as i64, 2, case, elements);
        finding(sentence!("exec-judge-gap", launch = launch(case), row, column, n = columns))
            .help(sentence!("exec-judge-gap-help"))
    })
}

/// Describes the incorrect elements of a result.
pub(super) fn wrong_elements(
    problem: &Problem,
    exact: &[f64],
    tolerance: &Tolerance,
    case: &Case,
    after: &Matrices,
) -> Option<Finding> {
    let c = case.result(after, problem.elements);
    let wrong = Wrong::of(problem, &c, exact, tolerance)?;
    let [row, column] = wrong.places[0];
    let at = row as usize * problem.shape.n as usize + column as usize;
    let (value, expected) = (c[at], exact[at]);
    let (value_shown, expected_shown) = told_apart(value, expected);
    let mut message = sentence!(
        "exec-judge-wrong",
        launch = launch(case),
        wrong = wrong.count,
        of = exact.len(),
        row,
        column,
        value = value_shown,
        expected = expected_shown
    );
    if let Some(pattern) = wrong.pattern(problem.shape) {
        message = message + " " + pattern;
    }
    let cause = if wrong.none_written(problem.shape) { Cause::Unwritten } else { Cause::Other };
    let finding = Finding::new(Goal::Results, cause, message).at(case.shape);
    let finding = Finding { wrong: wrong.places, ..finding };
    Some(if case.special { finding.help(sentence!("exec-judge-special-help")) } else { finding })
}

/// Returns the row and column of the element of A, B or C (0, 1, 2) at a byte offset.
fn place(at: i64, matrix: usize, case: &Case, elements: Elements) -> [i64; 2] {
    let [bytes, _, row] = case.extents(elements)[matrix].map(|bytes| bytes as i64);
    let place = [at.div_euclid(row), at.rem_euclid(row) / bytes];
    // B of eight bits is stored by columns.
    if matrix == 1 && elements.b_by_columns() { [place[1], place[0]] } else { place }
}

/// Describes two accesses whose order nothing determines.
pub(super) fn hazard(hazard: Hazard, case: &Case) -> Finding {
    let blocks = hazard.first.block != hazard.second.block;
    let side = |access: &HazardAccess| {
        let index = |[x, y, z]: [u32; 3]| format!("({x},{y},{z})");
        let line = access.place.known_line();
        let thread = match blocks {
            true => sentence!("exec-judge-thread-of", thread = index(access.thread), block = index(access.block)),
            false => sentence!("exec-judge-thread", thread = index(access.thread)),
        };
        let said = sentence!("exec-judge-access", access = format!("{:?}", access.access), thread, line);
        match access.place.called_at {
            Some(call) => sentence!("exec-judge-called", access = said, line = call),
            None => said,
        }
    };
    let space = sentence!("exec-judge-space", space = format!("{:?}", hazard.space));
    let message = sentence!(
        "exec-judge-hazard",
        launch = launch(case),
        kind = hazard_letters(hazard.kind),
        space,
        first = side(&hazard.first),
        second = side(&hazard.second)
    );
    let kind = if blocks { "blocks" } else { hazard_letters(hazard.kind) };
    let help = sentence!("exec-judge-hazard-help", kind);
    let place = place_of(&hazard.second.place);
    let goal = goal_of(hazard.kind, hazard.space, hazard.severity);
    let finding = Finding::new(goal, Cause::Hazard(hazard.kind), message).at(case.shape).help(help);
    Finding { place, hazard: Some(hazard), ..finding }
}

/// Returns file and line of a place. A place in a student's PTX has no file.
fn place_of(place: &SourceLocation) -> Option<(String, u32)> {
    let file = if place.line == 0 { String::new() } else { place.file.clone() };
    Some((file, place.known_line())).filter(|(_, line)| *line > 0)
}

/// Describes undefined behaviour that is not a race.
pub(super) fn undefined(found: &Undefined, case: &Case) -> Finding {
    let what = recognise("exec-says", &found.message);
    let (line, clause) = (found.place.known_line(), &*found.clause);
    let message = sentence!("exec-judge-undefined", launch = launch(case), what, line, clause);
    let finding = Finding::new(Goal::Hazards, Cause::Undefined(found.rule), message).at(case.shape);
    let place = place_of(&found.place);
    Finding { place, ..finding }.help(sentence!("exec-judge-undefined-help", rule = found.rule.name()))
}

/// Returns the goal that a hazard violates. If threads write different values to one element of a matrix, the result is
/// correct in one order only, and the seed of a judgement draws the order.
fn goal_of(kind: HazardKind, space: HazardSpace, severity: HazardSeverity) -> Goal {
    match (kind, space) {
        (HazardKind::Waw, HazardSpace::Global) if severity != HazardSeverity::SameValue => Goal::Results,
        _ => Goal::Hazards,
    }
}

/// Describes a count that exceeds its limit.
pub(super) fn count(goal: &CountGoal, has: u64, may: f64, case: &Case) -> Finding {
    let (launch, may) = (launch(case), may.floor());
    let message = match goal.of {
        Count::LongestWarp => sentence!("exec-judge-longest-warp", launch, has, may),
        of => sentence!("exec-judge-count", count = format!("{of:?}"), launch, has, may),
    };
    Finding::new(Goal::Counts, Cause::Count(goal.of), message).at(case.shape)
}

/// Describes a kernel that moves many bytes to and from local memory.
pub(super) fn local(has: u64, theirs: u64, case: &Case) -> Finding {
    let message = sentence!("exec-judge-local", launch = launch(case), has, theirs);
    Finding::new(Goal::Counts, Cause::Count(Count::LocalAccesses), message).at(case.shape)
}

/// Describes an engine that the exercise asks for and that the kernel hardly uses.
pub(super) fn unused(engine: Engine, has: u64, theirs: u64, case: &Case) -> Finding {
    let name = engine.instruction();
    let message = sentence!("exec-judge-unused", launch = launch(case), name, has, theirs);
    Finding::new(Goal::Counts, Cause::Other, message).at(case.shape)
}

/// Describes a launch: its extents, its leading dimensions if they are larger than the rows, and its scales if they are
/// not 1 and 0.
fn launch(case: &Case) -> Sentence {
    let shape = case.shape;
    let mut words = sentence!("exec-judge-shape", m = shape.m, n = shape.n, k = shape.k);
    let [a, b, c] = case.strides;
    // B of eight bits has K elements per column.
    if a > shape.k || ![shape.n, shape.k].contains(&b) || c > shape.n {
        words = words + sentence!("exec-judge-strides", a, b, c);
    }
    if case.alpha != 1.0 || case.beta != 0.0 {
        words =
            words + sentence!("exec-judge-scales", alpha = number(case.alpha.into()), beta = number(case.beta.into()));
    }
    words
}

/// Formats a number of a matrix.
pub(super) fn number(value: f64) -> String {
    with_digits(value, MIN_DIGITS)
}

/// Formats two numbers with enough digits to show that they differ.
fn told_apart(one: f64, other: f64) -> (String, String) {
    let shown = |digits| (with_digits(one, digits), with_digits(other, digits));
    (MIN_DIGITS..MAX_DIGITS).map(shown).find(|(one, other)| one != other).unwrap_or_else(|| shown(MAX_DIGITS))
}

/// Digits after the decimal point for a number of a matrix, and the number of digits that distinguishes all
/// double-precision numbers.
const MIN_DIGITS: usize = 4;
const MAX_DIGITS: usize = 17;

fn with_digits(value: f64, digits: usize) -> String {
    match value.abs() {
        _ if value.is_nan() => "NaN".to_owned(),
        size if size != 0.0 && size.is_finite() && !(1e-3..1e5).contains(&size) => {
            format!("{value:.places$e}", places = digits - 1)
        }
        size if size.fract() == 0.0 || size.is_infinite() => format!("{value}"),
        _ => format!("{value:.digits$}").trim_end_matches('0').trim_end_matches('.').to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_that_depends_on_the_order_of_two_writes_is_not_correct() {
        let (error, same) = (HazardSeverity::Error, HazardSeverity::SameValue);
        assert_eq!(goal_of(HazardKind::Waw, HazardSpace::Global, error), Goal::Results);
        assert_eq!(goal_of(HazardKind::Waw, HazardSpace::Global, same), Goal::Hazards);
        assert_eq!(goal_of(HazardKind::Raw, HazardSpace::Global, error), Goal::Hazards);
        assert_eq!(goal_of(HazardKind::Waw, HazardSpace::Shared, error), Goal::Hazards);
    }

    #[test]
    fn what_is_wrong_and_what_it_should_be_are_written_apart() {
        let apart = |one: f64, other: f64| {
            let (one, other) = told_apart(one, other);
            format!("{one} {other}")
        };
        assert_eq!(apart(0.5, 2.0), "0.5 2");
        assert_eq!(apart(0.118_912_3, 0.118_941_2), "0.11891 0.11894");
        assert_eq!(apart(1.234_567e7, 1.234_568e7), "1.234567e7 1.234568e7");
        assert_eq!(apart(1.234_561e-7, 1.234_568e-7), "1.23456e-7 1.23457e-7");
        assert_eq!(apart(f64::NAN, 0.0), "NaN 0");
    }
}
