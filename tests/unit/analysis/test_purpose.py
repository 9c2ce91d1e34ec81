"""The sentence at the start of a file that tells its purpose."""

import pytest

from codeindex.analysis.repository.purpose import leading_sentence


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("#!/usr/bin/env python3\nimport os\n", ""),
        ("#!/bin/sh\n# Starts all services.\nset -e\n", "Starts all services."),
        ("// Copyright 2026 A. Writer\n\n// Charges cards.\n", "Charges cards."),
        ("/* SPDX-License-Identifier: MIT */\n/* Charges cards. */\n", "Charges cards."),
        ("#![deny(missing_docs)]\n//! Charges cards. Also refunds.\n", "Charges cards."),
    ],
)
def test_it_is_neither_an_interpreter_nor_a_licence(text: str, sentence: str) -> None:
    assert leading_sentence(text) == sentence


def test_a_comment_has_marks_of_any_length() -> None:
    assert leading_sentence("/*****\n * Charges cards.\n *****/\n") == "Charges cards."
    assert leading_sentence("/*! Charges cards. */\n") == "Charges cards."
