"""List all detectors that are patterns; only redaction imports them, as it takes 14 ms."""

from __future__ import annotations

from codeindex.secrets.assignments import ASSIGNMENT_DETECTORS, SETTINGS_ASSIGNMENT_DETECTORS
from codeindex.secrets.byte_arrays import BYTE_ARRAY_DETECTORS
from codeindex.secrets.command_lines import COMMAND_LINE_DETECTORS
from codeindex.secrets.inline_text import INLINE_DETECTORS, INLINE_SETTINGS_DETECTORS
from codeindex.secrets.key_components import KEY_COMPONENT_DETECTORS
from codeindex.secrets.known_places import KNOWN_PLACE_DETECTORS
from codeindex.secrets.literal_arguments import LITERAL_DETECTORS
from codeindex.secrets.name_value_pairs import PAIR_DETECTORS
from codeindex.secrets.stated_logins import STATED_LOGIN_DETECTORS
from codeindex.secrets.tables import TABLE_DETECTORS
from codeindex.secrets.tokens import TOKEN_DETECTORS
from codeindex.secrets.yaml_blocks import YAML_BLOCK_DETECTORS

DETECTORS = (
    *TOKEN_DETECTORS,
    *ASSIGNMENT_DETECTORS,
    *COMMAND_LINE_DETECTORS,
    *INLINE_DETECTORS,
    *PAIR_DETECTORS,
    *LITERAL_DETECTORS,
    *KNOWN_PLACE_DETECTORS,
    *STATED_LOGIN_DETECTORS,
    *YAML_BLOCK_DETECTORS,
    *TABLE_DETECTORS,
    *KEY_COMPONENT_DETECTORS,
    *BYTE_ARRAY_DETECTORS,
)
SETTINGS_FILE_DETECTORS = (*DETECTORS, *SETTINGS_ASSIGNMENT_DETECTORS, *INLINE_SETTINGS_DETECTORS)
"""The detectors of settings files, where unquoted words count as values."""
