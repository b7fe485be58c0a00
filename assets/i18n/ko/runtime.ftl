# What the tutor says of its own start, its files and its store.

app-emulator-asked-for = --on emulator 옵션으로 시작했습니다.
app-about-progress = 진도에 대하여
app-about-language = 언어에 대하여
app-without-lang = --lang 없이 시작하면 이 페이지 없이 읽을 수 있습니다.
app-read-again = 다시 읽었습니다.
app-progress-unreadable = 진도를 읽을 수 없습니다
app-quiz-not-begun = 퀴즈를 시작할 수 없습니다
app-answer-not-kept = 답을 저장하지 못했습니다
app-not-handed-in = 퀴즈를 제출하지 못했습니다
app-store-silent = 디스크가 응답하지 않습니다.
app-not-saved = 저장하지 못함: { $answers ->
    [0] { "" }
   *[other] 답 { $answers }개
}{ $others ->
    [0] { "" }
   *[other] { $answers ->
        [0] 변경 { $others }개
       *[other] , 그 밖의 변경 { $others }개
    }
}. { $why }
app-editor-title = 편집기를 쓸 수 없습니다
app-editor-help = 이 터미널에서 실행되는 편집기를 EDITOR로 정하세요. 예: `export EDITOR=vim`.
app-editor-ended = `{ $editor }` 종료: { $status }.
app-editor-not-started = `{ $editor }` 편집기를 시작할 수 없습니다: { $error }.
runtime-building = 강좌의 커널을 컴파일하는 중…
runtime-not-built = 컴파일할 수 없는 커널이 있습니다
runtime-no-terminal = 터미널을 쓸 수 없습니다: { $why }.
runtime-no-thread = 스레드를 시작할 수 없습니다: { $why }. 메모리나 스레드를 더 허용하세요(`ulimit -v`, `ulimit -u`).
