#!/usr/bin/env python3
"""Lists every entry point that the public headers declare, as rows for calls.inc:

    CALL(cudaError_t, cudaMalloc, (void**, size_t), "devPtr", "size")

    list_calls.py INCLUDE_FOLDER > calls.inc
"""
import pathlib
import re
import sys

DECLARATION = re.compile(r"REPRISE_API\s+([\w\s\*]+?)\s*\b(cu\w+)\s*\(([^;]*?)\)\s*;")
DEFAULT = re.compile(r"REPRISE_DEFAULT\([^()]*\)")


def parameters(text):
    """[(type, name)] of a parameter list."""
    text = DEFAULT.sub("", " ".join(text.split())).strip()
    if text in ("", "void"):
        return []
    return [re.fullmatch(r"(.*?)\s*(\w+)\s*", parameter).groups() for parameter in text.split(",")]


def main(include):
    headers = [header for api in ("api", "driver") for header in sorted(pathlib.Path(include, "reprise_cuda", api).glob("*.h"))]
    for header in headers:
        text = re.sub(r"/\*.*?\*/", "", header.read_text(), flags=re.S)
        for result, name, arguments in DECLARATION.findall(text):
            pairs = parameters(arguments)
            types = ", ".join(kind for kind, _ in pairs)
            print("CALL(" + ", ".join([result, name, f"({types})"] + [f'"{p}"' for _, p in pairs]) + ")")


if __name__ == "__main__":
    main(*sys.argv[1:])
