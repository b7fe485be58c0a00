# The variants of a kernel for a shape, ranked by the model.
choice-for = { $device } 예상
choice-variant = 변형
choice-blocks = 블록/SM
choice-waves = 웨이브
choice-steps = 단계
choice-time = µs
choice-loss = 형상과 GPU의 조합 { $pairs }개에서 재 보니, 맨 위의 변형은 가장 빠른 것보다 평균 { $mean }, 최악의 경우 { $worst } 느립니다. 늘 같은 변형만 쓰면 평균 { $always } 느립니다.
choice-others = { $gpus }에서 잰 결과입니다. 이 GPU에서는 어느 변형도 재지 않았습니다.
choice-unknown = 모델은 이 커널을 모릅니다. 지금 이대로 잰 변형이 없습니다.
choice-more = 이보다 느린 변형이 { $n }개 더 있습니다.
choice-sign-bar = 예상 시간
