//! Text in XML.

/// Escapes text for XML content and attributes, in which a line break must be written as a character reference.
pub(crate) fn escaped(text: &str) -> String {
    course_check::escaped(text).replace('\n', "&#10;")
}
