# `regrade`: what a corrected key changes

regrade-nothing = Nothing changes: every answer is graded as it was.
regrade-attempt = { $level }, { $at }: { $before } right before, { $now } now.
regrade-passed = It passes the gate now.
regrade-counts = Right now: { $questions }.
regrade-kept = Wrong by today's key, and kept as right: { $questions }.
regrade-gone = Not in the course any more, and left as it was: { $questions }.
