"""Secrets of every kind, planted where people leave them. Each is made up, and of each it is known
where it stands: nothing here is anybody's.
"""

from __future__ import annotations

import base64
import random
import string
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from tests.flow.writing import notebook, pdf

_LETTERS = string.ascii_letters + string.digits
_HEX = "0123456789abcdef"
_DASHES = "-" * 5
Make = Callable[[random.Random], str]


@dataclass(frozen=True, slots=True)
class Planted:
    """A secret, where it stands and in what shape."""

    shape: str
    path: str
    secret: str


def _some(letters: str, count: int) -> Make:
    return lambda chance: "".join(chance.choices(letters, k=count))


def _after(prefix: str, count: int, letters: str = _LETTERS) -> Make:
    return lambda chance: prefix + _some(letters, count)(chance)


def _password(chance: random.Random) -> str:
    """Letters with digits among them, as every judge of passwords wants them."""
    return f"{_some(string.ascii_lowercase, 5)(chance)}{_some(string.digits, 2)(chance)}" + _some(
        _LETTERS, 9
    )(chance)


def _phrase(chance: random.Random) -> str:
    return " ".join(_some(string.ascii_lowercase, 6)(chance) for _ in range(4))


def _key(chance: random.Random) -> str:
    return "k7" + _some(_LETTERS, 38)(chance)


TOKENS: Mapping[str, Make] = {
    "aws": _after("AK" + "IA", 16, string.ascii_uppercase + "234567"),
    "github": _after("gh" + "p_", 36),
    "gitlab": _after("glp" + "at-", 20),
    "slack": _after("xo" + "xb-", 40),
    "stripe": _after("sk_" + "live_", 24),
    "google": _after("AI" + "za", 35),
    "anthropic": _after("sk-" + "ant-api03-", 60),
    "openai": _after("sk-" + "proj-", 60),
    "huggingface": _after("h" + "f_", 34),
    "npm": _after("np" + "m_", 36),
    "pypi": _after("pypi-" + "AgEIcHlwaS5vcmc", 60),
    "sendgrid": lambda c: "SG" + f".{_some(_LETTERS, 22)(c)}.{_some(_LETTERS, 43)(c)}",
    "telegram": lambda c: f"{_some(string.digits, 9)(c)}:" + f"AA{_some(_LETTERS, 33)(c)}",
    "digitalocean": _after("dop_" + "v1_", 64, _HEX),
    "shopify": _after("shp" + "at_", 32, _HEX),
    "vault": _after("hv" + "s.", 40),
    "databricks": _after("da" + "pi", 32, _HEX),
    "docker": _after("dckr_" + "pat_", 27),
    "grafana": lambda c: "gl" + f"sa_{_some(_LETTERS, 32)(c)}_{_some(_HEX, 8)(c)}",
    "jwt": lambda c: (
        f"eyJ{_some(_LETTERS, 20)(c)}.eyJ{_some(_LETTERS, 30)(c)}.{_some(_LETTERS, 43)(c)}"
    ),
}
"""Providers' tokens: they go wherever they stand, in any text."""

