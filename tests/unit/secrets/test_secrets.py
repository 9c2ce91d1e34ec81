"""Secrets go, everything else stays. The samples are put together here, so that no scanner of
repositories takes this file for a leak.
"""

import base64
import json
import re
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeindex.errors import ConfigError
from codeindex.secrets import (
    DETECTORS,
    REDACTION_MARK,
    SecretFinding,
    is_secret_file,
    redact,
    slice_lines,
)

MARK = REDACTION_MARK
B64 = "MIIEpAIBAAKCAQEA0Z3VS5JJcds3xfn/ygWyF0qJDr3Yk8kQ1vX9eZ2bLrT7uPmN"
HEX = "0123456789abcdef" * 4
WORD = "aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zA3bC6dE9fG2hJ5kL8"
DJANGO = "k7$bd%s(x6=lcj+bn@lb_6-hz#9h!1m&r0gs^pqy*ax2j%hlo"
"""As Django makes them: what looks like variables is chance."""
UUID = "01234567-89ab-4def-8123-456789abcdef"
DASHES = "-" * 5


def pem(kind: str, *lines: str, end: bool = True) -> str:
    closing = [f"{DASHES}END {kind}PRIVATE KEY{DASHES}"] if end else []
    return "\n".join([f"{DASHES}BEGIN {kind}PRIVATE KEY{DASHES}", *lines, *closing])


