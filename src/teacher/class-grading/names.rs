//! The table of `--names`: which student a file or folder belongs to.

use std::collections::BTreeMap;
use std::path::Path;
use tutor_support::name::{folded, visible};
use tutor_support::{t, text};

/// Maximum size of a table, in bytes.
const MAX_BYTES: u64 = 4 << 20;

/// Words above a column that names submissions: a file or folder, or how a platform or a university calls the student. They
/// are those of our own tables, of Moodle's grading worksheet, of the gradebooks of Canvas and Blackboard, and of a roster of
/// Gradescope.
const SUBMISSION: &str = "file, files, filename, file name, folder, directory, path, submission, identifier, id, student id, \
    id number, number, sid, sis user id, sis login id, user, username, user name, login, email, email address, datei, ordner, \
    id-nummer, matrikelnummer, anmeldename, e-mail-adresse, 파일, 파일명, 파일 이름, 폴더, 제출물, 식별자, 학번, 아이디, 사용자명, \
    이메일, 이메일 주소";
/// Words above the column of the students' names, or above the two columns of their parts.
const NAME: &str =
    "name, names, student, student name, full name, vollständiger name, 이름, 성명, 학생, 학생 이름, 전체 이름";
const FIRST: &str = "first name, vorname";
const LAST: &str = "last name, surname, nachname";
/// A roster also lists instructors.
const ROLE: &str = "role, rolle, 역할";
const STUDENT: &str = "student, 학생";
/// What Moodle writes before the number of a participant.
const PARTICIPANT: &str = "participant, teilnehmer/in, 참여자, 참가자";
/// The second line of Canvas's gradebook, which is not a student.
const POINTS_POSSIBLE: &str = "points possible";

/// True if a cell is one of these words.
fn is_one_of(words: &str, cell: &str) -> bool {
    let cell = folded(cell);
    words.split(", ").any(|word| word == cell)
}

/// A table that names submissions in one or more columns, and students.
#[derive(Default)]
pub(crate) struct Names {
    lines: Vec<Line>,
    /// Sentences for the instructor about the table.
    pub(crate) notes: Vec<String>,
}

pub(crate) struct Line {
    pub(crate) number: u64,
    /// What names the submission, in the form of [`key`], one for each column. All lines have as many.
    keys: Vec<String>,
    pub(crate) name: String,
    used: bool,
}

impl Line {
    /// Returns the first thing that names the submission.
    pub(crate) fn key(&self) -> &str {
        self.keys.iter().map(String::as_str).find(|key| !key.is_empty()).unwrap_or_default()
    }
}

impl Names {
    /// Reads a table. Tabs, semicolons or commas separate its columns. Its first line may have the names of the columns, and
    /// has them if there are more than two.
    ///
    /// # Errors
    /// A sentence for the user, if it cannot be read, a line lacks a column, nothing says what the columns are, or two lines
    /// name one file differently.
    pub(crate) fn read(path: &Path) -> Result<Self, String> {
        let file = path.display().to_string();
        let (text, encoding) = text::read_decoded(path, MAX_BYTES)?;
        let mut notes: Vec<String> =
            encoding.map(|encoding| t!("grade-names-encoding", file = file.as_str(), encoding)).into_iter().collect();
        let tables = ['\t', ';', ','].map(|separator| rows(&text, separator));
        let headed = tables.iter().find_map(|rows| Some((Head::of(&rows.first()?.1)?, rows.get(1..)?)));
        let lines = match headed {
            Some((head, rows)) => head.lines(rows),
            None => {
                // The first separator with two columns in every line, else one with more.
                let rank = |(at, table): &(usize, Result<_, Wrong>)| match table {
                    Ok(_) => *at,
                    Err(Wrong::Columns) => 3 + at,
                    Err(Wrong::Line(_)) => 9 - at,
                };
                let best = tables.iter().map(|rows| pairs(rows)).enumerate().min_by_key(rank);
                best.map_or_else(|| Ok(Vec::new()), |(_, lines)| lines)
            }
        };
        let lines = lines.map_err(|wrong| match wrong {
            Wrong::Line(line) => t!("grade-names-line", file = file.as_str(), line),
            Wrong::Columns => t!("grade-names-columns", file = file.as_str(), known = known_columns()),
        })?;
        let mut known: BTreeMap<(usize, &str), &Line> = BTreeMap::new();
        for (line, at) in lines.iter().flat_map(|line| (0..line.keys.len()).map(move |at| (line, at))) {
            let key = line.keys[at].as_str();
            if let Some(first) = known.insert((at, key), line).filter(|_| !key.is_empty()) {
                let (one, other) = (first.name.as_str(), line.name.as_str());
                let (first, second) = (first.number, line.number);
                match folded(one) == folded(other) {
                    true => notes.push(t!("grade-names-again", file = file.as_str(), first, second, key)),
                    false => return Err(t!("grade-names-twice", file = file.as_str(), first, second, key, one, other)),
                }
            }
        }
        Ok(Self { lines, notes })
    }

