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

test:
	cargo test --workspace

clean:
	cargo clean
	rm -f $(BINARY)
