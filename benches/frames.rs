//! Time until the first frame, and from a key to its frame, without the time of the terminal.

use criterion::{Criterion, criterion_group, criterion_main};
use crossterm::event::{KeyCode, KeyEvent};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::layout::Size;
use std::hint::black_box;
use tutor_course::CourseSource;
use tutor_mastery::Store;
use tutor_pictures::theme::Theme;
use tutor_tui::app::{Model, Msg, update, view};
use tutor_tui::loading::load_data;

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
    black_box(update(model, Msg::Key(KeyEvent::from(code))));
}

fn frames(criterion: &mut Criterion) {
    let Ok(mut store) = Store::in_memory() else { return };
    let Ok(mut terminal) = Terminal::new(TestBackend::new(SIZE.width, SIZE.height));
    criterion.bench_function("first frame: course read, map drawn", |bencher| {
        bencher.iter(|| {
            if let Some(model) = model(&mut store) {
                draw(&model, &mut terminal);
            }
        });
    });
    let Some(mut lesson) = model(&mut store) else { return };
    press(&mut lesson, KeyCode::Enter);
    let mut forth = true;
    criterion.bench_function("key to frame: turn a page", |bencher| {
        bencher.iter(|| {
            press(&mut lesson, if forth { KeyCode::Right } else { KeyCode::Left });
            forth = !forth;
            draw(&lesson, &mut terminal);
        });
    });
}

fn pictures(criterion: &mut Criterion) {
    let Ok(mut store) = Store::in_memory() else { return };
    let Ok(mut terminal) = Terminal::new(TestBackend::new(SIZE.width, SIZE.height));
    let Some(mut map) = model(&mut store) else { return };
    criterion.bench_function("key to frame: the map's next level", |bencher| {
        bencher.iter(|| {
            press(&mut map, KeyCode::Down);
            draw(&map, &mut terminal);
        });
    });
    let Some(mut question) = model(&mut store) else { return };
    // The third page of the first level asks a question.
    [KeyCode::Enter, KeyCode::Char('n'), KeyCode::Char('n')].into_iter().for_each(|code| press(&mut question, code));
    criterion.bench_function("key to frame: select an answer", |bencher| {
        bencher.iter(|| {
            press(&mut question, KeyCode::Down);
            draw(&question, &mut terminal);
        });
    });
    let Some(mut banks) = model(&mut store) else { return };
    press(&mut banks, KeyCode::Char('b'));
    criterion.bench_function("key to frame: change the simulator's padding", |bencher| {
        bencher.iter(|| {
            press(&mut banks, KeyCode::Char(']'));
            press(&mut banks, KeyCode::Char('['));
            draw(&banks, &mut terminal);
        });
    });
}

criterion_group!(benches, frames, pictures);
criterion_main!(benches);
