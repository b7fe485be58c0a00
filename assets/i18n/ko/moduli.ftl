# The error of an FP64 product from residues, by the number of moduli.
moduli-what = ||a|| ||b||에 대한 상대 오차
moduli-largest = 원소 { $count }개 중 최대
moduli-data = (u - 0.5) · exp({ $phi } · n)
moduli-count = 모듈러스의 수
moduli-reached = { $name }로 그대로 더하면 { $error }, 모듈러스가 { $count }개면 더 작습니다.
moduli-not-reached = { $name }로 그대로 더하면 { $error }, 모듈러스가 { $count }개여도 더 큽니다.
moduli-chosen = 모듈러스가 { $count }개면 { $error }. P는 { $p }이고, 스케일한 행의 노름은 { $t } 이하입니다.
moduli-sign-bar = 모듈러스의 수에 따른 오차. 한 칸의 8분의 1이 2배입니다
moduli-sign-line = FP32나 FP64로 그대로 더할 때의 오차
