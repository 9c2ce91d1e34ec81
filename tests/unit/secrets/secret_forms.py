"""Forms of secrets in 16 file formats, and what looks like one and is none; made by templates.

No value is real. Each is put together when this module is imported, so that no scanner of
repositories takes it for a leak. In a form, what stands between « and » is secret.
"""

from __future__ import annotations

import random
import string
from collections.abc import Iterator
from dataclasses import dataclass

from tests.unit.secrets.secret_forms_attacked import ATTACKED, LOOK_ATTACKED
from tests.unit.secrets.secret_forms_by_hand import BY_HAND
from tests.unit.secrets.secret_forms_literals import LITERALS, LOOK_LITERALS
from tests.unit.secrets.secret_forms_places import LOOK_PLACES, PLACES
from tests.unit.secrets.secret_forms_stated import LOOK_STATED, STATED

_RANDOM = random.Random(17)
_WORD_SIGNS = string.ascii_letters + string.digits
_BASE64_SIGNS = _WORD_SIGNS + "+/"
_HEX_SIGNS = "0123456789abcdef"
DASHES = "-" * 5


@dataclass(frozen=True)
class Form:
    """A text as a file of some format has it."""

    format: str
    path: str
    text: str

    @property
    def plain(self) -> str:
        return self.text.replace("«", "").replace("»", "")

    @property
    def secrets(self) -> list[str]:
        return self.text.replace("»", "«").split("«")[1::2]


def _made(signs: str, length: int) -> str:
    """Return random characters with digits and letters mixed from the start on."""
    made = "".join(_RANDOM.choice(signs) for _ in range(length - 6))
    return f"k7R{made}9xQ"


def word(length: int = 40) -> str:
    return _made(_WORD_SIGNS, length)


def base64_text(length: int = 64) -> str:
    return _made(_BASE64_SIGNS, length)


def hexadecimal(length: int = 40) -> str:
    return "7f3" + "".join(_RANDOM.choice(_HEX_SIGNS) for _ in range(length - 3))


def password() -> str:
    return f"{_RANDOM.choice('KTRMW')}{_made(string.ascii_lowercase, 10)}{_RANDOM.choice('!@#^*')}4"


PASSWORDS = (
    password(),
    "tr0ub4dor&3x",
    "Pa$$w0rd!7k",
    "p@ss$w0rd9Z",
    "Xk{9}qZ!2mVb",
    "50%off!Pw8z",
    "a%sb9Kq!x2Lm",
    "Ab3xxxxQ9z!k",
    "qW7...zK4!pe",
    "hunter2swordf",
)
"""As people and generators make them, with signs that templates have too."""
PLAIN = (password(), "hunter2swordf", "Sw0rdf1sh!77")
KEYS = (word(40), hexadecimal(40), word(32))
PASSWORD_NAMES = (
    "password",
    "db_password",
    "DB_PASSWORD",
    "smtp_pass",
    "adminPassword",
    "mysql_pwd",
)
KEY_NAMES = ("api_key", "API_TOKEN", "client_secret", "secretKey", "encryption_key", "auth_token")

