"""The figures of the business as the command prints them: of charges that stand in a database of SQLite."""
import csv
import io
import json
import sqlite3
import xml.etree.ElementTree
from datetime import datetime, timezone

import settings
from programs import TOKEN, digest
from story import insist

# The number of the purchase, the product, the days, the price, its currency and the country, and the day of a refund.
CHARGES = [
    (1, "pro.monthly", "2025-11-03", "2025-12-03", 9990, "EUR", "DE", None),
    (1, "pro.monthly", "2025-12-03", "2026-01-03", 9990, "EUR", "DE", None),
    (1, "pro.monthly", "2026-01-03", "2026-02-03", 9990, "EUR", "DE", None),
    (2, "pro.monthly", "2025-11-20", "2025-12-20", 9990, "USD", "US", None),
    (3, "pro.yearly", "2025-12-05", "2026-12-05", 119_880, "USD", "US", None),
    (4, "pro.monthly", "2025-12-10", "2026-01-10", 9990, "EUR", "FR", "2025-12-12"),
    (5, "pro.monthly", "2026-01-08", "2026-01-15", 0, "EUR", "DE", None),
    (5, "pro.monthly", "2026-01-15", "2026-02-15", 9990, "EUR", "DE", None),
]


def milliseconds(day):
    return day and int(datetime.fromisoformat(day).replace(tzinfo=timezone.utc).timestamp() * 1000)


def check(place):
    database = place.path("money.sqlite")
    config = settings.write(place, {
        **settings.GOOD, "token": {"test": digest(place, TOKEN)}, "database": f"sqlite:{database}",
        "moneyFigures": True}, "money.json")

    def report(*arguments):
        ended = settings.run(place, ["report", "--config", config, *arguments])
        insist(ended.returncode == 0, ended)
        return ended.stdout

    insist("Nothing is counted" in report(), "figures of nothing")
    with sqlite3.connect(database) as connection:
        for number, charge in enumerate(CHARGES):
            purchase, product, start, end, price, currency, country, refund = charge
            connection.execute(
                """INSERT INTO apple_transaction (environment, original_transaction_id, transaction_id,
                   product_id, quantity, is_upgraded, unreadable_fields, created_utc, as_of_ms,
                   purchase_date_ms, expires_date_ms, cancellation_date_ms, price, currency, country,
                   is_trial_period)
                   VALUES ('production', ?, ?, ?, 1, 0, 0, 0, 0, ?, ?, ?, ?, ?, ?, ?)""",
                (str(1000 + purchase), str(2000 + number), product, milliseconds(start),
                 milliseconds(end), milliseconds(refund), price, currency, country, price == 0))
    connection.close()
    span = ["--month", "2025-11..2026-01"]
    insist("Nothing is counted" in report(*span), "counted without being asked")
    table = report(*span, "--recount", "--in", "USD", "--rate", "EUR=1.08")
    lines = [" ".join(line.split()) for line in table.splitlines()]
    for line in [
            "2025-11 0 2 0 0 0 0 2 0 0 0 0 0", "2025-12 2 2 0 0 0 2 2 0 50.0 1 0 1 0",
            "2026-01 2 1 0 0 0 0 3 0 0.0 2 0 0 0", "2025-12 EUR 19.98 9.99 9.99",
            "2025-12 USD 119.88 0.00 9.99", "2026-01 USD at EUR=1.08 21.578 0.00 31.568",
            "2025-11 2 2 1 1"]:
        insist(line in lines, line, "is not in", table)
    rows = list(csv.DictReader(io.StringIO(report(*span, "--by", "country", "--format", "csv"))))
    found = {(row["month"], row["part"], row["currency"], row["figure"]): row["value"] for row in rows}
    insist(found["2026-01", "DE", "", "active"] == "2", found)
    insist(found["2025-12", "FR", "EUR", "refunded amount"] == "9.99", found)
    insist(found["2026-01", "US", "USD", "recurring"] == "9.99", found)
    picture = report(*span, "--by", "product", "--format", "svg")
    root = xml.etree.ElementTree.fromstring(picture)
    insist(root.tag.endswith("}svg") and root[0].tag.endswith("}title"), root)
    insist("Nothing is counted" in report(*span, "--sandbox"), "figures of the Sandbox")
    insist(report(*span) == report(*span, "--recount"), "another recount changes something")
    return 16
