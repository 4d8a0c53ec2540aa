"""Google's own client plays the calls about purchases against the simulated Play store.

Called by Tests/OfficialClients/run with the simulator's program. Only the client's address is not Google's: the
key file of the service account names the simulator as `token_uri`, and the program gives the addresses of the API
and of the keys of pushes. Each answer has to fit the schema that Google's client brings with it, and each method of
that schema is either played or listed as not served: one that begins to be served is a failure, so that it is
played too.
"""

import base64
import datetime
import json
import re
import sys
import time

import google.auth.exceptions
import google.auth.transport.requests
import jwt
from google.oauth2 import id_token, service_account
from googleapiclient import discovery, discovery_cache
from googleapiclient.errors import HttpError

from scene import Failure, Webhook, expect, expect_that, simulator, until

APP = "com.example.reader"
SCOPE = "https://www.googleapis.com/auth/androidpublisher"
ORDER = re.compile(r"GPA\.\d{4}-\d{4}-\d{4}-\d{5}")
MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")
DAY = datetime.timedelta(days=1)

# Methods, and whole resources, that the simulator does not have.
NOT_SERVED = {
    *(f"monetization.{name}" for name in (
        "convertRegionPrices", "subscriptions.archive", "subscriptions.batchGet", "subscriptions.batchUpdate",
        "subscriptions.create", "subscriptions.delete", "subscriptions.patch", "subscriptions.basePlans",
        "onetimeproducts.batchDelete", "onetimeproducts.batchGet", "onetimeproducts.batchUpdate",
        "onetimeproducts.delete", "onetimeproducts.patch", "onetimeproducts.purchaseOptions")),
    "applications", "apprecovery", "appsigning", "appstoreappsreview", "appstorecatalog", "edits",
    "generatedapks", "grants", "inappproducts", "internalappsharingartifacts",
    "reviews", "systemapks", "users",
    # Deprecated; subscriptionsv2 has both.
    "purchases.subscriptions.cancel", "purchases.subscriptions.defer",
}


class Schema:
    """The schema of the API, which the client brings with it."""

    def __init__(self):
        self.document = json.loads(discovery_cache.get_static_doc("androidpublisher", "v3"))

    def methods(self):
        """Each method with its name, as in `purchases.products.get`."""
        def walk(resources, place):
            for name, resource in resources.items():
                for method, content in resource.get("methods", {}).items():
                    yield f"{place}{name}.{method}", content
                yield from walk(resource.get("resources", {}), f"{place}{name}.")

        yield from walk(self.document["resources"], "")

    def check(self, name, value, place=""):
        """Checks that a value has the members, types and words of a schema."""
        properties = self.document["schemas"][name].get("properties", {})
        expect_that(f"{place or name} is an object", isinstance(value, dict))
        for member, content in value.items():
            where = f"{place or name}.{member}"
            expect_that(f"{where} is a member of Google's", member in properties)
            self.check_member(properties[member], content, where)

    def check_member(self, kind, value, where):
        if "$ref" in kind:
            return self.check(kind["$ref"], value, where)
        if kind["type"] == "array":
            expect_that(f"{where} is a list, and not an empty one", isinstance(value, list) and value)
            return [self.check_member(kind["items"], one, where) for one in value]
        types = {"string": str, "integer": int, "boolean": bool, "object": dict}
        expect(f"the type of {where}", type(value), types[kind["type"]])
        if "enum" in kind:
            expect_that(f"{where} is a word of Google's: {value}", value in kind["enum"])
        if kind.get("format") == "int64":
            expect_that(f"{where} is a number: {value}", value.lstrip("-").isdigit())
        if kind.get("format") == "google-datetime":
            expect_that(f"{where} is a time: {value}", MOMENT.fullmatch(value))


def date(text):
    return datetime.datetime.fromisoformat(text)


def refused(what, call, status, reason):
    """Checks that Google's client reports a refusal."""
    try:
        call()
    except HttpError as error:
        details = error.error_details
        found = details[0].get("reason") if isinstance(details, list) else details
        expect(f"{what}: status and reason", (error.status_code, found), (status, reason))
        return
    raise Failure(f"{what} was not refused")


