# The workshop: exercises, and the names of the judge's goals.

exercise-none = There is no exercise `{ $id }`.
exercise-none-help = `matmul-tutor exercise list` lists them.
exercise-nearest = Did you mean `{ $nearest }`? `matmul-tutor exercise list` lists them all.
exercise-repair = repair
exercise-fill = fill in
exercise-write = write
exercise-new = new
exercise-tried = { $tries ->
    [one] tried once
   *[other] tried { $tries } times
}
exercise-passed = passed
exercise-starred = passed, with a star
exercise-sum = { $passed } of { $of } passed, { $starred } with a star.

exercise-shipped = Bugs that shipped, with their levels
exercise-found = *Found in { $project } on { $date }:* { $link }

exercise-goal-compiles = compiles
exercise-goal-runs = runs to its end
exercise-goal-results = correct results
exercise-goal-hazards = no hazards
exercise-goal-counts = requests no more memory than needed
exercise-goal-faster = a star: fast enough on a GPU
exercise-line-right = Line { $line } is at fault.
exercise-line-wrong = The fault is not in line { $line }.
exercise-odd-character = Line { $line } contains { $code }, which a compiler does not read. Type this place again.
exercise-clock = { $limits } The kernel reads a clock, which differs in each launch on a GPU. The emulator's clock advances only when a warp reads it.
exercise-done = Passed.
exercise-star-no-gpu = Without a GPU there is no time to measure. With one, the tutor would compare it with `{ $rung }`.
exercise-star-cublas = { $measured } That is { $percent } % of cuBLAS.
exercise-star-impossible = { $time } at n = { $n } is impossible and does not count: the multiply-adds alone take at least { $floor } on an { $device }, as measured. Does every launch compute all of C?
exercise-star-wrong = On the GPU, its result at n = { $n } is wrong.
exercise-star-failed = On the GPU, at n = { $n }: { $why }
exercise-star-measured = { $ratio } times as fast as `{ $rung }` at n = { $n }, measured alternately.

exercise-hint = Hint { $number } of { $of }{ $other ->
    [1] , for a different mistake
   *[0] { "" }
  }: { $text }
exercise-no-hint = All hints are open.
exercise-hint-passed = You have passed this exercise. `matmul-tutor exercise solution { $id }` shows the solution.
exercise-solution-closed = The solution opens after passing, or after the last hint: { $left ->
    [one] 1 hint is left.
   *[other] { $left } hints are left.
}
exercise-solution-closed-help = `matmul-tutor exercise hint { $id }` opens the next one.

exercise-started = { $file } is what you hand in.
exercise-then = Then: { $check }
exercise-readme = `{ $check }` judges the file that you hand in, as often as you like.
exercise-there = { $file } already exists.
exercise-there-help = Continue with it, or start over with `matmul-tutor exercise reset { $id }`.
exercise-not-made = { $file } cannot be made: { $why }.
exercise-not-begun = { $file } does not exist.
exercise-not-begun-help = `matmul-tutor exercise start { $id }` creates it.
exercise-reset = { $file } contains the starter code again. Your text is now in { $kept }.
exercise-form-repair = The broken kernel is { $file }. Which line is at fault, and which change fixes it?
exercise-form-line = its number
exercise-form-cure = the id of one of these
exercise-form-fill = The kernel is { $file }. What belongs in its holes?
exercise-form-filling = the id of one of these
exercise-form-none = This is not a valid form: { $why }
exercise-form-missing = The form does not have `{ $field }`.
exercise-form-no-number = `{ $field }: { $value }` is not a line number.
exercise-form-unknown = `{ $field }: { $value }` is not one of its choices.
exercise-form-known = The choices are: { $known }.
exercise-no-choice = it has no text for `{ $choice }`.
exercise-not-built = The choices of `{ $id }` are not compiled: { $why }
exercise-not-built-help = Compile them with `matmul-tutor course build`.
exercise-printed = printed by the kernel, in the first launch that prints