    /// Returns the name for the first of these files and folders that the table has. A key in another case also fits, if no
    /// line has it in this case. If no key fits, the name of a student does.
    pub(crate) fn find(&mut self, keys: &[String]) -> Option<String> {
        let columns = self.lines.first().map_or(0, |line| line.keys.len());
        let find = |fits: fn(&Line, usize, &str) -> bool| {
            let mut places =
                keys.iter().filter(|key| !key.is_empty()).flat_map(|key| (0..columns).map(move |at| (key, at)));
            places.find_map(|(key, at)| self.lines.iter().position(|line| fits(line, at, key)))
        };
        let found = find(|line, at, key| line.keys[at] == key)
            .or_else(|| find(|line, at, key| folded(&line.keys[at]) == folded(key)))
            .or_else(|| find(|line, _, key| folded(&line.name) == folded(key)))?;
        let (keys, name) = (self.lines[found].keys.clone(), self.lines[found].name.clone());
        self.lines.iter_mut().filter(|line| line.keys == keys).for_each(|line| line.used = true);
        Some(name)
    }

    /// Returns the lines that named nothing.
    pub(crate) fn unused(self) -> impl Iterator<Item = Line> {
        self.lines.into_iter().filter(|line| !line.used)
    }
}

/// Returns the known names of columns.
pub(crate) fn known_columns() -> String {
    [SUBMISSION, NAME, FIRST, LAST].join("; ")
}

/// Why lines cannot be read.
enum Wrong {
    /// This line lacks a submission or a name.
    Line(u64),
    /// Nothing says which columns they are.
    Columns,
}

type Rows = [(u64, Vec<String>)];

/// The columns of a table with names above them.
struct Head {
    submission: Vec<usize>,
    /// One column, or those of the first and the last name.
    name: Vec<usize>,
    role: Option<usize>,
}

impl Head {
    /// Returns the columns of a first line. `None` if it does not name a submission and a student.
    fn of(cells: &[String]) -> Option<Self> {
        let column = |of: &str| cells.iter().position(|cell| is_one_of(of, cell));
        let parts: Vec<usize> = [FIRST, LAST].into_iter().filter_map(column).collect();
        let name = column(NAME).map_or(parts, |name| vec![name]);
        let is_submission = |at: &usize| is_one_of(SUBMISSION, &cells[*at]);
        let submission: Vec<usize> = (0..cells.len()).filter(is_submission).collect();
        (!name.is_empty() && !submission.is_empty()).then(|| Self { submission, name, role: column(ROLE) })
    }

    fn lines(&self, rows: &Rows) -> Result<Vec<Line>, Wrong> {
        let mut lines = Vec::new();
        for (number, cells) in rows {
            let cell = |at: &usize| cells.get(*at).map(String::as_str).unwrap_or_default();
            let keys: Vec<String> = self.submission.iter().map(|at| participant(key(cell(at)))).collect();
            let name = visible(&self.name.iter().map(cell).collect::<Vec<_>>().join(" "));
            let role = self.role.as_ref().map(cell).unwrap_or_default();
            match (keys.iter().all(String::is_empty), &*folded(&name)) {
                (true, "" | POINTS_POSSIBLE) => {}
                _ if !role.is_empty() && !is_one_of(STUDENT, role) => {}
                (true, _) | (_, "") => return Err(Wrong::Line(*number)),
                _ => lines.push(Line { number: *number, keys, name, used: false }),
            }
        }
        Ok(lines)
    }
}

/// Returns the number of a participant of Moodle, or the key as it is.
fn participant(key: String) -> String {
    let before = key.trim_end_matches(|c: char| c.is_ascii_digit());
    if is_one_of(PARTICIPANT, before) { key[before.len()..].to_owned() } else { key }
}

/// Returns a path in the form in which paths are compared: with `/` between its parts, without differences that nobody sees.
pub(crate) fn key(path: &str) -> String {
    let path = visible(path).replace('\\', "/");
    path.strip_prefix("./").unwrap_or(&path).trim_end_matches('/').to_owned()
}

/// Reads the lines of a table of two columns without names above them. Empty lines are left out.
fn pairs(rows: &Rows) -> Result<Vec<Line>, Wrong> {
    let mut lines = Vec::new();
    for (number, cells) in rows {
        let cell = |at: usize| cells.get(at).map(String::as_str).unwrap_or_default();
        match (key(cell(0)), visible(cell(1))) {
            (key, name) if !key.is_empty() && !name.is_empty() => {
                if cells.iter().skip(2).any(|cell| !cell.trim().is_empty()) {
                    return Err(Wrong::Columns);
                }
                lines.push(Line { number: *number, keys: vec![key], name, used: false });
            }
            _ if cells.iter().all(|cell| cell.trim().is_empty()) => {}
            _ => return Err(Wrong::Line(*number)),
        }
    }
    Ok(lines)
}

