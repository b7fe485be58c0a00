# `seal`, and exams

seal-there = `{ $directory }`: 이미 있습니다.
seal-errors = 강좌에 오류가 { $errors }개 있어 시험용으로 바꾸지 않았습니다.
seal-errors-left = 시험용 강좌에 오류가 { $errors }개 생기므로 아무것도 쓰지 않았습니다.
seal-written = { $directory }에 정답을 뺀 파일 { $files }개를 썼습니다. 학생은 `export-progress`가 쓴 파일을 제출하고, `results --exam '{ $exam }'` 명령이 전체 강좌로 채점합니다.
seal-kept = 답 { $questions }개가 저장되었습니다. 채점은 강사가 합니다. `matmul-tutor export-progress FILE` 명령이 쓴 파일을 제출하세요.
seal-regraded = 응시 { $attempts }번을 이 강좌로 채점했습니다.
seal-other-draw = { $level } 문항이 이 시험에서 이 학생에게 뽑은 것과 다릅니다.
seal-not-asked = { $level }의 답 { $items }개는 세지 않습니다. 이 학생에게 낸 문제가 아니거나 한 번만 낸 문제입니다.
seal-marks = 파일에 { $level } 점수가 적혀 있습니다. 세지 않습니다.
seal-several = 파일에 { $level } 응시가 { $attempts }번 있습니다. 마지막 응시만 셉니다.
seal-other-exam = `{ $exam }` 시험이 아니라 `{ $of }` 시험의 파일입니다.
seal-ungraded = 시험에 응시한 { $attempts }번은 채점되지 않았습니다. `results --exam '{ $exam }'` 명령이 채점합니다.
seal-no-exam = { $count ->
    [0] `{ $exam }` 시험에 응시한 파일이 없습니다.
   *[other] `{ $exam }` 시험에 응시한 파일이 없습니다. 파일에 적힌 시험: { $known }.
}
seal-no-exam-help = `--exam`에는 `seal --exam`에 준 이름을 글자 그대로 적습니다.
seal-no-keys = 시험 `{ $exam }`에 쓰려고 정답을 뺀 강좌입니다. `--course`에 전체 강좌를 지정하세요.
