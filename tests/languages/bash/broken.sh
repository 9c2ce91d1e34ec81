#!/bin/sh
PREFIX=${PREFIX-/usr/local}

configure() {
  ./configure --prefix="$PREFIX"
}

check() {
  if [ -z "$1" ]; then
    echo "empty"
}

install_all() {
  make install
}
