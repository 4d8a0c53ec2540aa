"""Checks a history of requests that clients sent to servers of one database: check.py HISTORY…

The way of Jepsen's checkers: the clients wrote down when they asked, when they were answered, and with what, and the
checker looks for an order of the operations, one after the other, that gives every client its answers and puts no
operation before one that was answered earlier. Where there is none, the servers answered something that one
machine could not have answered.

A history is a file of JSON lines. A line with `cell` begins a group of subscriptions or purchases. Each other line
is an operation: `start` and `end` in nanoseconds of one monotonic clock, `do`, its arguments, and the `outcome`:

    ok        with what was answered
    refused   with the code: a definite answer, too
    unknown   an answer of type 500, or none: it may have taken effect, at any time since, or not

Three parts look at it:

* **Subscriptions and purchases of apps**, whose values repeat, by a search as in Knossos: all states that are possible
  after each answer, where an unknown operation may still take effect (`Search`). A group is a few subscriptions and
  the accounts that quarrel about them, as owner and membership are decided together. The rules are those of
  linking-rules.md (sections 2 and 3), entitlement-rules.md (5 and 7).
* **Transactions of credits**, by the same search: one grant, one winner, refunds and their reversals
  (credit-rules.md, sections 2 and 6).
* **Ledgers**, as Elle does with lists: an entry's event is unique, so that the ledger at the end tells the order of
  all changes, and each answer its place in it. An exact check without search (`Account`).

Not checked:

* One order of a transaction of credits and the ledgers together. A grant or a refund touches both; each is checked
  by itself, and beside that every answer about a transaction has its place in the ledger of its owner. All other
  operations touch one group or one ledger, and what has an order in each of them has one in all (Herlihy and Wing).
* Starter packs and their identities, orders, e-mails, the bytes of receipts, pages of lists, entity tags, and the texts
  of answers.
* Time: no subscription ends while a history is recorded.
* Operations without an answer that take effect after the end of the history.
"""
import collections
import heapq
import json
import sys

FOREVER = float("inf")
# The possible states of a group at one moment, beyond which the search gives up and says so.
LIMIT = 20_000


class Operation:
    """A line of a history."""

    __slots__ = ("line", "client", "server", "start", "end", "do", "args", "outcome", "answer", "why", "is_final")

    def __init__(self, line):
        self.line = line
        self.client, self.server = line.get("client"), line.get("server")
        self.do, self.outcome, self.answer = line["do"], line["outcome"], line.get("answer")
        self.args = line.get("with", {})
        self.start = line["start"]
        self.end = FOREVER if self.outcome == "unknown" else line["end"]
        self.why, self.is_final = line.get("why"), line.get("final", False)

    @property
    def is_known(self):
        return self.outcome != "unknown"

    def __str__(self):
        given = " ".join(f"{name}={value}" for name, value in self.args.items())
        told = f"{self.outcome} {json.dumps(self.answer)}" if self.is_known else f"unknown ({self.why})"
        end = "…" if self.end == FOREVER else f"{self.end / 1e9:.6f}"
        return f"[{self.start / 1e9:.6f} {end}] client {self.client} server {self.server}: {self.do} {given} -> {told}"


class Anomaly:
    def __init__(self, kind, where, *told, operations=()):
        self.kind, self.where, self.told = kind, where, " ".join(str(part) for part in told)
        self.operations = list(operations)

    def __str__(self):
        lines = [f"{self.kind}: {self.where}: {self.told}"]
        return "\n    ".join(lines + [str(operation) for operation in self.operations])


# The rules, as functions from a state to an answer and the next state.


