occupancy-what = H200: 워프 { $warps }/{ $all }
occupancy-blocks = { $n ->
    [0] 블록이 하나도 안 들어감
   *[other] SM 하나에 블록 { $n }개
}
occupancy-kernel = 커널
occupancy-of-kernel = { $kernel } ({ $assembler }, sm_90a)
occupancy-own = 직접 정한 값
occupancy-threads = 블록당 스레드
occupancy-registers = 스레드당 레지스터
occupancy-shared = 공유 메모리, B
occupancy-grid = 그리드의 블록
occupancy-multiprocessors = SM 수
occupancy-room = { $n }블록
occupancy-none = 블록 하나도 들어가지 않아 실행이 거부됩니다.
occupancy-by-registers = 레지스터 때문에 블록 { $n }개까지 들어갑니다.
occupancy-by-shared = 공유 메모리 때문에 블록 { $n }개까지 들어갑니다.
occupancy-by-warps = 워프는 { $all }개까지이므로 블록 { $n }개까지 들어갑니다.
occupancy-by-blocks = SM은 블록을 { $n }개까지만 받습니다.
occupancy-share = 점유율: 워프 { $warps }/{ $all }, { $share }.
occupancy-registers-taken = 블록 하나가 레지스터 { $all }개 중 { $block }개를 씁니다.
occupancy-registers-rounded = 레지스터 { $registers }개를 요청하면 { $given }개를 주므로, 블록 하나가 { $all }개 중 { $block }개를 씁니다.
occupancy-waves-title = 웨이브
occupancy-wave = 웨이브 { $n }
occupancy-full-waves = 웨이브 1–{ $last }
occupancy-of = { $blocks }/{ $all }
occupancy-no-waves = 아무것도 실행되지 않습니다.
occupancy-all-full = { $n ->
    [1] 하나뿐인 웨이브가 가득 찼습니다.
   *[other] 웨이브 { $n }개가 모두 가득 찼습니다.
}
occupancy-idle = SM { $all }개 중 { $idle }개가 놉니다. 자리의 { $lost }만큼 버려집니다.
occupancy-lost = 블록마다 걸리는 시간이 같다면 웨이브 { $waves }개에 { $count }개만큼의 시간이 듭니다. 낭비: { $lost }.
occupancy-sign-blocks = 블록마다 쓰는 양, 번갈아 표시
occupancy-sign-empty = 남은 양
occupancy-sign-limit = 블록을 더 못 받게 하는 것
