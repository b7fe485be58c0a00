//! JSON Schemas of the course's files, for editors.

use super::names::Names;
use crate::course::{CourseFile, LessonFile, QuizFile};
use crate::kernels::CatalogFile;
use crate::workshop::ExerciseFile;
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value, json};

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

    /// The schema, indented, with a line feed at the end; with the names that a course has, if some are given.
    ///
    /// # Errors
    /// If it cannot be written as JSON.
    pub fn text(self, names: Option<&Names>) -> serde_json::Result<String> {
        let mut schema = self.schema();
        for_editors(schema.ensure_object());
        // Else every field would be shown under the name of a type.
        schema.remove("title");
        if let Some(names) = names {
            names.complete(schema.ensure_object());
        }
        Ok(serde_json::to_string_pretty(&schema)? + "\n")
    }

    /// The schema as the types make it.
    pub(super) fn schema(self) -> Schema {
        match self {
            Self::Lesson => of::<LessonFile>(),
            Self::Quiz => of::<QuizFile>(),
            Self::Course => of::<CourseFile>(),
            Self::Catalog => of::<CatalogFile>(),
            Self::Exercise => of::<ExerciseFile>(),
        }
    }
}

/// Makes of what the types say what an editor shows: descriptions without links to code, kinds with titles, and numbers where a
/// text may stand, as YAML writes a text of digits without quotes.
fn for_editors(object: &mut Map<String, Value>) {
    if object.get("type") == Some(&Value::from("string"))
        && !object.contains_key("enum")
        && !object.contains_key("pattern")
    {
        object.insert("type".to_owned(), json!(["string", "number"]));
    }
    for kind in object.get_mut("oneOf").and_then(Value::as_array_mut).into_iter().flatten() {
        let name = kind["properties"].as_object().and_then(|fields| fields.keys().next().cloned());
        if let (Some(name), Some(kind)) = (name, kind.as_object_mut()) {
            kind.insert("title".to_owned(), Value::String(name));
        }
    }
    for (name, value) in object {
        match value {
            Value::String(text) if name == "description" => *text = text.replace("[`", "`").replace("`]", "`"),
            Value::Object(inner) => for_editors(inner),
            Value::Array(items) => items.iter_mut().filter_map(Value::as_object_mut).for_each(for_editors),
            _ => {}
        }
    }
}

/// Draft 7: what YAML language servers understand best.
fn of<T: JsonSchema>() -> Schema {
    SchemaSettings::draft07().into_generator().into_root_schema_for::<T>()
}
