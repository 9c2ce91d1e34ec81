"""Detect secrets in the settings, commands and calls of known programs and libraries.

The syntax of the program tells which word is the secret, and no name such as `password` is beside
it: the community of an SNMP agent, the second argument of `auth`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from codeindex.secrets import value_tests
from codeindex.secrets.command_lines import OPTION_NEEDLES
from codeindex.secrets.detector import FLAGS, Detector, LazyPattern, Span
from codeindex.secrets.name_patterns import PASSWORD_NEEDLES
from codeindex.secrets.randomness import looks_generated

_WORD = r"""["']?(?P<secret>[^\s"'`<>\\|;&$(){}\[\],]{4,128}+)"""
"""A word of a command line or of a line of settings."""
_LITERAL = r"""[bnu@]?(?P<q>["'`])(?P<secret>(?:(?!(?P=q))(?:\\.|[^\s\\])){6,256}+)(?P=q)"""
_USER = r"""["'`][\w.@+\\/-]{1,80}["'`]"""
_UUID = r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
_BASE64 = r"(?P<secret>[A-Za-z0-9+/]{22,128}={1,2})"
_OPTIONS = r"(?:[^\n|;]{0,160}?\s)?"

_PASS = r"pass(?:word|wd)?"  # noqa: S105 (a pattern)
_LINES = (
    (rf"\bldap_default_authtok[ \t]*=[ \t]*{_WORD}", ("auth",)),
    (rf"\bstats\sauth\s[\w.-]{{1,40}}:{_WORD}", ("auth",)),
    (
        r"^\[[\w.-]{3,80}\]:\d{1,5}[ \t]{1,8}[\w.@+-]{1,80}:(?P<secret>\S{6,128})$",
        ("]:587", "]:465", "]:25"),
    ),
    (
        r"^[\w.*-]{1,80}:\d{2,5}:[\w*-]{1,60}:[\w.*-]{1,60}:(?P<secret>\S{6,128})$",
        (":543", ":6432:"),
    ),
    (rf"\bcifs\b[^\n]{{0,200}}?[ ,]{_PASS}=(?!\$){_WORD}", ("cifs",)),
    (r"\{(?:PLAIN|CLEAR(?:TEXT)?)\}(?P<secret>[^\s:\"'{}]{4,128})", ("{plain}", "{clear")),
)
"""Lines of sssd, HAProxy, Postfix, PostgreSQL, mounts of CIFS and users of Dovecot, where no plain
word stands in the place of the secret."""
_SETTINGS = (
    (r"^[ \t]*snmp-server\scommunity\s" + _WORD, ("-server",)),
    (rf"^[ \t]*enable\ssecret\s(?:level\s\d{{1,2}}\s)?(?:\d\s)?{_WORD}", ("enable secret",)),
    (rf"^[ \t]*(?:tacacs|radius)-server\s(?:[^\n]{{1,60}}?\s)?key\s(?:\d\s)?{_WORD}", ("-server",)),
    (rf"\b(?:erlang|node)[_-]?cookie[\"']?\s{{0,8}}(?:=>|[:=])\s{{0,8}}{_WORD}", ("cookie",)),
    (rf"\bisakmp\skey\s(?:[06]\s)?{_WORD}[\"']?\s(?:address|hostname)\b", ("isakmp key",)),
    (rf"\bmessage-digest-key\s\d{{1,3}}\smd5\s(?:[07]\s)?{_WORD}", ("message-digest-key",)),
    (rf"\bset\ssnmp\scommunity\s{_WORD}", ("snmp community",)),
    (r"\bset\s[\w-]{1,40}\sENC\s(?P<secret>[A-Za-z0-9+/]{20,400}={0,2})", (" enc ",)),
    (rf"\bredis_?auth[\"']?(?:\s?[:=]|,\s?value\s?:)\s?{_WORD}", ("auth",)),
)
"""Settings of routers, Erlang and Redis."""
_COMMANDS = (
    (rf"\bsigntool\s{_OPTIONS}/p\s{_WORD}", ("signtool",)),
    (rf"\bcmdkey\s{_OPTIONS}/pass:{_WORD}", ("/pass",)),
    (rf"\bschtasks\s{_OPTIONS}/rp\s{_WORD}", ("schtasks",)),
    (rf"\bpsexec(?:64)?(?:\.exe)?\s{_OPTIONS}-p\s{_WORD}", OPTION_NEEDLES),
    (
        rf"\becho\s(?:-\w\s)?{_WORD}[\"']?\s?\|\s?(?:sudo\s)?passwd\s[^\n]{{0,40}}--stdin",
        ("-stdin", "-fd"),
    ),
    (rf"--pass\w{{0,8}}-(?:command|cmd)[ =][\"']?(?:echo|printf)\s{_WORD}", ("--pass",)),
    (
        r"(?<![\w.:/@-])[\w.-]{1,40}:(?P<secret>[^\s\"'`/@{}$%<>]{4,128})@(?:tcp6?|unix)\(",
        ("@tcp(", "@tcp6(", "@unix("),
    ),
)
"""Options of one letter, words that are piped into a program, and `user:value@tcp(host)/name`, as
Go connects to MySQL."""
_CALLS = (
    (rf"://[^\s:\"'@]{{1,60}}:%s@[^\"'\n]{{0,60}}[\"'][, ]\s?(?:%\s?)?\(?{_LITERAL}", (":%s@",)),
    (rf"(?-i:XAUTH|EAP)\s{{1,4}}{_LITERAL}", ("xauth ", "eap ")),
    (
        rf":\s(?-i:RSA|ECDSA|P12|PIN)\s\S{{1,80}}\s{_LITERAL}",
        (": rsa ", ": ecdsa ", ": p12 ", ": pin "),
    ),
    (rf"\bauth(?:tokens)?\.basic\(\s?{_USER},\s?{_LITERAL}", ("auth.basic(", "tokens.basic(")),
    (
        rf"[\"']type[\"']\s?:\s?[\"']{_PASS}[\"'],\s?[\"']value[\"']\s?:\s?{_LITERAL}",
        ("'password'", '"password"'),
    ),
    (rf"[.:]auth\(\s?(?:{_USER},\s?)?{_LITERAL}\s?\)", ("auth",)),
    (rf"\bauthenticate\(\s?{_USER},\s?{_LITERAL}", ("auth",)),
    (rf"\blogin\(\s?[\"'][^\"'\n@]{{1,60}}@[^\"'\n]{{1,60}}[\"'],\s?{_LITERAL}", ("login(",)),
    (rf"networkcredential\]::new\(\s?{_USER},\s?{_LITERAL}", ("credential",)),
    (rf"\bsecurity_credentials\s?,\s?{_LITERAL}", ("credential",)),
    (
        (
            r"(?:\bload\(|\bstore\(|getkey\(|pbekeyspec\()[^\n\"']{0,60}"
            rf"(?:{_USER},\s?)?{_LITERAL}\.tochararray\(\)"
        ),
        ("tochararray(",),
    ),
    (
        (
            r"base64\w{0,10}\(\s?(?:[\w.]{1,30}\(\s?)?b?[\"'][\w.@-]{1,40}:"
            r"(?P<secret>[^\s\"'$]{4,128})[\"']"
        ),
        ("base64",),
    ),
    (
        (
            r"buildconfigfield[ (][^\n]{0,40}[\"']\w{0,40}"
            r"(?:secret|token|password|api_?key)\w{0,20}[\"'],\s?[\"']?(?:\\[\"'])?"
            r"(?P<secret>[^\s\"'\\]{6,256}+)"
        ),
        ("buildconfigfield",),
    ),
)
"""Calls that take a password."""
_TYPE_INTO = r"(?:fill|type|send_?keys|set_?value|enter_?text|type_?text)"
"""Functions of test tools that type a text into a field."""
_BESIDE_NAME = (
    rf"^[ \t]*\$\{{[\w ]{{0,40}}{_PASS}[\w ]{{0,20}}\}}[ \t]*=?[ \t]{{2,}}{_WORD}",
    rf"\binput[ ]password(?:[ \t]{{2,}}|\t)\S{{1,80}}[ \t]{{2,}}{_WORD}",
    rf"\bssh\.password\(\s?{_LITERAL}",
    rf"{_PASS}\s?[=:]\s?%s[^\"'\n]{{0,60}}[\"'][, ]\s?(?:%\s?)?\(?{_LITERAL}",
    (
        rf"{_PASS}[\w -]{{0,20}}(?:/i?|[\"'`]?\]?[\"'`]?)\s?[)\]]{{1,4}}\s?"
        rf"\.(?:perform\(\s?)?{_TYPE_INTO}\(\s?{_LITERAL}"
    ),
    rf"\.{_TYPE_INTO}\(\s?[^\n,;]{{0,100}}?{_PASS}[^\n,;=]{{0,20}}?,\s?{_LITERAL}",
    rf"\bfill_in[ (]\s?[^\n,]{{0,60}}?{_PASS}[^\n,]{{0,20}},\s?(?:with:|:with\s?=>)\s?{_LITERAL}",
    rf"{_PASS}[^\n,;=]{{0,20}},\s?\{{\s?target:\s?\{{\s?value:\s?{_LITERAL}",
    rf"{_PASS}[\"']?\s?[:=]\s?[\"']?\{{\{{\s?{_LITERAL}",
)
"""Variables and calls of Robot Framework, literals that are formatted into a text or typed into the
password field of a page, `password: "{{ 'value' | password_hash }}"` of Ansible."""
_BESIDE_NAME_FILTER = re.compile(
    r"\{\{|%s|\}[ \t]*=?[ \t]{2}|nput[ ]|ssh\.|fill_in|target:"
    r"|[.(](?:fill|type|send_?[kK]eys|set_?[vV]alue|enter_?[tT]ext|type_?[tT]ext)\("
)
"""Line filter of `_BESIDE_NAME`: few of the lines with `pass` match it."""
_KEYED_CALLS = (
    (r"\bsymmetrickey\([^\n\"]{0,60}\"(?P<secret>[^\s\"]{16,128})\"", ("symmetrickey(",)),
    (rf"\bpgp_sym_(?:en|de)crypt\(\s?[^\n'\"]{{1,80}},\s?{_LITERAL}", ("pgp_sym",)),
    (rf"\bjwt/(?:sign|unsign|encrypt|decrypt)\s[^\s\"]{{1,40}}\s{_LITERAL}", ("jwt", "webtoken")),
    (rf"\bwandb\.login\([^\n)]{{0,60}}?key\s?=\s?{_LITERAL}", ("wandb.login(",)),
    (rf"\balgoliasearch\(\s?{_USER},\s?{_LITERAL}", ("algoliasearch(",)),
    (
        (
            r"\baccount\.key\.[\w.]{1,80}[\\\"']{0,2}\s?[,=:]\s?[\\\"']{0,2}"
            r"(?P<secret>[A-Za-z0-9+/]{40,100}={0,2})"
        ),
        ("account.key",),
    ),
    (rf"^[ \t]*[\"']?encrypt[\"']?\s?[:=]\s?[\"']{_BASE64}", ("encrypt",)),
    (rf"\bx-jfrog-art-api[\"']?\s?[:=,]\s?{_WORD}", ("jfrog-art-api",)),
    (
        (
            r"(?:proxy|grpc)_set_header\s[\w-]{0,40}"
            rf"(?:key|token|secret|password)\s{{1,8}}{_WORD}"
        ),
        ("set_header",),
    ),
    (rf"[\"']bearer[\"']\s?:\s?\{{\s?[\"'][\w.-]{{1,80}}[\"']\s?:\s?{_LITERAL}", ("bearer",)),
    (r"\brouting_key[\"']?\s?[:=]\s?[\"']?(?P<secret>[0-9a-f]{32})\b", ("routing_key",)),
    (
        r"azurewebsites\.net/[^\s\"'<>]{0,160}[?&]code=(?P<secret>[\w-]{30,128}={0,2})",
        ("azurewebsites",),
    ),
    (
        r"[\"']AC[0-9a-f]{32}[\"'],\s?[\"'](?P<secret>[0-9a-f]{32})[\"']",
        ("twilio", "client("),
    ),
    (
        (
            r"\b(?:assemblyai|cohere|deepgram|exa|mailgun)(?:[\w.]{1,40})?\(\s?"
            r"[\"'](?!(?:[a-z]+\d?-){2})(?P<secret>[0-9A-Za-z-]{32,128})[\"']"  # no model's name
        ),
        ("assemblyai", "cohere", "deepgram", "exa(", "mailgun"),
    ),
    (
        rf"\bfal[_.]?key[\"']?\s?[:=]\s?[\"']?(?P<secret>{_UUID}:[0-9a-f]{{32}})\b",
        ("fal_key", "fal.key", "falkey"),
    ),
    (r"\binfura\.io/(?:ws/)?v3/(?P<secret>[0-9a-f]{32})\b", ("infura.io",)),
)
"""Calls, headers and settings that take a key."""
_CERTAIN = (
    (
        r"\baccounts\s?:\s?\[\s?[\"'](?:0x)?(?P<secret>[0-9a-f]{64})[\"']",
        ("accounts",),
        "private_key",
    ),
    (
        r"\{SS?HA(?:256|384|512)?\}(?P<secret>[A-Za-z0-9+/]{27,100}={0,2})",
        ("{sha", "{ssha"),
        "password_hash",
    ),
)
"""Values whose form and place leave no doubt, so that they are not tested."""
_KEY_OBJECT = (
    r"[\"'](?:jwt|token|auth(?:entication)?|bearer|(?:en|de)crypt(?:ion)?|cipher|signing|hmac)"
    r"(?:settings|options|bearer|config)?[\"']"
    r"\s?:\s?\{"
)
_KEY_IN_OBJECT = re.compile(
    r"[^{}]{0,400}?[\"'](?:signing|secret|security)?key[\"']\s?:\s?" + _LITERAL, FLAGS
)
"""The key in an object whose name says what it is for, like `"Jwt": {"Key": "value"}`, also if the
object has several lines."""

_KEY_BLOCK = (
    r"^[ \t]*(?:[\w-]{1,20}[_-])?(?:(?:en|de)crypt(?:ion)?|cipher|signing|hmac|jwt)"
    r"(?:[_-]?(?:settings|options|config))?:[ \t\r]*$"
)
_KEY_IN_BLOCK = re.compile(
    r"(?:\n[ \t]++(?!(?:secret|signing)?_?key:)[\w-]{1,40}:[^\n]{0,200}){0,6}"
    r"\n[ \t]++(?:(?:secret|signing)?_?key):[ \t]+"
    r"(?P<q>[\"']?)(?P<secret>[^\s\"']{16,256})(?P=q)[ \t\r]*$",
    FLAGS,
)
"""The key in a mapping of YAML whose name says what it is for, like `encryption:` above
`key: value`."""

_CREDENTIALS_OF_HEADER = rf"^[^\n#]{{0,80}}(?<![\w-])credentials:[ ]{_WORD}"
"""Matches the value in `authorization: {credentials: value}` of Prometheus."""
_CREDENTIAL_CALL = (
    r"credentials?(?:impl|provider)?(?:\.\w{1,30}|::\w{1,30})?\(\s?(?=[^\n]{0,200}[\"'])"
)
_ARGUMENT = re.compile(
    r"""\s{0,8}(?:(?P<q>["'`])(?P<secret>[^\s"'`\\]{0,256}+)(?P=q)|[^\s"'`,()]{1,80}),?""", re.ASCII
)
_MOST_ARGUMENTS = 6

_SENT = (
    r"""\bsend(?P<line>line)?\s?\(?\s?(?:--\s)?["'](?P<secret>[^\s"'$\\]{4,128})"""
    r"""(?(line)(?:\\[rn])?|\\[rn])["']"""
)
_SEND_NEEDLES = ('send "', "send '", "send -- ", 'send("', "send('", "sendline")
_PROMPT = re.compile(r"(?i)(?:assword|assphrase)[^\n]{0,20}\n[^\n]{0,40}\Z")
_LONGEST_PROMPT = 120  # characters of the lines before a `send`


def _credential_arguments(match: re.Match[str]) -> Iterator[Span]:
    """Yield the spans of generated literals among the arguments of `StaticCredentials(…)`.

    Names of users and of accounts, which stand before them, do not look generated and are skipped.
    """
    at = match.end()
    for _ in range(_MOST_ARGUMENTS):
        argument = _ARGUMENT.match(match.string, at)
        if not argument:
            return
        if argument["secret"] and (
            looks_generated(argument) or value_tests.is_strict_key(argument)
        ):
            yield argument.span("secret")
        at = argument.end()


def _key_in_object(match: re.Match[str]) -> Iterator[Span]:
    """Yield the span of the signing key in a settings object for tokens."""
    key = _KEY_IN_OBJECT.match(match.string, match.end())
    if key and value_tests.is_signing_key(key):
        yield key.span("secret")


def _key_in_block(match: re.Match[str]) -> Iterator[Span]:
    """Yield the span of the key in a mapping of YAML for encryption or signatures."""
    key = _KEY_IN_BLOCK.match(match.string, match.end())
    if key and value_tests.is_strict_key(key):
        yield key.span("secret")


def _is_sent_to_prompt(match: re.Match[str]) -> bool:
    """Tell whether a script sends a word to a program that has asked for a password."""
    start = match.start()
    before = match.string[max(0, start - _LONGEST_PROMPT) : start]
    return bool(_PROMPT.search(before)) and value_tests.is_argument(match)


_Rows = tuple[tuple[str, tuple[str, ...]], ...]
_Test = Callable[[re.Match[str]], bool]
_GROUPS: tuple[tuple[str, _Rows, _Test], ...] = (
    ("password", _LINES, value_tests.is_argument),
    ("password", _SETTINGS, value_tests.is_mixed_argument),
    ("password", _COMMANDS, value_tests.is_argument),
    ("password", _CALLS, value_tests.is_mixed_argument),
    ("secret", _KEYED_CALLS, value_tests.is_signing_key),
)

_CREDENTIAL_FILTER = re.compile(r"\(|credentials: |CREDENTIALS|\]::new")
_LINE_FILTERS: dict[tuple[str, ...], re.Pattern[str]] = {
    ("auth",): re.compile(r"auth(?:enticate)?\(|[sS]tats auth|authtok|(?i:redis)"),
    ("credential",): _CREDENTIAL_FILTER,
    ("cookie",): re.compile(r"(?i:erlang|node)"),
}
"""Line filters of needles that many lines have."""
_UUID_PASSWORD = rf"{_PASS}[ ]?[:=][ ]?[\"']?(?P<secret>{_UUID})\b"
"""Matches `generated security password: UUID` of Spring."""

KNOWN_PLACE_DETECTORS = (
    *(
        Detector(
            rule, LazyPattern(pattern), needles, accepts, line_filter=_LINE_FILTERS.get(needles)
        )
        for rule, rows, accepts in _GROUPS
        for pattern, needles in rows
    ),
    *(Detector(rule, LazyPattern(pattern), needles) for pattern, needles, rule in _CERTAIN),
    *(
        Detector(
            "password",
            LazyPattern(pattern),
            PASSWORD_NEEDLES,
            value_tests.is_mixed_argument,
            line_filter=_BESIDE_NAME_FILTER,
        )
        for pattern in _BESIDE_NAME
    ),
    Detector(
        "password",
        LazyPattern(_UUID_PASSWORD),
        PASSWORD_NEEDLES,
        line_filter=re.compile(r"[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-"),
    ),
    Detector(
        "secret",
        LazyPattern(_CREDENTIAL_CALL),
        ("credential",),
        line_filter=_CREDENTIAL_FILTER,
        find_spans=_credential_arguments,
    ),
    Detector(
        "authorization",
        LazyPattern(_CREDENTIALS_OF_HEADER),
        ("credential",),
        value_tests.is_flow_key,
        line_filter=_CREDENTIAL_FILTER,
    ),
    Detector(
        "secret",
        LazyPattern(_KEY_OBJECT),
        (
            *("jwt", "bearer", "crypt", "cipher", "signing", "hmac"),
            *('"token"', "'token'", '"auth', "'auth"),
        ),
        find_spans=_key_in_object,
        reads_lines=True,
    ),
    Detector(
        "secret",
        LazyPattern(_KEY_BLOCK),
        ("crypt", "cipher", "signing", "hmac", "jwt"),
        find_spans=_key_in_block,
        reads_lines=True,
    ),
    Detector("password", LazyPattern(_SENT), _SEND_NEEDLES, _is_sent_to_prompt, reads_lines=True),
)
