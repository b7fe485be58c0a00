# Functions of all scenarios. `$WORK` is the directory of the scenario, `$ROOT` the root of the repository.

# Runs the tutor on the course `course`, with the progress in `data`.
mine() {
    matmul-tutor --course course --data data "$@"
}

# edit FILE EXPRESSION: changes a file with sed. Fails if nothing changes.
edit() {
    cp "$1" "$WORK/.before" && sed "$2" "$WORK/.before" > "$1" && ! cmp -s "$1" "$WORK/.before"
}

# Copies the course of the tests of the terminal to `course`, and writes answers to its first quiz: correct, two of six wrong, and
# too few to pass. Seed 5 draws the numbers 16 and 8.
fixture() {
    cp -r "$ROOT/tests/fixtures/course" course
    answers() {
        printf 'single: %s\nmultiple: %s\nnumeric: 4\ntext: %s\ncloze: %s\norder: %s\n' "$@"
    }
    answers right '[broadcast, row]' lane '["32", "32"]' '[load, wait, multiply, free]' > right.yaml
    answers right '[broadcast, row]' warp '["32", "32"]' '[wait, load, multiply, free]' > wrong.yaml
    answers block '[column]' x '["1", "1"]' '[free, load, wait, multiply]' > failing.yaml
}

# take ANSWERS OPTION…: takes the first quiz of the fixture.
take() {
    answers=$1
    shift
    mine quiz 1 --seed 5 --json --answers "$answers.yaml" "$@"
}

# The solution of the exercise `fma-loop`.
solution=$ROOT/kernels/exercises/fma-loop/solution.ptx

# Writes the submissions of a class to `class`: correct, not PTX, endless, and with a wrong result.
class() {
    for student in ada ben cleo dan; do
        mkdir -p class/$student
        echo 'none of its files' > class/$student/notes.txt
    done
    cp "$solution" class/ada/fma-loop.ptx
    echo 'this is no PTX' > class/ben/fma-loop.ptx
    sed 's/^    ret;/forever: bra forever;\n&/' "$solution" > class/cleo/fma-loop.ptx
    sed 's/setp.lt.u32 %more, %k, 16;/setp.lt.u32 %more, %k, 15;/' "$solution" > class/dan/fma-loop.ptx
}

# grade PATH OPTION…: grades with an hour for each, so that the speed of the machine decides nothing.
grade() {
    matmul-tutor class grade fma-loop "$@" --on emulator --seconds 3600
}

# wait_until COMMAND…: waits for a state. Ends the shell if it does not come within four minutes.
wait_until() {
    for look in $(seq 24000); do
        "$@" && return
        sleep 0.01
    done
    echo "waited in vain: $*" >&2
    exit 9
}

# fenced KIND TEXT FILE: the first fenced block of a kind that contains a text.
fenced() {
    awk -v kind="$1" -v text="$2" '/^```/ { if (inside && index(block, text)) { printf "%s", block; exit }
        inside = !inside && $0 == "```" kind; block = ""; next } { block = block $0 "\n" }' "$3"
}

# histogram UPDATE: the text of a kernel `h` that updates the word at `%rd2`, which eight groups of threads share.
histogram() {
    printf '.version 8.0\n.target sm_75\n.address_size 64\n'
    printf '.visible .entry h(.param .u64 bins, .param .u32 n) {\n.reg .b64 %%rd<4>; .reg .b32 %%r<4>;\n'
    printf 'ld.param.u64 %%rd1, [bins]; mov.u32 %%r1, %%tid.x; and.b32 %%r1, %%r1, 7;\n'
    printf 'mul.wide.u32 %%rd2, %%r1, 4; add.u64 %%rd2, %%rd1, %%rd2;\n%s\nret;\n}\n' "$1"
}
racy='ld.global.u32 %r2, [%rd2];
add.u32 %r2, %r2, 1;
st.global.u32 [%rd2], %r2;'
index='mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x; mad.lo.u32 %r1, %r1, %r2, %r3;
mul.wide.u32 %rd2, %r1, 4; add.u64 %rd2, %rd1, %rd2;'

