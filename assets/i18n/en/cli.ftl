# What the command line says to everybody.

cli-no-plain = The tutor cannot be read line by line yet.
cli-no-plain-help = These can: `matmul-tutor status`, `matmul-tutor quiz LEVEL`, `matmul-tutor run KERNEL`, `matmul-tutor banks 'smem[lane][5]' --pitch 16`.
