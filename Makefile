# Two commands for a clean checkout, and a few for daily work. The build itself is Meson's.
#
#   make bench         installs what is missing, builds, runs the default benchmark
#   make bench-docs    renews the figures and pictures of docs/benchmarks.md, on a quiet machine
#   make docs          builds the API reference from the headers: BUILD/reference/html/index.html
#   make test          installs what is missing, builds, runs every test
#   make determinism   compares the bits of full scenes over compilers, flags, instruction sets,
#                      threads and processors; takes long
#   make windows       builds libraries and examples for Windows with mingw-w64; runs them if there
#                      is wine
#   make sanitize      runs the tests under the address, undefined-behaviour and thread sanitizers
#   make fuzz          runs each fuzz target for FUZZ_SECONDS under sanitizers and all checks
#   make shots         fires SHOTS (10,000) continuous bodies of each shape at each thin target; takes
#                      hours, or minutes for one: SHOTS_OF=ball, brick, pill, drum, stone, rod, disc,
#                      dumbbell, block, star, ring or vane; SHOTS_AT=foil, plate, sheet, web, field,
#                      half-space, flying-foil, turning-web, loose-plate, flying-field,
#                      swinging-foil or bullet; SHOTS_FIRST is the number of the first;
#                      SHOTS_PRECISION is single or double
#   make worlds        steps WORLDS (300) heaps that are drawn by lot, from number WORLDS_FIRST (1)
#                      on, by all solvers, and asks that they hold together and come to rest;
#                      WORLDS_PRECISION is single or double
#   make rigs          the same of RIGS (200) rigs of bodies and joints, from number RIGS_FIRST on:
#                      that they gain no energy; RIGS_PRECISION is single or double
#   make clean         removes the build directories
#
# CC chooses the compiler, BUILD the directory, MESON_ARGS adds options (-Dprecision=single),
# BENCH_ARGS goes to lode-bench, TEST_ARGS to `meson test`. FUZZ_TARGETS chooses among the targets,
# FUZZ_ARGS goes to libFuzzer, FUZZ_PRECISION is single or double.

BUILD ?= build
MESON_ARGS ?=
BENCH_ARGS ?=
TEST_ARGS ?=
FUZZ_SECONDS ?= 60
FUZZ_TARGETS ?= pairs builders snapshots calls materials urdf articulations
FUZZ_ARGS ?=
FUZZ_PRECISION ?= single
SHOTS ?= 10000
SHOTS_OF ?=
SHOTS_AT ?=
SHOTS_FIRST ?= 0
SHOTS_PRECISION ?= single
WORLDS ?= 300
WORLDS_FIRST ?= 1
WORLDS_PRECISION ?= single
RIGS ?= 200
RIGS_FIRST ?= 1
RIGS_PRECISION ?= double
SANITIZERS = address,undefined thread

# An existing directory is configured again, so that options given now count.
configure = meson setup $(if $(wildcard $(1)/build.ninja),--reconfigure) $(1)

.PHONY: all bench bench-docs docs test determinism windows sanitize fuzz shots worlds rigs clean

all:
	@tools/install_deps.sh bench
	$(call configure,$(BUILD)) -Dbench=true $(MESON_ARGS)
	ninja -C $(BUILD)

bench:
	@tools/install_deps.sh bench
	$(call configure,$(BUILD)) -Dbench=true $(MESON_ARGS)
	ninja -C $(BUILD) bench/lode-bench
	$(BUILD)/bench/lode-bench $(BENCH_ARGS)

bench-docs:
	@tools/install_deps.sh bench
	$(call configure,$(BUILD)) -Dbench=true $(MESON_ARGS)
	ninja -C $(BUILD) bench/lode-bench bench/lode-bench-double
	tools/bench_docs.py $(BUILD)

docs:
	@tools/install_deps.sh docs
	@mkdir -p $(BUILD)/reference
	REFERENCE_DIR=$(BUILD)/reference doxygen docs/Doxyfile
	@echo "$(BUILD)/reference/html/index.html"

test:
	@tools/install_deps.sh test
	$(call configure,$(BUILD)) -Dtests=true $(MESON_ARGS)
	ninja -C $(BUILD)
	@tools/run_tests.py $(BUILD) $(TEST_ARGS)

determinism:
	@tools/install_deps.sh determinism
	tools/determinism.py --build $(BUILD)-determinism

windows:
	@tools/install_deps.sh windows
	$(call configure,$(BUILD)-windows) --cross-file tools/cross/mingw-w64.ini $(MESON_ARGS)
	ninja -C $(BUILD)-windows
	@tools/run_windows.sh $(BUILD)-windows

sanitize: $(SANITIZERS:%=sanitize-%)

# At -O1 a kernel file takes gcc ten seconds under the sanitizers, at -O2 with -g minutes. `meson
# test` builds what the chosen tests need and no more. No comma in the directory's name: the linker
# would take what follows for an argument of its own.
comma = ,
sanitize-%: sanitized = $(BUILD)-$(subst $(comma),-,$*)
sanitize-%:
	@tools/install_deps.sh test
	$(call configure,$(sanitized)) -Dsanitize=$* -Dtests=true -Dbench=false \
		-Doptimization=1 $(MESON_ARGS)
	@tools/run_tests.py $(sanitized) -t 4 --no-suite slow $(TEST_ARGS)

# What is found stays in BUILD-fuzz-single/found; tests/fuzz/README.md says what to do with it.
fuzz: build_fuzz = $(BUILD)-fuzz-$(FUZZ_PRECISION)
fuzz:
	@tools/install_deps.sh fuzz
	CC=clang $(call configure,$(build_fuzz)) -Dfuzz=true -Dtests=false -Dbench=false \
		-Dprecision=$(FUZZ_PRECISION) -Dinstruction_sets=sse2,neon -Doptimization=1 $(MESON_ARGS)
	ninja -C $(build_fuzz) $(FUZZ_TARGETS:%=tests/fuzz/fuzz_%_$(FUZZ_PRECISION)) \
		tests/fuzz/seeds_$(FUZZ_PRECISION)
	@tools/fuzz.sh $(build_fuzz) $(FUZZ_PRECISION) $(FUZZ_SECONDS) "$(FUZZ_TARGETS)" $(FUZZ_ARGS)

shots:
	@tools/install_deps.sh test
	$(call configure,$(BUILD)) -Dtests=true $(MESON_ARGS)
	ninja -C $(BUILD) tests/world_shots_$(SHOTS_PRECISION)
	LODE_SHOTS=$(SHOTS) LODE_FIRST=$(SHOTS_FIRST) LODE_BULLET=$(SHOTS_OF) LODE_TARGET=$(SHOTS_AT) \
		$(BUILD)/tests/world_shots_$(SHOTS_PRECISION)

worlds:
	@tools/install_deps.sh test
	$(call configure,$(BUILD)) -Dtests=true $(MESON_ARGS)
	ninja -C $(BUILD) tests/fidelity_worlds_$(WORLDS_PRECISION)
	LODE_WORLDS=$(WORLDS) LODE_FIRST=$(WORLDS_FIRST) \
		$(BUILD)/tests/fidelity_worlds_$(WORLDS_PRECISION)

rigs:
	@tools/install_deps.sh test
	$(call configure,$(BUILD)) -Dtests=true $(MESON_ARGS)
	ninja -C $(BUILD) tests/fidelity_rigs_$(RIGS_PRECISION)
	LODE_RIGS=$(RIGS) LODE_FIRST=$(RIGS_FIRST) \
		$(BUILD)/tests/fidelity_rigs_$(RIGS_PRECISION)

clean:
	rm -rf $(BUILD) $(BUILD)-*
