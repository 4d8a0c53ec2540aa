"""Flags, environment and file: their precedence, and the messages for wrong ones."""
import base64
import json
import os
import subprocess

import wire
from programs import PRODUCTS, SECRET, TOKEN, Program, digest
from story import insist

ISSUER = "57246542-96fe-1a63-e053-0824d011072a"
UUID = "6b1a3c52-0c1e-4f57-9a55-0d3b1c7e9a10"

GOOD = {
    "app": {"com.example.reader": 1234567890}, "product": PRODUCTS, "acceptAnyAccount": True,
    "listen": "127.0.0.1:0", "sharedSecret": SECRET,
}

COMMANDS = [
    "digest", "decode", "reconcile", "end-testing", "resume-testing", "parked", "resend", "discard", "events",
    "replay", "enable", "drop", "erase", "disputes", "compare-catalog", "recover", "rebuild", "import", "export",
    "report",
]


def check(place):
    good = {**GOOD, "token": {"test": digest(place, TOKEN)},
            "database": f"sqlite:{place.path('settings.sqlite')}"}
    return wrong(place, good) + digests(place) + precedence(place, good) + starts(place, good)


def run(place, arguments, environment={}, stdin=""):
    return subprocess.run(
        [os.path.join(place.binaries, "storekeeper-server"), *arguments], input=stdin, text=True,
        capture_output=True, env={**os.environ, **environment}, timeout=60)


def write(place, content, name="wrong.json"):
    path = place.path(name)
    if isinstance(content, (dict, list)):
        content = json.dumps(content)
    with open(path, "wb") as file:
        file.write(content if isinstance(content, bytes) else content.encode())
    return path


