//! What every picture can do.

use crate::effect::Effect;
use crate::setting::Setting;
use ratatui::Frame;
use ratatui::layout::{Position, Rect};
use std::time::Duration;
use tutor_exec::protocol::Reply;
use tutor_support::words::Sentence;
use ui_kit::action::Action;
use ui_kit::code::HighlightRequest;
use ui_kit::keys::KeyEvent;
use ui_kit::look::Look;

/// The picture of a page.
pub trait Picture: std::fmt::Debug {
    /// Returns what kind of picture it is: `tile-walk`.
    fn kind(&self) -> &'static str;

    /// Returns the name for titles and hints.
    fn name(&self) -> String {
        Sentence::of_key(format!("pictures-name-{}", self.kind())).to_string()
    }

    /// Returns the part of a link that opens the picture as it is now, if links can.
    fn link(&self) -> Option<String> {
        None
    }

    /// Returns the actions that work now, most important first. [`ui_kit::action::TABLE`] has their keys.
    fn actions(&self) -> Vec<Action>;

    /// True if [`Self::act`] runs the action.
    fn can(&self, action: Action) -> bool {
        self.actions().contains(&action)
    }

    /// Runs an action that works now. Any other does nothing.
    fn act(&mut self, action: Action) -> Vec<Effect> {
        if self.can(action) { self.perform(action) } else { Vec::new() }
    }

    /// Runs one of [`Self::actions`], for [`Self::act`].
    fn perform(&mut self, action: Action) -> Vec<Effect>;

    /// True if a text field has the keyboard focus. Keys then go to [`Self::key`].
    fn editing(&self) -> bool {
        false
    }

    /// Handles a key for the text field.
    fn key(&mut self, _: KeyEvent) -> Vec<Effect> {
        Vec::new()
    }

    /// Handles a click at `at` inside `area`, the area of the last drawing.
    fn click(&mut self, _at: Position, _area: Rect) -> Vec<Effect> {
        Vec::new()
    }

    /// Called when the picture has just received the keyboard focus.
    fn focus(&mut self) -> Vec<Effect> {
        Vec::new()
    }

    /// Ends a short animation at once, because a key was pressed or because of `--no-motion`.
    fn finish_animation(&mut self) {}

    /// Completes an action without motion (`--no-motion`). A picture whose steps are animations runs them at once.
    fn skip_motion(&mut self) {
        self.finish_animation();
    }

    /// True if the picture needs ticks.
    fn animating(&self) -> bool {
        false
    }

    /// Advances an animation; called only while [`Self::animating`]. Returns true if the picture looks different.
    fn tick(&mut self, _now: Duration) -> bool {
        false
    }

    /// Takes the kernels' new names after a reload of the course, which may be in another language.
    fn rename(&mut self, _: Setting) {}

    /// Handles a reply of the worker and ignores those to other requests. Returns true if the picture looks different.
    fn reply(&mut self, _: &Reply) -> bool {
        false
    }

    /// Returns what follows from the last reply, such as the next of several launches.
    fn go_on(&mut self) -> Vec<Effect> {
        Vec::new()
    }

    /// False if the student has not yet made it show what the page's text after the question explains.
    fn has_results(&self) -> bool {
        true
    }

    /// Draws into an area of any size. Must not panic.
    fn render(&self, frame: &mut Frame, area: Rect, look: &Look);

    /// Draws what is visible before the student answers the page's question. Returns false if there is nothing.
    fn render_before(&self, _: &mut Frame, _: Rect, _: &Look) -> bool {
        false
    }

    /// Returns the minimum height at this width. If a page has less room, the picture gets the whole screen.
    fn min_height(&self, width: u16) -> u16;

    /// Returns the width from which the picture is drawn larger. The page narrows its text a little to provide it.
    fn wished_width(&self) -> u16 {
        0
    }

    /// Returns the code to highlight.
    fn wants(&self) -> Vec<HighlightRequest> {
        Vec::new()
    }

    /// Describes the picture in sentences, for the line-by-line mode (`--plain`).
    fn describe(&self) -> Vec<String>;

    /// Returns the signs in the drawing and their meanings, for the help.
    fn signs(&self) -> Vec<(&'static str, String)> {
        signs_of(self.kind())
    }
}

/// Implements the methods of a picture that its module `draw` has as functions.
macro_rules! drawn {
    () => {
        fn render(&self, frame: &mut Frame, area: Rect, look: &Look) {
            draw::draw(self, frame, area, look);
        }

        fn min_height(&self, width: u16) -> u16 {
            draw::min_height(self, width)
        }
    };
}
pub(crate) use drawn;

/// Implements the methods of a picture that plays steps. Its `pace` says when, and its `play_step` does one and returns true if more follow.
macro_rules! played {
    () => {
        fn finish_animation(&mut self) {
            self.pace.glide.finish();
        }

        fn animating(&self) -> bool {
            self.pace.runs() || self.pace.glide.moving()
        }

        fn tick(&mut self, now: std::time::Duration) -> bool {
            let moved = self.pace.glide.tick(now);
            let due = self.pace.due(now);
            if due {
                let more = self.play_step();
                self.pace.run(more);
            }
            moved || due
        }
    };
}
pub(crate) use played;

/// The signs of all pictures: kind, sign, and the key of the meaning.
const SIGNS: &str = include_str!("signs.txt");

/// Returns the signs that every picture of a kind has.
pub(crate) fn signs_of(kind: &str) -> Vec<(&'static str, String)> {
    let of_kind = SIGNS.lines().filter_map(|line| line.split_once(" | ")).filter(|(of, _)| *of == kind);
    let signs = of_kind.filter_map(|(_, sign)| sign.split_once(" | "));
    signs.map(|(sign, key)| (sign, Sentence::of_key(key.to_owned()).to_string())).collect()
}
