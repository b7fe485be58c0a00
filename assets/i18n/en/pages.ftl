# The pages of a level.

pages-more = { "  more: " }{ $title }
pages-of-level = pages of level { $level }
pages-done = done
pages-skipped = skipped
pages-open = open
pages-right-at-first = first try correct
pages-wrong-at-first = wrong at first
pages-by-objective = first try correct, by objective
pages-objective-right = { $right } of { $of }