/// Splits a table into cells (RFC 4180, with any separator and blanks around quotation marks). Each row has the number of
/// its first line.
fn rows(text: &str, separator: char) -> Vec<(u64, Vec<String>)> {
    let mut rows = vec![(1, vec![String::new()])];
    let (mut quoted, mut line, mut characters) = (false, 1, text.chars().peekable());
    while let Some(c) = characters.next() {
        line += u64::from(c == '\n');
        let Some((_, cells)) = rows.last_mut() else { break };
        match (c, cells.last_mut()) {
            ('"', Some(cell)) if quoted && characters.next_if_eq(&'"').is_some() => cell.push('"'),
            ('"', _) => quoted = !quoted,
            ('\n', _) if !quoted => rows.push((line, vec![String::new()])),
            (c, _) if c == separator && !quoted => cells.push(String::new()),
            (c, cell) => cell.into_iter().for_each(|cell| cell.push(c)),
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8]) -> Result<Vec<String>, String> {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), bytes).unwrap();
        let names = Names::read(file.path()).map_err(|why| why.replace(&file.path().display().to_string(), "t.csv"))?;
        let line = |line: &Line| format!("{} {} = {}", line.number, line.keys.join(" "), line.name);
        Ok(names.lines.iter().map(line).chain(names.notes.iter().map(|_| "note".to_owned())).collect())
    }

    #[test]
    fn tables_are_read_however_a_spreadsheet_saved_them() {
        for (text, expected) in [
            ("a/b.cu, \"Lovelace, Ada\",\n", &["1 a/b.cu = Lovelace, Ada"][..]),
            ("file,name\r\ns1,Ada\r\n\r\ns2,\"say \"\"b\"\"\"\r\n", &["2 s1 = Ada", "4 s2 = say \"b\""]),
            ("폴더;이름\n./s1/;Kim, Minsu\ns2\\x;Eve\n", &["2 s1 = Kim, Minsu", "3 s2/x = Eve"]),
            ("Full name\ts\tUsername\nAda\t\ts1\n", &["2 s1 = Ada"]),
            // Moodle's grading worksheet, also from a German site, Canvas's and Blackboard's gradebooks, and Gradescope's roster.
            ("Identifier,Full name,Status\nParticipant 7,Ada,No submission\n", &["2 7 = Ada"]),
            ("ID;\"Vollständiger Name\";Status\nTeilnehmer/in7;Ada;Keine Abgabe\n", &["2 7 = Ada"]),
            (
                "Student,ID,SIS User ID,Section,Tile (9)\n,,,,Manual Posting\n  Points Possible,,,,5\n\"L, Ada\",7,u7,A,\n",
                &["4 7 u7 = L, Ada"],
            ),
            ("Last Name\tFirst Name\tUsername\nLovelace\tAda\tada7\n", &["2 ada7 = Ada Lovelace"]),
            (
                "First Name,Last Name,SID,Email,Role\nAda,L,7,a@b,Student\nEve,M,,e@b,TA\nBo,N,,b@b,Student\n",
                &["2 7 a@b = Ada L", "4  b@b = Bo N"],
            ),
            ("s1,\"Ada\nLovelace\"\ns2,Eve\n", &["1 s1 = Ada Lovelace", "3 s2 = Eve"]),
            ("name,Ada\nid,Eve\n", &["1 name = Ada", "2 id = Eve"]),
            ("s1,Ada\ns1,ada \n", &["1 s1 = Ada", "2 s1 = ada", "note"]),
            ("", &[]),
        ] {
            assert_eq!(read(text.as_bytes()).unwrap(), expected, "{text}");
        }
        let utf_16: Vec<u8> = "\u{feff}s1,김민수".encode_utf16().flat_map(u16::to_be_bytes).collect();
        assert_eq!(read(&utf_16).unwrap(), ["1 s1 = 김민수", "note"]);
        for (text, part) in [
            ("s1,Ada\ns2\n", "2"),
            ("s1,Ada\n,Eve\n", "2"),
            ("s1,Ada\ns1,Eve\n", "`s1`"),
            ("\"s1", "1"),
            ("s1,Ada,A\n", "sis user id"),
            ("s1;Ada;A\n", "sis user id"),
            ("Identifier,Status,Grade\n7,x,1\n", "full name"),
            ("Identifier,Full name,Grade\n7,,1\n", "2"),
        ] {
            let why = read(text.as_bytes()).unwrap_err();
            assert!(why.contains("t.csv") && why.contains(part), "{text}: {why}");
        }
    }

    #[test]
    fn a_key_is_found_in_another_case_and_form() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "Zoe\u{308},A\nS1,B\ns1,C\nn1,Ada L\nn2,zoë\n").unwrap();
        let mut names = Names::read(file.path()).unwrap();
        let mut find = |keys: &[&str]| names.find(&keys.iter().map(|of| key(of)).collect::<Vec<_>>());
        assert_eq!(find(&["x", "zoë/"]), Some("A".to_owned()));
        assert_eq!(find(&["s1"]), Some("C".to_owned()));
        assert_eq!(find(&["ada l"]), Some("Ada L".to_owned()));
        assert_eq!(find(&["y", ""]), None);
        assert_eq!(names.unused().map(|line| line.number).collect::<Vec<_>>(), [2, 5]);
    }
}
