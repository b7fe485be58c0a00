//! Type a number.

use super::QuestionRules;
use super::number::{self, Form};
use super::unit;
use crate::lint::Path;
use crate::prelude::*;
use tutor_support::expr::Expr;

/// A number computed from parameters.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Numeric {
    /// The values of each parameter, from which the tutor draws independently.
    #[serde(default)]
    pub parameters: BTreeMap<String, Vec<f64>>,
    /// Expression in the parameters: `+ - * / % ( )`, `min max ceil floor gcd pow`.
    pub formula: At<String>,
    /// Relative tolerance; 0 requires the exact number.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = MAX_TOLERANCE))]
    pub tolerance: f64,
    /// Significant digits that are enough if there is a tolerance; more if the question requires more.
    #[serde(default = "number::<2>")]
    #[schemars(range(min = 1, max = MAX_DIGITS))]
    pub digits: u32,
    /// Unit, shown after the field and accepted after the number.
    pub unit: Option<String>,
    /// In a translation, the original's unit, which is also accepted.
    #[serde(skip)]
    pub original_unit: Option<String>,
    /// Typical mistakes.
    #[serde(default)]
    pub slips: Vec<Slip>,
    /// The reason for any other wrong number.
    pub why: String,
}

/// A typical wrong number.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Slip {
    /// The formula that gives the wrong number.
    pub formula: At<String>,
    /// Names the mistake and corrects it.
    pub why: String,
}

/// Maximum number of parameter sets that `check` tries. A question with more of them is an error.
const MAX_COMBINATIONS: usize = 10_000;
/// Maximum relative tolerance. With a larger one, typical mistakes would be accepted.
const MAX_TOLERANCE: f64 = 0.2;
/// Maximum number of significant digits that a question can require.
const MAX_DIGITS: u32 = 8;
/// Maximum number of digits of an exact answer. Students would not type more.
const TYPED_DIGITS: usize = 12;

/// What a student sees of a question about a number.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Asked {
    /// Unit, shown after the field. It may be typed as well.
    pub unit: Option<String>,
    /// The unit's name in the original's language, which may be typed instead.
    #[serde(skip)]
    pub original: Option<String>,
}

impl QuestionRules for Numeric {
    type Authored = Self;
    type Shown = Asked;
    type Response = String;
    const NAME: &'static str = "numeric";