# @N@ is a name and @V@ a value; each template is filled in with several of both.
_QUOTED = {
    ("python", "app.py"): (
        '@N@ = "@V@"',
        "@N@: str = '@V@'",
        'config["@N@"] = "@V@"',
        '    connect(host="h", @N@="@V@")',
        'os.environ.setdefault("@N@", "@V@")',
        'os.getenv("@N@", "@V@")',
        'DATABASES = {"default": {"@N@": "@V@"}}',
        'settings = dict(@N@="@V@", user="me")',
        'if @N@ == "@V@":',
        'pairs = [("@N@", "@V@"), ("user", "me")]',
        '@N@ = (\n    "@V@"\n)',
        '@N@ = """@V@"""',
        'client.post(url, headers={"@N@": "@V@"})',
    ),
    ("javascript", "app.ts"): (
        'const @N@ = "@V@";',
        "let @N@: string = '@V@';",
        "export const config = { @N@: '@V@' };",
        "process.env.@N@ || '@V@'",
        "app.set('@N@', '@V@');",
        "const @N@ = `@V@`;",
        "connect({ user: 'me', @N@: '@V@', port: 1 });",
        "new Map([['@N@', '@V@']]);",
        "localStorage.setItem('@N@', '@V@');",
        "this.@N@ ??= '@V@'",
        "headers.append('@N@', '@V@');",
        "const body = '{\"@N@\": \"@V@\"}';",
    ),
    ("java", "App.java"): (
        'private static final String @N@ = "@V@";',
        'properties.put("@N@", "@V@");',
        'properties.setProperty("db.@N@", "@V@");',
        'Map.of("@N@", "@V@");',
        'request.addHeader("@N@", "@V@");',
        '@Value("x") String @N@ = "@V@";',
        'String json = "{\\"@N@\\": \\"@V@\\"}";',
        'String json = "{\\\\\\"@N@\\\\\\": \\\\\\"@V@\\\\\\"}";',
        'val @N@: String = "@V@"',
        'public string @N@ { get; set; } = "@V@";',
        'String @N@ = new String("@V@");',
        'builder.with("@N@", "@V@").build();',
    ),
    ("go", "main.go"): (
        'const @N@ = "@V@"',
        'var @N@ string = "@V@"',
        '@N@ := "@V@"',
        'cfg := Config{@N@: "@V@"}',
        'os.Setenv("@N@", "@V@")',
        'viper.SetDefault("@N@", "@V@")',
        'req.Header.Set("@N@", "@V@")',
        "let @N@: &'static str = \"@V@\";",
        'static const char *const @N@ = "@V@";',
        'char @N@[32] = "@V@";',
        '#define @N@ "@V@"',
        '{"@N@", "@V@"},',
    ),
    ("php", "config.php"): (
        "'@N@' => '@V@',",
        "$@N@ = '@V@';",
        "define('@N@', '@V@');",
        "const @N@ = '@V@';",
        "public $@N@ = '@V@';",
        "my $@N@ = '@V@';",
        "@N@: '@V@',",
        ":@N@ => '@V@',",
        "ENV.fetch('@N@', '@V@')",
        "config.@N@ = '@V@'",
        "@N@ = '@V@'.freeze",
        "use constant @N@ => '@V@';",
        "$config['@N@'] = '@V@';",
    ),
    ("basic", "Module.vb"): (
        'Dim @N@ As String = "@V@"',
        'Private Const @N@ As String = "@V@"',
        'Public Shared ReadOnly @N@ As New String = "@V@"',
        'Const @N@ = "@V@"',
        '$@N@ = "@V@"',
        "$env:@N@ = '@V@'",
        '[Environment]::SetEnvironmentVariable("@N@", "@V@")',
        'setx @N@ "@V@"',
        'DECLARE @@N@ NVARCHAR(50) = "@V@"',
    ),
    ("hcl", "main.tf"): (
        '@N@ = "@V@"',
        '  @N@      = "@V@"',
        'variable "@N@" {\n  type    = string\n  default = "@V@"\n}',
        'env = { @N@ = "@V@" }',
        'environment {\n  name  = "@N@"\n  value = "@V@"\n}',
        'set_sensitive {\n  name  = "auth.@N@"\n  value = "@V@"\n}',
    ),
    ("json", "config.json"): (
        '{"@N@": "@V@"}',
        '{"db": {"@N@": "@V@", "port": 1}}',
        '{"name": "@N@", "value": "@V@"}',
        '{"value": "@V@", "key": "@N@"}',
        '{"value": "@V@", "type": "text", "name": "@N@"}',
        '{"key": "@N@", "enabled": true, "type": "text", "value": "@V@"}',
        '{\n  "value": "@V@",\n  "type": "text",\n  "key": "@N@"\n}',
        '{\n  "key": "@N@",\n  "type": "text",\n  "enabled": true,\n  "value": "@V@"\n}',
        '{"body": "{\\"@N@\\":\\"@V@\\"}"}',
        '[["@N@", "@V@"]]',
    ),
    ("toml", "app.toml"): (
        '@N@ = "@V@"',
        "@N@ = '@V@'",
        'db = { user = "me", @N@ = "@V@" }',
        '[db]\nuser = "me"\n@N@ = "@V@"',
        '"db.@N@" = "@V@"',
    ),
    ("yaml", "app.yaml"): (
        "@N@: '@V@'",
        'db:\n  @N@: "@V@"',
        'db: {user: me, @N@: "@V@"}',
        '@N@: &shared "@V@"',
        "@N@: !!str '@V@'",
        '- name: @N@\n  value: "@V@"',
        '- value: "@V@"\n  name: @N@',
        "@N@:\n  '@V@'",
        '- "@N@=@V@"',
    ),
    ("xml", "app.xml"): (
        "<@N@>@V@</@N@>",
        '<property name="@N@" value="@V@"/>',
        '<add value="@V@" key="@N@"/>',
        '<entry key="@N@">@V@</entry>',
        "<property>\n  <name>@N@</name>\n  <value>@V@</value>\n</property>",
        "<property><name>@N@</name><value>@V@</value></property>",
        '<setting name="@N@" serializeAs="String">\n  <value>@V@</value>\n</setting>',
        "<key>@N@</key>\n<string>@V@</string>",
        "<param-name>@N@</param-name><param-value>@V@</param-value>",
        '<@N@ encrypted="no">@V@</@N@>',
        "<@N@><![CDATA[@V@]]></@N@>",
        "<context-param>\n<param-name>@N@</param-name>\n<param-value>@V@</param-value>",
    ),
    ("sql", "data.sql"): (
        "SET @N@ = '@V@';",
        "INSERT INTO settings (name, @N@) VALUES ('me', '@V@');",
        "INSERT INTO t (@N@, b, c) VALUES\n  ('@V@', 1, NULL),\n  ('@V@', 2, 'x');",
        "v_@N@ VARCHAR2(30) := '@V@';",
        "UPDATE t SET @N@ = '@V@' WHERE id = 1;",
    ),
}  # fmt: skip
_BARE = {
    ("environment", ".env.example"): (
        "@N@=@V@",
        "export @N@=@V@",
        "# @N@=@V@",
        '@N@="@V@"',
        "@N@='@V@'",
    ),
    ("ini", "app.ini"): (
        "[db]\n@N@ = @V@",
        "@N@=@V@",
        "; @N@ = @V@",
        "spring.datasource.@N@=@V@",
        "spring.datasource.@N@: @V@",
    ),
    ("yaml", "app.yml"): (
        "@N@: @V@",
        "db:\n  - @N@: @V@",
        "db:\n  @N@: @V@ # why",
        "@N@: &shared @V@",
        "@N@: !!str @V@",
        "@N@: |\n  @V@",
        "environment:\n  - @N@=@V@",
    ),
}
_PLAIN_BARE = {
    ("yaml", "app.yml"): (
        "db: {user: me, @N@: @V@}",
        "db: {@N@: @V@, user: me}",
        "@N@:\n  @V@",
        "- name: @N@\n  value: @V@",
        "- value: @V@\n  name: @N@",
        "@N@s:\n  - @V@\n  - @V@",
        "@N@s: [@V@]",
    ),
    ("shell", "run.sh"): (
        "export @N@='@V@'",
        '@N@="@V@" ./run',
        "${@N@:-@V@}",
        "docker run -e @N@=@V@ image",
        "helm install x --set auth.@N@=@V@",
        "./run --@N@=@V@",
        "curl 'https://x.example/?@N@=@V@'",
        "open 'https://x.example/cb#@N@=@V@&state=1'",
        "cat <<EOF\n@N@=@V@\nEOF",
        "set -gx @N@ @V@",
    ),
    ("docker", "Dockerfile"): ("ENV @N@=@V@", "ENV @N@ @V@", "ARG @N@=@V@"),
    ("markdown", "README.md"): (
        "**@N@**: `@V@`",
        "The @N@ is `@V@`.",
        "| @N@ | `@V@` |",
        "| user | @N@ |\n|---|---|\n| me | @V@ |",
        "<!-- @N@: @V@ -->",
        "    @N@ = '@V@'",
        "@N@: &quot;@V@&quot;",
        "<td>@N@</td><td>@V@</td>",
        "<dt>@N@</dt>\n<dd>@V@</dd>",
    ),
    ("table", "users.csv"): (
        "user,@N@,mail\nme,@V@,a@b.example\nyou,@V@,",
        "user;@N@\nme;@V@",
        '"user","@N@"\n"me","@V@"',
        "user\t@N@\nme\t@V@",
    ),
}  # fmt: skip