class Links:
    """A few subscriptions and accounts: owner, membership and expiry.

    The state is the owner of each subscription, the subscription of each account's membership, and the expiry of each
    subscription. All memberships are paid by Apple, and all subscriptions run."""

    def __init__(self, cell):
        self.subscriptions = list(cell["subscriptions"])
        self.accounts = cell["accounts"]
        self.first = (
            (None,) * len(self.subscriptions), (None,) * len(self.accounts),
            tuple(cell["subscriptions"].values()))

    def is_pure(self, operation):
        """Whether an operation with this outcome changes nothing, whatever the state."""
        if operation.do in ("read", "list", "verify"):
            return True
        return operation.outcome == "refused" and operation.answer != "ftcId/linked_to_other_iap"

    def apply(self, state, do, args):
        return getattr(self, do)(state, **args)

    def read(self, state, subscription):
        owners, members, expiries = state
        place = self.subscriptions.index(subscription)
        owner = owners[place]
        in_use = owner is not None and members[self.accounts.index(owner)] == subscription
        return [owner, in_use, expiries[place]], state

    # The transactions of the receipt are stored already; its answer is the subscription.
    verify = read

    def list(self, state, account):
        owners, members, expiries = state
        held = members[self.accounts.index(account)]
        rows = [
            [subscription, held == subscription, expiry]
            for subscription, owner, expiry in zip(self.subscriptions, owners, expiries) if owner == account]
        return sorted(rows), state

    def renew(self, state, subscription, expiry):
        """Apple's notification of a charge; the greatest expiry counts, in whatever order they come."""
        owners, members, expiries = state
        place = self.subscriptions.index(subscription)
        return True, (owners, members, replaced(expiries, place, max(expiry, expiries[place])))

    def link(self, state, account, subscription, force):
        owners, members, expiries = state
        place, number = self.subscriptions.index(subscription), self.accounts.index(account)
        if owners[place] not in (None, account):
            return "originalTxId/linked_to_other_ftc", state  # L5
        claimed = replaced(owners, place, account)
        day = expiries[place][:10]
        if members[number] == subscription:
            return [account, subscription, day], (claimed, members, expiries)  # L10b, L10c
        if subscription in members:
            return "originalTxId/linked_to_other_ftc", state  # L11
        if members[number] is not None and not force:
            return "ftcId/linked_to_other_iap", (claimed, members, expiries)  # L12a
        return [account, subscription, day], (claimed, replaced(members, number, subscription), expiries)  # L10a, L12c

    def unlink(self, state, account, subscription):
        owners, members, expiries = state
        place, number = self.subscriptions.index(subscription), self.accounts.index(account)
        if owners[place] != account:
            return "ftcId/invalid", state  # U4
        free = replaced(owners, place, None)
        if subscription not in members:
            return True, (free, members, expiries)  # U6
        if members[number] != subscription:
            return "ftcId/invalid", state  # U7
        return True, (free, replaced(members, number, None), expiries)  # U8


class Holdings:
    """A purchase and a subscription of an app, and the users who quarrel about them.

    The state is the owner of each, whether the purchase is refunded, and who has acquired the product for
    subscribers."""

    def __init__(self, cell):
        self.purchase, self.plan, self.users = cell["purchase"], cell["plan"], cell["users"]
        self.bought, self.extra = cell["bought"], cell["extra"]
        self.first = ((None, None), False, (False,) * len(self.users))

    def is_pure(self, operation):
        return operation.do in ("products", "restore", "subscriber") or operation.outcome == "refused"

    def apply(self, state, do, args):
        return getattr(self, do)(state, **args)

    def place(self, id):
        return (self.purchase, self.plan).index(id)

    def claim(self, state, user, ids):
        owners, refunded, acquired = state
        if any(owners[self.place(id)] not in (None, user) for id in ids):
            return "userId/linked_to_other_user", state
        for id in ids:
            owners = replaced(owners, self.place(id), user)
        return True, (owners, refunded, acquired)

    def dissociate(self, state, user, id):
        owners, refunded, acquired = state
        if owners[self.place(id)] != user:
            return False, state
        return True, (replaced(owners, self.place(id), None), refunded, acquired)

    def refund(self, state):
        owners, _, acquired = state
        return True, (owners, True, acquired)

    def held(self, state, user):
        owners, refunded, acquired = state
        bought = [self.bought] if owners[0] == user and not refunded else []
        extra = [self.extra] if acquired[self.users.index(user)] else []
        is_subscriber = owners[1] == user
        return bought, extra, sorted(bought + (extra if is_subscriber else [])), is_subscriber

    def products(self, state, user):
        bought, extra, allowed, is_subscriber = self.held(state, user)
        return [bought, extra, allowed, self.plan if is_subscriber else None], state

    def restore(self, state, user):
        return (True if user in state[0] else "receiptData/missing_receipt"), state

    def subscriber(self, state, user):
        return state[0][1] == user, state

    def acquire(self, state, user):
        owners, refunded, acquired = state
        number = self.users.index(user)
        if not acquired[number] and owners[1] != user:
            return "userId/not_subscriber", state
        after = (owners, refunded, replaced(acquired, number, True))
        return [not acquired[number], self.held(after, user)[2]], after


