# Builds Vancura for the CPU at hand, as match runners such as OpenBench expect: `make EXE=name`.
EXE ?= vancura
ifeq ($(OS),Windows_NT)
  SUFFIX := .exe
endif
BINARY := $(basename $(EXE))$(SUFFIX)

.PHONY: all native portable test clean

all: native

# For this CPU only.
native:
	cargo rustc --release --package engine --bin vancura -- -C target-cpu=native --emit link=$(BINARY)

# For any CPU of this architecture.
portable:
	cargo rustc --release --package engine --bin vancura -- --emit link=$(BINARY)

test:
	cargo test --workspace

clean:
	cargo clean
	rm -f $(BINARY)
