"""Tests the checker by histories made by hand: each anomaly is found in a history that has it, and none in a history
that is correct: check_test.py"""
import random
import sys
import time
import unittest

import check

DAY = "2030-01-{:02}T00:00:00Z".format


class Book:
    """A history in the making: operations one after the other, unless they are told when."""

    def __init__(self, *cells):
        self.lines, self.now = list(cells), 0

    def add(self, do, outcome, answer=None, start=None, end=None, group=None, final=False, why=None, balance=None,
            **args):
        if start is None:
            start, end = self.now + 1, self.now + 2
        self.now = max(self.now, end)
        line = {
            "client": 1, "server": 1, "start": start, "end": end, "do": do, "with": args, "outcome": outcome,
            "answer": answer, "why": why, "final": final, "balance": balance}
        if group:
            line["group"] = group
        self.lines.append(line)

    def kinds(self, looks_again=False):
        history = check.History([], looks_again)
        history.take(self.lines)
        anomalies, undecided, figures = history.check()
        assert not undecided
        return [anomaly.kind for anomaly in anomalies]


class Quarrel(Book):
    """Two subscriptions and two accounts."""

    def __init__(self):
        super().__init__({
            "cell": "links", "group": "g", "subscriptions": {"1": DAY(1), "2": DAY(2)}, "accounts": ["a", "b"]})

    def link(self, account, id, outcome="ok", answer=None, force=False, **when):
        if outcome == "ok":
            answer = answer or [account, id, DAY(int(id))[:10]]
        self.add("link", outcome, answer, group="g", account=account, subscription=id, force=force, **when)

    def unlink(self, account, id, outcome="ok", answer=True, **when):
        self.add("unlink", outcome, answer, group="g", account=account, subscription=id, **when)

    def read(self, id, owner, in_use=True, expiry=None, **when):
        answer = [owner, in_use and owner is not None, expiry or DAY(int(id))]
        self.add("read", "ok", answer, group="g", subscription=id, **when)


