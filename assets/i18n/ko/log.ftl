# The work log of `export-progress --log`

log-by = { $student }, { $at }
log-pages = { $of }페이지 중 { $read }페이지를 마쳤습니다.
log-attempt = { $kind }, { $at }: { $questions }개 중 { $correct }개 맞음(시드 { $seed })
log-attempt-kept = { $kind }, { $at }: 답 저장됨(시드 { $seed })
log-gate = 퀴즈
log-practice = 연습
log-exercises = 실습
log-exercise = 시도 { $tries }번, { $hints ->
    [0] 힌트 없음
   *[other] 힌트 { $hints }개
}
log-runs = 실행
log-times = { $times }번
log-best = , 최고 { $ms } ms
