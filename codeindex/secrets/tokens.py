"""Detects tokens by their own format, wherever they occur.

Most patterns do not require a word boundary before the token, since the token may follow other text
directly.
"""

from __future__ import annotations

import base64
import binascii
import re

from codeindex.secrets.detector import GROUP, Detector, LazyPattern

_JWT = r"(?<![\w-])(?:(?!eyJ)[\w-])*+(?P<secret>eyJ[\w-]{6,}+\.eyJ[\w-]{6,}+\.[\w-]*+)"
"""Three base64 parts; the first two are JSON objects."""
_DISCORD_ID = "|".join(rf"(?<=[MNO][\w-]{{{length}}}\.)" for length in (23, 25, 27))
"""Lookbehinds for the bot's public number in base64, of 23 to 27 characters before the dot."""
_UUID = r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
_HASH = (
    r"\$(?:2[abxy]?\$\d\d\$[\w./]{53}|(?:[156y]|apr1|gy|7)\$[\w./=,$]{1,40}\$[\w./]{20,86}"
    r"|(?:[PH]\$(?=\S{0,30}\d)[\w./]{31}|S\$(?=\S{0,50}\d)[\w./]{52}|[89]\$[\w./]{14}\$[\w./]{43})(?!\w)"
    r"|7\$\d{2,7}\$[\w+/=]{8,40}\$[\w+/]{40,90}={0,2}|\$2[abxy]?\$\$\d\d\$\$[\w./]{53}"
    r"|argon2(?:id|i|d)\$[\w./+=,$]{20,}|scrypt\$[\w./+=,$]{20,}|pbkdf2-[\w./+=,$-]{20,})"
)
"""Password hashes: bcrypt (in Compose files with `$$`), crypt, phpass, Drupal, Cisco, Mosquitto,
Argon2, scrypt, PBKDF2. Weak passwords are easily cracked."""
_ENCODED_KEY = r"LS0tLS[0-9A-Za-z+/]{50,}={0,2}"
"""PEM in base64: `LS0tLS` encodes the dashes before `BEGIN`."""

_BEFORE, _AFTER = r"(?<![\w+/=])", r"(?![\w+/])"
"""Lookarounds for a token that is not a part of a longer text in base64."""
_MIXED = r"(?=\w{0,40}[A-Z])(?=\w{0,40}[a-z])(?=\w{0,40}[A-Za-z]\d{1,3}[A-Za-z])"
"""Lookaheads for a capital, a small letter, and a digit between letters.

Few names in code have all three. So a token can be told from a name that begins with the same
prefix."""
_DASHED = _MIXED.replace(r"\w", r"[\w+/.-]")
"""The same as `_MIXED` for tokens that may contain `+`, `/`, `.` and `-`.

`_MIXED` looks no further than the first of these, and missed one of eight random tokens."""