class Links(unittest.TestCase):
    wrong = ["links"]

    def expect(self, kinds, *steps):
        quarrel = Quarrel()
        for name, *arguments in steps:
            when = arguments.pop() if arguments and isinstance(arguments[-1], dict) else {}
            getattr(quarrel, name)(*arguments, **when)
        self.assertEqual([kind for kind in quarrel.kinds()], kinds)

    def test_correct(self):
        self.expect(
            [], ("read", "1", None), ("link", "a", "1"), ("read", "1", "a"), ("link", "a", "1"),
            ("link", "b", "1", "refused", "originalTxId/linked_to_other_ftc"),
            ("unlink", "b", "1", "refused", "ftcId/invalid"), ("unlink", "a", "1"),
            ("unlink", "a", "1", "refused", "ftcId/invalid"), ("link", "b", "1"), ("read", "1", "b"))

    def test_claim_of_a_refusal(self):
        self.expect(
            [], ("link", "a", "1"), ("link", "a", "2", "refused", "ftcId/linked_to_other_iap"), ("read", "2", "a", False),
            ("link", "b", "2", "refused", "originalTxId/linked_to_other_ftc"), ("link", "a", "2", {"force": True}),
            ("read", "1", "a", False), ("unlink", "a", "1"), ("read", "2", "a"), ("link", "b", "1"))

    def test_stale_read(self):
        self.expect(self.wrong, ("link", "a", "1"), ("read", "1", None))

    def test_stale_read_after_an_unlink(self):
        self.expect(self.wrong, ("link", "a", "1"), ("unlink", "a", "1"), ("read", "1", "a"))

    def test_dirty_read(self):
        self.expect(self.wrong, ("link", "a", "1"), ("link", "b", "1", "refused", "originalTxId/linked_to_other_ftc"),
                    ("read", "1", "b"))

    def test_two_owners(self):
        self.expect(self.wrong, ("link", "a", "1"), ("link", "b", "1"))

    def test_two_owners_at_once(self):
        """Both are told that they have it, and nobody unlinked."""
        self.expect(self.wrong, ("link", "a", "1", {"start": 1, "end": 5}), ("link", "b", "1", {"start": 2, "end": 4}))

    def test_two_memberships(self):
        self.expect(self.wrong, ("link", "a", "1"), ("link", "a", "2"))

    def test_lost_link(self):
        self.expect(self.wrong, ("link", "a", "1"), ("link", "b", "1", "unknown", None, {"why": "closed"}),
                    ("read", "1", None))

    def test_lost_claim(self):
        self.expect(
            self.wrong, ("link", "a", "1"), ("link", "a", "2", "refused", "ftcId/linked_to_other_iap"), ("link", "b", "2"))

    def test_stale_decision(self):
        self.expect(
            self.wrong, ("link", "a", "1"), ("unlink", "a", "1"),
            ("link", "b", "1", "refused", "originalTxId/linked_to_other_ftc"))

    def test_membership_with_an_old_day(self):
        self.expect(self.wrong, ("link", "a", "1", "ok", ["a", "1", "2029-12-31"]))

    def test_concurrent(self):
        """Either of two at once may be first; a third one tells which."""
        lost = ("refused", "originalTxId/linked_to_other_ftc")
        both = [("link", "a", "1", {"start": 1, "end": 5}), ("link", "b", "1", *lost, {"start": 2, "end": 4})]
        self.expect([], *both, ("read", "1", "a"))
        self.expect(self.wrong, *both, ("read", "1", "b"))

    def test_unknown(self):
        """An operation without an answer may have taken effect, or does so later, but once."""
        unknown = ("link", "a", "1", "unknown", None, {"why": "closed"})
        self.expect([], unknown, ("read", "1", "a"))
        self.expect([], unknown, ("read", "1", None))
        self.expect([], unknown, ("read", "1", None), ("read", "1", "a"), ("unlink", "a", "1"), ("read", "1", None))
        self.expect(self.wrong, unknown, ("read", "1", "a"), ("unlink", "a", "1"), ("read", "1", "a"))

    def test_unknown_too_early(self):
        self.expect(self.wrong, ("read", "1", "a"), ("link", "a", "1", "unknown", None, {"why": "closed"}))

    def test_expiries(self):
        quarrel = Quarrel()
        quarrel.add("renew", "ok", True, group="g", subscription="1", expiry=DAY(9))
        quarrel.add("renew", "ok", True, group="g", subscription="1", expiry=DAY(5))
        quarrel.read("1", None, expiry=DAY(9))
        quarrel.link("a", "1", answer=["a", "1", DAY(9)[:10]])
        quarrel.add("list", "ok", [["1", True, DAY(9)]], group="g", account="a")
        self.assertEqual(quarrel.kinds(), [])
        quarrel.read("1", "a", expiry=DAY(5))
        self.assertEqual(quarrel.kinds(), self.wrong)

    def test_list(self):
        quarrel = Quarrel()
        quarrel.link("a", "1")
        quarrel.add("list", "ok", [], group="g", account="a")
        self.assertEqual(quarrel.kinds(), self.wrong)

    def test_many_unknown(self):
        """Fifty links and unlinks without an answer are decided."""
        quarrel = Quarrel()
        chance = random.Random(1)
        for number in range(50):
            act = quarrel.link if number % 2 else quarrel.unlink
            act(chance.choice("ab"), chance.choice("12"), "unknown", None, why="closed")
        for _ in range(100):
            quarrel.read("1", chance.choice("ab"), chance.choice([True, False]))
        self.assertIn(quarrel.kinds(), ([], self.wrong))

    def test_random(self):
        """Histories of a store that is one machine are correct, whatever their times and faults; without faults, the
        same ones with another owner in the last read are not."""
        for seed in range(60):
            self.assertEqual(simulated(seed, 0.1).kinds(), [], seed)
            quarrel = simulated(seed, 0)
            self.assertEqual(quarrel.kinds(), [], seed)
            answer = quarrel.lines[-1]["answer"]
            answer[:2] = {"a": ["b", True], "b": ["a", True], None: ["a", True]}[answer[0]]
            self.assertEqual(quarrel.kinds(), self.wrong, seed)


