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
    ("aws_key", r"A(?:KIA|SIA|BIA|CCA)[0-9A-Z]{16}", ("AKIA", "ASIA", "ABIA", "ACCA")),
    (
        "github_token",
        r"gh[pousr]_\w{36,}|github_pat_\w{22,}",
        ("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"),
    ),
    (
        "gitlab_token",
        r"gl(?:pat|ptt|dt|oas|rt|cbt|ft|imt|agent|soat|ffct)-[\w.-]{20,}|GR1348941[\w-]{20,}",
        (
            *("glpat-", "glptt-", "gldt-", "gloas-", "glrt-", "glcbt-", "glft-", "glimt-"),
            *("glagent-", "glsoat-", "glffct-", "GR1348941"),
        ),
    ),
    ("slack_token", r"xox[abceoprs]-[\w.-]{10,}|xapp-\d-[\w-]{10,}", ("xox", "xapp-")),
    (
        "slack_webhook",
        r"hooks\.slack(?:-gov)?\.com/(?:services|workflows|triggers)/(?P<secret>[\w/-]{16,})",
        ("hooks.slack",),
    ),
    (
        "stripe_key",
        r"(?:sk|rk)_(?:live|test)_[0-9A-Za-z]{16,}|whsec_[0-9A-Za-z+/=]{24,}",
        ("k_live_", "k_test_", "whsec_"),
    ),
    (
        "google_key",
        r"AIza[\w-]{35}|GOCSPX-[\w-]{20,}|ya29\.[\w-]{20,}|1//0[\w-]{30,}",
        ("AIza", "GOCSPX-", "ya29.", "1//0"),
    ),
    ("anthropic_key", r"sk-ant-[\w-]{16,}", ("sk-ant-",)),
    (
        "openai_key",
        r"sk-(?:proj|svcacct|admin|None)-[\w-]{20,}|sk-[0-9A-Za-z]{32,}",
        ("sk-",),
    ),
    ("huggingface_token", r"hf_[0-9A-Za-z]{30,}|api_org_[0-9A-Za-z]{30,}", ("hf_", "api_org_")),
    ("npm_token", r"npm_[0-9A-Za-z]{36,}", ("npm_",)),
    ("pypi_token", r"pypi-(?:AgE[\w-]{16,}|[\w-]{80,})", ("pypi-",)),
    ("azure_key", r"(?:Account|SharedAccess)Key=(?P<secret>[\w+/=-]{20,})", ("Key=",)),
    ("azure_signature", r"[?&]sig=(?P<secret>[\w%+/=-]{30,})", ("sig=",)),
    ("sendgrid_key", r"SG\.[\w-]{16,64}\.[\w-]{16,}", ("SG.",)),
    ("twilio_key", r"(?:SK|AC)[0-9a-f]{32}", ("SK", "AC")),
    ("mailgun_key", r"key-[0-9a-f]{32}", ("key-",)),
    ("digitalocean_token", r"do[oprt]_v1_[0-9a-f]{64}", ("_v1_",)),
    ("telegram_token", r"\d{6,12}:A[\w-]{34}", (":A",)),
    ("discord_token", rf"\.(?:{_DISCORD_ID})(?P<secret>[\w-]{{6}}\.[\w-]{{27,}})", ()),
    (
        "discord_webhook",
        r"discord(?:app)?\.com/api/webhooks/\d{1,24}/(?P<secret>[\w-]{40,})",
        ("/webhooks/",),
    ),
    ("age_key", r"AGE-SECRET-KEY-1[0-9A-Z]{40,}", ("AGE-SECRET-KEY-",)),
    ("jwt", _JWT, ("eyJ",)),
)

TOKENS = tuple(
    Detector(rule, re.compile(pattern, re.ASCII), needles) for rule, pattern, needles in _ROWS
)
