//! The notation of forms: parses it, matches opcodes against it, and expands it into opcodes.

use super::sets::{COLUMNS, SETS};
use super::type_of;

/// Instructions whose modifiers have a fixed order.
const FIXED: [&str; 2] = ["call", "tensormap"];
/// Words that belong to the name of an instruction, and so come first and in the order of the form.
const LEADING: [(&str, &str); 12] = [
    ("mul|mad", "lo|hi|wide"),
    ("cvta", "to"),
    ("bar|barrier", "cta|cluster|warp|arrive|wait|red"),
    ("setmaxnreg", "inc|dec"),
    ("createpolicy", "fractional|range|cvt"),
    ("mbarrier", "init|inval|arrive|arrive_drop|expect_tx|complete_tx|test_wait|try_wait|parity|pending_count"),
    ("cp", "async|reduce|bulk|tensor|prefetch|commit_group|wait_group|wait_all|read|mbarrier|arrive"),
    ("st|red", "async"),
    ("fence", "proxy"),
    ("mma", "sp|sp::ordered_metadata"),
    ("wmma", "load|store|mma|a|b|c|d"),
    ("wgmma", "fence|commit_group|wait_group|mma_async|sp"),
];
/// Maximum number of modifiers that are put in order.
const MAX_ARRANGED: usize = 12;

/// A parsed form.
#[derive(Debug)]
pub(super) struct Pattern {
    /// The names; several if the row covers several instructions.
    pub(super) names: Vec<&'static str>,
    items: Vec<Item>,
}

#[derive(Debug)]
enum Item {
    One(Choice),
    /// All of these, in any order.
    Several(Vec<Choice>),
}

/// One of several sequences of words, or nothing if it is optional.
#[derive(Debug)]
struct Choice {
    words: Vec<Vec<String>>,
    optional: bool,
}

impl Pattern {
    /// Parses a form; see [`super`] for the notation. There are no errors: a malformed form does not match its own
    /// opcodes, which a test detects.
    pub(super) fn read(form: &'static str) -> Self {
        let (names, mut rest) = split(form);
        let names = names.split('|').collect();
        let mut items = Vec::new();
        while !rest.is_empty() {
            match rest.strip_prefix('<').and_then(|inner| inner.split_once('>')) {
                Some((mut group, after)) => {
                    let mut several = Vec::new();
                    while !group.is_empty() {
                        several.push(Choice::read(&mut group));
                    }
                    items.push(Item::Several(several));
                    rest = after;
                }
                None => items.push(Item::One(Choice::read(&mut rest))),
            }
        }
        Self { names, items }
    }

    /// True if an opcode with these words after its name belongs to the form.
    pub(super) fn fits(&self, words: &[&str]) -> bool {
        fits(&self.items, words)
    }

    /// Returns the words in the order of the form, if they belong to it in another order that NVIDIA's assembler accepts. It
    /// accepts every order in which the [`LEADING`] words come first. Two words of one [`kind`] keep their order.
    pub(super) fn arranged<'m>(&self, name: &str, words: &[&'m str]) -> Option<Vec<&'m str>> {
        if words.len() > MAX_ARRANGED || FIXED.contains(&name) {
            return None;
        }
        let has = |list: &str, word: &str| list.split('|').any(|known| known == word);
        let leads = |word: &&str| LEADING.iter().any(|(names, all)| has(names, name) && has(all, word));
        let leading = words.iter().take_while(|word| leads(word)).count();
        let choices: Vec<&Choice> = self.choices().collect();
        let mut made = Vec::with_capacity(words.len());
        let fits = !words[leading..].iter().any(leads) && arrange(&choices, &mut words.to_vec(), &mut made);
        (fits && made.starts_with(&words[..leading])).then_some(made)
    }

    /// Returns the number of opcodes, not counting different orders of the same words.
    pub(super) fn count(&self) -> u64 {
        self.choices().map(Choice::count).product::<u64>() * self.names.len() as u64
    }

    /// Returns the opcode with this number, which must be below [`Self::count`].
    pub(super) fn opcode(&self, mut number: u64) -> String {
        let mut next = |count: u64| {
            let digit = number % count;
            number /= count;
            digit as usize
        };
        let mut opcode = self.names.get(next(self.names.len() as u64)).copied().unwrap_or_default().to_owned();
        for choice in self.choices() {
            // Omission comes first, so that the simplest opcode has number 0.
            let at = next(choice.count()).wrapping_sub(usize::from(choice.optional));
            for word in choice.words.get(at).into_iter().flatten() {
                opcode.push('.');
                opcode.push_str(word);
            }
        }
        opcode
    }

    /// Returns every word that can follow the name.
    pub(super) fn words(&self) -> impl Iterator<Item = &str> {
        self.choices().flat_map(|choice| choice.words.iter().flatten()).map(String::as_str)
    }

    fn choices(&self) -> impl Iterator<Item = &Choice> {
        self.items.iter().flat_map(|item| match item {
            Item::One(choice) => std::slice::from_ref(choice),
            Item::Several(several) => several.as_slice(),
        })
    }
}

