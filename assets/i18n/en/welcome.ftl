# The first screen of a new student.

welcome-press = { $page ->
    [0] Press a or b.
   *[other] Click or tap one of them, or press a or b.
}
welcome-choose = First choose a or b. Esc shows the map.
welcome-right = Yes, it is { $letter }.
welcome-wrong = It is { $letter }. A wrong prediction costs nothing here.
welcome-recorded = Recorded on { $device }, driver { $driver }, { $date }, n = { $n }.
welcome-why = Level { $level }, “{ $title }”, explains why.
welcome-begin = Begin level { $level }
welcome-origins = Where do you come from? If you like, begin with a page for you:
