# ScoreSync. `make` alone lists what there is.

PREFIX ?= /usr/local
DESTDIR ?=
SEEDS ?= 20000
FUZZ_SECONDS ?= 60
# Optimized, since many seeds take long; nothing here takes the build of `make test` instead.
SIMULATION := -Xswiftc -O --scratch-path .build/simulate
# More for the simulator, such as `make simulate SIMULATE="--until-red"`: `--help` lists it.
SIMULATE ?=
# How to measure, such as `make bench QUICK=1` or `make bench BENCH="--only show"`.
BENCH ?= $(if $(QUICK),--quick)
BINARIES := scoresyncd scorectl

# Programs that leave this machine carry the Swift runtime with them; macOS has it anyway.
RELEASE := -c release $(if $(filter Linux,$(shell uname -s)),--static-swift-stdlib)

.DEFAULT_GOAL := help
.PHONY: help demo build test test-tsan simulate mutate fuzz bench lint install uninstall clean
.PHONY: dependencies test-dependencies

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' Makefile

demo: build ## build, then play one evening on three laptops in one terminal
	@"$$(swift build $(RELEASE) --show-bin-path)/scorectl" demo

build: dependencies ## build the daemon and the command line, optimized
	@for binary in $(BINARIES); do \
		swift build $(RELEASE) --product $$binary || exit 1; \
	done

test: test-dependencies ## run every test, and say what was skipped and why
	@Scripts/test tests

# The skipped ones play hundreds of moves on the paths of the others.
test-tsan: test-dependencies ## run the concurrent parts under the thread sanitizer
	@Scripts/test tests-tsan --sanitize=thread --scratch-path .build/tsan -- \
		--filter 'PeerTransportTests|scoresyncdTests|ControlSocketTests' \
		--skip 'ReplacedSheetTests|ToldSheetTests'

simulate: test-dependencies ## run the simulation with many seeds (SEEDS=20000)
	@swift build --product simulator $(SIMULATION)
	@"$$(swift build --show-bin-path $(SIMULATION))/simulator" --seeds $(SEEDS) $(SIMULATE)

mutate: test-dependencies ## break the engine in many ways, and see that each is found
	@Scripts/mutate

fuzz: test-dependencies ## throw damaged input at what strangers can send (FUZZ_SECONDS=60 each)
	@Scripts/fuzz $(FUZZ_SECONDS)

bench: build ## measure the speed of each part (QUICK=1: in a minute)
	@swift build $(RELEASE) --product scoresync-bench
	@"$$(swift build $(RELEASE) --show-bin-path)/scoresync-bench" $(BENCH)

lint: test-dependencies ## check the form of code, scripts and texts
	@Scripts/lint

install: build ## install to PREFIX=/usr/local (below DESTDIR, when that is set)
	@install -d "$(DESTDIR)$(PREFIX)/bin"
	@for binary in $(BINARIES); do \
		install -s -m 755 "$$(swift build $(RELEASE) --show-bin-path)/$$binary" \
			"$(DESTDIR)$(PREFIX)/bin/$$binary" || exit 1; \
	done
	@echo "Installed $(BINARIES) in $(DESTDIR)$(PREFIX)/bin"

uninstall: ## remove what install has put there
	@for binary in $(BINARIES); do rm -f "$(DESTDIR)$(PREFIX)/bin/$$binary"; done

clean: ## remove everything that was built
	@rm -rf .build

dependencies:
	@Scripts/install-dependencies build

test-dependencies:
	@Scripts/install-dependencies tests
