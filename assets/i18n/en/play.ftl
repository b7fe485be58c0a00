# `matmul-tutor play`: a kernel of the catalogue, copied and changed.

play-made = Made { $file }: change it as you like.
play-unmade = { $file } cannot be made: { $why }.
play-waits = Waiting for { $file } to be saved; Ctrl-C ends it.

# The README of the copy.
play-readme-change = Change `{ $file }` and save it; `matmul-tutor play { $kernel }` runs it beside the original, with `--watch` at each save, with `--size 512` at another size.
play-readme-launch = It is launched as the original is: entry `{ $entry }`, grid { $grid }, block { $block }; macros: { $macros }.
play-readme-anew = To begin anew, delete `{ $file }`.
play-no-macros = none

# The table.
play-original = original
play-yours = yours
play-right = right
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
play-none = none any more
play-new = new
play-faster = { $ratio }× faster
play-slower = { $ratio }× slower
play-time-same = no difference that can be measured

play-verdict-right = Yours is right.
play-verdict-right-timed = Yours is right, and { $ratio } times as fast as the original.
play-verdict-unchanged = Yours is still the original: change { $file } and see what changes here.
play-verdict-wrong = Yours is wrong in { $wrong } elements of C.
play-verdict-not-compared = This product is too large to be compared here: take a smaller one.