PGP = "\n".join(
    (
        f"{DASHES}BEGIN PGP PRIVATE KEY BLOCK{DASHES}",
        *("Version: 1", "", B64, "=aBcD"),
        f"{DASHES}END PGP PRIVATE KEY BLOCK{DASHES}",
    )
)
TOKENS = [
    ("aws_key", "AKIA" + "IOSFODNN7EXAMPLE"),
    ("aws_key", "ASIA" + "Q3EGRIJ7NOT5REAL"),
    *(("github_token", f"gh{kind}_" + WORD[:36]) for kind in "pousr"),
    ("things_stack_key", "NN" + "SXS." + WORD.upper()[:39] + "." + (WORD * 2).upper()[:52]),
    ("github_token", "github" + "_pat_" + WORD[:22] + "_" + WORD),
    ("gitlab_token", "glpat" + "-" + WORD[:20]),
    ("honeycomb_key", "hcaik_" + WORD.lower()[:29] * 2),
    ("nostr_key", "nsec1" + "qpzry9x8gf2tvdw0s3jn54khce6mua7l"[:29] * 2),
    ("salesforce_token", "00D" + WORD[:12] + "!AQ" + WORD * 2),
    ("gitlab_token", "gldt" + "-" + WORD[:20]),
    ("slack_token", "xoxb" + "-123456789012-123456789012-" + WORD[:24]),
    ("slack_token", "xapp" + "-1-A0123-456-" + WORD),
    ("stripe_key", "sk" + "_live_" + WORD[:24]),
    ("stripe_key", "rk" + "_test_" + WORD[:24]),
    ("stripe_key", "whsec" + "_" + WORD[:32]),
    ("google_key", "AIza" + WORD[:35]),
    ("google_key", "GOCSPX" + "-" + WORD[:28]),
    ("google_key", "ya29" + ".a0Af_" + WORD),
    ("anthropic_key", "sk-ant" + "-api03-" + WORD),
    ("openai_key", "sk" + "-" + WORD),
    ("openai_key", "sk-proj" + "-" + WORD),
    ("huggingface_token", "hf" + "_" + WORD[:34]),
    ("npm_token", "npm" + "_" + WORD[:36]),
    ("pypi_token", "pypi" + "-AgEIcHlwaS5vcmc" + WORD),
    ("sendgrid_key", "SG" + "." + WORD[:22] + "." + WORD[:43]),
    ("twilio_key", "SK" + HEX[:32]),
    ("mailgun_key", "key" + "-" + HEX[:32]),
    ("digitalocean_token", "dop" + "_v1_" + HEX),
    ("telegram_token", "123456789" + ":AA" + WORD[:33]),
    ("age_key", "AGE-SECRET-KEY" + "-1" + "Q" * 58),
    ("password_hash", "$2b" + "$12$" + WORD + WORD[:5]),
    ("password_hash", "$6" + "$saltsalt$" + WORD),
    ("square_token", "sq0" + "csp-" + WORD[:43]),
    ("model_key", "gs" + "k_" + WORD),
    ("rubygems_key", "rubygems" + "_" + HEX[:48]),
    ("docker_token", "dckr" + "_pat_" + WORD[:27]),
    ("brevo_key", "xkeysib" + "-" + HEX + "-" + WORD[:16]),
    ("facebook_token", "EAACEdEose0" + "cBA" + WORD),
    ("shopify_token", "shp" + "at_" + HEX[:32]),
    ("databricks_token", "da" + "pi" + HEX[:32]),
    ("vault_token", "hv" + "s.CAESIJ" + WORD),
    ("terraform_token", WORD[:14] + ".atlas" + "v1." + WORD + WORD[:20]),
    ("pulumi_token", "pu" + "l-" + HEX[:40]),
    ("linear_key", "lin" + "_api_" + WORD[:40]),
    ("notion_token", "nt" + "n_" + WORD[:46]),
    ("planetscale_token", "pscale" + "_tkn_" + WORD[:43]),
    ("doppler_token", "dp" + ".pt." + WORD[:43]),
    ("postman_key", "PM" + "AK-" + HEX[:24] + "-" + HEX[:34]),
    ("newrelic_key", "NR" + "AK-" + WORD[:27]),
    ("grafana_token", "gl" + "sa_" + WORD[:32] + "_01234567"),
    ("sentry_token", "sntr" + "ys_" + WORD),
    ("atlassian_token", "ATA" + "TT3xFfGF0" + WORD),
    ("figma_token", "fig" + "d_" + WORD[:40]),
    ("airtable_token", "pa" + "t" + WORD[:14] + "." + HEX),
    ("mapbox_token", "sk" + ".eyJ" + WORD[:30] + "." + WORD[:22]),
    ("fly_token", "fm" + "2_" + WORD + WORD),
    ("supabase_key", "sb" + "p_" + HEX[:40]),
    ("buildkite_token", "bk" + "ua_" + HEX[:40]),
    ("heroku_key", "HR" + "KU-01234567-89ab-cdef-0123-456789abcdef"),
    ("plaid_token", "access-" + "sandbox-01234567-89ab-cdef-0123-456789abcdef"),
    ("cloudflare_key", "v1" + ".0-" + HEX[:24] + "-" + HEX * 2 + HEX[:18]),
    ("tailscale_key", "ts" + "key-auth-" + WORD),
    ("onepassword_token", "op" + "s_eyJ" + WORD * 3),
    ("dynatrace_token", "dt0" + "c01." + "A1" * 12 + "." + "B2" * 32),
    ("contentful_token", "CF" + "PAT-" + WORD[:43]),
    ("intra42_key", "s-s4t2" + "ud-" + HEX),
    ("easypost_key", "EZ" + "AK" + WORD + WORD[:6]),
    ("adobe_key", "p8" + "e-" + WORD[:32]),
    ("circleci_token", "CCI" + "PAT_" + WORD),
    ("clojars_token", "CLO" + "JARS_" + WORD + WORD[:12]),
    ("deno_token", "dd" + "p_" + WORD[:36]),
    ("duffel_token", "duffel" + "_live_" + WORD[:43]),
    ("flutterwave_key", "FLW" + "SECK_TEST-" + WORD[:32]),
    ("frameio_token", "fio" + "-u-" + WORD + WORD[:16]),
    ("hubspot_token", "pat" + "-na1-01234567-89ab-cdef-0123-456789abcdef"),
    ("infracost_key", "ic" + "o-" + WORD[:32]),
    ("laravel_key", "base" + "64:" + WORD[:43] + "="),
    ("langsmith_key", "lsv2" + "_pt_" + HEX[:32] + "_" + HEX[:10]),
    ("netlify_token", "nf" + "p_" + WORD[:40]),
    ("openshift_token", "sha" + "256~" + WORD[:43]),
    ("pinecone_key", "pc" + "sk_" + WORD),
    ("posthog_key", "ph" + "x_" + WORD[:43]),
    ("prefect_key", "pn" + "u_" + WORD[:36]),
    ("razorpay_key", "rz" + "p_live_" + WORD[:14]),
    ("readme_key", "rd" + "me_" + WORD + WORD),
    ("scalingo_token", "tk" + "-us-" + WORD),
    ("shippo_token", "shi" + "ppo_live_" + HEX[:40]),
    ("sonar_token", "sq" + "u_" + HEX[:40]),
    ("sourcegraph_token", "sg" + "p_" + HEX[:40]),
    ("typeform_token", "tf" + "p_" + WORD),
    ("facebook_token", "EA" + "AC" + WORD * 3),
    ("vercel_token", "vercel" + "_blob_rw_" + WORD[:16] + "_" + WORD[:30]),
    ("tavily_key", "tv" + "ly-dev-" + WORD[:32]),
    ("polar_token", "polar" + "_oat_" + WORD[:43]),
    ("snyk_token", "snyk" + "_uat." + HEX[:8] + "." + WORD),
    ("paddle_key", "pdl" + "_live_apikey_" + WORD[:26].lower() + "_" + WORD[:22] + "_aB3"),
    ("wandb_key", "wandb" + "_v1_" + WORD + WORD[:29]),
    ("elastic_key", "es" + "su_" + WORD + "=="),
    ("onfido_token", "api" + "_live." + WORD[:11] + "." + WORD[:32]),
    (
        "cloudflare_key",
        base64.b64encode(f'{{"a":"{HEX[:32]}","t":"{UUID}","s":"{WORD}"}}'.encode()).decode(),
    ),
    ("paypal_token", "access_token" + "$production$" + WORD[:16].lower() + "$" + HEX[:32]),
    ("teamcity_token", "eyJ0eXAiOiAi" + "VENWMiJ9." + WORD[:36] + "." + WORD),
    ("axiom_token", "xa" + f"at-{UUID}"),
    ("mongodb_key", "mdb" + "_sa_sk_" + WORD[:40]),
    ("cockroach_key", "CC" + "DB1_" + WORD[:22] + "_" + WORD[:40]),
    ("azure_key", WORD + WORD[:4] + "JQQ" + "J99" + WORD[:18] + "ACOG" + WORD[:4]),
    ("password_hash", "$P$" + "B" + WORD[:30]),
    ("password_hash", "$S$" + "D" + WORD + WORD[:3]),
    ("password_hash", "$9$" + WORD[:14] + "$" + WORD[:43]),
    ("password_hash", "$7$101$" + WORD[:11] + "+" + "$" + WORD + WORD[:38] + "=="),
    ("password_hash", "$$2y$$05$$" + WORD + WORD[:5]),
    ("convex_key", "eyJ2" + "MiI6Ij" + WORD),
    ("bitwarden_token", f"0.{UUID}." + WORD[:30] + ":" + WORD[:22] + "=="),
    ("private_key", base64.b64encode(pem("RSA ", B64).encode()).decode()),
    ("jwt", "eyJhbGciOiJI" + ".eyJzdWIiOiIx" + "." + WORD),
    ("private_key", pem("RSA ", B64, B64, "abc=")),
    ("private_key", pem("", B64)),
    ("private_key", pem("OPENSSH ", B64, B64)),
    ("private_key", pem("ENCRYPTED ", "Proc-Type: 4,ENCRYPTED", "", B64)),
    ("private_key", PGP),
    ("private_key", f"PuTTY-User-Key-File-2: ssh-rsa\nPrivate-Lines: 2\n{B64}\n{B64}"),
    ("private_key", pem("EC ", B64).replace("\n", "\\n")),
    ("private_key", pem("EC ", B64, B64, end=False)),
    ("private_key", pem("EC ", B64, B64).replace("\n", "\\n' +\n  '")),
]  # fmt: skip
"""Each is a secret by its own look."""