# (rule, pattern, needles); a pattern that begins with at least four fixed characters, after a
# negative lookbehind or none, needs no needles
_ROWS: tuple[tuple[str, str, *tuple[tuple[str, ...], ...]], ...] = (
    ("aws_key", r"A(?:KIA|SIA|BIA|CCA)(?![ACGTUN]{16})[0-9A-Z]{16,}"),  # not a gene sequence
    ("aws_key", r"ABSK[0-9A-Za-z+/]{100,}={0,2}"),
    ("github_token", r"gh[pousr]_\w{36,}"),
    ("github_token", r"github_pat_\w{22,}"),
    ("gitlab_token", r"gl(?:pat|ptt|dt|oas|rtr?|cbt|ft|imt|agent|soat|ffct|wt)-[\w.-]{20,}"),
    ("gitlab_token", r"GR1348941[\w-]{20,}"),
    ("slack_token", r"xox[abceoprs]-[\w.-]{15,}"),
    ("slack_token", r"xapp-\d-[\w-]{13,}"),
    (
        "slack_webhook",
        r"hooks\.slack(?:-gov)?\.com/(?:services|workflows|triggers)/(?P<secret>[\w/-]{16,})",
    ),
    ("teams_webhook", r"\.webhook\.office\.com/webhookb2/(?P<secret>[\w@/-]{40,})"),
    ("stripe_key", r"[sr]k_(?:live|test)_[0-9A-Za-z]{16,}", ("k_live_", "k_test_")),
    ("stripe_key", r"whsec_[0-9A-Za-z+/=]{24,}"),
    ("square_token", r"sq0(?:atp|csp|idp)-[\w-]{22,}"),
    ("google_key", r"AIza[\w-]{35,}"),
    ("google_key", r"GOCSPX-[\w-]{20,}"),
    ("google_key", r"ya29\.[\w-]{20,}"),
    ("google_key", r"1//0[\w-]{30,}"),
    ("anthropic_key", r"sk-ant-[\w-]{16,}"),
    ("openai_key", r"sk-(?:(?:proj|svcacct|admin|None|or-v1|lf)-[\w-]{20,}|[0-9A-Za-z]{32,})"),
    (
        "model_key",
        r"(?:gsk_|pplx-|xai-|r8_|fw_|nvapi-|tgp_v1_|csk-)(?=[\w-]{0,60}\d)[\w-]{30,}",
        ("gsk_", "pplx-", "xai-", "r8_", "fw_", "nvapi-", "tgp_v1_", "csk-"),
    ),
    ("huggingface_token", r"hf_[0-9A-Za-z]{30,}"),
    ("huggingface_token", r"api_org_[0-9A-Za-z]{30,}"),
    ("npm_token", r"npm_[0-9A-Za-z]{36,}"),
    ("pypi_token", r"pypi-(?:AgE[\w-]{16,}|[\w-]{80,})"),
    ("rubygems_key", r"rubygems_[0-9a-f]{48}"),
    ("crates_token", r"(?<![\w./+=-])cio(?=\w{0,60}\d)[0-9A-Za-z]{32}(?![\w/+=-])", ("cio",)),
    ("docker_token", r"dckr_(?:pat|oat)_[\w-]{27,}"),
    ("azure_key", r"AccountKey=(?P<secret>[\w+/=-]{20,})"),
    ("azure_key", r"SharedAccessKey=(?P<secret>[\w+/=-]{20,})"),
    ("azure_key", r"(?<![\w~.-])\w{3}\dQ~[\w.~-]{31,}", ("Q~",)),
    ("sendgrid_key", r"SG\.[\w-]{16,64}\.[\w-]{16,}"),
    ("twilio_key", r"SK[0-9a-f]{32,}(?::[0-9A-Za-z]{32}(?!\w))?"),
    ("twilio_key", r"AC[0-9a-f]{32,}(?::[0-9a-f]{32}(?!\w))?"),  # with the token of the account
    ("mailgun_key", r"key-[0-9a-f]{32,}"),
    ("mailchimp_key", r"(?<![0-9a-f])[0-9a-f]{32}-us\d{1,2}(?!\w)", ("-us",)),
    ("brevo_key", r"x(?:keysib|smtpsib)-[0-9a-f]{64}-\w{16}"),
    ("digitalocean_token", r"do[oprt]_v1_[0-9a-f]{64,}"),
    ("telegram_token", r"\d{6,12}:A[\w-]{34,}", (":A",)),
    ("discord_token", rf"\.(?:{_DISCORD_ID})(?P<secret>[\w-]{{6}}\.[\w-]{{27,}})"),
    ("discord_webhook", r"discord(?:app)?\.com/api/webhooks/\d{1,24}/(?P<secret>[\w-]{40,})"),
    ("facebook_token", r"EAACEdEose0cBA\w{10,}"),
    ("shopify_token", r"shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}"),
    ("databricks_token", r"dapi[0-9a-f]{32}"),
    ("vault_token", r"hv[sbr]\.[\w-]{24,}"),
    ("terraform_token", r"\w{14}\.atlasv1\.[\w-]{60,}", (".atlasv1.",)),
    ("pulumi_token", r"pul-[0-9a-f]{40}"),
    ("linear_key", r"lin_(?:api|oauth)_[0-9A-Za-z]{32,}"),
    ("notion_token", r"(?:ntn_|(?<!\w)secret_)(?=\w{0,60}\d)[0-9A-Za-z]{43,}", ("ntn_", "secret_")),
    ("planetscale_token", r"pscale_(?:tkn|pw|oauth)_[\w.-]{32,}"),
    ("doppler_token", r"dp\.(?:pt|st|ct|sa|scim|audit)\.[\w.-]{40,}", ("dp.",)),
    ("postman_key", r"PMAK-[0-9a-f]{24}-[0-9a-f]{34}"),
    ("newrelic_key", r"NR(?:AK|JS|II|RA|SP)-[0-9A-Za-z]{19,}"),
    ("grafana_token", r"glsa_\w{32}_[0-9a-fA-F]{8}"),
    ("grafana_token", r"glc_[0-9A-Za-z+/]{32,}"),
    ("sentry_token", r"sntry[su]_[\w+/=-]{40,}"),
    (
        "atlassian_token",
        r"(?:AT(?:ATT|CTT)3x|(?<!\w)ATBB)(?=[\w-]{0,60}\d)[\w=-]{28,}",
        ("ATATT3x", "ATCTT3x", "ATBB"),
    ),
    ("figma_token", r"fig[dou]_(?=[\w-]{0,60}\d)[\w-]{38,}"),
    ("airtable_token", r"pat[0-9A-Za-z]{14}\.[0-9a-f]{64}"),
    ("mapbox_token", r"sk\.eyJ[\w-]{20,}\.[\w-]{20,}"),
    ("fly_token", r"fm[12][ar]?_[0-9A-Za-z+/=]{60,}"),
    ("supabase_key", r"sb[pv]_[0-9a-f]{40}"),
    ("supabase_key", r"sb_secret_[\w-]{20,}"),
    ("buildkite_token", r"bkua_[0-9a-f]{40}"),
    ("heroku_key", r"HRKU-(?:AA[\w-]{58}|" + _UUID + ")"),
    ("plaid_token", rf"access-(?:sandbox|development|production)-{_UUID}"),
    ("cloudflare_key", r"v1\.0-[0-9a-f]{24}-[0-9a-f]{146}"),
    ("tailscale_key", r"tskey-[\w-]{20,}"),
    ("onepassword_token", r"ops_eyJ[\w+/=-]{100,}"),
    (
        "artifactory_token",
        r"(?<![\w./+=-])(?:AKCp[0-9A-Za-z]{60,}|cmVmdGtu[0-9A-Za-z]{48,})",
        ("AKCp", "cmVmdGtu"),
    ),
    ("dynatrace_token", r"dt0[a-z]\d\d\.[0-9A-Z]{24}\.[0-9A-Z]{64}"),
    ("contentful_token", r"CFPAT-[\w-]{43,}"),
    ("intra42_key", r"s-s4t2(?:ud|af)-[0-9a-f]{64}"),
    ("easypost_key", r"EZ[AT]K[0-9A-Za-z]{54}"),
    ("adobe_key", r"p8e-[0-9A-Za-z]{32}"),
    ("alibaba_key", r"(?<!\w)LTAI(?=\w{0,20}\d)[0-9A-Za-z]{16,24}(?!\w)"),
    ("circleci_token", r"CCIPAT_[\w-]{30,}"),
    ("clojars_token", r"CLOJARS_[0-9A-Za-z]{60}"),
    ("deno_token", r"dd[pw]_(?=\w{0,40}\d)[0-9A-Za-z]{36}", ("ddp_", "ddw_")),
    ("duffel_token", r"duffel_(?:live|test)_[\w-]{40,}"),
    ("flutterwave_key", r"FLWSECK(?:_TEST)?-[0-9A-Za-z]{12,}"),
    ("frameio_token", r"fio-u-[\w-]{60,}"),
    ("hubspot_token", rf"pat-(?:na|eu|ap)\d-{_UUID}"),
    ("infracost_key", r"ico-[0-9A-Za-z]{32}"),
    ("laravel_key", r"base64:[0-9A-Za-z+/]{43}="),
    ("langsmith_key", r"lsv2_(?:pt|sk)_[0-9a-f]{32}[\w]*"),
    ("lob_key", r"(?:live|test)_(?=\w{0,40}\d)[0-9a-f]{35}(?!\w)", ("live_", "test_")),
    ("netlify_token", r"nfp_[0-9A-Za-z]{36,}"),
    ("nuget_key", r"(?<![\w./+=-])oy2(?=\w{0,40}\d)[0-9A-Za-z]{43}(?![\w/+=-])", ("oy2",)),
    ("octopus_key", r"(?<![\w-])API-(?=[A-Z]{0,26}\d)[0-9A-Z]{26}(?!\w)"),
    ("openshift_token", r"sha256~[\w-]{43}"),
    ("pinecone_key", r"pcsk_[\w-]{40,}"),
    ("posthog_key", r"phx_(?=\w{0,40}\d)[0-9A-Za-z]{40,}"),
    ("prefect_key", r"pnu_(?=\w{0,40}\d)[0-9A-Za-z]{36}"),
    ("razorpay_key", r"rzp_(?:live|test)_[0-9A-Za-z]{14,}"),
    ("readme_key", r"rdme_\w{60,}"),
    ("scalingo_token", r"tk-us-[\w-]{48}"),
    ("shippo_token", r"shippo_(?:live|test)_[0-9a-f]{40}"),
    ("sonar_token", r"sq[apu]_[0-9a-f]{40}", ("sqa_", "sqp_", "squ_")),
    ("sourcegraph_token", r"sgp_(?:[0-9a-f]{16}_)?[0-9a-f]{40}"),
    ("typeform_token", r"tfp_(?=[\w.-]{0,60}\d)[\w.-]{40,}"),
    ("yandex_key", r"(?<!\w)AQVN(?=[\w-]{0,40}\d)[\w-]{35,38}(?!\w)"),
    ("facebook_token", r"EAA[MC][0-9A-Za-z]{100,}"),
    ("stripe_key", r"[rs]k_prod_[0-9A-Za-z]{16,}", ("k_prod_",)),
    (
        "honeycomb_key",
        r"hc[a-z](?:[iml]k|ic)_[0-9a-z]{58}",
        tuple(f"hc{region}{kind}_" for region in "abx" for kind in ("ik", "mk", "lk", "ic")),
    ),
    ("nostr_key", r"nsec1[02-9ac-hj-np-z]{58}"),
    ("age_key", r"AGE-SECRET-KEY-1[0-9A-Z]{40,}"),
    ("vercel_token", r"vercel_blob_rw_[0-9A-Za-z]{16,}_[0-9A-Za-z]{24,}"),
    ("tavily_key", r"tvly-(?=[\w-]{0,40}\d)[\w-]{32,}"),
    ("firecrawl_key", r"(?<![\w-])fc-[0-9a-f]{32}(?![\w-])", ("fc-",)),
    ("polar_token", r"polar_(?:oat|pat)_[0-9A-Za-z]{40,}"),
    ("snyk_token", r"snyk_[us]at\.[0-9a-f]{8}\.[\w-]{40,}"),
    ("paddle_key", r"pdl_(?:live|sdbx)_apikey_[0-9a-z]{26}_[0-9A-Za-z]{22}_\w{3}"),
    ("neon_key", r"(?<!\w)napi_(?=[A-Za-z]{0,40}\d)[0-9A-Za-z]{48,80}(?!\w)"),
    ("wandb_key", r"wandb_v1_[\w-]{60,}"),
    ("elastic_key", r"essu_[0-9A-Za-z+/]{40,}={0,2}"),
    ("volcengine_key", rf"{_BEFORE}AKLT{_MIXED}[0-9A-Za-z]{{40,48}}={{0,2}}{_AFTER}"),
    ("tencent_key", rf"{_BEFORE}AKID{_MIXED}[0-9A-Za-z]{{32}}{_AFTER}"),
    ("yandex_key", rf"(?<!\w)y0_{_DASHED}[\w-]{{52,}}", ("y0_",)),
    ("resend_key", rf"(?<!\w)re_[0-9A-Za-z]{{8}}_{_MIXED}[0-9A-Za-z]{{24}}(?!\w)", ("re_",)),
    ("render_key", rf"(?<!\w)rnd_{_MIXED}[0-9A-Za-z]{{28,32}}(?!\w)"),
    ("voyage_key", rf"(?<![\w-])pa-{_DASHED}[\w-]{{43}}(?![\w-])", ("pa-",)),
    ("ory_token", rf"(?<!\w)ory_(?:pat|st|at|rt|ac)_{_DASHED}[\w.-]{{32,}}"),
    ("things_stack_key", r"NNSXS\.[0-9A-Z]{39}\.[0-9A-Z]{52}"),
    ("backblaze_key", rf"{_BEFORE}K00\d{_DASHED}[0-9A-Za-z+/]{{27}}{_AFTER}", ("K00",)),
    ("model_key", rf"(?<!\w)fw_{_MIXED}[0-9A-Za-z]{{24}}(?!\w)", ("fw_",)),
    ("adafruit_key", rf"(?<!\w)aio_{_MIXED}[0-9A-Za-z]{{28}}(?!\w)"),
    ("valtown_token", rf"(?<!\w)vtwn_{_MIXED}[0-9A-Za-z]{{28,}}"),
    ("square_token", rf"{_BEFORE}EAAA(?![\w-]{{0,56}}AAAA){_DASHED}[\w-]{{60}}(?![\w+/=-])"),
    (
        "facebook_token",
        rf"{_BEFORE}EAA[A-Z](?!\w{{0,90}}AAAA){_MIXED}[0-9A-Za-z]{{100,300}}+(?![\w+/=])",
        ("EAA",),
    ),
    ("azure_key", rf"{_BEFORE}{_MIXED}[0-9A-Za-z]{{76}}AZDO[0-9A-Za-z]{{4}}{_AFTER}", ("AZDO",)),
    ("newrelic_key", r"(?<!\w)[0-9a-f]{32,36}(?:FFFF)?NRAL(?!\w)", ("NRAL",)),
    ("onfido_token", r"api_(?:live|sandbox)(?:_[a-z]{2})?\.[\w-]{11}\.[\w-]{32}"),
    ("launchdarkly_key", rf"(?<![\w-])sdk-{_UUID}(?![\w-])"),
    ("zapier_webhook", r"hooks\.zapier\.com/hooks/catch/(?P<secret>\d{4,12}/\w{5,16})"),
    ("cursor_key", r"(?<!\w)key_[0-9a-f]{64}(?!\w)"),
    ("bitwarden_token", rf"0\.{_UUID}\.[0-9A-Za-z]{{30}}:[0-9A-Za-z+/]{{22}}==", ("==",)),
    ("convex_key", r"eyJ2MiI6I[0-9A-Za-z+/]{40,}={0,2}"),
    ("intercom_token", rf"{_BEFORE}dG9rO[0-9A-Za-z+/]{{40,80}}={{0,2}}{_AFTER}"),
    ("clickhouse_key", rf"(?<!\w)4b1d{_MIXED}[0-9A-Za-z]{{38}}(?!\w)"),
    ("connection_string", r"jdbc:oracle:\w{1,8}:(?P<secret>[\w$~+=.-]{1,64}/[\w$~+=.-]{3,64})@"),
    ("fly_token", rf"(?<!\w)fo1_{_DASHED}[\w-]{{43}}(?![\w-])"),
    ("mailersend_key", r"(?<!\w)mlsn\.[0-9a-f]{64}(?!\w)"),
    ("elevenlabs_key", r"(?<!\w)sk_[0-9a-f]{48}(?!\w)", ("sk_",)),
    ("infisical_token", r"(?<![\w.])st\.[0-9a-f]{24}\.[0-9a-f]{32}\.[0-9a-f]{32,64}", ("st.",)),
    ("teams_webhook", r"IncomingWebhook/(?P<secret>[0-9a-f]{32}(?:/[\w-]{36})?)"),
    ("e2b_key", r"(?<!\w)e2b_[0-9a-f]{40}(?!\w)"),
    (
        "onepassword_key",
        r"(?<![\w-])A3-[A-Z0-9]{6}-[A-Z0-9]{6}-?[A-Z0-9]{5}(?:-[A-Z0-9]{5}){3}(?![\w-])",
        ("A3-",),
    ),
    ("nats_seed", r"(?<!\w)S[UAON]A[A-Z2-7]{55}(?!\w)", ("SUA", "SAA", "SOA", "SNA")),
    ("private_key", r"RWRTY0Iy[0-9A-Za-z+/]{130,}={0,2}"),
    ("private_key", r"RWRCSwAAA[0-9A-Za-z+/]{120,}={0,2}"),
    (
        "vercel_token",
        rf"(?<!\w)vc[pirak]_{_MIXED}[0-9A-Za-z]{{24,}}(?!\w)",
        ("vcp_", "vci_", "vcr_", "vca_", "vck_"),
    ),
    (
        "cloudflare_key",
        r"(?<!\w)cf(?:k|ut|at)_[0-9A-Za-z]{40}[0-9a-f]{8}(?!\w)",
        ("cfk_", "cfut_", "cfat_"),
    ),
    (
        "cloudflare_key",  # a tunnel's: JSON in base64 with an account, a tunnel and a secret
        r"eyJhIjoi[0-9A-Za-z]{44}LCJ0Ijoi[0-9A-Za-z+/]{60,}={0,2}",
    ),
    (
        "paypal_token",
        r"access_token\$production\$[0-9a-z]{16}\$[0-9a-f]{32}",
        ("access_token$production",),
    ),
    ("teamcity_token", r"eyJ0eXAiOiAiVENWMiJ9\.[\w-]{36}\.[\w-]{48}"),
    ("clickup_token", r"(?<!\w)pk_\d{6,10}_[0-9A-Z]{32}(?!\w)", ("pk_",)),
    ("axiom_token", rf"xa[ap]t-{_UUID}", ("xaat-", "xapt-")),
    ("mongodb_key", r"mdb_sa_sk_[\w-]{40,}"),
    ("cockroach_key", r"CCDB1_\w{22}_\w{40}"),
    ("azure_key", r"[0-9A-Za-z]{52}JQQJ99[0-9A-Za-z]{18}[0-9A-Za-z+/]{8}", ("JQQJ99",)),
    ("rapidapi_key", r"(?<!\w)[0-9a-f]{10}msh[0-9a-f]{15}p1[0-9a-f]{5}jsn[0-9a-f]{12}", ("msh",)),
    ("dropbox_token", r"(?<![\w.])sl\.(?:u\.)?[\w-]{130,}", ("sl.",)),
    ("conda_token", rf"/t/(?P<secret>[a-z]{{2}}-{_UUID})(?=/)", ("/t/",)),
    ("packagist_token", r"(?<!\w)packagist_[a-z]{3}_[0-9a-f]{68}(?!\w)"),
    ("seam_key", rf"(?<!\w)seam_[0-9A-Za-z]{{8}}_{_MIXED}[0-9A-Za-z]{{24}}(?!\w)"),
    ("jina_key", r"(?<!\w)jina_[0-9a-f]{32}[\w-]{28}(?!\w)"),
    ("langsmith_key", r"(?<!\w)ls__[0-9a-f]{32}(?!\w)"),
    ("grafana_token", r"eyJrIjoi[0-9A-Za-z+/]{60,}={0,2}"),
    ("google_key", r"AAAA[\w-]{7}:APA91b[\w-]{100,}", (":APA91b",)),
    ("facebook_token", rf"{_BEFORE}IG(?:QV|AA){_DASHED}[\w-]{{100,}}", ("IGQV", "IGAA")),
    ("signed_url", r"X-(?:Amz|Goog)-Signature=(?P<secret>[0-9a-f]{64,})", ("-Signature=",)),
    ("password_hash", _HASH),
    ("jwt", _JWT, ("eyJ",)),
)


