"""Secrets that only a shape gives away: lines below a name, tables, manifests, split literals."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeindex.ingest.read.redact import SecretRules, redact_file
from codeindex.secrets import REDACTION_MARK, is_settings_file, redact, safe_path

WORD = "aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zA3bC6dE9fG2hJ5kL8"
GITHUB = "gh" + "p_" + WORD[:36]
AWS = "AK" + "IA" + "IOSFODNN7EXAMPLE"
B64 = "c2VzYW1l"

# In each, what stands between « and » is secret.
SHAPES = {
    "a manifest": f"kind: Secret\ndata:\n  a: «{B64}»\n  b.c: '«{B64}»' # d\ntype: Opaque\n",
    "data before the kind": f"data:\n  a: «{B64}»\nkind: Secret\n",
    "plain values": 'kind: "Secret"\nstringData:\n  any: "«open sesame»"\n  b: «x1»\n',
    "a file in a manifest": "kind: Secret\ndata:\n  conf: |\n    «a: b»\n\n    «c d»\n  e: «fg»\n",
    "a list of manifests": f"items:\n- data:\n    a: «{B64}»\n  kind: Secret\n"
    f"- data:\n    a: {B64}\n  kind: ConfigMap\n",
    "a manifest among others": f"kind: Secret\ndata:\n  a: «{B64}»\n---\ndata:\n  a: {B64}\n",
    "a manifest in JSON": f'{{\n  "data": {{\n    "a": "«{B64}»"\n  }},\n  "kind": "Secret"\n}}\n',
    "JSON on a line": f'{{"data":{{"a":"«{B64}»","b":"«{B64}»"}},"kind":"Secret"}}\n',
    "a flow mapping": f"kind: Secret\ndata: {{a: «{B64}», b: '«{B64}»'}}\n",
    "a block scalar": "password: |\n  «swordfishing»\n\n  «hunter2»\nnext: swordfishing\n",
    "a folded scalar": "- private_token: >- # x\n    «abcdefgh12345»\n  next: abcdefgh12345\n",
    "a list": "api_keys:\n  - «abcdefgh12345»\n  - '«abcdefgh12346»' # x\nb:\n  - abcdefgh12345\n",
    "a list as deep as its name": "passwords:\n- «hunter2»\n- other words\nnext:\n- hunter2\n",
    "a row": "| password | «hunter2secret» |\n| API key | `«abcdefgh12345»` |\n| x | hunter2x |\n",
    "a column": "| user | Password |\n|---|:-:|\n| a | «hunter2a» |\n| b | «hunter2b» |\n\n"
    "| a | hunter2c |\n",
    "a grid": "+---+---+\n| a | password |\n+===+===+\n"
    "| b | «hunter2a» |\n+---+---+\n| c | «hunter2b» |\n",
    "a simple table": "==  ========\na   password\n==  ========\n"
    "b   «hunter2a»\n==  ========\nhunter2b\n",
    "a row of a simple table": "========  ========\npassword  «hunter2a»\nother     hunter2b\n"
    "========  ========\n",
    "a sum": f'x = "«{GITHUB[:4]}»" + "«{GITHUB[4:]}»"\n',
    "C and Python": f'x = ("«{AWS[:4]}»" "«{AWS[4:]}»")\n',
    "three lines": f'x = (\n  "«{GITHUB[:9]}»"\n  f"«{GITHUB[9:30]}»"\n  "«{GITHUB[30:]}»"\n)\n',
    "PHP": f"$x = '«{AWS[:7]}»' . '«{AWS[7:]}»';\n",
    "a sum over lines": f'x = "«{GITHUB[:2]}»" +\r\n    "«{GITHUB[2:]}»";\n',
    "a continued line": f"x = 'a «{GITHUB[:8]}»' \\\n    '«{GITHUB[8:]}» b'\n",
}  # fmt: skip

NEGATIVES = [
    "kind: Secret\nname: a\n",
    "kind: SealedSecret\nspec:\n  data:\n    a: YWJj\n",
    "kind: Role\nresources:\n- kind: Secret\n  name: x\ndata:\n  a: YWJj\n",
    "kind: Secret\ndata:\n  a: {{ .Values.a | b64enc }}\n  b: ${B}\n  # c\n",
    "kind: Secret\ndata:\n  a: |\n---\nb: c\n",
    "password:\n  type: string\n  description: The password of the user\n",
    "password: |\n  Hello, this is how to reset it.\n",
    "token:\n  - read\n  - internationalization\n  - write_all_things_1\n",
    "passwords:\n  - too short\n  - ${PASSWORD1}\n",
    "if token:\n    - hunter2secret\n",
    "| password | string | The password of user1 |\n",
    "| token | uint64 | since v1.2.3-beta1 |\n",
    "| Name | Password |\n|---|---|\n| x | required |\n| y | at least 8 |\n",
    "| hash | password_hash2 |\n",
    "====  ========\nname  password\n====  ========\nx     required\n====  ========\n",
    '"gh" + "p_short"\n',
    "x = 'risk-' + 'admin'\n",
    f'["{GITHUB[:20]}", "{GITHUB[20:]}"]\n',
]


@pytest.mark.parametrize("name", SHAPES)
def test_a_secret_in_a_shape_goes_and_the_shape_stays(name: str) -> None:
    parts = SHAPES[name].replace("»", "«").split("«")
    text = "".join(parts)
    left = "".join(REDACTION_MARK if at % 2 else part for at, part in enumerate(parts))
    assert redact(text).text == left
    assert redact(left).findings == ()


@pytest.mark.parametrize("text", NEGATIVES)
def test_shapes_without_secrets_stay(text: str) -> None:
    assert redact(text, settings=True).text == text


JOINS = [
    '" + "',
    '" "',
    "' . '",
    '"\n    "',
    '" +\n "',
    '"\r\n + "',
    "' \\\n '",
    '" .. "',
    '" <> "',
]


@given(st.sampled_from([GITHUB, AWS]), st.data(), st.sampled_from(JOINS), st.text(max_size=9))
def test_no_token_survives_being_split(
    token: str, data: st.DataObject, join: str, before: str
) -> None:
    at = data.draw(st.integers(min_value=1, max_value=len(token) - 1))
    text = f"{before}{join[0]}{token[:at]}{join}{token[at:]}{join[-1]}\n"
    found = redact(text).text
    assert token[at:] not in found or len(token[at:]) < 2
    assert found.count("\n") == text.count("\n")


@given(
    st.lists(st.sampled_from([*SHAPES.values(), *NEGATIVES, "  ", "- ", "\n", "| "]), max_size=4)
)
def test_shapes_beside_shapes_keep_their_lines_and_are_redacted_once(parts: list[str]) -> None:
    text = "".join(parts).replace("«", "").replace("»", "")
    once = redact(text)
    assert once.text.count("\n") == text.count("\n")
    assert redact(once.text).text == once.text


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("db_password = correcthorsebattery", f"db_password = {REDACTION_MARK}"),
        ("  password: swordfishing # x", f"  password: {REDACTION_MARK} # x"),
        ("client.secret=abcdefghijklmnopqrstuvwx", f"client.secret={REDACTION_MARK}"),
        ("password: Passwort", "password: Passwort"),
        ("password: required", "password: required"),
        ("password: current_password", "password: current_password"),
        ("secrets: inherit", "secrets: inherit"),
        ("api_key = settings.of.the.whole.house", "api_key = settings.of.the.whole.house"),
    ],
)
def test_bare_words_are_values_in_settings_files_alone(text: str, left: str) -> None:
    assert redact(text, settings=True).text == left
    assert redact(text).text == text


@pytest.mark.parametrize("path", ["a/x.INI", "b.yml", "c.toml", ".env.example", "d.properties"])
def test_settings_files_are_known_by_name(path: str) -> None:
    assert is_settings_file(path)
    assert not is_settings_file(f"{path}/main.py")


def test_a_token_in_a_path_is_not_shown() -> None:
    assert safe_path(f"a/{GITHUB}.json") == f"a/{REDACTION_MARK}.json"
    assert safe_path(f"{AWS}/b/x{AWS}") == f"{REDACTION_MARK}/b/x{REDACTION_MARK}"


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("a/password=hunter2swordf.txt", f"a/password={REDACTION_MARK}.txt"),
        ("db-password-k7Rq9xQ2mN.txt", f"db-password-{REDACTION_MARK}.txt"),
        ("api_key=k7Rq9xQ2mN5pab/x.py", f"api_key={REDACTION_MARK}/x.py"),
    ],
)
def test_a_password_in_a_path_is_not_shown(path: str, shown: str) -> None:
    assert safe_path(path) == shown


@pytest.mark.parametrize(
    "path",
    [
        "reset_password_v2_test.py",
        "token-oauth2client.ts",
        "key_value_store_2.go",
        "pass-sha256crypt.c",
        "src/risk-admin-dashboard-component-view.tsx",
        "migrations/0001_task-admin_of_the_whole_house_2.py",
        f"blobs/{'0123456789abcdef' * 4}",
        "docs/2024-01-01-what-is-new-in-version-1.2.3.md",
    ],
)
def test_long_names_of_files_are_no_tokens(path: str) -> None:
    assert safe_path(path) == path


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ('var jwtKey = []byte("{}")', "h7Vo9gAzrG62Ri4wCIOmxJg37aNYAu"),
        ('ConnectOptions::new().password("{}")', "cqA2u9ZrcGBm"),
        ("Set-Cookie: auth_token={}; HttpOnly", "ce9e1db2475d71f811aca15f154bd3e1e8b2f6b9"),
        ('x = "{}"', "fo1_E8Ajlb0cdkbx9ZFqJDGf1rB853IgN95Dci7xD93lgWk"),
        ('x = "{}"', "mlsn." + "e5c3b8dfd6d98f788cde61cd80e149a4" * 2),
        ('x = "{}"', "e2b_0d272790999b52f7fa1f938dadde9e8fc34655d2"),
        ('x = "{}"', "A3-IJZD5C-OXVU5TN6QIX-KHI2V-C37CB-FSTG4"),
    ],
)
def test_forms_of_a_fourth_attacker_are_taken_out(text: str, secret: str) -> None:
    assert secret not in redact(text.replace("{}", secret)).text


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("vault kv put secret/x user=bob password={}", "Vk5ENZ5Uu7xn"),
        ('gh secret set DEPLOY --body "{}"', "Gs51FaN043taHaD"),
        ("fly secrets set -a app DB={}", "abcDEF123x9"),
        ("wandb login --relogin {}", "f5f81fe71cef535a9c3e595bb1c827fe96f22925"),
        ("ngrok config add-authtoken {}", "2wfQYuKYBb4UKbnytLchMzkkrPI_ktudyOcID03T4I3SLgCmp"),
        (
            "run --token=st.93aa3212ec1ede839d4acab8.{}",
            f"{'917022bcaf165d24' * 2}.{'f6717c4d' * 4}",
        ),
        ('set_api_key("{}")', f"sk_{'afc53a7303d3c0ab' * 3}"),
        ('NewRelic(license="{}")', "599cf9208165775ae6a87aa699b0b206c5cfNRAL"),
        ("https://outlook.office.com/webhook/x/IncomingWebhook/{}/y", "e69dd013e5a87399" * 2),
        (f'twilio.NewRestClient("AC{"1f" * 16}", "{{}}")', "396c40cd17ec0555811fdac0db0ef84c"),
        ('cohere.ClientV2("{}")', "jBUYegIofs7lvVmg8ddJYVl0kJOus4pVGEhKT7fi"),
        ('new Exa("{}")', "0997c201-dc06-7722-b1fd-245d34ebb833"),
        ('Mailgun("{}")', "e02e648ae9ae9941e58e2c541081377b-7c3f16c6-db28fc19"),
        (
            'fal.key = "{}"',
            "4f029c02-cc42-755b-cb5a-f94a2cb7c9a4:92e0648e5a79c2372782606a8a879296",
        ),
    ],
)
def test_forms_of_a_fifth_attacker_are_taken_out(text: str, secret: str) -> None:
    assert secret not in redact(text.replace("{}", secret)).text


NUMBERS = [174, 47, 154, 16, 202, 193, 206, 113, 199, 190, 53, 133, 169, 175, 31, 56]
"""Sixteen bytes; a key has 16, 24, 32 or 64."""
DECIMAL = ", ".join(map(str, NUMBERS))
HEXADECIMAL = ", ".join(f"0x{number:02X}" for number in NUMBERS)


@pytest.mark.parametrize(
    "text",
    [
        "network_key: [{}]",
        '{"secretKey": [{}]}',
        "const secretKey = Uint8Array.from([{}]);",
        "var signingKey = []byte{{}}",
        "static const uint8_t aes_key[16] = {{}};",
        "const SECRET_KEY: [u8; 16] = [{}];",
        "PRIVATE_KEY = bytes([{}])",
        "Keypair.fromSecretKey(new Uint8Array([{}]))",
        "private static final byte[] API_KEY = new byte[] { {} };",
        "let privateKey: number[] = [\n    {},\n];",
    ],
)
@pytest.mark.parametrize("numbers", [DECIMAL, HEXADECIMAL])
def test_a_key_that_is_written_as_numbers_is_taken_out(text: str, numbers: str) -> None:
    assert numbers not in redact(text.replace("{}", numbers)).text
    lines = numbers.replace("53, ", "53,\n    ").replace("0x35, ", "0x35,\n    ")
    redacted = redact(text.replace("{}", lines)).text
    assert not [number for number in ("174", "175", "0xAE", "0xAF") if number in redacted]
    assert redacted.count("\n") == text.count("\n") + 1


@pytest.mark.parametrize(
    "text",
    [
        "secret_key = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]",
        "secret_key = bytes([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15])",
        f"histogram = [{DECIMAL}]",
        f"sort_keys = [{DECIMAL}]",
        f"access_key_lengths = [{DECIMAL}]",
        f"secret_key = [{DECIMAL}, 3]",
        f"secret_key = [{DECIMAL.replace('174', '1740')}]",
    ],
)
def test_numbers_that_are_no_key_stay(text: str) -> None:
    assert redact(text).text == text


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("db.example.org:5432:shop:app:{}", "Marble=cLkcml_"),
        ("[domain/ldap]\nldap_default_authtok = {}", "Velvet%ypxNLv_"),
        ("api:\n  encryption:\n    key: '{}'", "TUTcB+bwos5rdpiZE/g7IT3MNpy93W9D7ixH8R0sT2k="),
        ("signing:\n  kind: hs256\n  key: {}", "TUTcBbwos5rdpiZEg7IT3MNpy93W9D7"),
        ('{"encryption": {"key": "{}"}}', "TUTcB+bwos5rdpiZE/g7IT3MNpy93W9D7ixH8R0sT2k="),
        ('w3.eth.account.from_key("{}")', "0x" + "d99eedb7c7482ebd" * 4),
        ('privateKeyToAccount("{}")', "0x" + "d99eedb7c7482ebd" * 4),
        ("VOYAGE={}", "pa-" + "GwDBq7QhNKAYJE3ZDda1RhUayZFQUzboYRrhoL3fbol"),
        ("RENDER={}", "rnd_" + "kB1ZWlMvGIMskFk8di05IoIbgAEz"),
        ("ory: {}", "ory_pat_" + "IAPKnBERU3FMz6XbPIAZVnfUp5zB37xp"),
        ("ttn: {}", f"NNSXS.{'H9Y96LN1LY45K' * 3}.{'9GUJG1LAT2FDS' * 4}"),
        ("key = {}", "K001" + "jn7chNaACUAHyAyOfdLlkpIpVis"),
    ],
)
def test_forms_of_a_sixth_attacker_are_taken_out(text: str, secret: str) -> None:
    assert secret.removeprefix("0x") not in redact(text.replace("{}", secret)).text


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("x = '{}'", "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"),
        ("x = '{}'", "ATATT3x-" + "qR7_wYb2LkD-" * 8),
        ("x = '{}'", "pa-h-wDBq7QhNKAYJE3ZDda1RhUayZFQUzboYRrhoL3fbo"),
        ("x = '{}'", "ory_at_h-wDBq7QhNKAYJE3ZDda1RhUayZFQUzboYRrhoL3"),
        ("x = '{}'", "fo1_h-wDBq7QhNKAYJE3ZDda1RhUayZFQUzboYRrhoL3fbo"),
        ("x = '{}'", "K001/n7ch+aACUAHyAyOfdLlkpIpVis"),
        ('sql.Open("mysql", "app:{}@tcp(127.0.0.1:3306)/shop")', "mSITIXxnxwsELYNn"),
        ("DSN=app:{}@unix(/run/mysqld.sock)/shop", "swordfishing"),
    ],
)
def test_forms_of_a_ninth_attack_are_taken_out(text: str, secret: str) -> None:
    assert secret not in redact(text.replace("{}", secret)).text


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("await page.fill('input[name=\"password\"]', '{}')", "ak6NR2+6ty2a"),
        ('await page.type("input[type=password]", "{}")', "ak6NR2+6ty2a"),
        ("fill_in 'Password', with: '{}'", "ak6NR2+6ty2a"),
        ('driver.findElement(By.id("password")).sendKeys("{}");', "ak6NR2+6ty2a"),
        ('onView(withId(R.id.password)).perform(typeText("{}"))', "ak6NR2+6ty2a"),
        ('app.secureTextFields["Password"].typeText("{}")', "ak6NR2+6ty2a"),
        ("await tester.enterText(find.byKey(Key('password')), '{}');", "ak6NR2+6ty2a"),
        ("user.type(screen.getByLabelText(/password/i), '{}');", "ak6NR2+6ty2a"),
        ("change(getByLabelText('Password'), { target: { value: '{}' } });", "ak6NR2+6ty2a"),
        ('#define WIFI_PASS ("{}")', "IjGchfWTo1s2"),
        ("- Wifi password: {}", "Ij7chfWTo1s2"),
        ("Password (prod): {}", "88Xf0l?68z9g"),
        ("password of root: {}", "88Xf0l?68z9g"),
        ("The password for the staging DB is `{}`.", "88Xf0l?68z9g"),
        ("Log in with user *admin* and password *{}*.", "N4xi6k?Kvrwo"),
        ("Staging login: bob / {}", "88Xf0l?68z9g"),
        ("Creds: bob:{}", "88Xf0l?68z9g"),
        ("12:00 DEBUG connecting with password={} to db", "S18nEzr0W8ctf3"),
        ("rclone config create x s3 secret_access_key={}", "GB5p0fkHnfk35ISsxCepaqGma04qy1YqhER5"),
        ('ftplib.FTP("h", "bob", "{}")', "D4OYhn#xbdIV"),
        ('SecretValue.unsafe_plain_text("{}")', "nkmZfLu%0OqMlP"),
        ('pyotp.TOTP("{}")', "KG7VPU5KMIZND5CFOM5QIZNKK6FMDPKW"),
        ('var key = Encoding.UTF8.GetBytes("{}");', "UMZtkYzp1futmE9dESiirlARedKuLwpd"),
        ("x = '{}'", "packagist_out_" + "1067050494d83c367" * 4),
        ("x = '{}'", "seam_BQe65nn4_n9UFD1PujDQI9zebWjEnKLVG"),
        ("x = '{}'", "jina_0ca38bd982a1097238b05189e7e6199a8iuEBKVpF9IDkR2mQ7xZ1aB4cD6e"),
        ("x = '{}'", "ls__5f29389db429ca54a8cab66d79750079"),
        ("x = '{}'", "A3-ICTPXV-5I7TK0-VPQ4R-16RLT-1JD16-8CX02"),
        ("x = '{}'", "eyJrIjoi" + "Q2IbXFLS8ciKHjMz7xcdX2CEyaorK8Df" * 2),
        ("x = '{}'", "AAAAJumD_Wg:APA91bOli4P_jz9wTZ" + "bu5qOQlq9TF6Jy9ubL9F" * 5),
        ("x = 'AC0a1b2c3d4e5f60718293a4b5c6d7e8f9:{}'", "c26336139febc473be2d95e39c9a4d10"),
    ],
)
def test_forms_of_a_thirteenth_attack_are_taken_out(text: str, secret: str) -> None:
    assert secret not in redact(text.replace("{}", secret)).text


@pytest.mark.parametrize(
    "text",
    [
        "await page.fill('#password', process.env.PW!)",
        "fill_in 'Password', with: user.password",
        'changeset |> type("password", "string")',
        "screen.getByLabelText(/password/i), { target: { value: password } }",
        "The password for the account is stored in the vault.",
        "Password of the admin: see the vault",
        "Credentials: OAuth / OpenID",
        "connecting with password=changeme to db",
        'var key = Encoding.UTF8.GetBytes("user:settings:ab");',
        'totp("a secret of the user")',
    ],
)
def test_look_alikes_of_a_thirteenth_attack_stay(text: str) -> None:
    assert redact(text).text == text


@pytest.mark.parametrize("value", ["password", "$PASS", "%s", "<password>", "{password}", "${P}"])
def test_an_address_of_mysql_without_a_password_stays(value: str) -> None:
    text = f'dsn := "app:{value}@tcp(db:3306)/shop"'
    assert redact(text).text == text


@pytest.mark.parametrize(
    "text",
    [
        "password: ENC[AES256_GCM,data:6GTyTh+2J4,iv:Sw2fS1Kq1a,tag:BzVp0iQk2g==,type:str]",
        "db::password: ENC[PKCS7,MIIBiQYJKoZIhvcNAQcDoIIBejCCAXYCAQAxggEhMIIBHQIBADAF]",
        "encryption:\n  key: alias/shop-database\n",
        "encryption:\n  provider: aws\n  key: ${ENCRYPTION_KEY}\n",
        'getAccount("' + "d99eedb7c7482ebd" * 4 + '")',
        'from_public_key("' + "d99eedb7c7482ebd" * 4 + '")',
        "hostname:5432:database:username:password",
    ],
)
def test_look_alikes_of_a_sixth_attacker_stay(text: str) -> None:
    assert redact(text, settings=True).text == text


@pytest.mark.parametrize(
    "text",
    [
        "vault write auth/token/roles/x token_policies=default token_ttl=1h",
        "vault kv put secret/x password=@pw.txt",
        "vault kv put secret/x password=$PW",
        'gh secret set DEPLOY --body "$TOKEN"',
        "fly secrets set API_KEY=${API_KEY}",
        "wandb login your_api_key_from_the_settings_page",
        "ngrok config add-authtoken YOUR_AUTHTOKEN",
        "disk_deadbeefdeadbeefdeadbeefdeadbeefdeadbeefdeadbeef",
        'cohere.ClientV2("your-cohere-api-key-from-the-dashboard")',
        "cohere.embed('embed-multilingual-light-v3-0-and-more')",
        'exa("0123")',
    ],
)
def test_commands_and_calls_without_a_secret_stay(text: str) -> None:
    assert redact(text).text == text


@pytest.mark.parametrize(
    "text",
    [
        '"password": "Passwort",',
        "'password' => 'required|string|min:8|confirmed',",
        'builder().password("password")',
        "Set-Cookie: token_type=bearer; path=/",
        'var tokenHeader = []byte("Authorization")',
    ],
)
def test_names_and_rules_of_fields_stay(text: str) -> None:
    assert redact(text).text == text


@pytest.mark.parametrize(
    "text",
    [
        "feed.Password = *f.Password",
        "copied.Password = &original.Password",
        "* @param array{name: string, password: ?string, language: ?string} $data",
        "type Login = { user: string, password: ?string, token: ?string };",
        "'password' => ['required', 'confirmed', Password::defaults()],",
        "'password' => ['nullable', 'string', 'min:8', 'current_password'],",
        "url(data:image/gif;base64,BAEAAAEALAAAAAASAAoAAAIfjI9poI0cgDywrhuxfbrzDEbQM2Ei5aRjmoySWA)",
        "WiFi.begin(ssid, password);",
        'WiFi.begin("ssid", "password");',
        "kubectl create secret generic db --from-literal=password=$PASSWORD",
        "kubectl create configmap shop --from-literal=mode=production1",
        "kubeadm join 10.0.0.1:6443 --token <token>",
        "net user guest /active:no",
        "net user bob Password /add",
        "ansible_become_pass={{ vault_become_pass }}",
        "ansible_become_method=sudo",
        "https://example.org/t/my-first-topic/1234",
    ],
)
def test_references_types_and_rules_stay_where_a_value_could_stand(text: str) -> None:
    assert redact(text).text == text


def test_a_secret_in_a_list_with_a_rule_is_taken_out() -> None:
    assert "Zk93jdK2vQ8x" not in redact("passwords = ['required', 'Zk93jdK2vQ8x']").text


@pytest.mark.parametrize("rule", ["string", "bail", "required"])
def test_a_rule_of_fields_before_a_secret_hides_nothing(rule: str) -> None:
    secret = f"{rule}|Zk93jdK2vQ8xLw71"
    assert secret not in redact(f'password = "{secret}"').text


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("plugins/localization/eu_ES.inc", "$labels['password'] = 'Pasahitza';"),
        ("lang/ja/auth.php", "'password' => 'パスワードは6文字以上で',"),
        ("src/locales/bg.json", r'"client_secret": "\u0422\u0430\u0439\u043d\u0430",'),
        ("res/values-gl/strings.xml", '<string name="password">Contrasinal</string>'),
        ("i18n/pt.yml", "password: 'Palavra-passe'"),
        ("i18n/moko/pt-rBR/base.xml", '<string name="password">Palavra-passe</string>'),
        ("locale/de_DE.json", '"espial_api_key": "Espial-API-Schlüssel",'),
    ],
)
def test_translations_of_password_and_key_stay_in_files_of_translations(
    path: str, text: str
) -> None:
    assert redact_file(text, path=path, rules=SecretRules()).text == text
    assert redact(text).text != text


@pytest.mark.parametrize(
    "text", ['"password": "Zk93jdK2vQ8x",', '"api_key": "aBcDeFgHiJkLmNoPqRsTuVwX"']
)
def test_other_values_are_taken_out_of_files_of_translations(text: str) -> None:
    assert REDACTION_MARK in redact_file(text, path="locales/fr.json", rules=SecretRules()).text


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("services/translation/compose.yml", "POSTGRES_PASSWORD: supersecret"),
        ("src/languages/settings.py", "EMAIL_HOST_PASSWORD = 'abcdefghijklmnop'"),
        ("pkg/strings/to_json.go", 'password := "correct horse battery"'),
        ("src/i18n/connection.ts", "const dbPassword = 'hunterhunter'"),
    ],
)
def test_words_are_passwords_in_code_and_settings_beside_translations(path: str, text: str) -> None:
    assert REDACTION_MARK in redact_file(text, path=path, rules=SecretRules()).text


@pytest.mark.parametrize(
    "text", ["s.privateKey = privateKey", "const privateKey = await step(", "presharedKey = cfg"]
)
def test_a_private_key_that_is_a_variable_stays(text: str) -> None:
    assert redact(text).text == text