    fn parameters(spec: &Numeric) -> Option<&BTreeMap<String, Vec<f64>>> {
        Some(&spec.parameters)
    }
    fn view(spec: &Numeric, _: Vec<Item>) -> Asked {
        Asked { unit: spec.unit.clone(), original: spec.original_unit.clone() }
    }
    fn usable(spec: &Numeric, parameters: &Parameters) -> bool {
        // The numbers are stored as JSON, which has no infinity or NaN.
        parameters.values().all(|value| value.is_finite()) && evaluate(&spec.formula, parameters).is_ok()
    }
    fn fingerprint(spec: &Numeric, hash: &mut Fnv) {
        hash.text(&spec.formula);
        hash.text(spec.original_unit.as_ref().or(spec.unit.as_ref()).map_or("", String::as_str));
    }
    fn expects(_: &Asked) -> Sentence {
        sentence!("mastery-takes-number")
    }
    fn problem(view: &Asked, typed: &String) -> Option<Sentence> {
        number::read(typed, Form::spoken(view.unit.as_deref(), view.original.as_deref())).err()
    }
    fn no_longer_valid(view: &Asked, typed: &String) -> Option<Sentence> {
        number::read(typed, Form::given(view.unit.as_deref(), view.original.as_deref())).err()
    }
    fn grade(spec: &Numeric, parameters: &Parameters, typed: &String) -> Result<Verdict, Sentence> {
        let expected = evaluate(&spec.formula, parameters)?;
        let typed = match number::read(typed, Form::given(spec.unit.as_deref(), spec.original_unit.as_deref())) {
            Ok(typed) => typed,
            Err(problem) => return Ok(Err((Miss::Malformed, problem.to_string()))),
        };
        if number::equal(typed, expected, spec.tolerance) {
            return Ok(Ok(()));
        }
        let exactly = |formula: &str| evaluate(formula, parameters).is_ok_and(|value| number::equal(typed, value, 0.0));
        if spec.tolerance > 0.0
            && number::rounds_to(expected, typed, spec.digits)
            && !spec.slips.iter().any(|slip| exactly(&slip.formula))
        {
            return Ok(Ok(()));
        }
        // If the formula of a slip cannot be computed for these numbers, the student cannot have made it.
        let slip = spec.slips.iter().find(|slip| {
            evaluate(&slip.formula, parameters).is_ok_and(|value| number::equal(typed, value, spec.tolerance))
        });
        Ok(Err(slip.map_or_else(|| (Miss::Other, spec.why.clone()), |slip| (Miss::Slip, slip.why.clone()))))
    }
    fn describe_answer(view: &Asked, typed: &String) -> Vec<String> {
        let unit = view.unit.as_deref().filter(|unit| !typed.contains(unit));
        vec![unit.map_or_else(|| typed.clone(), |unit| format!("{typed} {unit}"))]
    }
    fn form(view: &Asked) -> String {
        match &view.unit {
            Some(unit) => t!("cli-quiz-form-number-in", unit = text::lines(unit)),
            None => t!("cli-quiz-form-number"),
        }
    }
    fn reasons(spec: &Numeric, parameters: &Parameters) -> Vec<Reason> {
        let describe = |formula: &str| {
            let value = evaluate(formula, parameters).map_or_else(|problem| problem.to_string(), number::for_authors);
            let unit = spec.unit.as_ref().map_or_else(String::new, |unit| format!(" {unit}"));
            format!("{value}{unit} = `{formula}`")
        };
        let slips = spec.slips.iter().map(|slip| Reason::wrong(describe(&slip.formula), &slip.why));
        [Reason::right(describe(&spec.formula))].into_iter().chain(slips).chain([Reason::other(&spec.why)]).collect()
    }

    fn check(lint: &mut Lint<'_>, spec: &Numeric, variant: &Variant, path: &Path<'_>) {
        lint.text("The reason", &spec.why, &path.to("why"));
        lint.markdown(&spec.why, &path.to("why"));
        check_parameters(lint, variant, spec, path);
        if !(0.0..=MAX_TOLERANCE).contains(&spec.tolerance) {
            let message = format!("A tolerance of {} is not between 0 and {MAX_TOLERANCE}.", spec.tolerance);
            lint.report("numeric-tolerance", &path.to("tolerance"), message, "It is relative: 0.02 accepts 2 percent.");
        }
        if !(1..=MAX_DIGITS).contains(&spec.digits) {
            let message = format!("{} significant digits are not between 1 and {MAX_DIGITS}.", spec.digits);
            let help = "Two are enough unless the question asks for more.";
            lint.report("numeric-tolerance", &path.to("digits"), message, help);
        }
        let formula = parse(lint, &spec.formula, spec);
        let slips: Vec<Option<Expr>> = spec.slips.iter().map(|slip| parse(lint, &slip.formula, spec)).collect();
        for (index, slip) in spec.slips.iter().enumerate() {
            lint.text("The reason", &slip.why, &path.to("slips").to(index).to("why"));
            lint.markdown(&slip.why, &path.to("slips").to(index).to("why"));
        }
        let count = combinations(spec);
        if count > MAX_COMBINATIONS {
            let message = format!("{count} sets of numbers are more than {MAX_COMBINATIONS}.");
            return lint.report("too-many", &path.to("parameters"), message, "Fewer values do.");
        }
        if let Some(formula) = formula
            && count > 0
        {
            try_all(lint, spec, &formula, &slips, path);
        }
    }
    fn asks(spec: &Numeric) -> usize {
        combinations(spec)
    }
    fn fixed(spec: &Numeric) -> String {
        let measure = spec.unit.as_deref().map(unit::measure);
        format!("{} {} {:?} {measure:?}", spec.tolerance, spec.digits, spec.parameters)
    }
    fn translates(spec: &mut Numeric, original: &Numeric) {
        spec.original_unit.clone_from(&original.unit);
    }
}

