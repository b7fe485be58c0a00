//! A picture on the whole screen: the bank-conflict simulator, the hazard stepper, or the race.

use super::body_of;
use super::help::Sign;
use crate::effect::into_effects;
use crate::prelude::*;
use tutor_course::{AccessDirection, BankView, LANES, Show};
use tutor_pictures::{Hazard, Picture, SpeedContest};
use ui_kit::look::draw;

/// A picture on the whole screen.
#[derive(Debug)]
pub struct PictureScreen {
    pub picture: Box<dyn Picture>,
}

impl PictureScreen {
    /// Returns the access of a warp that reads a column, like `matmul-tutor banks 'smem[lane][5]' --pitch 16`.
    pub fn column() -> BankView {
        BankView {
            rows: 32,
            pitch: 16,
            pad: 0,
            width: 4,
            access: AccessDirection::Load,
            row: "lane".to_owned().into(),
            column: "5".to_owned().into(),
            block: [16, 16],
            warp: 0,
            k: 0,
            lanes: LANES as u32,
            kernel: None,
        }
    }

    /// Opens the bank-conflict simulator with the access of [`Self::column`].
    pub fn banks(context: &Context) -> Option<Self> {
        let setting = context.data.setting();
        tutor_pictures::picture(&Show::Banks(Self::column()), setting).map(|picture| Self { picture })
    }

    /// Opens the hazard stepper. Also returns its first effects.
    pub fn stepper(hazard: Hazard) -> (Self, Vec<Effect>) {
        let mut picture: Box<dyn Picture> = Box::new(hazard);
        let effects = into_effects(picture.focus());
        (Self { picture }, effects)
    }

    /// Opens the speed contest of the course's kernels and starts it. `None` if the course has none.
    pub fn contest(context: &Context) -> Option<(Self, Vec<Effect>)> {
        let shown = |level: usize, kernel: &str| context.data.may_show_kernel_speed(level, kernel);
        let mut picture: Box<dyn Picture> = Box::new(SpeedContest::new(context.data.setting(), shown)?);
        let effects = into_effects(picture.focus());
        Some((Self { picture }, effects))
    }

    /// Returns the area of the picture.
    pub fn area(context: &Context) -> Rect {
        let area = body_of(context.size);
        Rect { x: 1, y: 1, width: area.width.saturating_sub(2), height: area.height.saturating_sub(1) }
    }
}

impl Component for PictureScreen {
    fn actions(&self, _: &Context) -> Vec<Action> {
        let mut actions = self.picture.actions();
        actions.push(Action::Back);
        actions
    }

    fn act(&mut self, action: Action, _: &Context) -> Vec<Effect> {
        if self.picture.actions().contains(&action) {
            return into_effects(self.picture.act(action));
        }
        if action == Action::Back { vec![Effect::Go(Go::Back)] } else { Vec::new() }
    }

    fn render(&self, frame: &mut Frame, context: &Context, hits: &mut Hits) {
        let (area, look) = (Self::area(context), &context.look);
        draw(
            frame,
            Rect { y: 0, height: 1, ..area },
            vec![look.rule(&self.picture.name(), Meaning::Focus, area.width)],
        );
        hits.push((area, Hit::Picture));
        self.picture.render(frame, area, look);
    }

    fn text_lines(&self, _: u16, _: &Context) -> Vec<String> {
        self.picture.describe()
    }

    fn signs(&self, _: &Context) -> Vec<Sign> {
        self.picture.signs()
    }

    fn editing(&self) -> bool {
        self.picture.editing()
    }

    fn key(&mut self, key: KeyEvent, _: &Context) -> Option<Vec<Effect>> {
        Some(into_effects(self.picture.key(key)))
    }

    fn click(&mut self, hit: Hit, at: Position, context: &Context) -> Vec<Effect> {
        if hit == Hit::Picture { into_effects(self.picture.click(at, Self::area(context))) } else { Vec::new() }
    }

    fn picture(&mut self) -> Option<&mut dyn Picture> {
        Some(&mut *self.picture)
    }

    fn animating(&self) -> bool {
        self.picture.animating()
    }

    fn reword(&mut self, data: &AppData) {
        self.picture.rename(data.setting());
    }
}
