# `grade`: what a class handed in.

grade-no-file = There is no { $file }.
grade-none = There is no file `….{ $extension }` among what was handed in.
grade-one = This format is for one submission, and there are { $files }.
grade-one-help = Grade one file a call, as the platform does.
grade-progress = { $done } of { $of } are graded.
grade-row = { $file }  { $seconds } s  { $mib } MiB  { $state }
grade-sum = { $passed } of { $of } passed.
grade-line = The line that is named is not at fault.
grade-time = It took longer than it may, and was stopped.
grade-memory = It took more memory than it may, and was stopped.
grade-keep = { $file } cannot be written: { $why }
grade-kept = { $kept } of { $of } are taken from { $file }.

# Spread over a cluster

grade-slurm = Slurm has it as job { $job }, an array of { $jobs }.
grade-no-slurm = `{ $program }` cannot be started: { $why }.
grade-no-slurm-help = Call it where Slurm's own commands work, such as a cluster's login node.
grade-slurm-silent = `{ $program }` did not answer within { $seconds } s.
grade-slurm-silent-help = Look with `squeue --me --name=matmul-tutor-grade` whether it was submitted all the same.
grade-slurm-refused = `{ $program }` refused: { $why }
grade-slurm-lost = The Slurm job { $job } ended without a result ({ $state }).
grade-spool = The folder for the array cannot be made in the current directory: { $why }.
