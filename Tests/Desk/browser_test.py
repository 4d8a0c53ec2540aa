"""Uses the desk as support does: with the keyboard, with a mouse, on a telephone, in light and in dark.

Called by Tests/Desk/run with the folder of the programs, the file of axe-core, and a folder for pictures."""

import json
import os
import pathlib
import sys
import tempfile
import time

HERE = os.path.dirname(__file__)
sys.path[:0] = [os.path.join(HERE, "..", "Simulator"), os.path.join(HERE, "..", "Server")]

import wire
from clock import Clock
from devtools import Browser, Failure, until
from programs import Place, TOKEN, digest

AGENT, READER = "agent-of-the-desk-0001", "reader-of-the-desk-001"
SCRIPT = "<script>owned()</script>"


def expect(what, found, expected):
    if found != expected:
        raise Failure(f"{what}: {found!r}, expected {expected!r}")
    print(f"  {what}")


class Host:
    """A server with a desk, and what its customers did."""

    def __init__(self, place):
        self.place = place
        key = place.path("app-store-key.p8")
        self.store = place.simulator("--api-key-file", key)
        roots = []
        for root in ("root.der", "receipt-root.der"):
            roots.append(place.path(root))
            pathlib.Path(roots[-1]).write_bytes(wire.ask(self.store.port, "GET", "/" + root).body)
        self.clock = Clock(place.path("clock"))
        api = wire.ask(self.store.port, "GET", "/control/state").json["serverApi"]
        simulator = f"http://127.0.0.1:{self.store.port}"
        self.server = place.server(self.store.port, roots, settings={
            "appStoreKey": key, "appStoreKeyId": api["keyId"], "appStoreIssuerId": api["issuerId"],
            "appStoreProductionUrl": f"{simulator}/production", "appStoreSandboxUrl": f"{simulator}/sandbox",
            "testClock": self.clock.path, "account": ["alice", "bob", SCRIPT], "acceptAnyAccount": None,
            "deskToken": {"nora": digest(place, AGENT), "rita": digest(place, READER)},
            "deskAgent": ["nora"], "eventLog": True, "moneyFigures": True, "deskRules": "https://example.com/rules"})
        self.address = f"http://127.0.0.1:{self.server.port}"
        self.order("webhook", url=f"{self.address}/api/v1/webhook/apple", versions="v2")
        self.story()

    def order(self, what, **body):
        answer = wire.ask(self.store.port, "POST", f"/control/{what}", [], body)
        if answer.status != 200:
            raise Failure(f"{what}: {answer.status} {answer.body}")
        return answer.json

    def ask(self, path, body, status=200):
        answer = wire.ask(
            self.server.port, "POST", f"/api/v1/apple/{path}", [f"Authorization: Bearer {TOKEN}"], body)
        if answer.status != status:
            raise Failure(f"{path}: {answer.status} {answer.body}")

    def pass_days(self, days):
        """Lets days pass for the store and the server, at the end of which the store does what is due."""
        self.clock.move(days * 86_400)
        self.order("advance", days=days)

    def story(self):
        """alice read by the month, changed to premium, and let it end; another subscription was refunded; bob and
        somebody with an odd name wanted hers."""
        bought = self.order("buy", customer="c1", product="reader.monthly", environment="Production")
        self.id = bought["subscription"]["originalTransactionId"]
        receipt = wire.ask(
            self.store.port, "GET", "/control/receipt?customer=c1&environment=Production").json["receipt"]
        self.ask("subs", {"receiptData": receipt})
        self.ask("link", {"ftcId": "alice", "originalTxId": self.id})
        for user in ("bob", SCRIPT):
            self.ask("link", {"ftcId": user, "originalTxId": self.id}, status=422)
        for _ in range(4):
            self.pass_days(30)
            self.order("renew", originalTransactionId=self.id)
        self.pass_days(10)
        self.order("upgrade", originalTransactionId=self.id, product="reader.premium")
        self.order("lapse", originalTransactionId=self.id, when="periodEnd")
        self.pass_days(370)
        # And bob wants his money back.
        asked = self.order("buy", customer="c2", product="reader.monthly", environment="Production")
        self.asked = asked["subscription"]["originalTransactionId"]
        self.ask("link", {"ftcId": "bob", "originalTxId": self.asked})
        self.order("requestRefund", originalTransactionId=self.asked)