ALONE = [
    ("vercel_token", "vc" + "p_" + WORD),
    ("cloudflare_key", "cf" + "ut_" + WORD[:40] + HEX[:8]),
    ("packagist_token", "pack" + "agist_out_" + "5f3a9c07d2e8b416a" * 4),
    ("seam_key", "se" + "am_" + "BQe65nn4_" + WORD[:24]),
    ("jina_key", "ji" + "na_" + "5f3a9c07d2e8b416" * 2 + WORD[:28]),
    ("clickup_token", "pk" + "_12345678_" + WORD[:32].upper()),
    ("rapidapi_key", HEX[:10] + "msh" + HEX[:15] + "p1" + HEX[:5] + "jsn" + HEX[:12]),
    ("dropbox_token", "sl" + ".u." + WORD * 3),
    ("nats_seed", "SU" + "A" + "Q5ZK2M7RTX4WJ6N" * 3 + "PLBCDFGHKZ"),
    ("fly_token", "fo" + "1_" + WORD[:43]),
    ("mailersend_key", "ml" + "sn." + "5f3a9c07d2e8b416" * 4),
    ("elevenlabs_key", "sk" + "_" + "5f3a9c07d2be" * 4),
    (
        "infisical_token",
        "st" + ".5f3a9c07d2be5f3a9c07d2be." + "5f3a9c07" * 4 + "." + "d2be5f3a" * 4,
    ),
    ("e2b_key", "e2" + "b_" + "5f3a9c07d2" * 4),
    ("onepassword_key", "A3" + "-IJZD5C-OXVU5TN6QIX-KHI2V-C37CB-FSTG4"),
    ("crates_token", "ci" + "o" + WORD[:32]),
    ("alibaba_key", "LT" + "AI" + WORD[:20]),
    ("lob_key", "live" + "_" + HEX[:35]),
    ("nuget_key", "oy" + "2" + WORD[:43].lower()),
    ("octopus_key", "AP" + "I-" + WORD[:26].upper()),
    ("yandex_key", "AQ" + "VN" + WORD[:36]),
    ("mailchimp_key", HEX[:32] + "-us" + "12"),
    ("artifactory_token", "AK" + "Cp" + WORD + WORD),
    ("firecrawl_key", "fc" + "-" + HEX[:32]),
    ("neon_key", "na" + "pi_" + WORD + WORD[:16]),
    ("volcengine_key", "AK" + "LT" + WORD[:43]),
    ("tencent_key", "AK" + "ID" + WORD[:32]),
    ("yandex_key", "y" + "0_" + WORD[:48] + "-_aB3xY"),
    ("resend_key", "r" + "e_" + WORD[:8] + "_" + WORD[:24]),
    ("render_key", "rn" + "d_" + WORD[:32]),
    ("voyage_key", "p" + "a-" + WORD[:43]),
    ("ory_token", "or" + "y_st_" + WORD[:32]),
    ("backblaze_key", "K0" + "01" + WORD[:27]),
    ("model_key", "f" + "w_" + WORD[:24]),
    ("adafruit_key", "ai" + "o_" + WORD[:28]),
    ("valtown_token", "vt" + "wn_" + WORD[:28]),
    ("square_token", "EA" + "AA" + WORD + WORD[:12]),
    ("facebook_token", "EA" + "AB" + WORD * 3),
    ("azure_key", WORD + WORD[:28] + "AZ" + "DO" + "4aB3"),
    ("newrelic_key", HEX[:36] + "FFFF" + "NRAL"),
    ("launchdarkly_key", "sd" + "k-" + UUID),
    ("cursor_key", "ke" + "y_" + HEX),
    ("intercom_token", "dG" + "9rOj" + WORD),
    ("clickhouse_key", "4b" + "1d" + WORD[:38]),
]
"""Each would be found by chance inside of longer random text, so it is one only by itself."""

