//! JSON Schemas of the course's files, for editors.

use super::names::Names;
use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value, json};
use tutor_course::{CourseFile, LessonFile, QuizFile};
use tutor_exercises::{ExerciseEdition, ExerciseFile};
use tutor_kernels::{CatalogEdition, CatalogFile};

/// A type of file that has a schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SchemaOf {
    Lesson,
    Quiz,
    Course,
    Catalog,
    CatalogEdition,
    Exercise,
    ExerciseEdition,
}

impl SchemaOf {
    pub const ALL: [Self; 7] = [
        Self::Lesson,
        Self::Quiz,
        Self::Course,
        Self::Catalog,
        Self::CatalogEdition,
        Self::Exercise,
        Self::ExerciseEdition,
    ];

    /// Returns the name on the command line and the path of such files in a course.
    pub fn name_and_path(self) -> [&'static str; 2] {
        match self {
            Self::Lesson => ["lesson", "modules/NN-name.yaml"],
            Self::Quiz => ["quiz", "quizzes/NN-name.yaml"],
            Self::Course => ["course", "modules/course.yaml"],
            Self::Catalog => ["catalog", "kernels/catalog.yaml"],
            Self::CatalogEdition => ["catalog-edition", "kernels/LANG.yaml"],
            Self::Exercise => ["exercise", "kernels/exercises/ID/exercise.yaml"],
            Self::ExerciseEdition => ["exercise-edition", "kernels/exercises/ID/LANG.yaml"],
        }
    }

    /// Returns the name of the file in `assets/schema/`.
    pub fn file(self) -> String {
        format!("{}.json", self.name_and_path()[0])
    }

    /// Returns the schema as indented JSON with a final newline. With `names`, the schema contains the names of a
    /// course.
    pub fn text(self, names: Option<&Names>) -> serde_json::Result<String> {
        let mut schema = self.schema();
        for_editors(schema.ensure_object());
        // With the title, editors would show the name of a type for every field.
        schema.remove("title");
        if let Some(names) = names {
            names.complete(schema.ensure_object());
        }
        Ok(serde_json::to_string_pretty(&schema)? + "\n")
    }

    /// Returns the schema that the types define.
    pub(super) fn schema(self) -> Schema {
        match self {
            Self::Lesson => of::<LessonFile>(),
            Self::Quiz => of::<QuizFile>(),
            Self::Course => of::<CourseFile>(),
            Self::Catalog => of::<CatalogFile>(),
            Self::CatalogEdition => of::<CatalogEdition>(),
            Self::Exercise => of::<ExerciseFile>(),
            Self::ExerciseEdition => of::<ExerciseEdition>(),
        }
    }
}

/// Adapts a schema for editors: removes links to code from descriptions, and adds titles to kinds. Where a text is
/// permitted, also permits numbers, `true` and `false`, because YAML reads unquoted texts of this form as such.
fn for_editors(object: &mut Map<String, Value>) {
    if object.get("type").is_some_and(|kind| kind == "string") && !object.contains_key("enum") {
        object.insert("type".to_owned(), json!(["string", "number", "boolean"]));
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

/// Returns a schema of draft 7, which YAML language servers support best.
fn of<T: JsonSchema>() -> Schema {
    SchemaSettings::draft07().with_transform(RecursiveTransform(strict)).into_generator().into_root_schema_for::<T>()
}

/// Permits only the fields of a type, and no `null`: a field may be absent, but a name without a value is a mistake.
fn strict(schema: &mut Schema) {
    let Some(object) = schema.as_object_mut() else { return };
    if object.contains_key("properties") {
        object.insert("additionalProperties".to_owned(), Value::Bool(false));
    }
    if object.get("default").is_some_and(Value::is_null) {
        object.remove("default");
    }
    if let Some(Value::Array(kinds)) = object.get_mut("type") {
        kinds.retain(|kind| kind != "null");
        if let [kind] = kinds.as_slice() {
            let kind = kind.clone();
            object.insert("type".to_owned(), kind);
        }
    }
    if let Some(Value::Array(any)) = object.get_mut("anyOf") {
        any.retain(|of| of["type"] != "null");
        if any.len() == 1 {
            let only = object.remove("anyOf").unwrap_or_default();
            object.insert("allOf".to_owned(), only);
        }
    }
}
