//! Short names for kernels that are compared: the part of each label that differs.

use crate::prelude::*;
use tutor_kernels::Catalog;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Names {
    /// What all labels have in common; empty if nothing, or if there is only one kernel.
    pub(super) shared: String,
    /// The rest of each label.
    pub(super) each: Vec<String>,
}

/// Returns the names of kernels by their ids; a kernel that the catalogue lacks keeps its id.
pub(super) fn kernel_names(kernels: &[String], catalog: &Catalog) -> Names {
    names(kernels.iter().map(|id| catalog.kernel(id).map_or(id.as_str(), |kernel| &kernel.label)))
}

/// Splits labels at commas, and moves the pieces that all of them begin or end with to `shared`.
fn names<'a>(labels: impl IntoIterator<Item = &'a str>) -> Names {
    let labels: Vec<&str> = labels.into_iter().collect();
    let pieces: Vec<Vec<&str>> = labels.iter().map(|label| label.split(", ").collect()).collect();
    let shortest = pieces.iter().map(Vec::len).min().unwrap_or(0);
    let all = |piece: &dyn Fn(&[&'a str]) -> &'a str| pieces.windows(2).all(|pair| piece(&pair[0]) == piece(&pair[1]));
    if labels.len() < 2 {
        return Names { shared: String::new(), each: labels.iter().map(|label| (*label).to_owned()).collect() };
    }
    let prefix = (0..shortest).take_while(|at| all(&|label| label[*at])).count();
    let suffix = (1..=shortest - prefix).take_while(|back| all(&|label| label[label.len() - back])).count();
    let rest = |label: &Vec<&str>| match label[prefix..label.len() - suffix].join(", ") {
        rest if rest.is_empty() => t!("run-plain"),
        rest => rest,
    };
    let each: Vec<String> = pieces.iter().map(rest).collect();
    let first = &pieces[0];
    let shared = [&first[..prefix], &first[first.len() - suffix..]].concat().join(", ");
    Names { shared, each }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(kernels: &[&str]) -> (String, Vec<String>) {
        let label = |id: &&str| Catalog::built_in().kernel(id).unwrap().label.as_str();
        let Names { shared, each } = names(kernels.iter().map(label));
        (shared, each)
    }

    #[test]
    fn kernels_are_named_by_their_differences() {
        let cases: [(&[&str], &str, &[&str]); 6] = [
            (
                &["sgemm_tiled32_column", "sgemm_tiled32_column_padded"],
                "tiled 32×32 by column",
                &["[32][32]", "[32][33]"],
            ),
            (&["sgemm_naive_uncoalesced", "sgemm_naive_coalesced"], "naive", &["x on rows", "x on columns"]),
            (&["sgemm_naive_coalesced", "sgemm_tiled"], "", &["naive, x on columns", "tiled 16×16"]),
            (&["sgemm_tiled", "sgemm_tiled_padded"], "tiled 16×16", &["plain", "[16][17]"]),
            (
                &["sgemm_tiled", "sgemm_no_second_barrier", "sgemm_no_second_barrier_delayed", "sgemm_tiled_delayed"],
                "tiled 16×16",
                &["plain", "no 2nd barrier", "no 2nd barrier + late", "late warp"],
            ),
            (&["bf16_mma", "bf16_ldmatrix"], "bf16", &["mma.sync", "ldmatrix"]),
        ];
        for (kernels, shared, each) in cases {
            assert_eq!(of(kernels), (shared.to_owned(), each.iter().map(|&name| name.to_owned()).collect()));
        }
        assert_eq!(of(&["sgemm_tiled"]), (String::new(), vec!["tiled 16×16".to_owned()]));
        assert_eq!(names([]), Names::default());
        assert_eq!(names(["a, b", "a, b"]).each, ["plain", "plain"]);
    }
}
