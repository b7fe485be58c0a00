//! The frames of the calls that a warp is in.

use crate::program::NONE;

/// A call from which not all lanes of a warp have returned.
#[derive(Debug, Default)]
pub(super) struct Frame {
    /// Indices of the call and of the function.
    pub(super) call: usize,
    pub(super) callee: usize,
    /// Lanes that made the call, and those that have not returned.
    pub(super) lanes: u32,
    pub(super) left: u32,
    /// Saved words: the number of predicates, the predicates, three words for each of `lanes`, then the saved rows of the
    /// lanes. The three words are its previous frame, that frame's address and the end of its stack.
    pub(super) words: Vec<u32>,
}

/// The active calls of the lanes of a warp. Each lane has its own chain of frames.
#[derive(Debug)]
pub(crate) struct Frames {
    pub(super) frames: Vec<Frame>,
    pub(super) spare: Vec<u32>,
    /// Each lane's innermost frame.
    pub(super) top: [u32; 32],
}

impl Default for Frames {
    fn default() -> Self {
        Self { frames: Vec::new(), spare: Vec::new(), top: [NONE; 32] }
    }
}

impl Frames {
    /// Removes all calls when a block begins.
    pub(crate) fn clear(&mut self) {
        self.top = [NONE; 32];
        self.spare.clear();
        self.spare.extend(0..self.frames.len() as u32);
    }

    /// Returns an empty frame and its index.
    pub(super) fn take(&mut self) -> (usize, Frame) {
        let index = self.spare.pop().unwrap_or_else(|| {
            self.frames.push(Frame::default());
            self.frames.len() as u32 - 1
        });
        let mut frame = std::mem::take(&mut self.frames[index as usize]);
        frame.words.clear();
        (index as usize, frame)
    }

    /// Returns the number of calls that a lane is in.
    pub(super) fn depth(&self, lane: usize) -> u64 {
        let (mut depth, mut next) = (0, self.top[lane]);
        while let Some(frame) = self.frames.get(next as usize) {
            depth += 1;
            let predicates = frame.words.first().map_or(0, |count| *count as usize);
            let before = (frame.lanes & ((1 << lane) - 1)).count_ones() as usize;
            next = frame.words.get(1 + predicates + 3 * before).copied().unwrap_or(NONE);
        }
        depth
    }
}
