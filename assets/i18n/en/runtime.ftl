# Messages about the tutor's start, its files and its store.

app-emulator-asked-for = The tutor was started with --on emulator.
app-about-progress = About your progress
app-about-language = About the language
app-without-lang = Start without --lang to read it without this page.
app-read-again = Read again.
app-progress-unreadable = Progress cannot be read
app-quiz-not-begun = The quiz cannot begin
app-answer-not-kept = The answer could not be kept
app-not-handed-in = The quiz could not be submitted
app-store-silent = The disk does not respond.
app-not-saved = Not saved: { $answers ->
    [0] { "" }
    [one] 1 answer
   *[other] { $answers } answers
}{ $others ->
    [0] { "" }
    [one] { $answers ->
        [0] 1 change
       *[other] {" "}and 1 other change
    }
   *[other] { $answers ->
        [0] { $others } changes
       *[other] {" "}and { $others } other changes
    }
}. { $why }
app-editor-title = The editor could not be used
app-editor-help = Set EDITOR to an editor that runs in this terminal, e.g. `export EDITOR=vim`.
app-editor-ended = `{ $editor }` ended with { $status }.
app-editor-not-started = `{ $editor }` cannot be started: { $error }.
runtime-building = The course's kernels are being compiled…
runtime-not-built = A kernel cannot be compiled
runtime-no-terminal = The terminal cannot be used: { $why }.
runtime-no-thread = No thread can be started: { $why }. Allow more memory or threads (`ulimit -v`, `ulimit -u`).