def _forms() -> Iterator[Form]:
    yield from _filled(_QUOTED, PASSWORD_NAMES, PASSWORDS, 3)
    yield from _filled(_QUOTED, KEY_NAMES, KEYS, 1)
    yield from _filled(_BARE, PASSWORD_NAMES, PASSWORDS, 5)
    yield from _filled(_BARE, KEY_NAMES, KEYS, 2)
    yield from _filled(_PLAIN_BARE, PASSWORD_NAMES[:3], PLAIN, 3)
    yield from _filled(_PLAIN_BARE, KEY_NAMES[:4], KEYS, 1)
    yield from _private_keys()
    yield from (Form("tokens", "notes.txt", f"x {one} y\n") for one in _tokens())
    yield from (Form("by hand", path, f"{text}\n") for path, text in BY_HAND)
    yield from (Form("attacked", path, f"{text}\n") for path, text in ATTACKED)
    yield from (Form("literals", path, f"{text}\n") for path, text in LITERALS)
    yield from (Form("stated", path, text) for path, text in STATED)
    yield from (Form("places", path, f"{text}\n") for path, text in PLACES)
    for (format_, path), texts in _WHOLE.items():
        yield from (Form(format_, path, f"{text}\n") for text in texts)


def _filled(
    table: dict[tuple[str, str], tuple[str, ...]],
    names: tuple[str, ...],
    values: tuple[str, ...],
    times: int,
) -> Iterator[Form]:
    """Fill each template in with `times` names and values, other ones for each."""
    number = 0
    for (format_, path), templates in table.items():
        for template in templates:
            for _ in range(times):
                name, value = names[number % len(names)], values[number % len(values)]
                number += 1
                text = template.replace("@N@", name).replace("@V@", f"«{_fit(value, template)}»")
                yield Form(format_, path, f"{text}\n")


