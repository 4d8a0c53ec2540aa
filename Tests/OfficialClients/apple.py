"""Apple's own client plays every one of its calls against the App Store simulator, in both environments.

Called by Tests/OfficialClients/run with the simulator's program. Only the client's address and the trusted root
are not Apple's. The calls are those of app-store-server-library; a method that this program does not call is a
failure, so that a new version of the library is noticed.
"""

import asyncio
import inspect
import struct
import sys
import time
import uuid
import warnings
import zlib

from appstoreserverlibrary.api_client import (
    APIError, APIException, AppStoreServerAPIClient, AsyncAppStoreServerAPIClient, GetTransactionHistoryVersion)
from appstoreserverlibrary.models.AccountTenure import AccountTenure
from appstoreserverlibrary.models.AutoRenewStatus import AutoRenewStatus
from appstoreserverlibrary.models.ConsumptionRequest import ConsumptionRequest
from appstoreserverlibrary.models.ConsumptionRequestV1 import ConsumptionRequestV1
from appstoreserverlibrary.models.ConsumptionStatus import ConsumptionStatus
from appstoreserverlibrary.models.DefaultConfigurationRequest import DefaultConfigurationRequest
from appstoreserverlibrary.models.DeliveryStatus import DeliveryStatus
from appstoreserverlibrary.models.DeliveryStatusV1 import DeliveryStatusV1
from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.models.ExtendReasonCode import ExtendReasonCode
from appstoreserverlibrary.models.ExtendRenewalDateRequest import ExtendRenewalDateRequest
from appstoreserverlibrary.models.ImageSize import ImageSize
from appstoreserverlibrary.models.ImageState import ImageState
from appstoreserverlibrary.models.LifetimeDollarsPurchased import LifetimeDollarsPurchased
from appstoreserverlibrary.models.LifetimeDollarsRefunded import LifetimeDollarsRefunded
from appstoreserverlibrary.models.MassExtendRenewalDateRequest import MassExtendRenewalDateRequest
from appstoreserverlibrary.models.MessageState import MessageState
from appstoreserverlibrary.models.NotificationHistoryRequest import NotificationHistoryRequest
from appstoreserverlibrary.models.NotificationTypeV2 import NotificationTypeV2
from appstoreserverlibrary.models.OrderLookupStatus import OrderLookupStatus
from appstoreserverlibrary.models.PerformanceTestRequest import PerformanceTestRequest
from appstoreserverlibrary.models.PerformanceTestStatus import PerformanceTestStatus
from appstoreserverlibrary.models.Platform import Platform
from appstoreserverlibrary.models.PlayTime import PlayTime
from appstoreserverlibrary.models.RealtimeUrlRequest import RealtimeUrlRequest
from appstoreserverlibrary.models.RefundPreference import RefundPreference
from appstoreserverlibrary.models.RefundPreferenceV1 import RefundPreferenceV1
from appstoreserverlibrary.models.RevocationReason import RevocationReason
from appstoreserverlibrary.models.SendAttemptResult import SendAttemptResult
from appstoreserverlibrary.models.Status import Status
from appstoreserverlibrary.models.Subtype import Subtype
from appstoreserverlibrary.models.TransactionHistoryRequest import Order, ProductType, TransactionHistoryRequest
from appstoreserverlibrary.models.TransactionReason import TransactionReason
from appstoreserverlibrary.models.Type import Type
from appstoreserverlibrary.models.UpdateAppAccountTokenRequest import UpdateAppAccountTokenRequest
from appstoreserverlibrary.models.UploadMessageImage import UploadMessageImage
from appstoreserverlibrary.models.UploadMessageRequestBody import UploadMessageRequestBody
from appstoreserverlibrary.models.UserStatus import UserStatus
from appstoreserverlibrary.receipt_utility import ReceiptUtility
from appstoreserverlibrary.signed_data_verifier import (
    SignedDataVerifier, VerificationException, VerificationStatus)

from scene import Failure, Webhook, expect, expect_that, simulator, until

APP = "com.example.reader"
APPLE_ID = 1234567890
PACK = "com.example.gems.big"
DAY = 86_400_000  # milliseconds

