//! JSON Schemas of the course's files, for editors.

use crate::course::{CourseFile, LessonFile, QuizFile};
use crate::kernels::CatalogFile;
use crate::workshop::ExerciseFile;
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value};

/// A kind of file that has a schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SchemaOf {
    /// `modules/NN-name.yaml`.
    Lesson,
    /// `quizzes/NN-name.yaml`.
    Quiz,
    /// `modules/course.yaml`.
    Course,
    /// `kernels/catalog.yaml`.
    Catalog,
    /// `kernels/exercises/ID/exercise.yaml`.
    Exercise,
}

impl SchemaOf {
    /// All kinds.
    pub const ALL: [Self; 5] = [Self::Lesson, Self::Quiz, Self::Course, Self::Catalog, Self::Exercise];

    /// The name of the file in `assets/schema/`.
    pub fn file(self) -> &'static str {
        match self {
            Self::Lesson => "lesson.json",
            Self::Quiz => "quiz.json",
            Self::Course => "course.json",
            Self::Catalog => "catalog.json",
            Self::Exercise => "exercise.json",
        }
    }

    /// The schema, indented, with a line feed at the end.
    ///
    /// # Errors
    /// If it cannot be written as JSON.
    pub fn text(self) -> serde_json::Result<String> {
        let mut schema = match self {
            Self::Lesson => of::<LessonFile>(),
            Self::Quiz => of::<QuizFile>(),
            Self::Course => of::<CourseFile>(),
            Self::Catalog => of::<CatalogFile>(),
            Self::Exercise => of::<ExerciseFile>(),
        };
        plain_descriptions(schema.ensure_object());
        Ok(serde_json::to_string_pretty(&schema)? + "\n")
    }
}

/// Descriptions come from doc comments: their links to code mean nothing in an editor.
fn plain_descriptions(object: &mut Map<String, Value>) {
    for (name, value) in object {
        match value {
            Value::String(text) if name == "description" => *text = text.replace("[`", "`").replace("`]", "`"),
            Value::Object(inner) => plain_descriptions(inner),
            Value::Array(items) => items.iter_mut().filter_map(Value::as_object_mut).for_each(plain_descriptions),
            _ => {}
        }
    }
}

/// Draft 7: what YAML language servers understand best.
fn of<T: JsonSchema>() -> Schema {
    SchemaSettings::draft07().into_generator().into_root_schema_for::<T>()
}