/// Evaluates a formula with the drawn numbers.
fn evaluate(formula: &str, parameters: &Parameters) -> Result<f64, Sentence> {
    Expr::parse(formula)
        .and_then(|expr| expr.real(&|name| parameters.get(name).copied()))
        .map_err(|error| sentence!("mastery-formula", formula, why = error.to_string()))
}

/// Returns the number of parameter sets that can be drawn.
fn combinations(spec: &Numeric) -> usize {
    spec.parameters.values().map(Vec::len).fold(1, usize::saturating_mul)
}

fn check_parameters(lint: &mut Lint<'_>, variant: &Variant, spec: &Numeric, path: &Path<'_>) {
    for (name, values) in &spec.parameters {
        let path = path.to("parameters").to(name.as_str());
        if !is_name(name) {
            let message = format!("`{name}` is not a name for a parameter.");
            let help = "Use letters, digits and `_`.";
            lint.report("numeric-parameter", &path, message, help);
        }
        if values.is_empty() || values.iter().any(|value| !value.is_finite()) {
            lint.report("numeric-parameter", &path, format!("`{name}` needs finite values to draw from."), "");
        }
        let repeated = values.iter().enumerate().any(|(index, value)| values.iter().take(index).any(|v| v == value));
        if repeated {
            lint.report("numeric-parameter", &path, format!("A value of `{name}` is given twice."), "");
        }
        if !variant.ask.contains(&format!("{{{name}}}")) {
            let message = format!("The question does not state the value of `{name}`.");
            lint.report("numeric-parameter", &path, message, format!("Write {{{name}}} where its value goes."));
        }
    }
    for (field, text) in [("ask", &variant.ask), ("because", &variant.because)] {
        for name in placeholders(text) {
            if !spec.parameters.is_empty() && !spec.parameters.contains_key(name) {
                let message = format!("`{{{name}}}` is not a parameter.");
                let known: Vec<&str> = spec.parameters.keys().map(String::as_str).collect();
                let help = format!("Known are {}.", known.join(", "));
                lint.report("numeric-parameter", &path.up(2).to(field), message, help);
            }
        }
    }
}

/// Returns the names in braces that look like a parameter.
fn placeholders(text: &str) -> impl Iterator<Item = &str> {
    text.split('{').skip(1).filter_map(|rest| rest.split_once('}')).map(|(name, _)| name).filter(|name| is_name(name))
}