class Desk:
    """The desk in a browser."""

    def __init__(self, browser, host, axe):
        self.browser, self.host = browser, host
        self.axe = pathlib.Path(axe).read_text()

    def open(self, path):
        self.browser.open(self.host.address + path)

    def key(self, key, code=None, text=None):
        for kind in ("keyDown", "keyUp"):
            event = {"type": kind, "key": key, "windowsVirtualKeyCode": code or 0}
            if text and kind == "keyDown":
                event["text"] = text
            self.browser.call("Input.dispatchKeyEvent", **event)

    def tab_to(self, selector):
        """Presses the tabulator until an element has the focus."""
        for _ in range(60):
            self.key("Tab", 9)
            if self.browser.value(f"document.activeElement.matches({json.dumps(selector)})"):
                return
        raise Failure(f"the keyboard does not reach {selector}")

    def enter(self):
        before = self.browser.value("performance.timeOrigin")
        self.key("Enter", 13, "\r")
        self.arrive(f"performance.timeOrigin !== {before} && document.readyState === 'complete'")

    def arrive(self, condition):
        """Waits for another page, on whose way the browser answers nothing."""
        def there():
            try:
                return self.browser.value(condition)
            except Failure:
                return False
        until(condition, there)

    def write(self, text):
        self.browser.call("Input.insertText", text=text)

    def sign_in(self, token):
        self.open("/desk")
        self.tab_to("#token")
        self.write(token)
        self.enter()

    @property
    def title(self):
        return self.browser.value("document.querySelector('h1').textContent")

    @property
    def sentences(self):
        return self.browser.value(
            "[...document.querySelectorAll('.findings > li > p:first-child')].map(p => p.textContent)")

    def judge(self, path, is_open=False):
        """Looks at a page in light and dark, wide and narrow; it is opened each time, unless it is the answer to a form."""
        for scheme in ("light", "dark"):
            self.browser.call("Emulation.setEmulatedMedia", features=[
                {"name": "prefers-color-scheme", "value": scheme}])
            for width in (1280, 360):
                self.browser.resize(width, 900)
                if not is_open:
                    self.open(path)
                self.browser.value(self.axe + "; true")
                passed, found = self.browser.value(
                    "axe.run(document).then(result => [result.passes.length, result.violations.map("
                    "rule => rule.id + ': ' + rule.nodes.map(node => node.html).join(' | '))])")
                if found or passed < 15:
                    raise Failure(f"{path}, {scheme}, {width}: {passed} rules hold, but not {found}")
                wide = self.browser.value("document.documentElement.scrollWidth")
                if wide > width:
                    raise Failure(f"{path}: {wide} points wide on a page of {width}")
        self.browser.call("Emulation.setEmulatedMedia", features=[])
        self.browser.resize(1280, 900)
        nameless = self.browser.nameless_controls()
        if nameless:
            raise Failure(f"{path}: controls without a name: {nameless}")
        print(f"  nothing keeps people out: {path}")


def check(desk, host, pictures):
    browser = desk.browser
    desk.open("/desk/customers/alice")
    expect("a stranger sees the page to sign in on", desk.title, "Sign in")
    desk.judge("/desk/sign-in")
    desk.sign_in("wrong")
    expect("a wrong token is refused", browser.value(
        "document.querySelector('[role=alert]').textContent"), "This token is not accepted.")
    desk.sign_in(AGENT)
    expect("the keyboard signs in", desk.title, "Overview")

    desk.tab_to("input[type=search]")
    desk.write("alice")
    desk.enter()
    expect("the keyboard finds a customer", desk.title, "Customer alice")
    if not any("the customer had turned renewal off" in text for text in desk.sentences):
        raise Failure(f"no reason: {desk.sentences}")
    print("  the page says why premium ended")
    browser.screenshot(os.path.join(pictures, "desk.png"))

    script = "/desk/customers/" + "".join(f"%{byte:02X}" for byte in SCRIPT.encode())
    for path in ["/desk", "/desk/customers/alice", "/desk/customers/bob", script,
                 f"/desk/purchases/{host.id}", "/desk/money", "/desk/products", "/desk/disputes", "/desk/parked", "/desk/undecoded",
                 "/desk/workers", "/desk/questions",
                 "/desk/acts", f"/desk/act/unlink?account=alice&purchase={host.id}",
                 f"/desk/act/link?account=bob&purchase={host.id}", f"/desk/act/refresh?account=alice&purchase={host.id}",
                 f"/desk/act/reconcile?account=alice&purchase={host.id}", "/desk/act/erase?account=alice",
                 "/desk/act/restore?account=alice&app=com.example.reader", "/desk/act/book?account=alice&amount=50",
                 f"/desk/act/dissociate?account=alice&purchase={host.id}&app=com.example.reader",
                 "/desk/act/resend?number=7", "/desk/act/discard?number=7",
                 "/desk/nothing"]:
        desk.judge(path)
    desk.open(script)
    expect("a script in a name is a text", desk.title, f"Customer {SCRIPT}")
    expect("also in the title", browser.value("document.title"), f"Customer {SCRIPT} · Desk")

    desk.open("/desk/customers/alice")
    desk.tab_to(f"a[href^='/desk/act/unlink']")
    desk.enter()
    expect("an act is shown first", "This would change" in browser.value(
        "document.querySelector('h2').textContent"), True)
    desk.tab_to("#reason")
    desk.write("she asked for it")
    desk.enter()
    expect("the keyboard does it", desk.title, "Customer alice")
    if not any("was unlinked from this account" in text for text in desk.sentences):
        raise Failure(f"not unlinked: {desk.sentences}")
    desk.open("/desk/acts")
    expect("it is recorded with who and why", browser.value(
        "[...document.querySelectorAll('tbody tr:first-child td')].slice(1).map(td => td.textContent)"),
        ["nora", "unlink", "alice", "she asked for it", "done"])

    answer(desk, host)
    notifications(desk, host)

    browser.click(".session button")
    desk.arrive("document.querySelector('h1')?.textContent === 'Sign in'")
    print("  a click signs out")
    desk.sign_in(READER)
    desk.open("/desk/customers/bob")
    expect("who reads is offered no act", browser.value(
        "document.querySelectorAll('a[href^=\"/desk/act/\"]').length"), 0)

    elsewhere = [url for url in browser.requests if not url.startswith((host.address, "data:", "about:"))]
    expect("nothing is loaded from elsewhere", elsewhere, [])
    complaints = [text for text in browser.complaints if "403" not in text and "404" not in text]
    expect("the browser complains of nothing", complaints, [])


