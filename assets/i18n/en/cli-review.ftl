# `matmul-tutor review`.

cli-review-nothing-learnt = There is nothing to review yet: the questions of a quiz come back some days after you took it.
cli-review-nothing = Nothing is due today. Next: { $next }.
cli-review-done = { $right } of { $of } correct.
cli-review-done-next = { $right } of { $of } correct. Next: { $next }.
cli-review-more = { $right } of { $of } correct. Due: { $due }.
cli-review-offer = Due for review: { $due } (`matmul-tutor review`).
