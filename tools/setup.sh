#!/bin/sh
# Installs what is missing for Vancura, a linker and Rust, and then Vancura itself: sh tools/setup.sh
#
# What is there already is left as it is. The program goes where cargo puts programs, ~/.cargo/bin.
set -eu
cd "$(dirname "$0")/.."
rust=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)

as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }

# Of the system's own packages.
install_packages() {
  echo "installing $*"
  if command -v apt-get > /dev/null; then
    as_root apt-get update -q
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "$@"
  elif command -v dnf > /dev/null; then
    as_root dnf install -y "$@"
  elif command -v pacman > /dev/null; then
    as_root pacman -S --noconfirm --needed "$@"
  else
    echo "please install $* and run this again" >&2
    exit 1
  fi
}

programs=${CARGO_HOME:-$HOME/.cargo}/bin
path=$PATH
PATH=$programs:$PATH
if ! command -v cc > /dev/null; then
  case $(uname) in
    Darwin) xcode-select --install; echo "run this again when the command line tools are installed" >&2; exit 1 ;;
  esac
  # Debian's compiler brings the C library's files only as a recommendation.
  if command -v apt-get > /dev/null; then install_packages gcc libc6-dev; else install_packages gcc; fi
fi

has_rust() {
  found=$(cargo --version 2> /dev/null | cut -d ' ' -f 2)
  [ -n "$found" ] && [ "$(printf '%s\n%s\n' "$rust" "$found" | sort -V | head -n 1)" = "$rust" ]
}
if ! has_rust; then
  if ! command -v rustup > /dev/null && apt-cache show rustup > /dev/null 2>&1; then install_packages rustup ca-certificates; fi
  if command -v rustup > /dev/null; then
    rustup toolchain install stable --profile minimal
    rustup default stable
  else
    command -v curl > /dev/null || install_packages curl ca-certificates
    curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs | sh -s -- -y --profile minimal
  fi
  has_rust || { echo "Rust $rust or newer is needed; cargo is $found" >&2; exit 1; }
fi

cargo install --locked --path engine
case ":$path:" in
  *":$programs:"*) ;;
  *) echo "vancura is in $programs: open a new terminal, or add that folder to PATH" ;;
esac
