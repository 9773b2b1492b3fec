#!/usr/bin/env python3
"""Checks that the targets the README names exist and that the links of all documents have targets. tests/docs runs its programs.

    tests/install/readme_test.py [Case.test ...]
"""
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
README = (ROOT / "README.md").read_text()


class Readme(unittest.TestCase):
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
