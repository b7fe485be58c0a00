//! A picture on the whole screen: the bank-conflict simulator, the hazard stepper, the race, or a preview of a locked page.

use super::body_of;
use super::help::Sign;
use crate::app::locked_by;
use crate::app_data::pages;
use crate::effect::into_effects;
use crate::prelude::*;
use tutor_course::{BankView, Show};
use tutor_pictures::{Hazard, Picture, SpeedContest};
use ui_kit::look::{draw, split_top};

/// A picture on the whole screen.
#[derive(Debug)]
pub struct PictureScreen {
    picture: Box<dyn Picture>,
    /// Level and page whose text a preview shows above the picture.
    pub preview: Option<[usize; 2]>,
}

impl From<Box<dyn Picture>> for PictureScreen {
    fn from(picture: Box<dyn Picture>) -> Self {
        Self { picture, preview: None }
    }
}

impl PictureScreen {
    /// Opens a page of a locked level to look at: its text without questions, and its picture. Nothing of it counts. `None` if the
    /// level is open or the page has no picture.
    pub fn preview(level: usize, page: usize, context: &Context) -> Option<Self> {
        locked_by(context.data, level)?;
        let show = pages(context.data.course.levels.get(level)?).get(page)?.show.as_ref()?;
        let picture = tutor_pictures::picture(show, context.data.setting())?;
        Some(Self { picture, preview: Some([level, page]) })
    }

    /// Opens the bank-conflict simulator.
    pub fn banks(context: &Context) -> Option<Self> {
        let setting = context.data.setting();
        tutor_pictures::picture(&Show::Banks(BankView::default()), setting).map(Self::from)
    }

    /// Opens the hazard stepper. Also returns its first effects.
    pub fn stepper(hazard: Hazard) -> (Self, Vec<Effect>) {
        let mut picture: Box<dyn Picture> = Box::new(hazard);
        let effects = into_effects(picture.focus());
        (picture.into(), effects)
    }

    /// Opens the speed contest of the course's kernels and starts it. `None` if the course has none.
    pub fn contest(context: &Context) -> Option<(Self, Vec<Effect>)> {
        let shown = |level: usize, kernel: &str| context.data.may_show_kernel_speed(level, kernel);
        let mut picture: Box<dyn Picture> = Box::new(SpeedContest::new(context.data.setting(), shown)?);
        let effects = into_effects(picture.focus());
        Some((picture.into(), effects))
    }

    /// Returns the part of a link that leads to the picture.
    pub fn link(&self) -> Option<String> {
        self.picture.link()
    }

    /// Returns the title, the lines above the picture, and the picture's area.
    fn layout(&self, context: &Context) -> (String, Vec<Line<'static>>, Rect) {
        let body = body_of(context.size);
        let area = Rect { x: 1, y: 1, width: body.width.saturating_sub(2), height: body.height.saturating_sub(1) };
        let shown = self.preview.and_then(|[level, page]| {
            let page = pages(context.data.course.levels.get(level)?).get(page)?;
            Some((page, locked_by(context.data, level)))
        });
        let Some((page, opens)) = shown else { return (self.picture.name(), Vec::new(), area) };
        let mut lines = markdown::render(&page.text, area.width, &context.look);
        let opens = wrap_text(&opens.unwrap_or_default(), context.look.style(Meaning::Accent), area.width);
        let room = usize::from(area.height.saturating_sub(self.picture.min_height(area.width)));
        lines.truncate(room.saturating_sub(opens.len() + 1));
        lines.extend(opens);
        let picture = split_top(area, lines.len() as u16 + 1).1;
        (format!("{}: {}", t!("app-preview"), page.title), lines, picture)
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
        let (look, (title, lines, area)) = (&context.look, self.layout(context));
        draw(frame, Rect { y: 0, height: 1, ..area }, vec![look.rule(&title, Meaning::Focus, area.width)]);
        draw(frame, Rect { y: 1, height: area.y.saturating_sub(1), ..area }, lines);
        hits.push((area, Hit::Picture));
        self.picture.render(frame, area, look);
    }

    fn text_lines(&self, _: u16, context: &Context) -> Vec<String> {
        self.layout(context).1.iter().map(Line::to_string).chain(self.picture.describe()).collect()
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
        let area = self.layout(context).2;
        if hit == Hit::Picture { into_effects(self.picture.click(at, area)) } else { Vec::new() }
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
