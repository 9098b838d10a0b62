# Builds Vancura for the CPU at hand, as match runners such as OpenBench expect: `make EXE=name`.
EXE ?= vancura
ifeq ($(OS),Windows_NT)
  SUFFIX := .exe
endif
BINARY := $(EXE:.exe=)$(SUFFIX)
# Kept apart from what `cargo build` makes, which runs on any CPU.
TARGET_DIR := target/make

.PHONY: all native portable test clean

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

test:
	cargo test --workspace

clean:
	cargo clean
	rm -f $(BINARY)
