//! Links to places: the part of the address after `#`.

use tutor_course::{AccessDirection, BankView};
use tutor_tui::app_data::{AppData, pages};
use tutor_tui::effect::Go;
use tutor_tui::screens::picture_screen::PictureScreen;

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
        return banks(access).map(Link::Banks);
    }
    if let Some(id) = link.strip_prefix("exercise=") {
        return Some(Link::Go(Go::Exercise(id.to_owned())));
    }
    let go = match link {
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

/// Returns an access like `smem[lane][5],pitch=16,pad=1,width=8,store`, if it is one.
fn banks(text: &str) -> Option<BankView> {
    let (access, options) = text.split_once(',').unwrap_or((text, ""));
    let inner = access.split_once('[')?.1.strip_suffix(']')?;
    let (row, column) = inner.split_once("][").unwrap_or(("0", inner));
    let mut view = BankView { row: row.to_owned().into(), column: column.to_owned().into(), ..PictureScreen::column() };
    for option in options.split(',').filter(|option| !option.is_empty()) {
        match option.split_once('=').unwrap_or((option, "")) {
            ("store", "") => view.access = AccessDirection::Store,
            ("rows", value) => view.rows = value.parse().ok()?,
            ("pitch", value) => view.pitch = value.parse().ok()?,
            ("pad", value) => view.pad = value.parse().ok()?,
            ("width", value) => view.width = value.parse().ok()?,
            _ => return None,
        }
    }
    view.access().is_ok().then_some(view)
}