# What Apple serves in one environment only: App Store Server API rules, sections 2.1 and 2.5.
PRODUCTION_ONLY = {"look_up_order_id"}
SANDBOX_ONLY = {"initiate_performance_test", "get_performance_test_results"}
# Apple no longer makes transaction receipts, so the simulator has none to take apart.
NOT_SERVED = {"extract_transaction_id_from_transaction_receipt"}


def methods(kind):
    """The names of the public methods of a class."""
    return {
        name for name, _ in inspect.getmembers(kind, inspect.isfunction)
        if not name.startswith("_") and name != "async_close"}


def refused(what, call, status, code=None):
    """Checks that Apple's client reports a refusal."""
    try:
        call()
    except APIException as error:
        expect(f"{what}: status and code", (error.http_status_code, error.raw_api_error), (status, code))
        return
    raise Failure(f"{what} was not refused")


def distrusted(what, call, status):
    """Checks that Apple's verifier does not believe something."""
    try:
        call()
    except VerificationException as error:
        expect(what, error.status, status)
        return
    raise Failure(f"{what}: it was believed")


class Recorder:
    """Hands calls on to an object of Apple's library, and notes which ones succeeded."""

    def __init__(self, subject, loop=None):
        self.subject = subject
        self.loop = loop
        self.succeeded = set()

    def __getattr__(self, name):
        method = getattr(self.subject, name)

        def call(*arguments, **options):
            with warnings.catch_warnings():
                # One call is deprecated, and still Apple's.
                warnings.simplefilter("ignore", DeprecationWarning)
                result = method(*arguments, **options)
                if self.loop:
                    result = self.loop.run_until_complete(result)
            self.succeeded.add(name)
            return result

        return call


def picture(width, height):
    """A grey picture without transparency, in PNG."""
    def chunk(kind, content):
        return struct.pack(">I", len(content)) + kind + content \
            + struct.pack(">I", zlib.crc32(kind + content))

    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    rows = (b"\x00" + b"\x80" * width) * height
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) \
        + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


