"""The installation of Reprise that this wheel carries, and the commands that start its programs."""
import os
import pathlib
import sys

# bin, lib and include of the installation.
TREE = pathlib.Path(__file__).resolve().parent / "tree"


def _replace_process(name):
    program = str(TREE / "bin" / name)
    os.execv(program, [program, *sys.argv[1:]])


def run_reprise():
    _replace_process("reprise")


def run_nvcc():
    _replace_process("reprise-nvcc")
