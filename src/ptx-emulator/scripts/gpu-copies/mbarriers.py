"""Random sequences of operations on an `mbarrier`, as one thread does them."""
import random

HEAD = ".version 8.6\n.target sm_90a\n.address_size 64\n"


def sequence(seed):
    """Operations that are all allowed; the model here only keeps count of what may come."""
    rng = random.Random(seed)
    expected = rng.choice([1, 1, 2, 3, 5, 17, 1000, (1 << 20) - 1])
    ops, phase, pending, bytes_ = [["init", expected]], 0, expected, 0

    def settle():
        nonlocal phase, pending
        if pending == 0 and bytes_ == 0:
            phase ^= 1
            pending = expected
    for _ in range(40):
        what = rng.choice(["arrive", "arrive", "arrive.count", "arrive.noComplete", "arrive_drop", "arrive.expect_tx", "expect_tx",
                           "complete_tx", "complete_tx", "test_wait", "test_wait.parity", "try_wait.parity", "try_wait", "pending_count",
                           "arrive_drop.expect_tx", "arrive_drop.noComplete"])
        count = rng.randint(1, max(1, min(pending, rng.choice([1, 2, 600]))))
        if what in ("test_wait", "try_wait", "pending_count"):
            ops.append([what, 0])
        elif what.endswith("parity"):
            ops.append([what, rng.randrange(2)])
        elif what == "expect_tx":
            add = rng.choice([1, 16, 4096, 100000])
            if bytes_ + add < 1 << 20:
                bytes_ += add
                ops.append([what, add])
        elif what == "complete_tx":
            # Never beyond what is expected, or what would complete a phase by bytes that came too early.
            take = bytes_ if rng.random() < 0.6 else rng.randint(0, max(bytes_, 0))
            if take > 0:
                bytes_ -= take
                ops.append([what, take])
                settle()
        elif pending == 0:
            continue
        elif "expect_tx" in what:
            add = rng.choice([0, 16, 2048])
            if bytes_ + add >= 1 << 20 or ("drop" in what and expected == 1):
                continue
            bytes_ += add
            pending -= 1
            expected -= "drop" in what
            ops.append([what, add])
            settle()
        elif "noComplete" in what:
            if count >= pending or ("drop" in what and expected <= count):
                continue
            pending -= count
            expected -= count if "drop" in what else 0
            ops.append([what, count])
        else:
            count = 1 if what == "arrive" else count
            if what == "arrive_drop" and expected <= count:
                continue
            pending -= count
            expected -= count if what == "arrive_drop" else 0
            ops.append([what, count])
            settle()
    # There is no state to count from before something has arrived.
    first = next(at for at, (what, _) in enumerate(ops) if what.startswith("arrive"))
    return [op for at, op in enumerate(ops) if at > first or op[0] != "pending_count"]


def instruction(what, value):
    """Leaves what it gives in %rd1, which holds the last state that an arrival gave in %rd2."""
    name = {"arrive.count": "arrive"}.get(what, what)
    if what in ("init", "expect_tx", "complete_tx"):
        scope = "" if what == "init" else ".relaxed.cta"
        return f"mbarrier.{what}{scope}.shared::cta.b64 [%r1], {value}; mov.b64 %rd1, 0;"
    if what.startswith("arrive"):
        scope = "" if "noComplete" in what else ".release.cta"
        operand = "" if what == "arrive" else f", {value}"
        return f"mbarrier.{name}{scope}.shared::cta.b64 %rd1, [%r1]{operand}; mov.b64 %rd2, %rd1;"
    if what == "pending_count":
        return "mbarrier.pending_count.b64 %r2, %rd2; cvt.u64.u32 %rd1, %r2;"
    state = str(value) if what.endswith("parity") else "%rd2"
    hint = ", 20" if what.startswith("try") else ""
    return f"mbarrier.{what}.shared::cta.b64 %p1, [%r1], {state}{hint}; selp.b64 %rd1, 1, 0, %p1;"


def kernel(name, ops):
    body = "".join(f"{instruction(what, value)} st.global.b64 [%rd0+{8 * at}], %rd1;\n" for at, (what, value) in enumerate(ops))
    return (f".visible .entry {name}(.param .u64 out) {{\n.reg .b64 %rd<5>; .reg .b32 %r<4>; .reg .pred %p<3>; .shared .align 8 .b64 bar;\n"
            f"ld.param.u64 %rd0, [out]; mov.u32 %r1, bar;\n{body}ret; }}\n")


def answer(what, word):
    """Of a state the phase and the arrivals that it waits for; the rest is left to chance."""
    return word >> 43 if what.startswith("arrive") else word
