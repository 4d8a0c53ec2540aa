"""Buys and refunds with a mouse, and reads the page and the notifications to the webhook.

Called by Tests/Simulator/run with the simulator's program and files for two pictures.
"""

import base64
import http.server
import json
import signal
import subprocess
import sys
import threading
import urllib.request

from devtools import Browser, Failure, until


class Webhook(http.server.BaseHTTPRequestHandler):
    """A webhook that answers with `status`."""

    status = 200
    bodies = []

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        Webhook.bodies.append(json.loads(body))
        answer = b"" if Webhook.status == 200 else b'{"message":"Service Unavailable"}'
        self.send_response(Webhook.status)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_):
        pass


def payload(token):
    """The payload of a signed token; the signature is not checked here."""
    text = token.split(".")[1]
    return json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))


def expect(what, found, expected):
    if found != expected:
        raise Failure(f"{what}: {found!r}, expected {expected!r}")
    print(f"  {what}")


class Page:
    """The simulator's page, as a person sees it."""

    def __init__(self, browser):
        self.browser = browser

    def buy(self, customer, product, environment="Production", offer="", plan=""):
        self.browser.type("#buy [name=customer]", customer)
        self.browser.choose("#buy [name=product]", product)
        self.browser.choose("#buy [name=offer]", offer)
        self.browser.choose("#buy [name=plan]", plan)
        self.browser.choose("#buy [name=environment]", environment)
        self.browser.click("#buy button")

    def row(self, customer):
        """The number of a customer's row, from 1."""
        names = self.browser.value(
            "[...document.querySelectorAll('#subscriptions tbody td:first-child b')]"
            ".map((name) => name.textContent)")
        return names.index(customer) + 1 if customer in names else None

    def order(self, customer, action):
        row = until(f"the row of {customer}", lambda: self.row(customer))
        self.browser.click(f"#subscriptions tbody tr:nth-child({row}) [data-action={action}]")

    def timeline(self, customer):
        """What is told of each charge, without the order number in the last line."""
        row = self.row(customer)
        return row and self.browser.value(
            f"[...document.querySelectorAll('#subscriptions tbody tr:nth-child({row}) li')]"
            ".map((item) => item.innerText.split('\\n').slice(0, -1).join(', '))")

    def orders(self, customer):
        """The order number of each charge."""
        row = self.row(customer)
        return row and self.browser.value(
            f"[...document.querySelectorAll('#subscriptions tbody tr:nth-child({row}) li .id')]"
            ".map((number) => number.textContent)")

    def state(self, customer):
        row = self.row(customer)
        return row and self.browser.value(
            f"document.querySelector('#subscriptions tbody tr:nth-child({row}) td:nth-child(2) .mark').textContent")

    def notes(self, customer):
        """What the state says besides its word and its end."""
        return self.browser.value(
            f"[...document.querySelectorAll('#subscriptions tbody tr:nth-child({self.row(customer)})"
            " td:nth-child(2) small')].slice(1).map((note) => note.textContent)")

    def told(self):
        """The newest notification: its type, the customer, and the webhook's answer."""
        return self.browser.value(
            "[...(document.querySelector('#notifications tbody tr')?.cells ?? [])]"
            ".slice(2).map((cell) => cell.innerText.trim())")

    def wait(self, customer, state, told):
        """Waits for a state and the first words of the newest notification."""
        def seen():
            newest = self.told()
            # While the page is busy, it waits for the webhook.
            return self.state(customer) == state and newest and newest[0].startswith(told) \
                and not self.browser.value("document.body.hasAttribute('aria-busy')")
        until(f"{customer}: {state}, {told}", seen)


