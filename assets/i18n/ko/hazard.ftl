hazard-step = { $order }, 단계 { $step }/{ $of }
hazard-order-harmful = 해로운 순서
hazard-order-lucky = 운 좋은 순서
hazard-order-correct = 배리어 둘 다
hazard-running = 두 커널의 블록 하나를 에뮬레이터에서 워프 순서를 두 가지로 바꿔 실행하는 중입니다.
hazard-idle = Enter를 누르면 실행해서 누가 무엇을 언제 읽는지 보여 줍니다.
hazard-no-story = 단계로 보여 줄 수 없는 실행입니다. 커널에 `tile load`, `multiply`, `first barrier`, `second barrier` 부분이 있어야 합니다.
hazard-warp = 워프 { $n }
hazard-barrier = 배리어 { $n }
hazard-no-barrier = 배리어 { $n } 없음
hazard-load = 타일 { $tile } 로드
hazard-load-writes = 타일 { $tile } 로드: 쓰기
hazard-multiply = 곱셈 { $k }
hazard-multiply-reads = 곱셈 { $k }: 읽기
# Where there is no room for the words before it.
hazard-writes = 타일 { $tile }: 쓰기
hazard-reads = { $k }: 읽기
hazard-byte = 바이트 { $byte }
hazard-holds = 내용
hazard-read = 읽기
hazard-nothing-written = 아직 아무것도 안 씀
hazard-written = { $value }, 타일 { $tile }, 워프 { $warp }의 { $thread }
hazard-reader = 워프 { $warp }의 { $thread }, 타일 { $tile } 계산
hazard-wants-gets = 필요한 값 { $wanted }, 얻은 값 { $got }
hazard-wrong-read = 단계 { $step }: { $got }
hazard-gets = 얻은 값 { $got }
hazard-a-read = 읽기
hazard-a-write = 쓰기
hazard-none = 해저드 없음: 모든 워드의 쓰기와 읽기 사이에 배리어가 있습니다.
hazard-found = { $kind }: { $first } { $first_thread } { $file }:{ $first_line }, { $second } { $second_thread } :{ $second_line }, { $n ->
   *[other] { $pairs }쌍
}
hazard-whole = C 전체, n = { $n }, { $device }
hazard-whole-running = 실행 중
hazard-whole-not-run = 실행 안 함
hazard-whole-right = { $all }개 모두 맞음
hazard-whole-wrong = { $all }개 중 { $wrong }개 틀림
hazard-runner-removed = 배리어를 뺌
hazard-runner-correct = 배리어 둘 다
hazard-runner-delayed = 뺌, 워프 하나를 늦춤
hazard-told = { $order }. 문제의 워드: { $word }, 공유 메모리의 바이트 { $byte }.
hazard-sign-now = 커서가 있는 단계
hazard-sign-barrier = 모든 워프가 지나는 배리어
hazard-sign-no-barrier = 배리어가 빠진 곳
hazard-sign-right = 필요한 값을 얻은 읽기
hazard-sign-wrong = 다른 값을 얻은 읽기
