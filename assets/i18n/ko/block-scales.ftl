# Numbers of a block that share a scale.
block-scales-what = 수 { $size }개짜리 블록마다 스케일 하나
block-scales-bits = 수마다 { $bits }비트
block-scales-format = 형식
block-scales-number = 번호
block-scales-value = 값
block-scales-divided = / 스케일
block-scales-stored = 비트
block-scales-becomes = 결과
block-scales-power = 가장 큰 절댓값은 { $most }, { $element }에서 가장 큰 수는 { $top }입니다. 두 수의 지수로 정한 스케일은 { $value }, 저장한 비트는 { $bits }입니다.
block-scales-fine = 가장 큰 절댓값은 { $most }, { $element }에서 가장 큰 수는 { $top }입니다. 두 수를 나눈 몫으로 정한 스케일은 { $value }입니다. E4M3 수 { $stored }(비트 { $bits })에 행렬 전체의 스케일({ $matrix })을 곱한 값입니다.
block-scales-off = 오차 { $share }
