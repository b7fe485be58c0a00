# The pages of a level.

pages-more = { "  more: " }{ $title }
pages-of-level = pages of level { $level }
pages-done = done
pages-skipped = skipped
pages-open = open
pages-right-at-first = correct at first
pages-wrong-at-first = wrong at first
pages-by-objective = correct at first, by objective
pages-objective-right = { $right } of { $of }
