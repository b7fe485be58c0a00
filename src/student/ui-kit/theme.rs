/*! Styles by meaning.

A screen never names a colour. It gets the style of a [`Meaning`] from the theme. Themes are data files
(`assets/themes/NAME.yaml`) with one line per meaning: a foreground, `on` a background, and modifiers. `background` and
`foreground` are the terminal's colours, from which tests compute the contrast (WCAG 2: at least 4.5 : 1 for text). The
`mono` theme has no colours; `NO_COLOR` and `--no-color` select it. Colour alone must never carry information: right and
wrong also have a sign, see [`super::look::Look::right`].
*/

use crate::action::kebab;
use crate::prelude::*;
use ratatui::style::{Color, Modifier};
use std::collections::BTreeMap;

macro_rules! meanings {
    ($($(#[$about:meta])* $name:ident,)*) => {
        /// What a piece of the screen means.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
        pub enum Meaning {
            $($(#[$about])* $name,)*
            /// A thread, lane, warp or series. The number selects the style.
            Thread(u8),
            /// A bank. The number selects the style.
            Bank(u8),
        }

        /// The meanings in the order of the style table. Numbered meanings are lists instead.
        const NAMES: &[(&str, Meaning)] = &[$((stringify!($name), Meaning::$name)),*];
    };
}

meanings! {
    Text,
    /// The name of what is on the screen.
    Title,
    /// The most important thing on the screen.
    Accent,
    /// Secondary text.
    Muted,
    /// Strong emphasis in text.
    Strong,
    /// Light emphasis in text.
    Emphasis,
    Heading,
    /// Code within text.
    InlineCode,
    Right,
    Wrong,
    /// A warning: a conflict, a hazard, something unsaved.
    Warning,
    /// The row or choice under the cursor.
    Selected,
    /// What is behind a sheet, drawn less prominently.
    Behind,
    /// A key in a hint.
    Key,
    /// Lines around and between other elements.
    Border,
    /// Lines around the element with the keyboard focus.
    Focus,
    /// The filled part of a bar.
    Bar,
    /// The empty part of a bar.
    BarEmpty,
    /// A note next to code.
    Note,
    Field,
    /// Code without a more specific meaning.
    Code,
    CodeKeyword,
    CodeType,
    CodeFunction,
    CodeLiteral,
    CodeComment,
    /// CUDA's additions to C++: `threadIdx`, `__shared__`, `__syncthreads`.
    CodeCuda,
    CodeLineNumber,
    /// The line of code that the page is about.
    CodeMarked,
    /// Matrix A and its tile.
    MatrixA,
    /// Matrix B and its tile.
    MatrixB,
    MatrixC,
    /// An access without extra cost: ideal, broadcast, or without conflict.
    Free,
}

const BUILT_IN: [(&str, &str); 4] = [
    ("dark", include_str!("../../../assets/themes/dark.yaml")),
    ("light", include_str!("../../../assets/themes/light.yaml")),
    ("sixteen", include_str!("../../../assets/themes/sixteen.yaml")),
    ("mono", include_str!("../../../assets/themes/mono.yaml")),
];

#[derive(Debug, Clone, PartialEq)]
pub struct Theme {
    name: String,
    styles: [Style; NAMES.len()],
    threads: Vec<Style>,
    banks: Vec<Style>,
    /// Background and foreground of the terminal that the theme is for.
    ground: Option<(Color, Color)>,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ThemeError(String);

#[derive(serde::Deserialize)]
struct ThemeFile {
    /// The terminal's background; a theme without colours has none.
    background: Option<String>,
    foreground: Option<String>,
    styles: BTreeMap<String, String>,
    threads: Vec<String>,
    banks: Vec<String>,
}

impl Theme {
    /// Returns a built-in theme: `dark`, `light`, `sixteen` or `mono`.
    ///
    /// # Errors
    /// If there is no theme of this name. The message lists the names.
    pub fn named(name: &str) -> Result<Self, ThemeError> {
        let Some((_, text)) = BUILT_IN.iter().find(|(known, _)| *known == name) else {
            let known = Self::names().collect::<Vec<_>>().join(", ");
            return Err(ThemeError(t!("app-no-theme", name, known)));
        };
        Self::parse(name, text)
    }

    pub fn names() -> impl Iterator<Item = &'static str> {
        BUILT_IN.iter().map(|(name, _)| *name)
    }

    /// Returns the default theme for a terminal's `TERM` and `COLORTERM`. Terminals that are known to have at most
    /// sixteen colours get `sixteen`.
    pub fn fitting(term: Option<&str>, colorterm: Option<&str>) -> &'static str {
        const SIXTEEN: [&str; 12] = [
            "linux", "xterm", "screen", "ansi", "cygwin", "rxvt", "eterm", "vt100", "vt102", "vt220", "vt320", "cons25",
        ];
        let many = colorterm.is_some_and(|colorterm| !colorterm.is_empty());
        let few =
            term.is_some_and(|term| SIXTEEN.contains(&term) || term.ends_with("-16color") || term.ends_with("-color"));
        if few && !many { "sixteen" } else { "dark" }
    }

    /// Returns background and foreground of the terminal that the theme is for; None for a theme without colours.
    pub fn ground(&self) -> Option<(Color, Color)> {
        self.ground
    }

    /// Returns the name of the next built-in theme, and the first one after the last.
    pub fn next_name(&self) -> &'static str {
        let at = BUILT_IN.iter().position(|(name, _)| *name == self.name).unwrap_or(0);
        BUILT_IN[(at + 1) % BUILT_IN.len()].0
    }

    /// Reads a theme file.
    ///
    /// # Errors
    /// If it is not YAML of the expected form, has an unknown meaning, or lacks one.
    pub fn parse(name: &str, text: &str) -> Result<Self, ThemeError> {
        let file: ThemeFile = tutor_support::yaml::read_typed(text)
            .map_err(|e| ThemeError(format!("Theme `{name}` cannot be read: {e}")))?;
        let mut styles = [Style::new(); NAMES.len()];
        for (slot, (meaning, _)) in styles.iter_mut().zip(NAMES) {
            let meaning = kebab(meaning);
            let text = file.styles.get(&meaning);
            let text = text.ok_or_else(|| ThemeError(format!("Theme `{name}` gives no style for `{meaning}`.")))?;
            *slot = style(name, text)?;
        }
        if let Some(unknown) = file.styles.keys().find(|key| !NAMES.iter().any(|(name, _)| kebab(name) == **key)) {
            return Err(ThemeError(format!("Theme `{name}` styles `{unknown}`, which nothing is called.")));
        }
        let list = |texts: &[String]| texts.iter().map(|text| style(name, text)).collect::<Result<Vec<_>, _>>();
        let (threads, banks) = (list(&file.threads)?, list(&file.banks)?);
        if threads.is_empty() || banks.is_empty() {
            return Err(ThemeError(format!("Theme `{name}` needs at least one style in `threads` and in `banks`.")));
        }
        let ground = match (&file.background, &file.foreground) {
            (Some(background), Some(foreground)) => {
                let colour = |text: &String| style(name, text).map(|style| style.fg.unwrap_or(Color::Reset));
                Some((colour(background)?, colour(foreground)?))
            }
            _ => None,
        };
        Ok(Self { name: name.to_owned(), styles, threads, banks, ground })
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn style(&self, meaning: Meaning) -> Style {
        match meaning {
            Meaning::Thread(n) => self.threads[usize::from(n) % self.threads.len()],
            Meaning::Bank(n) => self.banks[usize::from(n) % self.banks.len()],
            _ => NAMES.iter().position(|(_, known)| *known == meaning).map_or(Style::new(), |at| self.styles[at]),
        }
    }
}

/// Reads a foreground, a background after `on`, and modifiers, e.g. `80 on 236 bold`.
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

    /// Meanings that are not text, with their minimum contrast. Something else also conveys what they mean.
    const NO_TEXT: [(Meaning, f64); 5] = [
        // Nobody reads the page behind a sheet.
        (Meaning::Behind, 2.0),
        // Lines between elements. WCAG requires 3 : 1 for what is not text.
        (Meaning::Border, 3.0),
        // Frames in the accent colour.
        (Meaning::Focus, 3.0),
        (Meaning::Bar, 3.0),
        // The empty part of a bar; its number is next to it.
        (Meaning::BarEmpty, 1.0),
    ];

    /// Background meanings, and the prefix of the names of those that are drawn on them.
    const UNDER: [(Meaning, &str); 3] =
        [(Meaning::Selected, ""), (Meaning::CodeMarked, "Code"), (Meaning::Field, "Text")];

    fn rgb(colour: Color, sixteen: &[[u8; 3]; 16]) -> [u8; 3] {
        const NAMED: [Color; 16] = [
            Color::Black,
            Color::Red,
            Color::Green,
            Color::Yellow,
            Color::Blue,
            Color::Magenta,
            Color::Cyan,
            Color::Gray,
            Color::DarkGray,
            Color::LightRed,
            Color::LightGreen,
            Color::LightYellow,
            Color::LightBlue,
            Color::LightMagenta,
            Color::LightCyan,
            Color::White,
        ];
        match colour {
            Color::Rgb(r, g, b) => [r, g, b],
            Color::Indexed(n @ 0..16) => sixteen[usize::from(n)],
            Color::Indexed(n @ 16..232) => {
                let level = |n: u8| if n == 0 { 0 } else { 55 + 40 * n };
                [level((n - 16) / 36), level((n - 16) / 6 % 6), level((n - 16) % 6)]
            }
            Color::Indexed(n) => [8 + 10 * (n - 232); 3],
            named => sixteen[NAMED.iter().position(|known| *known == named).unwrap()],
        }
    }

    fn contrast(one: [u8; 3], other: [u8; 3]) -> f64 {
        let luminance = |colour: [u8; 3]| {
            let [r, g, b] = colour.map(|value| {
                let value = f64::from(value) / 255.0;
                if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
            });
            0.2126 * r + 0.7152 * g + 0.0722 * b
        };
        let (one, other) = (luminance(one), luminance(other));
        (one.max(other) + 0.05) / (one.min(other) + 0.05)
    }

    /// The sixteen colours of a VGA console and of xterm.
    const VGA: [u32; 16] = [
        0x00_00_00, 0xaa_00_00, 0x00_aa_00, 0xaa_55_00, 0x00_00_aa, 0xaa_00_aa, 0x00_aa_aa, 0xaa_aa_aa, 0x55_55_55,
        0xff_55_55, 0x55_ff_55, 0xff_ff_55, 0x55_55_ff, 0xff_55_ff, 0x55_ff_ff, 0xff_ff_ff,
    ];
    const XTERM: [u32; 16] = [
        0x00_00_00, 0xcd_00_00, 0x00_cd_00, 0xcd_cd_00, 0x00_00_ee, 0xcd_00_cd, 0x00_cd_cd, 0xe5_e5_e5, 0x7f_7f_7f,
        0xff_00_00, 0x00_ff_00, 0xff_ff_00, 0x5c_5c_ff, 0xff_00_ff, 0x00_ff_ff, 0xff_ff_ff,
    ];

    #[test]
    fn every_text_of_every_theme_can_be_read() {
        let mut seen = 0;
        for name in Theme::names() {
            let theme = Theme::named(name).unwrap();
            let Some((background, foreground)) = theme.ground() else {
                assert_eq!(name, "mono");
                continue;
            };
            let numbered = (0..8).flat_map(|n| [("Thread", Meaning::Thread(n)), ("Bank", Meaning::Bank(n))]);
            for palette in [VGA, XTERM] {
                let palette = palette.map(|colour| [(colour >> 16) as u8, (colour >> 8) as u8, colour as u8]);
                for (called, meaning) in NAMES.iter().copied().chain(numbered.clone()) {
                    let least = NO_TEXT.iter().find(|(other, _)| *other == meaning).map_or(4.5, |(_, least)| *least);
                    let own = theme.style(meaning);
                    let under = UNDER.iter().filter(|(_, begins)| least >= 4.5 && called.starts_with(begins));
                    let pairs = under.map(|(under, _)| theme.style(*under).patch(own)).chain([own]);
                    for pair in pairs {
                        let pair = (pair.fg.unwrap_or(foreground), pair.bg.unwrap_or(background));
                        let found = contrast(rgb(pair.0, &palette), rgb(pair.1, &palette));
                        assert!(found >= least, "{name}: {called} has {found:.2} : 1 in {pair:?}");
                        seen += 1;
                    }
                }
            }
        }
        assert!(seen > 300, "{seen}");
    }

    #[test]
    fn the_theme_for_sixteen_colours_names_only_those() {
        let theme = Theme::named("sixteen").unwrap();
        for style in theme.styles.iter().chain(&theme.threads).chain(&theme.banks) {
            for colour in [style.fg, style.bg].into_iter().flatten() {
                assert!(!matches!(colour, Color::Indexed(_) | Color::Rgb(..)), "{colour:?}");
            }
        }
    }

    #[test]
    fn a_terminal_with_few_colours_gets_the_theme_for_it() {
        for (term, colorterm, theme) in [
            (Some("linux"), None, "sixteen"),
            (Some("xterm"), None, "sixteen"),
            (Some("xterm-16color"), Some(""), "sixteen"),
            (Some("xterm"), Some("truecolor"), "dark"),
            (Some("xterm-256color"), None, "dark"),
            (Some("tmux-256color"), None, "dark"),
            (Some("alacritty"), None, "dark"),
            (None, None, "dark"),
        ] {
            assert_eq!(Theme::fitting(term, colorterm), theme, "{term:?} {colorterm:?}");
        }
    }

    #[test]
    fn mono_distinguishes_the_selected_row_and_wrong_from_text() {
        let mono = Theme::named("mono").unwrap();
        assert_ne!(mono.style(Meaning::Selected), mono.style(Meaning::Text));
        assert_ne!(mono.style(Meaning::Wrong), mono.style(Meaning::Text));
    }

    #[test]
    fn an_unknown_theme_is_refused_with_the_known_names() {
        let error = Theme::named("neon").unwrap_err().to_string();
        assert_eq!(error, "There is no theme `neon`; the themes are dark, light, sixteen, mono.");
    }

    #[test]
    fn a_theme_file_that_forgets_a_meaning_is_refused() {
        let error = Theme::parse("mine", "styles: { text: plain }\nthreads: [bold]\nbanks: [bold]").unwrap_err();
        assert!(error.to_string().contains("no style for `title`"), "{error}");
    }
}