def answer(desk, host):
    """From the overview to the answer of a store's question, with the keyboard."""
    browser = desk.browser
    desk.open("/desk")
    desk.tab_to("a[href='/desk/questions']")
    desk.enter()
    desk.tab_to("a[href^='/desk/answer']")
    desk.enter()
    desk.judge(browser.value("location.pathname + location.search"))
    desk.tab_to("#preference")
    desk.key("ArrowDown", 40)
    desk.tab_to("#consent")
    desk.key(" ", 32, " ")
    desk.tab_to("main button")
    desk.enter()
    expect("the answer is shown first", browser.value("document.querySelector('main li').textContent"),
           "Apple is told that you prefer DECLINE.")
    desk.judge(browser.value("location.pathname + location.search"))
    desk.tab_to("#reason")
    desk.write("used for a month")
    desk.enter()
    expect("the keyboard answers Apple", desk.title, "Customer bob")

    def is_sent():
        desk.open(f"/desk/purchases/{host.asked}")
        return browser.value("[...document.querySelectorAll('td')].some(td => td.textContent === 'answered')")
    end = time.monotonic() + 120
    while not is_sent():
        if time.monotonic() > end:
            raise Failure("the answer is not sent within a minute")
        time.sleep(1)
    print("  it is sent within a minute")
    decided = host.order("decideRefund", originalTransactionId=host.asked)
    expect("Apple decides by it", [one["type"] for one in decided["notifications"]], ["REFUND_DECLINED"])
    desk.open(f"/desk/purchases/{host.asked}")
    expect("the decision is on the page of the purchase", browser.value(
        "[...document.querySelectorAll('td')].some(td => td.textContent === 'REFUND_DECLINED')"), True)


def notifications(desk, host):
    """What Apple sent, as Apple's history has it."""
    browser = desk.browser
    desk.open(f"/desk/purchases/{host.asked}")
    browser.click(f"form[action^='/desk/notifications/'] button")
    desk.arrive("document.querySelector('h1')?.textContent.startsWith('Notifications')")
    desk.judge("the notifications of Apple's", is_open=True)
    kinds = browser.value(
        "[...document.querySelectorAll('tbody tr td:nth-child(2)')].map(td => td.textContent)")
    expect("Apple's notifications are listed", sorted(kinds), [
        "CONSUMPTION_REQUEST", "REFUND_DECLINED", "SUBSCRIBED, INITIAL_BUY"])
    browser.click("summary")
    expect("a payload can be read", browser.value(
        "document.querySelector('details[open] pre').textContent.includes('notificationUUID')"), True)


def main(binaries, axe, pictures):
    with tempfile.TemporaryDirectory() as folder:
        place = Place(binaries, folder)
        try:
            host = Host(place)
            with Browser() as browser:
                check(Desk(browser, host, axe), host, pictures)
        finally:
            place.end()


if __name__ == "__main__":
    main(*sys.argv[1:])
