# Builds Vancura: `make` for the CPU at hand, as match runners such as OpenBench expect (`make EXE=name`), `make pgo` for
# the fastest binary, `make install` to install it, `make release` for archives to distribute. EVALFILE=path embeds
# another network. docs/building.md explains each, docs/releasing.md those that publish.
EXE ?= vancura
# FEATURES=tune makes each tuned number of the search a UCI option.
FEATURES ?=
# A name asks for an engine to play matches with, which needs no other command than UCI: it builds much sooner.
# FEATURES=tools adds them.
SLIM := $(if $(filter file default undefined,$(origin EXE)),,--no-default-features)
FEATURE_FLAGS = $(SLIM) $(if $(FEATURES),--features "$(FEATURES)")
ifeq ($(OS),Windows_NT)
  SUFFIX := .exe
endif
BINARY := $(EXE:.exe=)$(SUFFIX)
# Separate from the output of `cargo build`, which runs on any CPU.
TARGET_DIR := target/make

# The target of this machine. When cargo is told a target, RUSTFLAGS do not apply to build scripts.
HOST = $(shell rustc -vV | sed -n 's/^host: //p')

.PHONY: all native portable build pgo datagen install uninstall documents packaging licenses release test regime clean
.PHONY: crates deb image image-files manifests source checksums try-release
.PHONY: wheel python-test
.PHONY: speed web web-single web-threads web-board web-lints web-program web-test web-bench live practice-agreement

all: native

# For this CPU only.
native: export RUSTFLAGS += -C target-cpu=native
native: build

# For any CPU of this architecture.
portable: build

build:
	cargo build --release --locked --package vancura $(FEATURE_FLAGS) --target-dir $(TARGET_DIR)
	cp $(TARGET_DIR)/release/vancura$(SUFFIX) "$(BINARY)"

