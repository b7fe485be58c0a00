//! Test helpers that draw a picture and check what every picture promises.

use crate::prelude::*;
use ptx_emulator::LineCounts;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use serde_json::json;
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::Duration;
use tutor_exec::estimate::Estimated;
use tutor_exec::protocol::{LaunchRequest, Reply, Timing, WitnessReport, WitnessRequest};
use tutor_kernels::Catalog;
use ui_kit::action::TABLE;
use ui_kit::code::Highlights;
use ui_kit::keys::{KeyCode, KeyEvent};
use ui_kit::snapshot;
use ui_kit::theme::Theme;

/// A setting with the built-in kernels and without a worker.
pub(super) fn setting() -> Setting<'static> {
    Setting::new(Catalog::built_in())
}

fn buffer(picture: &dyn Picture, (width, height): (u16, u16), theme: &Theme, ascii: bool) -> Buffer {
    let highlights = Highlights::default();
    let look = Look { theme, ascii, now: Duration::ZERO, highlights: &highlights };
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(|frame| picture.render(frame, frame.area(), &look)).unwrap();
    terminal.backend().buffer().clone()
}

/// Returns what a snapshot stores: a wide drawing with its styles, and two narrow drawings as text.
pub(super) fn kept(picture: &dyn Picture) -> String {
    let styles = snapshot::styles(&buffer(picture, (116, 30), &Theme::named("dark").unwrap(), false));
    let mut kept = format!("116×30\n{}\n{styles}", screen(picture, (116, 30)));
    for size in [(76, 14), (56, 34)] {
        kept.push_str(&format!("{}×{}\n{}\n", size.0, size.1, screen(picture, size)));
    }
    kept
}

fn text(picture: &dyn Picture, size: (u16, u16), ascii: bool) -> String {
    snapshot::text(&buffer(picture, size, &Theme::named("mono").unwrap(), ascii)).trim_end().to_owned()
}

pub(super) fn screen(picture: &dyn Picture, size: (u16, u16)) -> String {
    text(picture, size, false)
}

pub(super) fn in_ascii(picture: &dyn Picture, size: (u16, u16)) -> String {
    text(picture, size, true)
}

/// Returns the drawing as one line, to find sentences that are wrapped.
pub(super) fn flowing(picture: &dyn Picture, size: (u16, u16)) -> String {
    screen(picture, size).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Draws at sizes from nothing to large. Checks that nothing panics and that `--ascii` draws only ASCII.
pub(super) fn at_every_size(picture: &dyn Picture) {
    for size in [(0, 0), (1, 1), (3, 40), (20, 5), (56, 14), (59, 11), (60, 12), (81, 25), (200, 60)] {
        text(picture, size, false);
        let drawing = text(picture, size, true);
        assert!(drawing.is_ascii(), "not ASCII at {size:?}: {drawing}");
    }
}

/// Types keys; `⏎`, `⇥`, `⌫` and `␛` are Enter, Tab, Backspace and Esc.
pub(super) fn press(picture: &mut dyn Picture, keys: &str) {
    for key in keys.chars() {
        picture.key(KeyEvent::from(match key {
            '⏎' => KeyCode::Enter,
            '⇥' => KeyCode::Tab,
            '⌫' => KeyCode::Backspace,
            '␛' => KeyCode::Esc,
            key => KeyCode::Char(key),
        }));
    }
}

/// Returns the counts of a source line: accesses of 4 bytes that could take one wavefront each.
pub(super) fn line_counts(line: u32, op: &str, requests: u64, wavefronts: u64) -> LineCounts {
    let counted = json!({
        "file": "kernels/sgemm_tiled.cu", "line": line, "ptx_line": 1, "op": op, "bytes": 4,
        "warp_instructions": requests, "requests": requests, "wavefronts": wavefronts,
        "wavefronts_ideal": requests, "sectors": 0, "sectors_ideal": 0,
    });
    serde_json::from_value(counted).unwrap()
}

/// Returns the launch that a picture requests.
pub(super) fn launched(effects: &[Effect]) -> &LaunchRequest {
    effects.iter().find_map(|effect| if let Effect::Launch(request) = effect { Some(request) } else { None }).unwrap()
}

/// Returns a time without spread.
pub(super) fn timing(median_ms: f64) -> Timing {
    Timing { median_ms, low_ms: median_ms, high_ms: median_ms, launches: 9, ..Timing::default() }
}

/// Answers a witness request as the worker does. Each kernel is run once.
pub(super) fn witness(request: &WitnessRequest) -> Reply {
    static KNOWN: Mutex<BTreeMap<String, WitnessReport>> = Mutex::new(BTreeMap::new());
    let mut known = KNOWN.lock().unwrap();
    let report = known.entry(request.kernel.kernel.clone()).or_insert_with(|| tutor_exec::witness(request).unwrap());
    Reply::Witnessed { id: request.id, report: Box::new(report.clone()) }
}

/// Returns an estimate with two warps of each scheduler: one waits for shared memory while the other starts instructions.
pub(super) fn estimated() -> Estimated {
    serde_json::from_str(include_str!("estimated.json")).unwrap()
}

/// Answers a request for an estimate as the worker does.
pub(super) fn estimate(request: &LaunchRequest) -> Reply {
    let (id, device) = (request.id, request.estimate.as_ref().unwrap().gpu.device.clone());
    Reply::Estimated { id, program: 0, device, estimated: Ok(Box::new(estimated())) }
}

/// Returns everything about a picture that a student can notice.
fn noticed(picture: &dyn Picture) -> (String, String, bool, bool) {
    let buffer = buffer(picture, (116, 30), &Theme::named("dark").unwrap(), false);
    (snapshot::text(&buffer), snapshot::styles(&buffer), picture.animating(), picture.editing())
}

/// Checks every action of the table: a listed action changes something, an unlisted one does nothing, and no key has
/// two meanings.
pub(super) fn keeps_its_word(name: &str, make: &dyn Fn() -> Box<dyn Picture>) {
    let mut picture = make();
    let (listed, before) = (picture.actions(), noticed(&*picture));
    for (at, action) in listed.iter().enumerate() {
        assert!(!listed[..at].contains(action), "{name}: {action:?} is listed twice");
        for other in &listed[..at] {
            let shared = other.entry().keys.iter().find(|key| action.entry().keys.contains(key));
            assert!(shared.is_none(), "{name}: {shared:?} is {other:?} and {action:?}");
        }
    }
    assert!(!picture.describe().is_empty(), "{name} has no description");
    assert!(!picture.name().contains("pictures-name"), "{name} has no name");
    assert!(picture.signs().iter().all(|(sign, meaning)| !sign.is_empty() && !meaning.is_empty()), "{name}");
    let state = format!("{picture:?}");
    for action in TABLE.iter().map(|entry| entry.action).filter(|action| !listed.contains(action)) {
        assert!(picture.act(action).is_empty(), "{name}: {action:?} is not listed and asks for something");
    }
    assert_eq!(format!("{picture:?}"), state, "{name}: an action is not listed and does something");
    for &action in &listed {
        let effects = picture.act(action);
        picture.finish_animation();
        let shows = !effects.is_empty() || noticed(&*picture) != before;
        assert!(shows, "{name}: {action:?} is listed and does nothing");
        picture = make();
    }
}
