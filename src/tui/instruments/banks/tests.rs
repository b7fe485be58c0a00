use super::super::snapshot::{at_every_size, keeps_its_word, kept, needs_no_more_than_it_says, screen, setting};
use super::*;
use crossterm::event::{KeyCode, KeyModifiers};

fn standard() -> Banks {
    Banks::standard(setting()).unwrap()
}

fn press(banks: &mut Banks, keys: &str) {
    for key in keys.chars() {
        banks.key(KeyEvent::new(KeyCode::Char(key), KeyModifiers::NONE));
    }
}

#[test]
fn module_sixs_access_is_drawn_in_every_room() {
    let banks = standard();
    insta::assert_snapshot!("banks", kept(&banks));
    at_every_size(&banks);
}

#[test]
fn every_action_keeps_its_word() {
    keeps_its_word(standard);
    for number in 2..=9 {
        keeps_its_word(|| {
            let mut banks = standard();
            banks.act(Action::Preset(number));
            banks.settle();
            banks
        });
    }
    keeps_its_word(|| {
        let mut banks = standard();
        banks.act(Action::NextWavefront);
        banks.act(Action::PreviousWavefront);
        banks.settle();
        banks
    });
    for (text, valid) in [("", true), ("+", false)] {
        keeps_its_word(|| {
            let mut banks = standard();
            banks.act(Action::Expression);
            press(&mut banks, text);
            assert_eq!(banks.picture.is_ok(), valid);
            banks
        });
    }
}

#[test]
fn lines_hold_the_whole_picture_without_the_controls() {
    let (theme, highlights) = (crate::tui::theme::Theme::named("mono").unwrap(), crate::tui::code::Highlights::default());
    let look = Look { theme: &theme, ascii: true, now: Duration::ZERO, highlights: &highlights };
    let preset = presets::preset(6).unwrap();
    let lines: Vec<String> = Banks::lines(&preset.view, 80, &look).iter().map(ToString::to_string).collect();
    let text = lines.join("\n");
    assert!(text.is_ascii() && text.contains("32 wavefronts, 32-way conflict"), "{text}");
    assert!(!text.contains("access load") && text.contains("\n 32 "), "{text}");
}

#[test]
fn no_two_lanes_run_together() {
    for width in [56, 76, 116] {
        let mut banks = standard();
        banks.act(Action::Preset(4));
        banks.settle();
        let drawing = screen(&banks, (width, 30));
        assert!(!drawing.contains("1011"), "{drawing}");
    }
}

#[test]
fn wavefronts_come_in_one_after_the_other_and_any_key_ends_that() {
    let mut banks = standard();
    banks.act(Action::PadMore);
    banks.act(Action::PadLess);
    assert!(banks.animating() && banks.drawn() == 0);
    banks.tick(Duration::from_millis(1000));
    banks.tick(Duration::from_millis(1240));
    assert_eq!(banks.drawn(), 4);
    banks.settle();
    assert!(!banks.animating() && banks.drawn() == 8);
}

#[test]
fn every_preset_and_the_table_can_be_drawn_at_every_size() {
    for number in 1..=9 {
        let mut banks = standard();
        banks.act(Action::Preset(number));
        at_every_size(&banks);
        banks.act(Action::Table);
        at_every_size(&banks);
    }
}

#[test]
fn a_broadcast_is_drawn_as_one_word_with_its_lanes() {
    let mut banks = standard();
    banks.act(Action::Preset(2));
    insta::assert_snapshot!(screen(&banks, (80, 14)));
}

#[test]
fn sixty_by_twelve_shows_the_cost_the_formula_and_the_cure() {
    let banks = standard();
    insta::assert_snapshot!(screen(&banks, (60, 12)));
}

#[test]
fn the_table_of_sixteen_threads_is_module_sixs() {
    let mut banks = standard();
    banks.act(Action::Table);
    insta::assert_snapshot!(screen(&banks, (80, 14)));
}

#[test]
fn padding_by_key_removes_the_conflict() {
    let mut banks = standard();
    banks.act(Action::PadMore);
    banks.settle();
    let drawing = screen(&banks, (80, 14));
    assert!(drawing.contains("1 wavefront, no conflict") && drawing.contains("pitch 16 + 1 = 17 words") && drawing.contains("(ty·17 + 5) mod 32"), "{drawing}");
    banks.act(Action::PadLess);
    assert!(screen(&banks, (80, 14)).contains("8-way conflict"));
}

#[test]
fn wavefronts_are_stepped_one_by_one_and_played() {
    let mut banks = standard();
    banks.act(Action::NextWavefront);
    banks.act(Action::NextWavefront);
    banks.settle();
    assert_eq!(banks.served, 2);
    assert!(screen(&banks, (80, 24)).contains(" 2, 3"));
    assert!(!screen(&banks, (80, 24)).contains(" 4, 5"));
    banks.act(Action::PreviousWavefront);
    assert_eq!(banks.served, 1);
    banks.act(Action::Play);
    let mut now = Duration::ZERO;
    while banks.animating() {
        now += STEP;
        assert!(banks.tick(now));
    }
    assert_eq!(banks.served, 8);
}

