/*! The compared kernels as code, with their launch and with marks at the lines that differ.

```text
 a naive, x on rows   <<<(64, 64), (32, 32)>>> n = 2048
   17 ▌     const int row = blockIdx.x * BLOCK + threadIdx.x;
   18 ▌     const int col = blockIdx.y * BLOCK + threadIdx.y;
```
It fills the remaining rows. Before a launch, the student makes predictions from the code. Afterwards, it explains the
counts.*/

use super::draw::letter;
use super::model::Model;
use crate::prelude::*;
use similar::{Algorithm, DiffTag, capture_diff_slices};
use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;
use tutor_kernels::Kernel;
use ui_kit::code::{HighlightRequest, Language};
use ui_kit::code_pane::{launch, rows, uncommented};

/// Minimum rows of code per kernel.
const MIN_ROWS: usize = 4;
/// Maximum number of lines before and after those that differ.
const AROUND: usize = 12;
/// Lines before the first difference shown, if not even all that differ fit.
const BEFORE: usize = 2;

pub(crate) fn wants(listings: &[Listing]) -> Vec<HighlightRequest> {
    let request = |listing: &Listing| HighlightRequest {
        file: listing.kernel.file.clone(),
        language: Language::Cuda,
        source: Arc::from(listing.kernel.source.text()),
    };
    listings.iter().map(request).collect()
}

/// A kernel as code, and where it differs from the kernel that it is compared with.
#[derive(Debug)]
pub(crate) struct Listing {
    kernel: Kernel,
    /// Numbers of the lines that the other kernel lacks.
    own: HashSet<u32>,
    /// Indices of differing lines, including those at which the other kernel has more lines.
    differs: Vec<usize>,
}

impl Listing {
    /// Returns a line of the source, 1-based.
    pub(crate) fn line(&self, number: u32) -> Option<&str> {
        self.kernel.source.text().lines().nth((number as usize).checked_sub(1)?)
    }
}

/// Compares the first kernel of a page with the second, and all others with the first.
pub(crate) fn listings(kernels: Vec<Kernel>) -> Vec<Listing> {
    let all: Vec<Vec<(u32, &str)>> = kernels.iter().map(lines).collect();
    let differences: Vec<(HashSet<u32>, Vec<usize>)> = (0..all.len())
        .map(|at| match all.get(usize::from(at == 0)) {
            Some(other) => different(&all[at], other),
            None => (HashSet::new(), Vec::new()),
        })
        .collect();
    let listing = |(kernel, (own, differs))| Listing { kernel, own, differs };
    kernels.into_iter().zip(differences).map(listing).collect()
}

/// Returns the numbers of the lines in `mine` that `other` lacks, and the indices in `mine` at which the two differ.
fn different(mine: &[(u32, &str)], other: &[(u32, &str)]) -> (HashSet<u32>, Vec<usize>) {
    let [trimmed, others] = [mine, other].map(|lines| lines.iter().map(|(_, text)| text.trim()).collect::<Vec<_>>());
    let changes = capture_diff_slices(Algorithm::Myers, &trimmed, &others).into_iter();
    let changed: Vec<Range<usize>> =
        changes.filter(|change| change.tag() != DiffTag::Equal).map(|change| change.old_range()).collect();
    let own = changed.iter().flat_map(|lines| &mine[lines.clone()]).map(|&(number, _)| number).collect();
    // Where only the other kernel has lines, the next line is marked.
    let marked = |lines: &Range<usize>| lines.start..lines.end.max(lines.start + 1).min(mine.len());
    (own, changed.iter().flat_map(marked).collect())
}

/// Returns the lines to compare: no comments, no blank lines, and no signature, because all kernels have the same one.
fn lines(kernel: &Kernel) -> Vec<(u32, &str)> {
    let mut signature = false;
    let lines = uncommented(kernel, |_| false).filter(|(_, text)| {
        signature |= text.contains("__global__");
        let sentence = !signature && !text.trim().is_empty();
        signature &= !text.starts_with('{');
        sentence
    });
    lines.collect()
}

/// Returns the ranges of lines that fit in `room` rows: all lines, or else those around the differences.
fn stretches(count: usize, differs: &[usize], room: usize) -> Vec<Range<usize>> {
    let one = |range| Vec::from([range]);
    if count <= room {
        return one(0..count);
    }
    for around in (0..=AROUND).rev() {
        let mut kept: Vec<Range<usize>> = Vec::new();
        for at in differs {
            let wanted = at.saturating_sub(around)..(at + around + 1).min(count);
            match kept.last_mut() {
                Some(last) if last.end >= wanted.start => last.end = wanted.end,
                _ => kept.push(wanted),
            }
        }
        // An ellipsis is before each range and after the last one.
        let rows: usize = kept.iter().map(|range| range.len() + 1).sum::<usize>() + 1;
        if !kept.is_empty() && rows <= room {
            return kept;
        }
    }
    // Either too much differs or nothing does, so show the lines with the most differences.
    let within = |from: usize| differs.iter().filter(|at| (from..from + room).contains(at)).count();
    let starts = differs.iter().rev().map(|at| at.saturating_sub(BEFORE));
    let from = starts.max_by_key(|from| within(*from)).unwrap_or(0);
    one(from..(from + room).min(count))
}

