/*! How much a course may hold. A stranger's course must neither freeze the tutor nor take all memory.

What goes beyond is told as a problem with its place and left out; the rest is read. Each limit is many times what a course
for people needs: the built-in one has eight levels and 600 KiB. Limits of a single YAML file are in
[`tutor_base::yaml`], those of the kernels in [`tutor_kernels`].
*/

/// Most levels of a course.
pub const MAX_LEVELS: usize = 50;
/// Most editions of a course.
pub const MAX_EDITIONS: usize = 20;
/// Most pages of a level.
pub const MAX_PAGES: usize = 100;
/// Most objectives of a level.
pub const MAX_OBJECTIVES: usize = 100;
/// Most glossary entries of a level.
pub const MAX_TERMS: usize = 200;
/// Longest single text, in bytes.
pub const MAX_TEXT_BYTES: usize = 16 << 10;
/// Most text of a page, or of a variant of a question, in bytes.
pub const MAX_PAGE_BYTES: usize = 32 << 10;
/// Most bytes of all lessons and quizzes that are read together.
pub const MAX_COURSE_BYTES: usize = 16 << 20;
/// Most problems told of one file.
pub const MAX_FILE_PROBLEMS: usize = 100;
/// Most problems told of a course.
pub const MAX_PROBLEMS: usize = 1000;