def wrong(place, good):
    """Each ends with status 64 and a message that names the mistake and no secret."""
    file = write(place, good, "good.json")
    root = write(place, "no certificate", "root.der")
    key = write(place, "no key " + SECRET, "wrong.p8")
    access = ["--config", file, "--app-store-key", key]
    ids = ["--app-store-key-id", "K", "--app-store-issuer-id", ISSUER]
    consent = {"customerConsented": True, "deliveryStatus": "DELIVERED"}
    cases = [
        *accounts(place, good), *mail(place, file), *events(place, file), *credits(place, file), *entitlements(place, file),
        *orders(place, file),
        (access, {}, "--app-store-key-id (or STOREKEEPER_APP_STORE_KEY_ID, or appStoreKeyId in"
         " the file) is needed with --app-store-key"),
        (access + ids[:2], {}, "--app-store-issuer-id (or STOREKEEPER_APP_STORE_ISSUER_ID"),
        (access + ids, {}, "the file of --app-store-key is no unencrypted private key on P-256"),
        (["--config", file, "--app-store-key", "/" + SECRET, *ids], {},
         "the file of --app-store-key cannot be read"),
        (access + [*ids, "--app", "b=1", "--app", "c=2"], {}, "serves one app, but there are 2"),
        (access + [*ids[:2], "--app-store-issuer-id", "x"], {}, "not x"),
        (["--config", file], {"STOREKEEPER_APP_STORE_KEY_ID": "K"},
         "STOREKEEPER_APP_STORE_KEY_ID does nothing without a key; --app-store-key"),
        (["--config", file, "--recovery-interval", "1"], {}, "--recovery-interval does nothing"),
        (["--config", file, "--redis", f"redis://u:{SECRET}@"], {},
         "--redis takes redis://[USER[:PASSWORD]@]HOST[:PORT][/DATABASE], or rediss://… for TLS"),
        (["--config", file, "--redis", f"{SECRET}@localhost"], {}, "--redis takes redis://"),
        (["--config", file, "--redis", "rediss://x", "--redis-ca", "/nowhere"], {},
         "/nowhere cannot be read"),
        (["--config", file, "--redis", "redis://x", "--redis-ca", file], {},
         "--redis-ca does nothing without TLS; --redis takes rediss://"),
        (["--config", file, "--adopt-tables"], {},
         "--adopt-tables does nothing without --database postgres://… or mysql://…"),
        (["--config", file, "--table-database", "ftc_vip=premium"], {},
         "--table-database and --database-password-file do nothing without --database mysql://…"),
        (["--config", file, "--redis-ttl", "5"], {}, "--redis-ca and --redis-ttl do nothing"),
        (["--config", file, "--redis", "redis://x", "--redis-ttl", "0"], {}, "--redis-ttl takes"),
        (["--config", file, "--migrate-receipts"], {}, "--migrate-receipts does nothing"),
        (["--config", file, "--app-store-sandbox-url", "https://x"], {},
         "--app-store-sandbox-url does nothing"),
        (["--config", file, "--app-store-rate", "0"], {}, "a number from 1, of per cent, not 0"),
        (["--config", file, "--recovery-interval", "-1"], {}, "or 0 for only at the start, not -1"),
        (["--config", file, "--app-store-production-url", "http://127.0.0.1:1"], {},
         "--app-store-production-url with http makes"),
        (["--config", file, "--app-store-production-url", "http://127.0.0.1.x.com"], {},
         "takes https://…, or http://… to this machine"),
        (["--config", file, "--consumption", "/nowhere"], {}, "/nowhere cannot be read"),
        (["--config", file, "--consumption", write(place, consent, "c1.json")], {},
         "is no consumption information: sampleContentProvided: expected"),
        (["--config", file, "--consumption",
          write(place, {**consent, "sampleContentProvided": False, "customerConsented": False},
                "c2.json")], {}, "customerConsented: this value is not accepted"),
        (["--config", file, "--consumption",
          write(place, {**consent, "sampleContentProvided": False, "refundPreferences": "DECLINE"},
                "c3.json")], {}, "has a member refundPreferences, which is none of Apple's"),
        (["--config", file, "--consumption", write(place, "[", "c4.json")], {}, "is no JSON object"),
        (["reconcile", "--config", file], {}, "reconcile takes a transaction ID"),
        (["reconcile", SECRET + "x"], {}, "reconcile takes a transaction ID of 1 to 64 digits"),
        (["reconcile", "1000", "--config", file], {}, "reconcile asks Apple's API; --app-store-key"),
        (["recover", "--config", file], {}, "recover asks Apple's API; --app-store-key"),
        (["recover", "yesterday", "--config", file], {}, "recover takes a time in milliseconds"),
        (["rebuild", "--config", file], {}, "rebuild takes --since and a time"),
        (["rebuild", "--since", "yesterday", "--config", file], {}, "rebuild takes --since and a time"),
        (["rebuild", "--since", "2026-02-30", "--config", file], {}, "rebuild takes --since and a time"),
        (["rebuild", "--since", "20261120", "--config", file], {}, "rebuild takes --since and a time"),
        (["rebuild", "--since", "2126-11-25", "--config", file], {},
         "rebuild --since takes a time that has been"),
        (["rebuild", "--since", "2026-11-25", "--config", file], {}, "rebuild asks the stores;"),
        (["disputes", "yesterday", "--config", file], {}, "disputes takes a time in milliseconds"),
        (["report", "--config", file], {}, "report shows what --money-figures keeps; it is needed"),
        *[(["report", *arguments, "--money-figures", "--config", file], {}, message)
          for arguments, message in [
              (["--month", "2026-13"], "--month takes a month or two, such as 2026-01..2026-06"),
              (["--month", "2026-02..2026-01"], "--month takes a month or two"),
              (["--month"], "--month needs a month"),
              (["--by", "customer"], "--by takes one of product, country, vendor"),
              (["--format", "pdf"], "--format takes one of table, csv, svg"),
              (["--rate", "EUR=1.08"], "--rate does nothing without --in"),
              (["--in", "usd"], "--in takes a currency such as USD"),
              (["--in", "USD", "--rate", "EUR=1,08"], "--rate one such as EUR=1.08"),
              (["--in", "USD", "--rate", "EUR"], "--rate one such as EUR=1.08"),
              (["--in", "USD", "--rate", "USD=2"], "--rate gives USD a second rate; that of --in is 1"),
              (["--in", "USD", "--rate", "EUR=1", "--rate", "EUR=2"], "--rate gives EUR a second rate")]],
        (["--config", file, "--mount", "api/v1"], {}, "--mount takes a path such as /api/v1"),
        (["--config", file, "--legacy-mount", "/x=Xcode"], {}, "--legacy-mount takes a path such as"),
        (["--config", file, "--legacy-mount", "/api/v1/"], {},
         "--mount and --legacy-mount have /api/v1 twice; a place speaks one contract"),
        ([], {}, "--app is needed"),
        (["--databas", "x"], {}, "is --database meant?"),
        (["--config", file, "--metrics", "here"], {}, "--metrics takes HOST:PORT"),
        (["--config", file, "--otlp", "ftp://x"], {}, "--otlp takes https://"),
        (["--config", file, "--otlp-share", "5"], {},
         "--otlp-share does nothing without a collector; --otlp is needed"),
        (["--config", file, "--trust-traceparent"], {},
         "--trust-traceparent does nothing without a collector; --otlp is needed"),
        (["--config", file, "--otlp-token", SECRET], {},
         "--otlp-token does nothing without a collector; --otlp is needed"),
        (["--config", file, "--otlp", "http://x", "--otlp-share", "101"], {}, "not 101"),
        (["--config", file, "--otlp", "http://x", "--otlp-token", "a b" + SECRET], {},
         "--otlp-token takes a bearer token"),
        (["--colour", "red"], {}, "there is no flag --colour; see --help"),
        *[(["--config", file, "--database", address], {}, f"--database has no usable address: {part}")
          for address, part in [
              (f"mysql://u:{SECRET}@127.0.0.1/db?tls=verify-full", "connection URL: tls"),
              (f"mysql://u:{SECRET}@127.0.0.1", "connection URL: the path is not the name of a database"),
              (f"mysql://u:{SECRET}#x@127.0.0.1/db", "connection URL"),
              (f"mysql://u:{SECRET}@127.0.0.1/db?sslmode=require", "connection URL: an option is unknown"),
              (f"postgres://u:{SECRET}@127.0.0.1/db?tls=required", "connection string"),
              # Passwords that are not percent-encoded, of which no part is told.
              *[(f"{scheme}://u:{password}@127.0.0.1:1", "connection")
                for scheme in ["mysql", "postgres"]
                for password in ["P@SEC/RET", "SEC/RET?options=X", "SEC/RET?sslmode=X", "P@SEC?sslmode=RET",
                                 "P@SEC?service=RET", "P@SEC?user=RET", "SEC/RET?socket=X", "SEC#RET"]],
          ]],
        *[(["events", position, "--config", file], {}, "events takes the position of an event")
          for position in ["abc", "-1"]],
        ([SECRET], {}, "argument 1 is not expected"),
        (["--config", file, "--shared-secret=", SECRET], {}, "argument 4 is not expected"),
        (["--config", file, "-" + SECRET], {}, "argument 3 is not expected"),
        (["--config", file, "--shared-secret="], {}, "--shared-secret is empty"),
        (["--config", file, "--environment="], {}, "--environment is empty"),
        (["--config", file], {"STOREKEEPER_ENVIRONMENT": ","}, "STOREKEEPER_ENVIRONMENT is empty"),
        (["--config", write(place, {**good, "environment": []}, "a.json")], {}, "environment in"),
        (["--config", write(place, {**good, "account": []}, "b.json")], {}, "account in"),
        (["--config", write(place, {**good, "token": {}}, "c.json")], {}, "token in"),
        (["--config", file, "--account", "reader"], {}, "--account does nothing"),
        (["--config", file, "--token", TOKEN, "--token", TOKEN], {}, "number 1 is none"),
        (["--config", file, "--token", "a=" + "0" * 64, "--token", "a=" + "1" * 64], {},
         "names what number 2 names twice"),
        (["--config", file, "--app-store-url", f"ftp://u:{SECRET}@x"], {}, "takes https://"),
        (["--config", file, "--body-memory-limit", "0"], {}, "--body-memory-limit takes"),
        (["--config", file, "--address-connection-limit", "-1"], {},
         "--address-connection-limit takes a number of connections, or 0 for no limit"),
        (["--listen"], {}, "--listen needs a value"),
        (["--config", file, "--listen", "a:1", "--listen", "b:1"], {}, "--listen is given twice"),
        (["--config", file, "--config", file], {}, "--config is given twice"),
        (["--config", "/nowhere"], {}, "/nowhere cannot be read"),
        (["--config", write(place, "[]", "list.json")], {}, "is no JSON object"),
        (["--config", write(place, "{", "half.json")], {}, "is no JSON object"),
        (["--config", write(place, {**good, "tokens": {}})], {}, "is token meant?"),
        (["--config", file], {"STOREKEEPER_LISTEN": "x"}, "STOREKEEPER_LISTEN takes HOST:PORT"),
        (["--config", file, "--database", "mysql:x" + SECRET], {}, "--database takes sqlite:FILE"),
        (["--config", file, "--token", "test=" + TOKEN], {}, "--token takes NAME=DIGEST"),
        (["--config", file, "--app", "com.example.reader"], {}, "--app takes BUNDLE_ID=APPLE_ID"),
        (["--config", file, "--app", "a=1", "--app", "a=2"], {}, "--app names a twice"),
        (["--config", file, "--product", "a=gold/month"], {}, "--product takes PRODUCT_ID="),
        (["--config", file, "--environment", "Xcode"], {}, "not Xcode"),
        (["--config", file, "--body-limit", "0"], {}, "--body-limit takes a number of bytes"),
        (["--config", file, "--retention-webhooks", "6"], {}, "--retention-webhooks takes a number of days"),
        (["--config", write(place, {**good, "retentionSnapshots": 1}, "d.json")], {},
         "retentionSnapshots in"),
        (["--config", file, "--strict-switch=perhaps"], {}, "takes true or false, not perhaps"),
        (["--config", file, "--app-store-url", "ftp://x"], {}, "--app-store-url takes https://"),
        (["--config", file, "--app-store-url", "http://127.0.0.1:1"], {}, "needs --allow-test-root"),
        (["--config", file, "--test-root", "/nowhere"], {}, "/nowhere cannot be read"),
        (["--config", file, "--test-root", root, "--allow-test-root"], {}, "--test-root takes a file"),
    ]
    for missing, told in [
        ("app", "--app is needed"), ("token", "--token is needed"), ("product", "--product is needed"),
        ("acceptAnyAccount", "--account, --accounts-url or --accept-any-account is needed"),
    ]:
        rest = {key: value for key, value in good.items() if key != missing}
        cases.append((["--config", write(place, rest, f"without-{missing}.json")], {}, told))
    for arguments, environment, told in cases:
        ended = run(place, arguments, environment)
        insist(ended.returncode == 64, arguments, "ended with", ended.returncode, ended.stderr)
        insist(told in ended.stderr, arguments, "told", ended.stderr, "instead of", told)
        insist(ended.stdout == "", arguments, "printed", ended.stdout)
        for secret in [SECRET, TOKEN, "SEC", "RET"]:
            insist(secret not in ended.stderr, "a secret was told")
    return len(cases) + cannot_start(place, file)


