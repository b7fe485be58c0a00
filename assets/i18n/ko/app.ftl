# What stands around every screen: the line of keys, what lies over a screen, the status of a launch.

app-too-small = matmul-tutor에는 { $w }칸 × { $h }줄이 필요합니다. 지금 터미널은 { $width } × { $height }입니다.
app-opening = 강좌를 읽는 중…
app-opening-course = { $course } 강좌를 읽는 중…
app-opening-quit = 종료
app-running = 실행 중
app-worker-silent = 워커가 { $seconds }초째 아무것도 보내지 않습니다. { $limit }초가 되면 중단합니다(컴퓨터가 바쁘면 더 기다림)

app-died = 내부 오류나 메모리 부족으로 종료되었습니다. 저장하던 답 하나를 빼고 모두 남아 있습니다.
app-stuck = 2초 동안 응답이 없어 종료했습니다.

app-percent = { $number }%

app-preview = 미리 보기

app-scroll = 스크롤
app-move = 이동
app-saving = 저장 중…
app-saving-held = 저장 중… { $why }
app-take = 선택
app-close = 닫기
app-begin = 시작
app-not-now = 나중에
app-leave = 나가기
app-stay = 계속

app-pages-title = { $level } { $title }: 페이지
app-gate-title = { $level } { $title }: 퀴즈
app-search-title = 페이지 찾기
app-leaving-title = 튜터를 끝낼까요?
app-leaving = 커널이 실행 중입니다. 지금 나가면 실행이 멈추고 그 수치는 사라집니다.
app-unsaved-title = 진도가 저장되지 않습니다
app-unsaved-mark = { $answers ->
    [0] { $others ->
        [0] 진도가 저장되지 않음
       *[other] 저장되지 않은 변경 { $others }개
    }
   *[other] 저장되지 않은 답 { $answers }개
}
app-unsaved = 아직 저장되지 않은 것: { $answers ->
    [0] 변경 { $others }개
   *[other] 답 { $answers }개{ $others ->
        [0] { "" }
       *[other] , 그 밖의 변경 { $others }개
    }
}. { $why }
app-save-again = 다시 시도
app-leave-unsaved = 저장하지 않고 종료
app-kept-until-saved = 계속해도 됩니다. 지금부터 하는 일은 저장될 때까지 다시 시도합니다. 튜터를 끝낼 때까지 저장하지 못한 것은 사라집니다.
app-waits-for-store = 진도를 저장할 수 있게 되면 바로 시작합니다.
app-saved-again = 이제 모두 저장했습니다.
app-not-here = 여기서는 쓸 수 없는 기능입니다: “{ $action }”

app-nothing-due = 오늘 복습할 문항이 없습니다.
app-no-pages = 이 레벨에는 페이지가 없습니다.
app-no-gate = “{ $title }” 레벨에는 퀴즈가 없습니다. 페이지만 읽으면 됩니다.
app-locked = 잠겨 있습니다. 먼저 레벨 { $level }({ $title })의 퀴즈를 통과해야 합니다.
app-locked-exercise = 잠겨 있습니다. 먼저 레벨 { $level }({ $title })의 실습을 하나 통과해야 합니다(지도에서 w).
app-lesson-broken = “{ $title }” 레슨을 보여 줄 수 없습니다
app-page-broken = `{ $page }` 페이지를 보여 줄 수 없습니다
app-quiz-broken = “{ $title }” 퀴즈에 문제가 있습니다
app-check = `matmul-tutor course check` 명령은 강좌의 모든 문제점을 한 번에 보여 줍니다.
app-no-theme = `{ $name }` 테마는 없습니다. 쓸 수 있는 테마: { $known }.
app-key-nothing = { $key } 키는 여기서 아무 일도 하지 않습니다. ?가 쓸 수 있는 키를 보여 줍니다.
app-paste-nothing = 붙여 넣은 글과 한꺼번에 들어온 키는 여기서 아무 일도 하지 않습니다.
app-key-quits = { $page ->
    [0] q는 지도에서만, Ctrl-C는 어디서나 튜터를 끝냅니다.
   *[1] q는 지도에서만 튜터를 끝냅니다.
  }
app-theme = 테마: { $name }