# rule, text, what must be left of it
CONTEXTS = [
    ("signed_url", "a?X-Amz-Signature=" + "5f3a9c07" * 8, f"a?X-Amz-Signature={MARK}"),
    ("conda_token", "https://conda.example.org/t/qz-5f3a9c07-d2e8-b416-5f3a-9c07d2e8b416/main",
     f"https://conda.example.org/t/{MARK}/main"),
    ("private_key", "RWRTY0Iy" + WORD * 4, MARK),
    ("private_key", "RWRCSwAAACo" + WORD * 4, MARK),
    ("authorization", "Authorization: Token C6mdvEQTGnebsmVn:NOvD3VlzuSVuBPNa",
     f"Authorization: Token {MARK}"),
    ("authorization", '[name: "Authorization", value: "Token C6mdvEQTGnebsmVn"]',
     f'[name: "Authorization", value: "Token {MARK}"]'),
    ("cookie", 'curl -b "sessionid=0tnoJLWZ6aMn5c0EhS0q" https://x.org',
     f'curl -b "sessionid={MARK}" https://x.org'),
    ("cookie", '{"name": "Cookie", "value": "a=b; sessionid=0tnoJLWZ6aMn5c0EhS0q"}',
     f'{{"name": "Cookie", "value": "a=b; sessionid={MARK}"}}'),
    ("cookie", ".x.org\tTRUE\t/\tTRUE\t1999999999\tsessionid\t0tnoJLWZ6aMn5c0EhS0q",
     f".x.org\tTRUE\t/\tTRUE\t1999999999\tsessionid\t{MARK}"),
    ("password", "kubectl create secret generic db --from-literal=url=Zk93-jdK2 -n shop",
     f"kubectl create secret generic db --from-literal=url={MARK} -n shop"),
    ("password", "kubectl create secret generic db \\\n  --from-literal=url=Zk93-jdK2",
     f"kubectl create secret generic db \\\n  --from-literal=url={MARK}"),
    ("password", "ACL SETUSER jobs on >Zk93jdK2 +@all", f"ACL SETUSER jobs on >{MARK} +@all"),
    ("password", "kubeadm join 10.0.0.1:6443 --token bvr6cz.v2plfj2i6ymfsfs3",
     f"kubeadm join 10.0.0.1:6443 --token {MARK}"),
    ("password", "db1 ansible_host=10.0.0.1 ansible_become_pass=Zk93jdK2",
     f"db1 ansible_host=10.0.0.1 ansible_become_pass={MARK}"),
    ("password", "erl -name a@b -setcookie Zk93jdK2", f"erl -name a@b -setcookie {MARK}"),
    ("password", 'secret "vhCo3LY+ImzG596mV7MEZL9QtpwnOECygZNZVmF6NYM=";', f'secret "{MARK}";'),
    ("password", "net user bob Zk93jdK2 /add", f"net user bob {MARK} /add"),
    ("password", 'WiFi.begin("home", "correcthorse");', f'WiFi.begin("home", "{MARK}");'),
    ("password", "SELECT pgp_sym_encrypt('text', 'correcthorse');",
     f"SELECT pgp_sym_encrypt('text', '{MARK}');"),
    ("okta_token", "'SS" + "WS 00" + WORD[:40] + "'", f"'SSWS {MARK}'"),
    ("zapier_webhook", "hooks.zapier.com/hooks/catch/6439711/" + "qrzdmmw/",
     f"hooks.zapier.com/hooks/catch/{MARK}/"),
    ("connection_string", "mongodb://admin:s3cr3t@db:27017/my", f"mongodb://{MARK}@db:27017/my"),
    ("connection_string", "postgresql+psycopg://u:p/w@r@h/db", f"postgresql+psycopg://{MARK}@h/db"),
    ("connection_string", "'redis://:hunter2@localhost/0'", f"'redis://{MARK}@localhost/0'"),
    ("connection_string", '"Server=db;User Id=sa;Password=Pa55w0rd!;"',
     f'"Server=db;User Id=sa;Password={MARK};"'),
    ("url_login", "curl https://me:geheim99@host/x?a=b@c", f"curl https://{MARK}@host/x?a=b@c"),
    ("authorization", "Authorization: Bearer abc.def-123", f"Authorization: Bearer {MARK}"),
    ("authorization", '{"authorization": "Basic dXNlcjpwdw=="}',
     f'{{"authorization": "Basic {MARK}"}}'),
    ("authorization", "-H 'X: Bearer " + WORD + "'", f"-H 'X: Bearer {MARK}'"),
    ("teams_webhook", "https://x.webhook" + ".office.com/webhookb2/" + WORD + "@x/1",
     f"https://x.webhook.office.com/webhookb2/{MARK}"),
    ("slack_webhook", "https://hooks.slack.com/services/" + "T0/B0/" + WORD,
     f"https://hooks.slack.com/services/{MARK}"),
    ("discord_webhook", "https://discord.com/api/webhooks/" + "123456/" + WORD,
     f"https://discord.com/api/webhooks/123456/{MARK}"),
    ("discord_token", "M" + WORD[:23] + ".Gabcde." + WORD[:38], "M" + WORD[:23] + f".{MARK}"),
    ("azure_key", "AccountName=x;Account" + "Key=" + WORD + "==;Suffix",
     f"AccountName=x;AccountKey={MARK};Suffix"),
    ("cookie", "Cookie: session=" + WORD, f"Cookie: session={MARK}"),
    ("azure_signature", "https://x/y?sv=1&sig=" + WORD, f"https://x/y?sv=1&sig={MARK}"),
    ("password", 'password = "hunter2hunter2"', f'password = "{MARK}"'),
    ("password", "password: str = 'supersecret'", f"password: str = '{MARK}'"),
    ("password", 'let db_password: &str = "correcthorse";', f'let db_password: &str = "{MARK}";'),
    ("password", 'String dbPassword = "pässwörd1";', f'String dbPassword = "{MARK}";'),
    ("password", '{"password": "p@ss\\"word1"}', f'{{"password": "{MARK}"}}'),
    ("password", '"{\\"passwd\\": \\"hunter22\\"}"', f'"{{\\"passwd\\": \\"{MARK}\\"}}"'),
    ("password", ":password => 'abcdefgh1'", f":password => '{MARK}'"),
    ("password", "if (pwd === 'letmein123') {", f"if (pwd === '{MARK}') {{"),
    ("password", 'cfg["password"] = "abcd1234"', f'cfg["password"] = "{MARK}"'),
    ("password", 'char password[] = "abcd1234";', f'char password[] = "{MARK}";'),
    ("password", 'os.getenv("DB_PASSWORD", "abcd1234")', f'os.getenv("DB_PASSWORD", "{MARK}")'),
    ("password", "env.PASSWORD || 'abcd1234'", f"env.PASSWORD || '{MARK}'"),
    ("password", "DB_PASSWORD=supersecret # prod", f"DB_PASSWORD={MARK} # prod"),
    ("password", "  password: hunter2hunter2", f"  password: {MARK}"),
    ("password", "<password>geheim99</password>", f"<password>{MARK}</password>"),
    ("password", "mysql --password hunter2hunter2 db", f"mysql --password {MARK} db"),
    ("password", 'let password = r#"abcd1234"#;', f'let password = r#"{MARK}"#;'),
    ("password", "# password: hunter2hunter2", f"# password: {MARK}"),
    ("password", "//DB_PASSWORD=hunter2hunter2", f"//DB_PASSWORD={MARK}"),
    ("password", '#define DB_PASSWORD "abcd1234"', f'#define DB_PASSWORD "{MARK}"'),
    ("password", "ENV DB_PASSWORD abcd1234", f"ENV DB_PASSWORD {MARK}"),
    ("password", "define('DB_PASSWORD', 'abcdefgh');", f"define('DB_PASSWORD', '{MARK}');"),
    ("password", 'user.setPassword("abcd1234");', f'user.setPassword("{MARK}");'),
    ("password", "docker run -e PGPASSWORD=abcd1234 db", f"docker run -e PGPASSWORD={MARK} db"),
    ("password", "ALTER ROLE b WITH PASSWORD 'abcdefgh';", f"ALTER ROLE b WITH PASSWORD '{MARK}';"),
    ("password", "CREATE USER a IDENTIFIED BY 'abcd1234'", f"CREATE USER a IDENTIFIED BY '{MARK}'"),
    ("password", "curl -s -u admin:abcd1234 https://x", f"curl -s -u admin:{MARK} https://x"),
    ("password", "curl -u admin:sesame https://x", f"curl -u admin:{MARK} https://x"),
    ("password", "mysql -u root -psesame db", f"mysql -u root -p{MARK} db"),
    ("password", "mysqldump -uroot -p'sesame' db", f"mysqldump -uroot -p'{MARK}' db"),
    ("password", "sshpass -p sesame ssh me@host", f"sshpass -p {MARK} ssh me@host"),
    ("password", "docker login -u me -p sesame x.io", f"docker login -u me -p {MARK} x.io"),
    ("password", "PGPASSWORD=sesame psql -h db", f"PGPASSWORD={MARK} psql -h db"),
    ("password", "MYSQL_PWD='abc' mysql", f"MYSQL_PWD='{MARK}' mysql"),
    ("password", "psql --password=swordfish", f"psql --password={MARK}"),
    ("password", "x --password swordfish", f"x --password {MARK}"),
    ("password", "x --user me --password swordfish y", f"x --user me --password {MARK} y"),
    ("secret", "x --token=s3cr3ts3", f"x --token={MARK}"),
    ("password", 'req.SetBasicAuth("me", "sesame")', f'req.SetBasicAuth("me", "{MARK}")'),
    ("password", 'get(url, auth=("me", "sesame"))', f'get(url, auth=("me", "{MARK}"))'),
    ("password", "HTTPBasicAuth(USER, 'sesame')", f"HTTPBasicAuth(USER, '{MARK}')"),
    ("password", '.basic_auth("me", Some("sesame"))', f'.basic_auth("me", Some("{MARK}"))'),
    ("password", 'new UsernamePasswordCredentials("u","sesame")',
     f'new UsernamePasswordCredentials("u","{MARK}")'),
    ("password", 'new NetworkCredential("u", "sesame")', f'new NetworkCredential("u", "{MARK}")'),
    ("secret", f"SECRET_KEY_BASE = '{HEX}'", f"SECRET_KEY_BASE = '{MARK}'"),
    ("secret", f'SECRET_KEY = "{DJANGO}"', f'SECRET_KEY = "{MARK}"'),
    ("api_key", f'#define API_KEY "{WORD}"', f'#define API_KEY "{MARK}"'),
    ("api_key", f"api_key: '{WORD}'", f"api_key: '{MARK}'"),
    ("api_key", 'API_KEY = "abcdefghijklmnopqrstuvwx"', f'API_KEY = "{MARK}"'),
    ("api_key", f"apikey={WORD}", f"apikey={MARK}"),
    ("api_key", f"aws_secret_access_key = {WORD[:40]}", f"aws_secret_access_key = {MARK}"),
    ("secret", f'client_secret = "{WORD}"', f'client_secret = "{MARK}"'),
    ("secret", f"//registry/:_authToken={WORD}", f"//registry/:_authToken={MARK}"),
    ("secret", f"https://x/?access_token={WORD}&a=1", f"https://x/?access_token={MARK}&a=1"),
]  # fmt: skip

