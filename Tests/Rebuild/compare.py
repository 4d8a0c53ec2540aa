"""The comparison of a rebuilt database with the one that was lost, table by table."""
import collections
import sqlite3

# What is compared of each table: all columns but these, which say when and in which order the host was told, or who
# works on a row now.
TABLES = {
    "apple_transaction": "created_utc as_of_ms",
    "apple_subscription":
        "created_utc updated_utc as_of_ms transactions_as_of_ms receipt_as_of_ms wake_utc",
    "apple_pending_renewal": "created_utc updated_utc as_of_ms",
    "apple_receipt": "created_utc as_of_ms",
    "apple_webhook": "created_utc",
    "apple_undecoded": "created_utc",
    "apple_consumption_request": "",
    "ftc_vip": "vip_id id",
    "member_snapshot": "number id created_by created_utc",
    "user_subscriptions": "validated_at",
    "subscription_claims": "",
    "subscription_levels": "",
    "apple_iap_transactions": "id created_at updated_at last_event_signed_at",
    "credit_ledger": "id created_at balance_after biz_id metadata",
    "credit_account": "updated_at",
    "apple_notifications": "processed_at",
    "register_bonus_claims": "",
}
# Tables of the host's own work, its jobs, and its events that no store knows.
OTHERS = {
    "apple_cheat", "apple_unlink_archive", "purchase_transfer", "support_act", "apple_verification_session", "apple_renewal_set",
    "apple_history_revision", "google_push_messages", "host_event", "event_reader", "job_place", "outbox",
    "money_source", "money_change", "money_sum",
    "retention_lease", "storekeeper_migration", "apple_poll_state", "apple_refresh_lease", "polling_log",
}
OWNERS = ("ftc_user_id", "user_id", "owner")


def differences(lost, rebuilt, forgotten, spent):
    """For each table the number of rows that were compared, and those that only one of both has.

    `forgotten` are the users whose links only the host knew, and `spent` what users spent after the backup."""
    found = {}
    for table, columns in TABLES.items():
        both = [
            rows(path, table, columns.split(), forgotten, spent if path == lost else {})
            for path in (lost, rebuilt)]
        if both[0] is None:
            continue
        others = [("only lost", *row) for row in (both[0] - both[1]).elements()]
        others += [("only rebuilt", *row) for row in (both[1] - both[0]).elements()]
        found[table] = (sum(both[0].values()), others)
    return found


def rows(path, table, ignored, forgotten, spent):
    """The rows of a table with their numbers; None if there is no such table."""
    with sqlite3.connect(path) as database:
        database.row_factory = sqlite3.Row
        known = {
            name for name, in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            if not name.startswith("sqlite_")}
        unknown = known - set(TABLES) - OTHERS
        if unknown:
            raise Exception(f"tables that nobody compares: {sorted(unknown)}")
        if table not in known:
            return None
        found = collections.Counter()
        lost = {
            id for id, in database.execute(
                "SELECT original_transaction_id FROM apple_subscription WHERE ftc_user_id IN"
                f" ({', '.join('?' * len(forgotten))})", sorted(forgotten))
        } if table == "apple_subscription" and len(forgotten) < 30_000 else set()
        for row in database.execute(f"SELECT * FROM {table}"):
            row = {name: row[name] for name in row.keys() if name not in ignored}
            owner = next((row[name] for name in OWNERS if row.get(name)), None)
            if table == "apple_subscription":
                if owner in forgotten:
                    row["ftc_user_id"] = None
            elif table not in ("apple_iap_transactions", "credit_ledger", "credit_account"):
                if owner in forgotten:
                    continue
            elif table == "credit_ledger" and row["environment"] == "" \
                    and row["event_id"].startswith("late-"):
                continue
            elif table == "credit_account":
                row["balance"] += spent.get(row["user_id"], 0)
            found[tuple(f"{name}={value}" for name, value in row.items())] += 1
        return found
