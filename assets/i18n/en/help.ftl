# The keys that work on this screen, every action, and the page about a failure.

help-title = keys and signs
help-page = on this page
help-moving = moving
help-everywhere = everywhere
help-signs = signs on this screen

palette-title = every action
palette-not-here = not here
palette-not-now = not now
palette-in-quiz = in a quiz
palette-after-quiz = after quiz
palette-in-exercise = in exercises
palette-on-map = on the map
palette-on-page = on a page
palette-in-picture = in pictures

problem-happened = what happened
problem-help = what to do
problem-go-on = Enter continues; everything else works.