NEGATIVES = [
    'password = os.environ["DB_PASSWORD"]',
    "password: str",
    "password: SecretStr",
    "password: str | None = None",
    "password=password",
    "def login(user, password=None):",
    "if pwd == getpass():",
    "self.password = None",
    "self.password = password_hash2",
    'passwordField = document.getElementById("password-field-1")',
    'api_key = config.get("api_key")',
    "PASSWORD_HASHERS = ['django.contrib.auth.hashers.PBKDF2PasswordHasher']",
    *(f'password = "{value}"' for value in (
        "<password>", "xxxxxxxx", "changeme", "change-me", "your-password", "${DB_PASSWORD}",
        "{{ password }}", "{{password}}", "%s", "%(password)s", "********", "{password}", "#{pass}",
        "example_password", "$PASSWORD", "", "current_password", "users.password.label",
    )),
    *(f'api_key = "{value}"' for value in (
        "your-api-key", "your_api_key_goes_here", "<YOUR-API-KEY-GOES-HERE>", "${API_KEY_OF_MINE}",
        "settings.integrations.apiKey", "the_name_of_the_key_in_settings",
    )),
    "password: ${DB_PASSWORD}",
    "DB_PASSWORD=$DB_PASSWORD",
    "DB_PASSWORD=",
    "# password: the one of the database",
    "# token = next(tokens)",
    "f(password=password1 if x else None)",
    "docker run -u 1000:1000 -e PASSWORD=$PASSWORD x",
    'form.setPassword("passwordField")',
    "#define PASSWORD_LENGTH 128",
    "#define TOKEN_TYPE token_kind_2",
    'api_key = "https://x/${a1}?b=#{c}&d=*"',
    'api_key = "prefix-${SOME_KEY}-${OTHER_KEY}-of-the-service-1"',
    "PWD=/home/user/project1",
    "mysql -u root -p db",
    "mysql -h db -P 3306 -p$PASSWORD",
    "mysql -ppassword",
    "sshpass -p $PASSWORD ssh me@host",
    "docker run -p 8080:80 login",
    'docker login -u me -p "$TOKEN"',
    "docker login --password-stdin",
    "curl -u username:password https://x",
    "curl -u $USER:$TOKEN https://x",
    "PGPASSWORD=$PASSWORD psql",
    "The --password option is required",
    "Pass --password PASSWORD or --token TOKEN",
    "adduser --disabled-password --gecos me",
    "x --token=identifier",
    'auth = ("user", "pass")',
    'auth = ("user", password)',
    'BasicAuth("username", "password")',
    'req.SetBasicAuth(user, os.Getenv("SECRET_1"))',
    "db_password = correcthorsebattery",
    "password: required",
    "Enter your password: ",
    'label = "Password: "',
    "token = tokens[0]",
    "token = next(tokens)",
    'token: "identifier"',
    "const token = await getAccessToken1(request)",
    "access_token: string;",
    "secretName: my-app-tls",
    'headers["Authorization"] = "Bearer " + token',
    'f"Authorization: Bearer {token}"',
    "Basic authentication and bearer tokens",
    "http://localhost:8080/a@b",
    "git@github.com:owner/name.git",
    "ssh://git@host:22/x",
    "https://example.com/?email=a:b@c.com",
    "postgres://${USER}:${PASSWORD}@host/db",
    "redis://{user}:{password}@host",
    "mysql://%s:%s@%s/%s",
    "https://<user>:<password>@host",
    '"-----BEGIN PRIVATE KEY-----" in text',
    "-----BEGIN RSA PRIVATE KEY-----",
    pem("RSA ", "what follows is no key", "but prose", end=False),
    f"{DASHES}BEGIN PUBLIC KEY{DASHES}\n{B64}\n{DASHES}END PUBLIC KEY{DASHES}",
    "task-management and risk-assessment-of-something",
    "sha256-" + HEX,
    "https://example.com/" + HEX,
    "eyJust.words",
]  # fmt: skip


