formats-parts = 부호, 지수, 가수
formats-lost = 손실 { $share }
formats-overflow = 오버플로
formats-infinity = 무한대
formats-sum = 여기서는 곱하는 두 수만 반올림하고, 곱의 합은 반올림하지 않습니다.
formats-products = 곱 { $count }개
formats-summed = 더하는 곱 6개 가운데 하나. 옆의 수는 x · y에서 차지하는 몫입니다.
