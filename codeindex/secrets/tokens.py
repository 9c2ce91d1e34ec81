"""Tokens that can be told by their own look, wherever they stand.

No pattern asks for a word boundary before it: a token glued to other text is a token still.
"""

from __future__ import annotations

import re

from codeindex.secrets._base import Detector

_JWT = r"(?<![\w-])(?:(?!eyJ)[\w-])*+(?P<secret>eyJ[\w-]{6,}+\.eyJ[\w-]{6,}+\.[\w-]*+)"
_DISCORD_ID = "|".join(rf"(?<=[MNO][\w-]{{{length}}}\.)" for length in (23, 25, 27))
"""Before the dot: the bot's public number in base64. Only what follows is secret."""

# rule, pattern, needles
_ROWS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("aws_key", r"A(?:KIA|SIA|BIA|CCA)[0-9A-Z]{16,}", ()),
    ("github_token", r"gh[pousr]_\w{36,}", ()),
    ("github_token", r"github_pat_\w{22,}", ()),
    ("gitlab_token", r"gl(?:pat|ptt|dt|oas|rt|cbt|ft|imt|agent|soat|ffct)-[\w.-]{20,}", ()),
    ("gitlab_token", r"GR1348941[\w-]{20,}", ()),
    ("slack_token", r"xox[abceoprs]-[\w.-]{10,}", ()),
    ("slack_token", r"xapp-\d-[\w-]{10,}", ()),
    (
        "slack_webhook",
        r"hooks\.slack(?:-gov)?\.com/(?:services|workflows|triggers)/(?P<secret>[\w/-]{16,})",
        (),
    ),
    ("stripe_key", r"[sr]k_(?:live|test)_[0-9A-Za-z]{16,}", ("k_live_", "k_test_")),
    ("stripe_key", r"whsec_[0-9A-Za-z+/=]{24,}", ()),
    ("google_key", r"AIza[\w-]{35,}", ()),
    ("google_key", r"GOCSPX-[\w-]{20,}", ()),
    ("google_key", r"ya29\.[\w-]{20,}", ()),
    ("google_key", r"1//0[\w-]{30,}", ()),
    ("anthropic_key", r"sk-ant-[\w-]{16,}", ()),
    ("openai_key", r"sk-(?:(?:proj|svcacct|admin|None)-[\w-]{20,}|[0-9A-Za-z]{32,})", ()),
    ("huggingface_token", r"hf_[0-9A-Za-z]{30,}", ()),
    ("huggingface_token", r"api_org_[0-9A-Za-z]{30,}", ()),
    ("npm_token", r"npm_[0-9A-Za-z]{36,}", ()),
    ("pypi_token", r"pypi-(?:AgE[\w-]{16,}|[\w-]{80,})", ()),
    ("azure_key", r"AccountKey=(?P<secret>[\w+/=-]{20,})", ()),
    ("azure_key", r"SharedAccessKey=(?P<secret>[\w+/=-]{20,})", ()),
    ("azure_signature", r"[?&]sig=(?P<secret>[\w%+/=-]{30,})", ("sig=",)),
    ("sendgrid_key", r"SG\.[\w-]{16,64}\.[\w-]{16,}", ()),
    ("twilio_key", r"SK[0-9a-f]{32,}", ()),
    ("twilio_key", r"AC[0-9a-f]{32,}", ()),
    ("mailgun_key", r"key-[0-9a-f]{32,}", ()),
    ("digitalocean_token", r"do[oprt]_v1_[0-9a-f]{64,}", ()),
    ("telegram_token", r"\d{6,12}:A[\w-]{34,}", (":A",)),
    ("discord_token", rf"\.(?:{_DISCORD_ID})(?P<secret>[\w-]{{6}}\.[\w-]{{27,}})", ()),
    (
        "discord_webhook",
        r"discord(?:app)?\.com/api/webhooks/\d{1,24}/(?P<secret>[\w-]{40,})",
        (),
    ),
    ("age_key", r"AGE-SECRET-KEY-1[0-9A-Z]{40,}", ()),
    ("jwt", _JWT, ("eyJ",)),
)

TOKENS = tuple(
    Detector(rule, re.compile(pattern, re.ASCII), needles) for rule, pattern, needles in _ROWS
)
