//! Links to places: the part of the address after `#`.

use tutor_course::BankView;
use tutor_tui::app_data::{AppData, pages};
use tutor_tui::effect::Go;

/// A place that a link leads to.
pub(crate) enum Link {
    Go(Go),
    /// The bank-conflict simulator with an access.
    Banks(BankView),
}

/// Returns the place of a link, for example `one-thread/warps`, `2/3`, `exercise=a-faster-barrier` or
/// `banks=smem[lane][5],pitch=16,pad=1`. `None` if there is none.
pub(crate) fn read(link: &str, data: &AppData) -> Option<Link> {
    if let Some(access) = link.strip_prefix("banks=") {
        return BankView::of_link(access).map(Link::Banks);
    }
    if let Some(id) = link.strip_prefix("exercise=") {
        return Some(Link::Go(Go::Exercise(id.to_owned())));
    }
    let go = match link {
        "" => Go::Map,
        "banks" => Go::Banks,
        "contest" => Go::SpeedContest,
        "workshop" => Go::Workshop(None),
        _ => {
            let (level, page) = link.split_once('/').unwrap_or((link, ""));
            let levels = &data.course.levels;
            let level = levels.iter().position(|known| known.id == level).or(number(level, levels.len()))?;
            let pages = pages(levels.get(level)?);
            let page = pages.iter().position(|known| known.id.value == page).or(number(page, pages.len()));
            page.map_or(Go::Pages { level }, |page| Go::Page { level, page })
        }
    };
    Some(Link::Go(go))
}

/// Returns the index that a number from 1 means.
fn number(text: &str, length: usize) -> Option<usize> {
    text.parse::<usize>().ok()?.checked_sub(1).filter(|at| *at < length)
}
