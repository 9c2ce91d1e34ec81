"""Detects passwords passed to programs and functions, by the program's or function's name."""

from __future__ import annotations

import re
from collections.abc import Iterator

from codeindex.secrets import value_tests
from codeindex.secrets.detector import Detector, LazyPattern, Span
from codeindex.secrets.name_patterns import AUTH_NEEDLES, PASSWORD_NEEDLES
from codeindex.secrets.randomness import looks_generated
from codeindex.text.indent import indentation

_VALUE = r"""(?P<secret>[^\s"'`<>\\|;&$(){}\[\]]{3,128})"""
"""A password as one word of a command line."""
_PROGRAM = (
    r"\b(?:(?:mysql|mariadb)[\w-]{0,10}\s(?:[^\n|;]{0,200}?\s)?(?-i:-p)"  # a blank would end it
    r"|(?:sshpass|mongo\w{0,8}|(?:docker|podman|buildah|registry) login)"
    rf"""\s(?:[^\n|;]{{0,200}}?\s)?(?-i:-p)[ =]?)["']?{_VALUE}"""
)
"""Matches the value in `mysql -pvalue`, `sshpass -p value`, `docker login -p value`."""
_CURL = (
    r"\bcurl\b[^\n]{0,200}?\s(?:(?-i:-[uU])|--(?:proxy-)?user)[ =]?"
    rf"""["']?[\w.@+-]{{1,64}}:{_VALUE}"""
)
"""Matches the value in `curl -u user:value`."""
_USER_OPTION = re.compile(r"-(?:[uU]|-[uUp])")
"""Line filter for curl: the start of `-u`, `-U`, `--user` or `--proxy-user`."""
_HTTPIE = (
    r"\b(?:https?|xhs?)\s(?:[^\n|;]{0,200}?\s)?(?-i:-a|--auth)[ =]"
    rf"""["']?[\w.@+-]{{1,64}}:{_VALUE}"""
)
"""Matches the value in `http -a user:value`."""
_VARIABLE = rf"""\b(?:pgpassword|mysql_pwd|sshpass)=["']?{_VALUE}"""
"""Environment variables: `PGPASSWORD=value`."""

_SHORT_OPTION = (
    rf"""\b(?:redis-cli\s(?:[^\n|;]{{0,200}}?\s)?(?-i:-a)|sqlcmd\s(?:[^\n|;]{{0,200}}?\s)?(?-i:-P)"""
    r"|ldap\w{2,8}\s(?:[^\n|;]{0,200}?\s)?(?-i:-w)|(?:plink|pscp|psftp)\s(?:[^\n|;]{0,200}?\s)?-pw"
    r"|(?:un)?zip\s(?:[^\n|;]{0,200}?\s)?(?-i:-P)|az\slogin\s(?:[^\n|;]{0,200}?\s)?(?-i:-p)"
    r"|useradd\s(?:[^\n|;]{0,200}?\s)?(?-i:-p)|mosquitto_[ps]ub\s(?:[^\n|;]{0,200}?\s)?(?-i:-P))"
    rf"""[ =]{{1,2}}["']?{_VALUE}"""
)
"""Programs whose password option is one letter: `redis-cli -a value`, `zip -P value`."""
_GLUED_OPTION = (
    r"\b(?:7z\w?\s(?:[^\n|;]{0,200}?\s)?(?-i:-p)|[xw]freerdp\s[^\n|;]{0,200}?/p:)"
    rf"""["']?{_VALUE}"""
)
"""Programs whose option has no blank before its value: `7z -pvalue`."""
_OPENSSL = rf"""-pass(?:in|out)?\s{{1,4}}["']?pass:{_VALUE}"""
"""Matches the value in `openssl … -passin pass:value`."""
_KEYTOOL = rf"""-(?:store|key)pass\s{{1,4}}["']?{_VALUE}"""
"""Matches the value in `keytool -storepass value`."""
_SQLPLUS = rf"\bsqlplus\s[^\n|;]{{0,80}}?[\w$]{{1,30}}/{_VALUE}"
"""Matches the value in `sqlplus user/value`."""
_CHPASSWD = rf"""echo\s(?:-\w\s)?["']?[\w.-]{{1,40}}:{_VALUE}["']?\s?\|\s?(?:sudo\s)?chpasswd"""
"""Matches the value in `echo user:value | chpasswd`."""
_PIPED = (
    rf"""echo\s(?:-\w\s)?["']?{_VALUE}["']?\s?\|\s?"""
    r"(?:kinit\s|[^\n]{1,80}--(?:password|passphrase|pass)-(?:stdin|fd))"
)
"""Matches the value in `echo value | program --password-stdin`."""
_HTPASSWD = (
    r"\bhtpasswd\s(?=[^\n]{0,40}?(?-i:-[A-Za-z]{0,8}b))(?:-[A-Za-z]{1,8}\s{1,4}(?:\d{1,3}\s{1,4})?){1,5}"
    rf"""(?:[^\s-]\S{{0,200}}\s{{1,4}})?[^\s-]\S{{0,80}}\s{{1,4}}["']?{_VALUE}"""
    r"""(?=["']?\s{0,4}(?:[|&;>)`#\\"]|<\s|$))"""
)
"""Matches the value in `htpasswd -b file user value`; with `-n`, there is no file."""
_OPENSSL_ENC = (
    r"\bopenssl\s(?:enc|aes|aria|bf|blowfish|camellia|cast|chacha|des|rc[245]|seed|sm4)[\w-]{0,20}\s"
    rf"""(?:[^\n|;]{{0,200}}?\s)?(?-i:-[kK])\s{{1,4}}["']?{_VALUE}"""
)
"""Matches the value in `openssl enc -k value`."""
_CHANGE_PASSWORD = rf"\bchange_password\s[\w.-]{{1,40}}\s{_VALUE}"
"""Matches the value in `rabbitmqctl change_password user value`."""
_WIREGUARD = r"\b(?:privatekey|presharedkey)\s?=\s?(?P<secret>[A-Za-z\d+/]{43}=)"
"""Matches the value in `PrivateKey = value` of a WireGuard file: 32 bytes in base64. In code, other
values are variables."""
_IPSEC = rf"""(?-i:PSK)\s{{1,4}}["']{_VALUE}["']"""
"""Matches the value in `PSK "value"` of an IPsec secrets file."""