class PlayPage:
    """The part of the page about the Play store."""

    def __init__(self, browser):
        self.browser = browser

    def buy(self, customer, product, payment="immediate"):
        self.browser.type("#play-buy [name=customer]", customer)
        self.browser.choose("#play-buy [name=product]", product)
        self.browser.choose("#play-buy [name=payment]", payment)
        self.browser.click("#play-buy button")

    def row(self, customer):
        """The number of a customer's newest row, from 1."""
        names = self.browser.value(
            "[...document.querySelectorAll('#play-purchases tbody td:first-child b')]"
            ".map((name) => name.textContent)")
        return names.index(customer) + 1 if customer in names else None

    def order(self, customer, action):
        row = until(f"the row of {customer}", lambda: self.row(customer))
        self.browser.click(f"#play-purchases tbody tr:nth-child({row}) [data-action={action}]")

    def state(self, customer):
        row = self.row(customer)
        return row and self.browser.value(
            f"[...document.querySelectorAll('#play-purchases tbody tr:nth-child({row}) .mark')]"
            ".map((mark) => mark.textContent)")

    def told(self):
        """The newest notification, and the server's answer."""
        return self.browser.value(
            "[...(document.querySelector('#play-notifications tbody tr')?.cells ?? [])]"
            ".map((cell) => cell.innerText.trim())")

    def wait(self, customer, state, told):
        def seen():
            newest = self.told()
            return self.state(customer) == state and newest and newest[1] == told \
                and not self.browser.value("document.body.hasAttribute('aria-busy')")
        until(f"{customer} at the Play store: {state}, {told}", seen)


def check_play(page, browser, picture):
    """Buys, acknowledges, changes and refunds at the Play store, and reads the pushes."""
    def notification():
        message = Webhook.bodies[-1]["message"]
        return json.loads(base64.b64decode(message["data"]))

    page.buy("paula", "reader_standard monthly")
    page.wait("paula", ["Active", "not acknowledged"], "subscription 4 PURCHASED")
    expect("Play: the server's answer", page.told()[3], "200")
    expect("Play: the push", notification()["subscriptionNotification"]["notificationType"], 4)
    page.order("paula", "acknowledge")
    until("paula's acknowledgement", lambda: page.state("paula") == ["Active"])
    page.order("paula", "changePlan")
    page.wait("paula", ["Active", "not acknowledged"], "subscription 13 EXPIRED")
    page.order("paula", "cancel")
    page.wait("paula", ["Canceled"], "subscription 3 CANCELED")
    page.order("paula", "revoke")
    page.wait("paula", ["Expired"], "voidedPurchase")
    expect("Play: the voided purchase",
           notification()["voidedPurchaseNotification"]["refundType"], 1)
    page.buy("peter", "reader_gems", "pending")
    until("peter's pending payment", lambda: page.state("peter") == ["Payment pending"])
    page.order("peter", "completePayment")
    page.wait("peter", ["Purchased", "not acknowledged"], "oneTimeProduct 1 PURCHASED")
    count = len(Webhook.bodies)
    browser.click("#play-notifications tbody tr:first-child button:nth-child(2)")
    until("a stranger's push", lambda: len(Webhook.bodies) == count + 1)
    browser.wait("!document.body.hasAttribute('aria-busy')")
    browser.value("document.activeElement.blur(), document.querySelector('h2.store').scrollIntoView()")
    expect("Play: all fits into 1280 points",
           browser.value("document.documentElement.scrollWidth <= 1280"), True)
    browser.screenshot(picture)


