CREATE TABLE drafts(
    course TEXT NOT NULL,
    key TEXT NOT NULL,
    draft TEXT NOT NULL,
    PRIMARY KEY(course, key)
) STRICT;
