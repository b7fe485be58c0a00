//! How each level of the built-in course is built: from goals by recall, a scene, pictures, code and runs to a summary and a gate.
//!
//! `cargo test --test course whole -- --nocapture` prints what each has.

use tutor_course::{Course, CourseSource, Level, Page, Show, Tag};

/// Questions on earlier matter that a level asks at least.
const RECALLS: usize = 3;
/// Questions of a gate, and variants of each.
const SLOTS: usize = 8;
const VARIANTS: usize = 3;

struct Parts {
    pages: usize,
    predictions: usize,
    pictures: usize,
    runs: usize,
    code: usize,
    recalls: usize,
    whys: usize,
    slots: usize,
    variants: usize,
}

impl Parts {
    fn of(level: &Level) -> Self {
        let pages = pages(level);
        let count = |is: &dyn Fn(&Page) -> bool| pages.iter().filter(|page| is(page)).count();
        let slots = &level.quiz().unwrap().slots;
        Self {
            pages: pages.len(),
            predictions: count(&|page| page.predict.is_some()),
            pictures: count(&|page| {
                page.show.as_ref().is_some_and(|show| !matches!(show, Show::Code(_) | Show::Run(_)))
            }),
            runs: count(&|page| matches!(page.show, Some(Show::Run(_)))),
            code: count(&|page| matches!(page.show, Some(Show::Code(_)))),
            recalls: pages.iter().map(|page| page.recall.len()).sum(),
            whys: count(&|page| page.why.is_some()),
            slots: slots.len(),
            variants: slots.iter().map(|slot| slot.variants.len()).sum(),
        }
    }

    fn row(&self) -> String {
        let Self { pages, predictions, pictures, runs, code, recalls, whys, slots, variants } = self;
        format!("{pages} | {predictions} | {pictures} | {runs} | {code} | {recalls} | {whys} | {slots} | {variants} |")
    }
}

fn pages(level: &Level) -> &[Page] {
    &level.lesson.as_ref().unwrap().pages
}

#[test]
fn every_level_is_a_whole_lesson_with_a_gate() {
    println!("| level | pages | predictions | pictures | runs | code | recalls | whys | slots | variants |");
    println!("|---|---|---|---|---|---|---|---|---|---|");
    for level in &Course::load(&CourseSource::BuiltIn, "en").levels {
        let (id, parts, pages) = (&level.id, Parts::of(level), pages(level));
        println!("| {id} | {}", parts.row());
        let tagged = |tag: Tag| pages.iter().filter(|page| page.tag == tag).count();
        let last = pages.iter().rfind(|page| !page.optional).unwrap().tag;
        assert_eq!((pages[0].tag, last), (Tag::Preview, Tag::Summary), "{id}");
        for tag in [Tag::Recall, Tag::Concrete, Tag::Abstract, Tag::Code, Tag::Run] {
            assert!(tagged(tag) > 0, "{id} has no page of {tag:?}");
        }
        let asked: usize = pages.iter().filter(|page| page.tag == Tag::Recall).map(|page| page.recall.len()).sum();
        assert!(asked >= RECALLS, "{id} asks {asked} questions on what came before");
        assert!(parts.whys > 0 && parts.pictures > 0 && parts.predictions > 0, "{id}: {}", parts.row());
        assert_eq!(parts.slots, SLOTS, "{id}");
        for slot in &level.quiz().unwrap().slots {
            assert!(slot.variants.len() >= VARIANTS, "{id}, {}: {} variants", slot.id.value, slot.variants.len());
        }
    }
}

#[test]
fn a_launch_is_predicted_before_it_is_seen() {
    for level in &Course::load(&CourseSource::BuiltIn, "en").levels {
        for page in pages(level).iter().filter(|page| matches!(page.show, Some(Show::Run(_)))) {
            let choices = page.predict.as_ref().map(|predict| predict.choices.len());
            assert_eq!(choices, Some(4), "{}, {}", level.id, page.id.value);
        }
    }
}
