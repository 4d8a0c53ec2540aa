"""Starter packs: the rows of Documentation/rules/credit-rules.md, section 9, by their numbers, and section 7."""
from hostile import until
from moments import at_once
from story import insist
from wallet import VERIFY

EMAILS = {
    "u28a": " Ann@Example.COM ", "u28b": "ann@example.com", "u29a": "bob@example.com",
    "u29b": "BOB@example.com", "u30a": "carol@example.com", "u30b": "Carol@Example.com",
    "u31a": "dan@example.com", "u31b": "Dan@example.com", "u32a": "eve@example.com",
    "u32b": "Eve@example.com",
}


def check(wallet):
    for row in [
        row_28, row_29, row_30, together, across_environments, several, refunded_before,
        without_address,
    ]:
        row(wallet)


def ineligible(wallet, user, id, jws, pack="welcome"):
    wallet.refused(
        user, wallet.claim(id, jws, pack), 409, "PAYMENT_STARTER_PACK_INELIGIBLE",
        productCode=f"{pack}_pack")


def claims(wallet, identity):
    """The marks of an identity, with the transaction and the user."""
    return wallet.sql(
        "SELECT starter_transaction_id, user_id, has_purchased_starter_pack"
        f" FROM register_bonus_claims WHERE email_identity = '{identity}'")


def row_28(wallet):
    def messages():
        return sum("starter_refused" in line for line in wallet.scene.server.errors)

    before = messages()
    first, jws = wallet.transaction("welcome")
    wallet.granted("u28a", first, jws, 60, 60, "welcome")
    id, jws = wallet.transaction("welcome")
    ineligible(wallet, "u28b", id, jws)
    until(lambda: messages() == before + 1, "the host is not told")
    told = wallet.sql(
        "SELECT reference, ftc_user_id FROM outbox WHERE kind = 'starter_refused'"
        f" AND reference = '{id}'")
    insist(told == [[id, "u28b"]], "the message:", told)
    insist(wallet.stored(id, "id") is None, "a refused transaction is stored")
    insist(claims(wallet, "ann@example.com") == [[first, "u28a", "1"]], "not one claim")
    # A user of another identity gets it.
    wallet.granted(wallet.user(), id, jws, 60, 160, "welcome")


def row_29(wallet):
    id, jws = wallet.transaction("welcome")
    wallet.granted("u29a", id, jws, 60, 60, "welcome")
    wallet.news("REFUND", id, "clawed_back", pack="welcome")
    ineligible(wallet, "u29b", *wallet.transaction("welcome"))


def row_30(wallet):
    bodies = [wallet.claim(*wallet.transaction("welcome"), "welcome") for _ in range(2)]
    answers = at_once(*[
        lambda user=user, body=body: wallet.scene.ask("POST", VERIFY, body, wallet.bearer(user))
        for user, body in zip(["u30a", "u30b"], bodies)])
    insist(sorted(answer.status for answer in answers) == [200, 409], answers)
    insist(wallet.balance("u30a") + wallet.balance("u30b") == 60, "not one grant")
    granted = next(answer.json["transactionId"] for answer in answers if answer.status == 200)
    lost = next(answer for answer in answers if answer.status == 409)
    wallet.problem(lost, 409, "PAYMENT_STARTER_PACK_INELIGIBLE", productCode="welcome_pack")
    marks = claims(wallet, "carol@example.com")
    insist([mark[0] for mark in marks] == [granted], "not one claim:", marks)


# Section 7.


def together(wallet):
    """All starter products count together."""
    wallet.granted("u31a", *wallet.transaction("second"), 90, 90, "second")
    for user in ["u31a", "u31b"]:
        ineligible(wallet, user, *wallet.transaction("welcome"))
        ineligible(wallet, user, *wallet.transaction("second"), "second")


def across_environments(wallet):
    wallet.granted(
        "u32a", *wallet.transaction("welcome", environment="Sandbox"), 60, 60, "welcome")
    for user in ["u32a", "u32b"]:
        ineligible(wallet, user, *wallet.transaction("welcome"))


def several(wallet):
    """A quantity is one purchase with one mark."""
    user = wallet.user()
    id, jws = wallet.transaction("welcome", quantity=3)
    wallet.granted(user, id, jws, 180, 280, "welcome")
    insist(claims(wallet, f"user:{user}") == [[id, user, "1"]], "not one claim")
    ineligible(wallet, user, *wallet.transaction("welcome"))
    wallet.granted(user, id, jws, 0, 280, "welcome", "already_granted")


def refunded_before(wallet):
    """A refund before the first call marks nothing."""
    user = wallet.user()
    id, jws = wallet.transaction("welcome")
    wallet.news("REFUND", id, "pending", pack="welcome")
    wallet.refused(
        user, wallet.claim(id, jws, "welcome"), 409, "PAYMENT_TRANSACTION_REVOKED",
        transactionId=id)
    insist(claims(wallet, f"user:{user}") == [], "a refused purchase is marked")
    wallet.granted(user, *wallet.transaction("welcome"), 60, 160, "welcome")


def without_address(wallet):
    """Users without an e-mail address are identities of their own; a reversal changes no mark."""
    one, two = wallet.user(), wallet.user()
    id, jws = wallet.transaction("welcome")
    wallet.granted(one, id, jws, 60, 160, "welcome")
    wallet.granted(two, *wallet.transaction("welcome"), 60, 160, "welcome")
    wallet.news("REFUND", id, "clawed_back", at=-2, pack="welcome")
    wallet.news("REFUND_REVERSED", id, "restored", at=-1, pack="welcome")
    insist(claims(wallet, f"user:{one}") == [[id, one, "1"]], "not one claim")
    ineligible(wallet, one, *wallet.transaction("welcome"))
