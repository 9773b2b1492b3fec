#!/bin/bash
# Builds every language test with nvcc and runs it on this machine's GPU. Takes what tests/conformance/run_on_gpu.sh does.
here=$(cd "$(dirname "$0")" && pwd)
[ $# -gt 0 ] || set -- "$here" "$here/separate"
BUILD=${BUILD:-$here/../../build-gpu/language} exec "$here/../conformance/run_on_gpu.sh" "$@"
