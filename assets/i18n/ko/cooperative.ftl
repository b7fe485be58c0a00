cooperative-what = 블록 ({ $bx }, { $by }), t = { $t }
cooperative-thread = 스레드 ({ $tx }, { $ty })
cooperative-loads = 로드
cooperative-reads = 읽기
cooperative-warp = 워프
cooperative-into = { $from }: { $to }에 저장
cooperative-row-and-column = 행 A_tile[{ $ty }][0…{ $last }], 열 B_tile[0…{ $last }][{ $tx }]
cooperative-sectors = { $warp }: 맡은 A를 섹터 { $a }개, B를 { $b }개로 로드
cooperative-formula = 모든 스레드가 똑같이: { $a }, { $b }. 여기서 { $row }, { $column }
cooperative-sign-loads = 고른 스레드가 로드하는 원소
cooperative-sign-reads = 고른 스레드가 곱할 때 읽는 원소
cooperative-sign-warp = 그 워프가 로드하는 원소
cooperative-sign-other = 다른 워프가 로드하는 원소
