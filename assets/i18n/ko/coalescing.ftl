coalescing-rows-of = 행의 길이 { $pitch }, k = { $k }
coalescing-broken = { $field }: { $why }
coalescing-sectors = 섹터 { $n }개
coalescing-more = 외 { $n }개
coalescing-broadcast = 섹터 1개: 레인 { $lanes }개가 한 워드
coalescing-ideal = 섹터 { $n }개: 병합됨, 헛되이 옮기는 것이 없음
coalescing-each-lane = 섹터 { $n }개, { $ideal }개면 될 것을: 레인마다 하나씩
coalescing-more-than = 섹터 { $n }개, { $ideal }개면 될 것을
coalescing-share = 옮긴 { $moved }바이트 중 { $used }바이트를 씁니다: { $share }.
coalescing-lane = { $element }에서 레인 { $lane }: 행 { $row }, 열 { $column }, 바이트 { $byte }.
coalescing-apart = { $element }에서 레인 0과 1은 { $bytes }바이트 떨어져 있습니다.
coalescing-byte = 바이트 = (행·{ $pitch } + 열)·{ $width }.
coalescing-swap = y: x와 y 바꾸기.
coalescing-swap-back = y: x와 y 되돌리기.
coalescing-no-swap = 어느 인덱스가 x든 같습니다.
coalescing-one-sector = 바이트 { $first }부터의 섹터: 레인 { $n ->
   *[other] { $lanes }
}, 32바이트 중 { $used }바이트 사용.
coalescing-legend-sector = 섹터, 32바이트
coalescing-legend-lane = 요청한 레인
coalescing-legend-shared = 여러 레인
coalescing-legend-vain = 헛되이 옮김
