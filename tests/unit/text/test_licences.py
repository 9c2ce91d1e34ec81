"""The licence at the beginning of a file."""

import pytest

from codeindex.text.comments import licence_lines


@pytest.mark.parametrize(
    ("lines", "licence"),
    [
        (["// Copyright 2026 A. Writer", "", "// Package pay charges cards.", "package pay"], 1),
        (["// Copyright 2026 A. Writer", '#include "pay.h"', "", "#define RATE 7"], 1),
        (["/* Copyright 2026 */", "", "/* License: MIT", " */", "int rate;"], 4),
        (["#!/bin/sh", "# vim: set tw=80 :", "", "# SPDX-License-Identifier: MIT", "set -e"], 4),
        (["# Charges cards.", "", "# Copyright 2026 A. Writer", "RATE = 7"], 0),
        (["# coding: utf-8", "", "# Charges cards.", "RATE = 7"], 0),
    ],
)
def test_it_ends_where_other_comments_or_directives_begin(lines: list[str], licence: int) -> None:
    assert licence_lines("\n".join(lines)) == licence
