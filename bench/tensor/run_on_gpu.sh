#!/bin/bash
# Runs what `cmake --preset gpu` built of the tensor layer on this machine's GPU: its tests, then bench_tensor beside
# PyTorch. About a minute.
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