# shape, file, text around the secret
_SHAPES: tuple[tuple[str, str, str], ...] = (
    ("password in Python", "app/a{n}.py", 'password = "{p}"\n'),
    ("triple quotes", "app/b{n}.py", 'PASSWORD = """{p}"""\n'),
    ("in brackets", "app/c{n}.py", 'PASSWORD = (\n    "{p}"\n)\n'),
    ("a list", "app/d{n}.py", 'API_KEYS = [\n    "{k}",\n]\n'),
    ("a default", "app/e{n}.py", 'import os\nx = os.getenv("DB_PASSWORD", "{p}")\n'),
    ("a comment", "app/f{n}.py", "def f():\n    return 1  # password: {p}\n"),
    ("a docstring", "app/g{n}.py", 'def f():\n    """Log in; the password is {p}."""\n'),
    ("a call", "app/h{n}.py", 'connect(user="me", password="{p}")\n'),
    ("an address", "app/i{n}.py", 'URL = "postgres://me:{p}@db/app"\n'),
    ("a bearer", "app/j{n}.py", 'h = {{"Authorization": "Bearer {k}"}}\n'),
    ("TypeScript", "web/a{n}.ts", "export const password: string = '{p}';\n"),
    ("a list in TypeScript", "web/b{n}.ts", 'const apiKeys = ["{k}", "other"];\n'),
    ("a header", "web/c{n}.ts", "const h = {{ 'X-Api-Key': '{k}' }};\n"),
    ("a template", "web/d{n}.js", "const password = `{p}`;\n"),
    ("Go", "go/a{n}.go", 'package a\n\nvar cfg = Config{{Password: "{p}"}}\n'),
    ("Rust", "rs/a{n}.rs", 'fn f() {{ let password = String::from("{p}"); }}\n'),
    ("Java", "java/A{n}.java", 'class A{n} {{ String password =\n    "{p}"; }}\n'),
    ("C#", "cs/A{n}.cs", 'class A {{ public string Password {{ get; set; }} = "{p}"; }}\n'),
    ("C", "c/a{n}.c", '#define DB_PASSWORD "{p}"\n'),
    ("Ruby", "rb/a{n}.rb", "config.password = '{p}'\n"),
    ("PHP", "php/a{n}.php", "<?php\ndefine('DB_PASSWORD', '{p}');\n"),
    ("Kotlin", "kt/a{n}.kt", 'val password = "{p}"\n'),
    ("Swift", "sw/a{n}.swift", 'let apiKey: String = "{k}"\n'),
    ("Scala", "sc/a{n}.scala", 'object A {{ val password: String = "{p}" }}\n'),
    ("Lisp", "clj/a{n}.clj", '{{:user "me" :password "{p}"}}\n'),
    ("SQL", "db/a{n}.sql", "ALTER USER me PASSWORD '{p}';\n"),
    ("shell", "sh/a{n}.sh", "export DB_PASSWORD={p}\n"),
    ("a here-document", "sh/b{n}.sh", "export API_TOKEN=$(cat <<EOF\n{k}\nEOF\n)\n"),
    ("a flag", "sh/c{n}.sh", "mysql -u root -p{p} app\n"),
    ("curl", "sh/d{n}.sh", "curl -u me:{p} https://example.com\n"),
    ("Helm's flag", "sh/e{n}.sh", "helm install x --set auth.password={p}\n"),
    ("PowerShell", "win/a{n}.ps1", '$env:DB_PASSWORD = "{p}"\n'),
    ("a secure string", "win/b{n}.ps1", 'ConvertTo-SecureString "{p}" -AsPlainText -Force\n'),
    ("batch", "win/c{n}.bat", 'set "DB_PASSWORD={p}"\n'),
    ("setx", "win/d{n}.cmd", "setx API_KEY {k}\n"),
    ("fish", "sh/f{n}.fish", "set -gx DB_PASSWORD {p}\n"),
    ("Kubernetes' env", "k8s/a{n}.yaml", "env:\n- name: DB_PASSWORD\n  value: {p}\n"),
    ("Kubernetes' secret", "k8s/b{n}.yaml", "kind: Secret\nstringData:\n  any: {p}\n"),
    ("Compose's map", "compose/a{n}.yml", "environment:\n  POSTGRES_PASSWORD: {p}\n"),
    ("Compose's list", "compose/b{n}.yml", 'environment:\n  - "POSTGRES_PASSWORD={p}"\n'),
    ("Compose's default", "compose/c{n}.yml", "a: ${{POSTGRES_PASSWORD:-{p}}}\n"),
    ("a flow list", "conf/a{n}.yml", "passwords: [{p}, other]\n"),
    ("a block scalar", "conf/b{n}.yml", "private_token: |\n  {k}\n"),
    ("a phrase", "conf/c{n}.yml", 'password: "{w}"\n'),
    ("Actions", "ci/a{n}.yml", "env:\n  API_TOKEN: {k}\n"),
    ("JSON", "conf/a{n}.json", '{{"db": {{"password": "{p}"}}}}\n'),
    ("a pair in JSON", "conf/b{n}.json", '[{{"name": "DB_PASSWORD", "value": "{p}"}}]\n'),
    ("Docker's login", "conf/c{n}.json", '{{"auths": {{"x.io": {{"auth": "{b}"}}}}}}\n'),
    ("TOML", "conf/a{n}.toml", 'password = "{p}"\n'),
    ("INI", "conf/a{n}.ini", "[db]\npassword = {p}\n"),
    ("properties", "conf/a{n}.properties", "spring.datasource.password={p}\n"),
    ("XML", "conf/a{n}.xml", "<a><password>{p}</password></a>\n"),
    ("attributes", "conf/b{n}.xml", '<add key="DbPassword" value="{p}" />\n'),
    ("a plist", "conf/a{n}.plist", "<key>Password</key>\n<string>{p}</string>\n"),
    ("Terraform", "tf/a{n}.tf", 'variable "db_password" {{\n  default = "{p}"\n}}\n'),
    ("Redis", "conf/a{n}.conf", "requirepass {p}\n"),
    ("a Dockerfile", "docker/a{n}/Dockerfile", "FROM x\nENV DB_PASSWORD={p}\n"),
    ("a Makefile", "make/a{n}/Makefile", "DB_PASSWORD ?= {p}\n"),
    ("Markdown", "docs/a{n}.md", "# Set-up\n\n**Password:** {p}\n"),
    ("a table", "docs/b{n}.md", "| User | Password |\n|---|---|\n| me | {p} |\n"),
    ("prose", "docs/c{n}.md", "# Set-up\n\nAPI key: {k}\n"),
    ("an HTML comment", "docs/d{n}.html", "<!-- password: {p} -->\n"),
    ("reStructuredText", "docs/e{n}.rst", "Set-up\n======\n\nThe password is {p}.\n"),
    ("a notebook", "nb/a{n}.ipynb", '{{"cells": [{{"source": ["API_KEY=\\"{k}\\"\\n"]}}]}}\n'),
    ("a notebook's output", "nb/b{n}.ipynb", '{{"text": [\n "DB_PASSWORD={p}\\n"\n]}}\n'),
    ("an example of .env", "conf/d{n}/.env.example", "DB_PASSWORD={p}\n"),
    ("no text", "conf/e{n}/.env", "DB_PASSWORD={p}\n"),
    ("netrc in a guide", "docs/f{n}.txt", "machine x login me password {p}\n"),
    ("libpq", "app/k{n}.py", 'connect("host=db user=me password={p}")\n'),
    ("Ansible", "conf/f{n}.ini", "h1 ansible_user=me ansible_password={p}\n"),
    ("JDBC", "java/B{n}.java", 'class B{n} {{ String u = "jdbc:mysql://h/d?password={p}"; }}\n'),
)


