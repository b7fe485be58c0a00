//! The actions in an exercise, and the methods of its screen.

use super::super::super::help::Sign;
use super::super::super::{letters, step};
use super::draft::{Draft, Stage};
use super::estimate::Estimating;
use super::layout::{self, Layout};
use super::report::Part;
use super::{ExerciseScreen, Shows, Subjected, Zoom};
use crate::effect::FolderCommand;
use crate::prelude::*;
use std::time::Duration;
use tutor_exercises::{Exercise, Work, is_starter};
use ui_kit::code::HighlightRequest;

/// Rows that Page Up and Page Down scroll.
const SCREENFUL: isize = 6;

impl ExerciseScreen {
    /// Returns the actions of this kind of exercise.
    fn work_actions(&self, exercise: &Exercise, context: &Context) -> Vec<Action> {
        let idle = self.trial.is_none();
        let mut actions = Vec::new();
        match (&self.draft, &exercise.work) {
            (_, work) if exercise.needs_program() => {
                actions.extend(matches!(work, Work::Write(_)).then_some(Action::Begin));
            }
            (Draft::Cure { line, stage: Stage::Line, .. }, _) => {
                actions.extend(line.map(|_| Action::TakeLine));
                actions.extend([Action::Up, Action::Down]);
            }
            (Draft::Cure { cure, stage: Stage::Cure, .. }, Work::Repair(repair)) => {
                actions.extend(cure.filter(|_| idle).map(|_| Action::RunChoice));
                actions.extend(letters(repair.cures.len()).chain([Action::Up, Action::Down]));
            }
            (Draft::Cure { .. }, _) => {
                actions.extend((!self.passed()).then_some(Action::ChooseAgain));
            }
            (Draft::Fillings { fillings, .. }, _) => {
                let whole = fillings.iter().all(Option::is_some);
                actions.extend((whole && idle && !self.is_judged(exercise)).then_some(Action::RunChoice));
                actions.extend([Action::NextHole, Action::PreviousHole].iter().filter(|_| fillings.len() > 1));
                actions.extend([Action::PreviousFilling, Action::NextFilling]);
            }
            (Draft::Own { text: None, .. }, _) => actions.extend([Action::Begin, Action::Edit]),
            (Draft::Own { .. }, _) => actions.push(Action::Edit),
        }
        if self.passed() && self.next(context.data).is_some() {
            actions.insert(0, Action::NextExercise);
        }
        actions
    }

    /// True if the arrows move through lines or choices instead of scrolling.
    fn moves(&self) -> bool {
        let listed =
            matches!(self.draft, Draft::Cure { stage: Stage::Line | Stage::Cure, .. } | Draft::Fillings { .. });
        self.shows == Shows::Own && listed
    }

    /// True if the current choice was judged last.
    pub(super) fn is_judged(&self, exercise: &Exercise) -> bool {
        self.judgement().is_some_and(|judgement| self.draft.answer(exercise).as_ref() == Some(&judgement.answer))
    }

    fn can_start_over(&self, exercise: &Exercise) -> bool {
        match (&self.draft, &exercise.work) {
            (Draft::Own { text: Some(text), .. }, Work::Write(_)) => !is_starter(exercise, text),
            (Draft::Own { .. }, _) => false,
            _ => !self.draft.is_empty(exercise) || self.result.is_some(),
        }
    }

    /// Returns the index of the next hint for the last finding. After a pass there is none.
    pub(super) fn next_hint(&self, exercise: &Exercise, context: &Context) -> Option<u32> {
        let worked = context.data.worked(&self.id);
        let next = exercise.next_hint(&worked.hints, self.finding()).map(|(at, _)| at);
        next.filter(|_| !worked.passed)
    }

    /// True if the student may see the solution: after passing, or after the last hint.
    pub(super) fn solution_open(&self, exercise: &Exercise, context: &Context) -> bool {
        let worked = context.data.worked(&self.id);
        worked.passed || worked.hints.len() >= exercise.hints.len()
    }

    fn back(&mut self) -> Vec<Effect> {
        match &mut self.draft {
            _ if self.shows != Shows::Own => self.toggle(self.shows),
            Draft::Cure { stage: stage @ Stage::Cure, .. } => *stage = Stage::Line,
            _ => return vec![Effect::Go(Go::Back)],
        }
        Vec::new()
    }

    fn toggle(&mut self, to: Shows) {
        self.shows = if self.shows == to { Shows::Own } else { to };
        self.code_scroll = None;
        if self.zoom == Zoom::Report {
            self.zoom = Zoom::Both;
        }
        if to == Shows::Solution {
            self.show(Part::Next);
        }
    }