class Story:
    """A customer's story in one environment, told by all calls of one of Apple's two clients."""

    def __init__(self, store, webhook, environment, kind, customer):
        self.store = store
        self.webhook = webhook
        self.environment = environment
        self.customer = customer
        self.is_production = environment is Environment.PRODUCTION
        self.loop = asyncio.new_event_loop() if kind is AsyncAppStoreServerAPIClient else None
        api = store.state()["serverApi"]
        subject = self.client_of(kind, api)
        self.subject = subject
        self.client = Recorder(subject, self.loop)
        self.stranger = Recorder(self.client_of(kind, {**api, "issuerId": str(uuid.uuid4())}), self.loop)
        self.root = store.fetch("/root.der")
        self.verifier = Recorder(self.verifier_of())
        self.receipts = Recorder(ReceiptUtility())

    def client_of(self, kind, api):
        client = kind(
            self.store.file("key.p8"), api["keyId"], api["issuerId"], APP, self.environment)
        # The only difference from a server's own client.
        client._base_url = self.store.address + ("/production" if self.is_production else "/sandbox")
        return client

    def verifier_of(self, root=None, environment=None, app=APP, apple_id=APPLE_ID):
        """Apple's verifier with its strict checks; the certificates have no address for online checks."""
        return SignedDataVerifier(
            [root or self.root], False, environment or self.environment, app, apple_id)

    def close(self):
        if self.loop:
            for client in (self.client.subject, self.stranger.subject):
                self.loop.run_until_complete(client.async_close())
            self.loop.close()

    def order(self, name, **body):
        return self.store.order(name, environment=self.environment.value, **body)

    def transaction(self, signed):
        return self.verifier.verify_and_decode_signed_transaction(signed)

    def transactions(self, page):
        return [self.transaction(signed) for signed in page.signedTransactions]

    def notification(self, type_, subtype=None):
        """The newest notification at the webhook, as Apple's verifier reads it."""
        payload = self.webhook.received[-1][1]["signedPayload"]
        notification = self.verifier.verify_and_decode_notification(payload)
        expect("the notification", (notification.notificationType, notification.subtype), (type_, subtype))
        expect("its version", notification.version, "2.0")
        return notification

    # The chapters, in order.

    def tell(self):
        self.buy()
        self.access()
        self.trust()
        self.look_up()
        self.history()
        self.statuses()
        self.extend()
        self.finish_and_account()
        self.consumption_and_refunds()
        self.notifications()
        self.messages()
        self.realtime()
        self.receipt()
        self.realtime_request()

    def buy(self):
        bought = self.order("buy", customer=self.customer, product="reader.monthly")["subscription"]
        self.original = bought["originalTransactionId"]
        notification = self.notification(NotificationTypeV2.SUBSCRIBED, Subtype.INITIAL_BUY)
        data = notification.data
        expect("the app in the notification", (data.bundleId, data.environment), (APP, self.environment))
        expect("the app's number", data.appAppleId, APPLE_ID if self.is_production else None)
        expect("the status in the notification", data.status, Status.ACTIVE)
        bought = self.transaction(data.signedTransactionInfo)
        expect("the bought transaction", (bought.transactionId, bought.productId, bought.type),
               (self.original, "reader.monthly", Type.AUTO_RENEWABLE_SUBSCRIPTION))
        expect("its period", bought.expiresDate - bought.purchaseDate, 30 * DAY)
        expect("its reason", bought.transactionReason, TransactionReason.PURCHASE)
        renewal = self.verifier.verify_and_decode_renewal_info(data.signedRenewalInfo)
        expect("the renewal", (renewal.originalTransactionId, renewal.autoRenewProductId, renewal.autoRenewStatus),
               (self.original, "reader.monthly", AutoRenewStatus.ON))
        expect("the renewal's date", renewal.renewalDate, bought.expiresDate)
        self.charges = self.order("renew", originalTransactionId=self.original)["subscription"]["timeline"]
        self.notification(NotificationTypeV2.DID_RENEW)
        self.latest = self.charges[-1]["transactionId"]
        self.pack = self.order("buy", customer=self.customer, product=PACK)["purchase"]
        one_time = self.notification(NotificationTypeV2.ONE_TIME_CHARGE)
        expect("the pack", self.transaction(one_time.data.signedTransactionInfo).type, Type.CONSUMABLE)

    def access(self):
        """A key of somebody else is let in nowhere."""
        refused("a stranger's request", lambda: self.stranger.get_transaction_info(self.original), 401)
        refused("an unknown transaction", lambda: self.client.get_transaction_info("1"), 404,
                APIError.TRANSACTION_ID_NOT_FOUND)
        refused("a text that is no transaction", lambda: self.client.get_transaction_info("x"), 400,
                APIError.INVALID_TRANSACTION_ID)

    def trust(self):
        """Apple's verifier believes nothing under another root, for another environment or another app."""
        signed = self.client.get_transaction_info(self.original).signedTransactionInfo
        receipt_root = self.store.fetch("/receipt-root.der")
        expect_that("there are two roots, as Apple's", receipt_root != self.root)
        other = Environment.SANDBOX if self.is_production else Environment.PRODUCTION
        decode = "verify_and_decode_signed_transaction"
        for what, verifier, status in (
            ("the root of receipts", self.verifier_of(root=receipt_root), VerificationStatus.VERIFICATION_FAILURE),
            ("the other environment", self.verifier_of(environment=other), VerificationStatus.INVALID_ENVIRONMENT),
            ("another app", self.verifier_of(app="com.example.other"), VerificationStatus.INVALID_APP_IDENTIFIER),
        ):
            distrusted(what, lambda: getattr(verifier, decode)(signed), status)
        payload = signed.split(".")[1]
        altered = signed.replace(payload, payload[:-8] + ("A" * 8 if payload[-8:] != "A" * 8 else "B" * 8))
        distrusted("an altered payload", lambda: self.transaction(altered), VerificationStatus.VERIFICATION_FAILURE)

    def look_up(self):
        info = self.transaction(self.client.get_transaction_info(self.latest).signedTransactionInfo)
        expect("the renewal's transaction", (info.transactionId, info.originalTransactionId, info.transactionReason),
               (self.latest, self.original, TransactionReason.RENEWAL))
        app = self.verifier.verify_and_decode_app_transaction(
            self.client.get_app_transaction_info(self.latest).signedAppTransactionInfo)
        expect("the app transaction", (app.bundleId, app.receiptType, app.appTransactionId),
               (APP, self.environment, info.appTransactionId))
        lookup = self.client.look_up_order_id
        if not self.is_production:
            return refused("an order in the Sandbox", lambda: lookup(self.charges[0]["orderId"]), 404)
        for charge in (*self.charges, self.pack):
            found = lookup(charge["orderId"])
            expect("the status of an order", found.status, OrderLookupStatus.VALID)
            expect("the transactions of an order", [one.transactionId for one in self.transactions(found)],
                   [charge["transactionId"]])
        expect("an order of nobody", lookup("MQ0000000X").status, OrderLookupStatus.INVALID)

    def history(self):
        everything = TransactionHistoryRequest(sort=Order.ASCENDING)
        for version in GetTransactionHistoryVersion:
            page = self.client.get_transaction_history(self.original, None, everything, version)
            expect("the app of the history", (page.bundleId, page.environment, page.hasMore),
                   (APP, self.environment, False))
            expect("the history", [one.transactionId for one in self.transactions(page)],
                   [*(charge["transactionId"] for charge in self.charges), self.pack["transactionId"]])
            again = self.client.get_transaction_history(self.original, page.revision, everything, version)
            expect("what is new since then", again.signedTransactions, [])
        packs = TransactionHistoryRequest(productTypes=[ProductType.CONSUMABLE], productIds=[PACK], revoked=False)
        page = self.client.get_transaction_history(self.latest, None, packs, GetTransactionHistoryVersion.V2)
        expect("the packs", [one.productId for one in self.transactions(page)], [PACK])

    def statuses(self):
        def items(status=None):
            answer = self.client.get_all_subscription_statuses(self.latest, status)
            expect("the app of the statuses", (answer.bundleId, answer.environment), (APP, self.environment))
            return [item for group in answer.data for item in group.lastTransactions]

        [item] = items()
        expect("the status", (item.originalTransactionId, item.status), (self.original, Status.ACTIVE))
        expect("the last transaction", self.transaction(item.signedTransactionInfo).transactionId, self.latest)
        renewal = self.verifier.verify_and_decode_renewal_info(item.signedRenewalInfo)
        expect("the renewal of the status", renewal.originalTransactionId, self.original)
        expect("those that run", len(items([Status.ACTIVE, Status.BILLING_RETRY])), 1)
        expect("those that have expired", items([Status.EXPIRED]), [])

    def extend(self):
        before = self.transaction(self.client.get_transaction_info(self.latest).signedTransactionInfo)
        answer = self.client.extend_subscription_renewal_date(self.original, ExtendRenewalDateRequest(
            extendByDays=10, extendReasonCode=ExtendReasonCode.CUSTOMER_SATISFACTION,
            requestIdentifier=str(uuid.uuid4())))
        expect("the extension", (answer.success, answer.originalTransactionId), (True, self.original))
        expect("the extended period", answer.effectiveDate - before.expiresDate, 10 * DAY)
        expect("the charge that was extended", answer.webOrderLineItemId, before.webOrderLineItemId)
        request = str(uuid.uuid4())
        mass = self.client.extend_renewal_date_for_all_active_subscribers(MassExtendRenewalDateRequest(
            extendByDays=5, extendReasonCode=ExtendReasonCode.SERVICE_ISSUE_OR_OUTAGE,
            requestIdentifier=request, productId="reader.monthly", storefrontCountryCodes=["USA"]))
        expect("the extension for all", mass.requestIdentifier, request)
        status = self.client.get_status_of_subscription_renewal_date_extensions(request, "reader.monthly")
        expect("its end", (status.complete, status.requestIdentifier), (True, request))
        expect_that("its numbers", status.succeededCount >= 1 and status.completeDate > 0)
        after = self.transaction(self.client.get_transaction_info(self.latest).signedTransactionInfo)
        expect("both extensions", after.expiresDate - before.expiresDate, 15 * DAY)
        refused("a third extension in a year", lambda: self.client.extend_subscription_renewal_date(
            self.original, ExtendRenewalDateRequest(1, ExtendReasonCode.OTHER, str(uuid.uuid4()))), 403,
            APIError.SUBSCRIPTION_MAX_EXTENSION)

        def summary():
            payloads = [body["signedPayload"] for _, body in self.webhook.received]
            read = [self.verifier.verify_and_decode_notification(payload) for payload in payloads]
            return [one.summary for one in read if one.subtype is Subtype.SUMMARY
                    and one.summary.requestIdentifier.lower() == request]

        [told] = until("the summary of the extension for all", summary)
        expect("the summary", (told.productId, told.environment, told.failedCount, told.storefrontCountryCodes),
               ("reader.monthly", self.environment, status.failedCount, ["USA"]))

    def finish_and_account(self):
        expect("an answer without content", self.client.finish_transaction(self.pack["transactionId"]), None)
        token = str(uuid.uuid4())
        self.client.set_app_account_token(self.original, UpdateAppAccountTokenRequest(token))
        info = self.transaction(self.client.get_transaction_info(self.latest).signedTransactionInfo)
        expect("the account of the latest charge", info.appAccountToken, token)
        refused("a text that is no account", lambda: self.client.set_app_account_token(
            self.original, UpdateAppAccountTokenRequest("alice")), 400, APIError.INVALID_APP_ACCOUNT_TOKEN_UUID_ERROR)

    def consumption_and_refunds(self):
        expect("refunds before there are any", self.client.get_refund_history(self.original, None).signedTransactions, [])
        pack = self.pack["transactionId"]
        self.order("requestRefund", transactionId=pack)
        asked = self.notification(NotificationTypeV2.CONSUMPTION_REQUEST)
        expect("what is asked about", self.transaction(asked.data.signedTransactionInfo).transactionId, pack)
        self.client.send_consumption_information(pack, ConsumptionRequest(
            customerConsented=True, sampleContentProvided=False, deliveryStatus=DeliveryStatus.DELIVERED,
            consumptionPercentage=100_000, refundPreference=RefundPreference.DECLINE))
        self.order("decideRefund", transactionId=pack)
        self.notification(NotificationTypeV2.REFUND_DECLINED)
        self.order("requestRefund", transactionId=pack)
        self.client.send_consumption_data(pack, ConsumptionRequestV1(
            customerConsented=True, consumptionStatus=ConsumptionStatus.NOT_CONSUMED, platform=Platform.APPLE,
            sampleContentProvided=False, deliveryStatus=DeliveryStatusV1.DID_NOT_DELIVER_FOR_OTHER_REASON,
            appAccountToken="", accountTenure=AccountTenure.ZERO_TO_THREE_DAYS, playTime=PlayTime.UNDECLARED,
            lifetimeDollarsRefunded=LifetimeDollarsRefunded.ZERO_DOLLARS,
            lifetimeDollarsPurchased=LifetimeDollarsPurchased.ZERO_DOLLARS, userStatus=UserStatus.ACTIVE,
            refundPreference=RefundPreferenceV1.PREFER_GRANT))
        self.order("decideRefund", transactionId=pack)
        self.notification(NotificationTypeV2.REFUND)
        page = self.client.get_refund_history(self.original, None)
        [refund] = self.transactions(page)
        expect("the refund", (refund.transactionId, refund.revocationReason, page.hasMore),
               (pack, RevocationReason.REFUNDED_FOR_OTHER_REASON, False))
        expect_that("the refund has a date", refund.revocationDate >= refund.purchaseDate)
        expect("refunds since then", self.client.get_refund_history(self.original, page.revision).signedTransactions, [])
        refused("consumption without consent", lambda: self.client.send_consumption_information(
            pack, ConsumptionRequest(False, False, DeliveryStatus.DELIVERED)), 400,
            APIError.INVALID_CUSTOMER_CONSENTED)

    def notifications(self):
        token = self.client.request_test_notification().testNotificationToken

        def status():
            try:
                return self.client.get_test_notification_status(token)
            except APIException as error:
                # The notification is not there yet.
                expect("a test that is under way", error.raw_api_error, APIError.TEST_NOTIFICATION_NOT_FOUND)

        sent = until("the test notification", status)
        test = self.verifier.verify_and_decode_notification(sent.signedPayload)
        expect("the test notification", test.notificationType, NotificationTypeV2.TEST)
        expect("its attempts", [attempt.sendAttemptResult for attempt in sent.sendAttempts],
               [SendAttemptResult.SUCCESS])
        now = int(time.time() * 1000)

        def read(**filters):
            request = NotificationHistoryRequest(startDate=now - DAY, endDate=now + DAY // 24, **filters)
            found, token = [], None
            while True:
                page = self.client.get_notification_history(token, request)
                found += [self.verifier.verify_and_decode_notification(item.signedPayload)
                          for item in page.notificationHistory]
                if not page.hasMore:
                    return found
                token = page.paginationToken

        told = [one.notificationType for one in read(transactionId=self.original)]
        expect("the notifications about the customer", set(told) >= {
            NotificationTypeV2.SUBSCRIBED, NotificationTypeV2.DID_RENEW, NotificationTypeV2.RENEWAL_EXTENDED,
            NotificationTypeV2.CONSUMPTION_REQUEST, NotificationTypeV2.REFUND_DECLINED, NotificationTypeV2.REFUND},
            True)
        only = read(notificationType=NotificationTypeV2.SUBSCRIBED, notificationSubtype=Subtype.INITIAL_BUY)
        expect("one type", {one.notificationType for one in only}, {NotificationTypeV2.SUBSCRIBED})
        expect_that("all notifications are more than a page", len(read()) > len(only))
        expect("failures", read(onlyFailures=True), [])

    def messages(self):
        image, bullet, message = uuid.uuid4(), uuid.uuid4(), uuid.uuid4()
        self.client.upload_image(image, picture(3840, 160))
        self.client.upload_image(bullet, picture(1024, 1024), ImageSize.BULLET_POINT)
        if self.is_production:
            waiting = {item.imageState for item in self.client.get_image_list().imageIdentifiers}
            expect("images before Apple's review", waiting, {ImageState.PENDING})
            self.order("reviewMessages")
        images = {item.imageIdentifier: item for item in self.client.get_image_list().imageIdentifiers}
        expect("the images", [(images[one].imageState, images[one].imageSize) for one in (image, bullet)],
               [(ImageState.APPROVED, ImageSize.FULL_SIZE), (ImageState.APPROVED, ImageSize.BULLET_POINT)])
        refused("an image a second time", lambda: self.client.upload_image(image, picture(3840, 160)), 409,
                APIError.IMAGE_ALREADY_EXISTS)
        self.client.upload_message(message, UploadMessageRequestBody(
            header="Stay a while", body="A month at half the price", image=UploadMessageImage(image, "A book")))
        if self.is_production:
            self.order("reviewMessages")
        [listed] = [item for item in self.client.get_message_list().messageIdentifiers
                    if item.messageIdentifier == message]
        expect("the message", listed.messageState, MessageState.APPROVED)
        self.client.configure_default_message("reader.monthly", "en-US", DefaultConfigurationRequest(message))
        default = self.client.get_default_message("reader.monthly", "en-US")
        expect("the default message", default.messageIdentifier, message)
        refused("an image in use", lambda: self.client.delete_image(image), 403, APIError.IMAGE_IN_USE)
        self.client.delete_default_message("reader.monthly", "en-US")
        refused("no default message", lambda: self.client.get_default_message("reader.monthly", "en-US"), 404,
                4_040_020)
        self.client.delete_message(message)
        for one in (image, bullet):
            self.client.delete_image(one)
        left = {item.imageIdentifier for item in self.client.get_image_list().imageIdentifiers}
        expect("images that are left", left & {image, bullet}, set())

    def realtime(self):
        url = "https://example.com/retention"
        if self.is_production:
            for what, call in (
                ("a performance test", lambda: self.client.initiate_performance_test(
                    PerformanceTestRequest(self.original))),
                ("its result", lambda: self.client.get_performance_test_results(str(uuid.uuid4()))),
            ):
                refused(what + " in Production", call, 404)
        self.client.configure_realtime_url(RealtimeUrlRequest(url))
        expect("the realtime address", self.client.get_realtime_url().realtimeURL, url)
        if not self.is_production:
            test = self.client.initiate_performance_test(PerformanceTestRequest(self.original))
            result = self.client.get_performance_test_results(test.requestId)
            expect("a test that runs", (result.result, result.numPending),
                   (PerformanceTestStatus.PENDING, test.config.totalRequests))
            self.store.order("advance", seconds=test.config.totalDuration // 1000)
            result = self.client.get_performance_test_results(test.requestId)
            expect("the test", (result.result, result.successRate, result.target, result.numPending),
                   (PerformanceTestStatus.PASS, 100, url, 0))
            expect_that("its times", 0 < result.responseTimes.p50 <= result.responseTimes.p99)
        self.client.delete_realtime_url()
        refused("no realtime address", self.client.get_realtime_url, 404, 4_040_021)

    def receipt(self):
        path = f"/control/receipt?customer={self.customer}&environment={self.environment.value}"
        answer = self.store.state(path)
        found = self.receipts.extract_transaction_id_from_app_receipt(answer["receipt"])
        info = self.transaction(self.client.get_transaction_info(found).signedTransactionInfo)
        expect("the transaction in the receipt", info.originalTransactionId, self.original)
        expect("what the device has", self.transaction(answer["signedTransactionInfo"]).bundleId, APP)
        nobody = self.store.state(f"/control/receipt?customer=nobody&environment={self.environment.value}")
        expect("a receipt without purchases",
               self.receipts.extract_transaction_id_from_app_receipt(nobody["receipt"]), None)

    def realtime_request(self):
        """A realtime request, which Apple sends and the simulator only signs."""
        request = uuid.uuid4()
        signed = self.store.order("sign", payload={
            "originalTransactionId": self.original, "appAppleId": APPLE_ID, "productId": "reader.monthly",
            "userLocale": "en-US", "requestIdentifier": str(request), "signedDate": int(time.time() * 1000),
            "environment": self.environment.value})["signed"]
        asked = self.verifier.verify_and_decode_realtime_request(signed)
        expect("the realtime request", (asked.requestIdentifier, asked.originalTransactionId, asked.environment),
               (request, self.original, self.environment))

    def missing(self):
        """The methods of Apple's library that this story has not seen succeed, and should have."""
        elsewhere = SANDBOX_ONLY if self.is_production else PRODUCTION_ONLY
        expected = (
            (methods(type(self.subject)) - elsewhere, self.client), (methods(SignedDataVerifier), self.verifier),
            (methods(ReceiptUtility) - NOT_SERVED, self.receipts))
        return {name for names, recorder in expected for name in names - recorder.succeeded}

    def count(self):
        return sum(len(one.succeeded) for one in (self.client, self.verifier, self.receipts))


def main(program):
    start = time.monotonic()
    webhook = Webhook()
    counts = []
    with simulator(
        program, "--api-key-file", "FOLDER/key.p8", "--pack", f"{PACK}:Big pack", "--webhook", webhook.address,
    ) as store:
        # The Sandbox first: Production takes a realtime address only after a test that was passed there.
        for environment in (Environment.SANDBOX, Environment.PRODUCTION):
            for kind in (AppStoreServerAPIClient, AsyncAppStoreServerAPIClient):
                webhook.clear()
                story = Story(store, webhook, environment, kind, f"{kind.__name__[:5].lower()}-customer")
                try:
                    story.tell()
                except Failure as failure:
                    raise Failure(f"{environment.value}, {kind.__name__}: {failure}") from None
                finally:
                    story.close()
                expect(f"calls that were not played in {environment.value}", story.missing(), set())
                counts.append(f"{environment.value} {story.count()} ({kind.__name__})")
    webhook.close()
    print(f"Apple's client: calls that pass: {', '.join(counts)}; {time.monotonic() - start:.0f} s")


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except Failure as failure:
        sys.exit(f"FAILED: {failure}")