class Grants:
    """A transaction of credits.

    The state is its status, the user who was granted, the number of reversed refunds, the date of the newest
    notification that counted, and the notifications that were seen."""

    first = (None, None, 0, 0, frozenset())

    def is_pure(self, operation):
        return operation.outcome == "refused" or operation.answer == "already_granted" or operation.do == "entries"

    def apply(self, state, do, args):
        return getattr(self, do)(state, **args)

    def grant(self, state, user, **_):
        status, owner, round, date, seen = state
        if status in ("refunded", "pending"):
            return "PAYMENT_TRANSACTION_REVOKED", state
        if status == "granted":
            return ("already_granted" if owner == user else "PAYMENT_TRANSACTION_CONFLICT"), state
        return "granted", ("granted", user, round, date, seen)

    def news(self, state, kind, uuid, date, **_):
        status, owner, round, newest, seen = state
        if uuid in seen:
            return True, state
        seen = seen | {uuid}
        if date < newest:
            return True, (status, owner, round, newest, seen)
        if kind == "REFUND":
            status = {"granted": "refunded", "refunded": "refunded"}.get(status, "pending")
        elif status == "refunded":
            status, round = "granted", round + 1
        elif status in ("pending", None):
            status = "open"
        return True, (status, owner, round, date, seen)

    def entries(self, state):
        """The traces in the ledgers at the end: the user, and the numbers of refunds and of reversals."""
        status, owner, round, _, _ = state
        return [owner, round + (status == "refunded"), round], state


def replaced(values, place, value):
    return values[:place] + (value,) + values[place + 1:]


# The search.

# Without an answer, these tell nothing.
LOOKS = ("read", "list", "verify", "products", "restore", "subscriber")


class Undecided(Exception):
    """There are too many possible states."""


class Possible:
    """The situations that are possible at a moment: a state, the operations that took effect in it and are to be
    answered, and those that took effect and have no answer.

    Of two that differ only in the last, the one that used up fewer is kept if the others contain it: whatever can
    follow from the other one can follow from it."""

    def __init__(self):
        self.kept, self.count = {}, 0

    def add(self, state, answered, used):
        """Returns whether the situation is new."""
        others = self.kept.setdefault((state, answered), [])
        if any(other <= used for other in others):
            return False
        self.count += 1 - len(others)
        others[:] = [other for other in others if not used <= other] + [used]
        self.count += len(others) - 1
        if self.count > LIMIT:
            raise Undecided()
        return True

    def __iter__(self):
        return ((*key, used) for key, others in self.kept.items() for used in others)


