use super::super::checks::{press, screen};
use super::*;

fn standard() -> Banks {
    let mut banks = Banks::new(&presets::preset(1).unwrap().view);
    banks.take_preset(1);
    banks.finish_animation();
    banks
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
    banks.finish_animation();
    assert!(!banks.animating() && banks.drawn() == 8);
}

#[test]
fn a_broken_expression_keeps_the_editor_and_every_letter() {
    let mut banks = standard();
    banks.act(Action::Expression);
    press(&mut banks, "ty*3+⏎");
    assert!(banks.editing());
    let drawing = screen(&banks, (80, 24));
    assert!(drawing.contains("row = ty*3+") && drawing.contains("Enter accepts it once"), "{drawing}");
    let caret = drawing.lines().position(|line| line.trim() == "^").unwrap();
    let (above, at) = (drawing.lines().nth(caret - 1).unwrap(), drawing.lines().nth(caret).unwrap().len() - 1);
    assert_eq!(&above[..at], " row = ty*3+");
    press(&mut banks, "n");
    assert_eq!(banks.view.row.as_str(), "ty*3+n");
    press(&mut banks, "␛");
    assert_eq!((banks.view.row.as_str(), banks.editing(), banks.preset), ("ty", false, Some(1)));
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
    assert!(banks.reply(&Reply::Progress { id: request.id, doing: "".into(), fraction: 0.5 }));
    assert!(screen(&banks, (80, 24)).contains("counting"));
}

#[test]
fn next_to_text_a_bank_has_two_cells_and_lanes_are_listed_below() {
    let mut banks = standard();
    banks.take_preset(1);
    banks.finish_animation();
    let drawing = screen(&banks, (draw::WISHED, 38));
    assert!(drawing.contains("  1  · · · · · 0 ·") && drawing.contains("thread  byte bank"), "{drawing}");
    assert!(!screen(&banks, (draw::WISHED, 24)).contains("thread  byte bank"));
}

#[test]
fn a_link_opens_the_access_that_it_was_made_of() {
    let mut banks = standard();
    for number in 1..=9 {
        banks.take_preset(number);
        for action in [Action::PadMore, Action::Larger] {
            banks.act(action);
            let link = banks.link().unwrap();
            let read = BankView::of_link(link.strip_prefix("banks=").unwrap());
            let wanted = BankView { kernel: None, ..banks.view.clone() };
            let bare = |text: &str| text.replace(' ', "");
            let read = read.unwrap_or_else(|| panic!("{link}"));
            assert_eq!((bare(&read.row), bare(&read.column)), (bare(&wanted.row), bare(&wanted.column)), "{link}");
            assert_eq!(BankView { row: wanted.row.clone(), column: wanted.column.clone(), ..read }, wanted, "{link}");
        }
    }
}