/// True if a parameter may have this name.
fn is_name(name: &str) -> bool {
    name.len() <= 30
        && name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

fn parse(lint: &mut Lint<'_>, formula: &At<String>, spec: &Numeric) -> Option<Expr> {
    let expr = match Expr::parse(formula) {
        Ok(expr) => expr,
        Err(error) => {
            let place = lint.inside(formula, error.offset.unwrap_or(0));
            let help = "Operators are + - * / %, functions min max ceil floor gcd pow.";
            lint.report("bad-expression", place, &error.message, help);
            return None;
        }
    };
    let unknown = expr.variables().into_iter().find(|name| !spec.parameters.contains_key(*name)).map(str::to_owned);
    if let Some(name) = unknown {
        let known: Vec<&str> = spec.parameters.keys().map(String::as_str).collect();
        let place = lint.inside(formula, formula.value.find(&name).unwrap_or(0));
        let help = if known.is_empty() {
            "There are no parameters.".to_owned()
        } else {
            format!("Known are {}.", known.join(", "))
        };
        lint.report("bad-expression", place, format!("Unknown name `{name}`."), help);
        return None;
    }
    Some(expr)
}

fn try_all(lint: &mut Lint<'_>, spec: &Numeric, formula: &Expr, slips: &[Option<Expr>], path: &Path<'_>) {
    // Counts how often each slip could be computed, and how often it was the correct answer.
    let mut computed = vec![0usize; slips.len()];
    let mut right = vec![0usize; slips.len()];
    let mut untypable = None;
    for set in sets(&spec.parameters) {
        let value = |name: &str| set.get(name).copied();
        let shown = || set.iter().map(|(name, value)| format!("{name} = {value}")).collect::<Vec<_>>().join(", ");
        let answer = match formula.real(&value) {
            Ok(answer) => answer,
            Err(error) => {
                let message = format!("With {} the answer cannot be computed: {error}", shown());
                return lint.report("numeric-formula", &spec.formula, message, "");
            }
        };
        if spec.tolerance == 0.0 && untypable.is_none() && digits(answer) > TYPED_DIGITS {
            untypable = Some(format!("With {} the exact answer is {answer}, which is too long to type.", shown()));
        }
        for (slip, (computed, right)) in slips.iter().zip(computed.iter_mut().zip(&mut right)) {
            if let Some(Ok(slipped)) = slip.as_ref().map(|slip| slip.real(&value)) {
                *computed += 1;
                *right += usize::from(number::equal(slipped, answer, spec.tolerance));
            }
        }
    }
    if let Some(message) = untypable {
        lint.report("numeric-tolerance", &spec.formula, message, "Give a `tolerance`, or other numbers.");
    }
    for (index, slip) in spec.slips.iter().enumerate() {
        let (computed, right) = (computed[index], right[index]);
        if slips[index].is_some() && computed == 0 {
            let message = "The slip cannot be computed for any set of numbers.";
            lint.report("numeric-slip", &slip.formula, message, "");
        } else if right > 0 && right == computed {
            let message = "The slip is the correct answer for every set of numbers.";
            lint.report("numeric-slip", &slip.formula, message, "");
        }
        let twin = spec.slips.iter().take(index).any(|other| other.formula.value == slip.formula.value);
        if twin {
            lint.report("numeric-slip", &path.to("slips").to(index), "This slip is given twice.", "");
        }
    }
}

/// Returns the number of significant digits of the shortest decimal for this number.
fn digits(value: f64) -> usize {
    let text = format!("{value:e}");
    text.split('e').next().unwrap_or("").chars().filter(char::is_ascii_digit).count()
}

/// Returns every parameter set that can be drawn.
fn sets(parameters: &BTreeMap<String, Vec<f64>>) -> impl Iterator<Item = BTreeMap<&str, f64>> {
    let count = parameters.values().map(Vec::len).fold(1, usize::saturating_mul);
    (0..count).map(|mut index| {
        parameters
            .iter()
            .filter_map(|(name, values)| {
                let value = *values.get(index % values.len().max(1))?;
                index /= values.len().max(1);
                Some((name.as_str(), value))
            })
            .collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_combination_is_tried_once() {
        let parameters = BTreeMap::from([("a".to_owned(), vec![1.0, 2.0, 3.0]), ("b".to_owned(), vec![5.0, 7.0])]);
        let mut seen: Vec<(f64, f64)> = sets(&parameters).map(|set| (set["a"], set["b"])).collect();
        seen.sort_by(|x, y| x.partial_cmp(y).unwrap());
        assert_eq!(seen, [(1.0, 5.0), (1.0, 7.0), (2.0, 5.0), (2.0, 7.0), (3.0, 5.0), (3.0, 7.0)]);
        assert_eq!(sets(&BTreeMap::new()).count(), 1);
    }

    #[test]
    fn digits_are_those_of_the_shortest_decimal() {
        assert_eq!((digits(0.25), digits(1_048_576.0), digits(2e9)), (2, 7, 1));
        assert!(digits(1.0 / 3.0) > TYPED_DIGITS);
    }

    #[test]
    fn placeholders_are_names_in_braces() {
        assert_eq!(placeholders("{n} of {tile_n} but { not } or {0} {}").collect::<Vec<_>>(), ["n", "tile_n"]);
    }
}