def entitlements(place, file):
    """Settings of entitlements; the lists and their key are read at the start."""
    good = [{"identifier": "reader.monthly", "productType": "renewableSubscription"}]
    plain = write(place, good, "reader.list.json")
    app = "com.example.reader"
    list_ = ["--config", file, "--catalog", f"{app}={plain}"]
    alone = ["--app", f"{app}=1", "--catalog", f"{app}={plain}"]

    def refused(contents, name):
        return ["--config", file, "--catalog", f"{app}={write(place, contents, name)}"]

    def key(contents, name):
        return [*list_, "--catalog-key", write(place, contents, name)]

    lifetime = [*good, {"identifier": "b", "productType": SECRET}]
    unlocks = [{**good[0], "unlocks": ["a", "com.*.draw"]}]
    cases = [
        (["--config", file, "--catalog", app], f"--catalog takes BUNDLE_ID=FILE, such as"),
        (["--config", file, "--catalog", f"{app}="], "--catalog takes BUNDLE_ID=FILE"),
        ([*list_, "--catalog", f"{app}={plain}"], f"--catalog names {app} twice"),
        (["--config", file, "--catalog", f"com.example.other={plain}"],
         "--catalog names com.example.other, which is no --app"),
        (["--config", file, "--catalog", f"{app}=/nowhere"],
         f"the product list of {app}: /nowhere cannot be read"),
        (alone, "--session-key or --token is needed with --catalog"),
        ([*alone, "--account", "a"], "--account does nothing without subscriptions"),
        ([*alone, "--credit-environment", "auto"],
         "--credit-environment does nothing without credits"),
        (refused("[", "l1.json"), f"the product list of {app}: not JSON at byte 1"),
        (refused({}, "l2.json"), f"the product list of {app}: not an array"),
        (refused(lifetime, "l3.json"), f"the product list of {app}: element 1, key productType,"
         " unknown value"),
        (refused(unlocks, "l4.json"), f"{app}: element 0, key unlocks[1], text not allowed"),
        (refused([7], "l5.json"), f"{app}: element 0, not an object"),
        ([*list_, "--catalog-key", "/" + SECRET], "the file of --catalog-key cannot be read"),
        (key(SECRET[1:], "k1.key"), "the file of --catalog-key is no key: "),
        (key("x" + SECRET[1:], "k2.key"), "the file of --catalog-key is no key: "),
        # A plain list is no sealed one, whatever the key.
        (key(SECRET, "k3.key"), f"the product list of {app}: "),
        (key(SECRET * 2, "k4.key"), f"the product list of {app}: "),
        ([*list_, "--bundled-app", "com.example.other"],
         "--bundled-app names com.example.other, which has no --catalog"),
        ([*list_, "--multi-app-marker="], "--multi-app-marker is empty"),
        ([*list_, "--multi-app-marker", ".m.", "--marker-strategy", "attribute"],
         "--multi-app-marker has a . or a _, which --marker-strategy attribute does not allow"),
        ([*list_, "--marker-strategy", "regex"], "takes substring or attribute, not regex"),
        ([*list_, "--grace-days", "61"], "takes a number of days, from 0 to 60, not 61"),
        ([*list_, "--entitlement-environment", "Xcode"],
         "--entitlement-environment takes auto, or Production or Sandbox, not Xcode"),
        ([*list_, "--entitlement-environment="], "--entitlement-environment is empty"),
        ([*list_, "--session-issuer", "x"],
         "--session-issuer and --session-audience do nothing without --session-key"),
        ([*list_, "--tester", "a=b"], "--tester takes the identifier of an account, or ID=2026-12-31T00:00:00Z, not a=b"),
        ([*list_, "--grace-days", "-1"], "from 0 to 60, not -1"),
        ([*list_, "--duration", "com.example.season=0"],
         "--duration takes PRODUCT_ID=DAYS, such as com.example.season=90"),
        ([*list_, "--duration", "com.example.season"], "--duration takes PRODUCT_ID=DAYS"),
        ([*list_, "--status-ttl", "0"], "takes a number of days, from 1 upwards, not 0"),
        ([*list_, "--validation-interval", "0"], "--validation-interval takes a number of seconds"),
        ([*list_, "--periodic-validation=perhaps"], "takes true or false, not perhaps"),
        ([*list_, "--statement-life", "600"], "--statement-life does nothing without a key; --statement-key (or"),
        ([*list_, "--statement-life", "59"], "takes a number of seconds, from 60 to 5184000, not 59"),
        # A key in place of its file is not told, nor is a file that has none.
        ([*list_, "--statement-key", SECRET], "file number 1 of --statement-key cannot be read"),
        ([*list_, "--statement-key", write(place, SECRET, "s1.pem")],
         "file number 1 of --statement-key is no unencrypted private key in PEM, Ed25519 or on P-256"),
        ([*list_, "--statement-key="], "--statement-key is empty"),
        ([*list_, "--test-clock", "/nowhere", "--allow-test-root"], "--test-clock takes a file"),
        ([*list_, "--test-clock", write(place, "-1", "c1.clock"), "--allow-test-root"],
         "--test-clock takes a file with a number of seconds"),
        ([*list_, "--test-clock", write(place, "5\n", "c2.clock")],
         "--test-clock makes the server believe that it is another time; it needs"),
    ]
    for name, value in [
        ("catalog-key", "/nowhere"), ("entitlement-environment", "auto"), ("bundled-app", app), ("multi-app-marker", "m"),
        ("marker-strategy", "attribute"), ("grace-days", "1"), ("status-ttl", "1"),
        ("duration", "com.example.season=90"), ("google-app", app),
        ("periodic-validation", "true"), ("validation-interval", "1"), ("statement-key", "/nowhere"),
        ("statement-life", "600"), ("statement-refresh", "1"),
    ]:
        cases.append((["--config", file, f"--{name}={value}"],
                      f"--{name} does nothing without entitlements; --catalog (or"))
    return [(arguments, {}, told) for arguments, told in cases]