class Search:
    """Looks for an order of operations that rules and times allow.

    After each answer it has the possible situations. An operation that changes nothing takes effect as soon as it
    can, as that never excludes anything; one without an answer is tried where it changes the state."""

    def __init__(self, rules, operations):
        self.rules = rules
        self.operations = [each for each in operations if each.is_known or each.do not in LOOKS]
        self.pure = [each.is_known and rules.is_pure(each) for each in self.operations]
        # Begun and not answered: those that change nothing, the others with an answer, and those without one, which
        # are equal if they ask for the same; of equal ones the first is used.
        self.looks, self.changes, self.lost = set(), set(), {}
        self.effects = {}

    def effect(self, state, number):
        """The state after an operation; None if its answer is another one, or if there is no use in it."""
        key = (state, number)
        if key not in self.effects:
            each = self.operations[number]
            answer, after = self.rules.apply(state, each.do, each.args)
            fits = answer == each.answer if each.is_known else after != state
            self.effects[key] = after if fits else None
        return self.effects[key]

    def settled(self, state, answered):
        """The operations that took effect, with those that change nothing and have the answer of this state."""
        more = [number for number in self.looks - answered if self.effect(state, number) is not None]
        return answered.union(more) if more else answered

    def run(self):
        """Returns None if there is an order, or the operation whose answer none explains, with the states that
        were possible before."""
        # Moments that are equal count as concurrent: a beginning comes before an end.
        moments = sorted(
            [(each.start, 0, number) for number, each in enumerate(self.operations)] +
            [(each.end, 1, number) for number, each in enumerate(self.operations) if each.is_known])
        possible = [(self.rules.first, frozenset(), frozenset())]
        for _, is_end, number in moments:
            if is_end:
                after = self.answered(number, possible)
                if not after:
                    return self.operations[number], sorted({str(state) for state, _, _ in possible})
                self.looks.discard(number)
                self.changes.discard(number)
                possible = after
            elif self.pure[number]:
                self.looks.add(number)
                possible = [
                    (state, self.settled(state, answered), used) for state, answered, used in possible]
            elif self.operations[number].is_known:
                self.changes.add(number)
            else:
                each = self.operations[number]
                self.lost.setdefault((each.do, json.dumps(each.args)), []).append(number)
            if len(self.effects) > 20_000:
                self.effects = {}
        return None

    def answered(self, number, possible):
        """The situations after an answer: the operation took effect before, or does so now, after others."""
        seen, after = Possible(), Possible()
        work = collections.deque()
        for state, answered, used in possible:
            if number in answered:
                after.add(state, answered - {number}, used)
            elif seen.add(state, answered, used):
                work.append((state, answered, used))
        while work:
            state, answered, used = work.popleft()
            ways = [(other, used) for other in self.changes - answered]
            for equal in self.lost.values():
                other = next((other for other in equal if other not in used), None)
                if other is not None:
                    ways.append((other, used | {other}))
            for other, used_up in ways:
                next_state = self.effect(state, other)
                if next_state is None:
                    continue
                done = self.settled(next_state, answered if used_up is not used else answered | {other})
                if number in done:
                    after.add(next_state, done - {number}, used_up)
                elif seen.add(next_state, done, used_up):
                    work.append((next_state, done, used_up))
        return list(after)


def searched(kind, where, rules, operations):
    """The anomalies of a group, at most one; None stands for a group that is not decided."""
    try:
        found = Search(rules, operations).run()
    except Undecided:
        return None
    if not found:
        return []
    wrong, states = found
    near = [
        each for each in operations
        if each is not wrong and each.start < wrong.end and each.do != "entries" and
        (not each.is_known or each.end > wrong.start - 50_000_000)][-20:]
    return [Anomaly(
        kind, where, f"no order explains {wrong.do}, possible before it: {'; '.join(states[:4])}",
        operations=[*near, wrong])]


# Ledgers.

PURCHASE = "payment.apple_iap:"
REFUND = "payment.apple_iap.refund:"
REVERSAL = "payment.apple_iap.refund_reversed:"


