//! A clumsy student: random keys from a seed, in the real binary, at several sizes.
//!
//! The first two students cannot answer anything: one never presses a key that commits, the other never one that
//! selects. Whatever else they hit, nothing may be on record for them. The third presses everything; the tutor must
//! still be there and end as it should.

use crate::start;
use std::path::Path;

/// Keys that the students press in all, a third each; `CLUMSY_KEYS` sets another number.
const KEYS: usize = 3_000;
/// Sizes that the window is dragged through.
const SIZES: [(u16, u16); 5] = [(80, 24), (60, 18), (120, 40), (100, 30), (200, 60)];
const CHUNK: usize = 250;

/// SplitMix64 (Steele, Lea, Flood, 2014): small, and the same on every machine.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn of<'k>(&mut self, keys: &[&'k str]) -> &'k str {
        keys[(self.next() % keys.len() as u64) as usize]
    }
}

/// Keys that give an answer, separated by bars: they commit, skip, hand in, or begin an attempt. A pasted line ends in no Enter.
const COMMIT: &str = "\r|s|S";
/// Keys that select one: letters, arrows, vim's arrows, Home and End, the mouse.
const SELECT: &str = "a|b|c|d|f|h|j|k|\u{1b}[A|\u{1b}[B|\u{1b}[H|\u{1b}[F| |-|+|\u{e}|\u{10}|\u{1b}[<0;30;12M";
/// All others that mean something, and some that mean nothing. `q` leaves from the map, `e` an editor's business;
/// both are left out, as is what ends or stops the process.
const OTHER: &str = "n|p|g|P|r|m|t|z|v|o|i|l|w|x|X|y|K|L|T|/|:|?|0|1|2|3|5|9|[|]|(|)|*|.|é|유|\t|\u{1b}[Z|\u{1b}[C|\u{1b}[D\
    |\u{1b}[5~|\u{1b}[6~|\u{7f}|\u{c}|\u{1b}[<64;10;10M|\u{1b}[200~pasted text\u{1b}[201~";

struct Went {
    predictions: u32,
    /// Answers of questions that are answered by choosing, matching or putting in order.
    chosen: u32,
    typed: u32,
}

/// Presses `count` of the keys given, then leaves; what is on record afterwards.
fn student(seed: u64, count: usize, keys: &[&str]) -> Went {
    let data = tempfile::tempdir().unwrap();
    let arguments = ["--data".to_owned(), data.path().display().to_string()];
    let mut tutor = start(&arguments, 80, 24);
    tutor.wait_for("b  const int");
    // Begins to read; a student without Enter goes on by `n`.
    tutor.keys("an").wait_for("1/");
    let mut random = Random(seed);
    for (chunk, at) in (0..count).step_by(CHUNK).enumerate() {
        for _ in at..(at + CHUNK).min(count) {
            let key = random.of(keys);
            tutor.keys(key);
            // A bare escape must not become the beginning of what follows.
            if random.next().is_multiple_of(23) {
                tutor.keys("\u{1b}").settle();
            }
        }
        let (columns, rows) = SIZES[chunk % SIZES.len()];
        tutor.resize(columns, rows);
        tutor.settle();
        assert!(tutor.on_alternate_screen(), "the tutor ended after {} keys", at + CHUNK);
    }
    tutor.keys("\u{3}");
    tutor.wait_until("the tutor ends or asks", |tutor| !tutor.on_alternate_screen() || tutor.screen().contains("lost"));
    if tutor.on_alternate_screen() {
        tutor.keys("\r");
    }
    assert_eq!(tutor.wait_end(), 0);
    let log = std::fs::read_to_string(data.path().join("tutor.log")).unwrap_or_default();
    assert!(!log.contains("panicked"), "{log}");
    went(data.path())
}

fn went(data: &Path) -> Went {
    let store = rusqlite::Connection::open(data.join("progress.sqlite3")).unwrap();
    let count = |what: &str| store.query_row(&format!("SELECT count(*) FROM {what}"), [], |row| row.get(0)).unwrap();
    let typed = "answer LIKE '{\"number\"%' OR answer LIKE '{\"text\"%' OR answer LIKE '{\"blanks\"%'";
    Went {
        predictions: count("predictions"),
        chosen: count(&format!("answers WHERE NOT ({typed})")),
        typed: count(&format!("answers WHERE {typed}")),
    }
}

fn count() -> usize {
    std::env::var("CLUMSY_KEYS").ok().and_then(|count| count.parse().ok()).unwrap_or(KEYS) / 3
}

fn keys(groups: &[&'static str]) -> Vec<&'static str> {
    groups.iter().flat_map(|group| group.split('|')).collect()
}

#[test]
fn who_never_confirms_has_answered_nothing() {
    let went = student(1, count(), &keys(&[SELECT, OTHER]));
    assert_eq!((went.predictions, went.chosen, went.typed), (0, 0, 0));
}

#[test]
fn who_never_selects_has_answered_nothing() {
    let went = student(2, count(), &keys(&["\r", OTHER]));
    // In a field that takes text, what was typed and then confirmed is an answer.
    assert_eq!((went.predictions, went.chosen), (0, 0));
}

#[test]
fn who_presses_everything_breaks_nothing() {
    student(3, count(), &keys(&[COMMIT, SELECT, OTHER]));
}