def simulated(seed, lost):
    """A history of a store whose operations take effect at a moment between their times; a share of them has no
    answer. At the end each subscription is read."""
    chance, quarrel = random.Random(seed), Quarrel()
    rules = check.Links(quarrel.lines[0])
    state = rules.first
    for at in range(0, 2000, 20):
        do = chance.choice(["link", "link", "unlink", "read", "list"])
        args = {
            "link": {"account": chance.choice("ab"), "subscription": chance.choice("12"),
                     "force": chance.random() < 0.3},
            "unlink": {"account": chance.choice("ab"), "subscription": chance.choice("12")},
            "read": {"subscription": chance.choice("12")}, "list": {"account": chance.choice("ab")}}[do]
        is_lost = chance.random() < lost
        if is_lost and chance.random() < 0.5:
            answer = None
        else:
            answer, state = rules.apply(state, do, args)
        outcome = "unknown" if is_lost else "refused" if isinstance(answer, str) else "ok"
        quarrel.add(
            do, outcome, None if is_lost else answer, start=at - chance.randrange(80), end=at + chance.randrange(80),
            group="g", **args)
    for id in "12":
        quarrel.add("read", "ok", rules.apply(state, "read", {"subscription": id})[0], group="g", subscription=id)
    return quarrel


class Holdings(unittest.TestCase):
    def expect(self, is_right, *steps):
        book = Book({
            "cell": "holdings", "group": "g", "purchase": "1", "plan": "2", "users": ["u", "v"], "bought": "frames",
            "extra": "brushes"})
        for do, outcome, answer, args in steps:
            book.add(do, outcome, answer, group="g", **args)
        self.assertEqual(book.kinds(), [] if is_right else ["holdings"])

    claim = ("claim", "ok", True, {"user": "u", "ids": ["1", "2"]})
    acquire = ("acquire", "ok", [True, ["brushes", "frames"]], {"user": "u"})
    all = ("products", "ok", [["frames"], ["brushes"], ["brushes", "frames"], "2"], {"user": "u"})

    def test_correct(self):
        self.expect(
            True, ("products", "ok", [[], [], [], None], {"user": "u"}), self.claim, self.claim,
            ("claim", "refused", "userId/linked_to_other_user", {"user": "v", "ids": ["1"]}), self.acquire,
            ("acquire", "ok", [False, ["brushes", "frames"]], {"user": "u"}), self.all, ("refund", "ok", True, {}),
            ("products", "ok", [[], ["brushes"], ["brushes"], "2"], {"user": "u"}),
            ("dissociate", "ok", True, {"user": "u", "id": "2"}), ("dissociate", "ok", False, {"user": "u", "id": "2"}),
            ("subscriber", "ok", False, {"user": "u"}), ("claim", "ok", True, {"user": "v", "ids": ["2"]}),
            ("products", "ok", [[], ["brushes"], [], None], {"user": "u"}), ("subscriber", "ok", True, {"user": "v"}))

    def test_restored(self):
        self.expect(
            True, ("restore", "refused", "receiptData/missing_receipt", {"user": "u"}), self.claim,
            ("restore", "ok", [["frames"], [], ["frames"], "2"], {"user": "u"}))
        self.expect(False, self.claim, ("restore", "refused", "receiptData/missing_receipt", {"user": "u"}))
        self.expect(False, self.claim, ("restore", "ok", [[], [], [], None], {"user": "u"}))
        self.expect(False, ("restore", "ok", [[], [], [], None], {"user": "u"}))

    def test_two_owners(self):
        self.expect(False, self.claim, ("claim", "ok", True, {"user": "v", "ids": ["2"]}))

    def test_a_part_of_a_claim(self):
        self.expect(
            False, ("claim", "unknown", None, {"user": "u", "ids": ["1", "2"]}),
            ("products", "ok", [["frames"], [], ["frames"], None], {"user": "u"}))

    def test_created_twice(self):
        self.expect(False, self.claim, self.acquire, self.acquire)

    def test_lost_acquisition(self):
        self.expect(
            False, self.claim, self.acquire, ("products", "ok", [["frames"], [], ["frames"], "2"], {"user": "u"}))

    def test_stale_refund(self):
        self.expect(False, self.claim, self.acquire, ("refund", "ok", True, {}), self.all)


