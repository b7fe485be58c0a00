//! Time until the first frame, and from a key to its frame, without the time of the terminal: `cargo bench --bench frames`.
#![allow(clippy::print_stdout, reason = "a table on the terminal")]

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::layout::Size;
use std::hint::black_box;
use std::time::{Duration, Instant};
use tutor_course::CourseSource;
use tutor_progress::Store;
use tutor_tui::app::{Input, Model, update, view};
use tutor_tui::loading::load_data;
use ui_kit::theme::Theme;

const SIZE: Size = Size { width: 120, height: 40 };

fn model(store: &mut Store) -> Option<Model> {
    let mut data = load_data(&CourseSource::BuiltIn, "en");
    data.learn(store.known(&data.course.id).ok()?);
    Some(Model::new(data, Theme::named("dark").ok()?, false, SIZE))
}

fn draw(model: &Model, terminal: &mut Terminal<TestBackend>) {
    // The test backend cannot fail.
    let _ = terminal.draw(|frame| {
        black_box(view(model, frame));
    });
}

fn press(model: &mut Model, code: KeyCode) {
    black_box(update(model, Input::Key(KeyEvent::from(code))));
}

/// Repeats the work for a second, and prints the median time and between which times nine of ten lie.
fn measure(what: &str, mut work: impl FnMut()) {
    let (began, mut times) = (Instant::now(), Vec::new());
    while began.elapsed() < Duration::from_secs(1) {
        let before = Instant::now();
        work();
        times.push(before.elapsed().as_secs_f64() * 1e3);
    }
    times.sort_by(f64::total_cmp);
    let [low, median, high] = [1, 10, 19].map(|twentieths| times[(times.len() - 1) * twentieths / 20]);
    println!("{what:<48}{median:8.3} ms ({low:.3} to {high:.3})");
}

fn main() {
    let Ok(mut store) = Store::in_memory() else { return };
    let Ok(mut terminal) = Terminal::new(TestBackend::new(SIZE.width, SIZE.height));
    measure("first frame: course read, map drawn", || {
        if let Some(model) = model(&mut store) {
            draw(&model, &mut terminal);
        }
    });
    let rows: [(&str, &[KeyCode], &[KeyCode]); 4] = [
        ("turn a page", &[KeyCode::Enter], &[KeyCode::Right, KeyCode::Left]),
        ("the map's next level", &[], &[KeyCode::Down]),
        // The third page of the first level asks a question.
        ("select an answer", &[KeyCode::Enter, KeyCode::Char('n'), KeyCode::Char('n')], &[KeyCode::Down]),
        ("change the simulator's padding", &[KeyCode::Char('b')], &[KeyCode::Char(']'), KeyCode::Char('[')]),
    ];
    for (what, before, keys) in rows {
        let Some(mut model) = model(&mut store) else { return };
        before.iter().for_each(|key| press(&mut model, *key));
        let mut keys = keys.iter().cycle();
        measure(&format!("key to frame: {what}"), || {
            keys.next().into_iter().for_each(|key| press(&mut model, *key));
            draw(&model, &mut terminal);
        });
    }
}
