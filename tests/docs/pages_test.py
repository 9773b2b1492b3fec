#!/usr/bin/env python3
"""Compiles and runs the programs of README and guide as a reader would, with an installation of the build.

    REPRISE_BUILD=build tests/docs/pages_test.py [Case.test ...]

In these pages a code block whose first line is a comment with a file name is that file. A block marked `console` has commands
after `$ ` and what they print: `…` stands for any text within a line, a line `...` for any lines. Commands run in the order of
the page, in a folder with the page's files. A page of this test has no other C++ block.
"""
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = os.path.abspath(os.environ.get("REPRISE_BUILD", "build"))
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```", re.M | re.S)
FILE_NAME = re.compile(r"\A(?://|#) ([\w.]+)\n")
CODE = {"cpp", "cuda", "cmake"}


def steps_of(console):
    """Pairs of a command and the text it prints."""
    steps = []
    for line in console.splitlines(keepends=True):
        if line.startswith("$ "):
            steps.append([line[2:].rstrip("\n"), ""])
        else:
            steps[-1][1] += line
    return steps


def pattern_of(shown):
    pieces = ["(?:.*\n)*?" if line == "...\n" else ".*".join(map(re.escape, line.split("…"))) for line in shown.splitlines(keepends=True)]
    return re.compile("".join(pieces))


class Pages(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.dir = pathlib.Path(directory.name)
        (self.dir / "page").mkdir()
        subprocess.run(["cmake", "--install", BUILD, "--prefix", self.dir / "reprise"], check=True, capture_output=True)
        self.env = {name: value for name, value in os.environ.items() if not name.startswith(("CUDA", "NVCC", "REPRISE", "LD_", "CMAKE"))}
        self.env["PATH"] = f"{self.dir}/reprise/bin:{self.env['PATH']}"
        self.env["CMAKE_PREFIX_PATH"] = f"{self.dir}/reprise"

    def run_page(self, page, least_commands):
        commands = 0
        for language, text in BLOCK.findall((ROOT / page).read_text()):
            if language in CODE:
                name = FILE_NAME.match(text)
                self.assertTrue(name, f"{page}: a block without a file name:\n{text}")
                (self.dir / "page" / name[1]).write_text(text)
            elif language == "console":
                for command, shown in steps_of(text):
                    commands += 1
                    done = subprocess.run(["bash", "-c", command], cwd=self.dir / "page", env=self.env, text=True, stdout=subprocess.PIPE,
                                          stderr=subprocess.STDOUT)
                    self.assertRegex(done.stdout, re.compile(r"\A" + pattern_of(shown).pattern + r"\Z"), f"{page}: {command}")
        self.assertGreaterEqual(commands, least_commands)

    def test_readme(self):
        self.run_page("README.md", 6)

    def test_start(self):
        self.run_page("docs/start.md", 6)

    def test_guide(self):
        self.run_page("docs/guide.md", 8)

    def test_debugging(self):
        self.run_page("docs/debugging.md", 4)


class Patterns(unittest.TestCase):
    def test_a_page_that_is_wrong_is_found(self):
        self.assertTrue(pattern_of("a … c\n...\nend\n").fullmatch("a b c\nx\ny\nend\n"))
        self.assertFalse(pattern_of("a … c\nend\n").fullmatch("a b c\nx\nend\n"))
        self.assertFalse(pattern_of("3 (1)\n").fullmatch("3 1\n"))


if __name__ == "__main__":
    unittest.main()
