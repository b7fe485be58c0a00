/*! The workshop: the list of exercises by level, and a screen for each exercise.

```text
 workshop                                                3 of 57 passed, 1 ★
 ─ 2 Shared-memory tiling ───────────────────────────────────── 1 of 9 ─────
 ✔ repair   A faster barrier                           passed
 ▸ repair   Good advice                                tried twice
   fill in  When must they meet?                       new
 ⏎ open  ↑↓ move  Esc back  ? help
```
*/

mod exercise;
mod list;
mod state;

pub use exercise::ExerciseScreen;
pub use list::Workshop;
pub(crate) use list::{shipped, tally};
pub use state::{ExerciseState, kind_name};
