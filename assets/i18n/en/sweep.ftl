# The sweep: every variant of a kernel as a heat map.

sweep-no-variants = There is no such kernel, or it has only one variant.
sweep-variants = { $count ->
    [one] { $count } variant
   *[other] { $count } variants
  }
sweep-of = { $at } of { $count }: o continues
sweep-device-unknown = device not known yet
sweep-no-gpu = no GPU here
sweep-measured = measured just now
sweep-counted = counted, lower is better
sweep-not-run = not run yet
sweep-unit-speed = TFLOP/s
sweep-unit-bytes = bytes/FMA
sweep-bytes = { $bytes } bytes of memory per multiply-add
sweep-here = { $name }: { $figure }
sweep-here-share = { $name }: { $figure }, { $share } of { $cublas }
sweep-nothing-yet = no number yet
sweep-wrong = Its result is wrong, so its speed counts for nothing.
sweep-share = { ", " }{ $share } of { $cublas }
sweep-alike = All of these variants differ by less than 1 %: { $figure }.
sweep-best = best: { $variant }, { $figure }{ $share }
sweep-launch-counts = Enter launches all of them on the emulator, which counts the bytes that each requests from memory.
sweep-launch-times = Enter launches all of them on this GPU, alternating, and times them.
sweep-sign-bar = the number to its left, as a share of the best one
sweep-sign-best = the best variant of all
sweep-sign-wrong = its result is wrong
sweep-sign-impossible = such a variant is not possible
sweep-sign-cursor = the variant that is described below
sweep-budget = { $left } of { $budget } ms left
sweep-late = stopped after twice the time of your best one
sweep-search = Enter measures this variant. Goal: { $goal } of the speed of the best one of all.
sweep-found = Goal reached: { $share } of the speed of the best one of all, { $variant }.
sweep-spent = The time is spent. You reached { $share } of the speed of the best one of all, { $variant }. 0 starts again.
sweep-sign-late = stopped, because it took too long