def _fit(value: str, template: str) -> str:
    """Leave out what cannot stand in a template: `]` ends CDATA, a quote ends a literal."""
    return value.replace("&", "*") if "<" in template or "&" in template else value


def _private_keys() -> Iterator[Form]:
    """Private keys, in all the ways in which their lines are put into other files."""
    for kind in ("RSA ", "EC ", "OPENSSH ", "ENCRYPTED ", ""):
        lines = [base64_text() for _ in range(4)]
        begin, end = (f"{DASHES}{one} {kind}PRIVATE KEY{DASHES}" for one in ("BEGIN", "END"))
        whole = [begin, *lines, end]
        yield from (
            Form("key", path, f"{text}\n")
            for path, text in (
                ("k.txt", _each(whole, "", "\n")),
                ("k.json", '{"k": "' + _each(whole, "", "\\n") + '"}'),
                ("k.json", '{"k": "{\\"k\\": \\"' + _each(whole, "", "\\\\n") + '\\"}"}'),
                ("k.json", '{"k": "' + _each(whole, "", "\\r\\n") + '"}'),
                ("k.env", 'K="' + _each(whole, "", " ") + '"'),
                ("k.txt", _each(whole, "", "\r")),
                ("k.html", _each(whole, "", "<br>\n")),
                ("k.html", _each(whole, "", "<br/>")),
                ("k.py", _each(whole, 'key += "', '\\n"\n')),
                ("K.java", _each(whole, 'sb.append("', '\\n");\n')),
                ("k.js", _each(whole, "  '", "\\n' +\n")),
                ("k.txt", "\n".join(f"{at:3}  «{one}»" for at, one in enumerate(whole, 1))),
                ("k.diff", _each(whole, "-", "\n")),
                ("k.yaml", "key: |\n" + _each(whole, "  ", "\n")),
                ("k.url", "k=" + _each(whole, "", "%0A").replace(" ", "%20").replace("+", "%2B")),
            )
        )


def _each(lines: list[str], before: str, after: str) -> str:
    return "".join(f"{before}«{one}»{after}" for one in lines)


