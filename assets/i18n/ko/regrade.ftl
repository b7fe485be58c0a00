# `class results --regrade`: what a corrected key changes

regrade-nothing = 바뀌는 것이 없습니다. 모든 답의 채점이 전과 같습니다.
regrade-attempt = { $level }, { $at }: 전에 { $before }개, 이제 { $now }개 맞음.
regrade-passed = 이제 퀴즈를 통과합니다.
regrade-counts = 이제 맞음: { $questions }.
regrade-kept = 지금 정답으로는 틀리지만 맞은 것으로 둠: { $questions }.
regrade-gone = 이제 강좌에 없어 그대로 둠: { $questions }.
