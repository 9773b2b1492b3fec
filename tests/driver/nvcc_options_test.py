#!/usr/bin/env python3
"""Every option that nvcc 13.0 lists in its help is accepted, or refused with a reason."""
import unittest

from driver_case import DriverCase

OPTIONS = """
--Ofast-compile --Wdefault-stream-launch --Werror --Wext-lambda-captures-this --Wmissing-launch-bounds
--Wno-deprecated-declarations --Wno-deprecated-gpu-targets --Wreorder --allow-unsupported-compiler --archive-options
--archiver-binary --augment-host-linker-script --brief-diagnostics --clean-targets --compile --compile-as-tools-patch
--compiler-bindir --compiler-options --compress-mode --cubin --cuda --cudadevrt --cudart --debug --default-stream
--define-macro --dependency-drive-prefix --dependency-output --dependency-target-name --device-c --device-debug
--device-entity-has-hidden-visibility --device-link --device-stack-protector --device-w --diag-error --diag-suppress
--diag-warn --disable-warnings --display-error-number --dlink-time-opt --dont-use-profile --dopt --drive-prefix
--dryrun --entries --expt-extended-lambda --expt-relaxed-constexpr --extended-lambda --extensible-whole-program
--extra-device-vectorization --fatbin --fdevice-syntax-only --fdevice-time-trace --fmad --force-cl-env-setup
--forward-unknown-opts --forward-unknown-to-host-compiler --forward-unknown-to-host-linker --frandom-seed
--ftemplate-backtrace-limit --ftemplate-depth --ftz --gen-opt-lto --generate-code --generate-dependencies
--generate-dependencies-with-compile --generate-dependency-targets --generate-line-info
--generate-nonsystem-dependencies --generate-nonsystem-dependencies-with-compile --gpu-architecture --gpu-code --help
--host-linker-script --include-path --input-drive-prefix --jobserver --jump-table-density --keep
--keep-device-functions --keep-dir --lib --libdevice-directory --library --library-path --link --linker-options
--list-gpu-arch --list-gpu-code --lto --ltoir --m64 --machine --maxrregcount --no-align-double --no-compress
--no-device-link --no-display-error-number --no-exceptions --no-host-device-initializer-list
--no-host-device-move-forward --nvlink-options --objdir-as-tempdir --optimization-info --optimize --options-file
--optix-ir --output-directory --output-file --pre-include --prec-div --prec-sqrt --preprocess --profile --ptx
--ptxas-options --qpp-config --relocatable-device-code --relocatable-link --relocatable-ptx --resource-usage
--restrict --run --run-args --sanitize --save-temps --shared --source-in-ptx --split-compile --split-compile-extended
--static-global-template-stub --std --system-include --target-directory --threads --time --undefine-macro
--use-local-env --use_fast_math --verbose --version --x -D -I -L -MT -O -Ofc -U -Xarchive -Xcompiler -Xlinker -Xnvlink
-Xptxas -arbin -arch -brief-diag -ccbin -code -ddp -dp -e -gencode -hls -idp -include -isystem -jtd -l -ldir -m -o
-odir -opt-info -optf -rdc -t -target-dir
""".split()
# Not in the help, but in many build files.
UNLISTED = ["-Xfatbin", "--fatbin-options", "-Xcicc"]


class NvccOptions(DriverCase):
    def test_none_is_unknown(self):
        self.write("a.cu", "")
        for option in OPTIONS + UNLISTED:
            with self.subTest(option=option):
                for words in ([option], [option, "1"]):
                    said = self.nvcc("--dryrun", *words, "a.cu", status=None).stderr
                    self.assertNotIn("unknown option", said)

    def test_those_of_other_systems_and_of_nvccs_own_tools_do_nothing(self):
        self.write("a.cu", "__global__ void k() {}\n")
        done = self.nvcc("-c", "a.cu", "--use-local-env", "--force-cl-env-setup", "-fdevice-time-trace", "trace.json", "-idp", "a",
                         "-ddp", "b", "-dp", "c", "-Xfatbin", "-compress-all", "-Xcicc", "-O3", "--fdevice-syntax-only")
        self.assertEqual(done.stdout + done.stderr, "")
        self.assertTrue((self.dir / "a.o").exists())

    def test_unavailable_outputs_are_refused_with_a_reason(self):
        self.write("a.cu", "")
        for words, reason in ((["-ptx"], "PTX, cubin, fatbin"), (["-cubin"], "PTX, cubin, fatbin"), (["--qpp-config", "x"], "QNX"),
                              (["-cuda"], "has no C++ intermediate form"), (["-r"], "ld -r"), (["-clean"], "are removed")):
            self.assertIn(reason, self.refused(*words, "a.cu"))


if __name__ == "__main__":
    unittest.main()
