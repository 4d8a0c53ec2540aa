extension Options {
  static let usage = """
    usage: app-store-simulator [OPTION VALUE]...

    An App Store to try a server with: answers verifyReceipt, sells subscriptions and packs by
    buttons or by orders over HTTP, and tells a webhook what happened, as Apple would. Listens on
    127.0.0.1 only.
    Prints one line when it is ready: listening on http://127.0.0.1:PORT

      --port N              by default, and for 0, a free one
      --bundle-id B         the app (com.example.reader)
      --app-apple-id N      Apple's number of the app (1234567890)
      --shared-secret S     for verifyReceipt and notifications of version 1
                            (0123456789abcdef0123456789abcdef)
      --product ID:NAME[:DAYS]   a subscription of so many days (30); may be repeated; by default
                            reader.monthly, reader.yearly and reader.premium
      --commitment ID:PRICE lets a product that --product named before be bought for twelve periods that are paid one by one; the
                            price of all, in thousandths of the currency unit
      --win-back ID:OFFER   an offer of such a product for customers whose subscription has lapsed; may be
                            repeated, better ones first
      --pack ID:NAME        a consumable, such as a pack of credits; may be repeated; by default none
      --non-consumable ID:NAME   a product that is owned for ever, and --non-renewing ID:NAME a
                            subscription that does not renew; may be repeated; by default none
      --app B[:N]           another app of the same developer, with Apple's number; the products
                            behind it are its own; may be repeated. Customers are common to all
                            apps, receipts and transactions are each of one app.
      --api-key-file FILE   writes the key for Apple's server APIs (PEM), new at every start; its
                            identifiers are in /control/state
      --webhook URL         where notifications go; by default nowhere
      --notifications V     v1, v2 (the default), both or none
      --desk URL            the desk of the host, to which the page links purchases
      --time T              the simulator's time at the beginning: 2026-01-31T08:00:00Z, or -90d
                            for 90 days ago; by default the machine's. It runs on from there.
      --help                this text

    The Play store beside it, with the same clock:
      --play-package P      the app (com.example.reader)
      --play-subscription ID:PLAN[:DAYS[:prepaid]]   a base plan of a subscription, which renews after
                            so many days (30) or is prepaid; may be repeated, also for one ID; by
                            default reader_standard and reader_premium
      --play-one-time ID    a one-time product; may be repeated; by default reader_gems and
                            reader_lifetime
      --play-push-url URL   where real-time developer notifications go; by default nowhere
      --play-audience A     the audience of the pushes' bearer tokens; by default the address
      --play-push-email E   the account as which pushes are signed
                            (push@example-project.iam.gserviceaccount.com)
      --play-key-file FILE  writes the key file of the service account (JSON), new at every start; its
                            token_uri is this program

    For the server that is tried:
      POST /production/verifyReceipt    as https://buy.itunes.apple.com/verifyReceipt
      POST /sandbox/verifyReceipt       as https://sandbox.itunes.apple.com/verifyReceipt
      /production/inApps/…              as https://api.storekit.apple.com/inApps/…, also
                                        advancedCommerce, groups and externalPurchase
      /sandbox/inApps/…                 as https://api.storekit-sandbox.apple.com/inApps/…
      GET  /root.der                    the root certificate to trust for notifications and transactions
      GET  /receipt-root.der            the root certificate to trust for receipts
      POST /token                       as https://oauth2.googleapis.com/token
      /androidpublisher/v3/…            as https://androidpublisher.googleapis.com/androidpublisher/v3/…:
                                        subscriptionsv2, productsv2, acknowledge, consume and
                                        voidedpurchases
      GET  /oauth2/v3/certs             as https://www.googleapis.com/oauth2/v3/certs, the keys of pushes

    For people: GET /, a page with buttons.

    For scripts, in JSON; S stands for "originalTransactionId": "…", or for "customer": "…" and, if
    it is not Production, "environment": "Sandbox", which means the customer's newest subscription, in
    the app of "app": "…" or in any. For test, lose, fault and receipt "app" is by default the first:
      GET  /control/state               time, products, customers, subscriptions with their
                                        timelines, packs, notifications with the webhook's answers
      POST /control/buy                 {"customer": "…", "product": "…", "environment": "…"};
                                        also "appAccountToken", and for a pack "quantity"; the
                                        product decides the app
                                        also "plan": "MONTHLY" and "offer": "trial", "introductory",
                                        "promotional", "code" or "winBack", the last three with "offerId"
      POST /control/redeem              {S, "offer": "promotional" or "code", "offerId": "…"} for the next
                                        charge
      POST /control/renew               {S}
      POST /control/refund              {S} the newest charge, or {"transactionId": "…"}
      POST /control/reverseRefund       {"transactionId": "…"}
      POST /control/upgrade             {S, "product": "…"}
      POST /control/lapse               {S, "reason": "cancelled"} ends it now; with
                                        "when": "periodEnd" once the clock is there;
                                        with "reason": "billing" the renewal cannot be charged
      POST /control/share               {S, "member": "…"} shares it with a member of the family;
                                        for a pack with "transactionId"; and /control/assign assigns it
      POST /control/revoke              {S} or {"transactionId": "…"} ends that
      POST /control/increasePrice       {S, "consent": "asked"}, "given" or "unneeded"
      POST /control/externalPurchaseToken   {"type": "SERVICES"} makes a token for an external purchase;
                                        after ten days without a report /control/advance asks for it
      POST /control/advance             {"days": N} or {"seconds": N}
      POST /control/requestRefund       {S} or {"transactionId": "…"}; with "reason": "LEGAL"
      POST /control/decideRefund        the same, by the consumption information that the server
                                        sent; else as "otherwise": "full", "decline", or "prorated"
                                        with "percent"
      POST /control/extend              {S, "days": 1 to 90}
      POST /control/test                {"environment": "…"} sends a test notification
      POST /control/reviewMessages      {"decision": "APPROVED"} or "REJECTED", about the images and
                                        messages that wait for Apple's review in Production
      POST /control/lose                {"count": N} loses the next notifications on their way
      POST /control/away                {"away": true}: until {"away": false} nobody can reach Apple,
                                        and no notification arrives
      POST /control/fault               {"fault": "tooManyRequests", "retryAfter": "…", "count": N,
                                        "at": "history"}, also error (with "code"), status, html,
                                        empty, null (with "status"), brokenJSON, unauthenticated,
                                        repeatedPage, missingRevision, badSignature
      POST /control/sign                {"payload": {…}} signs anything as Apple would
      POST /control/webhook             {"url": "…", "versions": "v2"}, as --webhook and
                                        --notifications; no url for no webhook
      POST /control/desk                {"url": "…"}, as --desk; no url for no links
      GET  /control/receipt?customer=…  the receipt of the customer's device, and the newest purchase
                                        as signed data; &environment=Sandbox, &app=…
    For scripts, about the Play store; P stands for "purchaseToken": "…", or for "customer": "…", which
    means the customer's newest purchase:
      GET  /control/play/state          time, products, purchases, notifications with the server's answers
      POST /control/play/subscribe      {"customer": "…", "product": "…", "basePlan": "…"}; also "offer",
                                        "account" (obfuscatedExternalAccountId), "profile", "region",
                                        "buyer": "licenseTester", "payment": "pending"
      POST /control/play/buy            {"customer": "…", "product": "…"}; also "quantity", "option": "rent",
                                        "preorderDays" until the release, and the same
      POST /control/play/ACT            {P}, where ACT is completePayment, cancelPayment, acknowledge,
                                        renew, recover, resume, confirmPrice, consentToPriceStep,
                                        restore, expire, revoke,
                                        forget, topUp, resubscribe, resubscribeOutOfApp,
                                        requestRefundReview; cancel (with "by": "developer");
                                        decideRefundReview (with "otherwise": "decline");
                                        failRenewal (with "days" of grace, "holdDays"); pause and
                                        deferPayment (with "days"); changePrice and
                                        stepUpPrice (with "units", "nanos")
      POST /control/play/changePlan     {P, "product": "…", "basePlan": "…", "mode": "DEFERRED"}
      POST /control/play/refund         {P}; also "order", "quantity", "access": "kept", and Google's
                                        numbers "source" and "reason"
      POST /control/play/notify         {P, "type": N} sends a notification of any type
      POST /control/play/test           {} sends a test notification
      POST /control/play/push           {"number": N, "as": "stranger"} pushes a notification again, as
                                        pubSub, stranger, unverifiedEmail, otherAudience, expired,
                                        fromTheFuture, otherIssuer, altered, unknownKey, unsigned or
                                        nobody
      POST /control/play/lose           {"count": N} loses the next notifications on their way
      POST /control/play/rotateKeys     {} signs pushes with another key
      POST /control/play/access         {"change": "revokeTokens"}, deleteKey or disableAccount
      POST /control/play/fault          {"fault": "backendError", "count": N, "at": "subscription"} or
                                        "always": true, until {"fault": "none"}; also authError,
                                        permissionDenied, projectNotLinked, accessNotConfigured,
                                        quotaExceeded, tooManyRequests (with "retryAfter"), error (with
                                        "status", "reason"), html, empty, brokenJSON, slow (with
                                        "seconds"), silence
      POST /control/play/webhook        {"url": "…"}, as --play-push-url; no url for no pushes

    An order answers once the webhook has, or was tried three times; a push that is not acknowledged is
    repeated after that. What cannot be done answers with
    400, 404, 405, 409 or 413 and {"message": "…"}. See Documentation/guides/app-store-simulator.md.

    """
}