# handed_in STUDENT FILE COURSE RIGHT…: the file of a student with one attempt at the level `one` of the course `small`, whose answers
# are correct where RIGHT is 1.
handed_in() {
    student=$1 file=$2 course=$3
    shift 3
    items= n=0 correct=0
    for right in "$@"; do
        n=$((n + 1))
        if test "$right" = 1; then
            correct=$((correct + 1)) result='"correct":true,"answer":{"single":"right"},"why":null'
        else
            result='"correct":false,"answer":{"single":"belief"},"why":"That is the belief of '$n'p."'
        fi
        items="$items${items:+,}{\"slot\":\"s$n\",\"variant\":\"p\",\"choices\":[\"right\",\"slip\",\"belief\"],\"seconds\":$((n + 9)).0,$result}"
    done
    cat > "$file" <<END
{ "version": 1, "course": "$course", "student": "$student", "exported_at": "2026-11-02T00:00:00Z",
  "attempts": [{ "level": "one", "kind": "gate", "seed": $(printf %s "$student" | cksum | cut -d ' ' -f 1), "started_at": "2026-11-01T10:00:00Z", "submitted_at": "2026-11-01T10:08:00Z",
    "correct": $correct, "questions": $n, "required": 7, "items": [$items] }],
  "pages": { "one": 5 }, "predictions": { "one": [3, 2] },
  "exercises": { "monday-tuesday": { "tries": 2, "passed": true, "starred": false, "hints": 1 } } }
END
}

