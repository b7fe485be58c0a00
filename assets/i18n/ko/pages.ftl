# The pages of a level.

pages-more = { "  더 보기: " }{ $title }
pages-of-level = 레벨 { $level }의 페이지
pages-done = 마침
pages-skipped = 건너뜀
pages-open = 미응답
pages-right-at-first = 처음에 맞힘
pages-wrong-at-first = 처음에 틀림
pages-by-objective = 처음에 맞힘, 학습 목표별
pages-objective-right = { $right }/{ $of }