def planted(seed: int, *, rounds: int) -> tuple[dict[str, bytes], list[Planted]]:
    """Return the files of a repository, and what is hidden in them."""
    chance = random.Random(seed)
    files: dict[str, bytes] = {}
    found: list[Planted] = []
    for shape, path, text, secret in (*_shaped(chance, rounds), *_tokens(chance, rounds)):
        files[path] = text.encode()
        found.append(Planted(shape, path, secret))
    for path, data, one in _odd(chance):
        files[path] = data
        found.append(one)
    return files, found


def _shaped(chance: random.Random, rounds: int) -> Iterator[tuple[str, str, str, str]]:
    made: Mapping[str, Make] = {"p": _password, "k": _key, "w": _phrase}
    for n in range(rounds):
        for shape, path, text in _SHAPES:
            letter = next(one for one in "pkwb" if f"{{{one}}}" in text)
            if letter == "b":
                secret = base64.b64encode(f"user:{_password(chance)}".encode()).decode()
            else:
                secret = made[letter](chance)
            values = {letter: secret, "n": n}
            yield shape, path.format(n=n), text.format(**values), secret


_AROUND = (
    ("in a string of Python", "tokens/{n}.py", "def f():\n    return g('{t}')\n"),
    ("in a name", "tokens/{n}.go", "package a\n\nfunc f_{t}() {{}}\n"),
    ("in a comment of C", "tokens/{n}.c", "/* was {t} once */\nint f(void);\n"),
    ("in prose", "tokens/{n}.md", "# Tokens\n\nUse {t} here.\n"),
    ("in a heading", "tokens/{n}_h.md", "# Use {t}\n\nText.\n"),
    ("split", "tokens/{n}.js", 'const x = "{h}" +\n  "{e}";\n'),
    ("in a file's name", "tokens/{t}.py", "x = 1\n"),
)