#[test]
fn an_expression_is_judged_while_it_is_typed() {
    let mut banks = standard();
    banks.act(Action::Expression);
    assert!(banks.editing());
    press(&mut banks, " + *");
    let drawing = screen(&banks, (80, 14));
    assert!(drawing.contains("Expected a number, a name or `(`, found `*`."), "{drawing}");
    insta::assert_snapshot!("banks-expression-error", drawing);
    banks.key(KeyEvent::new(KeyCode::Esc, KeyModifiers::NONE));
    assert!(!banks.editing());
    assert!(screen(&banks, (80, 14)).contains("8-way conflict"));
}

#[test]
fn a_typed_expression_is_kept_with_enter() {
    let mut banks = standard();
    banks.act(Action::Expression);
    press(&mut banks, " / 2");
    enter(&mut banks);
    assert!(!banks.editing());
    assert_eq!((banks.view.row.as_str(), banks.wavefronts()), ("ty / 2", 4));
}

fn enter(banks: &mut Banks) {
    banks.key(KeyEvent::new(KeyCode::Enter, KeyModifiers::NONE));
}

#[test]
fn a_broken_expression_keeps_the_editor_and_every_letter() {
    let mut banks = standard();
    banks.act(Action::Expression);
    press(&mut banks, "*3+");
    enter(&mut banks);
    assert!(banks.editing());
    let drawing = screen(&banks, (80, 24));
    assert!(drawing.contains("row = ty*3+") && drawing.contains("Enter takes it once"), "{drawing}");
    let caret = drawing.lines().position(|line| line.trim() == "^").unwrap();
    let (above, at) = (drawing.lines().nth(caret - 1).unwrap(), drawing.lines().nth(caret).unwrap().len() - 1);
    assert_eq!(&above[..at], " row = ty*3+");
    press(&mut banks, "n");
    assert_eq!(banks.view.row.as_str(), "ty*3+n");
    banks.key(KeyEvent::new(KeyCode::Esc, KeyModifiers::NONE));
    assert_eq!((banks.view.row.as_str(), banks.editing(), banks.preset), ("ty", false, Some(1)));
}

#[test]
fn an_index_outside_of_the_array_is_said_in_words() {
    let mut banks = standard();
    banks.act(Action::Expression);
    press(&mut banks, " + 4");
    assert!(screen(&banks, (80, 14)).contains("In lane 12 the row is 16, not between 0 and 15."));
}

#[test]
fn the_real_kernel_is_offered_where_there_is_one() {
    let mut banks = standard();
    assert!(!banks.actions().contains(&Action::RealKernel));
    banks.act(Action::Preset(4));
    assert!(banks.actions().contains(&Action::RealKernel));
    let effects = banks.act(Action::RealKernel);
    let [Effect::Launch(request)] = effects.as_slice() else { panic!("{effects:?}") };
    assert_eq!(request.programs[0].kernel, "sgemm_tiled");
    assert!(banks.reply(&Reply::Progress { id: request.id, doing: String::new(), fraction: 0.5 }));
    assert!(screen(&banks, (80, 24)).contains("counting"));
}

#[test]
fn clicks_select_a_control_then_change_it_and_step_to_a_wavefront() {
    let mut banks = standard();
    let area = Rect::new(0, 0, 80, 24);
    let drawing = screen(&banks, (80, 24));
    let row = drawing.lines().nth(1).unwrap();
    let rows_at = row.find("rows").unwrap() as u16 + 1;
    banks.click(Position::new(rows_at, 1), area);
    assert_eq!(banks.field, Field::Rows);
    banks.click(Position::new(rows_at, 1), area);
    assert_eq!(banks.view.rows, 17);
    banks.settle();
    banks.click(Position::new(30, 6), area);
    assert!(banks.served < 8, "{}", banks.served);
}

#[test]
fn all_that_it_says_has_room_in_the_rows_that_it_needs() {
    for preset in 1..=9 {
        let mut banks = standard();
        banks.take_preset(preset);
        banks.settle();
        let words = [draw::what(&banks), "mod 32".to_owned(), model::cure_words(&banks.view, banks.picture.as_ref().unwrap())];
        needs_no_more_than_it_says(&banks, &words.each_ref().map(String::as_str));
    }
}

#[test]
fn beside_a_text_a_bank_takes_two_cells_and_the_lanes_are_listed_below() {
    let mut banks = standard();
    banks.take_preset(1);
    banks.settle();
    let drawing = screen(&banks, (draw::WISHED, 38));
    assert!(drawing.contains("  1  · · · · · 0 ·") && drawing.contains("thread  byte bank"), "{drawing}");
    assert!(!screen(&banks, (draw::WISHED, 24)).contains("thread  byte bank"));
}