class Purse(Book):
    """Users and their ledgers; the final reads are told at the end."""

    def __init__(self):
        super().__init__()
        self.ledgers = {"u": [], "v": []}

    def entry(self, event, amount, user="u", uuid=None):
        """An entry of the store's, in its order."""
        rows = self.ledgers[user]
        rows.append([event, amount, (rows[-1][2] if rows else 0) + amount, uuid])

    def book(self, event, amount, balance, outcome="ok", user="u", **when):
        self.add("book", outcome, balance, user=user, event=event, amount=amount, **when)

    def booked(self, event, amount, user="u", **when):
        self.entry(event, amount, user)
        self.book(event, amount, self.ledgers[user][-1][2], user=user, **when)

    def grant(self, id, answer, balance=None, user="u", **when):
        outcome = "ok" if "granted" in answer else "unknown" if answer == "unknown" else "refused"
        self.add("grant", outcome, answer, user=user, transaction=id, balance=balance, **when)

    def granted(self, id, user="u", **when):
        self.entry("payment.apple_iap:" + id, 500, user)
        self.grant(id, "granted", self.ledgers[user][-1][2], user, **when)

    def news(self, id, kind, date, uuid, outcome="ok", **when):
        self.add("news", outcome, True, transaction=id, kind=kind, date=date, uuid=uuid, **when)

    def refunded(self, id, amount, date=1, uuid="n", user="u", **when):
        self.entry("payment.apple_iap.refund:" + id, -amount, user, uuid)
        self.news(id, "REFUND", date, uuid, **when)

    def balance(self, value, user="u", **when):
        self.add("balance", "ok", value, user=user, **when)

    def page(self, count, user="u", rows=None, **when):
        rows = [row[:3] for row in self.ledgers[user][:count]] if rows is None else rows
        self.add("ledger", "ok", [count, rows], user=user, **when)

    def kinds(self, looks_again=False):
        for user, rows in self.ledgers.items():
            self.add("ledger", "ok", [len(rows), rows], user=user, final=True)
        return super().kinds(looks_again)


