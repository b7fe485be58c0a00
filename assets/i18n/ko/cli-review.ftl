# `matmul-tutor review`.

cli-review-nothing-learnt = 아직 복습할 것이 없습니다. 퀴즈에서 나온 문항을 나중에 다시 묻습니다.
cli-review-nothing = 오늘 복습할 것이 없습니다. 다음 복습: { $next }.
cli-review-done = { $of }개 중 { $right }개 맞음.
cli-review-done-next = { $of }개 중 { $right }개 맞음. 다음 복습: { $next }.
cli-review-more = { $of }개 중 { $right }개 맞음. 남은 복습: { $due }개.
cli-review-offer = 복습할 문항: { $due }개(`matmul-tutor review`).
