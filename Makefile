# ScoreSync. `make` lists the targets.

PREFIX ?= /usr/local
DESTDIR ?=
SEEDS ?= 20000
FUZZ_SECONDS ?= 60
MINUTES ?= 2
# The modules with threads, without the board: the thread sanitizer reports races in what
# Synchronization's Mutex protects if code is not optimized.
CONCURRENT := PeerTransportTests|ControlSocketTests|scoresyncdTests
LARGE := ReplacedSheetTests|SentSheetTests|WatchersTests/once|PhoneCallsTests/together|DamageTests|$\
    ExportTests|InteropTests|InstalledFilesTests|PlayedTerminalTests|RecordedReleaseTests
# More options of the simulator, such as `make simulate SIMULATE="--until-red"`; see `--help`.
SIMULATE ?=
# Options of the bench, such as `make bench QUICK=1` or `make bench BENCH="--only show"`.
BENCH ?= $(if $(QUICK),--quick)
BINARIES := scoresyncd scorectl scoresync-board
# Where optimized programs are built; elsewhere than `.build`, that can be done beside other builds.
SCRATCH ?= .build

# Programs for other machines include the Swift runtime; macOS has it.
RELEASE := -c release --scratch-path $(SCRATCH) $(if $(filter Linux,$(shell uname -s)),--static-swift-stdlib)
# The compiler orders some of its work by hashes, for which Swift seeds each process at random: with one
# seed two builds are equal.
OPTIMIZED := SWIFT_DETERMINISTIC_HASHING=1 swift build $(RELEASE)
PRODUCTS := $$(swift build $(RELEASE) --show-bin-path)

.DEFAULT_GOAL := help
.PHONY: help demo build newcomer play-shelf test build-tests test-tsan simulate attack mutate fuzz upgrade bench lint install uninstall deb rpm
.PHONY: static release reproduce clean dependencies test-dependencies packaged

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' Makefile

demo: build ## build, then play games on three laptops in one terminal
	@"$(PRODUCTS)/scorectl" demo

build: dependencies ## build the daemon, the command line and the board, optimized
	@SCORESYNC_ONLY='$(BINARIES)' $(OPTIMIZED)

newcomer: build test-dependencies ## type what README, tutorial and help print, on three laptops
	@PROGRAMS="$(PRODUCTS)" Scripts/try-as-newcomer

play-shelf: build ## play every example game by the command line (GAME=hearts: of one game)
	@PROGRAMS="$(PRODUCTS)" Scripts/play-shelf $(GAME)

test: test-dependencies ## run all tests, and list skipped ones
	@Scripts/test tests

build-tests: test-dependencies ## build all tests
	@Scripts/test tests --build-only

# The skipped tests are large, and cover the same code as the others.
test-tsan: test-dependencies ## run the concurrent parts under the thread sanitizer
	@SCORESYNC_ONLY='$(CONCURRENT)' \
		Scripts/test tests-tsan --sanitize=thread --scratch-path .build/tsan -- \
		--filter '$(CONCURRENT)' --skip '$(LARGE)'

simulate: test-dependencies ## run the simulation with many seeds (SEEDS=20000)
	@swift build --product simulator
	@"$$(swift build --show-bin-path)/simulator" --seeds $(SEEDS) $(SIMULATE)

attack: build test-dependencies ## let real daemons play among random faults (SEED=, MINUTES=2)
	@PROGRAMS="$(PRODUCTS)" Scripts/attack "$(SEED)" $(MINUTES)

mutate: test-dependencies ## break the engine in many ways, and check that tests find each
	@Scripts/mutate

fuzz: test-dependencies ## fuzz all parsers of untrusted input (FUZZ_SECONDS=60 each; '10 Formulas=30')
	@Scripts/fuzz $(FUZZ_SECONDS)

upgrade: build ## test the programs of an earlier commit (REVISION=) with these
	@PROGRAMS="$(PRODUCTS)" Scripts/upgrade $(REVISION)

bench: build ## measure the speed of each part (QUICK=1: in a minute)
	@$(OPTIMIZED) --product scoresync-bench
	@"$(PRODUCTS)/scoresync-bench" $(BENCH)

lint: test-dependencies ## check the format of code, scripts and texts
	@Scripts/lint

install: build ## install to PREFIX=/usr/local (below DESTDIR if set)
	@DESTDIR="$(DESTDIR)" PREFIX="$(PREFIX)" \
		Scripts/install-files install "$(PRODUCTS)"
	@echo "Installed $(BINARIES), man pages and completions in $(DESTDIR)$(PREFIX)"

uninstall: ## remove installed files
	@DESTDIR="$(DESTDIR)" PREFIX="$(PREFIX)" Scripts/install-files uninstall

deb: packaged ## make a Debian package in .build/packages
	@rm -f .build/packages/*.deb
	@Scripts/debian-package "$(PRODUCTS)" .build/packages

rpm: packaged ## make an RPM package in .build/packages
	@rm -f .build/packages/*.rpm
	@Scripts/rpm-package "$(PRODUCTS)" .build/packages

# Programs of packages, `make static` and `make release` are linked in other ways, and again by the
# next `make build`.
packaged: dependencies
	@SCORESYNC_LINK=packaged SCORESYNC_ONLY='$(BINARIES)' $(OPTIMIZED) --disable-local-rpath

release: dependencies ## make the archives of a release, checksums and a PKGBUILD, in .build/archives
	@rm -rf .build/archives
	@SCORESYNC_LINK=static SCORESYNC_ONLY='$(BINARIES)' $(OPTIMIZED)
	@Scripts/release-archive "$(PRODUCTS)" .build/archives
	@Scripts/arch-package .build/archives

reproduce: ## build the programs of packages twice from nothing, and compare them (10 min)
	@Scripts/reproduce

static: dependencies ## make scorectl and scoresyncd for any Linux of this processor, in .build/static
	@SCORESYNC_LINK=static SCORESYNC_ONLY='scorectl scoresyncd' $(OPTIMIZED)
	@install -d .build/static
	@for binary in scorectl scoresyncd; do \
		install -s -m 755 "$(PRODUCTS)/$$binary" .build/static || exit 1; \
	done
	@echo "Made .build/static/scorectl and .build/static/scoresyncd"

clean: ## remove all build products
	@rm -rf .build

dependencies:
	@Scripts/install-dependencies build

test-dependencies:
	@Scripts/install-dependencies tests
