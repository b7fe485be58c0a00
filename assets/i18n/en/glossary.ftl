# The glossary.

glossary-title = words of the course
glossary-of-page = words on this page
glossary-here = on this page
glossary-level = level { $level }
glossary-nothing = No term of the course contains that.
