//! Finds the source line of an instruction.

use super::draft::Lowerer;
use crate::program::SourceLoc;
use crate::ptx::Instruction;

impl<'a> Lowerer<'a> {
    /// Sets the source line of an instruction: that of its own `.loc` if it is in the kernel's file, otherwise the
    /// innermost call site in that file. For an inlined function, it also finds the outermost call site in that file, and
    /// its own place if that is in a header.
    pub(super) fn locate(&mut self, i: &Instruction<'a>) {
        let Some(call) = self.calls.last() else { return };
        let (function, main, mut called_at) = (call.function, call.main_file, call.called_at);
        let (mut line, mut column) = (0, 0);
        let mut next = function.locs.get(i.loc as usize).copied();
        let own = next;
        for _ in 0..16 {
            let Some(loc) = next else { break };
            if loc.file == main {
                (line, column) = (loc.line, loc.column);
                break;
            }
            let Some(site) = loc.inlined_at else {
                next = None;
                continue;
            };
            if site.0 == main {
                (line, column) = (site.1, site.2);
                break;
            }
            next = function.sites.get(&site).and_then(|index| function.locs.get(*index as usize)).copied();
        }
        let file = if next.is_some() { main } else { own.map_or(0, |loc| loc.file) };
        if next.is_none() {
            (line, column) = own.map_or((0, 0), |loc| (loc.line, loc.column));
        }
        for _ in 0..16 {
            let Some(site) = next.and_then(|loc| loc.inlined_at) else { break };
            if site.0 == main && call.called_at == 0 {
                called_at = site.1;
            }
            next = function.sites.get(&site).and_then(|index| function.locs.get(*index as usize)).copied();
        }
        if called_at == line {
            called_at = 0;
        }
        let header = own.filter(|own| own.file != file).map_or((0, 0), |own| (self.file(own.file), own.line));
        let file = self.file(file);
        let line = if self.files[file as usize].is_empty() { 0 } else { line };
        let place = SourceLoc { file, line, column, ptx_line: i.at.line, called_at, header };
        let index = match self.place_index.get(&place) {
            Some(known) => *known,
            None => {
                self.places.push(place);
                self.place_index.insert(place, self.places.len() as u32 - 1);
                self.places.len() as u32 - 1
            }
        };
        self.place = index;
    }

    /// Returns the program's index of a file of the PTX; 0 if it has no name.
    fn file(&mut self, number: u32) -> u32 {
        let name = self.tree.files.get(&number).map(String::as_str).unwrap_or_default();
        let next = self.files.len() as u32;
        let index = *self.file_index.entry(name).or_insert(next);
        if index == next {
            self.files.push(name.to_owned());
        }
        index
    }
}
