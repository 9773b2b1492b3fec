#!/bin/bash
# Builds conformance tests with nvcc and runs them on this machine's GPU, whose answers are the expectations.
#
#   tests/conformance/run_on_gpu.sh [WHAT...]   files, folders, rooms (graph/update) or subjects (event/wait, memset);
#                                               all conformance tests by default
#   PROBE=1 ...                                 also keeps every answer, in RESULTS/probe.txt: see support.h
#
# A folder's options.txt has further options for nvcc and further source files of its programs.
# In the environment: NVCC, ARCH (sm_90), JOBS, BUILD (folder for the programs), RESULTS (folder for the logs), and
# GTEST_SOURCE, a folder with GoogleTest's include/ and src/, for a machine where it is not installed.
#
# A program's tests run in one process. Suites named Sticky... and Hazard..., and tests that failed or got no verdict
# because the program crashed, run again in one process each: the report is of the test alone.
set -u
here=$(cd "$(dirname "$0")" && pwd)
tests=$(dirname "$here")
NVCC=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
ARCH=${ARCH:-sm_90}
JOBS=${JOBS:-$(nproc)}
BUILD=${BUILD:-$here/../../build-gpu/conformance}
RESULTS=${RESULTS:-$BUILD/results}
mkdir -p "$BUILD" "$RESULTS"
BUILD=$(realpath "$BUILD") RESULTS=$(realpath "$RESULTS")
rm -f "$RESULTS"/*.log "$RESULTS"/*.verdicts
export here tests NVCC ARCH BUILD RESULTS

if [ -n "${GTEST_SOURCE:-}" ]; then
  export GTEST_FLAGS="-I$GTEST_SOURCE/include" GTEST_LIBRARIES="$BUILD/gtest-all.o $BUILD/gtest_main.o"
  for part in gtest-all gtest_main; do
    [ -e "$BUILD/$part.o" ] || g++ -O1 -std=c++17 -I"$GTEST_SOURCE" -I"$GTEST_SOURCE/include" -c \
      "$GTEST_SOURCE/src/$part.cc" -o "$BUILD/$part.o" || exit 1 &
  done
  wait
else
  export GTEST_FLAGS="" GTEST_LIBRARIES="-lgtest -lgtest_main"
fi

# tests/conformance/graph/replay/launch_test.cu is the program graph_replay_launch_test.
program_of() {
  local path=${1%.cu}
  case $path in
    "$tests"/*) path=${path#"$tests"/*/} ;;
    *) path=$(basename "$path") ;;
  esac
  echo "${path//\//_}"
}

build() {
  local source=$1 name options
  name=$(program_of "$source")
  if [ -e "$BUILD/$name" ] && [ -z "$(find "$source" "$here" "$(dirname "$source")" "$tests"/*.h -newer "$BUILD/$name" \
      \( -path "$source" -o -name '*.h' -o -name options.txt \) )" ]; then return; fi
  options=$(cat "$(dirname "$source")/options.txt" 2>/dev/null)
  cd "$(dirname "$source")" || return
  "$NVCC" -std=c++17 -O1 -arch="$ARCH" $options -I"$here" -I"$tests" $GTEST_FLAGS "$source" -o "$BUILD/$name" \
    $GTEST_LIBRARIES -lpthread >"$RESULTS/$name.build.log" 2>&1 || { rm -f "$BUILD/$name"; echo "BUILD FAILED $name"; }
}

# alone PROGRAM TEST: one test in its own process, with its verdict as the last line of its log.
alone() {
  local program=$1 test=$2 log="$RESULTS/$1.${2//\//_}.log" status  # names of instances have slashes
  timeout 60 "$BUILD/$program" --gtest_color=no --gtest_filter="$test" >"$log" 2>&1
  status=$?
  if grep -q '^\[  SKIPPED \]' "$log"; then echo "SKIPPED $test"
  elif [ $status = 0 ]; then echo "OK $test"
  elif [ $status = 124 ]; then echo "TIMEOUT $test"
  elif [ $status -ge 128 ]; then echo "CRASHED($((status - 128))) $test"
  else echo "FAILED $test"
  fi
}

