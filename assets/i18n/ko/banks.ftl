banks-wavefronts = 웨이브프론트 { $n }개
banks-lanes = 레인 { $n }개
banks-conflict = { $degree }-way 충돌
banks-broadcast = 브로드캐스트: 워드 { $words }개를 레인 { $lanes }개에
banks-no-conflict = 충돌 없음
banks-no-conflict-half = 충돌 없음: 워프 절반마다 하나
banks-no-conflict-quarter = 충돌 없음: 워프 4분의 1마다 하나
banks-every-lane = 모든 레인 → { $bank }
banks-even-odd = 짝수 행 → { $even }, 홀수 행 → { $odd }
banks-rows-to = 행 { $first }, { $next }, … → { $bank }
banks-lanes-to-banks = 레인 { $lanes }개 → 서로 다른 뱅크 { $banks }개
banks-words-to-banks = 레인 { $lanes }개, 워드 { $words }개 → 뱅크 { $banks }개
banks-cure-broadcast = 고칠 것 없음: 같은 워드를 읽는 레인들은 그 워드를 함께 받습니다.
banks-cure-none-needed = 고칠 것 없음: 한 페이즈에 두 워드를 요청받는 뱅크가 없습니다.
banks-cure-pad = 해결: 패딩 { $pad }, 그러면 피치 { $pitch }워드{ $parity ->
    [odd] (홀수)
   *[even] { "" }
}.
banks-cure-pad-or-swizzle = 해결: 패딩 { $pad }(피치 { $pitch }{ $parity ->
    [odd] , 홀수
   *[even] { "" }
}), 또는 XOR: 열 { $column }.
banks-cure-swizzled = 고칠 것 없음: XOR가 행마다 원소를 다른 뱅크에 놓습니다.
banks-cure-swizzle-fails = 이 XOR로는 다 나뉘지 않습니다: 레인 { $a }, { $b }번은 여전히 뱅크 { $bank }에 다른 워드를 요청합니다.
banks-cure-impossible = 패딩으로는 해결되지 않음: 같은 행의 레인들이 한 뱅크에 다른 워드를 요청합니다.
banks-pitch = 피치 { $pitch }워드
banks-pitch-padded = 피치 { $columns } + { $pad } = { $pitch }워드
banks-formula = { $pitch }. 뱅크 = { $formula }: { $pattern }
banks-padding-keys = 패딩은 [ 키와 ] 키로 바꿉니다.
banks-preset-of = 예제 { $number }/9: { $title }
banks-preset-1 = 스레드 16개가 smem[ty][5] 읽기
banks-preset-2 = 타일링 커널의 A_tile 읽기
banks-preset-3 = 타일링 커널의 B_tile 읽기
banks-preset-4 = 타일링 커널의 A_tile 쓰기
banks-preset-5 = 패딩한 커널의 A_tile 쓰기
banks-preset-6 = 32×32, 워프가 열을 따라 읽기
banks-preset-7 = 32×32 + 패딩, 워프가 열을 따라 읽기
banks-preset-8 = 32×32를 열 방향으로, 열 번호를 행과 XOR
banks-preset-9 = 행을 따라 16바이트 로드
banks-field-rows = 행수
banks-field-columns = 열수
banks-field-pad = 패딩
banks-field-width = 폭
banks-field-access = 접근
banks-field-block = 블록
banks-field-warp = 워프
banks-field-lanes = 레인
banks-load = 로드
banks-store = 스토어
banks-change-or-preset = { $field } 값을 바꾸거나 예제를 고르세요: 1–9.
banks-wavefront-short = wf
banks-more-wavefronts = { $n }개 더: ←와 →로 차례로 봅니다
banks-memory = 배열, 한 줄에 32워드: 열 하나가 뱅크 하나입니다.
banks-byte-zero = 주소 0
banks-legend-letters = 레인 10–31
banks-legend-broadcast = 여러 레인이 한 워드
banks-legend-row = 행의 시작
banks-legend-padding = 패딩
banks-legend-now = 지금 웨이브프론트
banks-real = { $kernel }, n = { $size }: 에뮬레이터가 PTX 명령어별로 센 것
banks-real-counting = 세는 중
banks-real-stopped = 아무것도 세기 전에 실행이 멈췄습니다.
banks-real-none = 이 커널은 공유 메모리에 그런 접근을 하지 않습니다.
banks-real-requests = 요청 { $n }
banks-real-wavefronts = 웨이브프론트 { $n }
banks-real-each = 각 { $n }
banks-thread = 스레드
banks-byte = 주소
banks-bank = 뱅크
banks-table-more = { $all }줄 중 { $shown }줄. ←와 →로 나머지를 봅니다
banks-array = 배열은 { $rows }행, 한 행에 { $width }바이트 원소 { $columns }개와 패딩 { $pad }개입니다.
banks-block = 블록 { $x }×{ $y }, 워프 { $warp }, k = { $k }, 레인 { $lanes }개.
banks-one-wavefront = 웨이브프론트 { $n }: { $served }.
banks-lane-in-bank = 레인 { $lane }: 뱅크 { $bank }
banks-lanes-in-bank = 레인 { $lanes }: 뱅크 { $bank }
banks-sign-lane = 레인 하나. 10부터는 글자 a–v
banks-sign-broadcast = 한 워드를 함께 읽는 여러 레인
banks-sign-empty = 이 웨이브프론트에서 쉬는 뱅크
banks-sign-row = 행의 첫 워드
banks-sign-padding = 패딩 워드
banks-sign-now = 마지막으로 처리한 웨이브프론트
banks-sign-collides = 다른 워드와 뱅크가 겹치는 레인
