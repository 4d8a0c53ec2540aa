"""The audits of a database after a history: `audit-ledger`, and what StoreAudit of StorekeeperTesting checks, here by
SQL, which needs no program of its own. It works out the expiry of a subscription only, not all of its columns."""
import os
import subprocess
import time


def findings(place, store):
    """The findings of the audits, as texts."""
    ended = subprocess.run(
        [os.path.join(place.binaries, "audit-ledger"), store.address], capture_output=True, text=True, timeout=600)
    print("   " + ended.stderr.strip().split("\n")[-1])
    found = ended.stdout.splitlines()
    if ended.returncode and not found:
        found = [f"audit-ledger: {ended.returncode} {ended.stderr}"]
    return found + list(disagreements(store))


def disagreements(store):
    """Memberships, subscriptions and transactions that do not agree, in the words of StoreAudit."""
    subscriptions = {
        row[0]: row[1:] for row in store.rows(
            "SELECT original_transaction_id, COALESCE(ftc_user_id, ''), expires_date_utc, tier, cycle, auto_renewal, as_of_ms"
            " FROM apple_subscription")}
    members = store.rows(
        "SELECT ftc_user_id, apple_subscription_id, expire_date, member_tier, billing_cycle, auto_renewal FROM ftc_vip"
        " WHERE payment_method = 'apple'")
    carriers = {}
    for account, id, *terms in members:
        if id in carriers:
            yield f"severalMemberships: {id}"
        carriers[id] = account
        if id not in subscriptions:
            yield f"membershipWithoutSubscription: {id}"
            continue
        owner, expires, *wanted, _ = subscriptions[id]
        if owner != account:
            yield f"ownerDiffers: {id} of {owner or 'nobody'}, the membership of {account}"
        if texts(terms) != texts([day(expires), *wanted]):
            yield f"membershipDiffers: {id}: {terms}, not {[day(expires), *wanted]}"
    ends, stamps = {}, {}
    for id, expires, stamp in store.rows(
            "SELECT original_transaction_id, expires_date_ms, as_of_ms FROM apple_transaction"
            " WHERE product_id = 'reader.monthly'"):
        ends[id] = max(ends.get(id, 0), int(expires))
        stamps[id] = max(stamps.get(id, 0), int(stamp))
    receipts = {row[0] for row in store.rows("SELECT original_transaction_id FROM apple_receipt")}
    for id, end in ends.items():
        if id not in subscriptions:
            yield f"subscriptionMissing: {id}"
            continue
        if id not in receipts:
            yield f"receiptMissing: {id}"
        if seconds(subscriptions[id][1]) != end // 1000:
            yield f"derivationDiffers: {id} ends at {subscriptions[id][1]}, its transactions at {end}"
        if stamps[id] > int(subscriptions[id][5]):
            yield f"stampIsOld: {id}"
    print(f"   store audit: {len(subscriptions):,} subscriptions, {len(carriers):,} memberships")


def texts(values):
    """Flags are numbers or letters, as the database shows them."""
    return [{"t": "1", "f": "0"}.get(str(value), str(value)) for value in values]


def seconds(moment):
    return int(moment) if int(moment) < 10**11 else int(moment) // 1000


def day(moment):
    return time.strftime("%Y-%m-%d", time.gmtime(seconds(moment)))