    /// Makes a part of the report visible.
    fn show(&mut self, part: Part) {
        self.follow.set(Some(part));
        if self.zoom == Zoom::Code {
            self.zoom = Zoom::Both;
        }
    }

    /// Moves the cursor of a repair: through the lines, or through the cures.
    fn step(&mut self, by: isize, exercise: &Exercise, context: &Context) -> Vec<Effect> {
        let first = layout::of(self, exercise, context).first_line();
        let Work::Repair(repair) = &exercise.work else { return Vec::new() };
        match &mut self.draft {
            Draft::Cure { line, stage: Stage::Line, .. } => {
                let code = repair.broken.lines(None).filter(|(_, text)| !text.trim().is_empty());
                let lines: Vec<u32> = code.map(|(number, _)| number).collect();
                let at = line.and_then(|line| lines.iter().position(|number| *number == line));
                let to = match at {
                    Some(_) => step(at, by, lines.len()),
                    None => first.and_then(|line| lines.iter().position(|number| *number >= line)).unwrap_or(0),
                };
                *line = lines.get(to).copied();
                self.code_scroll = None;
                if self.zoom == Zoom::Report {
                    self.zoom = Zoom::Both;
                }
            }
            Draft::Cure { cure, .. } => {
                *cure = Some(step(*cure, by, repair.cures.len()));
                self.show(Part::Choices);
            }
            _ => {}
        }
        self.draft.draft(exercise).into_iter().collect()
    }

    /// Selects a cure, or a filling of the current hole.
    pub(super) fn choose(&mut self, at: usize, exercise: &Exercise) -> Vec<Effect> {
        match (&mut self.draft, &exercise.work) {
            (Draft::Cure { cure, stage: Stage::Cure, .. }, Work::Repair(repair)) if at < repair.cures.len() => {
                *cure = Some(at);
            }
            (Draft::Fillings { hole, fillings }, Work::Fill(fill)) => {
                let known = fill.holes.get(*hole).is_some_and(|hole| at < hole.fillings.len());
                if let Some(filling) = fillings.get_mut(*hole).filter(|_| known) {
                    *filling = Some(at);
                }
            }
            _ => return Vec::new(),
        }
        self.draft.draft(exercise).into_iter().collect()
    }

    /// Moves by `holes` holes and, in the hole there, by `choices` fillings.
    fn turn(&mut self, holes: isize, choices: isize, exercise: &Exercise) -> Vec<Effect> {
        let (Draft::Fillings { hole, fillings }, Work::Fill(fill)) = (&mut self.draft, &exercise.work) else {
            return Vec::new();
        };
        *hole = step(Some(*hole), holes, fill.holes.len());
        if let (Some(filling), Some(known)) = (fillings.get_mut(*hole), fill.holes.get(*hole))
            && choices != 0
        {
            *filling = Some(step(*filling, choices, known.fillings.len()));
        }
        self.code_scroll = None;
        self.show(Part::Choices);
        self.draft.draft(exercise).into_iter().collect()
    }

    fn edit(&mut self, exercise: &Exercise, context: &Context) -> Vec<Effect> {
        let Draft::Own { file, text } = &self.draft else { return Vec::new() };
        let (Some(file), Some(text)) = (file, text) else {
            self.edit_when_made = true;
            return vec![self.folder(FolderCommand::Start, context.data)];
        };
        let found = self.finding().and_then(|finding| finding.place.as_ref());
        // A place in the text itself has no file name.
        let own = |file: &str| file.is_empty() || file == exercise.file_name();
        let found = found.filter(|(file, _)| own(file)).map(|(_, line)| *line);
        vec![Effect::EditOwn { file: file.clone(), line: found.unwrap_or_else(|| super::todo(text)) }]
    }

    fn start_over(&mut self, exercise: &Exercise, context: &Context) -> Vec<Effect> {
        if matches!(self.draft, Draft::Own { .. }) {
            return vec![self.folder(FolderCommand::Reset, context.data)];
        }
        let stop: Vec<Effect> = match &self.trial {
            // The run of the broken kernel continues.
            Some(trial) if trial.of != Subjected::Broken => {
                let stop = trial.stop();
                self.trial = None;
                vec![stop]
            }
            _ => Vec::new(),
        };
        let stop = stop.into_iter().chain(self.estimating.take().as_ref().and_then(Estimating::stop));
        let stop: Vec<Effect> = stop.collect();
        self.draft = Draft::new(exercise, &std::collections::BTreeMap::new());
        (self.result, self.shows, self.code_scroll) = (None, Shows::Own, None);
        self.follow.set(Some(Part::Task));
        let notice = Effect::Say(t!("workshop-started-over"));
        stop.into_iter().chain(self.draft.draft(exercise)).chain([notice]).collect()
    }

