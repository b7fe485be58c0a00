# A page of a level.

lesson-page-of = 페이지 { $page }/{ $pages }
lesson-more-on = 페이지 { $page } 더 보기
lesson-more = 원하면 더 보기: “{ $title }”
lesson-launch-hint = { $key } 키로 실행하면, 이어서 이 페이지가 결과를 설명합니다.
lesson-esc-explains = Esc: 설명
lesson-recall-hint = 머릿속으로 답한 다음 { $key } 키를 누르면 답이 나옵니다.
lesson-select-hint = a–{ $last }: 답 고르기. s: 답하지 않고 정답 보기. n: 그냥 넘어가기.
lesson-again-hint = 한 번 더 a–{ $last }: 답 고르기. 첫 답은 기록에 남습니다.
lesson-answer-hint = 고른 답: { $letter }. { $key } 키를 누르면 냅니다. 그 전에는 바꿀 수 있습니다.
lesson-your-answer = 고른 답
lesson-first-answer = 첫 답
lesson-right = 맞았습니다.
lesson-wrong = 아쉽게도 아닙니다.
lesson-right-one = **정답은 { $letter }입니다.** { $reply }
lesson-skip-sure = s 키를 한 번 더 누르면 답을 보여 주고, 이 질문은 건너뛴 것으로 남습니다.
lesson-skipped = 건너뛰었습니다. 정답은 { $letters }입니다.
lesson-first-skipped = 처음에는 이 질문을 건너뛰었습니다.
lesson-first-was = 처음 고른 답: { $letter }, { $verdict ->
        [right] 맞음
       *[other] 틀림
    }.
lesson-question-open = 아직 답하지 않은 질문입니다. n은 답하지 않고 다음 페이지로, Backspace는 앞 페이지로 갑니다.
lesson-why-hint = Enter: 한두 문장으로 쓴 다음 비교해 보세요.
lesson-why-write-hint = 한두 문장으로 써 보세요. 쓴 내용은 남습니다.
lesson-why-compare-hint = { $key } 키를 누르면 모범 답안과 비교합니다.
lesson-why-missed = 다음 중 빠뜨린 것이 있나요?
lesson-why-mark-hint = 빠진 것을 글자로 표시하고 { $key } 키로 남깁니다.
lesson-why-again-hint = Enter를 누르면 새로 씁니다.
lesson-picture-later = 답하거나 정답 보기를 고르면 열립니다.
lesson-opens-after = { $name }: 질문 뒤에 열림
lesson-tab-opens = { $name }: Tab으로 열기
lesson-more-above = 위로 { $count }줄
lesson-more-below = { $count }줄 더
lesson-more-text = 글 { $count }줄
lesson-more-code = 코드 { $count }줄
lesson-more-picture = 그림 { $count }줄
lesson-more-page-down = { $hidden }, PgDn

# What a page is for.
lesson-tag-recall = 돌아보기
lesson-tag-concrete = 한 장면
lesson-tag-picture = 그림
lesson-tag-idea = 개념
lesson-tag-abstract = 공식
lesson-tag-code = 코드
lesson-tag-simulate = 해 보기
lesson-tag-hazard = 해저드
lesson-tag-run = 실행
lesson-tag-why = 이유
lesson-tag-exercise = 실습
lesson-tag-summary = 정리
lesson-tag-preview = 미리 보기

# Signs on a page, for help.
lesson-sign-region = 이 페이지에서 다루는 코드 줄
lesson-sign-note = 왼쪽 줄에 붙은 설명
lesson-sign-left-out = 영역만 표시하는 줄은 생략함
lesson-sign-selected = Enter를 누르면 내게 될 답
lesson-sign-right = 정답
lesson-sign-wrong = 고른 답이 틀림
lesson-sign-answer = 자신이 고른 답
lesson-sign-below = 아래에 더 있음(PgDn으로 이동)