@pytest.mark.parametrize(("rule", "secret"), TOKENS)
def test_a_token_is_taken_out_wherever_it_stands(rule: str, secret: str) -> None:
    for before, after in (("", ""), ("x = '", "'\n"), ("word", " more"), ("[(", ")]"), ("é", "é")):
        found = redact(f"first\n{before}{secret}{after}\nlast line")
        assert secret not in found.text
        assert not any(line in found.text for line in secret.split("\n") if len(line) > 30)
        assert found.text.startswith(f"first\n{before}{MARK}")
        assert found.text.endswith("\nlast line")
        assert found.text.count("\n") == f"{secret}{after}".count("\n") + 2
        assert found.findings[0].rule == rule
        assert found.findings[0].line == 2


@pytest.mark.parametrize(("rule", "secret"), ALONE)
def test_a_token_of_no_special_look_is_one_by_itself(rule: str, secret: str) -> None:
    assert redact(f"x = '{secret}'").findings[0].rule == rule
    assert redact(f"x = '{secret}'").text == f"x = '{MARK}'"
    assert redact(f"x = 'ab{secret}yz'").findings == ()


@pytest.mark.parametrize(("rule", "text", "left"), CONTEXTS)
def test_a_secret_in_context_leaves_its_shape(rule: str, text: str, left: str) -> None:
    found = redact(f"\n{text}\n")
    assert found.text == f"\n{left}\n"
    assert [one.rule for one in found.findings] == [rule]


@pytest.mark.parametrize("text", NEGATIVES)
def test_harmless_values_stay(text: str) -> None:
    assert redact(text).text == text
    assert redact(f"  {text}\n").findings == ()


def test_every_rule_has_a_case() -> None:
    cases = {rule for rule, *_ in (*TOKENS, *ALONE, *CONTEXTS)}
    assert {detector.rule for detector in DETECTORS} <= cases


def test_a_finding_says_where_and_never_what() -> None:
    found = redact('x = 1\nkey = ["' + TOKENS[0][1] + '"]\n')
    assert found.findings == (SecretFinding("aws_key", 2, 9),)


def test_redacted_json_and_python_still_parse() -> None:
    text = json.dumps({"password": 'a"b\\c1234', "url": "redis://u:p@h", "key": TOKENS[2][1]})
    assert set(json.loads(redact(text).text)) == {"password", "url", "key"}
    python = f'password = "hunter2hunter2"\nKEY = """{pem("RSA ", B64)}"""\n'
    compile(redact(python).text, "redacted.py", "exec")


def test_line_ends_stay_as_they_were() -> None:
    text = f"a\r\n{pem('RSA ', B64)}\r\n\x0cb\u2028c\x85\x0b".replace("\n", "\r\n").replace(
        "\r\r", "\r"
    )
    found = redact(text).text
    assert found.count("\n") == text.count("\n")
    assert found.count("\r\n") == text.count("\r\n")
    assert found.endswith("\x0cb\u2028c\x85\x0b")


