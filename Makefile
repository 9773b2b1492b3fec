# make run      builds Reprise and runs the examples on the CPU
# make test     builds and tests, in minutes
# make check    the long tests: sanitizers, larger random models. With REPRISE_LONG_TESTS=full the models have their largest
#               size, which takes many minutes; make check-kernels runs ten thousand random kernels
# make lint     format, include rules, files that the docs name, clang-tidy on the lines changed since BASE (HEAD^)
# make build    leaves every program in build/bin
# make bench    the benchmarks
# make install  to PREFIX (/usr/local)
# make package  a .deb, a tarball and a Python wheel in dist/
# make site     the documentation as a site in build/site (mkdocs-material from PyPI), with dead links as errors
# make check-packages  installs them in bare roots of Debian 12 and Ubuntu 24.04; needs root and debootstrap
# Each target installs the packages it needs (scripts/setup).

PREFIX ?= /usr/local
JOBS ?= $(shell nproc)
CTEST = ctest --output-on-failure --parallel $(JOBS)

.PHONY: all setup build run test lint check check-asan check-tsan check-kernels bench install package check-packages site clean

all: build

setup:
	@scripts/setup

build/build.ninja: | setup
	cmake --preset default

build: setup build/build.ninja
	cmake --build build --parallel $(JOBS)

# Builds only the targets that the examples need, without tests and benchmarks.
run: setup build/build.ninja
	cmake --build build --parallel $(JOBS) --target reprise reprise-nvcc reprise-device-cc reprise_tool tensor_examples
	scripts/run_examples build

test: build
	$(CTEST) --test-dir build

lint: setup build/build.ninja
	scripts/format --check
	scripts/check_layers
	scripts/check_docs
	scripts/tidy $(BASE)

check: build check-asan check-tsan
	REPRISE_LONG_TESTS=$${REPRISE_LONG_TESTS:-1} $(CTEST) --test-dir build --label-regex long

# Only code that runs in a user's process is instrumented; the compilers are those of the plain build. By default,
# ThreadSanitizer waits a second at the end of every program for threads that still run.
check-asan check-tsan: check-%: build
	cmake --preset $*
	cmake --build build-$* --parallel $(JOBS)
	TSAN_OPTIONS=atexit_sleep_ms=50 $(CTEST) --test-dir build-$*

# Compares ten thousand random kernels with the interpreter, which takes a quarter of an hour on two cores.
check-kernels: build
	DEVICE_CC=build/bin/reprise-device-cc PRELUDE=tests/compiler/random/prelude.cuh build/bin/random_kernels 0 10000

bench: build
	scripts/run_benchmarks build

install: build
	cmake --install build --prefix $(PREFIX)

package: build
	scripts/setup dpkg-dev xz-utils
	scripts/package --build build --out dist

check-packages: package
	scripts/check_packages dist

site:
	scripts/setup python3-venv
	test -x build/site-venv/bin/mkdocs || python3 -m venv build/site-venv
	build/site-venv/bin/pip install --quiet 'mkdocs-material<10'
	NO_MKDOCS_2_WARNING=1 build/site-venv/bin/mkdocs build --strict --config-file packaging/site/mkdocs.yml

clean:
	rm -rf build build-asan build-tsan build-gpu