class Account:
    """The ledger of a user at the end, oldest entry first, and the operations that tell of it.

    An entry is [event, amount, balance after it, UUID of the notification or null]."""

    def __init__(self, user, entries):
        self.user, self.entries = user, entries
        self.place = {entry[0]: number for number, entry in enumerate(entries, 1)}
        self.balances = [0, *(entry[2] for entry in entries)]
        # Fixed places in the order, each with an operation's time: 2k - 1 is the k-th change, 2k a look at k entries.
        self.fixed = []
        # Looks that may have been at several lengths.
        self.looks = []
        self.anomalies = []

    def wrong(self, kind, *told, operations=()):
        self.anomalies.append(Anomaly(kind, f"ledger of {self.user}", *told, operations=operations))

    def replay(self):
        """Every balance follows from the entries before; refunds take what is there, reversals what a refund took."""
        balance, before = 0, {}
        for event, amount, after, _ in self.entries:
            if event in before:
                self.wrong("duplicate", event, "is there twice")
            if balance + amount != after:
                self.wrong("lost update", event, f"changes {balance} by {amount}, and {after} is written")
            if after < 0:
                self.wrong("negative balance", event, "leaves", after)
            if event.startswith(REFUND):
                purchase = before.get(PURCHASE + event[len(REFUND):].split(":")[0])
                if purchase is None or amount != -min(purchase, balance):
                    self.wrong("refund", event, f"takes {amount} of {purchase}, and there was {balance}")
            if event.startswith(REVERSAL):
                refund = before.get(REFUND + event[len(REVERSAL):])
                if refund is None or amount != -refund:
                    self.wrong("reversal", event, f"gives {amount}, and the refund took {refund}")
            before[event], balance = amount, after

    def wrote(self, event, start, end, operation):
        self.fixed.append((2 * self.place[event] - 1, start, end, operation))

    def looked(self, lengths, operation, told):
        """An operation that saw one of these lengths of the ledger."""
        if not lengths:
            self.wrong("dirty or stale", told, "at no time", operations=[operation])
        elif len(lengths) == 1:
            self.fixed.append((2 * lengths[0], operation.start, operation.end, operation))
        else:
            self.looks.append((operation.start, operation.end, lengths, operation, told))

    def having(self, balance, least=0):
        return [k for k in range(least, len(self.balances)) if self.balances[k] == balance]

    def read(self, operation):
        """A page of the ledger: the newest entries of a ledger that was so long."""
        total, rows = operation.answer
        then = self.entries[max(0, total - len(rows)):total]
        if total > len(self.entries) or [row[:3] for row in rows] != [entry[:3] for entry in then]:
            strange = [row[0] for row in rows if row[0] not in self.place]
            self.wrong(
                "dirty read" if strange else "not a prefix", f"{total} entries were read",
                f"of which {strange} are not there at the end" if strange else "that are not the first ones",
                operations=[operation])
        else:
            self.looked([total], operation, "a ledger")

    def order(self):
        """Whether the order of the ledger agrees with the times."""
        self.fixed.sort(key=lambda one: one[0])
        count = 2 * len(self.entries) + 2
        # The latest beginning up to a place, and the earliest end from a place on, with their operations.
        begun, ended = [(-1, None)] * count, [(FOREVER, None)] * count
        for place, start, end, operation in self.fixed:
            if start > begun[place][0]:
                begun[place] = (start, operation)
            if end < ended[place][0]:
                ended[place] = (end, operation)
        for place in range(1, count):
            begun[place] = max(begun[place], begun[place - 1], key=lambda one: one[0])
        for place in reversed(range(count - 1)):
            ended[place] = min(ended[place], ended[place + 1], key=lambda one: one[0])
        for place, start, end, operation in self.fixed:
            if place and begun[place - 1][0] > end:
                self.wrong(
                    "real time", "an operation was answered before another one began, and comes after it",
                    operations=[operation, begun[place - 1][1]])
                return
        self.looks.sort(key=lambda look: look[0])
        least, over = 0, []
        for number, (start, end, lengths, operation, told) in enumerate(self.looks):
            while over and over[0][0] < start:
                least = max(least, heapq.heappop(over)[2])
            fitting = [
                k for k in lengths
                if (k == 0 or begun[2 * k - 1][0] <= end) and start <= ended[2 * k + 1][0]]
            chosen = next((k for k in fitting if k >= least), None)
            if chosen is None:
                self.wrong(
                    "stale read" if fitting or lengths[-1] < len(self.entries) else "real time", told,
                    f"after {lengths[:20]} entries, which the times do not allow", operations=[operation])
                return
            heapq.heappush(over, (end, number, chosen))


