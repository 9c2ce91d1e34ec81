#!/usr/bin/env bats

load helpers

setup() {
  TMP="$(mktemp -d)"
}

# bats test_tags=slow
@test "installs into an empty folder" {
  run install.sh "$TMP"
  [ "$status" -eq 0 ]
}

@test 'refuses a file' {
  run install.sh /etc/passwd
  [ "$status" -ne 0 ]
}

teardown() { rm -rf "$TMP"; }