impl Listing {
    /// Draws the kernel and its launch in `room` rows.
    pub(crate) fn draw(&self, name: &str, n: u32, room: usize, sheet: &mut Sheet) {
        let look = sheet.look;
        let name = look.span(Meaning::Accent, format!(" {name} "));
        let launch = launch(&self.kernel, n, sheet.width.saturating_sub(name.width() as u16), look);
        sheet.row(std::iter::once(name).chain(launch.spans).collect());
        let all = lines(&self.kernel);
        let own = |number: u32| self.own.contains(&number);
        let gap = || Line::from(look.span(Meaning::Muted, format!("   {}", look.sign("⋮", ":"))));
        let (mut drawn, mut next) = (Vec::new(), 0);
        for range in stretches(all.len(), &self.differs, room) {
            drawn.extend((range.start > next).then(gap));
            next = range.end;
            let before = all.get(range.start).map_or(0, |(number, _)| number - 1);
            let (file, lines) = (&*self.kernel.file, &all[range]);
            let source = rows::AnnotatedSource { file, lines, before, notes: &[], about: Some(&own) };
            drawn.extend(rows::source(&source, sheet.width, look).lines);
        }
        // Wrapped lines may need more rows than there are.
        if drawn.len() > room || next < all.len() {
            drawn.truncate(room.saturating_sub(1));
            drawn.push(gap());
        }
        drawn.into_iter().for_each(|line| sheet.row(line.spans));
    }
}

/// Draws the kernels in `room` rows, or nothing if there are too few.
pub(super) fn draw(listings: &[Listing], model: &Model, room: u16, sheet: &mut Sheet) {
    // Besides the code, there is a rule, and a name and a blank row for each kernel.
    let Some(mut left) = usize::from(room).checked_sub(1 + 2 * listings.len()) else { return };
    if listings.is_empty() || left / listings.len() < MIN_ROWS {
        return;
    }
    sheet.rule(&t!("run-sources", count = listings.len()));
    for (at, listing) in listings.iter().enumerate() {
        sheet.blank();
        let before = sheet.height() + 1;
        let name = model.kernels.get(at).map_or("", |kernel| kernel.name.as_str());
        listing.draw(&format!("{} {name}", letter(model, at)), model.n, left / (listings.len() - at), sheet);
        left = left.saturating_sub(usize::from(sheet.height() - before));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tutor_kernels::Catalog;

    fn of(kernels: [&str; 2]) -> Vec<Listing> {
        listings(kernels.map(|id| Catalog::built_in().kernel(id).unwrap().clone()).to_vec())
    }

    fn own(listing: &Listing) -> Vec<&str> {
        let own = lines(&listing.kernel).into_iter().filter(|(number, _)| listing.own.contains(number));
        own.map(|(_, text)| text.trim()).collect()
    }

    #[test]
    fn a_missing_barrier_is_marked_in_one_kernel_and_its_place_is_shown_in_the_other() {
        let kernels = of(["sgemm_tiled", "sgemm_no_first_barrier"]);
        assert_eq!(own(&kernels[0]), ["__syncthreads();"]);
        assert!(own(&kernels[1]).is_empty());
        let lacks = lines(&kernels[1].kernel)[kernels[1].differs[0]].1;
        assert_eq!(lacks, "#pragma unroll");
    }

    #[test]
    fn swapped_lines_are_marked_in_both() {
        for kernel in of(["sgemm_naive_uncoalesced", "sgemm_naive_coalesced"]) {
            let own = own(&kernel);
            assert!(own.len() == 2 && own.iter().all(|line| line.contains("threadIdx")), "{own:?}");
        }
    }

    #[test]
    fn lines_far_from_differences_are_left_out_first() {
        assert_eq!(stretches(20, &[5], 20).as_slice(), std::slice::from_ref(&(0..20)));
        assert_eq!(stretches(20, &[5], 9).as_slice(), std::slice::from_ref(&(2..9)));
        assert_eq!(stretches(40, &[5, 30], 10), [4..7, 29..32]);
        assert_eq!(stretches(40, &(0..40).collect::<Vec<_>>(), 10).as_slice(), std::slice::from_ref(&(0..10)));
        assert_eq!(stretches(40, &[3, 21, 22, 24, 26, 28], 8).as_slice(), std::slice::from_ref(&(19..27)));
        assert_eq!(stretches(40, &[], 10).as_slice(), std::slice::from_ref(&(0..10)));
    }
}
