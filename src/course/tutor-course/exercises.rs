//! What a course knows about its exercises: their ids, their levels, and whether they need a compiler. The workshop
//! handles everything else (package `tutor_exercises`).

use super::source::is_plain_name;
use crate::prelude::*;
use tutor_support::yaml::{Node, Value};

/// Used in place of an id: any exercise of the level that needs no compiler.
pub const ANY: &str = "any";

/// What a course needs to know about an exercise.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExerciseName {
    /// The name of its folder.
    pub id: String,
    /// Id of its level; empty if its file cannot be read.
    pub level: String,
    /// True if the student's code must be compiled.
    pub needs_compiler: bool,
}

/// Returns the exercises of a course in the order of their ids.
pub fn exercise_names(source: &CourseSource) -> Vec<ExerciseName> {
    let mut ids: Vec<String> = source.exercises().into_iter().filter(|id| is_plain_name(id)).collect();
    ids.sort();
    ids.into_iter().map(|id| named(source, id)).collect()
}

/// Returns the old name and the new name of each renamed exercise of a course.
pub fn renamed_exercises(source: &CourseSource) -> Vec<[String; 2]> {
    let mut renamed = Vec::new();
    for id in source.exercises().into_iter().filter(|id| is_plain_name(id)) {
        let text = source.read(&file_of(&id)).unwrap_or_default();
        // Most exercises were never renamed. Do not parse them.
        if !text.lines().any(|line| line.starts_with("was")) {
            continue;
        }
        let Some(Value::Map(fields)) = tutor_support::yaml::read(&text).ok().map(|tree| tree.value) else { continue };
        let was = fields.into_iter().find(|(key, _)| key.text() == Some("was")).map(|(_, was)| was.value);
        if let Some(Value::List(was)) = was {
            renamed.extend(was.iter().filter_map(|old| Some([old.text()?.to_owned(), id.clone()])));
        }
    }
    renamed.sort();
    renamed
}

fn file_of(id: &str) -> String {
    format!("kernels/exercises/{id}/exercise.yaml")
}

fn named(source: &CourseSource, id: String) -> ExerciseName {
    let text = source.read(&file_of(&id)).unwrap_or_default();
    let node = tutor_support::yaml::read(&text).ok();
    let field = |name: &str| node.as_ref().and_then(|node| field(node, name)).unwrap_or_default();
    let needs_compiler = field("kind") == "write" && field("language") != "ptx";
    ExerciseName { level: field("level").to_owned(), needs_compiler, id }
}

fn field<'n>(node: &'n Node, name: &str) -> Option<&'n str> {
    let text = |node: &'n Node| match &node.value {
        Value::Text(text) => Some(text.as_str()),
        _ => None,
    };
    let Value::Map(entries) = &node.value else { return None };
    entries.iter().find(|(key, _)| text(key) == Some(name)).and_then(|(_, value)| text(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_in_cuda_needs_a_compiler_and_the_rest_does_not() {
        let names = exercise_names(&CourseSource::BuiltIn);
        let of = |id: &str| names.iter().find(|name| name.id == id).cloned().unwrap();
        let name =
            |id: &str, needs_compiler| ExerciseName { id: id.into(), level: "shared-tiling".into(), needs_compiler };
        for (id, needs_compiler) in
            [("good-advice", false), ("meet-twice", false), ("fma-loop", false), ("load-a-tile", true)]
        {
            assert_eq!(of(id), name(id, needs_compiler));
        }
    }
}