def orders(place, file):
    """Settings of orders, and of Google Play: an account has what it needs, and nothing of it stands alone."""
    levels = write(place, [{
        "name": "Basic", "description": "", "portfolioLimit": 2, "fee": 4.99, "appleProductId": "a",
        "googleProductId": "b"}], "levels.json")
    key = write(place, SECRET, "orders.key")
    alone = ["--config", file, "--levels", levels]
    good = [*alone, "--session-key", key]
    account = [*good, "--google-service-account", write(place, "no key " + SECRET, "play.json")]
    none = "do nothing without an account; --google-service-account is needed"
    review = write(place, {"refundPreference": "DECLINE", "sampleContentProvided": True}, "review.json")
    cases = [
        (alone, "--session-key is needed with --levels: who orders"),
        (account, "--google-package is needed with --google-service-account"),
        ([*account, "--google-package", "com.example.reader"],
         "the file of --google-service-account is none: "),
        ([*good, "--google-package", "com.example.reader"], none),
        ([*good, "--catalog", f"com.example.reader={write(place, [], 'sold.json')}",
          "--google-app", "com.example.reader"], none),
        ([*good, "--google-push-audience", "x"], none),
        ([*good, "--google-voided-interval", "1"], none),
        ([*good, "--google-refund-review", review], none),
        ([*good, "--google-refund-review", "/nowhere"], "/nowhere cannot be read"),
        ([*good, "--google-refund-review", write(place, {"refundPreference": "REFUND"}, "review-1.json")],
         "is no review of a refund: "),
        ([*good, "--google-refund-review",
          write(place, {"refundPreference": "DECLINE", "reason": 1}, "review-2.json")],
         "has a member reason, which is none of Google's"),
        ([*good, "--google-refund-review",
          write(place, {"refundPreference": "DECLINE", "pendingRefundToken": SECRET}, "review-3.json")],
         "has a pendingRefundToken, but each question has its own"),
        ([*good, "--google-voided-interval", "-1"],
         "--google-voided-interval takes a number of seconds, or 0 for only at the start, not -1"),
        ([*good, "--min-revalidation-interval", "-1"], "from 0 upwards, not -1"),
        ([*good, "--order-environment", "sandbox"],
         "--order-environment takes auto, or Production or Sandbox, not sandbox"),
    ]
    for name, value in [
        ("min-revalidation-interval", "1"), ("order-environment", "auto"), ("google-service-account", "/nowhere"),
        ("google-package", "com.example.reader"), ("google-push-audience", "x"),
        ("google-push-email", "a@b"), ("google-voided-interval", "1"), ("google-refund-review", review),
    ]:
        cases.append((["--config", file, f"--{name}={value}"],
                      f"--{name} does nothing without orders; --levels (or"))
    return [(arguments, {}, told) for arguments, told in cases]


