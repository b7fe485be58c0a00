# The workshop in the tutor: the list of exercises, and an exercise.

workshop-title = 실습실
workshop-none = 강좌에 실습이 없습니다.
workshop-sum = { $of }개 중 { $passed }개 통과{ $starred ->
    [0] { "" }
   *[other] , { $star } { $starred }개
}
workshop-level-sum = { $passed }/{ $of }
workshop-shipped = 실제로 배포된 버그(숫자는 레벨): { $passed }/{ $of }
workshop-starred = 통과, 별
workshop-locked = 잠김
workshop-about-repair = 커널이 고장 났습니다. 잘못된 줄을 찾고, 고치는 방법을 골라 결과를 보세요.
workshop-about-fill = 커널에 빈칸이 있습니다. 채워 넣고 실행해 보세요.
workshop-about-write = 편집기에서 씁니다. 저장할 때마다 판정합니다.
workshop-offer = { $enter } 키를 누르면 실습실에서 엽니다.
workshop-sign-star = 통과했고, GPU에서 별을 받을 만큼 빠름
workshop-sign-tried = 시도했지만 아직 통과하지 못함
workshop-sign-met = 달성한 목표
workshop-sign-not-met = 처음으로 달성하지 못한 목표
workshop-sign-unknown = 아직 보지 않은 목표
workshop-sign-some = 일부가 틀린 C의 원소들
workshop-sign-changed = 고른 것에 따라 바뀐 줄

workshop-code-broken = { $file }, 고장
workshop-code-cured = { $file }, 내가 고친 대로
workshop-code-holes = { $file }
workshop-code-starter = { $file }: 파일의 처음 상태
workshop-code-solution = { $file }: 풀이
workshop-code-changes = 지난 시도 뒤로 바뀐 곳
workshop-note-reads = 스레드 { $thread } 읽기
workshop-note-writes = 스레드 { $thread } 쓰기
workshop-note-here = 여기

workshop-unpacking = 커널을 찾는 중
workshop-compiling = 컴파일 중
workshop-running-broken = 고장 난 커널 실행 중
workshop-judging = 판정 중
workshop-racing = GPU에서 시간을 재는 중

workshop-do-line = 잘못된 줄은? { $arrows }, { $enter }
workshop-do-cure = 고치는 방법은? 글자, { $enter }
workshop-do-again = { $judged ->
    [0] 판정하지 못함
   *[1] 아직 아님
  }: { $enter } 키로 다시 하기
workshop-do-passed = 통과
workshop-do-fill = 빈칸 채우기: Tab, { $arrows }, { $left }개 남음
workshop-do-run = { $enter } 키로 실행
workshop-do-other-filling = 아직 아님: 다른 것을 넣어 보기
workshop-do-begin = { $enter } 키로 파일 만들기
workshop-do-edit = e로 편집, 저장마다 판정
workshop-do-edit-on = e로 계속 편집, 저장마다 판정
workshop-do-edit-only = e로 편집, 판정은 컴파일러가 있어야 함
workshop-do-solution = 풀이. s로 내 코드에 돌아감
workshop-do-changes = d로 전체 보기

workshop-not-begun = 아직 쓴 것이 없습니다. 튜터를 시작한 곳에 실습 이름의 폴더가 생기고 그 안에 파일이 만들어집니다.
workshop-no-nvrtc = CUDA C++를 컴파일하려면 NVRTC가 필요한데 여기에는 없습니다. `matmul-tutor nvrtc install` 명령으로 받을 수 있습니다. 다른 종류의 실습에는 컴파일러가 필요 없습니다.
workshop-reset = 처음 상태로 되돌렸습니다. 쓰던 것은 여기에 있습니다: { $kept }.
workshop-opened = 레벨 { $level }({ $title })의 문이 열렸습니다.
workshop-plain-line = { $line }번 줄을 골랐습니다: { $code }
workshop-started-over = 고른 것을 모두 지웠습니다.

workshop-broken = 고장 난 커널의 결과:
workshop-not-judged = 판정할 수 없었습니다.
workshop-judged = 판정에 { $seconds }초 걸렸습니다. { $tries ->
    [0] { "" }
   *[other] 지금까지 기록된 시도: { $tries }번.
}
workshop-goal-compiles = 컴파일
workshop-goal-runs = 실행
workshop-goal-results = 결과
workshop-goal-hazards = 해저드
workshop-goal-counts = 접근 수
workshop-goal-faster = 별
workshop-goal-star = 별: GPU에서 { $rung } 커널보다 빠름
workshop-map = C, { $m }행 { $n }열. 채운 칸이 틀린 원소:
workshop-map-scaled = C, { $m }행 { $n }열. 기호 하나는 { $rows } × { $columns }:
workshop-map-first = C, { $m }행 { $n }열. 처음 틀린 { $most }개:
workshop-hint = 힌트 { $number }/{ $of }{ $other ->
    [1] . 다르게 실패할 때
   *[0] { "" }
  }
workshop-next = 다음 이야기
workshop-solution-line = 잘못된 줄: { $lines }. 고치는 방법:
workshop-estimating = GPU에서 걸릴 시간을 추정하는 중
workshop-estimated = 추정한 시간(측정한 것이 아님)
