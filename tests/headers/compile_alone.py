#!/usr/bin/env python3
"""Compiles each header by itself, then all of them in one file in both orders: no header may depend on an earlier one."""

import argparse
import concurrent.futures
import os
import subprocess
import sys
import tempfile


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--include", required=True, help="folder the headers are found in")
    parser.add_argument("--suffix", required=True, help="how a source file of the language is named: .c, .cpp, .cu")
    parser.add_argument("--together-only", action="store_true", help="for compilers that put one header first anyway")
    parser.add_argument("--headers", nargs="+", required=True)
    parser.add_argument("--compiler", nargs=argparse.REMAINDER, required=True, help="the compiler and its options")
    arguments = parser.parse_args()

    units = {} if arguments.together_only else {header: [header] for header in arguments.headers}
    units["all in order"] = arguments.headers
    units["all in reverse order"] = arguments.headers[::-1]

    with tempfile.TemporaryDirectory() as folder:

        def compile_unit(name):
            source = os.path.join(folder, name.replace("/", "_").replace(" ", "_") + arguments.suffix)
            with open(source, "w") as file:
                file.writelines(f"#include <{header}>\n" for header in units[name])
                file.write("int reprise_a_unit_must_declare_something;\n")
            command = [*arguments.compiler, f"-I{arguments.include}", "-fsyntax-only", source]
            return name, subprocess.run(command, capture_output=True, text=True)

        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            results = list(pool.map(compile_unit, units))

    # A warning in a header is a failure too, because users cannot silence it there.
    failed = [(name, done) for name, done in results if done.returncode != 0 or done.stderr]
    for name, done in failed:
        print(f"{name}:\n{done.stderr}")
    print(f"{len(results) - len(failed)} of {len(results)} compile")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
