# `matmul-tutor status`: where the student stands.

status-level = 레벨
status-pages = 페이지
status-predictions = 처음에 맞힘
status-gate = 퀴즈
status-right = { $right }/{ $of }
status-right-skipped = { $right }/{ $of }, { $skipped }개 건너뜀
status-skipped = { $count }개 건너뜀
status-locked = 잠김: 레벨 { $level }의 퀴즈를 먼저 통과
status-no-gate = 없음
status-broken-gate = 퀴즈를 읽을 수 없음
status-passed = 통과
status-passed-best = 통과, 최고 { $best }/{ $of }
status-exercise-left = 통과, 실습 하나(아무거나) 필요
status-needs = { $questions }개 중 { $required }개 필요
status-needs-best = { $questions }개 중 { $required }개 필요, 최고 { $best }/{ $of }
status-done = 모든 퀴즈를 통과했고, 퀴즈 없는 레벨의 페이지도 모두 마쳤습니다.
status-next-gate = 다음: 레벨 { $level }의 퀴즈, `matmul-tutor quiz { $level }`.
status-next-exercise = 다음: 레벨 { $level }의 실습 하나, `matmul-tutor exercise list { $level }`.
status-next-page = 다음: 레벨 { $level }, 페이지 { $page }/{ $of }: { $title }
status-under-way = { $gate }, 푸는 중