def _tokens() -> Iterator[str]:
    """Tokens as their providers document them; prefixes and values are kept apart here."""
    for prefix, length in (
        *(("gh" + "p_", 36), ("gh" + "o_", 36), ("gh" + "u_", 36), ("gh" + "s_", 36)),
        *(("gh" + "r_", 36), ("github" + "_pat_", 82), ("gl" + "pat-", 20), ("gl" + "dt-", 20)),
        *(("gl" + "rt-", 20), ("gl" + "ptt-", 40), ("gl" + "oas-", 64), ("gl" + "ft-", 20)),
        *(("gl" + "imt-", 25), ("gl" + "agent-", 50), ("gl" + "soat-", 20), ("gl" + "ffct-", 20)),
        *(("gl" + "cbt-", 24), ("gl" + "wt-", 24), ("gl" + "rtr-", 24), ("np" + "m_", 36)),
        *(("xox" + "b-", 40), ("xox" + "p-", 40), ("AI" + "za", 35), ("sk" + "_live_", 24)),
        *(("rk" + "_live_", 24), ("wh" + "sec_", 32), ("hf" + "_", 34), ("dckr" + "_pat_", 27)),
        *(("sk-" + "ant-api03-", 90), ("sk-" + "proj-", 60), ("gs" + "k_", 52), ("SG" + ".", 60)),
        *(("dop" + "_v1_", 0), ("lin" + "_api_", 40), ("glsa" + "_", 0), ("pscale" + "_tkn_", 43)),
        *(("shippo" + "_live_", 0), ("nfp" + "_", 40), ("sgp" + "_", 0), ("rdme" + "_", 70)),
        *(("pnu" + "_", 36), ("phx" + "_", 43), ("sqp" + "_", 0), ("squ" + "_", 0)),
        *(("rzp" + "_live_", 14), ("CCIPAT" + "_", 40), ("ddp" + "_", 36), ("lsv2" + "_pt_", 0)),
        *(("tfp" + "_", 44), ("duffel" + "_live_", 43), ("pat-" + "na1-", -1), ("oy2", 43)),
        *(("API-", 26), ("CLOJARS" + "_", 60), ("LTAI", 20), ("pcsk" + "_", 60)),
    ):
        if prefix == "SG" + ".":
            yield f"«{prefix}{word(22)}.{word(43)}»"
        elif prefix == "glsa" + "_":
            yield f"«{prefix}{word(32)}_{hexadecimal(8)}»"
        elif length < 0:
            yield f"«{prefix}{hexadecimal(8)}-1a2b-3c4d-5e6f-{hexadecimal(12)}»"
        elif prefix == "API-":
            yield f"«{prefix}{word(26).upper()}»"
        else:
            digits = hexadecimal(64 if prefix.startswith("dop") else 40)
            yield f"«{prefix}{word(length) if length else digits}»"


