# Problems of a course, for its author.

problems-title = what is wrong with the course
problems-count = { $errors ->
        [0] { "" }
        [one] 1 error{ $warnings ->
            [0] { "" }
           *[other] { ", " }
        }
       *[other] { $errors } errors{ $warnings ->
            [0] { "" }
           *[other] { ", " }
        }
    }{ $warnings ->
        [0] { "" }
        [one] 1 warning
       *[other] { $warnings } warnings
    }
problems-edit = edit
problems-unbuilt = { $file } { $why }. The code on the screen is not the code that would run. `matmul-tutor course build` compiles it.
