"""docs/limits.md names a test for each row: they must exist."""
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Limits(unittest.TestCase):
    def test_every_row_names_a_test_that_exists(self):
        sources = "".join(path.read_text() for path in (ROOT / "tests/tensor").glob("*_test.c*"))
        tests = {f"{suite}.{name}" for suite, name in re.findall(r"^TEST\((\w+), (\w+)\)", sources, re.M)}
        rows = [line for line in (ROOT / "docs/limits.md").read_text().splitlines()
                if line.startswith("| ") and not line.startswith("| limit there")]
        self.assertGreater(len(rows), 30)
        for row in rows:
            named = re.findall(r"`(\w+\.\w+)`", row.split("|")[3])
            self.assertTrue(named, row)
            for test in named:
                self.assertIn(test, tests, row)


if __name__ == "__main__":
    unittest.main()
