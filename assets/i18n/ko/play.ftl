# `matmul-tutor run --copy`: a kernel of the catalogue, copied and changed.

play-made = { $file } 파일을 만들었습니다. 마음대로 바꿔 보세요.
play-unmade = { $file } 파일을 만들 수 없습니다: { $why }.
play-waits = { $file } 파일이 저장되기를 기다립니다. Ctrl-C를 누르면 끝납니다.

# The README of the copy.
play-readme-change = `{ $file }` 파일을 바꾸고 저장하세요. `matmul-tutor run { $kernel } --copy` 명령이 원본과 나란히 실행합니다. `--copy` 대신 `--watch`를 주면 저장할 때마다, `--size 512`를 주면 다른 크기로 실행합니다.
play-readme-launch = 원본과 똑같이 실행합니다. 진입 함수 `{ $entry }`, 그리드 { $grid }, 블록 { $block }, 매크로: { $macros }.
play-readme-anew = 처음부터 다시 하려면 `{ $file }` 파일을 지우세요.
play-no-macros = 없음

# The table.
play-original = 원본
play-yours = 내 것
play-right = 맞음
play-wrong = { $wrong }개 틀림
play-not-compared = 비교 안 함
play-hazards = 해저드
play-global-bytes = 글로벌 메모리, 바이트
play-barriers = 배리어
play-instructions = 워프 명령어
play-differs = 다름
play-fewer = { $ratio }분의 1
play-more = { $ratio }배 많음
play-fewer-share = { $share } 적음
play-more-share = { $share } 많음
play-none = 이제 없음
play-new = 새로 생김
play-faster = { $ratio }배 빠름
play-slower = { $ratio }배 느림
play-time-same = 잴 수 있는 차이 없음

play-verdict-right = 내 것의 결과가 맞습니다.
play-verdict-right-timed = 내 것의 결과가 맞고, 속도는 원본의 { $ratio }배입니다.
play-verdict-unchanged = 아직 원본 그대로입니다. { $file } 파일을 바꾸고 여기서 무엇이 달라지는지 보세요.
play-verdict-wrong = 내 것은 C의 원소 { $wrong }개가 틀립니다.
play-verdict-not-compared = 여기서 비교하기에는 곱이 너무 큽니다. 더 작은 크기로 하세요.
