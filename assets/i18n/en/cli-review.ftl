# `matmul-tutor review`.

cli-review-nothing-learnt = There is nothing to review yet: what a gate asked is asked again later.
cli-review-nothing = Nothing is due today. Next: { $next }.
cli-review-done = { $right } of { $of } right.
cli-review-done-next = { $right } of { $of } right. Next: { $next }.
cli-review-more = { $right } of { $of } right. Due: { $due }.
cli-review-offer = Due for review: { $due } (`matmul-tutor review`).
