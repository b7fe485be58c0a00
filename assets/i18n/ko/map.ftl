# The course map.

map-looking = GPU를 찾는 중…
map-worker-unasked = GPU는 커널 실행 때 Slurm에서
map-worker-silent = 워커가 { $seconds }초째 응답 없음…
map-no-worker = 워커 없음({ $why })
map-emulator = 에뮬레이터
map-emulator-because = 에뮬레이터({ $why })
map-no-levels = 강좌에 레벨이 없습니다.

map-level = 레벨
map-pages = 페이지
map-gate = 퀴즈
map-of-cublas = cuBLAS 대비
map-of-cublas-on = { $cublas }, { $device }

map-broken = 고장
map-locked = 잠김(퀴즈 { $gate })
map-reading-only = 읽기만, 퀴즈 없음
map-all-read = 모두 마침
map-passed = 통과
map-passed-with = { $correct }/{ $of } 통과
map-under-way = 푸는 중
map-missed = { $correct }/{ $of }, 기준 { $needed }
map-exercise-left = 실습 하나 필요
map-needs = 통과 기준 { $needed }/{ $of }

map-opens-by = 잠겨 있습니다. 레벨 { $level }({ $title })의 퀴즈를 통과하면 열립니다.
map-opens-by-exercise = 잠겨 있습니다. 레벨 { $level }({ $title })의 퀴즈는 통과했습니다. 실습 하나(아무거나)를 더 통과해야 합니다(`w`).
map-next-nothing = 모든 퀴즈를 통과했습니다. 어느 페이지든 다시 읽을 수 있습니다.
map-next-page = **다음:** 레벨 { $level }, 페이지 { $page }/{ $of }, “{ $title }”
map-next-gate = **다음:** 레벨 { $level }의 퀴즈(`g`).
map-next-exercise = **다음:** 레벨 { $level }의 실습 하나. 통과하면 다음 레벨이 열립니다(`w`).
map-next-under-way = **다음:** 풀던 레벨 { $level }의 퀴즈(`g`).
map-problems =
    { $first }{ $more ->
        [0] { "" }
       *[other] { " " }그 밖에 { $more }개가 더 있습니다.
    } `matmul-tutor course check` 명령은 강좌의 모든 문제점을 보여 줍니다.

map-ladder = cuBLAS 대비 속도, n = { $n }
map-ladder-recorded = 기록, { $device }
map-ladder-yours = 내 실행
map-ladder-hidden = 커널의 속도는 그 레벨을 마치면 나타납니다.

map-your-record = 내 기록
map-label-predictions = 예측
map-label-gates = 퀴즈
map-label-runs = 실행
map-predictions-none = 아직 없음
map-predictions = { $of }개 중 { $right }개를 처음에 맞힘
map-predictions-skipped = { $of }개 중 { $right }개를 처음에 맞힘, { $skipped }개 건너뜀
map-gates-passed = { $of }개 중 { $passed }개 통과{ $none ->
    [0] { "" }
   *[other] . 퀴즈 없는 레벨 { $none }개
}
map-runs-elsewhere = { $devices }에서 측정. 사다리는 기록된 GPU하고만 비교합니다
map-due = **오늘:** 복습할 문항 { $due }개(`v`).
map-workshop = **실습실:** { $of }개 중 { $passed }개 통과{ $starred ->
    [0] { "" }
   *[other] , { $star } { $starred }개
}(`w`).
map-shipped = **실제로 배포된 버그:** { $of }개 중 { $passed }개 고침 (`w`).
map-record = 예측: { $predictions }.

map-sign-done = 마친 레벨: 퀴즈를 통과했거나, 퀴즈가 없으면 페이지를 모두 읽음
map-sign-recorded = 기록된 커널의 cuBLAS 대비 속도
map-sign-yours = 그 커널을 직접 실행한 것 중 가장 빠른 기록
map-sign-hidden = 아직 마치지 않은 레벨의 커널: 속도는 마치면 나타남
map-nothing-due = 오늘 복습할 것이 없습니다.