    /// Handles a click on a line of code: moves the cursor there, or takes the line if the cursor is already there.
    fn click_line(&mut self, number: u32, context: &Context) -> Vec<Effect> {
        let Some(exercise) = self.exercise(context) else { return Vec::new() };
        let Draft::Cure { line, stage: Stage::Line, .. } = &mut self.draft else { return Vec::new() };
        if self.shows != Shows::Own {
            return Vec::new();
        }
        if line.replace(number) == Some(number) {
            return self.act(Action::TakeLine, context);
        }
        self.draft.draft(exercise).into_iter().collect()
    }

    /// Handles a click on a choice in the report: a cure, a hole, or a filling.
    fn click_choice(&mut self, at: usize, context: &Context) -> Vec<Effect> {
        let Some(exercise) = self.exercise(context) else { return Vec::new() };
        let mut at = at;
        if let (Draft::Fillings { hole, .. }, Work::Fill(fill)) = (&mut self.draft, &exercise.work) {
            // The numbers of the holes come first.
            match at.checked_sub(fill.holes.len()) {
                None => {
                    *hole = at;
                    return Vec::new();
                }
                Some(filling) => at = filling,
            }
        }
        self.choose(at, exercise)
    }

    /// Scrolls the code, or the report if the code is hidden.
    fn scroll(&mut self, rows: isize, exercise: &Exercise, context: &Context) {
        let layout = layout::of(self, exercise, context);
        if layout.code.height == 0 { self.scroll_report(rows, &layout) } else { self.scroll_code(rows, &layout) }
    }

    fn page(&mut self, rows: isize, exercise: &Exercise, context: &Context) {
        let layout = layout::of(self, exercise, context);
        if layout.max_report_scroll > 0 { self.scroll_report(rows, &layout) } else { self.scroll_code(rows, &layout) }
    }

    fn scroll_code(&mut self, rows: isize, layout: &Layout) {
        self.code_scroll = Some(layout.code_scroll.saturating_add_signed(rows).min(layout.max_code_scroll));
    }

    fn scroll_report(&mut self, rows: isize, layout: &Layout) {
        self.follow.set(None);
        self.report_scroll = layout.report_scroll.saturating_add_signed(rows).min(layout.max_report_scroll);
    }
}

impl Component for ExerciseScreen {
    fn actions(&self, context: &Context) -> Vec<Action> {
        let Some(exercise) = self.exercise(context) else { return vec![Action::Back] };
        let layout = layout::of(self, exercise, context);
        let mut actions = if self.shows == Shows::Own { self.work_actions(exercise, context) } else { Vec::new() };
        let mut offer = |when: bool, action: Action| {
            if when && !actions.contains(&action) {
                actions.push(action);
            }
        };
        let moves = self.moves();
        let (at, max) = layout.arrows();
        offer(!moves && at > 0, Action::Up);
        offer(!moves && at < max, Action::Down);
        offer(self.next_hint(exercise, context).is_some(), Action::Hint);
        offer(self.solution_open(exercise, context), Action::Solution);
        let letters = matches!(self.draft, Draft::Cure { stage: Stage::Cure, .. }) && self.shows == Shows::Own;
        offer(!letters && (self.shows == Shows::Changes || self.changes(exercise).is_some()), Action::Changes);
        offer(self.stepper(exercise, context.data.setting()).is_some(), Action::Stepper);
        offer(self.can_start_over(exercise), Action::StartOver);
        offer(!layout.beside, Action::Zoom);
        offer(true, Action::Back);
        let (at, max) = layout.pages();
        offer(at < max, Action::PageDown);
        offer(at > 0, Action::PageUp);
        actions
    }

