# The keys that work on this screen, every action, and the page about a failure.

help-title = keys and signs
help-page = on this page
help-moving = moving
help-everywhere = everywhere
help-signs = signs on this screen

palette-title = every action
palette-not-here = not here
palette-not-now = not now
palette-elsewhere = { $part ->
    [quiz] in a quiz
    [outcome] after a quiz
    [map] on the map
    [page] on a page
    [picture] in pictures
   *[exercise] in exercises
  }

problem-happened = what happened
problem-help = what to do
problem-go-on = Enter continues; everything else works.