def check_offers(page, browser):
    """Offers, commitments, prices, and subscriptions that somebody else paid for."""
    expect("a lapsed customer may come back", page.notes("dave"), ["may return with half-price"])
    page.buy("dave", "reader.monthly", offer="winBack")
    page.wait("dave", "Active", "SUBSCRIBED RESUBSCRIBE")
    expect("back by the offer", "(to come back)" in page.timeline("dave")[-1], True)

    page.buy("erin", "reader.yearly", plan="MONTHLY")
    page.wait("erin", "Active", "SUBSCRIBED INITIAL_BUY")
    page.order("erin", "renew")
    page.wait("erin", "Active", "DID_RENEW")
    expect("the parts of a commitment", [item.split(",")[1] + item.split(",")[2] for item in page.timeline("erin")],
           [" yearly part 1 of 12", " yearly part 2 of 12"])

    page.buy("frank", "reader.monthly")
    page.wait("frank", "Active", "SUBSCRIBED")
    browser.type(f"#subscriptions tbody tr:nth-child({page.row('frank')}) input", "grace")
    page.order("frank", "share")
    page.wait("grace", "Active", "SUBSCRIBED")
    expect("shared", page.notes("grace"), ["shared"])
    page.order("grace", "revoke")
    page.wait("grace", "Refunded", "REVOKE")

    page.order("frank", "ask")
    page.wait("frank", "Active", "PRICE_INCREASE PENDING")
    expect("asked about a price", page.notes("frank"), ["asked about a price"])
    page.order("frank", "consent")
    page.wait("frank", "Active", "PRICE_INCREASE ACCEPTED")
    page.order("frank", "redeem")
    page.wait("frank", "Active", "OFFER_REDEEMED")
    expect("redeemed", page.notes("frank"), ["a new price comes", "then spring"])
    page.order("frank", "half")
    page.wait("frank", "Refunded", "REFUND")
    expect("a part is refunded", "(50 %)" in page.timeline("frank")[-1], True)

    browser.click("#external")
    until("a token", lambda: (page.told() or [""])[0].startswith("EXTERNAL_PURCHASE_TOKEN CREATED"))


def check_narrow(browser):
    """Shows the page, with all that was bought and told, as wide as a telephone."""
    browser.resize(360, 900)
    browser.wait("document.documentElement.clientWidth === 360")
    expect("all fits into 360 points",
           browser.value("document.documentElement.scrollWidth"), 360)
    # A wide table scrolls in a box of its own.
    outside = browser.value(
        "[...document.querySelectorAll('main *, header *')].filter((element) =>"
        " !element.closest('.table table') && element.getClientRects().length"
        " && element.getBoundingClientRect().right > 360).map((element) => element.outerHTML.slice(0, 60))")
    expect("nothing is cut off at 360 points", outside, [])
    browser.resize(1280, 900)