    fn act(&mut self, action: Action, context: &Context) -> Vec<Effect> {
        let Some(exercise) = self.exercise(context) else { return vec![Effect::Go(Go::Back)] };
        match action {
            Action::Back => return self.back(),
            Action::Up if self.moves() => return self.step(-1, exercise, context),
            Action::Down if self.moves() => return self.step(1, exercise, context),
            Action::Up => self.scroll(-1, exercise, context),
            Action::Down => self.scroll(1, exercise, context),
            Action::PageUp => self.page(-SCREENFUL, exercise, context),
            Action::PageDown => self.page(SCREENFUL, exercise, context),
            Action::Zoom => {
                self.zoom = match self.zoom {
                    Zoom::Both => Zoom::Report,
                    Zoom::Report => Zoom::Code,
                    Zoom::Code => Zoom::Both,
                }
            }
            Action::TakeLine => {
                if let (Draft::Cure { line: Some(line), .. }, Work::Repair(repair)) = (&self.draft, &exercise.work)
                    && !repair.lines.contains(line)
                {
                    // The cures would show where the fault is.
                    return vec![Effect::Say(t!("exercise-line-wrong", line = *line))];
                }
                if let Draft::Cure { stage, .. } = &mut self.draft {
                    *stage = Stage::Cure;
                }
                self.show(Part::Choices);
            }
            Action::Choose(at) => {
                self.show(Part::Choices);
                return self.choose(at.into(), exercise);
            }
            Action::ChooseAgain => {
                if let Draft::Cure { stage, .. } = &mut self.draft {
                    *stage = Stage::Line;
                }
                self.code_scroll = None;
            }
            Action::RunChoice => {
                self.show(Part::Verdict);
                let answer = self.draft.answer(exercise);
                return answer.map_or_else(Vec::new, |answer| self.begin(Subjected::Answer(answer), context));
            }
            Action::NextHole => return self.turn(1, 0, exercise),
            Action::PreviousHole => return self.turn(-1, 0, exercise),
            Action::NextFilling => return self.turn(0, 1, exercise),
            Action::PreviousFilling => return self.turn(0, -1, exercise),
            Action::Begin => return vec![self.folder(FolderCommand::Start, context.data)],
            Action::Edit => return self.edit(exercise, context),
            Action::Hint => {
                self.show(Part::Hints);
                let hint = self.next_hint(exercise, context);
                let keep = |hint| Effect::Store(StoreRequest::Hinted { exercise: self.id.clone(), hint });
                return hint.map(keep).into_iter().collect();
            }
            Action::Stepper => return vec![Effect::Go(Go::Stepper)],
            Action::Solution => self.toggle(Shows::Solution),
            Action::Changes => self.toggle(Shows::Changes),
            Action::StartOver => return self.start_over(exercise, context),
            Action::NextExercise => {
                let next = self.next(context.data).map(|next| next.id.clone());
                return next.map(|id| Effect::Go(Go::Exercise(id))).into_iter().collect();
            }
            _ => {}
        }
        Vec::new()
    }

    fn render(&self, frame: &mut Frame, context: &Context, hits: &mut Hits) {
        self.draw(frame, context, hits);
    }

    fn text_lines(&self, width: u16, context: &Context) -> Vec<String> {
        self.as_lines(width, context)
    }

    fn location(&self) -> String {
        self.id.clone()
    }

    fn signs(&self, context: &Context) -> Vec<Sign> {
        let look = &context.look;
        vec![
            (look.sign("✔", "+"), t!("workshop-sign-met")),
            (look.sign("✘", "x"), t!("workshop-sign-not-met")),
            (look.sign("·", "."), t!("workshop-sign-unknown")),
            (look.sign("★", "*"), t!("workshop-sign-star")),
            (look.sign("▌", "#"), t!("workshop-sign-changed")),
            (look.sign("▒", "+"), t!("workshop-sign-some")),
        ]
    }

    fn click(&mut self, hit: Hit, _: Position, context: &Context) -> Vec<Effect> {
        match hit {
            Hit::Row(line) => self.click_line(line as u32, context),
            Hit::Choice(choice) => self.click_choice(choice, context),
            _ => Vec::new(),
        }
    }

    fn scroll_by(&mut self, rows: isize, context: &Context) -> Vec<Effect> {
        if let Some(exercise) = self.exercise(context) {
            self.page(rows, exercise, context);
        }
        Vec::new()
    }

    fn rows_to_take(&self, context: &Context) -> usize {
        match (&self.draft, self.exercise(context).map(|exercise| &exercise.work)) {
            (Draft::Cure { stage: Stage::Line, .. }, Some(Work::Repair(repair))) if self.shows == Shows::Own => {
                repair.broken.text().lines().count()
            }
            _ => 0,
        }
    }

    fn take(&mut self, row: usize, context: &Context) -> Vec<Effect> {
        self.click_line(row as u32 + 1, context)
    }

    fn animating(&self) -> bool {
        self.trial.is_some()
    }

    fn tick(&mut self, _: Duration) -> bool {
        // The screen shows the seconds of the trial.
        self.animating()
    }

    fn wants(&self, context: &Context) -> Vec<HighlightRequest> {
        self.uncoloured(context)
    }
}
