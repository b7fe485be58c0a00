# `class results --regrade`: the changes after the correction of a key

regrade-nothing = Nothing changes: every grade stays the same.
regrade-attempt = { $level }, { $at }: { $before } correct before, { $now } now.
regrade-passed = The attempt passes now.
regrade-counts = Correct now: { $questions }.
regrade-kept = Wrong by the current key, but still counted as correct: { $questions }.
regrade-gone = No longer in the course, so not graded again: { $questions }.