# with_uv BODY: writes a tool `uv` that does this to fetch a wheel; `$target` is the directory to install into, and `$library` the
# path of the library in it. So no network is needed.
library=nvidia/cuda_nvrtc/lib/libnvrtc.so.12
with_uv() {
    mkdir -p bin
    cat > bin/uv <<END
#!/bin/sh
PATH=/usr/bin:/bin
library=$library
[ "\$1" = --version ] && exit 0
while [ \$# -gt 0 ]; do [ "\$1" = --target ] && target=\$2; shift; done
$1
END
    chmod +x bin/uv
}

# Runs the tutor on a machine that has `uv` and no NVRTC. `run=exec` runs it in the place of the shell.
machine() {
    $run env -u MATMUL_TUTOR_NVRTC -u VIRTUAL_ENV -u CONDA_PREFIX -u CUDA_HOME -u CUDA_PATH PATH="$WORK/bin" \
        "$(command -v matmul-tutor)" --data data "$@"
}

# idle KERNEL: the PTX of a kernel of the catalogue whose body does nothing.
idle() {
    sed '/^{/q' "$ROOT/assets/ptx/$1.ptx" && printf '\tret;\n}\n'
}

# Writes a course with the levels `one` and `two` to `course`. Each has a quiz of eight questions with the choices `right`, `slip` and
# `belief`, in three variants each.
small() {
    mkdir -p course/modules course/quizzes
    printf 'id: small\ntitle: Small\nlanguages: [en]\ngate: { percent: 80 }\nlevels:\n' > course/modules/course.yaml
    for level in one two; do
        echo "  - { id: $level, title: Level $level, question: Why?, lesson: $level.yaml, quiz: $level.yaml }" >> course/modules/course.yaml
        cat > course/modules/$level.yaml <<END
level: $level
objectives: [{ id: o, text: do it }]
pages:
  - { id: p1, title: First, tag: concrete, text: One. }
  - { id: p2, title: Second, tag: summary, text: Two. }
END
        printf 'level: %s\nslots:\n' $level > course/quizzes/$level.yaml
        for slot in 1 2 3 4 5 6 7 8; do
            printf '  - id: s%s\n    objective: o\n    bloom: apply\n    page: p1\n    variants:\n' $slot
            for variant in p q r; do
                printf '      - id: %s\n        ask: "Question %s?"\n        because: It is so.\n        answer:\n          single:\n' $variant $slot$variant
                echo '            - { id: right, text: yes it is, correct: true }'
                echo "            - { id: slip, text: a slip, why: That is the slip of $slot$variant. }"
                echo "            - { id: belief, text: a belief, why: That is the belief of $slot$variant. }"
            done
        done >> course/quizzes/$level.yaml
    done
}

# answered COUNT: answers to the eight questions, of which the first COUNT are correct.
answered() {
    for slot in 1 2 3 4 5 6 7 8; do
        if test $slot -le $1; then echo "s$slot: right"; else echo "s$slot: belief"; fi
    done
}

# begin_quiz: takes the first quiz in the background, as `$quiz`. It reads lines from file descriptor 3 and writes to `shown`.
begin_quiz() {
    rm -f lines
    mkfifo lines
    mine quiz one < lines > shown & quiz=$!
    exec 3> lines
}

# The heading of a question, from 1 on, or of the review after the last one.
heading() {
    if test $1 -gt 8; then echo 'before you submit'; else echo "question $1 of 8"; fi
}

# answer NUMBER TEXT: waits for a question, selects the choice with this text by its letter, and confirms it.
answer() {
    letter_of() {
        letter=$(awk -v heading="$(heading $1)" -v text="$2" 'index($0, heading) { here = 1; letter = "" }
            here && letter == "" && index($0, text) { letter = $1 } END { print letter }' shown)
        test -n "$letter"
    }
    wait_until letter_of "$1" "$2"
    printf '%s\n\n' "$letter" >&3
}

# Kills the quiz.
kill_quiz() {
    kill -9 $quiz
    wait $quiz 2> /dev/null
    exec 3>&-
}

# Copies the small course of the tests of the check to `course`.
base() {
    cp -r "$ROOT/tests/course/base" course
}

# Lists the problems of `course`: code, file, line and column.
problems() {
    mine course check --json > report.json
    code=$?
    tr '{' '\n' < report.json | sed -n 's/.*"code":"\([^"]*\)","file":"\([^"]*\)","line":\([0-9]*\),"column":\([0-9]*\).*/\1 \2:\3:\4/p'
    return $code
}

# The text of a kernel `add` that adds a number to each element.
adder() {
    cat <<'END'
.version 8.0
.target sm_75
.address_size 64
.visible .entry add(.param .u64 x, .param .u32 n) {
.reg .b64 %rd<3>; .reg .b32 %r<4>; .reg .pred %p<2>;
ld.param.u64 %rd1, [x]; ld.param.u32 %r1, [n];
mov.u32 %r2, %tid.x; mul.wide.u32 %rd2, %r2, 4; add.u64 %rd1, %rd1, %rd2;
ld.global.u32 %r3, [%rd1]; add.u32 %r3, %r3, %r1; st.global.u32 [%rd1], %r3;
ret;
}
END
}

# The text of a kernel in which one warp writes a flag, and the other spins on a word that no warp writes.
spinning() {
    cat <<'END'
.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 p) {
.reg .pred %q; .reg .b32 %r<4>; .shared .align 4 .b32 flag;
mov.u32 %r1, %tid.x; setp.lt.u32 %q, %r1, 32;
@%q bra W;
L: ld.shared.u32 %r2, [flag]; setp.ne.u32 %q, %r2, 7; @%q bra L;
ret;
W: st.shared.u32 [flag], %r1;
ret;
}
END
}

# judge ID TEXT: writes the text to the form of an exercise, and checks it.
judge() {
    printf "$2" > "$1/answer.yaml" && matmul-tutor exercise check "$1" "$1/answer.yaml" --json --on emulator
}

# own STATEMENT: a matrix product with the headers that tutorials begin with, a helper in line 7, and the statement in line 12.
own() {
    cat <<END
#include <cuda_runtime.h>
#include "device_launch_parameters.h"
#include <stdio.h>
#include <math.h>
#include <stdint.h>
__device__ float at(const float* p, size_t i) {
    return p[i];
}
extern "C" __global__ void sgemm(const float* A, const float* B, float* C, int M, int N, int K, int lda, int ldb, int ldc, float alpha, float beta) {
    const int row = blockIdx.y * 32 + threadIdx.y, col = blockIdx.x * 32 + threadIdx.x;
    float sum = 0;
    $1
    if (row >= M || col >= N) return;
    for (int k = 0; k < K; ++k) sum += at(A, size_t(row) * lda + k) * at(B, size_t(k) * ldb + col);
    C[size_t(row) * ldc + col] = alpha * sum + (beta == 0 ? 0 : beta * C[size_t(row) * ldc + col]);
}
END
}

# Copies the fixture without the level that cannot be read, and allows its other error. So it can be sealed. Writes answers to its first
# quiz: in `given.yaml` and in `lane.yaml`, four of six are correct.
unsealed() {
    fixture && edit course/modules/course.yaml '/id: third/,$d' &&
        echo 'allow: [{ code: too-few-variants, why: The test needs no more. }]' >> course/modules/course.yaml
    order='order: [load, wait, multiply, free]'
    printf 'single: right\nmultiple: [row, broadcast]\ntext: warp\ncloze: [warpSize, "32"]\n%s\n' "$order" > given.yaml
    printf 'single: right\ntext: lane\ncloze: [warpSize, "32"]\n%s\n' "$order" > lane.yaml
}

# exam STUDENT ARGUMENT…: runs the tutor on the exam `sealed`, with the student's own progress.
exam() {
    student=$1
    shift
    matmul-tutor --course "$WORK/sealed" --data "$student" --student "$student" "$@"
}

# sit ANSWERS STUDENT…: seals the course for the exam `midterm`, which each student takes and hands in.
sit() {
    answers=$1
    shift
    mine course seal sealed --exam midterm && for who; do
        exam $who quiz 1 --answers "$answers.yaml" && exam $who export-progress $who.json || return
    done
}

# graded FILE… OPTION…: grades the exam.
graded() {
    mine class results "$@" --exam midterm --format json
}

# An expression for `forge`: an attempt of one question, which is correct and enough to pass.
easy='s/"correct":null,"items":\[\({[^}]*}[^}]*}\).*"kind"/"correct":1,"items":[\1],"kind"/; s/"questions":6,"required":null/"questions":1,"required":1/'

# forge EXPRESSION…: grades ada's file, in one line without spaces, after changes with sed. Fails if one of them changes nothing.
forge() {
    tr -d ' \n' < ada.json > forged.json && for change; do edit forged.json "$change" || return; done && graded forged.json
}

# tried VERSION TARGET DECLARATION PARAMETER DIRECTIVE BODY OPTION…: runs a kernel, keeps what was said in `out`, and prints the exit code.
limit() { printf '.version %s\n.target %s\n.address_size 64\n%s\n.visible .entry k(.param .u64 p%s) %s {\n%s\nret;\n}\n' "$1" "$2" "$3" "$4" "$5" "$6" > k.ptx; shift 6; matmul-tutor emulate k.ptx --arg buf:zeros:64 "$@" 2>&1; }
tried() { limit "$@" > out; echo "$?"; }
bytes() { echo ".reg .b32 %r; .shared .b8 s[$1]; mov.u32 %r, s; st.shared.u32 [%r], 0;"; }
constants() { echo ".const .align 4 .b8 c[$1];"; }

# pool MORE LESS: a block whose first warpgroup gives registers back, and whose other two ask for more.
pool() { printf '.version 8.0\n.target sm_90a\n.address_size 64\n.visible .entry k() .maxntid 384 .minnctapersm 1 {\n.reg .pred %%p; .reg .b32 %%r;\nmov.u32 %%r, %%tid.x;\nsetp.lt.u32 %%p, %%r, 128;\n@%%p bra P;\nsetmaxnreg.inc.sync.aligned.u32 %s;\nret;\nP: setmaxnreg.dec.sync.aligned.u32 %s;\nret;\n}\n' "$1" "$2" > k.ptx; matmul-tutor emulate k.ptx --block 384 2>&1; }