class Play:
    """Google's client, for a simulator with a webhook."""

    def __init__(self, store, webhook):
        self.store = store
        self.webhook = webhook
        self.schema = Schema()
        self.played = set()
        self.key = json.loads(store.file("account.json"))
        self.service = self.client()

    def client(self):
        """A new client of the API, with an access token of its own."""
        credentials = service_account.Credentials.from_service_account_info(self.key, scopes=[SCOPE])
        return discovery.build(
            "androidpublisher", "v3", credentials=credentials, cache_discovery=False,
            # The only difference from a server's own client.
            client_options={"api_endpoint": self.store.address})

    def request(self, method_name, /, **parameters):
        """The request for a method, such as `purchases.products.get`."""
        *resources, method = method_name.split(".")
        place = self.service
        for resource in resources:
            place = getattr(place, resource)()
        return getattr(place, method)(**parameters)

    def call(self, name, /, retries=0, **parameters):
        """Calls a method about the app, and checks the answer against the schema."""
        method = dict(self.schema.methods())[name]
        if "packageName" in method["parameters"]:
            parameters["packageName"] = APP
        answer = self.request(name, **parameters).execute(num_retries=retries)
        kind = method.get("response")
        if kind:
            self.schema.check(kind["$ref"], answer)
        else:
            expect(f"the answer of {name}", bool(answer), False)
        self.played.add(name)
        return answer

    def order(self, name, **body):
        """Gives an order about the Play store, and returns the purchase."""
        return self.store.order("play/" + name, **body).get("purchase")

    def subscription(self, purchase, state):
        """A subscription as Google answers with it, which has to be in a state."""
        answer = self.call("purchases.subscriptionsv2.get", token=purchase["purchaseToken"])
        expect("the state", answer["subscriptionState"], "SUBSCRIPTION_STATE_" + state)
        return answer

    def acknowledge(self, purchase):
        self.call("purchases.subscriptions.acknowledge", subscriptionId=purchase["product"],
                  token=purchase["purchaseToken"], body={})

    # The chapters, in order.

    def tell(self):
        self.subscribe()
        self.pushes()
        self.renew_and_fail()
        self.change_price_and_plan()
        self.end()
        self.other_purchases()
        self.products()
        self.voided()
        self.catalog()
        self.orders()
        self.changes()
        self.refund_review()
        self.external_transactions()
        self.refusals()
        self.faults()
        self.not_served()
        self.pass_time()
        self.lose_access()

    def subscribe(self):
        bought = self.order("subscribe", customer="anna", product="reader_standard", basePlan="monthly",
                            account="account-1", profile="profile-1")
        self.anna = bought
        answer = self.subscription(bought, "ACTIVE")
        expect("not acknowledged", answer["acknowledgementState"], "ACKNOWLEDGEMENT_STATE_PENDING")
        expect("the account", answer["externalAccountIdentifiers"], {
            "obfuscatedExternalAccountId": "account-1", "obfuscatedExternalProfileId": "profile-1"})
        [item] = answer["lineItems"]
        expect("the product", (item["productId"], item["offerDetails"]["basePlanId"]),
               ("reader_standard", "monthly"))
        expect("the period", date(item["expiryTime"]) - date(answer["startTime"]), 30 * DAY)
        expect("the price", item["autoRenewingPlan"],
               {"autoRenewEnabled": True,
                "recurringPrice": {"currencyCode": "USD", "units": "4", "nanos": 990_000_000}})
        expect_that("the order number is like Google's", ORDER.fullmatch(item["latestSuccessfulOrderId"]))
        expect("no test purchase", "testPurchase" in answer, False)
        self.acknowledge(bought)
        acknowledged = self.subscription(bought, "ACTIVE")
        expect("acknowledged", acknowledged["acknowledgementState"], "ACKNOWLEDGEMENT_STATE_ACKNOWLEDGED")
        expect_that("the etag has changed", acknowledged["etag"] != answer["etag"])

    def claims(self):
        """The claims of the newest push, which google-auth verifies with the simulator's keys."""
        headers, _ = self.webhook.received[-1]
        token = headers["Authorization"].removeprefix("Bearer ")
        return id_token.verify_token(
            token, google.auth.transport.requests.Request(), audience=self.webhook.address,
            certs_url=self.store.address + "/oauth2/v3/certs")

    def pushes(self):
        message = self.webhook.received[-1][1]["message"]
        notification = json.loads(base64.b64decode(message["data"]))
        expect("the push", (notification["version"], notification["packageName"],
                            notification["subscriptionNotification"]["notificationType"],
                            notification["subscriptionNotification"]["purchaseToken"]),
               ("1.0", APP, 4, self.anna["purchaseToken"]))
        state = self.store.state("/control/play/state")
        number = state["notifications"][0]["number"]
        genuine = self.claims()
        expect("the sender", (genuine["email"], genuine["email_verified"], genuine["iss"]),
               (state["pushEmail"], True, "https://accounts.google.com"))

        def pushed(sender):
            self.store.order("play/push", number=number, **{"as": sender})
            return self.claims()

        # What google-auth leaves to the server: whose token it is.
        expect_that("a stranger has another address", pushed("stranger")["email"] != genuine["email"])
        expect("an address that is not verified", pushed("unverifiedEmail")["email_verified"], False)
        expect_that("another issuer", pushed("otherIssuer")["iss"] != genuine["iss"])
        for sender, kind in (
            ("otherAudience", jwt.InvalidAudienceError), ("expired", jwt.ExpiredSignatureError),
            ("fromTheFuture", jwt.ImmatureSignatureError), ("altered", jwt.InvalidSignatureError),
            ("unknownKey", jwt.PyJWKClientError),
        ):
            try:
                pushed(sender)
            except jwt.PyJWTError as error:
                expect(f"the fault of {sender}", type(error), kind)
            else:
                raise Failure(f"a push as {sender} was believed")
        self.store.order("play/rotateKeys")
        expect("the sender, after a change of keys", pushed("pubSub")["email"], genuine["email"])

    def renew_and_fail(self):
        first = self.subscription(self.anna, "ACTIVE")["lineItems"][0]
        for number in range(2):
            self.order("renew", customer="anna")
            item = self.subscription(self.anna, "ACTIVE")["lineItems"][0]
            expect("the order of a renewal", item["latestSuccessfulOrderId"],
                   f"{first['latestSuccessfulOrderId']}..{number}")
        expect("two periods more", date(item["expiryTime"]) - date(first["expiryTime"]), 60 * DAY)
        self.order("failRenewal", customer="anna", days=7)
        self.subscription(self.anna, "IN_GRACE_PERIOD")
        self.order("recover", customer="anna")
        self.subscription(self.anna, "ACTIVE")
        self.order("failRenewal", customer="anna")
        self.subscription(self.anna, "ON_HOLD")
        self.order("recover", customer="anna")
        self.subscription(self.anna, "ACTIVE")

    def change_price_and_plan(self):
        def change(**price):
            self.order("changePrice", customer="anna", **price)
            item = self.subscription(self.anna, "ACTIVE")["lineItems"][0]
            return item["autoRenewingPlan"]["priceChangeDetails"]

        higher = change(units=6, nanos=0)
        expect("a higher price", (higher["newPrice"], higher["priceChangeMode"], higher["priceChangeState"]),
               ({"currencyCode": "USD", "units": "6"}, "PRICE_INCREASE", "OUTSTANDING"))
        self.order("confirmPrice", customer="anna")
        item = self.subscription(self.anna, "ACTIVE")["lineItems"][0]
        expect("it is confirmed", item["autoRenewingPlan"]["priceChangeDetails"]["priceChangeState"], "CONFIRMED")
        self.order("stepUpPrice", customer="anna", units=7, nanos=0)
        item = self.subscription(self.anna, "ACTIVE")["lineItems"][0]
        step = item["autoRenewingPlan"]["priceStepUpConsentDetails"]
        expect("a step of the price", (step["newPrice"], step["state"]), ({"currencyCode": "USD", "units": "7"}, "PENDING"))
        self.order("consentToPriceStep", customer="anna")
        item = self.subscription(self.anna, "ACTIVE")["lineItems"][0]
        expect("it is agreed to", item["autoRenewingPlan"]["priceStepUpConsentDetails"]["state"], "CONFIRMED")
        lower = change(units=0, nanos=500_000_000)
        expect("a lower price", (lower["newPrice"], lower["priceChangeMode"]),
               ({"currencyCode": "USD", "nanos": 500_000_000}, "PRICE_DECREASE"))
        changed = self.order("changePlan", customer="anna", product="reader_premium", basePlan="yearly")
        answer = self.subscription(changed, "ACTIVE")
        expect("the chain", answer["linkedPurchaseToken"], self.anna["purchaseToken"])
        expect("the new product", answer["lineItems"][0]["productId"], "reader_premium")
        old = self.subscription(self.anna, "EXPIRED")
        expect("why the old one has ended", old["canceledStateContext"], {"replacementCancellation": {}})
        self.acknowledge(changed)
        self.anna = changed

    def end(self):
        self.order("cancel", customer="anna", by="developer")
        answer = self.subscription(self.anna, "CANCELED")
        expect("who canceled", answer["canceledStateContext"], {"developerInitiatedCancellation": {}})
        expect("it renews no more", answer["lineItems"][0]["autoRenewingPlan"].get("autoRenewEnabled"), None)
        self.order("restore", customer="anna")
        self.subscription(self.anna, "ACTIVE")
        self.order("cancel", customer="anna", by="user")
        canceled = self.subscription(self.anna, "CANCELED")["canceledStateContext"]
        expect("the customer canceled", list(canceled["userInitiatedCancellation"]), ["cancelTime"])
        self.order("expire", customer="anna")
        self.subscription(self.anna, "EXPIRED")
        again = self.order("resubscribeOutOfApp", customer="anna")
        out_of_app = self.subscription(again, "ACTIVE")["outOfAppPurchaseContext"]
        expect("bought in Google's pages", out_of_app["expiredPurchaseToken"], self.anna["purchaseToken"])
        self.order("revoke", customer="anna")
        self.subscription(again, "EXPIRED")
        self.revoked = again

    def other_purchases(self):
        pending = self.order("subscribe", customer="ben", product="reader_standard", payment="pending")
        answer = self.subscription(pending, "PENDING")
        expect("it has not begun", "startTime" in answer, False)
        refused("to acknowledge it", lambda: self.acknowledge(pending), 400, "invalidPurchaseState")
        self.order("completePayment", customer="ben")
        self.subscription(pending, "ACTIVE")
        given_up = self.order("subscribe", customer="cem", product="reader_standard", payment="pending")
        self.order("cancelPayment", customer="cem")
        self.subscription(given_up, "PENDING_PURCHASE_CANCELED")
        tester = self.order("subscribe", customer="dora", product="reader_premium", buyer="licenseTester")
        expect("a test purchase", self.subscription(tester, "ACTIVE")["testPurchase"], {})
        prepaid = self.order("subscribe", customer="emil", product="reader_standard", basePlan="prepaid-month")
        [item] = self.subscription(prepaid, "ACTIVE")["lineItems"]
        expect("a prepaid plan", ("prepaidPlan" in item, "autoRenewingPlan" in item), (True, False))
        self.acknowledge(prepaid)
        more = self.order("topUp", customer="emil")
        answer = self.subscription(more, "ACTIVE")
        expect("topped up", answer["linkedPurchaseToken"], prepaid["purchaseToken"])

    def products(self):
        gems = self.order("buy", customer="fay", product="reader_gems", quantity=3, account="account-2")
        both = {"productId": "reader_gems", "token": gems["purchaseToken"]}
        newer, older = "purchases.productsv2.getproductpurchasev2", "purchases.products.get"
        answer = self.call(newer, token=gems["purchaseToken"])
        [line] = answer["productLineItem"]
        offer = line["productOfferDetails"]
        expect("the pack", (line["productId"], offer["quantity"], offer["consumptionState"]),
               ("reader_gems", 3, "CONSUMPTION_STATE_YET_TO_BE_CONSUMED"))
        expect("it is paid", answer["purchaseStateContext"], {"purchaseState": "PURCHASED"})
        expect("its account", answer["obfuscatedExternalAccountId"], "account-2")
        expect_that("its order number", ORDER.fullmatch(answer["orderId"]))
        first = self.call(older, **both)
        expect("the older form", [first[name] for name in ("orderId", "purchaseState", "consumptionState", "quantity")],
               [answer["orderId"], 0, 0, 3])
        age = abs(time.time() * 1000 - int(first["purchaseTimeMillis"]))
        expect_that("the time of the purchase", age < 600_000)
        self.call("purchases.products.consume", **both)
        expect("it is consumed", self.call(older, **both)["consumptionState"], 1)
        [line] = self.call(newer, token=gems["purchaseToken"])["productLineItem"]
        expect("in the newer form too", line["productOfferDetails"]["consumptionState"], "CONSUMPTION_STATE_CONSUMED")
        book = self.order("buy", customer="fay", product="reader_lifetime")
        both = {"productId": "reader_lifetime", "token": book["purchaseToken"]}
        expect("not acknowledged", self.call(older, **both)["acknowledgementState"], 0)
        self.call("purchases.products.acknowledge", **both, body={})
        expect("acknowledged", self.call(older, **both)["acknowledgementState"], 1)
        film = self.order("buy", customer="fay", product="reader_lifetime", option="rent")
        [line] = self.call(newer, token=film["purchaseToken"])["productLineItem"]
        expect("rented", line["productOfferDetails"]["rentOfferDetails"], {})
        early = self.order("buy", customer="fay", product="reader_lifetime", preorderDays=3)
        answer = self.call(newer, token=early["purchaseToken"])
        expect("not released", answer["purchaseStateContext"]["purchaseState"], "PENDING")
        expect("until when", list(answer["productLineItem"][0]["productOfferDetails"]["preorderOfferDetails"]),
               ["preorderReleaseTime"])
        for purchase, name in ((film, "rentalDetails"), (early, "preorderDetails")):
            [line] = self.call("orders.get", orderId=purchase["orderId"])["lineItems"]
            expect(f"its order has {name}", line["oneTimePurchaseDetails"][name], {})
        self.gems, self.book = gems, book

    def voided(self):
        self.order("refund", purchaseToken=self.book["purchaseToken"])
        expect("refunded", self.call("purchases.productsv2.getproductpurchasev2", token=self.book["purchaseToken"])[
            "purchaseStateContext"], {"purchaseState": "CANCELLED"})
        listed = "purchases.voidedpurchases.list"
        only = self.call(listed)["voidedPurchases"]
        expect("voided products", [(one["purchaseToken"], one["orderId"]) for one in only],
               [(self.book["purchaseToken"], self.book["orderId"])])
        everything, token = [], None
        while True:
            more = {"token": token} if token else {}
            page = self.call(listed, type=1, maxResults=1, **more)
            everything += page["voidedPurchases"]
            token = page.get("tokenPagination", {}).get("nextPageToken")
            if not token:
                break
        tokens = [one["purchaseToken"] for one in everything]
        expect("voided subscriptions too", (self.revoked["purchaseToken"] in tokens, len(tokens) == len(set(tokens))),
               (True, True))
        now = int(time.time() * 1000)
        expect("voided in the last minute", self.call(listed, startTime=str(now - 1000), endTime=str(now - 999)), {})
        refused("a window in the future", lambda: self.call(listed, startTime=str(now + 10**9)), 400, "invalid")

    def catalog(self):
        both = {"subscriptions": ["reader_standard", "reader_premium"], "onetimeproducts": ["reader_gems", "reader_lifetime"]}
        for name, products in both.items():
            found, token = [], None
            while True:
                page = self.call(f"monetization.{name}.list", pageSize=1, **({"pageToken": token} if token else {}))
                found += page["oneTimeProducts" if name == "onetimeproducts" else name]
                token = page.get("nextPageToken")
                if not token:
                    break
            expect(f"the list of {name}", [one["productId"] for one in found], products)
            one = self.call(f"monetization.{name}.get", productId=products[0])
            expect("the same alone", one, found[0])
            refused("an unknown product", lambda: self.call(f"monetization.{name}.get", productId="x"), 404, "notFound")
        plans = self.call("monetization.subscriptions.get", productId="reader_standard")["basePlans"]
        expect("base plans", [one["basePlanId"] for one in plans], ["monthly", "yearly", "prepaid-month"])

    def orders(self):
        price = {"currencyCode": "USD", "units": "1"}
        gems = self.call("orders.get", orderId=self.gems["orderId"])
        [item] = gems["lineItems"]
        expect("the order", (gems["orderId"], gems["purchaseToken"], gems["state"], gems["total"]),
               (self.gems["orderId"], self.gems["purchaseToken"], "PROCESSED", {"currencyCode": "USD", "units": "3"}))
        expect("its item", (item["productId"], item["oneTimePurchaseDetails"]["quantity"], item["listingPrice"]),
               ("reader_gems", 3, price))
        expect("its history", list(gems["orderHistory"]), ["processedEvent"])
        book = self.call("orders.get", orderId=self.book["orderId"])
        expect("a refunded order", (book["state"], book["orderHistory"]["refundEvent"]["refundDetails"]["total"]),
               ("REFUNDED", price))
        ken = self.order("subscribe", customer="ken", product="reader_standard", basePlan="monthly")
        self.order("renew", customer="ken")
        first, renewed = ken["orderId"], ken["orderId"] + "..0"
        both = self.call("orders.batchget", orderIds=[first, renewed])["orders"]
        expect("orders of one subscription", [(one["orderId"], one["purchaseToken"]) for one in both],
               [(first, ken["purchaseToken"]), (renewed, ken["purchaseToken"])])
        periods = [one["lineItems"][0]["subscriptionDetails"] for one in both]
        expect("a renewal begins where the period before ends", periods[1]["servicePeriodStartTime"],
               periods[0]["servicePeriodEndTime"])
        expect("the phase", periods[0]["offerPhaseDetails"], {"baseDetails": {}})
        refused("an unknown order among known ones",
                lambda: self.call("orders.batchget", orderIds=[first, "GPA.0000-0000-0000-00000"]), 404, "notFound")
        refused("one order twice", lambda: self.call("orders.batchget", orderIds=[first, first]), 400, "invalid")
        self.call("orders.refund", orderId=first)
        self.subscription(ken, "ACTIVE")
        expect("the money is back", self.call("orders.get", orderId=first)["state"], "REFUNDED")
        refused("to refund it again", lambda: self.call("orders.refund", orderId=first), 400, "invalidPurchaseState")
        self.call("orders.refund", orderId=renewed, revoke=True)
        self.subscription(ken, "EXPIRED")
        tokens = [(one["purchaseToken"], one["orderId"])
                  for one in self.call("purchases.voidedpurchases.list", type=1)["voidedPurchases"]]
        expect("only a refund that takes the goods back is listed",
               ((ken["purchaseToken"], first) in tokens, (ken["purchaseToken"], renewed) in tokens), (False, True))
        pending = self.order("buy", customer="lea", product="reader_gems", payment="pending")
        expect("an order that is not paid", self.call("orders.get", orderId=pending["orderId"])["state"], "PENDING")
        self.order("cancelPayment", customer="lea")
        canceled = self.call("orders.get", orderId=pending["orderId"])
        expect("one that was given up", (canceled["state"], list(canceled["orderHistory"])),
               ("CANCELED", ["cancellationEvent"]))

    def changes(self):
        """The developer's changes of subscriptions."""
        def bought(customer):
            return self.order("subscribe", customer=customer, product="reader_standard", basePlan="monthly")

        def change(name, purchase, **context):
            member = {"cancel": "cancellationContext", "defer": "deferralContext", "revoke": "revocationContext"}[name]
            return self.call("purchases.subscriptionsv2." + name, token=purchase["purchaseToken"], body={member: context})

        mia = bought("mia")
        answer = self.subscription(mia, "ACTIVE")
        before = date(answer["lineItems"][0]["expiryTime"])
        week = {"deferDuration": "604800s", "etag": answer["etag"]}
        [item] = change("defer", mia, validateOnly=True, **week)["itemExpiryTimeDetails"]
        expect("a deferral that is only tried", (item["productId"], date(item["expiryTime"]) - before),
               ("reader_standard", 7 * DAY))
        expect("nothing has changed", self.subscription(mia, "ACTIVE"), answer)
        change("defer", mia, **week)
        deferred = self.subscription(mia, "ACTIVE")
        expect("a deferral", date(deferred["lineItems"][0]["expiryTime"]) - before, 7 * DAY)
        refused("an old etag", lambda: change("defer", mia, **week), 400, "invalid")
        change("cancel", mia, cancellationType="USER_REQUESTED_STOP_RENEWALS")
        context = self.subscription(mia, "CANCELED")["canceledStateContext"]
        expect("canceled for the user", list(context), ["userInitiatedCancellation"])
        nia = bought("nia")
        change("cancel", nia, cancellationType="DEVELOPER_REQUESTED_STOP_PAYMENTS")
        context = self.subscription(nia, "CANCELED")["canceledStateContext"]
        expect("canceled by the developer", context, {"developerInitiatedCancellation": {}})
        refused("no kind of cancellation", lambda: change("cancel", nia), 400, "invalid")
        change("revoke", nia, fullRefund={})
        self.subscription(nia, "EXPIRED")
        expect("its order", self.call("orders.get", orderId=nia["orderId"])["state"], "REFUNDED")
        refused("to revoke it again", lambda: change("revoke", nia, fullRefund={}), 400, "invalidPurchaseState")
        oli = bought("oli")
        change("revoke", oli, proratedRefund={})
        self.subscription(oli, "EXPIRED")
        order = self.call("orders.get", orderId=oli["orderId"])
        [part] = order["orderHistory"]["partialRefundEvents"]
        expect("a prorated refund", (order["state"], part["state"]), ("PARTIALLY_REFUNDED", "PROCESSED_SUCCESSFULLY"))
        pia = bought("pia")
        refused("an item that is not there", lambda: change("revoke", pia, itemBasedRefund={"productId": "reader_gems"}),
                400, "purchaseTokenDoesNotMatchProductId")
        change("revoke", pia, itemBasedRefund={"productId": "reader_standard"})
        self.subscription(pia, "EXPIRED")
        refused("two kinds of refund", lambda: change("revoke", pia, fullRefund={}, proratedRefund={}), 400, "invalid")

    def refund_review(self):
        """Google asks for a review of a chargeback, and takes one answer."""
        name = "pendingRefundReviewNotification"
        self.order("requestRefundReview", customer="fay", purchaseToken=self.gems["purchaseToken"])

        # Pushes of earlier chapters may still arrive.
        def questions():
            pushes = [json.loads(base64.b64decode(body["message"]["data"])) for _, body in list(self.webhook.received)]
            return [push[name] for push in pushes if name in push]

        question = until("the question", questions)[-1]
        expect("the question", (question["orderId"], question["refundReason"], question["obfuscatedAccountId"]),
               (self.gems["orderId"], 7, "account-2"))
        body = {
            "pendingRefundToken": question["pendingRefundToken"], "refundPreference": "DECLINE",
            "sampleContentProvided": True, "consumptionPercentageMilliunits": 45_200,
            "consumptionUsageEvents": [{
                "consumptionTime": "2026-11-01T00:00:00Z", "consumptionItemDescription": "ten gems",
                "ipAddress": "192.0.2.1", "location": {"regionCode": "CH"}, "obfuscatedAccountId": "account-2"}]}

        def answer(**other):
            return self.call("orders.reviewrefund", orderId=self.gems["orderId"], body=body | other)

        refused("another token", lambda: answer(pendingRefundToken="x"), 400, "invalid")
        refused("more than was bought", lambda: answer(consumptionPercentageMilliunits=100_001), 400, "invalid")
        refused("no preference", lambda: answer(refundPreference="REFUND_PREFERENCE_UNSPECIFIED"), 400, "invalid")
        answer()
        refused("a second answer", answer, 400, "invalidPurchaseState")

    def external_transactions(self):
        def amount(micros):
            return {"currency": "EUR", "priceMicros": str(micros)}

        payment = {
            "originalPreTaxAmount": amount(10_000_000), "originalTaxAmount": amount(1_900_000),
            "transactionTime": "2026-11-01T12:00:00Z", "userTaxAddress": {"regionCode": "DE"}}

        def create(name, **members):
            return self.call("externaltransactions.createexternaltransaction", parent="applications/" + APP,
                             externalTransactionId=name, body=payment | members)

        def refund(name, **members):
            return self.call(
                "externaltransactions.refundexternaltransaction", name=f"applications/{APP}/externalTransactions/{name}",
                body={"refundTime": "2026-11-02T12:00:00Z"} | members)

        once = {"oneTimeTransaction": {"externalTransactionToken": "token-1"}}
        made = create("one-1", **once)
        expect("a payment", (made["externalTransactionId"], made["packageName"], made["transactionState"],
                             made["currentPreTaxAmount"], made["oneTimeTransaction"]),
               ("one-1", APP, "TRANSACTION_REPORTED", amount(10_000_000), {}))
        name = f"applications/{APP}/externalTransactions/one-1"
        expect("it is kept", self.call("externaltransactions.getexternaltransaction", name=name), made)
        refused("the same identifier", lambda: create("one-1", **once), 409, "alreadyExists")
        refused("an identifier with a space", lambda: create("one 1", **once), 400, "invalid")
        refused("what only Google writes", lambda: create("one-2", createTime="2026-11-01T12:00:00Z", **once),
                400, "invalid")
        part = {"refundId": "refund-1", "refundPreTaxAmount": amount(2_500_000)}
        left = refund("one-1", partialRefund=part)
        expect("a part is refunded", (left["currentPreTaxAmount"], left["currentTaxAmount"], left["transactionState"]),
               (amount(7_500_000), amount(1_425_000), "TRANSACTION_REPORTED"))
        refused("the same refund again", lambda: refund("one-1", partialRefund=part), 400, "invalid")
        gone = refund("one-1", fullRefund={})
        expect("the rest is refunded", (gone["currentPreTaxAmount"], gone["transactionState"]),
               (amount(0), "TRANSACTION_CANCELED"))
        refused("nothing is left", lambda: refund("one-1", fullRefund={}), 400, "invalidPurchaseState")
        series = {"externalSubscription": {"subscriptionType": "RECURRING"}}
        create("first", recurringTransaction={"externalTransactionToken": "token-2"} | series)
        next_one = create("second", recurringTransaction={"initialExternalTransactionId": "first"} | series)
        expect("a further payment", next_one["recurringTransaction"], {"initialExternalTransactionId": "first"} | series)
        refused("a series that nobody began",
                lambda: create("third", recurringTransaction={"initialExternalTransactionId": "zero"} | series),
                400, "invalid")

    def refusals(self):
        token = self.gems["purchaseToken"]
        get = "purchases.subscriptionsv2.get"
        refused("a text that is no token", lambda: self.call(get, token="x"), 400, "invalid")
        refused("a token of a product", lambda: self.call(get, token=token), 400, "invalid")
        unknown = token[:-4] + ("aaaa" if token[-4:] != "aaaa" else "bbbb")
        refused("an unknown token", lambda: self.call(get, token=unknown), 404, "notFound")
        refused("another product", lambda: self.call("purchases.products.get", productId="reader_lifetime", token=token),
                400, "purchaseTokenDoesNotMatchProductId")
        other = self.request(get, packageName="com.example.nobody", token=token)
        refused("a package of nobody", other.execute, 404, "notFound")
        gone = self.order("subscribe", customer="gus", product="reader_standard")
        self.store.order("play/forget", customer="gus")
        refused("a forgotten token", lambda: self.call(get, token=gone["purchaseToken"]), 410,
                "purchaseTokenNoLongerValid")

    def faults(self):
        """The client repeats by itself what Google cannot answer now."""
        both = {"productId": "reader_gems", "token": self.gems["purchaseToken"]}
        for fault in ("backendError", "tooManyRequests"):
            self.store.order("play/fault", fault=fault, count=1)
            self.call("purchases.products.get", retries=2, **both)
        self.store.order("play/fault", fault="projectNotLinked", count=1)
        refused("a project that is not linked", lambda: self.call("purchases.products.get", **both), 403,
                "projectNotLinked")

    def not_served(self):
        """Tries each method that is listed as not served: none may have an answer, and none may be missing."""
        values = {
            "packageName": APP, "subscriptionId": "reader_standard", "productId": "reader_gems",
            "token": self.revoked["purchaseToken"], "orderId": self.gems["orderId"]}
        listed = set()
        for name, method in self.schema.methods():
            entry = next((one for one in NOT_SERVED if (name + ".").startswith(one + ".")), None)
            if entry is None:
                continue
            listed.add(entry)
            parameters = {
                one: self.value(one, content, values) for one, content in method.get("parameters", {}).items()
                if content.get("required")}
            if "request" in method:
                parameters["body"] = {}
            refused(name + ", which is listed as not served", self.request(name, **parameters).execute, 404, "notFound")
            self.unserved += 1
        expect("entries that stand for no method of Google's", NOT_SERVED - listed, set())
        served = {name for name, _ in self.schema.methods()
                  if not any((name + ".").startswith(one + ".") for one in NOT_SERVED)}
        expect("methods that are neither played nor listed", served - self.played, set())
        expect("methods that are played and listed", self.played - served, set())

    unserved = 0

    @staticmethod
    def value(name, content, values):
        """A value for a parameter that Google's client accepts."""
        if name in values:
            return values[name]
        if "pattern" in content:
            return content["pattern"].strip("^$").replace("[^/]+", "x")
        if "enum" in content:
            return content["enum"][-1]
        return {"integer": 1, "boolean": True}.get(content["type"], "x")

    def pass_time(self):
        """What happens by itself; the access token of the client ends too, and the client gets another one."""
        paused = self.order("subscribe", customer="hal", product="reader_standard", account="account-3")
        self.acknowledge(paused)
        self.order("pause", customer="hal", days=20)
        canceled = self.order("subscribe", customer="ida", product="reader_standard")
        self.acknowledge(canceled)
        self.order("cancel", customer="ida")
        late = self.order("subscribe", customer="jan", product="reader_standard")
        self.store.order("advance", days=31)
        answer = self.subscription(paused, "PAUSED")
        expect("the end of the pause", list(answer["pausedStateContext"]), ["autoResumeTime"])
        self.subscription(canceled, "EXPIRED")
        self.subscription(late, "EXPIRED")
        listed = self.call("purchases.voidedpurchases.list", type=1)["voidedPurchases"]
        expect_that("what nobody acknowledged is refunded", late["purchaseToken"] in
                    [one["purchaseToken"] for one in listed])
        self.store.order("advance", days=61)
        refused("a subscription that ended long ago", lambda: self.subscription(canceled, "EXPIRED"), 410,
                "subscriptionPurchaseNoLongerAvailable")

    def lose_access(self):
        both = {"productId": "reader_gems", "token": self.gems["purchaseToken"]}
        self.store.order("play/access", change="revokeTokens")
        # The client gets a new access token by itself.
        self.call("purchases.products.get", **both)
        self.store.order("play/access", change="deleteKey")
        self.service = self.client()
        try:
            self.call("purchases.products.get", **both)
        except google.auth.exceptions.RefreshError as error:
            expect("what a deleted key gets", error.args[1].get("error"), "invalid_grant")
        else:
            raise Failure("a deleted key is accepted")


def main(program):
    start = time.monotonic()
    webhook = Webhook()
    with simulator(
        program, "--play-key-file", "FOLDER/account.json", "--play-package", APP, "--play-push-url", webhook.address,
    ) as store:
        play = Play(store, webhook)
        play.tell()
    webhook.close()
    print(f"Google's client: {len(play.played)} methods pass, {play.unserved} are not served;"
          f" {time.monotonic() - start:.0f} s")


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except Failure as failure:
        sys.exit(f"FAILED: {failure}")
