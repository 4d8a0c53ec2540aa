"""Gives the server subscriptions and credits, and writes the document with them as its examples.

usage: seed.py APPLE SERVER TOKEN SESSION OUTPUT
"""

import json
import sys
import urllib.request

import yaml

apple, server, token, session, output = sys.argv[1:]


def ask(url, body=None, **headers):
    """Returns the JSON answer to GET, or to POST if there is a body. Any error ends the program."""
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(url, data, headers)) as response:
        content = response.read()
        return json.loads(content) if content else None


def bought(customer, product="reader.monthly"):
    """Buys, lets the server verify, and returns the receipt and the original transaction id."""
    ask(f"{apple}/control/buy", {"customer": customer, "product": product})
    receipt = ask(f"{apple}/control/receipt?customer={customer}")["receipt"]
    subscription = ask(
        f"{server}/api/v1/apple/subs", {"receiptData": receipt}, Authorization=f"Bearer {token}"
    )
    return receipt, subscription["originalTransactionId"]


def pack(code, product):
    """Buys a pack, and returns the request that verifies it."""
    bought = ask(f"{apple}/control/buy", {"customer": "four", "product": product})["purchase"]
    return {
        "productCode": code,
        "appStoreProductId": product,
        "transactionId": bought["transactionId"],
        "signedTransactionInfo": bought["signedTransactionInfo"],
    }


receipt, owned = bought("one")
_, other = bought("two", "reader.premium")
receipt_2019, _ = bought("three", "reader.yearly")

granted = pack("coffee_pack", "reader.coffee")
ask(
    f"{server}/api/v1/payments/apple/transactions/verify",
    granted,
    Authorization=f"Bearer {session}",
)
ask(
    f"{server}/api/v1/credits/entries",
    {
        "userId": "alice",
        "eventId": "render:1",
        "changeType": "spending",
        "bizType": "render",
        "bizId": "1",
        "amount": -30,
    },
    Authorization=f"Bearer {token}",
)

with open("Documentation/reference/openapi.yaml", encoding="utf-8") as file:
    document = yaml.safe_load(file)
components = document["components"]


def examples(name, values):
    """Replaces the example of a request body with several."""
    content = components["requestBodies"][name]["content"]["application/json"]
    content.pop("example", None)
    content["examples"] = {f"e{n}": {"value": value} for n, value in enumerate(values)}


examples("Receipt", [{"receiptData": receipt}, {"receiptData": ""}])
examples("Receipt2019", [{"receipt-data": receipt_2019}, {"receipt-data": "MIIT"}])
examples(
    "Link",
    [
        {"ftcId": "alice", "originalTxId": owned},
        {"ftcId": "bob", "originalTxId": owned, "force": True},
        {"ftcId": "alice", "originalTxId": other, "force": False},
        {"ftcId": "alice", "originalTxId": other, "force": True},
        {"ftcId": "nobody", "originalTxId": owned},
    ],
)
ordered, _ = bought("five")
examples(
    "Order",
    [
        {"vendor": "apple", "receiptData": ordered},
        {"vendor": "apple", "receiptData": receipt_2019},
        {"vendor": "amazon", "receiptData": ordered},
        {"vendor": "apple", "receiptData": "e30.e30.AAAA"},
    ],
)
examples(
    "Notification",
    [
        {
            "notification_type": "DID_RENEW",
            "environment": "PROD",
            "bid": "com.example.reader",
            "password": "0123456789abcdef0123456789abcdef",
            "original_transaction_id": owned,
            "unified_receipt": {"status": 0, "latest_receipt": receipt},
        },
        {"signedPayload": "e30.e30.AAAA"},
    ],
)
examples(
    "Unlink",
    [{"ftcId": "bob", "originalTxId": other}, {"ftcId": "alice", "originalTxId": other}],
)
welcome = pack("welcome_pack", "reader.welcome")
examples(
    "CreditVerify",
    [
        granted,
        welcome,
        pack("welcome_pack", "reader.welcome"),
        {**welcome, "productCode": "coffee_pack"},
        {**welcome, "transactionId": "1"},
        {**welcome, "productCode": "no_pack"},
        {**welcome, "signedTransactionInfo": "e30.e30.AAAA"},
    ],
)
entry = {
    "userId": "alice",
    "eventId": "render:2",
    "changeType": "spending",
    "bizType": "render",
    "bizId": "2",
    "amount": -5,
}
examples(
    "CreditEntry",
    [entry, {**entry, "eventId": "render:3", "amount": -1_000_000_000}, {**entry, "amount": "5"}],
)
components["parameters"]["Id"]["example"] = owned
components["parameters"]["FtcId"]["example"] = "alice"
components["parameters"]["UserId"]["example"] = "bob"
components["parameters"]["UnionId"].pop("example")

with open(output, "w", encoding="utf-8") as file:
    json.dump(document, file)