def test_a_key_without_end_goes_to_its_last_line_and_no_further() -> None:
    text = f"{pem('RSA ', B64, B64, 'tail==', end=False)}\n\ndef f():\n    pass"
    assert redact(text).text == f"{MARK}\n\n\n\n\ndef f():\n    pass"


@pytest.mark.parametrize("edge", ["# ", "    // ", " * ", '  "', "|"])
def test_a_key_in_a_comment_or_a_list_of_strings_is_found(edge: str) -> None:
    text = "\n".join(edge + line for line in pem("RSA ", B64, B64).split("\n"))
    assert B64 not in redact(text).text


def test_two_keys_in_a_row_are_two_findings() -> None:
    text = f"{pem('RSA ', B64)}\nbetween\n{pem('EC ', B64)}\n"
    found = redact(text)
    assert [one.line for one in found.findings] == [1, 5]
    assert "between" in found.text


@dataclass(frozen=True)
class OwnPattern:
    name: str
    pattern: str


def test_patterns_of_the_user_are_looked_for_too() -> None:
    found = redact("id ACME-1234 x", extra=[OwnPattern("acme", r"ACME-\d+")])
    assert found.text == f"id {MARK} x"
    assert found.findings == (SecretFinding("acme", 1, 4),)


@pytest.mark.parametrize("pattern", [r"x*", r"\w+", "REDACTED", r"(?s).+", r"\[", "ED\\]|x"])
def test_a_pattern_that_fits_its_own_replacement_comes_to_an_end(pattern: str) -> None:
    own = [OwnPattern("own", pattern)]
    once = redact("ab [x] password = 'abcd1234' \n [RED", extra=own).text
    assert redact(once, extra=own).text == once


@pytest.mark.parametrize("pattern", ["(x+x+)+y", "(?:a|aa)+$"])
def test_a_pattern_that_takes_too_long_is_a_sentence_and_no_text(pattern: str) -> None:
    own = [OwnPattern("slow", pattern)]
    text = "x" * 5_000 + "a" * 5_000 + "!"
    for _ in range(3):
        with pytest.raises(ConfigError, match=r"^The pattern `slow` of `secret_patterns` takes"):
            redact(text, extra=own)


def test_a_pattern_may_name_the_part_that_goes() -> None:
    own = [OwnPattern("acme", r"id (?P<secret>ACME-\d+)")]
    assert redact("id ACME-1234 x", extra=own).text == f"id {MARK} x"


def test_the_user_may_trust_lines() -> None:
    text = f'password = "hunter2hunter2"\n{TOKENS[0][1]}\n'
    assert redact(text, trusted={1, 2}).text == text
    assert redact(text, trusted={1}).text == f'password = "hunter2hunter2"\n{MARK}\n'


def test_a_cut_of_safe_text_counts_lines_from_one() -> None:
    assert slice_lines(redact("a\nb\x0c\nc").text, 2, 3) == "b\x0c\nc"


def test_capitals_that_grow_in_lower_case_do_not_shift_anything() -> None:
    text = "İİİİ\nPASSWORD = 'İhunter2hunter2'\n"
    assert redact(text).text == f"İİİİ\nPASSWORD = '{MARK}'\n"


pieces = st.one_of(
    st.text(max_size=12),
    st.sampled_from([secret for _, secret in TOKENS]),
    st.sampled_from([text for _, text, _ in CONTEXTS]),
    st.sampled_from(
        [
            *("\n", "\r\n", " ", '"', "'", "=", MARK, "[RED", "ACTED]", "password", "://"),
            *("@", ":", "|", "--|\n", "=== "),
            *("kind: Secret\n", "data:\n", "  a: b\n", "token: |\n", "- ", '" + "'),
        ]
    ),
)


@given(st.lists(pieces, max_size=8).map("".join))
def test_redacting_keeps_lines_and_does_nothing_twice(text: str) -> None:
    once = redact(text)
    assert once.text.count("\n") == text.count("\n")
    again = redact(once.text)
    assert again.text == once.text
    assert again.findings == ()


@given(st.text(max_size=20), st.sampled_from(TOKENS), st.text(max_size=20))
def test_no_token_survives_any_surroundings(
    before: str, sample: tuple[str, str], after: str
) -> None:
    secret = sample[1]
    assert secret not in redact(before + secret + after).text


passwords = st.from_regex(r"[A-Za-z][0-9][A-Za-z0-9!@#^*+=]{7,30}", fullmatch=True)


@given(passwords, st.sampled_from(['"', "'", "`"]), st.text(max_size=20), st.text(max_size=20))
def test_no_quoted_password_survives(value: str, quote: str, before: str, after: str) -> None:
    text = f"{before}\npassword = {quote}{value}{quote}\n{after}"
    if "xxxx" not in value.lower():  # a placeholder
        assert f"password = {quote}{value}" not in redact(text).text


