#!/usr/bin/env python3
"""Compiles tests/fixtures/{racecheck,divergence,calls}/*.cu to PTX beside them.

    scripts/racecheck/compile.py path/to/libnvrtc.so.12
    scripts/racecheck/compile.py --second path/to/libnvrtc.so.13

The first line of each file gives the architecture, and the version of PTX where it is later than the compiler's; those that name nvcc use what NVRTC does not have, and are left alone.
--second compiles those of `calls` to NAME.nvrtc13.ptx. With --check, files are only compared: exit 1 if one is stale.
"""

import ctypes
import glob
import os
import re
import sys

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tests", "fixtures")


def compile_text(nvrtc, text, name):
    arch = re.search(r"arch (\w+)", text.splitlines()[0]).group(1)
    program = ctypes.c_void_p()
    nvrtc.nvrtcCreateProgram(ctypes.byref(program), text.encode(), name.encode(), 0, None, None)
    options = [f"--gpu-architecture=compute_{arch}".encode(), b"-lineinfo"]
    code = nvrtc.nvrtcCompileProgram(program, len(options), (ctypes.c_char_p * len(options))(*options))
    size = ctypes.c_size_t()
    if code != 0:
        nvrtc.nvrtcGetProgramLogSize(program, ctypes.byref(size))
        log = ctypes.create_string_buffer(size.value)
        nvrtc.nvrtcGetProgramLog(program, log)
        sys.exit(f"{name}: {log.value.decode()}")
    nvrtc.nvrtcGetPTXSize(program, ctypes.byref(size))
    ptx = ctypes.create_string_buffer(size.value)
    nvrtc.nvrtcGetPTX(program, ptx)
    nvrtc.nvrtcDestroyProgram(ctypes.byref(program))
    # Constants of a header that NVRTC reads by itself; no kernel here uses them. NVRTC puts its folder before the name.
    isa = re.search(r"isa ([\d.]+\d)", text.splitlines()[0])
    text = "".join(line for line in ptx.value.decode().splitlines(True) if "2nv6target" not in line)
    text = re.sub(r'"[^"]*/' + re.escape(name) + '"', f'"{name}"', text)
    # Calls are numbered through all that a process compiles.
    numbered = r"(callseq |prototype_)(\d+)"
    first = min((int(number) for _, number in re.findall(numbered, text)), default=0)
    text = re.sub(numbered, lambda found: f"{found[1]}{int(found[2]) - first}", text)
    return re.sub(r"(?m)^\.version .*", f".version {isa.group(1)}", text) if isa else text


def main():
    check, second = "--check" in sys.argv, "--second" in sys.argv
    library = [arg for arg in sys.argv[1:] if not arg.startswith("-")]
    if len(library) != 1:
        sys.exit(__doc__)
    nvrtc = ctypes.CDLL(library[0])
    stale = []
    folders = ["calls"] if second else ["calls", "divergence", "racecheck"]
    for path in sorted(path for folder in folders for path in glob.glob(os.path.join(FOLDER, folder, "*.cu"))):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        if "nvcc" in text.splitlines()[0]:
            continue
        ptx = compile_text(nvrtc, text, "tests/fixtures/" + os.path.relpath(path, FOLDER))
        target = path[:-3] + (".nvrtc13.ptx" if second else ".ptx")
        if not check:
            with open(target, "w", encoding="utf-8") as file:
                file.write(ptx)
        elif not os.path.exists(target) or open(target, encoding="utf-8").read() != ptx:
            stale.append(os.path.basename(target))
    if stale:
        sys.exit("stale: " + ", ".join(stale))


if __name__ == "__main__":
    main()
