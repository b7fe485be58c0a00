tile-walk-what = { $n }×{ $n }, 타일 { $tile }×{ $tile }
tile-walk-to-come = t = 0…{ $last } 예정
tile-walk-last = t = { $t }, 마지막: 끝
tile-walk-step = t = { $t }, 0…{ $last } 중
tile-walk-begin = 블록이 C[{ $row }][{ $column }] 부분을 계산합니다. 한 단계씩 나아가며 무엇을 로드하는지 보세요.
tile-walk-loads = 로드: A[{ $row }][{ $k }], B[{ $k }][{ $column }]: 원소 { $a } + { $b }개, { $bytes }바이트.
tile-walk-reuse = 로드한 원소마다 스레드 { $n }개가 { $n }번 씁니다.
tile-walk-reuse-each = A의 원소는 { $a }번씩, B의 원소는 { $b }번씩 씁니다.
tile-walk-tiled = 타일링
tile-walk-naive = 나이브
tile-walk-bytes = { $n } B
tile-walk-fewer = { $n }분의 1
tile-walk-sign-now = 공유 메모리에 있는 타일. C에서는 합이 끝난 만큼
tile-walk-sign-past = 공유 메모리에 있었던 타일
tile-walk-sign-next = 앞으로 올 타일
tile-walk-sign-step = 타일을 로드하는 단계
