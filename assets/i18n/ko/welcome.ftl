# The first screen of a new student.

welcome-press = { $page ->
    [0] a나 b를 누르세요.
   *[other] 하나를 누르세요. 키보드라면 a나 b를 누르세요.
}
welcome-choose = 먼저 a나 b를 고르세요. Esc를 누르면 지도가 나타납니다.
welcome-right = 네, { $letter }입니다.
welcome-wrong = { $letter }입니다. 예측은 틀려도 괜찮습니다.
welcome-recorded = { $device }에서 기록, 드라이버 { $driver }, { $date }, n = { $n }.
welcome-why = 그 이유는 레벨 { $level } “{ $title }”에서 알아봅니다.
welcome-begin = 레벨 { $level } 시작
welcome-origins = 무엇을 쓰다 오셨나요? 원하면 맞는 페이지부터 시작하세요.
