# Builds Vancura: `make` for the CPU at hand, as match runners such as OpenBench expect (`make EXE=name`), `make pgo` for
# the fastest binary, `make release` for archives to be given away. EVALFILE=path embeds another network.
EXE ?= vancura
ifeq ($(OS),Windows_NT)
  SUFFIX := .exe
endif
BINARY := $(EXE:.exe=)$(SUFFIX)
# Kept apart from what `cargo build` makes, which runs on any CPU.
TARGET_DIR := target/make

# Where flags concern the engine alone: with a target named, build scripts are compiled without them.
HOST = $(shell rustc -vV | sed -n 's/^host: //p')

.PHONY: all native portable pgo release test clean

all: native

# For this CPU only.
native: export RUSTFLAGS += -C target-cpu=native
native: build

# For any CPU of this architecture.
portable: build

.PHONY: build
build:
	cargo build --release --package engine --target-dir $(TARGET_DIR)
	cp $(TARGET_DIR)/release/vancura$(SUFFIX) $(BINARY)

# What packages hold besides the binary: manual pages and completions for shells.
.PHONY: packaging
packaging: build
	mkdir -p target/packaging/completions
	$(TARGET_DIR)/release/vancura$(SUFFIX) man target/packaging/man
	$(TARGET_DIR)/release/vancura$(SUFFIX) completions bash > target/packaging/completions/vancura.bash
	$(TARGET_DIR)/release/vancura$(SUFFIX) completions zsh > target/packaging/completions/_vancura
	$(TARGET_DIR)/release/vancura$(SUFFIX) completions fish > target/packaging/completions/vancura.fish
	$(TARGET_DIR)/release/vancura$(SUFFIX) completions powershell > target/packaging/completions/vancura.ps1
# For this CPU, laid out by what the bench does. It takes an llvm-profdata as new as the compiler's LLVM: the one of
# rustup's component `llvm-tools`, the one in the path, or LLVM_PROFDATA=path.
PGO_DIR := $(CURDIR)/target/pgo
RUSTUP_PROFDATA = $(wildcard $(shell rustc --print target-libdir)/../bin/llvm-profdata$(SUFFIX))
LLVM_PROFDATA ?= $(or $(RUSTUP_PROFDATA),llvm-profdata)
PGO_FLAGS := -C target-cpu=native
PGO_BUILD = cargo build --release --package engine --target $(HOST) --target-dir $(PGO_DIR)

pgo:
	@"$(LLVM_PROFDATA)" show --help > /dev/null 2>&1 || { \
	  echo "make pgo needs llvm-profdata: rustup component add llvm-tools, or LLVM_PROFDATA=path" >&2; exit 1; }
	rm -rf $(PGO_DIR)/raw
	RUSTFLAGS="$(RUSTFLAGS) $(PGO_FLAGS) -C profile-generate=$(PGO_DIR)/raw" $(PGO_BUILD)
	$(PGO_DIR)/$(HOST)/release/vancura$(SUFFIX) bench > /dev/null
	@"$(LLVM_PROFDATA)" merge -o $(PGO_DIR)/merged.profdata $(PGO_DIR)/raw || { \
	  echo "$(LLVM_PROFDATA) cannot read what this rustc writes ($$(rustc -vV | sed -n 's/^LLVM version: /LLVM /p')):" \
	    "rustup component add llvm-tools, or LLVM_PROFDATA=path to a newer one" >&2; exit 1; }
	RUSTFLAGS="$(RUSTFLAGS) $(PGO_FLAGS) -C profile-use=$(PGO_DIR)/merged.profdata" $(PGO_BUILD)
	cp $(PGO_DIR)/$(HOST)/release/vancura$(SUFFIX) $(BINARY)

# An archive for each installed target (`rustup target add`), whose linker must be there, with README, LICENSE and
# checksums. One binary runs on any CPU of its architecture and uses AVX2, AVX-512 or NEON where it finds them.
DIST := target/dist
VERSION = $(shell sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
INSTALLED = $(shell rustup target list --installed 2>/dev/null || echo $(HOST))
TARGETS ?= $(foreach system,linux windows darwin,$(foreach target,$(INSTALLED),$(if $(findstring $(system),$(target)),$(target))))

release:
	rm -rf $(DIST)
	$(MAKE) $(addprefix archive-,$(TARGETS))
	cd $(DIST) && { sha256sum vancura-*.* 2> /dev/null || shasum -a 256 vancura-*.*; } > SHA256SUMS
	cat $(DIST)/SHA256SUMS

# The name for people: system and architecture, and musl if it is that.
archive-%: NAME = vancura-$(VERSION)-$(shell echo $* | sed -E \
  's/^([^-]+)-.*(linux|windows|darwin)(-musl)?.*/\2-\1\3/; s/darwin/macos/')
archive-%: PROGRAM = vancura$(if $(findstring windows,$*),.exe)
# Nobody else's settings, and no runtime library that has to be installed first.
archive-%: export RUSTFLAGS = $(if $(findstring msvc,$*),-C target-feature=+crt-static)
archive-%:
	cargo build --release --locked --package engine --target $* --target-dir $(TARGET_DIR)
	mkdir -p $(DIST)/$(NAME)
	cp $(TARGET_DIR)/$*/release/$(PROGRAM) README.md LICENSE CHANGELOG.md $(DIST)/$(NAME)
	cd $(DIST) && $(if $(findstring windows,$*),zip -qr $(NAME).zip,tar czf $(NAME).tar.gz) $(NAME)
	rm -r $(DIST)/$(NAME)

test:
	cargo test --workspace

clean:
	cargo clean
	rm -f $(BINARY)