_WHOLE = {
    ("address", "notes.txt"): (
        f"git clone https://«{word(40)}»@git.example/x.git",
        f"https://«{hexadecimal(40)}»@x.example/a",
        f"https://oauth2:«{word(30)}»@x.example/a",
        f"https://x.example/cb#access_token=«{word(30)}»&type=bearer",
        f"https://x.example/cb#id=1&refresh_token=«{word(30)}»",
        f"postgres://me:«{password()}»@h/db",
        f"redis://:«{password()}»@h:6379/0",
        "amqp://me:«p%40ss$w0rd»@h/",
        "mongodb+srv://me:«Ab{3}xQ9»@h/db",
    ),
    ("connection", "app.config"): (
        f"Password=«{PLAIN[1]}»;Server=db;User Id=sa;",
        f'"Pwd=«{PLAIN[1]}»;Uid=sa;Database=x"',
        f'"Password=«{PLAIN[2]}»; Host=db; Username=me"',
        f'"Server=db;User Id=sa;Password=«{PLAIN[2]}»;"',
        f'<add name="x" connectionString="Password=«{PLAIN[1]}»;Data Source=h"/>',
    ),
    ("joined", "app.py"): (
        'password = "«hun»" + "«ter2x9»"',
        "db_password = '«Sw0rd»' . '«f1sh77»';",
        'DB_PASSWORD = "«Sw0»" \\\n    "«rdf1sh77»"',
        'password = ("«Sw0rd»"\n    "«f1sh77»")',
        f'api_key = "«{KEYS[0][:20]}»" + "«{KEYS[0][20:]}»"',
        f'client_secret: "«{KEYS[2][:9]}»" + "«{KEYS[2][9:20]}»" + "«{KEYS[2][20:]}»",',
        'Dim password As String = "«Sw0rd»" & "«f1sh77»"',
        'const password = "«hunter2»" +\n  "«swordf»";',
        'password := "«Sw0rd»" + "«f1sh77»"',
        'password = "«Sw0rd»" .. "«f1sh77»"',
        'password = "«Sw0rd»" <> "«f1sh77»"',
    ),
    ("decoded", "app.py"): (
        f'password = base64.b64decode("«{word(16)}»")',
        f"const apiKey = atob('«{word(32)}»');",
        f'byte[] secretKey = Base64.getDecoder().decode("«{word(32)}»");',
        f'key = bytes.fromhex("x"); secret_key = bytes.fromhex("«{hexadecimal(32)}»")',
    ),
    ("jwk", "keys.json"): (
        f'{{"kty":"RSA","n":"{word(60)}","e":"AQAB","d":"«{word(60)}»","p":"«{word(30)}»"}}',
        f'{{"k":"«{word(43)}»","alg":"HS256","kty":"oct"}}',
        f'{{\n  "kty": "EC",\n  "crv": "P-256",\n  "x": "{word(43)}",\n  "d": "«{word(43)}»"\n}}',
        f'{{"keys":[{{"d":"«{word(43)}»","kty":"OKP","crv":"Ed25519"}}]}}',
        f'"{{\\"kty\\":\\"oct\\",\\"k\\":\\"«{word(43)}»\\"}}"',
        f"<RSAKeyValue><Modulus>{word(40)}</Modulus><D>«{word(40)}»</D></RSAKeyValue>",
    ),
    ("framework", "config.txt"): (
        f"APP_KEY=base64:«{word(43)}»=",
        f"define('AUTH_KEY', '«k}}7 R$x!{word(20)} {{9;~Q^ [z]|w+=?,»');",
        f"define('NONCE_SALT', '«u@{word(20)} #&)(*k9 <x>-_/ ;:%»');",
        f"define( 'LOGGED_IN_SALT',  '«{word(9)}!{word(9)} ~`^%@ {{}}|#»' );",
        f"SECRET_KEY = 'django-insecure-«{word(20)}%s(x6=+bn@l$b_-#z#9h!1m&»'",
        f"secret_key_base: «{hexadecimal(128)}»",
        f"Rails.application.config.secret_token = '«{hexadecimal(64)}»'",
        "ansible_become_pass: «hunter2swordf»",
        "ansible_ssh_pass=«Sw0rdf1sh!77»",
        "host1 ansible_user=me ansible_become_password=«Sw0rdf1sh!77»",
        "rootpw --plaintext «Sw0rdf1sh77x»",
        "rootpw «Sw0rdf1sh77x»",
        f"rootpw --iscrypted «$6$saltsalt${word(80)}»",
        "user --name=me --password=«Sw0rdf1sh77x» --plaintext",
        "bootloader --location=mbr --password=«Sw0rdf1sh77x»",
        "enable password «Sw0rdf1sh77x»",
        "username me password 7 «0822455D0A16x9»",
        "'hash_salt' => '«k7Rq9xQ2mN5p»',",
        'signing_salt: "«nT3Xk2aQ»"',
        f"config.pepper = '«{hexadecimal(64)}»'",
        f"'cookieValidationKey' => '«{word(32)}»',",
        f"$wgSecretKey = '«{hexadecimal(64)}»';",
        f"$wgUpgradeKey = '«{hexadecimal(16)}»';",
        f"fernet_key = '«{word(43)}»='",
        f"PrivateKey = «{word(43)}»=",
        'psk="«Sw0rdf1sh77x»"',
        f'<machineKey decryptionKey="«{hexadecimal(48)}»" />',
        f"NEXTAUTH_SECRET=«{word(32)}»",
        f"'salt' => '«{hexadecimal(32)}»',",
    ),
    ("command", "run.sh"): (
        "redis-cli -h h -a «Sw0rdf1sh» ping",
        "sqlcmd -S h -U sa -P «Sw0rdf1sh»",
        "ldapsearch -x -D cn=me -w «Sw0rdf1sh»",
        "plink -ssh me@h -pw «Sw0rdf1sh»",
        "zip -r -P «Sw0rdf1sh» a.zip a",
        "az login -u me -p «Sw0rdf1sh»",
        "openssl rsa -in k -passin pass:«Sw0rdf1sh»",
        "keytool -genkey -storepass «Sw0rdf1sh» -keypass «Sw0rdf1sh»",
        "sqlplus me/«Sw0rdf1sh»@orcl",
        'echo "root:«Sw0rdf1sh»" | chpasswd',
        "echo «Sw0rdf1sh» | docker login --password-stdin",
        "mosquitto_pub -u me -P «Sw0rdf1sh» -t x",
        "mysqldump -u me -p«Sw0rdf1sh» db",
        "curl -u me:«Sw0rdf1sh» https://x.example",
        "PGPASSWORD=«Sw0rdf1sh» psql",
        "sshpass -p «Sw0rdf1sh» ssh me@h",
    ),
    ("cookie", "http.txt"): (
        f"Cookie: sessionid=«{word(32)}»; lang=de",
        f"Set-Cookie: connect.sid=«s%3A{word(32)}»; Path=/",
    ),
}


