#!/usr/bin/env python3
"""Fails if the library exports an entry point that the fuzzer does not call, or the fuzzer lists one that does not exist.

    check_calls.py NM LIBRARY CALLS.INC
"""
import pathlib
import re
import subprocess
import sys

# Forms of earlier CUDA versions under names that cuda.h gives other calls now.
EARLIER = {"cuGraphInstantiate"}


def exported(nm, library):
    """CUDA's names in the library."""
    text = subprocess.run([nm, "-D", "--defined-only", library], check=True, capture_output=True, text=True).stdout
    names = {line.split()[-1].split("@")[0] for line in text.splitlines()}
    return {source_name(name) for name in names if re.match(r"cu(da)?[A-Z]", name)} - EARLIER


def source_name(name):
    """Forms of a call for per-thread default streams, and those of other CUDA versions, are the same call."""
    return re.sub(r"(_v\d)?(_ptds|_ptsz)?$", "", name)


def main(nm, library, calls):
    listed = {source_name(name)
              for name in re.findall(r"^CALL\([^,]+, (\w+),", pathlib.Path(calls).read_text(), flags=re.M)}
    there = exported(nm, library)
    for name in sorted(there - listed):
        print(f"{name} is exported and never fuzzed: declare it in include/reprise_cuda")
    for name in sorted(listed - there):
        print(f"{name} is declared and not exported")
    print(f"{len(there)} entry points, {len(listed)} fuzzed")
    return there != listed or not there


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
