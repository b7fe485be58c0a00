CREATE TABLE tries(
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    course TEXT NOT NULL,
    exercise TEXT NOT NULL,
    answer TEXT NOT NULL,
    failed TEXT,
    starred INTEGER NOT NULL,
    at TEXT NOT NULL
) STRICT;
CREATE INDEX tries_of_exercise ON tries(course, exercise);
CREATE TABLE hints(
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    course TEXT NOT NULL,
    exercise TEXT NOT NULL,
    hint INTEGER NOT NULL,
    at TEXT NOT NULL
) STRICT;
