/*! Limits on the size of a course. An untrusted course must neither freeze the tutor nor use up all memory.

Whatever exceeds a limit is reported with its place and left out; the rest is read. Each limit is many times what a real
course needs: the built-in one has ten levels and 800 KiB. [`tutor_support::yaml`] limits a single YAML file, and
[`tutor_kernels`] limits the kernels.
*/

/// Maximum number of levels in a course.
pub const MAX_LEVELS: usize = 50;
/// Maximum number of editions of a course.
pub const MAX_EDITIONS: usize = 20;
/// Maximum number of pages in a level.
pub const MAX_PAGES: usize = 100;
/// Maximum number of objectives in a level.
pub const MAX_OBJECTIVES: usize = 100;
/// Maximum number of glossary entries in a level.
pub const MAX_TERMS: usize = 200;
/// Maximum length of a single text, in bytes.
pub const MAX_TEXT_BYTES: usize = 16 << 10;
/// Maximum text of a page, or of a variant of a question, in bytes.
pub const MAX_PAGE_BYTES: usize = 32 << 10;
/// Maximum size of all lessons and quizzes together, in bytes.
pub const MAX_COURSE_BYTES: usize = 16 << 20;
/// Maximum number of problems reported for one file.
pub const MAX_FILE_PROBLEMS: usize = 100;
/// Maximum number of problems reported for a course.
pub const MAX_PROBLEMS: usize = 1000;
