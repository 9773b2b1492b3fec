#!/bin/bash
# Runs the tests of the tensor library and bench_tensor, built by `cmake --preset gpu`, on the GPU of this machine, and compares
# with PyTorch. Takes about a minute.
#
#   bench/tensor/run_on_gpu.sh [BUILD]      BUILD: build-gpu
set -u
here=$(cd "$(dirname "$0")" && pwd)
build=${1:-$here/../../build-gpu}
packages=$(python3 -c 'import os, torch; print(os.path.join(os.path.dirname(os.path.dirname(torch.__file__)), "nvidia"))' 2>/dev/null)
for folder in /usr/local/cuda/lib64 "$packages"/*/lib; do
  [ -d "$folder" ] && export LD_LIBRARY_PATH="${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}$folder"
done
failed=0
for test in "$build"/bin/cublas_test "$build"/bin/tensor_*_test; do
  [ -x "$test" ] || continue
  echo "== $(basename "$test")"
  timeout 120 "$test" --gtest_brief=1 || failed=1
done
"$build"/bin/bench_tensor --nodes || failed=1
python3 "$here/compare_with_pytorch.py" "$build/bin/bench_tensor" || failed=1
exit $failed
