#!/usr/bin/env python3
"""Output and effects of scripts/setup on different systems, simulated by programs on PATH.

    tests/install/setup_test.py [Case.test ...]
"""
import contextlib
import os
import pathlib
import pty
import re
import subprocess
import tempfile
import unittest

SETUP = pathlib.Path(__file__).resolve().parent.parent.parent / "scripts" / "setup"
PACKAGES = re.search(r"packages=\((.*?)\)", SETUP.read_text(), re.S)[1].split()


class Setup(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.dir = pathlib.Path(directory.name)
        self.bin = self.dir / "bin"
        self.bin.mkdir()
        for tool in ("bash", "sed", "tr"):
            real = subprocess.run(["bash", "-c", f"command -v {tool}"], text=True, capture_output=True, check=True)
            (self.bin / tool).symlink_to(real.stdout.strip())

    def program(self, name, text):
        path = self.bin / name
        path.write_text("#!" + str(self.bin / "bash") + "\n" + text)
        path.chmod(0o755)

    def system(self, missing=(), offered=PACKAGES, user=1000, sudo=False):
        """A Debian or Ubuntu without the packages in `missing`; what apt-get is asked for is written down."""
        here = "\n".join(f"installed:{package}" for package in PACKAGES if package not in missing)
        self.program("dpkg-query", f"echo '{here}'\nexit {1 if missing else 0}")
        self.program("apt-cache", f"[[ ' {' '.join(offered)} ' == *\" $2 \"* ]]")
        self.program("apt-get", f"echo \"$@\" >> {self.dir}/asked")
        self.program("id", f"echo {user}")
        if sudo:
            self.program("sudo", "[ \"$1\" = -n ] && shift\nexec \"$@\"")
            self.program("true", "exit 0")

    def setup(self):
        done = subprocess.run([str(self.bin / "bash"), str(SETUP)], env={"PATH": str(self.bin)}, text=True, capture_output=True)
        asked = self.dir / "asked"
        return done.returncode, done.stderr, asked.read_text() if asked.exists() else ""

    def test_nothing_is_done_if_all_packages_are_installed(self):
        self.system()
        self.assertEqual(self.setup(), (0, "", ""))

    def test_without_root_it_lists_the_missing_packages(self):
        self.system(missing=["ninja-build", "llvm-19-dev"])
        status, said, asked = self.setup()
        self.assertEqual((status, asked), (1, ""))
        self.assertEqual(said.count("\n"), 1, said)
        self.assertIn("apt-get install llvm-19-dev ninja-build\n", said)

    def test_root_installs_only_the_missing_packages(self):
        self.system(missing=["ninja-build"], user=0)
        status, said, asked = self.setup()
        self.assertEqual((status, said), (0, ""))
        self.assertRegex(asked, r"update -qq\n.*install -y -qq --no-install-recommends ninja-build\n$")

    def test_sudo_without_a_password_is_used(self):
        self.system(missing=["cmake"], sudo=True)
        self.assertIn("--no-install-recommends cmake\n", self.setup()[2])

    def at_a_terminal(self, answer, *arguments, **settings):
        """The exit status, what the terminal shows and what apt-get was asked for."""
        outer, inner = pty.openpty()
        started = subprocess.Popen([str(self.bin / "bash"), str(SETUP), *arguments], env={"PATH": str(self.bin), **settings},
                                   stdin=inner, stdout=inner, stderr=inner)
        os.close(inner)
        os.write(outer, answer.encode())
        shown = b""
        with contextlib.suppress(OSError):  # the end of a terminal
            while part := os.read(outer, 1000):
                shown += part
        os.close(outer)
        asked = self.dir / "asked"
        return started.wait(), shown.decode(), asked.read_text() if asked.exists() else ""

    def test_at_a_terminal_it_says_what_it_will_install_and_asks(self):
        self.system(missing=["ninja-build", "cmake"], user=0)
        status, shown, asked = self.at_a_terminal("n\n")
        self.assertEqual((status, asked), (1, ""))
        self.assertRegex(shown, r"apt-get would install now: cmake ninja-build\r\n")
        status, shown, asked = self.at_a_terminal("y\n")
        self.assertEqual(status, 0, shown)
        self.assertIn("--no-install-recommends cmake ninja-build\n", asked)

    def test_it_does_not_ask_in_ci_or_when_told_yes(self):
        for arguments, settings in ((["--yes"], {}), ([], {"CI": "true"})):
            self.system(missing=["cmake"], user=0)
            status, shown, asked = self.at_a_terminal("", *arguments, **settings)
            self.assertEqual(status, 0, shown)
            self.assertNotIn("[Y/n]", shown)
            self.assertIn("--no-install-recommends cmake\n", asked)

    def test_packages_that_apt_does_not_find_are_named(self):
        self.system(missing=["clang-19", "cmake"], offered=["cmake"], user=0)
        status, said, asked = self.setup()
        self.assertEqual(status, 1)
        self.assertIn("apt does not find: clang-19.", said)
        self.assertNotIn("install -y", asked)

    def test_without_dpkg_it_lists_the_packages(self):
        status, said, _ = self.setup()
        self.assertEqual(status, 1)
        self.assertIn("Reprise needs clang++-19;", said)


if __name__ == "__main__":
    unittest.main()