_REFERENCES = (
    *("${@N@}", "$@N@", "{{ @N@ }}", "%(@N@)s", "<@N@>", "#{@N@}", "$(cat /run/x)", "%@N@%"),
    *(
        "xxxxxxxx",
        "********",
        "...",
        "changeme",
        "your-@N@",
        "<your @N@>",
        "{@N@}",
        "${{ env.@N@ }}",
    ),
)
_ASSIGNED = (
    *('@N@ = "@V@"', "'@N@' => '@V@',", '{"@N@": "@V@"}', 'Dim @N@ As String = "@V@"'),
    *("<@N@>@V@</@N@>", 'put("@N@", "@V@")', '@N@: "@V@"'),
)
_SETTINGS = (
    'parse(pass: ["text/plain"])',
    f'START = b"{DASHES}BEGIN OPENSSH PRIVATE KEY{DASHES}"\nEND = b"{DASHES}END OPENSSH "',
    '{"kty": "oct", "k": base64url_encode(force_bytes(key_obj)).decode()}',
    'verify_token="eyJhbGciOiJIUzI1NiIs...",',
    'PASS = "pass"\n"""pass."""',
    "ssh://687fb701029421ae5549d998@ssh.example",
    'plug Plug.Parsers, parsers: [:urlencoded, :json], pass: ["*/*"]',
    'plug Plug.Parsers, pass: ["text/*", "application/json"]',
    "secrets:\n  ignore:\n    - fingerprint:0123456789abcdef\n    - tests/fixtures/a1/**\n",
    'secrets:\n  ignore:\n    - "p:1"  # why\n    - "src/a2b/x.py:17"\n',
    "https://user1@example.com/a",
    "https://user.name2020@example.com",
    "ssh://git@github.com/a/b1.git",
    "mailto:someone.else.2020@example.com",
    "https://example.com/#token-types-2",
    "https://example.com/a#section=introduction2",
    "<name>password</name><type>string</type>",
    "<name>password</name>\n<description>The password of user1</description>",
    '<input name="password" type="password" id="login_password2">',
    '<label for="password">Password 2</label>',
    "<td>password</td><td>string</td>",
    '{"name": "password", "type": "string", "required": true}',
    '{"type": "string", "name": "password"}',
    '{"name": "user", "value": "hunter2x"}, {"name": "password", "in": "query"}',
    '{"kty": "RSA", "n": "0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx", "e": "AQAB"}',
    '{"kty": "EC", "crv": "P-256", "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU"}',
    '{"d": "M10 20L30 40Z", "fill": "none", "k": "abcdefghijklmnop"}',
    f'"{DASHES}BEGIN PRIVATE KEY{DASHES}" in text and "{DASHES}END PRIVATE KEY{DASHES}" in text',
    f'x.replace("{DASHES}BEGIN PRIVATE KEY{DASHES}", "").replace("{DASHES}END PRIVATE KEY{DASHES}"',
    (f'const header = "{DASHES}BEGIN PRIVATE KEY{DASHES}";\nconst pemContents = pem.substring(\n'
    f'  header.length);\nconst footer = "{DASHES}END PRIVATE KEY{DASHES}";'),
    f"A key: {DASHES}BEGIN RSA PRIVATE KEY{DASHES} to {DASHES}END RSA PRIVATE KEY{DASHES}.",
    f"{DASHES}BEGIN CERTIFICATE{DASHES}\nMIIB9x2Zq7RkT4\n{DASHES}END CERTIFICATE{DASHES}",
    "user,password,mail\nstring,string,string",
    "rootpw --lock",
    "enable password encryption",
    'publicKeyToken="31bf3856ad364e35"',
    "Set-Cookie: user=tobi2345678901234567; Path=/",
    "Cookie: lang=de-DE-1996-with-variants-2",
    "keyboard_key = 'shift-left-2'",
    "primary_key = 'user_identifier_2'",
    "foreign_key: 'account_id_2'",
    "cache_key = 'views/v2/products/1234567890'",
    "password:\n  type: string\n  minLength: 8\n",
    "password:\n  $ref: '#/x1'\n",
    "token:\n  required: true\n",
    "secretName: my-app-tls-2",
    "password: !Ref DatabasePassword1",
    "password: !Sub '${Prefix}-password-1'",
    "password: *shared",
    "passwordSecretRef: {name: db-secret-1, key: password}",
    "bypass = 'firewall2rule'",
    "compass: north2west3",
)  # fmt: skip
_CODE = (
    "password: str | None = None",
    "def login(user, password=None):",
    "t.PrivateKey = d.Val()",
    "presharedKey = loadKey(path)",
    "token = tokens[0]",
    "token = next(tokens)",
    "self.password = password_hash2",
    "fields = ('username', 'password1', 'password2')",
    'list_display = ["password", "last_login2"]',
    'tokens = ["identifier", "number2", "string3"]',
    'fields("password", "address1")',
    "{ password: userPassword1, token: next_token2 }",
    "const { password, token: token2 } = options;",
    "connect({ user, password: password1 })",
    "password = read_secret_file2(path)",
    'password = input("Password for user1: ")',
    'token = decode(request.headers["X-Token-1"])',
    'secret = decrypt("secret_name_2")',
    'key = b64decode("some_file_name")',
    '<a href="#password=reset">x</a>',
    "user, password,\nmail1, other2,",
    "INSERT INTO t (name, password) VALUES (?, ?);",
    "INSERT INTO t (name, password) VALUES (:name, :password);",
    "the user must change the password immediately",
    "salt = os.urandom(16)",
    "salt: bytes",
    "default_salt = settings.salt_value2",
    "openssl rsa -passin env:PASS",
    "redis-cli -a $REDIS_PASSWORD ping",
    'echo "$TOKEN" | docker login --password-stdin',
    "sqlplus /nolog",
    "We also need to pass `input=1` as a query parameter.",
    'if (password.length < 8) throw new Error("password too short 8");',
    'assert password != "password"',
    'errors.add(:password, "is_too_short_8")',
    'password "too short"',
    "if password == other.password2:",
    "passport.use(new Strategy1())",
    'msg = "Invalid token at position 17"',
    'raise ValueError("secret must be 32 bytes")',
    "Basic authentication needs a user and a password: see RFC7617.",
    "access_token: string;",
    "$password = $_POST['password1'];",
    "$options['curl'][USERPWD] = \"$value[0]:$value[1]\";",
    "$token = $request->input('token2');",
    "my $password = shift @ARGV;",
    "password = ENV['DB_PASSWORD_1']",
    'password = System.getenv("DB_PASSWORD_1")',
    "password = config.get('db.password.1')",
    'let password = env!("DB_PASSWORD_1");',
    'password := os.Getenv("DB_PASSWORD_1")',
    "$env:DB_PASSWORD = $secret1",
    "set DB_PASSWORD=%1",
)  # fmt: skip


def _references() -> Iterator[str]:
    number = 0
    for template in _ASSIGNED:
        for reference in _REFERENCES:
            name = (*PASSWORD_NAMES, *KEY_NAMES)[number % 12]
            number += 1
            yield template.replace("@V@", reference).replace("@N@", name) + "\n"


FORMS = tuple(_forms())
SETTINGS_LOOKALIKES = (*_references(), *(f"{one}\n" for one in (*_SETTINGS, *LOOK_ATTACKED)))
LOOKALIKES = (
    *SETTINGS_LOOKALIKES,
    *(f"{one}\n" for one in (*_CODE, *LOOK_LITERALS, *LOOK_STATED)),
    *LOOK_PLACES,
)