run() {
  local program=$1 log="$RESULTS/$1.log" verdicts="$RESULTS/$1.verdicts" test verdict
  : >"$verdicts"
  timeout 240 "$BUILD/$program" --gtest_color=no --gtest_filter='-Sticky*:Hazard*' >"$log" 2>&1
  "$BUILD/$program" --gtest_list_tests | awk '/^[^ ]/ {suite=$1} /^ / {print suite $1}' | while read -r test; do
    if grep -qF "[       OK ] $test (" "$log"; then echo "OK $test"
    elif grep -qF "[  SKIPPED ] $test (" "$log"; then echo "SKIPPED $test"
    else
      verdict=$(alone "$program" "$test")
      case "$verdict:$test" in
        OK*:Sticky* | OK*:Hazard* | SKIPPED*) echo "$verdict" ;;
        OK*) grep -qF "[  FAILED  ] $test (" "$log" && echo "FAILED-IN-COMPANY $test" || echo "$verdict" ;;
        *) echo "$verdict" ;;
      esac
    fi
  done >"$verdicts"
}
export -f program_of build alone run

sources=()
[ $# -gt 0 ] || set -- "$here"
for what in "$@"; do
  if [ -d "$what" ]; then found=$(find "$what" -name '*_test.cu')
  elif [ -f "$what" ]; then found=$what
  elif [ -d "$here/$what" ]; then found=$(find "$here/$what" -name '*_test.cu')
  else found=$(find "$here" -path "*/${what%_test}_test.cu")
  fi
  [ -n "$found" ] || { echo "$what is no file, folder, room or subject" >&2; exit 2; }
  while read -r source; do sources+=("$(realpath "$source")"); done < <(sort <<<"$found")
done
names=(); for source in "${sources[@]}"; do names+=("$(program_of "$source")"); done
printf '%s\n' "${sources[@]}" | xargs -P "$JOBS" -I{} bash -c 'build {}'
built=(); for name in "${names[@]}"; do [ -x "$BUILD/$name" ] && built+=("$name"); done
printf '%s\n' "${built[@]}" | xargs -P "${RUN_JOBS:-4}" -I{} bash -c 'run {}' 2>/dev/null

for name in "${names[@]}"; do
  [ -x "$BUILD/$name" ] || { echo "== $name: BUILD FAILED"; grep -m5 error "$RESULTS/$name.build.log"; continue; }
  bad=$(grep -vE '^(OK|SKIPPED) ' "$RESULTS/$name.verdicts")
  echo "== $name: $(grep -c '^OK ' "$RESULTS/$name.verdicts") ok," \
    "$(grep -c '^SKIPPED ' "$RESULTS/$name.verdicts") skipped, $(grep -c . <<<"$bad") not"
  [ -n "$bad" ] && while read -r verdict test; do
    echo "  $verdict $test"
    log="$RESULTS/$name.${test//\//_}.log"
    [ "$verdict" = FAILED-IN-COMPANY ] && log="$RESULTS/$name.log"
    awk -v test="$test" '
      /^\[ RUN/ {on = $NF == test}
      /^\[/ || /^PROBE/ || /^$/ {if (text != "") print "      " text; text = ""; next}
      on && /_test.cu:[0-9]+: Failure/ {if (text != "") print "      " text; split($1, at, ":"); text = at[2] ":"; next}
      text != "" && !/^Value of: / && $0 != "Expected: true" {sub("^ *(Actual: false \\()?", ""); text = text " " $0}
      END {if (text != "") print "      " text}' "$log" 2>/dev/null | cut -c1-400 | head -60
  done <<<"$bad"
done
cat "$RESULTS"/*.log | grep -a '^PROBE ' | awk '!seen[$0]++' >"$RESULTS/probe.txt"
cat "$RESULTS"/*.verdicts | awk '{count[$1]++} END {for (v in count) printf "%s %d  ", v, count[v]; print ""}'
! cat "$RESULTS"/*.verdicts | grep -qvE '^(OK|SKIPPED) '
