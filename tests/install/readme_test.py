#!/usr/bin/env python3
"""Checks the README: its first program is the example's, its commands print what it shows, its links have targets.

    REPRISE_BUILD=build tests/install/readme_test.py [Case.test ...]
"""
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = pathlib.Path(os.environ.get("REPRISE_BUILD", "build")).resolve()
README = (ROOT / "README.md").read_text()


class Readme(unittest.TestCase):
    def test_the_first_program_is_the_examples(self):
        source = (ROOT / "examples/saxpy.cu").read_text().splitlines()
        lines = [line for line in re.search(r"```cpp\n(.*?)```", README, re.S)[1].splitlines() if line and line != "..."]
        self.assertGreater(len(lines), 3)
        for line in lines:
            self.assertIn(line, source)

    def test_its_commands_print_what_it_shows(self):
        shown = re.search(r"```\n(\$ .*?)```", README, re.S)[1]
        with tempfile.TemporaryDirectory() as directory:
            os.symlink(BUILD, pathlib.Path(directory, "build"))
            os.symlink(ROOT / "examples", pathlib.Path(directory, "examples"))
            printed = ""
            for line in shown.splitlines():
                if line.startswith("$ "):
                    done = subprocess.run(line[2:], shell=True, cwd=directory, text=True, capture_output=True)
                    self.assertEqual((done.returncode, done.stderr), (0, ""), line)
                    printed += line + "\n" + done.stdout
        processor = r"device \(.*\)"  # its name is the machine's
        self.assertEqual(re.sub(processor, "", printed), re.sub(processor, "", shown))

    def test_its_targets_are_in_the_makefile(self):
        targets = re.search(r"^\.PHONY: (.*)$", (ROOT / "Makefile").read_text(), re.M)[1].split()
        named = re.findall(r"(?:^|`)make (\w+)", README, re.M)
        self.assertGreater(len(named), 2)
        for target in named:
            self.assertIn(target, targets)

    def test_links_of_all_documents_lead_somewhere(self):
        for document in [ROOT / "README.md", *(ROOT / "docs").glob("*.md"), ROOT / "bench/RESULTS.md"]:
            prose = re.sub(r"```.*?```|`[^`\n]*`", "", document.read_text(), flags=re.S)
            for link in re.findall(r"\]\(([^)#]+?)(?:#[^)]*)?\)", prose):
                if "://" not in link:
                    self.assertTrue((document.parent / link).exists(), f"{document}: {link}")


if __name__ == "__main__":
    unittest.main()
