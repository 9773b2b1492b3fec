#!/bin/bash
# Builds the language tests with nvcc and runs them on this machine's GPU; arguments as for tests/conformance/run_on_gpu.sh.
here=$(cd "$(dirname "$0")" && pwd)
[ $# -gt 0 ] || set -- "$here"
BUILD=${BUILD:-$here/../../build-gpu/language} exec "$here/../conformance/run_on_gpu.sh" "$@"