class Credits:
    """All ledgers and transactions of a history."""

    def __init__(self, operations):
        self.operations = operations
        self.accounts, self.anomalies = {}, []
        for each in operations:
            if each.do == "ledger" and each.is_final and each.outcome == "ok":
                self.accounts[each.args["user"]] = Account(each.args["user"], each.answer[1])
        self.end = max((each.line["end"] for each in operations), default=0) + 1
        # The ledger of every event.
        self.owner = {}
        for account in self.accounts.values():
            for event in account.place:
                if event in self.owner:
                    account.wrong("duplicate", event, "is in the ledger of", self.owner[event].user, "too")
                self.owner[event] = account
        self.events, self.transactions, self.news = {}, {}, {}
        for each in operations:
            if each.do == "book":
                self.events.setdefault((each.args["user"], each.args["event"]), []).append(each)
            elif each.do == "grant":
                self.transactions.setdefault(each.args["transaction"], []).append(each)
            elif each.do == "news":
                self.transactions.setdefault(each.args["transaction"], []).append(each)
                self.news.setdefault(each.args["uuid"], []).append(each)

    def check(self):
        """Returns the anomalies, and the numbers of ledgers, of transactions and of those that are not decided."""
        for account in self.accounts.values():
            account.replay()
        for (user, event), copies in self.events.items():
            self.booked(user, event, copies)
        undecided = 0
        for id, operations in self.transactions.items():
            self.told(id, operations)
            found = searched("grant", f"transaction {id}", Grants(), operations + [self.traces(id)])
            undecided += found is None
            self.anomalies += found or []
        self.explained()
        for each in self.operations:
            account = self.accounts.get(each.args.get("user"))
            if each.do in ("ledger", "balance") and each.outcome == "ok":
                if account is None:
                    self.anomalies.append(Anomaly(
                        "history", each.args["user"], "the ledger was not read at the end", operations=[each]))
                elif each.do == "ledger":
                    account.read(each)
                else:
                    account.looked(account.having(each.answer), each, f"a balance of {each.answer}")
            elif each.do in ("ledger", "balance") and each.outcome == "refused":
                self.anomalies.append(Anomaly("refused", each.args["user"], "a read", operations=[each]))
        for account in self.accounts.values():
            account.order()
            self.anomalies += account.anomalies
        return self.anomalies, len(self.accounts), len(self.transactions), undecided

    def booked(self, user, event, copies):
        """An entry of the host's own, which may have been sent several times."""
        account = self.accounts.get(user)
        good = [each for each in copies if each.outcome == "ok"]
        maybe = [each for each in copies if not each.is_known]
        place = account and account.place.get(event)
        if good and not place:
            self.anomalies.append(Anomaly("lost", f"ledger of {user}", event, "was answered", operations=good[:1]))
        if place and not good and not maybe:
            self.anomalies.append(Anomaly(
                "dirty write", f"ledger of {user}", event, "was refused, and is booked", operations=copies))
        for each in copies:
            if each.outcome == "refused":
                if each.answer != "CREDIT_BALANCE_INSUFFICIENT":
                    self.anomalies.append(Anomaly("refused", user, event, operations=[each]))
                elif account:
                    short = [k for k, balance in enumerate(account.balances) if balance + each.args["amount"] < 0]
                    # A copy that came after the booking would have been answered with it.
                    account.looked(
                        [k for k in short if not place or k < place], each,
                        f"less than {-each.args['amount']} credits")
        if not place:
            return
        if good or maybe:
            account.wrote(
                event, min(each.start for each in good + maybe), min((each.end for each in good), default=FOREVER),
                (good + maybe)[0])
        amount = account.entries[place - 1][1]
        for each in good:
            if amount != each.args["amount"]:
                self.anomalies.append(Anomaly(
                    "wrong entry", f"ledger of {user}", event, "has the amount", amount, operations=[each]))
            # The balance is read after the booking.
            account.looked(account.having(each.answer, place), each, f"a balance of {each.answer}")

    def told(self, id, operations):
        """Places in the ledger of its owner that the answers about a transaction tell."""
        event = PURCHASE + id
        account = self.owner.get(event)
        place = account and account.place[event]
        granted = [each for each in operations if each.do == "grant" and each.answer == "granted"]
        if granted and not place:
            self.anomalies.append(Anomaly("lost", f"transaction {id}", "was granted", operations=granted[:1]))
        if not place:
            return
        maybe = [
            each for each in operations
            if each.do == "grant" and not each.is_known and each.args["user"] == account.user]
        if granted:
            account.wrote(event, granted[0].start, granted[0].end, granted[0])
        elif maybe:
            account.wrote(event, min(each.start for each in maybe), FOREVER, maybe[0])
        else:
            self.anomalies.append(Anomaly("unexplained", f"ledger of {account.user}", event, "was granted by nobody"))
        # The lengths of the ledger at which the credits are given, and at which they are taken back.
        given, taken, is_taken = [], list(range(place)), False
        if not any(each.do == "news" for each in operations):
            taken = []
        for k in range(place, len(account.balances)):
            if k > place:
                name = account.entries[k - 1][0]
                if name.startswith(REFUND) and name[len(REFUND):].split(":")[0] == id:
                    is_taken = True
                elif name.startswith(REVERSAL) and name[len(REVERSAL):].split(":")[0] == id:
                    is_taken = False
            (taken if is_taken else given).append(k)
        for each in operations:
            if each.do != "grant" or not each.is_known:
                continue
            if each.answer == "granted" and each.line.get("balance") != account.balances[place]:
                self.anomalies.append(Anomaly(
                    "wrong balance", f"transaction {id}", f"the entry says {account.balances[place]}",
                    operations=[each]))
            elif each.answer == "already_granted":
                balance = each.line.get("balance")
                account.looked(
                    [k for k in given if account.balances[k] == balance], each, f"a balance of {balance}")
            elif each.answer == "PAYMENT_TRANSACTION_CONFLICT":
                account.looked(given, each, "a grant to another user")
            elif each.answer == "PAYMENT_TRANSACTION_REVOKED":
                account.looked(taken, each, "a purchase that is revoked")

    def traces(self, id):
        """The entries of a transaction at the end, as an operation after all others."""
        owner = self.owner.get(PURCHASE + id)
        refunds, reversals = (
            sum(name == event + id or name.startswith(f"{event}{id}:") for name in (owner.place if owner else ()))
            for event in (REFUND, REVERSAL))
        # An unknown operation that has no effect until the ledgers are read never has one.
        return Operation({
            "do": "entries", "outcome": "ok", "answer": [owner and owner.user, refunds, reversals],
            "start": self.end, "end": self.end + 1})

    def explained(self):
        """Every entry comes from an operation that may have written it; notifications name theirs."""
        for account in self.accounts.values():
            for event, _, _, uuid in account.entries:
                if event.startswith(PURCHASE):
                    if event[len(PURCHASE):] not in self.transactions:
                        account.wrong("unexplained", event, "was granted by nobody")
                elif event.startswith(REFUND) or event.startswith(REVERSAL):
                    copies = [each for each in self.news.get(uuid, []) if each.outcome != "refused"]
                    if not copies:
                        account.wrong("unexplained", event, "comes from no notification")
                    else:
                        account.wrote(
                            event, min(each.start for each in copies), min(each.end for each in copies), copies[0])
                elif (account.user, event) not in self.events:
                    account.wrong("unexplained", event, "was booked by nobody")