_ACCESS_LIST = rf"\b(?:set)?user\s\S{{1,60}}\s(?:[^\n>]{{0,80}}\s)?on\s>{_VALUE}"
"""Matches the value in `user name on >value`, a user of Redis."""
_KUBEADM = r"\bkubeadm\s[^\n|;]{1,120}?--token[ =](?P<secret>[a-z\d]{6}\.[a-z\d]{16})(?!\w)"
"""Matches the value in `kubeadm join host --token value`."""
_ANSIBLE = rf"""\bansible_\w{{0,20}}pass(?:word|wd)?[ ]?=[ ]?["']?{_VALUE}"""
"""Matches the value in `host ansible_become_pass=value` of an inventory."""
_ERLANG = rf"""-setcookie\s{{1,4}}["']?{_VALUE}"""
_TRANSACTION_KEY = r"""\bsecret\s{1,4}"(?P<secret>[A-Za-z\d+/]{16,256}={0,2})"\s?;"""
"""Matches the value in `key "name" { secret "value"; }` of a name server."""
_NET_USER = rf"\bnet\suser\s[\w.-]{{1,40}}\s(?![*/%-]){_VALUE}\s{{1,4}}/add\b"
"""Matches the value in `net user name value /add` of Windows."""
_BIND = rf"^[ \t]*(?:root)?bindpw[ \t]{{1,8}}{_VALUE}"
"""Matches the value in `bindpw value` in the settings of an LDAP client."""
_CHPASSWD_LIST = r"chpasswd:[ \t\r]*(?:#.*)?$"
_USER_LINE = re.compile(
    r"""[ \t]+(?:-[ \t]+)?["']?[\w.-]{1,40}:(?P<secret>[^\s"':]{6,128})["']?[ \t\r]*$""",
    re.MULTILINE,
)
_MOST_LIST_LINES = 40
"""Most lines that are read below `chpasswd:`."""

_STORED = (
    r"\bvault\s(?:kv\s)?(?:put|patch|write)\s[^\n|;]{1,200}?\s[\w.-]{0,40}"
    r"(?:pass(?:word|wd)?|secret(?:_?(?:id|key))?|token|api_?key|private_?key)"
    rf"""=["']?(?![@-]){_VALUE}"""
)
"""Matches the value in `vault kv put path password=value`."""
_SECRET_SET = rf"""\bgh\ssecret\sset\s[^\n|;]{{0,120}}?(?:--body|(?-i:-b))[ =]["']?{_VALUE}"""
"""Matches the value in `gh secret set NAME --body value`."""
_SECRETS_SET = (
    r"\b(?:fly(?:ctl)?|doppler|supabase|infisical)\ssecrets\sset\s"
    r"(?:-{1,2}[\w-]{1,30}(?:[ =][\w.-]{1,60})?\s){0,4}"
    rf"""[A-Za-z]\w{{1,60}}=["']?{_VALUE}"""
)
"""Matches the first value in `fly secrets set NAME=value`."""
_KEY_COMMAND = (
    r"\b(?:wandb\slogin|ngrok\s(?:config\sadd-)?authtoken)\s(?:-\S{1,60}\s){0,4}"
    r"""["']?(?P<secret>[\w-]{32,128})"""
)
"""Matches commands that store an API key: `wandb login KEY`, `ngrok config add-authtoken KEY`. The
group `secret` is the key."""

