//! What is asked of a question, passed on to its kind: one match for each, written once for all kinds.

macro_rules! kinds {
    ($($(#[$about:meta])* $kind:ident($spec:ty) shows $view:ty, takes $answer:ident($given:ty) = $of:ty;)*) => {
        /// How a question is answered and graded.
        #[derive(Debug, Clone, Deserialize, JsonSchema)]
        #[serde(rename_all = "snake_case", deny_unknown_fields)]
        pub enum AnswerSpec {
            $($(#[$about])* $kind($spec),)*
        }

        /// What a question asks for.
        #[derive(Debug, Clone, PartialEq)]
        pub enum QuestionKind {
            $($(#[$about])* $kind($view),)*
        }

        /// An answer to a question, as given.
        #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum Answer {
            $($(#[$about])* $answer($given),)*
        }

        impl Answer {
            /// As a draft is kept: an answer that may lack parts.
            pub fn to_draft(&self) -> String {
                serde_json::to_string(self).unwrap_or_default()
            }
        }

        impl QuestionKind {
            /// Choices, events or right-hand sides, as shuffled; empty for typed answers.
            pub fn items(&self) -> &[Item] {
                match self { $(Self::$kind(view) => <$of>::shown(view),)* }
            }

            /// The kind's name in a quiz file.
            pub fn name(&self) -> &'static str {
                match self { $(Self::$kind(_) => <$of>::NAME,)* }
            }

            /// The names of all kinds.
            pub const NAMES: &[&'static str] = &[$(<$of as Kind>::NAME),*];

            fn takes(&self) -> Sentence {
                match self { $(Self::$kind(view) => <$of>::takes(view),)* }
            }

            /// Reads an answer from a script's value.
            pub fn read(&self, value: &Value) -> Result<Answer, Sentence> {
                let given = match self { $(Self::$kind(view) => <$of>::read(view, value).map(Answer::$answer),)* };
                given.ok_or_else(|| self.takes())
            }

            /// Whether the answer is one to this kind of question, be it complete or not.
            pub fn fits(&self, answer: &Answer) -> bool {
                match self { $(Self::$kind(_) => matches!(answer, Answer::$answer(_)),)* }
            }

            /// What keeps this from being an answer, as a sentence.
            pub fn problem(&self, answer: &Answer) -> Option<Sentence> {
                match self {
                    $(Self::$kind(view) => match answer {
                        Answer::$answer(given) => <$of>::problem(view, given),
                        _ => Some(self.takes()),
                    },)*
                }
            }

            /// The same of an answer that was taken before, maybe in another language.
            pub fn unfit(&self, answer: &Answer) -> Option<Sentence> {
                match self {
                    $(Self::$kind(view) => match answer {
                        Answer::$answer(given) => <$of>::unfit(view, given),
                        _ => Some(self.takes()),
                    },)*
                }
            }

            /// An answer in the question's own words: Markdown, one entry a row. Empty if it is of another kind.
            pub fn told(&self, answer: &Answer) -> Vec<String> {
                match self {
                    $(Self::$kind(view) => match answer {
                        Answer::$answer(given) => <$of>::told(view, given),
                        _ => Vec::new(),
                    },)*
                }
            }

            /// What stands below the question where it is asked line by line.
            pub fn rows(&self) -> Vec<Row> {
                match self { $(Self::$kind(view) => <$of>::rows(view),)* }
            }

            /// What is asked for in each line.
            pub fn prompts(&self) -> Vec<String> {
                match self { $(Self::$kind(view) => <$of>::prompts(view),)* }
            }

            /// The answer that typed lines make.
            ///
            /// # Errors
            /// What is wrong with them, as a sentence.
            pub fn typed(&self, lines: &[String]) -> Result<Answer, Sentence> {
                match self { $(Self::$kind(view) => <$of>::typed(view, lines).map(Answer::$answer),)* }
            }

            /// An answer as the student would type it. Empty if it is of another kind.
            pub fn as_typed(&self, answer: &Answer) -> String {
                match self {
                    $(Self::$kind(view) => match answer {
                        Answer::$answer(given) => <$of>::as_typed(view, given),
                        _ => String::new(),
                    },)*
                }
            }

            /// For a form to fill in: what it lists, and what is to be filled in.
            pub fn form(&self) -> (Vec<String>, String) {
                match self { $(Self::$kind(view) => (<$of>::listing(view), <$of>::form(view)),)* }
            }
        }

        impl Serialize for QuestionKind {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                match self { $(Self::$kind(view) => named(<$of>::NAME, view, serializer),)* }
            }
        }

        impl AnswerSpec {
            /// What is shown shuffled, in the author's order; empty for typed answers.
            pub fn items(&self) -> Vec<Item> {
                match self { $(Self::$kind(spec) => <$of>::items(spec),)* }
            }

            /// Whether the items in this order would answer the question by themselves.
            pub fn tells(&self, order: &[String]) -> bool {
                match self { $(Self::$kind(spec) => <$of>::tells(spec, order),)* }
            }

            /// The values that its parameters are drawn from.
            pub fn parameters(&self) -> Option<&BTreeMap<String, Vec<f64>>> {
                match self { $(Self::$kind(spec) => <$of>::parameters(spec),)* }
            }

            /// What is shown of it, its items as shuffled.
            pub fn view(&self, items: Vec<Item>) -> QuestionKind {
                match self { $(Self::$kind(spec) => QuestionKind::$kind(<$of>::view(spec, items)),)* }
            }

            /// Whether it can be asked and answered rightly with these numbers.
            pub fn usable(&self, parameters: &Parameters) -> bool {
                match self { $(Self::$kind(spec) => <$of>::usable(spec, parameters),)* }
            }

            /// What the machine counts, where it does.
            pub fn counted(&self) -> Option<f64> {
                match self { $(Self::$kind(spec) => <$of>::counted(spec),)* }
            }

            /// Of what makes an answer right.
            pub fn fingerprint(&self) -> u64 {
                let mut hash = Fnv::default();
                match self {
                    $(Self::$kind(spec) => {
                        hash.text(<$of>::NAME);
                        <$of>::fingerprint(spec, &mut hash);
                    })*
                }
                hash.0
            }

            /// Takes from the original that it translates what is right in either language: an answer may be typed in both.
            pub fn translates(&mut self, original: &Self) {
                match (self, original) {
                    $((Self::$kind(spec), Self::$kind(original)) => <$of>::translates(spec, original),)*
                    _ => {}
                }
            }

            /// Whether a translation asks for the same as the original: only words may differ.
            pub fn same_as(&self, original: &Self) -> bool {
                let mut translation = self.clone();
                translation.translates(original);
                let fixed = |spec: &Self| match spec { $(Self::$kind(spec) => <$of>::fixed(spec),)* };
                translation.fingerprint() == original.fingerprint() && fixed(self) == fixed(original)
            }

            /// How many different questions it can ask.
            pub fn asks(&self) -> usize {
                match self { $(Self::$kind(spec) => <$of>::asks(spec),)* }
            }

            /// The key, and what is said of wrong answers, for whoever wrote it.
            pub fn reasons(&self, parameters: &Parameters) -> Vec<Reason> {
                match self { $(Self::$kind(spec) => <$of>::reasons(spec, parameters),)* }
            }

            /// Tells of what is wrong with it; the path leads to its variant.
            pub fn check(&self, lint: &mut Lint<'_>, variant: &Variant, path: &Path<'_>) {
                let path = path.to("answer");
                match self { $(Self::$kind(spec) => <$of>::check(lint, spec, variant, &path.to(<$of>::NAME)),)* }
            }

            /// Grades an answer that has no problem; `None` if it is of another kind.
            ///
            /// # Errors
            /// If the question's formula cannot be computed: a sentence.
            pub fn grade(&self, parameters: &Parameters, answer: &Answer) -> Result<Option<Verdict>, Sentence> {
                match self {
                    $(Self::$kind(spec) => match answer {
                        Answer::$answer(given) => <$of>::grade(spec, parameters, given).map(Some),
                        _ => Ok(None),
                    },)*
                }
            }
        }
    };
}

pub(super) use kinds;
