# The quiz's screens in the tutor.

quiz-gate = 퀴즈
quiz-practice = 연습
quiz-more-below = { $count }줄 더
quiz-due-today = 오늘 복습할 문항
quiz-what-is-due = 복습
quiz-question-of = 문항 { $number }/{ $count }
quiz-review = 검토
quiz-before-submit = 제출하기 전에
quiz-bloom-remember = 기억
quiz-bloom-understand = 이해
quiz-bloom-apply = 적용
quiz-bloom-analyse = 분석
quiz-bloom-evaluate = 평가
quiz-bloom-marked = { $bloom }, 다시 볼 문항
quiz-marked = 표시함

quiz-preview = 퀴즈와 정답
quiz-variant-of = 문항 { $question }/{ $questions }, 변형 { $variant }/{ $variants }
quiz-variant-about = { $id }: { $bloom }, 학습 목표 { $objective }, 페이지 { $page }
quiz-variant-numbers = 물을 때 쓰는 수의 예: { $numbers }.
quiz-no-question = 퀴즈에 문항이 없습니다.
quiz-any-other = 그 밖의 답
quiz-no-partner = 짝 없음: { $text }
quiz-any-other-at = { $number }: 그 밖의 답
quiz-any-other-line = 그 밖의 줄

quiz-hint-multiple = 맞는 것이 여럿일 수 있습니다. 글자로, 또는 { $arrows } 키와 Space로 체크하세요.
quiz-hint-number = 수를 입력하세요.
quiz-hint-predict = 수를 입력하세요. 제출하면 에뮬레이터가 실제 값을 셉니다.
quiz-hint-fault = { $arrows } 키로 줄을 고르고, 글자로 그 결과를 고르세요.
quiz-hint-text = 한두 단어를 입력하세요.
quiz-hint-numbers = { $blanks ->
    [1] 수만 입력하세요.
   *[other] 수만 입력하세요. Tab을 누르면 다음 빈칸으로 갑니다.
}
quiz-hint-blanks = 빠진 말을 입력하세요. Tab을 누르면 다음 빈칸으로 갑니다.
quiz-hint-blank = 빠진 말을 입력하세요.
quiz-hint-order = Space로 항목을 집고 내려놓습니다. { $arrows } 키로 옮기고, - 와 + 로도 옮깁니다. 순서가 이미 맞으면 Space를 두 번 누르세요.
quiz-hint-match = { $arrows } 키로 위에서 줄을 고르고, 글자로 아래에서 짝을 고르세요.

quiz-drafted = 골랐지만 아직 내지 않았습니다. { $key } 키를 누르면 냅니다.
quiz-typed = 입력했지만 아직 내지 않았습니다. { $key } 키를 누르면 냅니다.
quiz-next-blank = 입력했지만 아직 내지 않았습니다. { $key } 키를 누르면 다음 빈칸으로 갑니다.
quiz-changed = 답한 뒤에 바꾼 내용은 아직 내지 않았습니다. { $key } 키를 누르면 냅니다.
quiz-answered = 낸 답입니다. 제출하기 전에는 바꿀 수 있습니다.
quiz-saving = 낸 답입니다. 저장하고 있습니다.
quiz-right = 맞았습니다.
quiz-wrong = 아쉽게도 아닙니다.

quiz-state-open = 미응답
quiz-state-drafted = 내지 않음
quiz-state-answered = 답함
quiz-state-right = 맞음
quiz-state-wrong = 틀림
quiz-state-saving = 저장 중
quiz-state-changed = 답하고 바꿈
quiz-all-answered = 모든 문항에 답했습니다. S를 누르면 제출합니다.
quiz-unfinished = { $open ->
    [0] { "" }
   *[other] 답하지 않은 문항이 { $open }개 있습니다.{" "}
}{ $drafted ->
    [0] { "" }
   *[other] 고르고 내지 않은 답이 { $drafted }개 있습니다.{" "}
}Enter를 누르면 커서가 있는 문항으로 갑니다.
quiz-warned = { $open ->
    [0] { "" }
   *[other] 답하지 않은 문항 { $open }개는 틀린 것으로 셉니다.{" "}
}{ $drafted ->
    [0] { "" }
   *[other] 고르고 내지 않은 답 { $drafted }개는 고른 대로 셉니다.{" "}
}S를 한 번 더 누르면 제출합니다.
quiz-enter-goes-on = Enter는 답을 내고 다음으로, →는 답 없이 다음으로 갑니다.

quiz-letters = 여기서는 글자가 답으로 들어갑니다. { $key }: { $label }.

quiz-continues = 퀴즈는 멈춘 곳에서 이어집니다.
quiz-goes-on = 퀴즈를 멈춘 곳에서 이어 갑니다: { $given }개 답함{ $drafted ->
    [0] .
   *[other] , { $drafted }개 내지 않음.
}
quiz-cannot-go-on = 이 퀴즈는 이어서 풀 수 없습니다

quiz-export-folder = 이 형식은 파일이 여러 개입니다. --out으로 폴더를 정하세요.
quiz-exported = 문항 { $questions }개를 내보냈습니다. 이 형식으로 표현할 수 없는 것에 대한 참고 사항: { $remarks }개.