_USER_ARGUMENT = r"""(?:["'][^"'\n]{0,80}["']|[\w.]{1,80}(?:\(\))?)"""
_LITERAL = r"""(?P<q>["'`])(?P<secret>(?:(?!(?P=q))(?:\\.|[^\s\\])){3,128})(?P=q)"""
_USER_AND_PASSWORD = rf"[ ]?[(\[ ][ ]?{_USER_ARGUMENT},[ ]?(?:some\()?{_LITERAL}"
"""Two arguments: a user, quoted or not, and a quoted password."""
_AUTH = (
    rf"(?:basic_?auth\w{{0,14}}|digest_?auth\w{{0,8}}|passwordauthentication|\bauth[ ]?[=:])"
    rf"{_USER_AND_PASSWORD}"
)
"""Matches the value in `basic_auth("user", "value")`."""
_CREDENTIALS = (
    r"(?:(?:network|password)(?:credentials?|authenticationtoken)|credentials\.basic)"
    + _USER_AND_PASSWORD
)
"""Matches the value in `NetworkCredential("user", "value")`."""

OPTION_NEEDLES = (" -a", " -p", " -w", "/p:")

_ROWS = (
    (_PROGRAM, OPTION_NEEDLES),
    (_SHORT_OPTION, OPTION_NEEDLES),
    (_GLUED_OPTION, OPTION_NEEDLES),
    (_HTTPIE, (*OPTION_NEEDLES, "--auth")),
    (_BIND, PASSWORD_NEEDLES),
    (_VARIABLE, ("pgpassword", "mysql_pwd", "sshpass")),
    (_OPENSSL, ("pass:",)),
    (_KEYTOOL, ("storepass", "keypass")),
    (_SQLPLUS, ("sqlplus",)),
    (_CHPASSWD, ("chpasswd",)),
    (_PIPED, ("-stdin", "-fd", "kinit")),
    (_CHANGE_PASSWORD, ("change_password",)),
    (_HTPASSWD, ("htpasswd",)),
    (_OPENSSL_ENC, ("openssl",)),
    (_WIREGUARD, ("privatekey", "presharedkey")),
    (_IPSEC, ("psk",)),
    (_ACCESS_LIST, (" on >",)),
    (_KUBEADM, ("kubeadm",)),
    (_NET_USER, ("net user",)),
    (_ANSIBLE, ("ansible_",)),
    (_ERLANG, ("-setcookie",)),
    (_TRANSACTION_KEY, ('secret "', 'secret\t"', 'secret  "')),
    (_STORED, ("vault",)),
    (_SECRET_SET, ("gh secret",)),
    (_SECRETS_SET, ("secrets set",)),
    (_KEY_COMMAND, ("wandb login", "authtoken")),
    (_AUTH, AUTH_NEEDLES),
    (_CREDENTIALS, ("credential", "authenticationtoken")),
)

_PLAIN_ARGUMENT = r"""[^\s"',()]{1,80}(?:\([^"'()\n]{0,40}\))?"""
_ANY_ARGUMENT = (
    rf"""\s{{0,80}}(?:"[^"\n]{{0,200}}"|'[^'\n]{{0,200}}'|{_PLAIN_ARGUMENT})\s{{0,80}},"""
)
_THIRD_ARGUMENT = re.compile(rf"{_ANY_ARGUMENT}{_ANY_ARGUMENT}\s{{0,80}}{_LITERAL}", re.ASCII)
_CONNECT = (
    r"(?:\bnew\s{1,4}\\?(?:pdo|mysqli)|\bmysqli?(?:_real|_p)?_?p?connect|\bftp_login|\bgetconnection"
    r"|\b(?:mysqldb|pymysql|mysql|psycopg2?|pymssql|oracledb|cx_oracle|client|\w{0,20}db)\.connect"
    r"|\bdbi\s?->\s?connect|\bnew\ssequelize|\b(?:epgsql|odbc):connect"
    r"|\bldap_bind|\bplainauth|\bcreate_(?:super)?user)\s?\("
)
"""A call that connects to a database or a server; its third argument is the password."""
_CONNECT_NEEDLES = (
    *("pdo(", "mysqli", "login(", "getconnection(", "connect(", "ldap_bind(", "plainauth("),
    *("create_user(", "sequelize("),
)
_DRIVER_MANAGER = re.compile(r"\bDriverManager\s{0,80}\.\s{0,80}getConnection\s?\(\Z")
_LONGEST_CALL = 200  # characters; the name may be split over lines

_LOGIN_CALL = rf"login{_USER_AND_PASSWORD}"
_LOGIN_CALL_NEEDLES = ("login(",)