_PLAIN_START = re.compile(r"(?:\(\?<![^()]*\))?(?P<fixed>(?:\w|-|\\\.(?=\w)|/)+)(?![*+?{|])")
"""The fixed characters at the start of a pattern, after a negative lookbehind or none."""
_LEAST_PLAIN = 4  # characters; shorter needles are in many words


def _plain_start(pattern: str) -> tuple[str, ...]:
    """Return the fixed text at the start of a pattern as a needle, in a tuple.

    Return () if it is too short to be useful.
    """
    start = _PLAIN_START.match(pattern)
    fixed = start["fixed"].replace("\\", "") if start else ""
    return (fixed,) if len(fixed) >= _LEAST_PLAIN else ()


def _hides_key(match: re.Match[str]) -> bool:
    """Tell whether a PEM text in base64 is a private key, and not a certificate."""
    start = match[0][: len(match[0]) // 4 * 4][:120]
    try:
        return b"PRIVATE KEY" in base64.b64decode(start)
    except binascii.Error:
        return False


TOKEN_DETECTORS = (
    *(
        Detector(
            rule,
            LazyPattern(pattern, re.ASCII),
            sum(needles, ()) or _plain_start(pattern),
            in_long_word=True,
        )
        for rule, pattern, *needles in _ROWS
    ),
    Detector(
        "private_key", LazyPattern(_ENCODED_KEY, re.ASCII), accepts=_hides_key, in_long_word=True
    ),
    Detector(  # `!` ends a word
        "salesforce_token", LazyPattern(r"00D[0-9A-Za-z]{12,15}!AQ[\w.]{50,}", re.ASCII), ("!AQ",)
    ),
    Detector("okta_token", LazyPattern(r"SSWS (?P<secret>00[\w-]{40})", re.ASCII), ("SSWS ",)),
    Detector(
        "azure_signature",
        LazyPattern(rf"[?&]sig=(?P<{GROUP}>[\w%+/=-]{{30,}})", re.ASCII),
        ("sig=",),
    ),
)
