//! Passes each request on to the kind of the question. There is one match per request, written once for all kinds.

macro_rules! kinds {
    ($($(#[$about:meta])* $kind:ident($spec:ty) shows $view:ty, takes $answer:ident($given:ty) = $of:ty;)*) => {
        /// How a question is answered and graded.
        #[derive(Debug, Clone, Deserialize, JsonSchema)]
        #[serde(rename_all = "snake_case")]
        pub enum AnswerSpec {
            $($(#[$about])* $kind($spec),)*
        }

        /// What a student sees of a question.
        #[derive(Debug, Clone, PartialEq)]
        pub enum QuestionKind {
            $($(#[$about])* $kind($view),)*
        }

        /// An answer as the student gave it.
        #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum Answer {
            $($(#[$about])* $answer($given),)*
        }

        impl Answer {
            /// Returns the answer as the text of a draft, which may lack parts.
            pub fn to_draft(&self) -> String {
                serde_json::to_string(self).unwrap_or_default()
            }
        }

        impl QuestionKind {
            /// Returns the choices, events or right-hand sides in shuffled order; empty for typed answers.
            pub fn items(&self) -> &[Item] {
                match self { $(Self::$kind(view) => <$of>::shown(view),)* }
            }

            /// Returns the name of the kind in a quiz file.
            pub fn name(&self) -> &'static str {
                match self { $(Self::$kind(_) => <$of>::NAME,)* }
            }

            /// The names of all kinds.
            pub const NAMES: &[&'static str] = &[$(<$of as QuestionRules>::NAME),*];

            fn expects(&self) -> Sentence {
                match self { $(Self::$kind(view) => <$of>::expects(view),)* }
            }

            /// Converts a value from a script to an answer.
            pub fn read(&self, value: &Value) -> Result<Answer, Sentence> {
                let given = match self { $(Self::$kind(_) => FromValue::from_value(value).map(Answer::$answer),)* };
                given.ok_or_else(|| self.expects())
            }

            /// True if the answer belongs to this kind of question, even if it is incomplete.
            pub fn fits(&self, answer: &Answer) -> bool {
                match self { $(Self::$kind(_) => matches!(answer, Answer::$answer(_)),)* }
            }

            /// Returns the reason why the answer cannot be accepted.
            pub fn problem(&self, answer: &Answer) -> Option<Sentence> {
                match self {
                    $(Self::$kind(view) => match answer {
                        Answer::$answer(given) => <$of>::problem(view, given),
                        _ => Some(self.expects()),
                    },)*
                }
            }

            /// The same for an answer that was accepted before, maybe in another language.
            pub fn no_longer_valid(&self, answer: &Answer) -> Option<Sentence> {
                match self {
                    $(Self::$kind(view) => match answer {
                        Answer::$answer(given) => <$of>::no_longer_valid(view, given),
                        _ => Some(self.expects()),
                    },)*
                }
            }

            /// Returns the answer in the question's own words, as one Markdown text per line. Empty if it is of another
            /// kind.
            pub fn describe_answer(&self, answer: &Answer) -> Vec<String> {
                match self {
                    $(Self::$kind(view) => match answer {
                        Answer::$answer(given) => <$of>::describe_answer(view, given),
                        _ => Vec::new(),
                    },)*
                }
            }

            /// Returns the code that belongs to the question.
            pub fn code(&self) -> Option<String> {
                match self { $(Self::$kind(view) => <$of>::shown_code(view),)* }
            }

            /// Returns the texts for a form: what it lists, and what the student fills in.
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
            /// Returns the items that are shown shuffled, in the author's order; empty for typed answers.
            pub fn items(&self) -> Vec<Item> {
                match self { $(Self::$kind(spec) => <$of>::items(spec),)* }
            }

            /// True if this order of the items gives away the answer.
            pub fn order_reveals_answer(&self, order: &[String]) -> bool {
                match self { $(Self::$kind(spec) => <$of>::order_reveals_answer(spec, order),)* }
            }

            /// Returns the values from which the parameters are drawn.
            pub fn parameters(&self) -> Option<&BTreeMap<String, Vec<f64>>> {
                match self { $(Self::$kind(spec) => <$of>::parameters(spec),)* }
            }

            /// Returns what a student sees of it, with the items in shuffled order.
            pub fn view(&self, items: Vec<Item>) -> QuestionKind {
                match self { $(Self::$kind(spec) => QuestionKind::$kind(<$of>::view(spec, items)),)* }
            }

            /// True if it can be asked, and answered correctly, with these parameters.
            pub fn usable(&self, parameters: &Parameters) -> bool {
                match self { $(Self::$kind(spec) => <$of>::usable(spec, parameters),)* }
            }

            /// Returns the number that the machine counts, for a question about such a number.
            pub fn counted(&self) -> Option<f64> {
                match self { $(Self::$kind(spec) => <$of>::counted(spec),)* }
            }

            /// Returns a hash of what makes an answer correct.
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

            /// Takes over what makes an answer correct from the original, so that an answer may be typed in either
            /// language.
            pub fn translates(&mut self, original: &Self) {
                match (self, original) {
                    $((Self::$kind(spec), Self::$kind(original)) => <$of>::translates(spec, original),)*
                    _ => {}
                }
            }

            /// True if a translation asks the same as the original. Only words may differ.
            pub fn same_as(&self, original: &Self) -> bool {
                let mut translation = self.clone();
                translation.translates(original);
                let fixed = |spec: &Self| match spec { $(Self::$kind(spec) => <$of>::fixed(spec),)* };
                translation.fingerprint() == original.fingerprint() && fixed(self) == fixed(original)
            }

            /// Returns how many different questions it can ask.
            pub fn asks(&self) -> usize {
                match self { $(Self::$kind(spec) => <$of>::asks(spec),)* }
            }

            /// Returns the correct answers and the reasons for wrong ones, for authors.
            pub fn reasons(&self, parameters: &Parameters) -> Vec<Reason> {
                match self { $(Self::$kind(spec) => <$of>::reasons(spec, parameters),)* }
            }

            /// Reports mistakes. `path` leads to its variant.
            pub fn check(&self, lint: &mut Lint<'_>, variant: &Variant, path: &Path<'_>) {
                let path = path.to("answer");
                match self { $(Self::$kind(spec) => <$of>::check(lint, spec, variant, &path.to(<$of>::NAME)),)* }
            }

            /// Grades an acceptable answer. `None` if the answer is of another kind.
            ///
            /// # Errors
            /// If the question's formula cannot be computed.
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
