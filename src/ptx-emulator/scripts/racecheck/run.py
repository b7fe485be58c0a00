#!/usr/bin/env python3
"""Runs the kernels of tests/fixtures/{racecheck,divergence,calls} on a GPU, plainly and under compute-sanitizer.

    scripts/racecheck/run.py FIXTURES OUTPUT_FOLDER [KERNEL…]

With names, only these kernels, and each under every tool.
Needs nvcc, compute-sanitizer and Python alone. OUTPUT_FOLDER gets KERNEL.bin (the words of `out` after a plain run),
KERNEL.TOOL.log (what a kernel printed, for plain runs), and summary.json: for each kernel and tool the words in which the tool speaks of it.
"""

import collections
import concurrent.futures
import glob
import json
import os
import re
import subprocess
import sys
import time

FIXTURES, OUT, ONLY = sys.argv[1], sys.argv[2], sys.argv[3:]
HERE = os.path.dirname(os.path.abspath(__file__))
HOST = os.path.join(OUT, "host")
TOOLS = {"racecheck": ["--tool", "racecheck", "--racecheck-report", "all", "--print-limit", "1000"],
         "memcheck": ["--tool", "memcheck"],
         "initcheck": ["--tool", "initcheck"],
         "synccheck": ["--tool", "synccheck"]}
FAULTS = ["out_of_bounds_global", "out_of_bounds_shared", "misaligned", "uninitialised_global", "uninitialised_shared",
          "divergent_barrier", "barrier_after_exit", "uninitialised_local", "race_then_out_of_bounds"]
HEAP = ["heap_past_the_end", "heap_use_after_free", "heap_double_free"]


def run(command, seconds):
    began = time.time()
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=seconds)
        return done.returncode, done.stdout, time.time() - began
    except subprocess.TimeoutExpired as late:
        text = late.stdout or b""
        return 124, text.decode(errors="replace") if isinstance(text, bytes) else text, time.time() - began


def job(path, tool):
    with open(path.removesuffix(".ptx").removesuffix(".nvrtc13") + ".cu", encoding="utf-8") as file:
        head = file.readline()
    grid, block = re.search(r"grid (\d+) block (\d+)", head).groups()
    name = os.path.basename(path)[:-4]
    command = [HOST, path, name.split(".")[0], grid, block]
    if tool == "plain":
        command.append(os.path.join(OUT, name + ".bin"))
    else:
        command += ["-"] + (["raw"] if name == "uninitialised_global" else [])
        command = ["compute-sanitizer", *TOOLS[tool], *command]
    code, text, seconds = run(command, 40)
    if tool != "plain" or len(text.splitlines()) > 1:
        with open(os.path.join(OUT, f"{name}.{tool}.log"), "w", encoding="utf-8") as file:
            file.write(text[:20000])
    said = collections.Counter()
    for line in text.splitlines():
        line = re.sub(r"^=+ ", "", line)
        for pattern in (r"Potential (\w+) hazard", r"(Error|Warning): Race reported between (\w+) access.*and (\w+) access",
                        r"(Invalid .*?) at ", r"(Uninitialized .*?) at ", r"(Barrier error detected\. .*)", r"(RACECHECK SUMMARY.*)",
                        r"(ERROR SUMMARY.*)", r"(FAILED.*)"):
            found = re.search(pattern, line)
            if found:
                said[" ".join(found.groups())] += 1
    return name, tool, {"exit": code, "seconds": round(seconds, 1), "said": said}


def main():
    os.makedirs(OUT, exist_ok=True)
    code, text, _ = run(["nvcc", "-O1", "-o", HOST, os.path.join(HERE, "host.cpp"), "-lcuda"], 60)
    print(text)
    if code != 0:
        sys.exit("the host did not compile")
    paths = sorted(glob.glob(os.path.join(FIXTURES, "*", "*.ptx")))
    if ONLY:
        paths = [path for path in paths if os.path.basename(path)[:-4] in ONLY]
    jobs = [(path, "plain") for path in paths]
    race = [path for path in paths if os.sep + "racecheck" + os.sep in path]
    jobs += [(path, "racecheck") for path in race]
    for tool in ("memcheck", "initcheck", "synccheck"):
        jobs += [(path, tool) for path in race if ONLY or os.path.basename(path)[:-4] in FAULTS + ["tile_clean"]]
    jobs += [(path, "synccheck") for path in race
             if not ONLY and os.path.basename(path)[:-4] in ("named_barriers", "barrier_of_half", "warp_exchange_half_sync")]
    jobs += [(path, "memcheck") for path in paths if os.path.basename(path)[:-4] in HEAP]
    results = collections.defaultdict(dict)
    with concurrent.futures.ThreadPoolExecutor(12) as pool:
        for name, tool, result in pool.map(lambda item: job(*item), jobs):
            results[name][tool] = result
            print(name, tool, json.dumps(result), flush=True)
    with open(os.path.join(OUT, "summary.json"), "w", encoding="utf-8") as file:
        json.dump(results, file, indent=1, sort_keys=True)
    os.remove(HOST)


if __name__ == "__main__":
    main()