class Ledgers(unittest.TestCase):
    def setUp(self):
        self.purse = Purse()
        self.purse.booked("a", 100)

    def expect(self, *kinds):
        self.assertEqual(self.purse.kinds(), list(kinds))

    def test_correct(self):
        purse = self.purse
        purse.granted("1")
        purse.grant("1", "already_granted", 600)
        purse.grant("1", "PAYMENT_TRANSACTION_CONFLICT", user="v")
        purse.booked("b", -30)
        purse.book("b", -30, 570)
        purse.book("c", -571, "CREDIT_BALANCE_INSUFFICIENT", "refused")
        purse.page(2, start=5, end=20)
        purse.page(3)
        purse.refunded("1", 500)
        purse.grant("1", "PAYMENT_TRANSACTION_REVOKED")
        purse.balance(70)
        purse.entry("payment.apple_iap.refund_reversed:1", 500, uuid="m")
        purse.news("1", "REFUND_REVERSED", 2, "m")
        purse.news("1", "REFUND_REVERSED", 2, "m")
        purse.balance(570)
        self.expect()

    def test_refund_of_more_than_is_there(self):
        self.purse.granted("1")
        self.purse.booked("b", -400)
        self.purse.refunded("1", 200)
        self.expect()

    def test_refund_of_too_little(self):
        self.purse.granted("1")
        self.purse.refunded("1", 200)
        self.expect("refund")

    def test_reversal_of_too_much(self):
        self.purse.granted("1")
        self.purse.booked("b", -400)
        self.purse.refunded("1", 200)
        self.purse.entry("payment.apple_iap.refund_reversed:1", 500, uuid="m")
        self.purse.news("1", "REFUND_REVERSED", 2, "m")
        self.expect("reversal")

    def test_lost_update(self):
        self.purse.book("b", 50, 150)
        self.purse.ledgers["u"].append(["b", 50, 150, None])
        self.purse.book("c", 20, 120)
        self.purse.ledgers["u"].append(["c", 20, 120, None])
        self.assertIn("lost update", self.purse.kinds())

    def test_lost(self):
        self.purse.book("b", 50, 150)
        self.expect("lost")

    def test_lost_grant(self):
        self.purse.grant("1", "granted", 600)
        self.expect("lost", "grant")

    def test_unknown(self):
        self.purse.book("b", 50, None, "unknown", why="closed")
        self.purse.entry("b", 50)
        self.purse.book("c", 50, None, "unknown", why="closed")
        self.purse.balance(150)
        self.expect()

    def test_refused_and_booked(self):
        self.purse.entry("b", -30)
        self.purse.book("b", -30, "CREDIT_BALANCE_INSUFFICIENT", "refused")
        self.assertIn("dirty write", self.purse.kinds())

    def test_refused_although_there_was_enough(self):
        self.purse.book("b", -30, "CREDIT_BALANCE_INSUFFICIENT", "refused")
        self.purse.booked("c", -20)
        self.assertEqual(len(self.purse.kinds()), 1)

    def test_refused_by_an_old_balance(self):
        self.purse.booked("b", 300)
        self.purse.book("c", -200, "CREDIT_BALANCE_INSUFFICIENT", "refused")
        self.assertEqual(len(self.purse.kinds()), 1)

    def test_negative(self):
        self.purse.booked("b", -130)
        self.expect("negative balance")

    def test_stale_balance(self):
        self.purse.booked("b", 50)
        self.purse.balance(100)
        self.assertEqual(len(self.purse.kinds()), 1)

    def test_balance_that_never_was(self):
        self.purse.balance(99)
        self.expect("dirty or stale")

    def test_balances_that_go_back(self):
        """Each is possible alone, as the booking is under way."""
        self.purse.entry("b", 50)
        self.purse.book("b", 50, 150, start=10, end=90)
        self.purse.balance(150, start=20, end=25)
        self.purse.balance(100, start=30, end=35)
        self.assertEqual(len(self.purse.kinds()), 1)

    def test_equal_balances(self):
        """A balance that was there twice is no sign of an old read; between two that are ambiguous, time decides."""
        self.purse.booked("b", 50)
        self.purse.booked("c", -50)
        self.purse.balance(100)
        self.expect()

    def test_equal_balances_that_go_back(self):
        """The first read can only be after b, the second only before it, though both have several places by value."""
        purse = self.purse
        for event, amount, balance in [("b", 50, 150), ("c", -50, 100), ("d", 50, 150)]:
            purse.entry(event, amount)
        for event, amount in [("b", 50), ("c", -50), ("d", 50)]:
            purse.book(event, amount, None, "unknown", start=10, end=12, why="closed")
        for value in [150, 100, 150]:
            purse.balance(value)
        self.assertEqual(purse.kinds(), [])

    def test_equal_balances_too_often(self):
        purse = self.purse
        for event, amount in [("b", 50), ("c", -50), ("d", 50)]:
            purse.entry(event, amount)
            purse.book(event, amount, None, "unknown", start=10, end=12, why="closed")
        for value in [150, 100, 150, 100]:
            purse.balance(value)
        self.assertEqual(len(purse.kinds()), 1)

    def test_dirty_page(self):
        self.purse.page(2, rows=[["a", 100, 100], ["x", 5, 105]])
        self.expect("dirty read")

    def test_page_of_another_order(self):
        self.purse.booked("b", 50)
        self.purse.booked("c", 50)
        self.purse.page(2, rows=[["a", 100, 100], ["c", 50, 150]])
        self.expect("not a prefix")

    def test_stale_page(self):
        self.purse.booked("b", 50)
        self.purse.page(1)
        self.expect("real time")

    def test_order_against_time(self):
        """The ledger has the second of two bookings first."""
        self.purse.entry("c", 50)
        self.purse.entry("b", 50)
        self.purse.book("b", 50, 200)
        self.purse.book("c", 50, 150)
        self.assertIn("real time", self.purse.kinds())

    def test_two_grants(self):
        self.purse.granted("1")
        self.purse.granted("1", "v")
        self.assertIn("duplicate", self.purse.kinds())

    def test_granted_twice(self):
        self.purse.granted("1")
        self.purse.grant("1", "granted", 600)
        self.expect("grant")

    def test_own_first_try(self):
        self.purse.entry("payment.apple_iap:1", 500)
        self.purse.grant("1", "already_granted", 600)
        self.assertIn("grant", self.purse.kinds())
        self.assertEqual(self.purse.kinds(looks_again=True), [])

    def test_own_first_try_that_is_another_users(self):
        self.purse.granted("1")
        self.purse.grant("1", "already_granted", 0, "v")
        self.assertIn("grant", self.purse.kinds(looks_again=True))

    def test_two_winners(self):
        self.purse.granted("1")
        self.purse.grant("1", "already_granted", 0, "v")
        self.assertIn("grant", self.purse.kinds())

    def test_conflict_with_nobody(self):
        self.purse.grant("1", "PAYMENT_TRANSACTION_CONFLICT")
        self.expect("grant")

    def test_conflict_before_the_grant_is_to_be_seen(self):
        """The other user is told of a grant, and afterwards the ledger does not have it."""
        self.purse.entry("payment.apple_iap:1", 500)
        self.purse.grant("1", "granted", 600, start=10, end=90)
        self.purse.grant("1", "PAYMENT_TRANSACTION_CONFLICT", user="v", start=20, end=30)
        self.purse.page(1, start=40, end=50)
        self.assertEqual(len(self.purse.kinds()), 1)

    def test_refund_forgotten(self):
        self.purse.granted("1")
        self.purse.news("1", "REFUND", 1, "n")
        self.expect("grant")

    def test_refund_before_the_purchase(self):
        self.purse.news("1", "REFUND", 1, "n")
        self.purse.grant("1", "PAYMENT_TRANSACTION_REVOKED")
        self.purse.news("1", "REFUND_REVERSED", 2, "m")
        self.purse.granted("1")
        self.purse.news("1", "REFUND", 1, "late")
        self.purse.balance(600)
        self.expect()

    def test_kept_after_a_refund(self):
        self.purse.news("1", "REFUND", 1, "n")
        self.purse.granted("1")
        self.expect("grant")

    def test_refunded_twice(self):
        self.purse.granted("1")
        self.purse.refunded("1", 500)
        self.purse.entry("payment.apple_iap.refund:1:2", 0, uuid="m")
        self.purse.news("1", "REFUND", 2, "m")
        self.assertIn("grant", self.purse.kinds())

    def test_entry_of_nobody(self):
        self.purse.entry("x", 5)
        self.assertIn("unexplained", self.purse.kinds())

    def test_wrong_balance_of_a_grant(self):
        self.purse.entry("payment.apple_iap:1", 500)
        self.purse.grant("1", "granted", 500)
        self.expect("wrong balance")

    def test_random(self):
        """Bookings and looks of a ledger that is one machine's."""
        for seed in range(50):
            chance, purse = random.Random(seed), Purse()
            for at in range(0, 2000, 20):
                rows = purse.ledgers["u"]
                balance = rows[-1][2] if rows else 0
                when = {"start": at - chance.randrange(80), "end": at + chance.randrange(80)}
                kind, amount = chance.randrange(4), chance.choice([-20, -10, 10, 20])
                if kind == 0:
                    purse.balance(balance, **when)
                elif kind == 1:
                    purse.page(len(rows), **when)
                elif balance + amount < 0:
                    purse.book(f"e{at}", amount, "CREDIT_BALANCE_INSUFFICIENT", "refused", **when)
                elif kind == 2 and chance.random() < 0.5:
                    if chance.random() < 0.5:
                        purse.entry(f"e{at}", amount)
                    purse.book(f"e{at}", amount, None, "unknown", why="closed", **when)
                else:
                    purse.entry(f"e{at}", amount)
                    purse.book(f"e{at}", amount, purse.ledgers["u"][-1][2], **when)
            self.assertEqual(purse.kinds(), [], seed)


class Speed(unittest.TestCase):
    def test_many(self):
        """A history of 200,000 operations with 16 clients is checked in about a minute; a tenth of it here."""
        lines, start = [], time.monotonic()
        for seed in range(200):
            for line in simulated(seed, 0.02).lines:
                lines.append({**line, "group": str(seed)})
        history = check.History([])
        history.take(lines)
        self.assertEqual(history.check()[0], [])
        seconds = time.monotonic() - start
        print(f"{len(lines):,} operations on subscriptions in {seconds:.1f} s", file=sys.stderr)


if __name__ == "__main__":
    unittest.main()