/// Splits off the names of a form's instructions, which are separated by bars.
fn split(form: &'static str) -> (&'static str, &'static str) {
    let end = match form.strip_prefix('(') {
        Some(inner) => inner.find(')').map_or(form.len(), |at| at + 2),
        None => form.find(['.', '{', '<']).unwrap_or(form.len()),
    };
    let (names, rest) = form.split_at(end.min(form.len()));
    (names.trim_matches(['(', ')']), rest)
}

/// Returns the names of a form's instructions.
pub(super) fn names(form: &'static str) -> impl Iterator<Item = &'static str> {
    split(form).0.split('|')
}

impl Choice {
    /// Parses `.word`, `.(one|other)`, or either in braces.
    fn read(rest: &mut &'static str) -> Self {
        let optional = rest.starts_with('{');
        let (part, after) = match rest.strip_prefix('{') {
            Some(inner) => inner.split_once('}').unwrap_or((inner, "")),
            None => {
                let words = rest.strip_prefix('.').unwrap_or(rest);
                let end = match words.starts_with('(') {
                    true => words.find(')').map_or(words.len(), |at| at + 1),
                    false => words.find(['.', '{', '<']).unwrap_or(words.len()),
                };
                words.split_at(end)
            }
        };
        *rest = after;
        let part = part.trim_start_matches('.').trim_matches(['(', ')']);
        Self { words: part.split('|').flat_map(sequences).collect(), optional }
    }

    fn count(&self) -> u64 {
        self.words.len() as u64 + u64::from(self.optional)
    }

    /// Returns the rest of `words` after each sequence that they begin with.
    fn after<'a, 'b>(&'a self, words: &'b [&'b str]) -> impl Iterator<Item = &'b [&'b str]> + use<'a, 'b> {
        self.words.iter().filter_map(|sequence| {
            let (first, rest) = words.split_at_checked(sequence.len())?;
            (first.iter().zip(sequence).all(|(word, known)| word == known)).then_some(rest)
        })
    }
}

/// Returns the sequences of an alternative: a set's members, a shape with every number of columns, or the word
/// itself.
fn sequences(alternative: &str) -> Vec<Vec<String>> {
    let itself = || vec![alternative.split('.').map(str::to_owned).collect()];
    // Names of sets and marks contain capital letters.
    if !alternative.bytes().any(|byte| byte.is_ascii_uppercase()) {
        return itself();
    }
    if let Some((_, members)) = SETS.iter().find(|(name, _)| *name == alternative) {
        return members.split('|').flat_map(sequences).collect();
    }
    for (mark, all) in COLUMNS {
        if let Some((before, after)) = alternative.split_once(mark) {
            return all().map(|columns| vec![format!("{before}{columns}{after}")]).collect();
        }
    }
    itself()
}

/// Kinds of words that say something about one operand after the other.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Type,
    Space,
    Layout,
}

fn kind(word: &str) -> Option<Kind> {
    match word.split("::").next().unwrap_or_default() {
        "row" | "col" => Some(Kind::Layout),
        "global" | "shared" | "const" | "local" | "param" => Some(Kind::Space),
        _ if type_of(word).is_some() => Some(Kind::Type),
        _ => None,
    }
}

/// Moves words to `made` in the order of the choices. If a word is left, returns false and puts all words back.
fn arrange<'m>(choices: &[&Choice], words: &mut Vec<&'m str>, made: &mut Vec<&'m str>) -> bool {
    let [choice, rest @ ..] = choices else { return words.is_empty() };
    for sequence in &choice.words {
        let (before, length) = (words.clone(), made.len());
        let moved = sequence.iter().all(|known| {
            let at = words.iter().position(|word| word == known);
            let first = |kind: Kind| words.iter().position(|word| self::kind(word) == Some(kind));
            match at.filter(|at| kind(known).is_none_or(|kind| first(kind) == Some(*at))) {
                Some(at) => {
                    made.push(words.remove(at));
                    true
                }
                None => false,
            }
        });
        if moved && arrange(rest, words, made) {
            return true;
        }
        *words = before;
        made.truncate(length);
    }
    choice.optional && arrange(rest, words, made)
}

fn fits(items: &[Item], words: &[&str]) -> bool {
    match items {
        [] => words.is_empty(),
        [Item::One(choice), rest @ ..] => {
            choice.after(words).any(|words| fits(rest, words)) || choice.optional && fits(rest, words)
        }
        [Item::Several(several), rest @ ..] => fits_several(several, 0, rest, words),
    }
}

/// True if the unused choices of `several`, in any order, and then `rest` match the words.
fn fits_several(several: &[Choice], used: u32, rest: &[Item], words: &[&str]) -> bool {
    let open = |at: &usize| used >> at & 1 == 0;
    let left = || (0..several.len()).filter(open);
    left().any(|at| several[at].after(words).any(|words| fits_several(several, used | 1 << at, rest, words)))
        || left().all(|at| several[at].optional) && fits(rest, words)
}