def accounts(place, good):
    """Settings of accounts: one source of them, at an address that can be asked and trusted."""
    good = {key: value for key, value in good.items() if key != "acceptAnyAccount"}
    file = ["--config", write(place, good, "accounts.json")]
    here = [*file, "--accounts-url", "http://127.0.0.1:1/accounts"]
    levels = write(place, "[]", "no-levels.json")
    orders = ["--app", "com.example.reader=1", "--levels", levels]
    form = "--accounts-url takes https://…, or http://… to this machine"
    cases = [
        ([*here, "--account", "reader"], "--account does nothing where --accounts-url is given"),
        ([*here, "--accept-any-account"],
         "--accounts-url does nothing where --accept-any-account is given; leave out one of them"),
        ([*here, "--accounts-token", SECRET + " "], "--accounts-token takes a bearer token of visible"),
        ([*here, "--accounts-token", SECRET + "\r\nX: y"], "--accounts-token takes a bearer token"),
        ([*here, "--accounts-token", SECRET + "ä"], "--accounts-token takes a bearer token"),
        ([*here, "--accounts-token", SECRET * 200], "--accounts-token takes a bearer token"),
        ([*file, "--account", "reader", "--accounts-token", SECRET],
         "--accounts-token does nothing without --accounts-url"),
        ([*here, "--user", f"u={SECRET}", "--user", "v"], "--user takes USER=EMAIL, such as"),
        ([*here, "--user", f"u={SECRET}", "--user", "u=c@d"], "--user names what number 2 names"),
        ([*here, "--user", "u= "], "--user takes USER=EMAIL"),
        ([*here, "--user-language", "u=en", "--user-language", "u=de"], "--user-language names u twice"),
    ]
    for url in [
        "http://accounts.example.com", "http://127.0.0.1.example.com/", "ftp://127.0.0.1",
        "https://", "accounts", f"https://u:{SECRET}@example.com", "https://example.com/?all",
        "https://example.com/#all",
    ]:
        cases.append(([*file, "--accounts-url", url], form))
    for tag in ["", "e", "en_US", "en--US", "en-", "123", "en-abcdefghi", "en US", "dé", "a" * 9]:
        cases.append(([*here, "--user-language", f"u={tag}"], "--user-language takes USER=TAG"))
    for name, value in [
        ("accounts-url", "https://example.com"), ("accounts-token", "x"), ("user", "u=a@b"),
        ("user-language", "u=en"),
    ]:
        cases.append(([*orders, f"--{name}={value}"],
                      f"--{name} does nothing without subscriptions; --product (or"))
    return [(arguments, {}, told) for arguments, told in cases]


