# `grade`: the submissions of a class.

grade-no-file = { $file } does not exist.
grade-none = No submission has a file `….{ $extension }`.
grade-one = This format describes one submission, but there are { $files }.
grade-one-help = Call `grade` once per file, as the platform does.
grade-progress = { $done } of { $of } submissions graded.
grade-row = { $file }  { $seconds } s  { $mib } MiB  { $state }
grade-sum = { $passed } of { $of } passed.
grade-line = The line you named is not the one at fault.
grade-time = It exceeded the time limit and was stopped.
grade-memory = It exceeded the memory limit and was stopped.
grade-keep = { $file } cannot be written: { $why }
grade-kept = { $kept } of { $of } results come from { $file }.

# Distributed over a cluster

grade-slurm = Slurm job { $job }, an array of { $jobs }, does the grading.
grade-no-slurm = `{ $program }` cannot be started: { $why }.
grade-no-slurm-help = Run `grade` where Slurm's own commands work, such as a login node of the cluster.
grade-slurm-silent = `{ $program }` did not answer within { $seconds } s.
grade-slurm-silent-help = Run `squeue --me --name=matmul-tutor-grade` to see whether Slurm accepted the job after all.
grade-slurm-refused = `{ $program }` refused: { $why }
grade-slurm-lost = The Slurm job { $job } ended without a result ({ $state }).
grade-spool = The folder for the array cannot be made in the current directory: { $why }.
