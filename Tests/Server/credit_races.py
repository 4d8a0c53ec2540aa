"""Races of credits, and servers that are killed in the middle of them:

    credit_races.py BINARIES sqlite|postgres|mariadb [CALLS RACES KILLS]

On PostgreSQL two servers share the database. After every stage audit-ledger finds nothing."""
import itertools
import random
import sys
import threading
import time
import uuid

import wire
from racing import PAIRS, PURCHASE, REFUND, REVERSAL, Fact, Fleet, Lane, remain, run, sum_up
from story import insist, staged, step
from wallet import VERIFY

CONNECTIONS = 50
pairs = itertools.count()


# One purchase, many calls.


def identical(fleet, calls):
    """Returns the seconds of so many identical calls."""
    wallet = fleet.wallet
    user = wallet.user()
    id, jws = wallet.transaction()
    request = wire.request("POST", VERIFY, wallet.bearer(user), wallet.claim(id, jws))
    answers, failures = [], []
    gate = threading.Barrier(CONNECTIONS + 1)

    def call(number):
        try:
            with wire.Connection(fleet.port(number)) as connection:
                gate.wait()
                for _ in range(calls // CONNECTIONS):
                    connection.send(request)
                    answers.append(connection.answer())
        except BaseException as failure:
            failures.append(failure)

    threads = [threading.Thread(target=call, args=(number,)) for number in range(CONNECTIONS)]
    for thread in threads:
        thread.start()
    gate.wait(60)
    start = time.monotonic()
    for thread in threads:
        thread.join(600)
    seconds = time.monotonic() - start
    insist(not failures, failures[:1])
    told = {}
    for answer in answers:
        what = (answer.status, answer.json.get("status"), answer.json.get("newBalance"))
        told[what] = told.get(what, 0) + 1
    expected = {(200, "granted", 600): 1, (200, "already_granted", 600): calls - 1}
    insist(told == expected, "answered:", told, "instead of", expected)
    insist(wallet.balance(user) == 600, "the balance is", wallet.balance(user))
    entries = [entry["event_id"] for entry in wallet.audit(user)]
    insist(entries.count(PURCHASE + id) == 1 and len(entries) == 2, entries)
    return seconds


# Races, each by a new user with 100 credits.


def customer(lane):
    user, event = f"u-{uuid.uuid4().hex[:12]}", uuid.uuid4().hex
    answer = lane.ask(lane.entry(user, event, 100))
    insist(answer.status == 200 and answer.json == {"balance": 100}, answer.status, answer.body)
    lane.facts.append(Fact(user, event, 100))
    return user


def repeated(lane):
    """The same purchase four times at once, on both servers."""
    user = customer(lane)
    id, jws = lane.wallet.transaction()
    request = lane.verify(user, lane.wallet.claim(id, jws))
    answers = lane.race(*[request] * 4)
    for answer in answers:
        insist(lane.granted(user, id, answer), answer.status, answer.body)
    statuses = [answer.json["status"] for answer in answers]
    insist(statuses.count("granted") <= 1, statuses)
    insist(len(lane.ledger(user)) == 2, "not one grant")
    return "four calls, one grant"


def refunded(lane):
    """A purchase is refunded while it is claimed."""
    user = customer(lane)
    id, jws = lane.wallet.transaction()
    body = lane.wallet.claim(id, jws)
    verified, told = lane.race(lane.verify(user, body), lane.refund(id))
    lane.told(user, body, told)
    granted = lane.granted(user, id, verified)
    if not granted:
        lane.refused(verified, "PAYMENT_TRANSACTION_REVOKED")
    entries = lane.ledger(user)
    # Every outcome takes back what was granted; a grant without an answer may be there too.
    insist((PURCHASE + id in entries) == (REFUND + id in entries), entries)
    insist(PURCHASE + id in entries or not granted, "a grant was lost", entries)
    insist(sum(entry["amount"] for entry in entries.values()) == 100, "credits are kept", entries)
    lane.refused(lane.ask(lane.verify(user, body)), "PAYMENT_TRANSACTION_REVOKED")
    return "granted, then taken back" if PURCHASE + id in entries else "refunded first"


def starters(lane):
    """Two starter packs of one identity: two users with one e-mail address, or one user."""
    number = next(pairs)
    if number < PAIRS and number % 2 == 0:
        users = [f"pair-{number}{side}" for side in "ab"]
    else:
        users = [f"u-{uuid.uuid4().hex[:12]}"] * 2
    packs = [lane.wallet.transaction("welcome") for _ in users]
    requests = [
        lane.verify(user, lane.wallet.claim(*pack, "welcome")) for user, pack in zip(users, packs)]
    answers = lane.race(*requests)
    granted = [
        lane.granted(user, pack[0], answer, 60)
        for user, pack, answer in zip(users, packs, answers)]
    insist(granted.count(True) == 1, "not one starter pack:", [answer.body for answer in answers])
    winner = granted.index(True)
    loser = 1 - winner
    lane.refused(answers[loser], "PAYMENT_STARTER_PACK_INELIGIBLE")
    insist(list(lane.ledger(users[winner])) == [PURCHASE + packs[winner][0]], "not one grant")
    if users[0] != users[1]:
        insist(lane.ledger(users[loser]) == {}, "the other has credits")
    lane.refused(lane.ask(requests[loser]), "PAYMENT_STARTER_PACK_INELIGIBLE")
    again = lane.ask(requests[winner])
    insist(
        again.status == 200 and again.json["status"] == "already_granted", again.status, again.body)
    return "one granted, one ineligible"


def spent(lane):
    """Credits are spent three times while a refund takes them back."""
    user = customer(lane)
    id, jws = lane.wallet.transaction()
    body = lane.wallet.claim(id, jws)
    answer = lane.ask(lane.verify(user, body))
    insist(lane.granted(user, id, answer), answer.status, answer.body)
    spendings = [(uuid.uuid4().hex, -random.randint(1, 400)) for _ in range(3)]
    told, *answers = lane.race(
        lane.refund(id), *[lane.entry(user, *spending) for spending in spendings])
    lane.told(user, body, told)
    booked = [
        lane.booked(user, *spending, answer) for spending, answer in zip(spendings, answers)]
    entries = lane.ledger(user)
    balance = sum(entry["amount"] for entry in entries.values())
    insist(REFUND + id in entries, "not taken back", entries)
    for (event, amount), is_booked in zip(spendings, booked):
        insist((event in entries) == is_booked, "a booking", amount, is_booked, entries)
        # Nothing was added since, so that the balance was too small then as it is now.
        insist(is_booked or balance < -amount, "refused:", amount, entries)
    refund = entries[REFUND + id]
    ext = refund["metadata"]["ext"]
    insist(
        (ext["clawed_back"], ext["shortfall"]) == (-refund["amount"], 500 + refund["amount"]), ext)
    return "all taken back" if refund["amount"] == -500 else "less left than granted"


def restored(lane):
    """Refunds and their reversals arrive at once, in any order, while credits are spent. The latest of
    them decides."""
    user = customer(lane)
    id, jws = lane.wallet.transaction()
    body = lane.wallet.claim(id, jws)
    answer = lane.ask(lane.verify(user, body))
    insist(lane.granted(user, id, answer), answer.status, answer.body)
    kinds = random.choices(["REFUND", "REVOKE", "REFUND_REVERSED"], k=3)
    spending = (uuid.uuid4().hex, -random.randint(1, 400))
    news = [lane.refund(id, kind, at) for kind, at in zip(kinds, [-30, -20, -10])]
    *told, answer = lane.race(*news, lane.entry(user, *spending))
    for one in told:
        insist(one.status == 200 and one.body == b"", one.status, one.body)
    lane.booked(user, *spending, answer)
    entries = lane.ledger(user)
    again = lane.ask(lane.verify(user, body))
    if kinds[-1] == "REFUND_REVERSED":
        insist(lane.granted(user, id, again) and again.json["creditsAdded"] == 0, again.body)
        insist(
            sum(event.startswith(REFUND) for event in entries) ==
            sum(event.startswith(REVERSAL) for event in entries), kinds, entries)
        return "restored at last"
    lane.refused(again, "PAYMENT_TRANSACTION_REVOKED")
    lane.facts.append(Fact(user, claim=body))
    return "refunded at last"


def race(fleet, work, races, lanes=4):
    return run([
        Lane(fleet, work, races // lanes + (number < races % lanes)) for number in range(lanes)])


# Kills.


def killed(fleet, kills, lanes=6):
    """Kills servers in the middle of all races. Returns the outcomes, the number of requests that were
    left open, and the number of answers that were looked for afterwards."""
    works = [repeated, refunded, starters, spent, restored]
    lanes = [Lane(fleet, lambda lane: random.choice(works)(lane)) for _ in range(lanes)]
    everyone = range(len(fleet.servers))
    for lane in lanes:
        lane.start()
    try:
        for _ in range(kills):
            answered = sum(lane.answered for lane in lanes)
            while sum(lane.answered for lane in lanes) < answered + 20:
                sum_up(lanes)
                time.sleep(0.01)
            time.sleep(random.random() * 0.3)
            victims = random.choice([everyone, *[[number] for number in everyone]])
            moment = time.monotonic()
            fleet.kill(victims)
            recent = [fact for lane in lanes for fact in lane.facts if fact.time > moment - 0.3]
            # The database as it was left, or with one server that goes on.
            fleet.audit()
            fleet.restart(victims)
            remain(fleet, recent)
    except BaseException:
        fleet.is_over = True
        raise
    finally:
        for lane in lanes:
            lane.ending.set()
        for lane in lanes:
            lane.join(180)
    outcomes = sum_up(lanes)
    facts = [fact for lane in lanes for fact in lane.facts]
    remain(fleet, facts)
    return outcomes, sum(line.broken for lane in lanes for line in lane.lines), len(facts)


def main():
    binaries, kind = sys.argv[1:3]
    calls, races, kills = map(int, sys.argv[3:6] or (1000, 500, 100))
    with staged(binaries, kind) as scene:
        fleet = Fleet(scene, 2 if scene.place.database else 1)

        def audited(title, work):
            step(kind, title, lambda: f"{work()}; {fleet.audit():,} entries audited")

        def counted(outcomes):
            return ", ".join(f"{name} {count}" for name, count in sorted(outcomes.items()))

        audited(f"{calls:,} identical calls on {CONNECTIONS} connections",
                lambda: f"granted 1, already_granted {calls - 1:,}, in {identical(fleet, calls):.2f} s")
        for title, work in [
            ("refund against verify", refunded), ("two starters of one identity", starters),
            ("spending against clawback", spent), ("refunds against reversals", restored),
        ]:
            audited(f"{races:,} races, {title}", lambda: counted(race(fleet, work, races)))

        def kill():
            outcomes, broken, looked = killed(fleet, kills)
            return f"{counted(outcomes)}; {broken:,} requests left open, {looked:,} answers kept"

        audited(f"killed {kills} times", kill)
        fleet.stop()
        fleet.audit()


main()