def mail(place, file):
    """Settings of e-mails: a server that is protected, with a whole login, and templates without mistakes."""
    file = ["--config", file]
    server = [*file, "--mail", "smtps://mail.example.com"]
    sender = ["--mail-from", "news@example.com"]
    form = "--mail takes smtps://USER@HOST:465 or smtp://USER@HOST:587, without a password"
    login = "--mail needs a user with a password: --mail-password-file or STOREKEEPER_MAIL_PASSWORD"
    user = [*file, "--mail", "smtps://news@mail.example.com", *sender]
    word = write(place, SECRET, "word")
    words, empty = write(place, f"{SECRET}\n{SECRET}\n", "words"), write(place, "\n", "no-words")
    templates = place.path("wrong-templates")
    os.mkdir(templates)
    with open(os.path.join(templates, "link.txt"), "w") as output:
        output.write("{{tier}}")
    misspelt = place.path("misspelt-templates")
    os.mkdir(misspelt)
    for name in ["links.subject", "links.txt"]:
        with open(os.path.join(misspelt, name), "w") as output:
            output.write("x")
    cases = [
        (server, {}, "--mail-from is needed with --mail: who writes"),
        (user, {}, login),
        ([*server, *sender, "--mail-password-file", words], {}, "takes a password in one line"),
        ([*server, *sender, "--mail-password-file", empty], {}, "takes a password in one line"),
        ([*server, *sender, "--mail-password-file", "/" + SECRET], {},
         "the file of --mail-password-file cannot be read"),
        ([*server, *sender], {"STOREKEEPER_MAIL_PASSWORD": SECRET}, login),
        ([*user, "--mail-password", SECRET], {},
         "--mail-password would show the password to others on the machine"),
        ([*user, "--mail-password-file", word],
         {"STOREKEEPER_MAIL_PASSWORD": SECRET}, "leave out one of them"),
        (user, {"STOREKEEPER_MAIL_PASSWORD": SECRET + "\t"}, "has a control character"),
        ([*server, "--mail-from", "news"], {}, "--mail-from takes an e-mail address, such as"),
        ([*server, *sender, "--mail-templates", templates], {},
         f"--mail-templates has a mistake: {templates}/link: incomplete"),
        ([*server, *sender, "--mail-templates", misspelt], {}, "has a template links, but no message"),
        ([*server, *sender, "--mail-templates", "/nowhere"], {}, "/nowhere: unreadable"),
        ([*server, *sender, "--mail-authority", "/nowhere"], {}, "/nowhere cannot be read"),
        (["resend", *file], {}, "resend takes the number of a parked message, or all"),
        (["resend", "0", *file], {}, "resend takes the number"),
        (["discard", "all", *file], {}, "discard takes the number of a parked message"),
    ]
    for url in ["mail.example.com", f"smtps://u:{SECRET}@mail.example.com", "smtp://", "smtps://a:0",
                "http://mail.example.com", "smtp://mail.example.com:587:99", "smtps://mail.example.com:+465"]:
        cases.append(([*file, "--mail", url, *sender], {}, form))
    for name, value in [("mail-from", "a@b"), ("mail-password-file", word), ("mail-authority", words)]:
        cases.append(([*file, f"--{name}={value}"], {}, f"--{name} does nothing without a mail server"))
    return cases


def events(place, file):
    """Settings of events: each endpoint has an address and keys, and neither is quoted."""
    file = ["--config", file]
    key = write(place, "whsec_" + "QUJD" * 8 + "\n", "hook.key")
    wrong, empty = write(place, f"whsk_{SECRET}\n", "wrong-hook.key"), write(place, "\n", "no-hook.key")
    hook = [*file, "--webhook", f"billing=https://{SECRET}.example.org/"]
    keys = ["--webhook-key", f"billing={key}"]
    cases = [
        (hook, {}, "--webhook-key is needed for billing: a file of keys"),
        ([*file, *keys], {}, "--webhook-key names billing, but no --webhook does"),
        ([*file, "--webhook-type", "billing=credits.granted"], {},
         "--webhook-type names billing, but no --webhook does"),
        ([*hook, *keys, "--webhook-type", "billing=credits.gone"], {},
         "--webhook-type takes NAME=TYPE, such as billing=credits.granted, not billing=credits.gone"),
        ([*hook, "--webhook-key", "billing=/nowhere"], {},
         "the file of --webhook-key billing cannot be read"),
        ([*hook, "--webhook-key", f"billing={wrong}"], {},
         "line 1 of the file of --webhook-key billing is neither whsec_ nor whsk_"),
        ([*hook, "--webhook-key", f"billing={empty}"], {}, "the file of --webhook-key billing has no key"),
        ([*file, "--webhook", SECRET], {}, "--webhook takes NAME=URL, such as"),
        ([*hook, *keys, "--webhook", "billing=https://example.org/"], {}, "--webhook names what number 2 names twice"),
        ([*file, "--webhook", f"billing=http://{SECRET}.example.org/", *keys], {},
         "the address of --webhook billing is none with https; http needs --webhook-private"),
        ([*file, "--webhook", f"b c=https://{SECRET}.example.org/", "--webhook-key", f"b c={key}"], {},
         "--webhook takes names of letters, digits, - and _, not b c"),
        (["replay", *file], {}, "replay takes the name of an endpoint, the position"),
        (["replay", "billing", "1", "2", *file], {}, "no --webhook is called billing"),
        (["enable", "billing", *file], {}, "no --webhook and no --forward is called billing"),
        (["enable", *file], {}, "enable takes the name of an endpoint"),
        (["drop", *file], {}, "drop takes the name of an endpoint"),
        (["erase", *file], {}, "erase takes the identifier of an account"),
        (["erase", "--dry-run", *file], {}, "behind -- if it begins with --"),
        (["erase", "--"], {}, "erase takes the identifier of an account"),
        (["erase", "alice", "--reference", "x" * 256, *file], {}, "erase --reference takes a text of at most 255 bytes"),
        ([*file, "--forward", SECRET], {}, "--forward takes NAME=URL, such as"),
        ([*hook, *keys, "--forward", f"billing=https://{SECRET}.example.org/"], {},
         "--webhook and --forward both have the name billing"),
        ([*file, "--forward", f"staging=http://{SECRET}.example.org/"], {},
         "the address of --forward staging is none with https; http needs --webhook-private"),
        ([*file, "--forward", f"b c=https://{SECRET}.example.org/"], {},
         "--forward takes names of letters, digits, - and _, not b c"),
        ([*file, "--forward-only", "staging=sandbox"], {}, "--forward-only names staging, but no --forward does"),
        ([*file, "--forward", f"staging=https://{SECRET}.example.org/", "--forward-only", "staging=xcode"], {},
         "--forward-only takes NAME=apple, NAME=google, NAME=production or NAME=sandbox, not staging=xcode"),
    ]
    return cases


