//! The rows that a run takes, the code below them, and what kernels print.

use super::*;

#[test]
fn the_minimum_height_fits_all_rows_and_the_description_agrees() {
    let mut run = live();
    for width in [56, 80, 120] {
        let height = run.min_height(width);
        let drawing = screen(&run, (width, height));
        assert_eq!(usize::from(height), drawing.lines().count(), "{width}");
        assert!(drawing.lines().last().is_some_and(|row| !row.trim().is_empty()), "{width}:\n{drawing}");
    }
    let words = run.describe();
    assert!(words.iter().any(|row| row.contains("2.779 ms") && row.contains("6.182 TFLOP/s")), "{words:?}");
    assert!(words.iter().any(|row| row.contains("1.31× slower")) && !words.concat().contains('█'), "{words:?}");
    let id = run.model.running().unwrap();
    run.reply(&Reply::Finished { id, cancelled: false });
    run.act(Action::Size);
    assert!(run.describe().iter().any(|row| row.contains("n: 512, 1024, 2048, ‹4096›")));
}

#[test]
fn in_a_narrow_column_the_minimum_has_a_separate_row() {
    let mut run = Run::with(&view(&TILED, 2048), setting(), &[]);
    launch_and_measure(&mut run, 0);
    let best = |width| {
        let drawing = screen(&run, (width, 60));
        let row = |label: &str| drawing.lines().find(|line| line.contains(label)).map(str::to_owned);
        (drawing.contains("best 1.00"), row("at best"))
    };
    assert_eq!(best(116), (true, None));
    let (beside, row) = best(58);
    assert!(!beside && row.is_some_and(|row| row.ends_with("1.00")), "{}", screen(&run, (58, 60)));
}

#[test]
fn room_that_is_left_shows_the_kernels_as_code() {
    let mut run = Run::with(&view(&TILED, 2048), setting(), &[]);
    let shown = |run: &Run| {
        let drawing = screen(run, (100, 50));
        (
            drawing.contains("lines that differ are marked"),
            drawing.contains("▌     __shared__ float A_tile[TILE][TILE + PADDING];"),
        )
    };
    assert_eq!(shown(&run), (true, true));
    let launch = run.act(Action::Launch);
    assert_eq!(shown(&run), (true, true));
    let id = launched(&launch).id;
    measure(&mut run, id, 0);
    run.reply(&Reply::Finished { id, cancelled: false });
    assert_eq!(shown(&run), (true, true));
    assert!(!screen(&run, (76, 14)).contains("__shared__"));
}

#[test]
fn output_of_a_kernel_is_cleaned_and_cut_under_its_own_heading() {
    let mut run = live();
    let id = run.model.running().unwrap();
    let text: String = (0..20).map(|i| format!("block {i}\u{1b}[31m\n")).collect();
    run.reply(&Reply::Printed { id, program: Some(0), text, cut: 5 });
    let height = run.min_height(80);
    let drawing = screen(&run, (80, height));
    for part in ["printed by the kernel", "block 0", "block 7", "12 more lines", "5 more bytes, not shown"] {
        assert!(drawing.contains(part), "{part}:\n{drawing}");
    }
    assert!(!drawing.contains("block 8") && !drawing.contains('\u{1b}'), "{drawing}");
}
