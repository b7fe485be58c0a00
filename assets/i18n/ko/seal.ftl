# `course seal`, and exams

seal-there = `{ $directory }`: 이미 있습니다.
seal-no-name = 시험 이름을 적으세요.
seal-errors = 강좌에 오류가 { $errors }개 있어 시험용으로 바꾸지 않았습니다.
seal-errors-left = 시험용 강좌에 오류가 { $errors }개 생기므로 아무것도 쓰지 않았습니다.
seal-written = { $directory }에 정답을 뺀 파일 { $files }개를 썼습니다. 학생은 `export-progress`가 쓴 파일을 제출하고, `class results --exam '{ $exam }'` 명령이 전체 강좌로 채점합니다.
seal-kept = 답을 저장했습니다. 채점은 강사가 합니다.{ $open ->
    [0] { "" }
   *[other] { " " }답하지 않은 문항이 { $open }개 있습니다.
}
seal-hand-in = 같은 `--course`와 `--student`를 주고 `matmul-tutor export-progress FILE` 명령을 실행한 뒤, 그 파일을 제출하세요.
seal-open = 제출하지 않은 답은 파일에 들어가지 않습니다. 제출하지 않은 레벨: { $levels }.
seal-gate = **{ $student } 학생에게 출제된 문항 { $questions }개**
seal-about = 이 프로그램은 답을 저장만 하고 채점하지 않습니다. 채점은 강사가 합니다. 중간에 나갔다가 나중에 이어서 풀 수 있습니다. 다 풀면 제출하세요. 그다음 같은 `--course`와 `--student`를 주고 `matmul-tutor export-progress FILE` 명령을 실행해, 그 파일을 제출하세요.
seal-again = 이미 제출한 답이 있습니다. 다시 응시하면 같은 문항이 그 답이 채워진 채로 나옵니다. 마지막에 제출한 응시만 셉니다.
seal-asks = 문항 { $questions }개
seal-answers-kept = 답 저장됨
seal-gates-kept = { $of }개 중 { $kept }개 저장됨
seal-question = 문항 { $number }
seal-regraded = 응시 { $attempts }번을 이 강좌로 채점했습니다.
seal-foreign = { $level } 응시 { $attempts }번은 세지 않습니다. 이 시험에서 이 학생에게 출제된 문항이 아닙니다.
seal-others = 그 밖의 응시 { $attempts }번은 이 시험의 것이 아니므로 세지 않습니다.
seal-nothing = 파일에 제출한 응시가 없습니다.
seal-no-exercise = 이 페이지의 실습은 시험에 없습니다.
seal-other-day = 학생의 시계로 { $time }에 응시했습니다. 이 반의 중앙값({ $median })과 하루 넘게 다릅니다.
seal-unnamed = 파일에 시험 이름이 없습니다. `export-progress`는 이름을 쓰므로, 누군가 지웠습니다.
seal-legend = 마지막 응시에서 맞힌 문항 수. 퀴즈를 통과할 만하면 굵은 글씨.
seal-questions = 문항
seal-not-asked = { $level }의 답 { $items }개는 세지 않습니다. 이 학생에게 출제되지 않은 문항이거나, 파일에 답이 두 번 들어 있거나, 시험용으로 바꾼 뒤에 강좌가 달라졌습니다.
seal-marks = 파일에 { $level } 점수가 적혀 있습니다. 세지 않습니다.
seal-several = 파일에 { $level } 응시가 { $attempts }번 있습니다. 마지막 응시만 셉니다.
seal-other-exam = `{ $exam }` 시험이 아니라 `{ $of }` 시험의 파일입니다.
seal-ungraded = 시험에 응시한 { $attempts }번은 채점되지 않았습니다. `class results --exam '{ $exam }'` 명령이 채점합니다.
seal-no-exam = { $count ->
    [0] `{ $exam }` 시험에 응시한 파일이 없습니다.
   *[other] `{ $exam }` 시험에 응시한 파일이 없습니다. 파일에 적힌 시험: { $known }.
}
seal-no-exam-help = `--exam`에는 `course seal --exam`에 준 이름을 글자 그대로 적습니다.
seal-no-keys = 시험 `{ $exam }`에 쓰려고 정답을 뺀 강좌입니다. `--course`에 전체 강좌를 지정하세요.