def _tokens(chance: random.Random, rounds: int) -> Iterator[tuple[str, str, str, str]]:
    for n in range(rounds):
        for at, (kind, make) in enumerate(TOKENS.items()):
            around, path, text = _AROUND[(at + n) % len(_AROUND)]
            token = make(chance)
            half = len(token) // 2
            values = {"t": token, "n": f"{kind}{n}", "h": token[:half], "e": token[half:]}
            yield f"{kind} token {around}", path.format(**values), text.format(**values), token


def _odd(chance: random.Random) -> Iterator[tuple[str, bytes, Planted]]:
    """Files of other encodings and line ends, very long lines, keys that cross chunks."""
    for name, encode in (
        ("utf16", lambda text: text.encode("utf-16")),
        ("utf16be", lambda text: b"\xfe\xff" + text.encode("utf-16-be")),
        ("bom", lambda text: text.encode("utf-8-sig")),
        ("latin1", lambda text: f"# caf\xe9\n{text}".encode("latin-1")),
        ("crlf", lambda text: text.replace("\n", "\r\n").encode()),
    ):
        secret, path = _password(chance), f"odd/{name}.py"
        text = f'x = 1\npassword = "{secret}"\ny = 2\n'
        yield path, encode(text), Planted(f"in {name}", path, secret)
    token = TOKENS["github"](chance)
    path = "odd/long.md"
    yield (
        path,
        f"{'word ' * 3000}{token}{' word' * 3000}\n".encode(),
        Planted("a long line", path, token),
    )
    body = [_some(_LETTERS + "+/", 64)(chance) for _ in range(40)]
    lines = [
        f"{_DASHES}BEGIN RSA PRIVATE KEY{_DASHES}",
        *body,
        f"{_DASHES}END RSA PRIVATE KEY{_DASHES}",
    ]
    yield from _keys("odd/key.py", 'KEY = """{}"""\n', "\n".join(lines), body[7])
    yield from _keys("odd/key.json", '{{"private_key": "{}"}}\n', "\\n".join(lines), body[20])
    encoded = base64.b64encode("\n".join(lines).encode()).decode()
    yield from _keys("odd/key.yml", "blob: {}\n", encoded, encoded[200:264])
    filler = "".join(f"def f{n}(a, b):\n    return a + b + {n}\n\n\n" for n in range(150))
    yield from _documents(chance, lines, body[20])
    yield from _keys(
        "odd/border.py", filler + 'KEY = """{}"""\n' + filler, "\n".join(lines), body[30]
    )


def _documents(
    chance: random.Random, key: list[str], part: str
) -> Iterator[tuple[str, bytes, Planted]]:
    """A PDF with secrets on its pages, over their border and in a bookmark; a notebook."""
    password, token, title = _password(chance), TOKENS["gitlab"](chance), TOKENS["npm"](chance)
    pages = (f"Password: {password}\nUse {token} here.", "\n".join(key[:25]), "\n".join(key[25:]))
    path = "odd/manual.pdf"
    data = pdf(pages, titles=[(f"Token {title}", 2)])
    yield path, data, Planted("on a page", path, password)
    yield path, data, Planted("a token on a page", path, token)
    yield path, data, Planted("in a bookmark", path, title)
    yield path, data, Planted("a private key over two pages", path, part)
    yield path, data, Planted("a private key over two pages", path, key[30])
    path = "odd/study.ipynb"
    first, second, third = (_password(chance) for _ in range(3))
    cells = (("markdown", f"# Log in\n\nPassword: {first}\n"), ("code", f'password = "{second}"\n'))
    book = notebook(*cells, output=f"DB_PASSWORD={third}\n").encode()
    yield path, book, Planted("in a cell of text", path, first)
    yield path, book, Planted("in a cell of code", path, second)
    yield path, book, Planted("in an output", path, third)


def _keys(path: str, text: str, key: str, part: str) -> Iterator[tuple[str, bytes, Planted]]:
    yield path, text.format(key).encode(), Planted("a private key", path, part)
