//! Earlier ids of a course (`was`). Data stored under them moves to the new ids.

use tutor_course::{Course, CourseSource, renamed_exercises};

/// The old names of a course's parts, with the new ones.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Renamed {
    /// Earlier ids of the course.
    pub courses: Vec<String>,
    /// Old and new ids of levels.
    pub levels: Vec<[String; 2]>,
    /// For each page: the level's id, the old id and the new id.
    pub pages: Vec<[String; 3]>,
    /// For each slot: the level's id, the old id and the new id.
    pub slots: Vec<[String; 3]>,
    /// Old and new names of exercises.
    pub exercises: Vec<[String; 2]>,
}

impl Renamed {
    /// True if nothing was renamed.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Returns the old names that a course and its exercises state.
    pub fn of(course: &Course, source: &CourseSource) -> Self {
        let exercises = renamed_exercises(source);
        let mut renamed = Self { courses: course.was.clone(), exercises, ..Self::default() };
        for level in &course.levels {
            renamed.levels.extend(level.was.iter().map(|old| [old.clone(), level.id.clone()]));
            let pages = level.pages();
            let old = |was: &[tutor_course::At<String>], new: &str| -> Vec<[String; 3]> {
                was.iter().map(|old| [level.id.clone(), old.value.clone(), new.to_owned()]).collect()
            };
            renamed.pages.extend(pages.iter().flat_map(|page| old(&page.was, &page.id.value)));
            let slots = level.quiz().map_or(&[][..], |quiz| &quiz.slots);
            renamed.slots.extend(slots.iter().flat_map(|slot| old(&slot.was, &slot.id.value)));
        }
        renamed
    }
}
