# What is wrong with an access that was typed into a simulator.

access-no-row = 배열에는 행이 하나 이상 있어야 합니다.
access-no-element = 행에는 원소가 하나 이상 있어야 합니다.
access-too-large = 배열의 크기가 { $bytes }바이트입니다. 블록이 쓸 수 있는 공유 메모리는 { $most }바이트까지입니다.
access-no-pitch = 선행 차원은 원소 하나 이상이어야 합니다.
access-far = 64비트에 들어가지 않는 주소가 있습니다.
access-width = 원소의 폭은 4, 8, 16바이트 가운데 하나여야 합니다(지금 { $width }바이트).
access-block = { $x }×{ $y } 블록의 스레드 수는 1과 { $most } 사이여야 합니다.
access-warp = { $warps ->
        [1] { $x }×{ $y } 블록에는 워프 { $last }번만 있고 { $warp }번은 없습니다.
       *[other] { $x }×{ $y } 블록에는 워프 0번부터 { $last }번까지 있고 { $warp }번은 없습니다.
    }
access-lanes = 레인은 1개에서 { $most }개까지 됩니다(지금 { $lanes }개).
access-name = `{ $name }`: 모르는 이름입니다. 여기서 쓰는 이름은 lane, tx, ty, k입니다.
access-in-lane = 레인 { $lane }: { $error }
access-outside = 레인 { $lane }: { $field } 값 { $index }. 0과 { $last } 사이여야 합니다.
