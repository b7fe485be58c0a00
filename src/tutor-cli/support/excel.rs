//! `--excel`: tables that Excel reads as UTF-8.

use crate::prelude::*;

#[derive(Debug, Clone, Copy, clap::Args)]
pub(crate) struct ExcelOption {
    /// Begin the CSV table with a byte order mark, so that Excel reads it as UTF-8.
    #[arg(long)]
    excel: bool,
}

impl ExcelOption {
    /// Refuses the option for a format without a table.
    pub(crate) fn refused(self, csv: bool) -> Option<Exit> {
        (self.excel && !csv).then(|| failure(Exit::Usage, t!("results-excel"), None))
    }

    /// Writes the mark before the table, if the user wants it.
    pub(crate) fn begin(self) -> std::io::Result<()> {
        if self.excel { output::byte_order_mark() } else { Ok(()) }
    }
}
