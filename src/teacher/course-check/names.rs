//! The names in a course, for completion in an editor.

use crate::rules::RULES;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use tutor_course::{ANY, Course, CourseSource, exercise_names};
use tutor_kernels::Catalog;

/// The fields that contain names, and what they name.
const FIELDS: [(&str, Kind); 19] = [
    ("kernel", Kind::Kernel),
    ("kernels", Kind::Kernel),
    ("correct", Kind::Kernel),
    ("delayed", Kind::Kernel),
    ("to", Kind::Kernel),
    ("over", Kind::Kernel),
    ("beside", Kind::Kernel),
    ("ladder", Kind::Kernel),
    ("otherwise", Kind::Kernel),
    ("faster_than", Kind::Kernel),
    ("exercise", Kind::Exercise),
    ("region", Kind::Region),
    ("page", Kind::Page),
    ("objective", Kind::Objective),
    ("objectives", Kind::Objective),
    ("level", Kind::Level),
    ("lesson", Kind::Lesson),
    ("quiz", Kind::Quiz),
    ("code", Kind::Code),
];

/// What a name refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Kernel,
    Exercise,
    Region,
    Page,
    Objective,
    Level,
    Lesson,
    Quiz,
    Code,
}

#[derive(Debug, Clone, Default)]
pub struct Names {
    kernels: BTreeSet<String>,
    exercises: BTreeSet<String>,
    regions: BTreeSet<String>,
    pages: BTreeSet<String>,
    objectives: BTreeSet<String>,
    levels: BTreeSet<String>,
    lessons: BTreeSet<String>,
    quizzes: BTreeSet<String>,
}

impl Names {
    /// Returns the current names of a course.
    pub fn of(source: &CourseSource) -> Self {
        let (catalog, _) = Catalog::of_course(source.directory());
        let course = Course::load(source, "");
        let mut names = Self {
            kernels: catalog.kernels().iter().map(|kernel| kernel.id.clone()).collect(),
            exercises: exercise_names(source).into_iter().map(|exercise| exercise.id).collect(),
            ..Self::default()
        };
        let regions = catalog.kernels().iter().flat_map(|kernel| kernel.source.regions());
        names.regions.extend(regions.map(|region| region.name.clone()));
        let file = |path: &Option<String>| path.as_ref().and_then(|path| Some(path.rsplit_once('/')?.1.to_owned()));
        for level in &course.levels {
            names.levels.insert(level.id.clone());
            names.lessons.extend(file(&level.lesson_file));
            names.quizzes.extend(file(&level.quiz_file));
            let Ok(lesson) = &level.lesson else { continue };
            names.pages.extend(lesson.pages.iter().map(|page| page.id.value.clone()));
            names.objectives.extend(lesson.objectives.iter().map(|objective| objective.id.value.clone()));
        }
        names
    }

    fn known(&self, kind: Kind) -> Vec<&str> {
        let names = match kind {
            Kind::Kernel => &self.kernels,
            Kind::Exercise => &self.exercises,
            Kind::Region => &self.regions,
            Kind::Page => &self.pages,
            Kind::Objective => &self.objectives,
            Kind::Level => &self.levels,
            Kind::Lesson => &self.lessons,
            Kind::Quiz => &self.quizzes,
            Kind::Code => return RULES.iter().filter(|rule| rule.allowable).map(|rule| rule.code).collect(),
        };
        names.iter().map(String::as_str).collect()
    }

    /// Adds the names to a schema, at every field that contains one.
    pub(super) fn complete(&self, schema: &mut Map<String, Value>) {
        self.complete_type("", schema);
        for (name, schema) in schema.get_mut("definitions").and_then(Value::as_object_mut).into_iter().flatten() {
            schema.as_object_mut().into_iter().for_each(|schema| self.complete_type(name, schema));
        }
    }

    /// Does the same in the schema of one type.
    fn complete_type(&self, name: &str, object: &mut Map<String, Value>) {
        if let Some(fields) = object.get_mut("properties").and_then(Value::as_object_mut) {
            for (field, schema) in fields.iter_mut() {
                let Some((_, kind)) = FIELDS.iter().find(|(name, _)| name == field) else { continue };
                // A question about code also has a field of this name.
                if *kind == Kind::Code && name != "Allowance" {
                    continue;
                }
                let schema = if schema["items"].is_object() { &mut schema["items"] } else { schema };
                let faults = if name == "Fault" { Catalog::faulty().kernels() } else { &[] };
                let mut more: Vec<&str> = faults.iter().map(|kernel| kernel.id.as_str()).collect();
                more.extend((name == "Requires").then_some(ANY));
                self.put(*kind, &more, schema);
            }
        }
        for (_, value) in object.iter_mut().filter(|(field, _)| *field != "definitions") {
            match value {
                Value::Object(inner) => self.complete_type(name, inner),
                Value::Array(items) => {
                    items.iter_mut().filter_map(Value::as_object_mut).for_each(|it| self.complete_type(name, it));
                }
                _ => {}
            }
        }
    }

    /// Restricts a text to the known names and `more`. Names that authors add while they write remain valid in the
    /// schema; `check` verifies them.
    fn put(&self, kind: Kind, more: &[&str], schema: &mut Value) {
        let mut known = self.known(kind);
        known.extend(more);
        let Some(fields) = schema.as_object_mut().filter(|fields| is_text(fields)) else { return };
        if known.is_empty() {
            return;
        }
        fields.remove("type");
        fields.remove("pattern");
        let grows =
            matches!(kind, Kind::Region | Kind::Page | Kind::Objective | Kind::Level | Kind::Lesson | Kind::Quiz);
        if grows {
            fields.insert("anyOf".to_owned(), json!([{ "enum": known }, { "type": "string" }]));
        } else {
            fields.insert("enum".to_owned(), json!(known));
        }
    }
}

fn is_text(fields: &Map<String, Value>) -> bool {
    let text = |of: &Value| of == "string";
    fields.get("type").is_some_and(|of| text(of) || of.as_array().is_some_and(|all| all.iter().any(text)))
        && !fields.contains_key("enum")
}