def check(page, browser, address, picture, play_picture):
    expect("title", browser.value("document.title"), "App Store simulator")
    browser.wait("document.querySelectorAll('#buy [name=product] option').length === 3")
    expect("nobody has bought", browser.value("$('no-subscriptions').hidden"), False)

    page.buy("alice", "reader.monthly")
    page.wait("alice", "Active", "SUBSCRIBED INITIAL_BUY")
    expect("bought: the timeline", page.timeline("alice"),
           ["Bought Standard, monthly, 2026-01-05 – 2026-02-04"])
    expect("bought: the webhook's answer", page.told()[2], "200")
    token = Webhook.bodies[-1]["signedPayload"]
    notification = payload(token)
    transaction = payload(notification["data"]["signedTransactionInfo"])
    expect("bought: the letter", (notification["notificationType"], transaction["productId"]),
           ("SUBSCRIBED", "reader.monthly"))

    with urllib.request.urlopen(address + "/control/state") as answer:
        charges = json.load(answer)["subscriptions"][0]["timeline"]
    expect("bought: the order number", page.orders("alice"),
           [charge["orderId"] for charge in charges])

    page.order("alice", "renew")
    page.wait("alice", "Active", "DID_RENEW")
    expect("renewed: the timeline", page.timeline("alice"),
           ["Bought Standard, monthly, 2026-01-05 – 2026-02-04",
            "Renewed Standard, monthly, 2026-02-04 – 2026-03-06"])

    page.buy("bob", "reader.yearly")
    page.wait("bob", "Active", "SUBSCRIBED")
    page.order("bob", "refund")
    page.wait("bob", "Refunded", "REFUND")
    items = page.timeline("bob")
    expect("refunded: the timeline", (len(items), "refunded 2026-01-05" in items[0]), (1, True))
    expect("refunded: the webhook's answer", page.told()[2], "200")
    refund = payload(Webhook.bodies[-1]["signedPayload"])
    transaction = payload(refund["data"]["signedTransactionInfo"])
    expect("refunded: the letter", (refund["notificationType"], "revocationDate" in transaction),
           ("REFUND", True))
    expect("refunded: no second time", browser.value(
        f"document.querySelector('#subscriptions tr:nth-child({page.row('bob')}) "
        "[data-action=refund]').disabled"), True)

    browser.type("#advance [name=days]", "9")
    browser.click("#advance button")
    browser.wait("$('now').textContent.startsWith('2026-01-14')")
    page.order("alice", "upgrade")
    page.wait("alice", "Active", "DID_CHANGE_RENEWAL_PREF UPGRADE")
    # The renewal was charged ahead of its time, so the upgrade is dated right after its beginning.
    expect("upgraded: to the next product", page.timeline("alice")[-1],
           "Bought Standard, yearly, 2026-02-04 – 2027-01-14")

    page.buy("carol", "reader.premium", "Sandbox")
    page.wait("carol", "Active", "SUBSCRIBED")
    Webhook.status = 503
    page.order("carol", "billing")
    page.wait("carol", "Payment failed", "DID_FAIL_TO_RENEW")
    expect("a webhook that fails is tried again", page.told()[2],
           '503 after 3 tries: {"message":"Service Unavailable"}')
    Webhook.status = 200
    page.order("carol", "renew")
    page.wait("carol", "Active", "DID_RENEW BILLING_RECOVERY")

    page.buy("dave", "reader.monthly")
    page.wait("dave", "Active", "SUBSCRIBED")
    page.order("dave", "lapse")
    page.wait("dave", "Expired", "EXPIRED VOLUNTARY")
    browser.wait("!document.body.hasAttribute('aria-busy')")

    browser.value("document.activeElement.blur(), window.scrollTo(0, 0)")
    expect("all fits into 1280 points",
           browser.value("document.documentElement.scrollWidth <= 1280"), True)
    browser.screenshot(picture)

    check_play(PlayPage(browser), browser, play_picture)
    check_offers(page, browser)

    page.buy("alice", "reader.monthly")
    browser.wait("!$('message').hidden")
    expect("what cannot be done is said", browser.value("$('message').textContent"),
           "The customer has a running subscription; upgrade it instead")
    browser.complaints.remove(
        "Failed to load resource: the server responded with a status of 409 (Conflict)")

    trick = "<img src=x onerror=alert(1)>"
    page.buy(trick, "reader.monthly")
    page.wait(trick, "Active", "SUBSCRIBED")
    expect("names are texts, not markup", browser.value("document.images.length"), 0)

    check_narrow(browser)
    expect("all controls have names", browser.nameless_controls(), [])
    browser.type("#advance [name=days]", "3650")
    browser.click("#advance button")
    browser.wait("!$('ahead').hidden")
    expect("nothing went wrong in the page", browser.complaints, [])
    strangers = [url for url in browser.requests
                 if not url.startswith((address, "data:", "about:"))]
    expect("nothing was loaded from elsewhere", strangers, [])


def main(program, picture, play_picture):
    webhook = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Webhook)
    threading.Thread(target=webhook.serve_forever, daemon=True).start()
    simulator = subprocess.Popen(
        [program, "--webhook", f"http://127.0.0.1:{webhook.server_port}/webhook/apple",
         "--product", "reader.monthly:Standard, monthly", "--win-back", "reader.monthly:half-price",
         "--product", "reader.yearly:Standard, yearly:365", "--commitment", "reader.yearly:60000",
         "--product", "reader.premium:Premium, yearly:365",
         "--play-push-url", f"http://127.0.0.1:{webhook.server_port}/webhook/google",
         "--time", "2026-01-05T09:00:00Z"],
        stdout=subprocess.PIPE, text=True)
    try:
        address = simulator.stdout.readline().strip().removeprefix("listening on ")
        with Browser() as browser:
            browser.open(address + "/")
            check(Page(browser), browser, address, picture, play_picture)
    finally:
        simulator.send_signal(signal.SIGTERM)
        status = simulator.wait(timeout=60)
    expect("the simulator ends with 0", status, 0)
    print(f"The simulator works in the browser; pictures are in {picture} and {play_picture}")


try:
    main(*sys.argv[1:])
except Failure as failure:
    sys.exit(f"FAILED: {failure}")
