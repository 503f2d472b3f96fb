# Commands of this repository. `just` lists them.

set shell := ["bash", "-euo", "pipefail", "-c"]

# List the recipes
default:
    @just --list --unsorted

# Run all tests on this machine's CPU
[group('check')]
test *ARGS:
    cargo test --workspace --exclude eltwise-onnxruntime {{ ARGS }}

# Compare a million random layouts and programs with the reference on every ISA; ARGS: --layouts N, --programs N, --seed S
[group('check')]
soak *ARGS:
    cargo run --quiet --release -p eltwise-testkit --features soak --bin soak -- {{ ARGS }}

# Run the tests of kernels and library with the instruction set limited to ISA: scalar, avx2, avx512, neon ...
[group('check')]
test-isa ISA:
    ELTWISE_ISA={{ ISA }} tools/workspace-tests.py eltwise-kernels eltwise

# Test a build with one feature only (f64, half, small-int, wide-int, rayon, ndarray, check); compiles kernels for some minutes
[group('check')]
test-feature FEATURE:
    cargo test -p eltwise --no-default-features --features {{ FEATURE }} --lib --test dtype_features --test check_mode

# Check format, lints, house rules and structure, and that the fuzz targets compile (needs a C++ compiler)
[group('check')]
lint:
    cargo fmt --all --check
    cargo clippy --workspace --all-targets --all-features -- -D warnings
    cargo check --manifest-path fuzz/Cargo.toml
    just check

# Check house rules, structure, dependencies and the number of unsafe blocks, without building
[group('check')]
check:
    tools/check-house-rules.sh
    tools/check-structure.py
    tools/check-dependencies.py
    tools/count-unsafe.py

# Compare the public API with that of an earlier revision; the default is in tools/semver-baseline.txt
[group('check')]
semver *REVISION:
    tools/check-semver.sh {{ REVISION }}

# Run the tests of the library, except `allocation`, in check mode, where every run is compared with the reference
[group('check')]
check-mode *ARGS='--lib --test in_place --test programs --test expr --test transpose':
    ELTWISE_CHECK=1 PROPTEST_CASES=${PROPTEST_CASES:-32} cargo test --release -p eltwise --features check {{ ARGS }}

# Compare the math kernels with the oracle; ARGS: --quick, --function F, --dtype D, --tier T, --isa I, --json FILE, --help
[group('check')]
verify *ARGS:
    cargo run --quiet --release -p eltwise-cli --features verify -- verify {{ ARGS }}

# Format all code
[group('check')]
fmt:
    cargo fmt --all
    cargo fmt --manifest-path fuzz/Cargo.toml

# Build the documentation; warnings are errors
[group('check')]
docs *ARGS:
    RUSTDOCFLAGS=-Dwarnings cargo doc --workspace --no-deps --all-features {{ ARGS }}

# Build the Python wheel and run its tests in a new virtual environment; ARGS go to pytest
[group('check')]
python *ARGS:
    tools/test-python.sh {{ ARGS }}

# Write the files that are made from the installed Python package: type stubs, examples of docstrings, docs/python/api.md
[group('check')]
python-files PYTHON='target/python/venv/bin/python':
    for tool in stubs examples api; do {{ PYTHON }} tools/python-$tool.py; done

# Build the source distribution and wheels of the Python package in target/python/dist, and test them in clean environments
[group('check')]
python-package *PYTHONS:
    tools/python-package.sh {{ PYTHONS }}

# Write the licences of the crates in the wheels; needs cargo-about
[group('check')]
python-licences:
    for package in python onnxruntime; do \
        (cd crates/eltwise-$package && cargo about generate -m Cargo.toml -c ../eltwise-python/about.toml \
            ../eltwise-python/about.hbs | sed 's/ *$//' >LICENSES-THIRD-PARTY.txt); done

# Test the ONNX Runtime plug-in with all versions of the runtime, and time real models with and without it
[group('check')]
onnxruntime:
    tools/test-onnxruntime.sh --all

# Run NumPy's tests of ufuncs, and with --array-api FOLDER the array API's, with our functions; PYTHON has eltwise, pytest, hypothesis
[group('check')]
suites PYTHON='target/python/venv/bin/python' *ARGS:
    {{ PYTHON }} tools/python-suites.py {{ ARGS }}

# Run all checks that a change must pass
[group('check')]
ci:
    .ci/run

# Run tests on aarch64 under qemu (Debian; installs the toolchain)
[group('other CPUs')]
aarch64 *CRATES:
    tools/test-aarch64.sh {{ CRATES }}

# Run all tests of the library on aarch64 under qemu, for hours (Debian; installs the toolchain)
[group('other CPUs')]
neon:
    tools/test-aarch64.sh eltwise-core eltwise-plan eltwise-simd eltwise-kernels eltwise

# Run tests on emulated x86-64 CPUs without AVX and without AVX-512 (Debian; installs qemu)
[group('other CPUs')]
emulated-x86 *CRATES:
    tools/test-emulated-x86.sh {{ CRATES }}

# Fuzz one target (broadcast, plan, run, parse, files) for SECONDS; needs nightly and `cargo install cargo-fuzz`
[group('fuzz')]
fuzz TARGET='run' SECONDS='300':
    mkdir -p target/corpus/{{ TARGET }}
    cargo +nightly fuzz run --codegen-units 16 {{ TARGET }} target/corpus/{{ TARGET }} fuzz/corpus/{{ TARGET }} -- \
        -max_total_time={{ SECONDS }} -len_control=0 -max_len=512 -malloc_limit_mb=512 -print_funcs=0 -print_final_stats=1

