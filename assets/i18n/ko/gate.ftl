# What a gate is, before it begins.

gate-text = **문항은 { $questions }개이고, { $required }개를 맞히면 통과합니다.** { $unread ->
    [0] { "" }
   *[other] 아직 마치지 않은 페이지가 { $unread }개 있습니다. 첫 번째는 { $page }입니다.
}
gate-page = 페이지 { $page } “{ $title }”
gate-closed = 퀴즈를 시작하지 않았습니다. g를 누르면 시작합니다.
gate-opens = 통과하면 레벨 { $level }({ $title })의 문이 열립니다.
gate-exercise = 이 레벨은 실습도 하나 통과해야 합니다(실습실).
gate-exercise-passed = 함께 통과해야 하는 실습은 이미 통과했습니다.
gate-passed = 이미 통과한 퀴즈입니다. 다시 풀어도 잃는 것은 없습니다.
gate-last = 강좌의 마지막 퀴즈입니다.
gate-about = 제출하기 전에는 아무것도 채점하지 않습니다. 제출하면 어느 답이 왜 틀렸는지 나오고, 정답은 통과한 뒤에만 나옵니다. 중간에 나갔다가 나중에 이어서 풀 수 있습니다. 통과하지 못해도 잃는 것은 없으며, 다음에는 다른 문항이 나옵니다.
gate-attempts = { $most }번 중 { $made }번 응시했습니다.
gate-wait = 다음 응시는 { $until }부터 할 수 있습니다.