_GENERIC = r"\bcreate\s{1,4}secret\s{1,4}generic\s"
_REST_OF_COMMAND = re.compile(r"(?:[^\n|;&\\]|\\\r?\n?){1,2000}")
"""The rest of a command of a shell, which goes on below a line that ends with a backslash."""
_FROM_LITERAL = re.compile(rf"""--from-literal[= ]["']?[\w.-]{{1,80}}=["']?{_VALUE}""")

_USER_MAP = (
    r"""users["'`]?(?:\s?:\s?[\w\[\], ]{1,40})?\s{0,8}(?:=>|:?=|:)\s{0,8}"""
    r"(?:new\s)?(?:dict\(|map\()?[{\[]"
)
_USER_ENTRY = re.compile(
    r"""[\s,]{0,80}["'`]?(?P<user>[\w.@-]{1,80})["'`]?\s{0,8}(?:=>|:)\s{0,8}"""
    r"""(?P<q>["'`])(?P<secret>[^\s"'`\\]{1,128})(?P=q)"""
)
_NOT_A_USER = re.compile(
    r"(?i)(?:.*[_.-])?(?:id|uuid|guid|sha|hash|digest|checksum|etag|cursor|nonce|version|url|href|src"
    r"|avatar|image|class|type|kind|date|time|state)"
)
"""Keys that describe a user, such as `id` or `avatar`; their values are no passwords."""
_MOST_USERS = 200
"""Most entries of a user map that are read: bounds the time for a map that never closes."""


def _listed_passwords(match: re.Match[str]) -> Iterator[Span]:
    """Yield the span of each password in a list of `user:password` lines under `chpasswd:`."""
    text, at = match.string, match.end() + 1
    indent = match.start() - (text.rfind("\n", 0, match.start()) + 1)
    for _ in range(_MOST_LIST_LINES):
        end = text.find("\n", at)
        line = text[at : end if end >= 0 else None]
        if line.strip() and indentation(line) <= indent:
            return
        entry = _USER_LINE.match(text, at)
        if entry and value_tests.is_argument(entry):
            yield entry.span("secret")
        if end < 0:
            return
        at = end + 1


def _literals_of_secret(match: re.Match[str]) -> Iterator[Span]:
    """Yield the span of each value in `kubectl create secret generic x --from-literal=name=value`.

    Whatever its name, each is secret.
    """
    rest = _REST_OF_COMMAND.match(match.string, match.end())
    for literal in _FROM_LITERAL.finditer(match.string, *rest.span()) if rest else ():
        if value_tests.is_argument(literal):
            yield literal.span("secret")


def _third_argument(match: re.Match[str]) -> Iterator[Span]:
    """Yield the span of a call's third argument if it is a quoted password."""
    text, end = match.string, match.end()
    is_getter = match[0].lower().startswith("getconnection")
    if is_getter and not _DRIVER_MANAGER.search(text, max(0, end - _LONGEST_CALL), end):
        return
    argument = _THIRD_ARGUMENT.match(text, end)
    if argument and value_tests.is_argument(argument):
        yield argument.span("secret")


def _user_map_values(match: re.Match[str]) -> Iterator[Span]:
    """Yield the spans of the values in `{user: value}` that look random.

    Plain words are left out, because they may be roles.
    """
    at = match.end()
    for _ in range(_MOST_USERS):
        entry = _USER_ENTRY.match(match.string, at)
        if not entry:
            return
        if not _NOT_A_USER.fullmatch(entry["user"]) and looks_generated(entry):
            yield entry.span("secret")
        at = entry.end()


COMMAND_LINE_DETECTORS = (
    Detector(
        "password",
        LazyPattern(_CHPASSWD_LIST),
        ("chpasswd",),
        find_spans=_listed_passwords,
        reads_lines=True,
    ),
    *(
        Detector("password", LazyPattern(pattern), needles, value_tests.is_argument)
        for pattern, needles in _ROWS
    ),
    Detector(
        "password",
        LazyPattern(_CURL),
        ("curl",),
        value_tests.is_argument,
        line_filter=_USER_OPTION,
    ),
    Detector(
        "password",
        LazyPattern(_CONNECT),
        _CONNECT_NEEDLES,
        find_spans=_third_argument,
        reads_lines=True,
    ),
    Detector(
        "password",
        LazyPattern(_GENERIC),
        ("secret generic",),
        find_spans=_literals_of_secret,
        reads_lines=True,
    ),
    Detector("password", LazyPattern(_LOGIN_CALL), _LOGIN_CALL_NEEDLES, looks_generated),
    Detector(
        "password",
        LazyPattern(_USER_MAP),
        ("users",),
        find_spans=_user_map_values,
        reads_lines=True,
    ),
)
