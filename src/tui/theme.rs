/*! Styles by meaning.

A screen never names a colour: it asks the theme for the style of a [`Meaning`]. Themes are data
(`assets/themes/NAME.yaml`): one line a meaning, `fg`, `on bg`, and modifiers. In the `mono` theme
no line has a colour, which is also what `NO_COLOR` and `--no-color` select. Nothing may be said by
colour alone: right and wrong also carry a sign, see [`super::look::Look::right`].
*/

use ratatui::style::{Color, Modifier, Style};
use std::collections::BTreeMap;

/// What a piece of the screen means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Meaning {
    /// Running text.
    Text,
    /// The name of the thing on the screen.
    Title,
    /// The one thing that wants attention.
    Accent,
    /// Secondary text.
    Muted,
    /// Strong emphasis in text.
    Strong,
    /// Light emphasis in text.
    Emphasis,
    /// A heading in text.
    Heading,
    /// Code within text.
    InlineCode,
    /// Right, passed, verified.
    Right,
    /// Wrong, failed, mismatched.
    Wrong,
    /// Needs care: a conflict, a hazard, an unsaved thing.
    Warning,
    /// The row or choice under the cursor.
    Selected,
    /// A key in a hint.
    Key,
    /// Lines around and between things.
    Border,
    /// Lines around the thing that has the keys.
    Focus,
    /// The filled part of a bar.
    Bar,
    /// The empty part of a bar.
    BarEmpty,
    /// A note beside code.
    Note,
    /// A field that takes typed text.
    Field,
    /// Code without a more special meaning.
    Code,
    /// A language keyword.
    CodeKeyword,
    /// A type.
    CodeType,
    /// A function's name.
    CodeFunction,
    /// A literal.
    CodeLiteral,
    /// A comment.
    CodeComment,
    /// What CUDA adds to C++: `threadIdx`, `__shared__`, `__syncthreads`.
    CodeCuda,
    /// Line numbers.
    CodeLineNumber,
    /// The line of code that is talked about.
    CodeMarked,
    /// Matrix A and its tile.
    MatrixA,
    /// Matrix B and its tile.
    MatrixB,
    /// Matrix C.
    MatrixC,
    /// An access that is free: ideal, broadcast, without conflict.
    Free,
    /// A thread, lane, warp or series, told apart by number.
    Thread(u8),
    /// A bank, told apart by number.
    Bank(u8),
}

/// Names in theme files, in the order of the style table; numbered meanings are lists.
const NAMES: [(&str, Meaning); 32] = [
    ("text", Meaning::Text),
    ("title", Meaning::Title),
    ("accent", Meaning::Accent),
    ("muted", Meaning::Muted),
    ("strong", Meaning::Strong),
    ("emphasis", Meaning::Emphasis),
    ("heading", Meaning::Heading),
    ("inline-code", Meaning::InlineCode),
    ("right", Meaning::Right),
    ("wrong", Meaning::Wrong),
    ("warning", Meaning::Warning),
    ("selected", Meaning::Selected),
    ("key", Meaning::Key),
    ("border", Meaning::Border),
    ("focus", Meaning::Focus),
    ("bar", Meaning::Bar),
    ("bar-empty", Meaning::BarEmpty),
    ("note", Meaning::Note),
    ("field", Meaning::Field),
    ("code", Meaning::Code),
    ("code-keyword", Meaning::CodeKeyword),
    ("code-type", Meaning::CodeType),
    ("code-function", Meaning::CodeFunction),
    ("code-literal", Meaning::CodeLiteral),
    ("code-comment", Meaning::CodeComment),
    ("code-cuda", Meaning::CodeCuda),
    ("code-line-number", Meaning::CodeLineNumber),
    ("code-marked", Meaning::CodeMarked),
    ("matrix-a", Meaning::MatrixA),
    ("matrix-b", Meaning::MatrixB),
    ("matrix-c", Meaning::MatrixC),
    ("free", Meaning::Free),
];

const BUILT_IN: [(&str, &str); 3] = [
    ("dark", include_str!("../../assets/themes/dark.yaml")),
    ("light", include_str!("../../assets/themes/light.yaml")),
    ("mono", include_str!("../../assets/themes/mono.yaml")),
];

/// A style for every meaning.
#[derive(Debug, Clone, PartialEq)]
pub struct Theme {
    name: String,
    styles: [Style; NAMES.len()],
    threads: Vec<Style>,
    banks: Vec<Style>,
}

/// Why a theme cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ThemeError(String);

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct ThemeFile {
    styles: BTreeMap<String, String>,
    threads: Vec<String>,
    banks: Vec<String>,
}

impl Theme {
    /// A built-in theme: `dark`, `light` or `mono`.
    ///
    /// # Errors
    /// If there is no theme of this name; the message lists those there are.
    pub fn named(name: &str) -> Result<Self, ThemeError> {
        let Some((_, text)) = BUILT_IN.iter().find(|(known, _)| *known == name) else {
            let known = Self::names().collect::<Vec<_>>().join(", ");
            return Err(ThemeError(format!("There is no theme `{name}`; the themes are {known}.")));
        };
        Self::parse(name, text)
    }

