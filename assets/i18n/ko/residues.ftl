# An integer or a small product by residues.
residues-range = { $least }부터 { $most }까지
residues-element = 원소
residues-factor = A의 배수
residues-step = 간격
residues-moduli = 모듈러스의 수
residues-left = 쓰지 않음: { $moduli }
residues-digit = q는 모듈러스 p에 대한 P/p의 역원입니다. d = q · x mod p입니다.
residues-exact = 참값
residues-by = mod { $p }
residues-result = 결과
residues-sum = { $name }의 합
residues-right = x가 범위 안에 있으므로 결과는 x와 같습니다.
residues-all-right = 모든 원소가 범위 안에 있으므로 결과가 모두 정확합니다.
residues-wrong = { $name }: 범위를 벗어났습니다. 결과 { $result } = { $is }.
residues-sign-rows = 행렬의 다음 행