def credits(place, file):
    """Settings of credits: each part has what it needs, and a refused mapping ends the start."""
    good = write(place, {"product_mappings": {"a": {"app_store_product_id": "b", "credits": 1}}},
                 "gems.json")
    secret = write(place, SECRET, "session.key")
    packs, key = ["--credit-products", good], ["--session-key", secret]
    both = ["--config", file, *packs, *key]
    alone = ["--app", "com.example.reader=1", *packs, *key]
    cases = [
        (["--config", file, *packs], "--session-key is needed (or STOREKEEPER_SESSION_KEY, or"
         " sessionKey in the file): a file with a secret of 32 bytes"),
        (["--config", file, *key], "--credit-products is needed (or STOREKEEPER_CREDIT_PRODUCTS"),
        (["--config", file, "--credit-environment", "Sandbox"],
         "--credit-environment does nothing without credits"),
        ([*both, "--credit-environment", "Xcode"], "--credit-environment takes auto, or Production"),
        ([*both, "--partial-refunds", "part"], "--partial-refunds takes whole or share"),
        ([*both, "--credit-environment", "auto", "--credit-environment", "Sandbox"],
         "--credit-environment takes auto, or Production"),
        (["--config", file, "--account-token", f"u={UUID}"],
         "--account-token does nothing without credits"),
        ([*both, "--account-token", f"u={UUID}", "--account-token", f"v={SECRET}"],
         "--account-token takes USER=UUID, such as"),
        ([*both, "--account-token", f"u={UUID}", "--account-token", f"u={ISSUER}"],
         "--account-token names what number 2 names twice"),
        ([*both, "--account-token", f"u={UUID}", "--account-token", f"v={UUID.upper()}"],
         "--account-token gives two users the same token"),
        (["--config", write(place, {"accountToken": {"u": 1}}, "tokens.json")],
         "accountToken in"),
        (["--config", file, "--session-audience", "x"], "--session-audience does nothing without credits"),
        (["--config", file, *packs, "--session-key", "/" + SECRET],
         "the file of --session-key cannot be read"),
        (["--config", file, *packs, "--session-key", write(place, SECRET[1:] + "\n", "short.key")],
         "the file of --session-key has a secret of fewer than 32 bytes"),
        (["--config", file, *packs, "--session-key",
          write(place, f"-----BEGIN PUBLIC KEY-----\n{SECRET}\n", "half.pem")],
         "the file of --session-key is no public key on P-256 in PEM"),
        (["--config", file, "--credit-products", "/nowhere", *key], "/nowhere cannot be read"),
        # Google asks about chargebacks of packs too.
        ([*both, "--google-refund-review",
          write(place, {"refundPreference": "DECLINE", "sampleContentProvided": True}, "pack-review.json")],
         "do nothing without an account; --google-service-account is needed"),
        (["--config", file, "--credit-products", place.folder, *key], "cannot be read"),
        ([*alone, "--shared-secret", SECRET], "--shared-secret does nothing without subscriptions;"
         " --product (or"),
        ([*alone, "--account", "a"], "--account does nothing without subscriptions"),
        (["reconcile", "1", *alone], "reconcile repairs subscriptions; --product (or"),
        (alone[2:], "--app is needed"),
    ]
    for number, contents in enumerate(public_keys(place)):
        path = write(place, contents, f"public{number}.key")
        cases.append((["--config", file, *packs, "--session-key", path],
                      "the file of --session-key looks like a key in DER or JSON"))
    for number, (mapping, told) in enumerate(MAPPINGS):
        path = write(place, mapping, f"gems{number}.yaml")
        cases.append((["--config", file, "--credit-products", path, *key], told))
    for arguments, told in cases[-len(MAPPINGS):]:
        insist(run(place, arguments).stderr.count("\n") == 1, told, "has more than one line")
    return [(arguments, {}, told) for arguments, told in cases]


# Refused mappings, and the beginnings of their messages, all of which MappingFailureTests have.
MAPPINGS = [
    ('product_mappings:\n  a:\n    app_store_product_id: x\n    credits: "60"\n',
     "mapping: product_mappings.a.credits (line 4): expected a whole number"),
    ("#" * (1 << 20) + "\n", "mapping: file"), ("", "mapping: product_mappings"), ("{", "mapping: "),
]


def public_keys(place):
    """Public keys that are not PEM, which must not be taken for secrets."""
    private = place.path("private.pem")
    subprocess.run(
        ["openssl", "ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", private],
        check=True, capture_output=True)
    der = subprocess.run(
        ["openssl", "ec", "-in", private, "-pubout", "-outform", "DER"], check=True,
        capture_output=True).stdout
    point = [base64.urlsafe_b64encode(part).rstrip(b"=").decode() for part in (der[-64:-32], der[-32:])]
    jwk = {"kty": "EC", "crv": "P-256", "x": point[0], "y": point[1]}
    return [der, der + b"\n", base64.b64encode(der), base64.encodebytes(der), jwk,
            "\n " + json.dumps({"keys": [jwk]}), "\ufeff" + json.dumps(jwk)]


def cannot_start(place, file):
    """Valid settings that do not work: status 69."""
    with open(place.path("folder.sqlite"), "w") as database:
        database.write("no database, and long enough to be taken for one" * 100)
    cases = [
        (["--database", "sqlite:/nowhere/x.sqlite"], "the database cannot be reached"),
        (["--database", f"sqlite:{place.path('folder.sqlite')}"], "the database reported"),
        (["--listen", "256.1.1.1.1:0"], "is no address of this machine"),
        (["--listen", "127.0.0.1:1", "--database", "postgres://u:" + SECRET + "@127.0.0.1:1/x"
          "?connect_timeout=1"], "the database cannot be reached"),
    ]
    for arguments, told in cases:
        ended = run(place, ["--config", file, *arguments])
        insist(ended.returncode == 69, arguments, "ended with", ended.returncode, ended.stderr)
        insist(told in ended.stderr, arguments, "told", ended.stderr)
        insist(SECRET not in ended.stderr, "a secret was told")
    return len(cases)


