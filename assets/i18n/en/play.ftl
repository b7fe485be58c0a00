# `matmul-tutor run --copy`: a kernel of the catalogue, copied and changed.

play-made = Created { $file }: change it as you like.
play-unmade = { $file } cannot be created: { $why }.
play-waits = Waiting until you save { $file }; Ctrl-C stops.

# The README of the copy.
play-readme-change = Change `{ $file }` and save it. `matmul-tutor run { $kernel } --copy` runs it next to the original; `--watch` instead of `--copy` runs it at each save, `--size 512` at another size.
play-readme-launch = It is launched like the original: entry `{ $entry }`, grid { $grid }, block { $block }; macros: { $macros }.
play-readme-anew = To start over, delete `{ $file }`.
play-no-macros = none

# The table.
play-original = original
play-yours = yours
play-right = correct
play-wrong = { $wrong } wrong
play-not-compared = not compared
play-hazards = hazards
play-global-bytes = global memory, bytes
play-barriers = barriers
play-instructions = warp instructions
play-differs = differs
play-fewer = { $ratio }× fewer
play-more = { $ratio }× more
play-fewer-share = { $share } fewer
play-more-share = { $share } more
play-none = no longer any
play-new = new
play-faster = { $ratio }× faster
play-slower = { $ratio }× slower
play-time-same = no measurable difference

play-verdict-right = Your kernel is correct.
play-verdict-right-timed = Your kernel is correct, and { $ratio } times as fast as the original.
play-verdict-unchanged = Your kernel is still the original. Change { $file } and see what changes here.
play-verdict-wrong = Your kernel gets { $wrong } elements of C wrong.
play-verdict-not-compared = This product is too large to be checked here. Choose a smaller one.
