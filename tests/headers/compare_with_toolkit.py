#!/usr/bin/env python3
"""Compares our headers with those of an installed CUDA 13.0 toolkit, declaration by declaration.

Every enumerator, record (size, alignment, each field's offset and type), typedef, variable, macro, function and
function template of the toolkit's runtime headers must be in ours and be the same, and ours must have none under
CUDA's names that the toolkit has not. Two things are not compared:
- macros that begin with two underscores and are no numbers: words for the compiler, which is another one here;
- inline functions and templates that only we have: the forms of earlier CUDA versions, compiled into the program,
  which take nothing away from CUDA 13's.
Of cuBLAS and NVTX ours has a part: what it has must be the same.
"""

import argparse
import re
import sys

from declarations import Headers, floating_bits

RUNTIME = ["cuda_runtime_api.h", "cuComplex.h", "cuda_profiler_api.h", "library_types.h", "driver_functions.h", "vector_functions.h",
           "device_launch_parameters.h", "surface_types.h", "texture_types.h"]
DRIVER = ["cuda.h", "cudaTypedefs.h"]
PARTIAL = ["nvtx3/nvToolsExt.h", "nvtx3/nvToolsExtCudaRt.h"]
CPLUSPLUS = RUNTIME + ["cuda_runtime.h", "channel_descriptor.h"]



def differences(ours, theirs):
    """Paragraphs that say what differs."""
    for kind in theirs:
        for name in sorted(set(theirs[kind]) | set(ours[kind])):
            mine, other = ours[kind].get(name), theirs[kind].get(name)
            if kind in ("inline function", "template"):
                same = (other or set()) <= (mine or set())
            else:
                same = mine == other
            if not same:
                yield f"{kind} {name}\n{_beside(mine, other)}"


def cuda_conveniences(headers):
    """What cuda_runtime.h offers a CUDA compiler alone. clang stumbles over the toolkit's mathematics in this
    mode, which is not looked at."""
    found = headers.functions_and_types(check=False)
    return {kind: {name: forms for name, forms in found[kind].items() if name.startswith("cuda")}
            for kind in ("inline function", "template")}


def constants(headers):
    names = sorted(name for name in headers.macro_bodies() if name.startswith("CUDART_") and "REMQUO" not in name)
    return {"constant": floating_bits(headers, names)}


def part(headers, names):
    """What is declared under the names of cuBLAS and NVTX, and under some names only."""
    found = headers.all()
    return {kind: {name: what for name, what in found[kind].items()
                   if re.match(r"CU(?!DART)|cuuint|cublas|nvtx|NVTX", name) and (names is None or name in names[kind])}
            for kind in found}


def _beside(ours, theirs):
    """Both texts, less the lines they share."""
    sides = [sorted(text) if isinstance(text, set) else (text or "(none)").split("\n") for text in (ours, theirs)]
    lines = [f"  ours:    {line}" for line in sides[0] if line not in sides[1]]
    return "\n".join(lines + [f"  toolkit: {line}" for line in sides[1] if line not in sides[0]])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clang", required=True)
    parser.add_argument("--ours", required=True, help="include folder of this project")
    parser.add_argument("--toolkit", required=True, help="include folder of the CUDA toolkit")
    arguments = parser.parse_args()

    def both(*view):
        return [Headers(arguments.clang, folder, *view) for folder in (arguments.ours, arguments.toolkit)]

    per_thread = ["-DCUDA_API_PER_THREAD_DEFAULT_STREAM"]
    views = {
        "C++": [headers.all() for headers in both(CPLUSPLUS)],
        "C": [headers.all() for headers in both(RUNTIME, "c")],
        "C++, a default stream per thread": [headers.all() for headers in both(CPLUSPLUS, "c++", per_thread)],
        "driver API, C++": [headers.all() for headers in both(DRIVER)],
        "driver API, C": [headers.all() for headers in both(DRIVER, "c")],
        "driver API, a default stream per thread": [headers.all() for headers in both(DRIVER, "c++", per_thread)],
        "constants": [constants(headers) for headers in both(["math_constants.h"])],
        "CUDA C++": [cuda_conveniences(headers) for headers in both(["cuda_runtime.h"], "c++", ["-D__CUDACC__"])],
    }
    # cuBLAS in C, where the toolkit's header has no arithmetic of small floats behind it.
    for title, view in {"NVTX": [PARTIAL], "cuBLAS": [["cublas_api.h"], "c"]}.items():
        ours, theirs = both(*view)
        ours = part(ours, None)
        views[title] = [ours, part(theirs, ours)]

    failed = False
    for title, (ours, theirs) in views.items():
        found = list(differences(ours, theirs))
        counts = ", ".join(f"{len(theirs[kind])} {kind}s" for kind in theirs)
        print(f"{title}: {len(found)} differences in {counts}", *found, sep="\n")
        failed |= bool(found)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