# Fuzz every target for FUZZ_SECONDS (60), with a quarter of the kernels; needs nightly
[group('fuzz')]
fuzz-smoke:
    tools/fuzz-smoke.sh

# Call the installed Python package with random arrays and arguments; PYTHON has eltwise, numpy and ml_dtypes
[group('fuzz')]
fuzz-python PYTHON='target/python/venv/bin/python' SECONDS='60':
    {{ PYTHON }} fuzz/python/border.py --seconds {{ SECONDS }}

# Run the library's tests under AddressSanitizer, with a quarter of the kernels, or with `all` every crate and kernel; needs nightly
[group('check')]
asan *ARGS:
    tools/test-asan.sh {{ ARGS }}

# Insert faults into the planner and print those that its tests miss; needs `cargo install cargo-mutants@27.1.0`
[group('check')]
mutants *ARGS:
    PROPTEST_CASES=64 cargo mutants -p eltwise-plan --test-package eltwise-plan -o target/mutants --no-shuffle --timeout 120 \
        --cargo-arg=--lib --cargo-arg=--tests {{ ARGS }}

# Time the benchmarks; ARGS go to criterion (a filter, --save-baseline NAME, --baseline NAME)
[group('measure')]
bench *ARGS:
    cargo bench -p eltwise-benches --benches -- {{ ARGS }}

# Time the benchmarks, and ndarray and candle-core for the cases that they support; ARGS go to criterion
[group('measure')]
bench-peers *ARGS:
    cargo bench -p eltwise-benches --features peers --benches -- {{ ARGS }}

# Check that `eltwise bench` reports no regression against itself, 20 times (40 s each); ARGS: --runs N, --filter TEXT, --threshold PERCENT
[group('measure')]
bench-self *ARGS:
    tools/bench-self.py {{ ARGS }}

# Check the performance gates of a release (all, or GATE: overhead, contiguous, in-place, division, fusion, kernels, math, hoist, chains, cost, calls, stores, memory)
[group('measure')]
perf-gates *GATE:
    cargo run --quiet --release -p eltwise-benches --bin perf_gates -- {{ GATE }}

# The old name of perf-gates, until the next release
alias must-hold := perf-gates

# Time unusual layouts relative to contiguous operations with the same reads and writes; ARGS: --size, --dtype, --isa, --pattern, --bar, --help
[group('measure')]
layouts *ARGS:
    cargo run --quiet --release -p eltwise-layouts --bin layouts -- {{ ARGS }}

# Measure the constants of the cost model on this machine and print them as a row of `CpuModel`; ARGS: --cases N, --isa ISA, --help
[group('measure')]
fit-cost *ARGS:
    cargo run --quiet --release -p eltwise-layouts --features fit --bin fit_cost -- {{ ARGS }}

# Time random layouts relative to contiguous operations that move the same cache lines; ARGS: --seed, --cases, --elements, --mode, --cold, --peers PYTHON, --markdown, --help
[group('measure')]
survey *ARGS:
    cargo run --quiet --release -p eltwise-layouts --bin survey -- {{ ARGS }}

# Time operators over subnormals, NaN, infinities and huge quotients relative to ordinary values; ARGS: --dtype, --isa, --pattern, --help
[group('measure')]
values *ARGS:
    cargo run --quiet --release -p eltwise-layouts --bin values -- {{ ARGS }}

# Make a Python environment with eltwise and its peers (NumPy, PyTorch, OpenVINO, ONNX Runtime, JAX, numexpr, oneMKL); 4 GB
[group('measure')]
peers-setup DIR:
    benches/peers/setup.sh {{ DIR }}

# Time eltwise and its peers in the environment DIR; ARGS: --bar, --overhead, --only REGEX, --threads N, --markdown FILE
[group('measure')]
peers DIR *ARGS:
    {{ DIR }}/bin/python benches/peers {{ ARGS }}

# Measure this machine's limits and the cases of `eltwise bench`; ARGS: --filter TEXT, --save NAME, --against NAME, --html FILE, --help
[group('measure')]
machine *ARGS:
    cargo run --quiet --release -p eltwise-cli -- bench {{ ARGS }}

# Measure eltwise, NumPy, numexpr, PyTorch and JAX in the environment DIR; writes docs/python/which-tool.md and the README's chart
[group('measure')]
which-tool DIR *ARGS:
    {{ DIR }}/bin/python tools/which-tool.py {{ ARGS }}

# Write docs/performance.md from a run of `eltwise bench` (40 s); ARGS: --peers FILE, written by `just peers DIR --json FILE`; may be repeated
[group('measure')]
performance *ARGS:
    mkdir -p target/performance
    cargo run --quiet --release -p eltwise-cli -- bench --json target/performance/run.json --html target/performance/report.html
    tools/performance.py target/performance/run.json target/performance/report.html {{ ARGS }}

# Compare instructions and allocations of small runs with benches/baseline/ir.json; fails above 2 % more instructions
[group('measure')]
perf-check:
    tools/perf.py check

# Write the current instructions and allocations to the baseline, for an intended change; give the reason in CHANGELOG.md
[group('measure')]
perf-bless:
    tools/perf.py bless

# Count instructions under valgrind; needs `cargo install iai-callgrind-runner@0.16.1`
[group('measure')]
bench-ir *ARGS:
    cargo bench -p eltwise-benches -p eltwise-layouts -p eltwise-ir --features eltwise-ir/ir --bench ir -- {{ ARGS }}

# Print the assembly of the kernels whose name contains FILTER
[group('measure')]
asm *FILTERS:
    tools/asm.sh {{ FILTERS }}

# Print kernels and bytes of code per instruction set, seconds to compile them, and the size of a minimal program
[group('measure')]
size:
    tools/size.py
