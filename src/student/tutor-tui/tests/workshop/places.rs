//! The screens of the workshop, and how tests reach them.

use super::verdicts::{race, slow, wrong};
use super::{FILL, WRITE, line_of, point_at_fault, repair};
use crate::prelude::*;
use crate::tests::drive::Driver;
use tutor_exec::judge::Verdict;
use tutor_exec::protocol::Reply;
use tutor_exercises::Work;

pub(super) fn open(id: &str, size: (u16, u16)) -> Driver {
    let mut driver = Driver::all_open(size);
    driver.open_exercise(id);
    driver
}

/// Opens a repair and selects an incorrect cure.
fn cures(size: (u16, u16)) -> Driver {
    let mut driver = repair(size);
    point_at_fault(&mut driver);
    with(driver, "<Enter>b")
}

/// Opens a repair and runs an incorrect cure.
pub(super) fn judged(size: (u16, u16)) -> Driver {
    let mut driver = cures(size);
    driver.press("<Enter>");
    driver.judge(slow());
    driver
}

/// Opens a fill-in with a race.
pub(super) fn racing(size: (u16, u16)) -> Driver {
    let mut driver = open(FILL, size);
    driver.press("<Down><Tab><Down><Tab><Down><Enter>").unpack(FILL);
    let text = driver.exercise(FILL).filled(&["nothing", "block", "plain"].map(str::to_owned)).unwrap();
    let lines = ["B_tile[ty][tx] =", "sum +="].map(|part| line_of(&text, part));
    driver.judge(race("meet-twice.cu", lines));
    driver
}

pub(super) fn passed(size: (u16, u16)) -> Driver {
    let mut driver = open(FILL, size);
    driver.press("<Down><Down><Down><Tab><Down><Tab><Down><Enter>").unpack(FILL);
    driver.judge(Verdict::Passed);
    driver
}

/// Opens a write exercise with a saved file that is incorrect.
pub(super) fn saved(size: (u16, u16)) -> Driver {
    let mut driver = open(WRITE, size);
    driver.begun(WRITE);
    let Work::Write(work) = driver.exercise(WRITE).work else { panic!() };
    driver.saved(WRITE, &work.solution.replace("        __syncthreads();\n", ""));
    driver.unpack(WRITE);
    let Some(Effect::Compile(request)) = driver.pending.first().cloned() else { panic!() };
    driver.pending.clear();
    driver.send(Msg::Worker(Reply::Compiled { id: request.id, compiled: "saved".to_owned().into() }));
    driver.judge(wrong());
    driver
}

pub(super) fn with(mut driver: Driver, keys: &str) -> Driver {
    driver.press(keys);
    driver
}

/// A screen of the workshop: its name, and a function that opens it in a terminal of a given size.
pub(super) type There = (&'static str, fn((u16, u16)) -> Driver);

pub(super) const PLACES: [There; 12] = [
    ("workshop_list", |size| with(Driver::all_open(size), "w<Down>")),
    ("workshop_repair", |size| with(repair(size), "<Down>")),
    ("workshop_repair_cures", cures),
    ("workshop_repair_told", judged),
    ("workshop_fill", |size| with(open(FILL, size), "<Down><Tab>")),
    ("workshop_fill_hazard", racing),
    ("workshop_fill_passed", passed),
    ("workshop_write_begin", |size| open(WRITE, size)),
    ("workshop_write_wrong", saved),
    ("workshop_hints", |size| with(repair(size), "hh")),
    ("workshop_solution", |size| with(repair(size), "hhs")),
    ("workshop_report", |size| with(judged(size), "z")),
];