# A history.

RULES = {"links": Links, "holdings": Holdings}


class History:
    def __init__(self, paths, looks_again=False):
        """On a database that tells nothing of a commit whose answer was lost, a server that grants looks again itself,
        and may find its own grant."""
        self.looks_again = looks_again
        self.cells, self.groups = {}, collections.defaultdict(list)
        self.operations, self.credits = [], []
        for path in paths:
            with open(path) as file:
                self.take(json.loads(line) for line in file)

    def take(self, lines):
        for line in lines:
            if "cell" in line:
                self.cells[line["group"]] = line
                continue
            operation = Operation(line)
            self.operations.append(operation)
            if "group" in line:
                # It looks at what the user has, asks the stores, and answers with what there is then: two looks, which
                # need not be at the same moment.
                if operation.do == "restore" and operation.outcome == "ok":
                    self.groups[line["group"]].append(Operation({**line, "do": "products"}))
                    operation.answer = True
                self.groups[line["group"]].append(operation)
            else:
                self.credits.append(operation)

    def check(self):
        """Returns the anomalies, and the figures as texts."""
        anomalies, undecided, sizes = [], 0, collections.Counter()
        for group, cell in self.cells.items():
            found = searched(cell["cell"], group, RULES[cell["cell"]](cell), self.groups[group])
            sizes[cell["cell"]] += 1
            undecided += found is None
            anomalies += found or []
        first_tries = self.first_tries() if self.looks_again else []
        more, ledgers, transactions, open_ones = Credits(self.credits + first_tries).check()
        undecided += open_ones
        figures = [
            f"{sizes['links']:,} groups of subscriptions, {sizes['holdings']:,} of apps, "
            f"{transactions:,} transactions, {ledgers:,} ledgers"]
        if first_tries:
            figures.append(f"{len(first_tries):,} grants were answered as made before by the server that made them")
        if undecided:
            figures.append(f"{undecided:,} groups with too many possible states, which are not decided")
        return anomalies + more, undecided, self.counts() + figures

    def first_tries(self):
        """The first tries of grants that only their own servers can have made, as requests of unknown outcome."""
        grants = collections.defaultdict(list)
        for each in sorted(self.credits, key=lambda each: each.start):
            if each.do == "grant":
                grants[each.args["transaction"], each.args["user"]].append(each)
        return [
            Operation({**copies[0].line, "outcome": "unknown", "why": "looked again"})
            for copies in (
                [each for each in all if not each.is_known or each.answer in ("granted", "already_granted")]
                for all in grants.values())
            if copies and all(each.answer == "already_granted" for each in copies)]

    def counts(self):
        kinds = collections.defaultdict(collections.Counter)
        for each in self.operations:
            kinds[each.do][each.outcome] += 1
        total = sum(kinds.values(), collections.Counter())
        lines = [
            f"{name:<12}{count.total():>10,}{count['ok']:>10,} ok{count['refused']:>10,} refused"
            f"{count['unknown']:>8,} unknown"
            for name, count in [*sorted(kinds.items()), ("all", total)]]
        reasons = collections.Counter(each.why for each in self.operations if not each.is_known)
        refusals = collections.Counter(
            str(each.answer) for each in self.operations if each.outcome == "refused")
        lines.append("unknown: " + ", ".join(f"{name} {count:,}" for name, count in reasons.most_common()))
        lines.append("refused: " + ", ".join(f"{name} {count:,}" for name, count in refusals.most_common()))
        failures = {name: count for name, count in reasons.items() if str(name).startswith("5")}
        lines.append(
            f"answers of type 500: {sum(failures.values()):,}; of bookings and grants with such an answer and no other,"
            f" {self.late():,} took effect all the same")
        return lines

    def late(self):
        """The number of changes of a ledger that are there although every answer was of type 500."""
        owners = {}
        for each in self.credits:
            if each.do == "ledger" and each.is_final and each.outcome == "ok":
                owners.update((row[0], each.args["user"]) for row in each.answer[1])
        sent = collections.defaultdict(list)
        for each in self.credits:
            if each.do == "book":
                sent[each.args["event"]].append(each)
            elif each.do == "grant" and each.args["user"] == owners.get(PURCHASE + each.args["transaction"]):
                sent[PURCHASE + each.args["transaction"]].append(each)
        return sum(
            event in owners and all(str(each.why).startswith("5") for each in copies)
            for event, copies in sent.items())


def main(paths, looks_again=False):
    history = History(paths, looks_again)
    anomalies, undecided, figures = history.check()
    for line in figures:
        print("   " + line)
    for anomaly in anomalies[:20]:
        print(anomaly)
    kinds = collections.Counter(anomaly.kind for anomaly in anomalies)
    told = ", ".join(f"{kind} {count:,}" for kind, count in kinds.most_common())
    print(f"   anomalies: {len(anomalies):,}{': ' + told if told else ''}", flush=True)
    return 1 if anomalies or undecided else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
