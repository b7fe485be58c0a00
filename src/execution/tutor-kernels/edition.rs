//! Reads `kernels/LANG.yaml`, the names and descriptions of a catalogue's kernels in another language.
//!
//! A translation changes words only: what runs comes from the original catalogue. [`Kernel::runs_as`] is true if two
//! kernels differ in nothing else.

use super::catalog::Catalog;
use super::files::Files;
use super::kernel::Kernel;
use super::written::KernelEntry;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;
use tutor_support::yaml;

/// The texts of a catalogue in another language: `kernels/LANG.yaml`. Missing texts are shown in the original language.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
pub struct CatalogEdition {
    /// The texts of each kernel, by the catalogue's ids.
    pub kernels: BTreeMap<String, KernelWords>,
}

/// The title and the description of a kernel.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct KernelWords {
    /// Digest of the original when it was translated: eight digits that `check` prints.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of: Option<String>,
    /// Short name for lists.
    pub title: Option<String>,
    /// A shorter name for lists that compare kernels; the title if absent.
    pub label: Option<String>,
    /// A description in one sentence.
    pub about: Option<String>,
    /// Names of the variants' axes and of their values: the original's name, then the name in this language.
    #[serde(default)]
    pub axes: BTreeMap<String, String>,
}

impl From<&KernelEntry> for KernelWords {
    /// Collects the texts of the original. Purely numeric values such as `64x64` are left out: they are the same in
    /// every language.
    fn from(entry: &KernelEntry) -> Self {
        let axes = entry.variants.iter().flat_map(|variants| &variants.value.axes);
        let labels = |labels: &Option<tutor_support::yaml::At<Vec<String>>>| {
            labels.as_ref().map_or_else(Vec::new, |labels| labels.value.clone())
        };
        let names = axes.flat_map(|axis| std::iter::once(axis.name.value.clone()).chain(labels(&axis.labels)));
        Self {
            of: None,
            title: Some(entry.title.clone()),
            label: entry.label.clone(),
            about: Some(entry.about.clone()),
            axes: names.filter(|name| has_word(name)).map(|name| (name.clone(), name)).collect(),
        }
    }
}

/// True if a name contains a word of two or more letters, which may need a translation.
fn has_word(name: &str) -> bool {
    name.split(|c: char| !c.is_alphabetic()).any(|word| word.chars().count() > 1)
}

impl CatalogEdition {
    /// Returns the path of an edition within its course, or `None` if `lang` is not a valid name.
    pub fn path(lang: &str) -> Option<String> {
        let plain = lang.len() <= 20 && lang.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
        (plain && !lang.is_empty() && lang != "catalog").then(|| format!("kernels/{lang}.yaml"))
    }
}

impl Catalog {
    /// Replaces the texts of the kernels by those of a language, where the edition has them. Errors in the edition
    /// are ignored here, because `check` reports them.
    pub(super) fn speak(&mut self, files: &Files, lang: &str) {
        let text = CatalogEdition::path(lang).and_then(|path| files.read(&path).ok());
        let edition = text.and_then(|text| yaml::read_typed::<CatalogEdition>(&text).ok());
        for (id, words) in edition.into_iter().flat_map(|edition| edition.kernels) {
            if let Some(kernel) = self.kernels_mut().iter_mut().find(|kernel| kernel.id == id) {
                kernel.speak(words);
            }
        }
    }
}

impl Kernel {
    fn speak(&mut self, words: KernelWords) {
        let one_line = |text: &String| !text.trim().is_empty() && !text.contains(['\n', '\t']);
        // If the label was a copy of the title, it becomes the translated title.
        let label = words.label.or_else(|| words.title.clone().filter(|_| self.label == self.title));
        let texts = [(&mut self.title, words.title), (&mut self.label, label), (&mut self.about, words.about)];
        for (text, word) in texts {
            if let Some(word) = word.filter(one_line) {
                *text = word;
            }
        }
        if let Some(variants) = self.variants.as_mut().filter(|_| !words.axes.is_empty()) {
            for axis in &mut Arc::make_mut(variants).axes {
                let names = std::iter::once(&mut axis.name).chain(axis.values.iter_mut().map(|(name, _)| name));
                for name in names {
                    if let Some(word) = words.axes.get(name.as_str()).filter(|word| one_line(word)) {
                        name.clone_from(word);
                    }
                }
            }
        }
    }

