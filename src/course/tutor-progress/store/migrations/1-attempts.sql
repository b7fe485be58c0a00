CREATE TABLE attempts(
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    course TEXT NOT NULL,
    level TEXT NOT NULL,
    kind TEXT NOT NULL CHECK(kind IN ('gate', 'practice')),
    seed INTEGER NOT NULL,
    started_at TEXT NOT NULL
) STRICT;
CREATE INDEX attempts_of_level ON attempts(course, level);
CREATE TABLE drawn(
    attempt INTEGER NOT NULL REFERENCES attempts(id),
    position INTEGER NOT NULL,
    slot TEXT NOT NULL,
    question TEXT NOT NULL,
    PRIMARY KEY(attempt, position)
) STRICT;
CREATE TABLE answers(
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    attempt INTEGER NOT NULL REFERENCES attempts(id),
    slot TEXT NOT NULL,
    answer TEXT NOT NULL,
    given_at TEXT NOT NULL
) STRICT;
CREATE INDEX answers_of_attempt ON answers(attempt);
CREATE TABLE flags(
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    attempt INTEGER NOT NULL REFERENCES attempts(id),
    slot TEXT NOT NULL,
    flagged INTEGER NOT NULL
) STRICT;
CREATE TABLE positions(
    attempt INTEGER PRIMARY KEY REFERENCES attempts(id),
    position INTEGER NOT NULL
) STRICT;
CREATE TABLE submissions(
    attempt INTEGER PRIMARY KEY REFERENCES attempts(id),
    submitted_at TEXT NOT NULL,
    correct INTEGER NOT NULL,
    questions INTEGER NOT NULL,
    required INTEGER NOT NULL
) STRICT;
CREATE TABLE grades(
    attempt INTEGER NOT NULL REFERENCES attempts(id),
    position INTEGER NOT NULL,
    slot TEXT NOT NULL,
    variant TEXT NOT NULL,
    correct INTEGER NOT NULL,
    why TEXT,
    because TEXT NOT NULL,
    page TEXT NOT NULL,
    PRIMARY KEY(attempt, position)
) STRICT;
CREATE TABLE abandonments(
    attempt INTEGER PRIMARY KEY REFERENCES attempts(id),
    abandoned_at TEXT NOT NULL,
    reason TEXT NOT NULL
) STRICT;
