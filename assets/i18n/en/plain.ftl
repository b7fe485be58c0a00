# The tutor line by line.

plain-welcome = The tutor, line by line. Type a key or a word in brackets, then press Enter. ? lists all possible inputs. Where you type an answer, a colon marks a word as a command, as in :next.
plain-more = Level { $level }, more on page { $page }: { $title }
plain-page = Level { $level }, page { $page } of { $of }: { $title }
plain-picture = Picture: { $name }
plain-use-picture = Type tab to work with it.
plain-locked = locked; quiz { $gate } opens it
plain-no-gate = no quiz
plain-exercise-left = quiz passed, still needs one exercise (any)
plain-passed = quiz passed
plain-needs = its quiz needs { $required } of { $questions }
plain-pages = { $read } of { $total } pages done, { $gate }
plain-help = What can be typed here
plain-gate = The quiz
plain-palette = Everything that works here: type a number, or words to look for
plain-glossary = Glossary: type words to look for
plain-list = Pages: type a number
plain-search = Search: type words, then a number
plain-unknown = “{ $typed }” means nothing here. ? lists what you can type.
plain-take-line = Type a number to choose a line of the code.
plain-no-row = There is no row { $number }; the list has { $rows }.
plain-running = { $doing } …