    /// True if the two kernels differ at most in their names and descriptions.
    pub fn runs_as(&self, other: &Self) -> bool {
        let same_points = match (&self.variants, &other.variants) {
            (Some(own), Some(theirs)) => Arc::ptr_eq(own, theirs) || own.points == theirs.points,
            (own, theirs) => own.is_none() && theirs.is_none(),
        };
        let wordless = |kernel: &Self| Self {
            title: String::new(),
            label: String::new(),
            about: String::new(),
            variants: None,
            ..kernel.clone()
        };
        same_points && wordless(self) == wordless(other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn course(edition: &str) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("kernels")).unwrap();
        std::fs::write(dir.path().join("kernels/xx.yaml"), edition).unwrap();
        dir
    }

    fn spoken(edition: &str) -> Catalog {
        let dir = course(edition);
        let mut catalog = Catalog::built_in().clone();
        catalog.speak(&Files::of_directory(dir.path()), "xx");
        catalog
    }

    #[test]
    fn a_kernel_is_called_as_its_edition_says_and_runs_as_before() {
        let words = "{ title: 타일, about: 말. }";
        let catalog =
            spoken(&format!("kernels:\n  sgemm_tiled: {words}\n  sgemm_naive_coalesced: {words}\n  none: {words}\n"));
        let (kernel, known) =
            (catalog.kernel("sgemm_tiled").unwrap(), Catalog::built_in().kernel("sgemm_tiled").unwrap());
        assert_eq!([&kernel.title, &kernel.label, &kernel.about], ["타일", "타일", "말."]);
        assert!(kernel != known && kernel.runs_as(known));
        let labelled = catalog.kernel("sgemm_naive_coalesced").unwrap();
        assert_eq!([labelled.title.as_str(), &labelled.label], ["타일", "naive, x on columns"], "a label of its own");
        let mut other = kernel.clone();
        other.block = [8, 8, 1];
        assert!(!other.runs_as(known));
        let same = Catalog::built_in().kernels().iter().filter(|kernel| catalog.kernel(&kernel.id) == Some(*kernel));
        assert_eq!(same.count() + 2, catalog.kernels().len(), "what is not named is as it was");
    }

    #[test]
    fn axes_and_values_get_names_and_variants_keep_theirs() {
        let axes = "axes: { loop order: 루프 순서, k outermost: k가 맨 밖 }";
        let catalog = spoken(&format!("kernels:\n  sgemm_sweep: {{ title: 스윕, {axes} }}\n"));
        let (kernel, known) =
            (catalog.kernel("sgemm_sweep").unwrap(), Catalog::built_in().kernel("sgemm_sweep").unwrap());
        let (variants, before) = (kernel.variants.as_ref().unwrap(), known.variants.as_ref().unwrap());
        assert_eq!(variants.points, before.points);
        let order = variants.axes.iter().find(|axis| axis.name == "루프 순서").unwrap();
        assert_eq!(order.values[0].0, "k가 맨 밖");
        assert!(kernel.runs_as(known));
        let point = variants.possible().find(|point| point.name.ends_with("k_outermost")).unwrap();
        let variant = kernel.variant(&point.name).unwrap();
        assert!(variant.title.starts_with("스윕: ") && variant.title.ends_with(", k가 맨 밖"), "{}", variant.title);
        assert!(variant.runs_as(&known.variant(&point.name).unwrap()));
    }

    #[test]
    fn a_file_that_cannot_be_read_changes_nothing() {
        for edition in
            ["kernels: [", "kernels:\n  sgemm_tiled: { titel: x }\n", "kernels:\n  sgemm_tiled: { title: \"a\\nb\" }\n"]
        {
            assert_eq!(spoken(edition), *Catalog::built_in(), "{edition}");
        }
        assert_eq!(
            [CatalogEdition::path("../x"), CatalogEdition::path("catalog"), CatalogEdition::path("")],
            [None, None, None]
        );
    }
}
