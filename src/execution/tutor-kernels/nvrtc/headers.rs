/*! Headers for kernels from tutorials, and help for sources that need more than these.

NVRTC knows CUDA's names, `printf` and the functions of `math.h` without any header. But it has no header files, so an
`#include` fails. This module supplies common headers by name. They define what NVRTC lacks and a kernel can use, and
nothing for the host. CUDA's other headers are read from the directories of [`Nvrtc::headers`].
*/

use super::{Nvrtc, is_for_kernels};
use std::ffi::CStr;
use tutor_support::sentence;
use tutor_support::words::Sentence;

/// Names as written in `#include`, and the texts of the headers.
pub(super) const HEADERS: [(&CStr, &CStr); 22] = [
    (c"cuda.h", c""),
    (c"cuda_runtime.h", c""),
    (c"cuda_runtime_api.h", c""),
    (c"device_launch_parameters.h", c""),
    (c"stdio.h", c""),
    (c"cstdio", c""),
    (c"stdlib.h", c""),
    (c"cstdlib", c""),
    (c"math.h", NUMBERS),
    (c"cmath", NUMBERS),
    (c"float.h", LIMITS),
    (c"cfloat", LIMITS),
    (c"limits.h", LIMITS),
    (c"climits", LIMITS),
    (c"string.h", c""),
    (c"assert.h", c""),
    (c"cassert", c""),
    (c"stddef.h", c""),
    (c"cstddef", STANDARD),
    (c"vector_types.h", c""),
    (c"stdint.h", INTEGERS),
    (c"cstdint", INTEGERS),
];

const INTEGERS: &CStr = c"#pragma once
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long long uint64_t;
typedef long long intptr_t;
typedef unsigned long long uintptr_t;
namespace std {
using ::int8_t; using ::int16_t; using ::int32_t; using ::int64_t; using ::intptr_t;
using ::uint8_t; using ::uint16_t; using ::uint32_t; using ::uint64_t; using ::uintptr_t;
}
";

const STANDARD: &CStr = c"#pragma once
namespace std { using ::size_t; using ::ptrdiff_t; }
";

const NUMBERS: &CStr = c"#pragma once
#define INFINITY __int_as_float(0x7f800000)
#define NAN __int_as_float(0x7fffffff)
";

const LIMITS: &CStr = c"#pragma once
#define FLT_MAX 3.402823466e+38f
#define FLT_MIN 1.175494351e-38f
#define FLT_EPSILON 1.192092896e-07f
#define INT_MAX 2147483647
#define INT_MIN (-INT_MAX - 1)
#define UINT_MAX 0xffffffffu
";

/// Returns help for a source that NVRTC refuses because it is more than a kernel: it includes another header, or it
/// has host code.
pub fn help(log: &str, nvrtc: Option<&Nvrtc>) -> Option<Sentence> {
    if let Some((_, name)) = log.split_once("open source file \"") {
        let name = name.split('"').next().unwrap_or_default();
        if let Some(nvrtc) = nvrtc.filter(|nvrtc| nvrtc.headers().is_empty() && is_for_kernels(name)) {
            let found = nvrtc.other_headers().map(|[major, minor]| format!("{major}.{minor}"));
            let version = nvrtc.version_text();
            return Some(match found {
                Some(found) => sentence!("kernels-other-headers", name, version, found),
                None => sentence!("kernels-no-cuda-headers", name, version),
            });
        }
        let names = HEADERS.iter().filter_map(|(name, _)| name.to_str().ok()).filter(|name| name.ends_with(".h"));
        let names = names.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        return Some(sentence!("kernels-no-header", names));
    }
    log.contains("considered a host function").then(|| sentence!("kernels-host-code"))
}