# All addresses in what is installed and published come from Cargo.toml.
of_manifest = $(shell sed -n 's/^$(1) = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
VERSION = $(call of_manifest,version)
REPOSITORY = $(call of_manifest,repository)
ID := io.github.vancura.vancura

# Installs ./vancura with its documents, manual pages, completions, and what menus show of it. It builds nothing, so that
# nobody gets a program for another CPU than wanted, or compiles as root.
PREFIX ?= /usr/local
DESTDIR ?=
BINDIR := $(DESTDIR)$(PREFIX)/bin
SHARE := $(DESTDIR)$(PREFIX)/share
MAN := $(SHARE)/man/man1
BASH := $(SHARE)/bash-completion/completions
ZSH := $(SHARE)/zsh/site-functions
FISH := $(SHARE)/fish/vendor_completions.d
APPLICATIONS := $(SHARE)/applications
ICONS := $(SHARE)/icons/hicolor/scalable/apps
METAINFO := $(SHARE)/metainfo
DOC := $(SHARE)/doc/vancura
PROGRAM = "$(abspath $(BINARY))"

install:
	@test -x $(PROGRAM) || { echo "make install installs" $(PROGRAM)", which is not there: build it first, with" >&2; \
	  echo "  make            for this CPU" >&2; echo "  make portable   for any CPU of its architecture" >&2; exit 1; }
	install -d "$(BINDIR)" "$(MAN)" "$(BASH)" "$(ZSH)" "$(FISH)" "$(APPLICATIONS)" "$(ICONS)" "$(METAINFO)"
	install -m 755 $(PROGRAM) "$(BINDIR)/vancura$(SUFFIX)"
	$(PROGRAM) man "$(MAN)"
	$(PROGRAM) completions bash > "$(BASH)/vancura"
	$(PROGRAM) completions zsh > "$(ZSH)/_vancura"
	$(PROGRAM) completions fish > "$(FISH)/vancura.fish"
	install -m 644 packaging/$(ID).desktop "$(APPLICATIONS)"
	install -m 644 page/icon.svg "$(ICONS)/$(ID).svg"
	packaging/render "$(METAINFO)" /dev/null packaging/$(ID).metainfo.xml.in
	@$(MAKE) --no-print-directory documents

uninstall:
	rm -f "$(BINDIR)/vancura$(SUFFIX)" "$(MAN)"/vancura.1 "$(MAN)"/vancura-*.1
	rm -f "$(BASH)/vancura" "$(ZSH)/_vancura" "$(FISH)/vancura.fish"
	rm -f "$(APPLICATIONS)/$(ID).desktop" "$(ICONS)/$(ID).svg" "$(METAINFO)/$(ID).metainfo.xml"
	rm -rf "$(DOC)"

# The documents into the folder DOC. What they link to and is not among them is linked to in the repository, at this commit.
TEXTS := README.md AUTHORS CHANGELOG.md LICENSE
REVISION = $(shell git describe --tags --exact-match --match 'v*' 2> /dev/null || git rev-parse HEAD 2> /dev/null || echo v$(VERSION))
elsewhere = sed -E -e 's,\]\(($(1)),](*\1,g' -e 's,\]\((\.\./)?([^*]),]($(REPOSITORY)/blob/$(REVISION)/\2,g' -e 's,\]\(\*,](,g'
documents:
	install -d "$(DOC)/docs"
	for file in $(TEXTS); do $(call elsewhere,docs/|README.md|AUTHORS|CHANGELOG.md|LICENSE|#|[a-z]+:) $$file > "$(DOC)/$$file" || exit; done
	for file in docs/*.md; do $(call elsewhere,[^.]|../(README.md|AUTHORS|CHANGELOG.md|LICENSE)) $$file > "$(DOC)/$$file" || exit; done
	for file in docs/*; do case $$file in *.md) ;; *) install -m 644 $$file "$(DOC)/docs" || exit ;; esac; done

# For this CPU, with profile-guided optimisation: the engine, whose profile is that of the bench, and the program that
# plays games for training, whose profile is that of such games. It needs an llvm-profdata as new as the compiler's LLVM:
# that of rustup's component `llvm-tools`, the one in the path, or LLVM_PROFDATA=path.
PGO_DIR := $(CURDIR)/target/pgo
RUSTUP_PROFDATA = $(wildcard $(shell rustc --print target-libdir)/../bin/llvm-profdata$(SUFFIX))
LLVM_PROFDATA ?= $(or $(RUSTUP_PROFDATA),llvm-profdata)
PGO_FLAGS := -C target-cpu=native
# The flags of the builds, which end with this one: separated by what no path has in it, for RUSTFLAGS ends a flag at a blank.
EMPTY :=
SEPARATOR := $(shell printf '\037')
flags_with = CARGO_ENCODED_RUSTFLAGS="$(subst $(EMPTY) $(EMPTY),$(SEPARATOR),$(strip $(RUSTFLAGS) $(PGO_FLAGS))$(SEPARATOR)-C$(SEPARATOR))$(1)"
pgo datagen: PGO_BUILD = cargo build --release --locked --package $(PACKAGE) --bin $(PROGRAM_NAME) $(PGO_FEATURES) --target $(HOST) --target-dir "$(PGO_DIR)"
pgo datagen: PROFILE = $(PGO_DIR)/$(PROGRAM_NAME).profile
pgo datagen: BUILT = $(PGO_DIR)/$(HOST)/release/$(PROGRAM_NAME)$(SUFFIX)

# Tournaments ask for programs whose crashes name the functions.
pgo: export CARGO_PROFILE_RELEASE_STRIP := none
pgo: PACKAGE := vancura
pgo: PROGRAM_NAME := vancura
pgo: PGO_FEATURES = $(FEATURE_FLAGS)
pgo: WORKLOAD := bench
pgo: PGO_RESULT = $(BINARY)

datagen: PACKAGE := vancura-train
datagen: PROGRAM_NAME := datagen
datagen: WORKLOAD = generate "$(PROFILE)/profile.games" --games 150 --threads 1 --soft-nodes 200 --seed 1
datagen: PGO_RESULT = datagen$(SUFFIX)

pgo datagen:
	@"$(LLVM_PROFDATA)" show --help > /dev/null 2>&1 || { \
	  echo "make $@ needs llvm-profdata: rustup component add llvm-tools, or LLVM_PROFDATA=path" >&2; exit 1; }
	rm -rf "$(PROFILE)"
	mkdir -p "$(PROFILE)"
	$(call flags_with,profile-generate=$(PROFILE)/raw) $(PGO_BUILD)
	"$(BUILT)" $(WORKLOAD) > /dev/null
	@"$(LLVM_PROFDATA)" merge -o "$(PROFILE)/merged.profdata" "$(PROFILE)/raw" || { \
	  echo "$(LLVM_PROFDATA) cannot read what this rustc writes ($$(rustc -vV | sed -n 's/^LLVM version: /LLVM /p')):" \
	    "rustup component add llvm-tools, or LLVM_PROFDATA=path to a newer one" >&2; exit 1; }
	$(call flags_with,profile-use=$(PROFILE)/merged.profdata) $(PGO_BUILD)
	cp "$(BUILT)" "$(PGO_RESULT)"

WEB := web/package
LOADER := page/engine/vancura.js
# The engine without threads as WebAssembly. WASMFILE=path embeds it for `analyse --live`.
WASM_SINGLE := $(WEB)/vancura-single.wasm

# An archive for each installed target (`rustup target add`), whose linker must be installed, and SHA256SUMS. One binary
# runs on any CPU of its architecture and uses AVX2, AVX-512 or NEON where it finds them. Where the compiler can build
# WebAssembly (`rustup target add wasm32-wasip1`), they can write pages with `analyse --live`.
DIST := target/dist
PACKAGING := target/packaging
INSTALLED = $(shell rustup target list --installed 2>/dev/null || echo $(HOST))
TARGETS ?= $(foreach system,linux windows darwin,$(foreach target,$(INSTALLED),$(if $(findstring $(system),$(target)),$(target))))
RELEASE_BUILD = cargo build --release --locked --package vancura --target-dir $(TARGET_DIR) --target
# No other settings, and no runtime library that has to be installed first.
release_flags = $(if $(findstring msvc,$(1)),-C target-feature=+crt-static)

# The same for all builds, or that of this machine would be made twice.
FOR_PAGES = $(if $(filter wasm32-wasip1,$(INSTALLED)),WASMFILE=$(WASM_SINGLE))

# One after the other, whatever -j says: each fills all cores by itself.
release:
	rm -rf $(DIST)
	$(MAKE) licenses
	$(if $(FOR_PAGES),$(MAKE) web-single)
	$(MAKE) packaging $(FOR_PAGES)
	$(MAKE) -j1 $(addprefix archive-,$(TARGETS)) $(FOR_PAGES)
	$(MAKE) source checksums

# The sources of the commit that is checked out, which are told their version.
SOURCE := $(DIST)/vancura-$(VERSION)-source.tar.gz
source:
	mkdir -p $(DIST)
	git archive --format tar --prefix vancura-$(VERSION)/ HEAD | gzip -9n > $(SOURCE)

checksums:
	cd $(DIST) && { sha256sum vancura[-_]*.* 2> /dev/null || shasum -a 256 vancura[-_]*.*; } > SHA256SUMS
	cat $(DIST)/SHA256SUMS

# The manual pages and the completions of the archives. They are the same for every target.
packaging: export RUSTFLAGS = $(call release_flags,$(HOST))
packaging:
	$(RELEASE_BUILD) $(HOST)
	mkdir -p $(PACKAGING)/completions
	$(TARGET_DIR)/$(HOST)/release/vancura$(SUFFIX) man $(PACKAGING)/man
	$(TARGET_DIR)/$(HOST)/release/vancura$(SUFFIX) completions bash > $(PACKAGING)/completions/vancura.bash
	$(TARGET_DIR)/$(HOST)/release/vancura$(SUFFIX) completions zsh > $(PACKAGING)/completions/_vancura
	$(TARGET_DIR)/$(HOST)/release/vancura$(SUFFIX) completions fish > $(PACKAGING)/completions/vancura.fish
	$(TARGET_DIR)/$(HOST)/release/vancura$(SUFFIX) completions powershell > $(PACKAGING)/completions/vancura.ps1
	install -d $(addprefix $(PACKAGING)/share/,applications icons/hicolor/scalable/apps metainfo)
	install -m 644 packaging/$(ID).desktop $(PACKAGING)/share/applications
	install -m 644 page/icon.svg $(PACKAGING)/share/icons/hicolor/scalable/apps/$(ID).svg
	packaging/render $(PACKAGING)/share/metainfo /dev/null packaging/$(ID).metainfo.xml.in

# The licences of all crates in the binary, as the crates themselves contain them. Needs cargo-about: cargo install --locked --features cli cargo-about
licenses:
	mkdir -p $(PACKAGING)
	cargo fetch --locked
	cargo about generate --frozen --fail --manifest-path engine/Cargo.toml --config about.toml \
	  --output-file $(PACKAGING)/THIRD-PARTY-LICENSES.txt about.hbs

# The archive's name: system and architecture, and musl if it is that.
archive-%: NAME = vancura-$(VERSION)-$(shell echo $* | sed -E \
  's/^([^-]+)-.*(linux|windows|darwin)(-musl)?.*/\2-\1\3/; s/darwin/macos/')
archive-%: FILE = vancura$(if $(findstring windows,$*),.exe)
archive-%: export RUSTFLAGS = $(call release_flags,$*)
# Debian's cross linker; the variable of this name chooses another.
archive-aarch64-unknown-linux-gnu: export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER ?= \
  $(if $(findstring aarch64,$(HOST)),cc,aarch64-linux-gnu-gcc)
# Without a C library for this target: no crate needs one, and the compiler brings linker and musl.
archive-aarch64-unknown-linux-musl: export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_MUSL_LINKER ?= rust-lld
# `pip install ziglang` has a linker for it on any system.
archive-aarch64-pc-windows-gnullvm: export CARGO_TARGET_AARCH64_PC_WINDOWS_GNULLVM_LINKER ?= $(abspath packaging/zig-linker)
archive-%:
	$(RELEASE_BUILD) $*
	mkdir -p $(DIST)/$(NAME)
	cp $(TARGET_DIR)/$*/release/$(FILE) $(DIST)/$(NAME)
	cp -R $(PACKAGING)/man $(PACKAGING)/completions $(PACKAGING)/THIRD-PARTY-LICENSES.txt $(DIST)/$(NAME)
	$(if $(findstring linux,$*),cp -R $(PACKAGING)/share $(DIST)/$(NAME))
	$(MAKE) --no-print-directory documents DOC=$(DIST)/$(NAME)
	cd $(DIST) && $(if $(findstring windows,$*),zip -qr $(NAME).zip,tar czf $(NAME).tar.gz) $(NAME)
	rm -r $(DIST)/$(NAME)

# All crates that are published, packed and built as crates.io will have them, in the order of their dependencies.
crates:
	cargo publish --workspace --dry-run --locked

# A Debian package of the program that `make packaging` has built; needs cargo-deb: cargo install --locked cargo-deb
DEB_TARGET ?= $(HOST)
deb: export CARGO_TARGET_DIR := $(abspath $(TARGET_DIR))
deb:
	$(MAKE) --no-print-directory documents DOC=$(PACKAGING)/doc
	cargo deb --locked --package vancura --no-build --target $(DEB_TARGET) --output $(DIST)/

# A container image of the static programs in $(DIST), with docker or podman.
CONTAINERS ?= docker
image-files:
	rm -rf $(PACKAGING)/image
	mkdir -p $(PACKAGING)/image/amd64 $(PACKAGING)/image/arm64
	tar xzf $(DIST)/vancura-$(VERSION)-linux-x86_64-musl.tar.gz -C $(PACKAGING)/image/amd64 --strip-components 1
	tar xzf $(DIST)/vancura-$(VERSION)-linux-aarch64-musl.tar.gz -C $(PACKAGING)/image/arm64 --strip-components 1
	cp $(PACKAGING)/image/amd64/LICENSE $(PACKAGING)/image/amd64/THIRD-PARTY-LICENSES.txt $(PACKAGING)/image
image: image-files
	$(CONTAINERS) build --file packaging/Containerfile --build-arg VERSION=$(VERSION) --build-arg REPOSITORY=$(REPOSITORY) \
	  --tag vancura:$(VERSION) $(PACKAGING)/image

# What package managers want to know of the version whose checksums are in SUMS: of this build, or those of the release.
MANIFESTS := $(DIST)/manifests
SUMS ?= $(DIST)/SHA256SUMS
manifests:
	rm -rf $(MANIFESTS)
	for folder in homebrew aur winget scoop flatpak; do \
	  packaging/render $(MANIFESTS)/$$folder $(SUMS) $$(find packaging/$$folder -name '*.in') || exit; done
	packaging/cargo-sources > $(MANIFESTS)/flatpak/cargo-sources.json

# Each part of a release installed in an empty Debian, asked for the bench signature, and removed; PARTS names some of them.
try-release:
	packaging/try-release $(PARTS)

test:
	cargo test --workspace --locked

# All long checks, as docs/reliability.md describes them: how long, and perhaps only these parts of them.
REGIME_MINUTES ?= 75
PARTS ?=
regime: export REGIME_MINUTES := $(REGIME_MINUTES)
regime:
	cargo run --locked -p vancura-regime -- $(PARTS)

# The engine as WebAssembly, in both builds, the npm package in $(DIST), and the board with all it needs in $(DIST)/board:
# web/README.md. Needs Node.js and `rustup target add wasm32-wasip1 wasm32-wasip1-threads`.
BOARD := $(DIST)/board
WASM = cargo build --release --locked --package vancura-web --target-dir $(TARGET_DIR)
web: web-single web-threads
	cp LICENSE $(LOADER) $(WEB)
	mkdir -p $(DIST)
	cd $(WEB) && npm pack --silent --pack-destination "$(abspath $(DIST))"
	$(MAKE) --no-print-directory web-board

web-single web-threads web-board web-lints: export RUSTFLAGS += -C target-feature=+simd128
# The copy keeps the file's time: a new one would make cargo build the program again.
web-single:
	$(WASM) --lib --target wasm32-wasip1
	cp -p $(TARGET_DIR)/wasm32-wasip1/release/vancura_single.wasm $(WASM_SINGLE)
web-threads:
	$(WASM) --bin vancura-threads --target wasm32-wasip1-threads
	cp $(TARGET_DIR)/wasm32-wasip1-threads/release/vancura-threads.wasm $(WEB)

# As `make`, with the engine in it that `analyse --live` puts into pages.
live: web-single
	$(MAKE) native WASMFILE=$(WASM_SINGLE) FEATURES="$(FEATURES) tools"

# The board as a folder that any host of static files can serve, its modules without comments and blanks. Its version is the sum of
# all its files.
web-board:
	cargo rustc --release --locked --package vancura-board --lib --crate-type cdylib --target wasm32-wasip1 --target-dir $(TARGET_DIR) -- -C opt-level=s
	rm -rf $(BOARD)
	mkdir -p $(BOARD)/engine
	cp -R page/* LICENSE $(BOARD)
	rm -r $(BOARD)/src $(BOARD)/Cargo.toml $(BOARD)/build.rs
	rm -r $(BOARD)/report $(BOARD)/vendor/LICENSE $(BOARD)/tsconfig.json $(BOARD)/engine/socket.js $(BOARD)/vendor/*.d.ts $(BOARD)/vendor/README.md
	cd web && npm ci --silent && find "$(abspath $(BOARD))" -name '*.js' ! -name '*.min.js' -print0 | \
	  xargs -0 npx esbuild --minify --log-level=warning --outdir="$(abspath $(BOARD))" --outbase="$(abspath $(BOARD))" --allow-overwrite
	gzip -9nc $(TARGET_DIR)/wasm32-wasip1/release/board.wasm > $(BOARD)/rules.wasm.gz
	cp $(WEB)/vancura-single.wasm $(WEB)/vancura-threads.wasm $(BOARD)/engine
	cd $(BOARD) && \
	  version=$$(find . -type f | LC_ALL=C sort | xargs cat | cksum | tr ' ' -) && \
	  files=$$(find . -type f ! -name index.html ! -name service-worker.js ! -name 'LICENSE*' | sed 's|^./||' | LC_ALL=C sort | \
	    sed 's/.*/"&"/' | paste -sd , -) && \
	  sed -e "s/\"unversioned\"/\"$$version\"/" -e "s|\"unlisted\"|$$files|" "$(CURDIR)/page/service-worker.js" > service-worker.js

# The types of the pages' modules, and lints of what only WebAssembly compiles, with the settings of the builds, so that proc
# macros are built once.
web-lints:
	cd web && npm ci --silent && npx tsc -p ../page/tsconfig.json
	cargo clippy --release --locked --package vancura-web --target wasm32-wasip1 --target-dir $(TARGET_DIR) -- -D warnings
	cargo clippy --release --locked --package vancura-board --target wasm32-wasip1 --target-dir $(TARGET_DIR) -- -D warnings

# The program with the engine in it that `analyse --live` puts into pages.
web-program: web-single
	WASMFILE=$(WASM_SINGLE) cargo build --release --locked

# In Node.js, and in Chromium where it is installed; the board also as the program serves it, and reports that it writes.
web-test: web web-program
	cd web && npm ci --silent && VANCURA="$(abspath target/release/vancura$(SUFFIX))" node --test --test-concurrency=2 test/

# How often practice judges as a search of 1,000,000 nodes does, over the mistakes in ANALYSED=file.json.
practice-agreement:
	cargo build --release --locked
	node tools/practice/agreement.mjs "$(abspath target/release/vancura$(SUFFIX))" $(ANALYSED)

# The tables of docs/speed.md: perft and reading games beside other libraries, what commands cost (PROGRAMS=more, to compare), and
# how soon a report of GAMES=file.pgn is there. Needs VANCURA_TEST_DATA; Stockfish, Node.js and Chromium take part where they are.
PROGRAMS ?= $(abspath target/release/vancura$(SUFFIX))
GAMES ?=
speed:
	cargo build --release --locked
	RUSTFLAGS="-C target-cpu=native" cargo bench --locked --package vancura-bench --bench movegen --target-dir target/native -- table
	cargo bench --locked --package vancura-bench --bench movegen -- table
	cargo bench --locked --package vancura-bench --bench pgn
	cargo bench --locked --package vancura-bench --bench commands -- $(PROGRAMS)
	$(if $(GAMES),cd web && npm ci --silent && node bench-report.mjs "$(abspath target/release/vancura$(SUFFIX))" "$(abspath $(GAMES))")

# Both builds beside the program, and how soon they stop.
web-bench: web
	cargo build --release --locked
	cd web && npm ci --silent && node bench.mjs "$(abspath target/release/vancura$(SUFFIX))"

# The Python package in $(DIST): a wheel with the engine, its network and the program. Needs `pip install maturin`.
PYTHON_PACKAGE := python/package/vancura
wheel:
	cargo build --release --locked --package vancura
	mkdir -p $(PYTHON_PACKAGE)/bin
	cp target/release/vancura$(SUFFIX) $(PYTHON_PACKAGE)/bin
	cp LICENSE python
	cd python && maturin build --locked --out "$(abspath $(DIST))"

# That package as a debug build, tested in an environment of its own. Needs Python with venv. TESTED=path takes a program that is
# there instead of building one.
ENVIRONMENT := target/python
TESTED ?=
python-test:
	$(if $(TESTED),,cargo build --locked --package vancura)
	mkdir -p $(PYTHON_PACKAGE)/bin
	cp $(or $(TESTED),target/debug/vancura$(SUFFIX)) $(PYTHON_PACKAGE)/bin
	cp LICENSE python
	python3 -m venv $(ENVIRONMENT)
	$(ENVIRONMENT)/bin/pip install --quiet 'maturin>=1.9,<2' mypy ruff
	rm -rf $(ENVIRONMENT)/wheels
	cd python && "$(abspath $(ENVIRONMENT))/bin/maturin" build --quiet --locked --profile dev --out "$(abspath $(ENVIRONMENT))/wheels"
	$(ENVIRONMENT)/bin/pip install --quiet --force-reinstall "$$(ls $(ENVIRONMENT)/wheels/*.whl)[test]"
	cd python && "$(abspath $(ENVIRONMENT))/bin/ruff" format --check --quiet package tests
	cd python && "$(abspath $(ENVIRONMENT))/bin/ruff" check --quiet package tests
	cd python && "$(abspath $(ENVIRONMENT))/bin/mypy" --python-executable "$(abspath $(ENVIRONMENT))/bin/python"
	cd python && "$(abspath $(ENVIRONMENT))/bin/pytest" --quiet -p no:cacheprovider

clean:
	cargo clean
	rm -f "$(BINARY)" datagen$(SUFFIX)