def digests(place):
    """The digest of a token is its SHA-256 (known for the text `abc`)."""
    known = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad\n"
    for text in ["abc\n", "abc"]:
        ended = run(place, ["digest"], stdin=text)
        insist((ended.returncode, ended.stdout) == (0, known), "digest:", ended)
    for text in ["", "\n", "a b\n", "ä\n", "a" * 4097, "abc\ndef\n"]:
        insist(run(place, ["digest"], stdin=text).returncode == 64, "digest of", repr(text[:9]))
    version = run(place, ["--version"])
    insist((version.returncode, version.stdout) == (0, "storekeeper-server 0.0.0\n"), version)
    helped = run(place, ["--help"])
    insist(helped.returncode == 0 and helped.stdout.startswith("usage: storekeeper-server"), helped)
    for command in COMMANDS:
        ended = run(place, [command, "--help"])
        insist((ended.returncode, ended.stdout) == (0, helped.stdout), command, "--help:", ended)
    return 10 + len(COMMANDS)


def precedence(place, good):
    """A flag overrides a variable, a variable overrides the file; each is tested by its effect."""
    def limit(arguments, environment, settings):
        path = write(place, {**good, **settings}, "first.json")
        program = Program(
            os.path.join(place.binaries, "storekeeper-server"), ["--config", path, *arguments],
            environment)
        place.running.append(program)
        answers = {}
        for size in [5, 50, 500]:
            body = b" " * (size + 1)
            answers[size] = wire.ask(program.port, "POST", "/api/v1/webhook/apple", (), body).status
        insist(program.stop() == 0, "the server did not end well")
        return next(size for size in [5, 50, 500] if answers[size] == 413)

    file, variable = {"bodyLimit": 500}, {"STOREKEEPER_BODY_LIMIT": "50"}
    insist(limit(["--body-limit", "5"], variable, file) == 5, "a flag does not come first")
    insist(limit([], variable, file) == 50, "a variable does not come before the file")
    insist(limit([], {"STOREKEEPER_BODY_LIMIT": ""}, file) == 500, "an empty variable counts")
    insist(limit(["--environment", " Sandbox "], variable, file) == 50, "white space in a list")
    return 4


def starts(place, good):
    """The start tells whose purchases count in each part; the Sandbox does nowhere where nothing is said,
    except for credits."""
    packs = write(place, {"product_mappings": {"a": {"app_store_product_id": "b", "credits": 1}}},
                  "start-packs.json")
    catalog = write(place, [{"identifier": "a", "productType": "nonConsumable"}], "start-list.json")
    key = write(place, SECRET, "start.key")
    everything = {
        "creditProducts": packs, "sessionKey": key, "catalog": {"com.example.reader": catalog},
        "levels": write(place, "[]", "start-levels.json")}

    def started(**settings):
        settings = {**good, **settings}
        path = write(
            place, {name: settings[name] for name in settings if settings[name] is not None},
            "start.json")
        program = Program(
            os.path.join(place.binaries, "storekeeper-server"), ["--config", path])
        place.running.append(program)
        insist(program.stop() == 0, "the server did not end well")
        return [json.loads(line) for line in program.errors]

    def counted(**settings):
        event = next(
            event for event in started(**settings) if event["event"] == "purchases that count")
        return {name: event[name] for name in event if name not in ("event", "time")}

    both = "Production, Sandbox"
    cases = [
        ({}, {"memberships": "Production", "testers": 0}),
        (everything, {"memberships": "Production", "credits": both, "entitlements": "Production",
                      "orders": "Production", "testers": 0}),
        ({**everything, "environment": ["Sandbox"], "creditEnvironment": "Production",
          "entitlementEnvironment": "auto", "orderEnvironment": ["Production", "Sandbox"],
          "tester": ["a", "b"]},
         {"memberships": "Sandbox", "credits": "Production", "entitlements": both, "orders": both,
          "testers": 2}),
    ]
    for settings, told in cases:
        insist(counted(**settings) == told, settings, "told", counted(**settings))

    def missing(**settings):
        events = [event["event"] for event in started(**settings)]
        return [any(event.startswith(f"{name} is not set") for event in events)
                for name in ("sharedSecret", "appStoreKey")]

    insist(missing() == [False, True], "a secret that is there is called missing, or the other way")
    insist(missing(sharedSecret=None) == [True, True], "no missing secret is told")
    os.environ["STOREKEEPER_SHARED_SECRETS"] = SECRET
    unknown = [event for event in started() if event["event"] == "unknown variable"]
    del os.environ["STOREKEEPER_SHARED_SECRETS"]
    insist("STOREKEEPER_SHARED_SECRETS" in [event["name"] for event in unknown], unknown)
    insist(SECRET not in json.dumps(unknown), "the value of a variable is told")

    def warnings(**settings):
        told = [event["event"] for event in started(**settings)]
        return [any(event.startswith(begin) for event in told)
                for begin in ("any token of the session key", "free purchases of the Sandbox")]

    warned = [
        ({}, [False, False]), (everything, [True, True]),
        ({**everything, "sessionIssuer": "https://example.com"}, [False, True]),
        ({**everything, "sessionAudience": "shop", "creditEnvironment": "Production"}, [False, False]),
        ({**everything, "environment": ["Production", "Sandbox"]}, [True, False]),
        ({**everything, "product": None, "acceptAnyAccount": None}, [True, False]),
    ]
    for settings, expected in warned:
        insist(warnings(**settings) == expected, settings, "warned", warnings(**settings))
    return len(cases) + len(warned)
