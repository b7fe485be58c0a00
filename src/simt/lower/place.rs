//! Which line of which file an instruction comes from.

use super::draft::Lowerer;
use crate::simt::Place;
use crate::simt::ptx::Instruction;

impl<'a> Lowerer<'a> {
    /// Finds the source line of an instruction: its own `.loc` if that is in the kernel's own file, else the
    /// innermost call site in that file.
    pub(super) fn locate(&mut self, i: &Instruction<'a>) {
        let Some(call) = self.calls.last() else { return };
        let (locs, main) = (&call.function.locs, call.main_file);
        let mut place = Place { file: String::new(), line: 0, ptx_line: i.at.line };
        let mut next = locs.get(i.loc as usize).copied();
        let own = next;
        for _ in 0..16 {
            let Some(loc) = next else { break };
            if loc.file == main {
                place.line = loc.line;
                break;
            }
            let Some((file, line, column)) = loc.inlined_at else {
                next = None;
                continue;
            };
            if file == main {
                place.line = line;
                break;
            }
            next = locs
                .iter()
                .find(|l| (l.file, l.line, l.column) == (file, line, column) && l.inlined_at.is_some())
                .copied();
        }
        let file = if next.is_some() { main } else { own.map_or(0, |loc| loc.file) };
        if next.is_none() {
            place.line = own.map_or(0, |loc| loc.line);
        }
        place.file = self.tree.files.get(&file).copied().unwrap_or_default().to_owned();
        if place.file.is_empty() {
            place.line = 0;
        }
        let index = match self.place_index.get(&place) {
            Some(known) => *known,
            None => {
                self.places.push(place.clone());
                self.place_index.insert(place, self.places.len() as u32 - 1);
                self.places.len() as u32 - 1
            }
        };
        self.place = index;
    }
}