HOSTILE = sorted(
    {
        *(needle for detector in DETECTORS for needle in detector.needles),
        *("ghp_", "glpat-", "AKIA", "AIza", "sk-", "SG.a", "eyJ", "eyJ.", "M" * 24 + ".", "1//0"),
        *(
            "password=",
            'password="',
            "password='\"",
            'password=\\"',
            "password: a<",
            "pwd\t",
            "pass ",
        ),
        *(
            "token: x = ",
            "secret_key ",
            "<password>",
            "<token",
            "--password ",
            "?token=",
            "key'] =",
        ),
        *("://a", "://a:", "://a:b", "redis://a:b", "uid=", "uid=;", "uid=;pwd=", "authorization:"),
        *("authorization: bearer ", "bearer ", 'getenv("password", "', 'env("a.password', "env("),
        *(
            "-----BEGIN PRIVATE KEY-----",
            "-----BEGIN RSA PRIVATE KEY-----\n",
            "PuTTY-User-Key-File-2: a",
        ),
        *(
            "-----BEGIN PRIVATE KEY-----\nabc\n",
            "-----BEGIN A B C D ",
            "-",
            "a",
            " ",
            "\n",
            "1",
            ".",
        ),
        *(
            "-----BEGIN PRIVATE KEY-----" + "A" * 100,
            "'",
            '"',
            "\\",
            "export ",
            MARK,
            "[",
            "_",
            "x-",
        ),
        *("setpassword(", "with_password_", "password=a ", "curl -u a:", "identified by '", "# ##"),
        *("mysql -p", "docker login ", " -p", "curl ", 'auth=("', 'basic_auth("a", "', "-p a "),
        *("x --password abcdefgh y ", "PGPASSWORD=", "=== ", "=== ===\n", "| password |\n|--|\n"),
        *("| password |\n|--|\n+\n", "| password |\n+==+\n", "| password ", "|"),
        *("kind: Secret\n", "kind: Secret\ndata:\n a: b\n", '"kind":"Secret","data":{', " data:\n"),
        *(
            "kind: Secret #  ",
            "kind: Secret\n a: b  ",
            "password: |\n",
            "password:\n- ",
            "token: |\n ",
        ),
        *('"a" + ', '"a"\n', "'a'", '"ghp_" ', "token:  #", "- - ", "token: >"),
        *("#define password ", "#define password a\n", "env apikey\t", "with password '"),
        *(
            'password = ["',
            'password=(\n"',
            "- name: password\n  value: ",
            "password is ",
            "=[password:",
        ),
        *('variable "password" {\n', "<key>password</key>", "a=b password=", "password <<E\n"),
        *("password = '''\n", "$2b$", "$6$a$", "LS0tLS", "x=y ", "'password=", "${password:-"),
        *("password 'a", "** password: ", "api key is ", '"password": "a b c d ', "// a password:"),
        *("discord.com/api/webhooks/1", "hooks.slack.com/services/", "sig=", "AccountKey=", "=\n"),
        *('jwt.sign("a" ', "jwt.sign({a},", 'hash_hmac("a",(', "cookieSession(", "session("),
        *('"password"{', '"--password",', "password: str = Field(", "--from-literal=password="),
        *(
            "user: a, password: ",
            "user: a\npassword: ",
            'default password is "',
            "пароль ",
            "密码为",
        ),
        *(
            'variable "password" {\n',
            "mount -o password=",
            "chpasswd <<< a:",
            "login: admin / ",
            "login: admin@",
            "user/pass: admin/",
            "| user | password |\n|---|---|\n| a | word |\n",
            "insert into t (name, password) values ('a', 'b'), ",
            "lftp -u a,",
            "password = ''.join(['a', ",
            "password: <%= ENV['A'] || ",
            "server=a;password={",
            "https://a.b/c#key=",
            "kty: RSA\n",
            "CryptoJS.AES.encrypt(a, ",
            'client.connect("a", ',
        ),
        *(
            "string password{",
            "strcpy(password, ",
            "password = ''",
            '"password" -> "',
            "password, a",
        ),
        *("AZDO", "EAAB", "EAAA", "re_aB3dE6gH_", "a, password = ", "password = ''\n"),
        *("'--password <a>', 'b', ", "user `a` and password ", "log in as a with password "),
    }
)


@pytest.mark.timeout(60)  # quadratic time would be over it by far, linear time is a second
@pytest.mark.parametrize("unit", HOSTILE)
def test_long_hostile_text_ends_before_the_test_times_out(unit: str) -> None:
    text = 'password = "' + unit * (50_000 // len(unit))
    assert redact(text).text.count("\n") == text.count("\n")


def test_patterns_never_cross_lines() -> None:
    for detector in DETECTORS:
        assert not re.search(r"\(\?s|DOTALL", detector.pattern.source)
        assert detector.pattern.compiled.flags & re.ASCII
        ignores_case = detector.pattern.compiled.flags & re.IGNORECASE
        assert ignores_case == detector.pattern.flags & re.IGNORECASE


@pytest.mark.parametrize(
    "path",
    [
        *(
            ".env",
            "a/.env.production",
            "id_rsa",
            ".ssh/id_ed25519",
            "id_rsa.bak",
            "x.pem",
            "a/b.KEY",
        ),
        *("c.p12", "c.pfx", "c.jks", ".netrc", ".npmrc", ".pypirc", ".aws/credentials", "db.kdbx"),
        *(
            "terraform.tfstate",
            "infra/prod.tfstate",
            "etc/ceph.client.admin.keyring",
            ".secrets",
            "etc/ppp/chap-secrets",
            ".config/gh/hosts.yml",
            "program-keypair.json",
            "prod.tfstate.backup",
            ".docker/config.json",
            ".env.local",
            "config/master.key",
        ),
    ],
)
def test_files_of_secrets_are_known_by_name(path: str) -> None:
    assert is_secret_file(path)


@pytest.mark.parametrize(
    "path",
    [
        *(
            ".env.example",
            ".env.sample",
            "a/.env.template",
            ".env.production.example",
            "id_rsa.pub",
        ),
        *("key.py", "monkey", "credentials", "aws/credentials.py", "pem.go", "env.py", "a.key.ts"),
        *(
            "docs/config.json",
            "environment",
            "id_rsa.py",
            "secrets.py",
            ".environment",
            "a.tfstate.go",
        ),
    ],
)
def test_sources_and_examples_are_no_files_of_secrets(path: str) -> None:
    assert not is_secret_file(path)


def test_text_that_only_speaks_of_private_keys_is_left_alone() -> None:
    text = "Keep your PRIVATE KEY safe; see PuTTY-User-Key-File- formats.\n"
    assert redact(text).text == text
