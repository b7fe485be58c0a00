CREATE TABLE visits(
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    course TEXT NOT NULL,
    level TEXT NOT NULL,
    page TEXT NOT NULL,
    event TEXT NOT NULL CHECK(event IN ('opened', 'read')),
    at TEXT NOT NULL
) STRICT;
CREATE INDEX visits_of_level ON visits(course, level);
CREATE TABLE predictions(
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    course TEXT NOT NULL,
    level TEXT NOT NULL,
    page TEXT NOT NULL,
    choice INTEGER,
    correct INTEGER,
    at TEXT NOT NULL
) STRICT;
CREATE TABLE runs(
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    kernel TEXT NOT NULL,
    m INTEGER NOT NULL,
    n INTEGER NOT NULL,
    k INTEGER NOT NULL,
    device TEXT NOT NULL,
    driver TEXT,
    median_ms REAL,
    verified INTEGER,
    at TEXT NOT NULL
) STRICT;
CREATE INDEX runs_of_kernel ON runs(kernel);
