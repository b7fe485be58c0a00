# The workshop: exercises, and what the judge's goals are called.

exercise-none = `{ $id }` 실습은 없습니다.
exercise-none-help = `matmul-tutor exercise list` 명령으로 목록을 볼 수 있습니다.
exercise-nearest = 혹시 이것인가요: `{ $nearest }`? `matmul-tutor exercise list` 명령으로 전체 목록을 볼 수 있습니다.
exercise-repair = 고치기
exercise-fill = 채우기
exercise-write = 쓰기
exercise-new = 미시도
exercise-tried = { $tries }번 시도
exercise-passed = 통과
exercise-starred = 통과, 별
exercise-sum = { $of }개 중 { $passed }개 통과, 별 { $starred }개.

exercise-shipped = 실제로 배포된 버그(숫자는 레벨)
exercise-found = *{ $project }에서 발견, { $date }:* { $link }

exercise-goal-compiles = 컴파일됨
exercise-goal-runs = 끝까지 실행됨
exercise-goal-results = 결과가 맞음
exercise-goal-hazards = 해저드 없음
exercise-goal-counts = 메모리에 필요한 만큼만 요청함
exercise-goal-faster = 별: GPU에서 충분히 빠름
exercise-line-right = 잘못된 줄: { $line }번. 맞았습니다.
exercise-line-wrong = { $line }번 줄에는 잘못이 없습니다.
exercise-odd-character = { $line }번 줄에 컴파일러가 읽지 못하는 { $code } 문자가 있습니다. 그 자리를 다시 입력하세요.
exercise-clock = { $limits } 이 커널은 시계를 읽습니다. GPU에서는 실행할 때마다 시계 값이 다르고, 에뮬레이터의 시계는 워프가 읽을 때만 나아갑니다.
exercise-done = 통과했습니다.
exercise-star-no-gpu = GPU가 없어 시간을 잴 수 없습니다. 비교할 커널은 `{ $rung }`입니다.
exercise-star-cublas = { $measured } cuBLAS의 { $percent }%입니다.
exercise-star-wrong = GPU에서 n = { $n } 크기의 결과가 틀립니다.
exercise-star-failed = GPU에서 n = { $n } 크기: { $why }
exercise-star-measured = n = { $n } 크기에서 번갈아 재니 `{ $rung }` 커널의 { $ratio }배 속도입니다.

exercise-hint = 힌트 { $number }/{ $of }{ $other ->
    [1] (다르게 실패할 때)
   *[0] { "" }
  }: { $text }
exercise-no-hint = 힌트를 모두 열었습니다.
exercise-hint-passed = 이미 통과한 실습입니다. `matmul-tutor exercise solution { $id }`로 정답을 볼 수 있습니다.
exercise-solution-closed = 풀이는 통과하거나 힌트를 다 본 뒤에 열립니다. 남은 힌트: { $left }개.
exercise-solution-closed-help = `matmul-tutor exercise hint { $id }` 명령으로 다음 힌트를 엽니다.

exercise-started = 제출할 파일: { $file }
exercise-then = 다음: { $check }
exercise-readme = 제출할 것은 `{ $check }` 명령으로 몇 번이든 판정받을 수 있습니다.
exercise-there = { $file } 파일이 이미 있습니다.
exercise-there-help = 이어서 하거나, `matmul-tutor exercise reset { $id }` 명령으로 처음부터 다시 하세요.
exercise-not-made = { $file } 파일을 만들 수 없습니다: { $why }.
exercise-not-begun = { $file } 파일이 없습니다.
exercise-not-begun-help = `matmul-tutor exercise start { $id }` 명령으로 만듭니다.
exercise-reset = { $file } 파일을 처음 상태로 되돌렸습니다. 쓰던 것은 여기에 있습니다: { $kept }.
exercise-form-repair = 고장 난 커널: { $file }. 잘못된 줄은 어디이고, 어떻게 고칠까요?
exercise-form-line = 줄 번호
exercise-form-cure = 아래 id 중 하나
exercise-form-fill = 커널: { $file }. 빈칸에 무엇이 들어가야 할까요?
exercise-form-filling = 위의 id 중 하나
exercise-form-none = 양식이 아닙니다: { $why }
exercise-form-missing = 양식에 `{ $field }` 항목이 없습니다.
exercise-form-no-number = `{ $field }: { $value }`: 줄 번호가 아닙니다.
exercise-form-unknown = `{ $field }: { $value }`: 고를 수 있는 것이 아닙니다.
exercise-form-known = 고를 수 있는 것: { $known }.
exercise-no-choice = `{ $choice }` 선택지의 코드가 없습니다.
exercise-not-built = `{ $id }` 실습의 선택지가 컴파일되어 있지 않습니다: { $why }
exercise-not-built-help = `matmul-tutor course build` 명령으로 컴파일하세요.
exercise-star-impossible = n = { $n }에서 { $time } 만에 끝나는 것은 불가능하므로 기록이 되지 않습니다. { $device }에서는 FMA만으로도 측정값 { $floor } 동안 걸립니다. 런치마다 C 전체를 계산하나요?
exercise-printed = 커널이 출력한 것(출력이 있는 첫 실행)