    /// Names of the built-in themes.
    pub fn names() -> impl Iterator<Item = &'static str> {
        BUILT_IN.iter().map(|(name, _)| *name)
    }

    /// The next built-in theme, round and round.
    pub fn next_name(&self) -> &'static str {
        let at = BUILT_IN.iter().position(|(name, _)| *name == self.name).unwrap_or(0);
        BUILT_IN[(at + 1) % BUILT_IN.len()].0
    }

    /// Reads a theme file.
    ///
    /// # Errors
    /// If it is not YAML of the expected form, names an unknown meaning, or leaves one out.
    pub fn parse(name: &str, text: &str) -> Result<Self, ThemeError> {
        let file: ThemeFile =
            serde_yaml::from_str(text).map_err(|e| ThemeError(format!("Theme `{name}` cannot be read: {e}")))?;
        let mut styles = [Style::new(); NAMES.len()];
        for (slot, (meaning, _)) in styles.iter_mut().zip(NAMES) {
            let text = file
                .styles
                .get(meaning)
                .ok_or_else(|| ThemeError(format!("Theme `{name}` gives no style for `{meaning}`.")))?;
            *slot = style(name, text)?;
        }
        if let Some(unknown) = file.styles.keys().find(|key| !NAMES.iter().any(|(name, _)| name == key)) {
            return Err(ThemeError(format!("Theme `{name}` styles `{unknown}`, which nothing is called.")));
        }
        let list = |texts: &[String]| texts.iter().map(|text| style(name, text)).collect::<Result<Vec<_>, _>>();
        let (threads, banks) = (list(&file.threads)?, list(&file.banks)?);
        if threads.is_empty() || banks.is_empty() {
            return Err(ThemeError(format!("Theme `{name}` needs at least one style in `threads` and in `banks`.")));
        }
        Ok(Self { name: name.to_owned(), styles, threads, banks })
    }

    /// The theme's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The style of a meaning.
    pub fn style(&self, meaning: Meaning) -> Style {
        match meaning {
            Meaning::Thread(n) => self.threads[usize::from(n) % self.threads.len()],
            Meaning::Bank(n) => self.banks[usize::from(n) % self.banks.len()],
            _ => NAMES.iter().position(|(_, known)| *known == meaning).map_or(Style::new(), |at| self.styles[at]),
        }
    }
}

/// Reads `fg`, `on bg` and modifiers, e.g. `80 on 236 bold`.
fn style(theme: &str, text: &str) -> Result<Style, ThemeError> {
    let mut style = Style::new();
    let mut words = text.split_whitespace();
    let colour = |word: Option<&str>| {
        word.and_then(|word| word.parse::<Color>().ok())
            .ok_or_else(|| ThemeError(format!("Theme `{theme}`: `{text}` is not a style.")))
    };
    while let Some(word) = words.next() {
        style = match word {
            "plain" => style,
            "bold" => style.add_modifier(Modifier::BOLD),
            "dim" => style.add_modifier(Modifier::DIM),
            "italic" => style.add_modifier(Modifier::ITALIC),
            "underline" => style.add_modifier(Modifier::UNDERLINED),
            "reverse" => style.add_modifier(Modifier::REVERSED),
            "on" => style.bg(colour(words.next())?),
            word => style.fg(colour(Some(word))?),
        };
    }
    Ok(style)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_built_in_theme_can_be_read() {
        for name in Theme::names() {
            Theme::named(name).unwrap();
        }
    }

    #[test]
    fn mono_has_no_colour_and_only_the_four_modifiers_that_all_terminals_have() {
        let mono = Theme::named("mono").unwrap();
        let allowed = Modifier::BOLD | Modifier::DIM | Modifier::UNDERLINED | Modifier::REVERSED;
        for style in mono.styles.iter().chain(&mono.threads).chain(&mono.banks) {
            assert_eq!((style.fg, style.bg), (None, None));
            assert!(allowed.contains(style.add_modifier), "{style:?}");
        }
    }

    #[test]
    fn mono_tells_the_selected_row_and_wrong_from_plain_text() {
        let mono = Theme::named("mono").unwrap();
        assert_ne!(mono.style(Meaning::Selected), mono.style(Meaning::Text));
        assert_ne!(mono.style(Meaning::Wrong), mono.style(Meaning::Text));
    }

    #[test]
    fn an_unknown_theme_is_refused_with_the_names_there_are() {
        let error = Theme::named("neon").unwrap_err().to_string();
        assert_eq!(error, "There is no theme `neon`; the themes are dark, light, mono.");
    }

    #[test]
    fn a_theme_file_that_forgets_a_meaning_is_refused() {
        let error = Theme::parse("mine", "styles: { text: plain }\nthreads: [bold]\nbanks: [bold]").unwrap_err();
        assert!(error.to_string().contains("no style for `title`"), "{error}");
    }
}
