register-tile-what = 스레드 { $tm }×{ $tn }: k = { $done }/{ $depth }
register-tile-per-fma = FMA당 읽는 수 { $share }
register-tile-k = 더한 항
register-tile-tm = 행수 TM
register-tile-tn = 열수 TN
register-tile-width = 로드당 수
register-tile-sum = 표시한 합
register-tile-each-k = k마다
register-tile-reads = FMA { $products }번에 수 { $tm } + { $tn }개: FMA당 { $share }.
register-tile-loads = 로드 { $n }번: FMA당 { $share }.
register-tile-registers = 합 { $sums }개와 수 { $reads }개: 레지스터 { $all }개.
register-tile-too-many = 레지스터 { $all }개, 스레드는 { $most }개까지: 일부는 스필됩니다.
register-tile-operands = sum[{ $row }][{ $column }] += a[{ $row }] · b[{ $column }]. 한 번 읽은 a[{ $row }] 값은 합 { $tn }개에, b[{ $column }] 값은 { $tm }개에 쓰입니다.
register-tile-legend = a와 b는 레지스터로, 0부터 번호를 붙입니다.{ $width ->
    [1] {""}
   *[other] {" "}{ $join } 선은 로드 하나가 가져오는 수를 잇습니다.
} { $sum }: 항 { $depth }개 중 { $done }개를 더한 합.
register-tile-sign-number = 레지스터에 있는 A와 B의 수, 인덱스로 표시
register-tile-sign-load = 로드 하나가 가져오는 수를 잇는 선
register-tile-sign-terms = 합: 더한 항이 많을수록 진합니다
