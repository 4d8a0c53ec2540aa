import CreditPolicy
import EntitlementPolicy
import JSONValues
import LinkPolicy
import OrderPolicy
import PurchaseStorage
import ReceiptModels

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

private func environment(_ text: String) -> AppStoreEnvironment { .init(rawValue: text) }
private func user(_ text: String) -> AccountID { AccountID(stored: text) }

// MARK: Subscriptions

extension Refusal {
  private static let subscription = Subscription(
    environment: .production, originalTransactionID: "1", lastTransactionID: "2",
    productID: "monthly", purchaseDate: date, expiresDate: date, tier: .standard, cycle: .month,
    autoRenewal: true)

  private static let subscriptionChanges: [Change<Subscription>] = [
    .init(.evidence("environment"), Bad.environments) { $0.environment = environment($1) },
    .init(.evidence("originalTransactionID"), Bad.ids) { $0.originalTransactionID = $1 },
    .init(.evidence("lastTransactionID"), Bad.ids) { $0.lastTransactionID = $1 },
    .init(.evidence("productID"), Bad.words) { $0.productID = $1 },
    .init("tier", Bad.others) { $0.tier = Tier(rawValue: $1) },
    .init("cycle", Bad.others) { $0.cycle = BillingCycle(rawValue: $1) },
  ]

  static let subscriptions =
    each("a subscription", subscription, subscriptionChanges) { unit, row in
      try await unit.storedSubscriptions.save(row, asOf: date, now: date)
    }
    + each("a subscription to insert", subscription, subscriptionChanges) { unit, row in
      _ = try await unit.storedSubscriptions.find(
        ["1"], inserting: [subscription, row], asOf: date, now: date)
    }
    + [
      Refusal("an owner", "owner", [""] + Bad.accounts) { unit, text in
        try await unit.storedSubscriptions.setOwner(user(text), of: "1", now: date)
      },
      Refusal("a lease of subscriptions", "token", Bad.tokens) { unit, text in
        _ = try await unit.refreshes.lease(
          RefreshLeaseRequest(
            now: date, horizon: date, oldest: date, limit: 1, token: text, until: date))
      },
      Refusal("a failed refresh", "error", Bad.others) { unit, text in
        _ = try await unit.refreshes.finish(
          RefreshLease(
            originalTransactionID: "1", environment: .production, failures: 0, token: "one"),
          failures: 1, nextTry: date, error: text)
      },
    ]

  /// An empty text is as none, so that it is not refused.
  private static let membershipChanges: [Change<Membership>] = [
    .init("membershipID", Bad.accounts) { $0.id = $1 },
    .init("primaryID", Bad.accounts) { $0.primaryID = user($1) },
    .init("secondID", Bad.accounts) { $0.secondID = user($1) },
    .init(.evidence("originalTransactionID"), Bad.ids.filter { !$0.isEmpty }) {
      $0.originalTransactionID = $1
    },
    .init("providerSubscriptionID", Bad.others) { $0.details.subscriptionID = $1 },
    .init("providerPlanID", Bad.others) { $0.details.planID = $1 },
    .init("licenceID", Bad.others) { $0.details.licenceID = $1 },
    .init("hostPlanID", Bad.others) { $0.details.hostPlanID = $1 },
    .init("tier", Bad.others) { $0.tier = Tier(rawValue: $1) },
    .init("cycle", Bad.others) { $0.cycle = BillingCycle(rawValue: $1) },
    .init("payMethod", Bad.others) { $0.payMethod = PayMethod(rawValue: $1) },
    .init("status", Bad.others) { $0.details.status = ProviderStatus(rawValue: $1) },
    .init("expireDate", Bad.others) { $0.unreadableExpireDate = $1 },
  ]

  private static let membership = Membership(account: Account(id: "member"))

  static let memberships =
    each("a membership", membership, membershipChanges) { unit, row in
      _ = try await unit.memberships.insert(row)
    }
    + each("a changed membership", membership, membershipChanges) { unit, row in
      _ = try await unit.memberships.update(row, previous: membership)
    }
    + [
      Refusal("a membership of nobody", "accountID", [""]) { unit, text in
        var row = membership
        row.primaryID = user(text)
        _ = try await unit.memberships.insert(row)
      },
      Refusal("a snapshot", "reason", Bad.others) { unit, text in
        try await unit.memberships.snapshot(
          membership, reason: SnapshotReason(rawValue: text), now: date)
      },
      Refusal("a dispute", .evidence("originalTransactionID"), Bad.ids) { unit, text in
        try await unit.memberships.recordDispute(
          originalTransactionID: text, account: Account(id: "member"), now: date)
      },
      Refusal("a dispute", "accountID", [""] + Bad.accounts) { unit, text in
        try await unit.memberships.recordDispute(
          originalTransactionID: "1", account: Account(id: user(text)), now: date)
      },
      Refusal("an unlink", .evidence("originalTransactionID"), Bad.ids) { unit, text in
        try await unit.memberships.recordUnlink(
          originalTransactionID: text, accountID: "member", now: date)
      },
    ]
}

// MARK: Credits

extension Refusal {
  private static let credits = {
    var row = CreditTransaction(
      CreditPurchase(
        environment: .production, transactionID: "1", bundleID: "com.example.gems",
        productID: "pack", purchaseDate: date), status: .granted)
    row.id = 1
    return row
  }()

  private static let creditChanges: [Change<CreditTransaction>] = [
    .init(.evidence("environment"), Bad.kinds) { $0.purchase.environment = environment($1) },
    .init(.evidence("transactionID"), Bad.creditIDs) { $0.purchase.transactionID = $1 },
    .init(.evidence("originalTransactionID"), Bad.creditIDs) {
      $0.purchase.originalTransactionID = $1
    },
    .init(.evidence("bundleID"), Bad.words) { $0.purchase.bundleID = $1 },
    .init(.evidence("productID"), Bad.words) { $0.purchase.productID = $1 },
    .init(.caller("userID"), [""] + Bad.accounts) { $0.userID = user($1) },
    .init("productCode", Bad.words) { $0.productCode = $1 },
    .init(.evidence("ledgerEventID"), Bad.words) { $0.ledgerEventID = $1 },
  ]

  static let creditTransactions =
    each("a credit transaction", credits, creditChanges) { unit, row in
      _ = try await unit.creditTransactions.insert(row, now: date)
    }
    + each("a changed credit transaction", credits, creditChanges) { unit, row in
      try await unit.creditTransactions.update(row, now: date)
    }

  private static let booking = LedgerBooking(
    userID: "buyer", eventID: "event", changeType: "spending", subjectType: "render",
    subjectID: "1", amount: 1)

  private static func bookingChanges(
    from origin: StorageFailure.Field.Origin
  ) -> [Change<LedgerBooking>] {
    [
      .init(.caller("userID"), [""] + Bad.accounts) { $0.userID = user($1) },
      .init(.init("eventID", from: origin), Bad.words) { $0.eventID = $1 },
      .init(.init("changeType", from: origin), Bad.kinds) { $0.changeType = .init(rawValue: $1) },
      .init(.init("subjectType", from: origin), Bad.kinds) { $0.subjectType = $1 },
      .init(.init("subjectID", from: origin), Bad.words) { $0.subjectID = $1 },
      .init(.init("metadata", from: origin), [Bad.text(64 << 10)]) {
        $0.metadata = ["a": .string($1)]
      },
      .init(.init("metadata", from: origin), [Bad.text(129)]) { $0.metadata = [$1: .number(1.5)] },
      .init(.init("metadata", from: origin), ["deep"]) { $0.metadata = [$1: deep] },
    ]
  }

  private static let deep = (0..<1000).reduce(JSONValue.null) { value, _ in .array([value]) }

  static let bookings =
    each("a booking", booking, bookingChanges(from: .caller)) { unit, row in
      _ = try await unit.creditLedger.book(row, now: date)
    }
    + each("a booking of a purchase", booking, bookingChanges(from: .evidence)) { unit, row in
      var row = row
      row.environment = .production
      _ = try await unit.creditLedger.book(row, now: date)
    }
    + each(
      "a booking", booking,
      [.init(.evidence("environment"), Bad.kinds) { $0.environment = environment($1) }]
    ) { unit, row in _ = try await unit.creditLedger.book(row, now: date) }

  static let claims =
    [
      Refusal("a claim", "identity", Bad.upTo(1024)) { unit, text in
        _ = try await unit.starterClaims.mark(
          identity: text, userID: "buyer", transactionID: "1", now: date)
      },
      Refusal("a claim", .caller("userID"), [""] + Bad.accounts) { unit, text in
        _ = try await unit.starterClaims.mark(
          identity: "ann", userID: user(text), transactionID: "1", now: date)
      },
      Refusal("a claim", .evidence("transactionID"), Bad.creditIDs) { unit, text in
        _ = try await unit.starterClaims.mark(
          identity: "ann", userID: "buyer", transactionID: text, now: date)
      },
    ]
    + each(
      "a notification about credits",
      CreditNotification(
        uuid: "uuid", type: "REFUND", environment: .sandbox, signedDate: date, outcome: .pending,
        processedDate: date),
      [
        .init(.evidence("uuid"), Bad.words) { $0.uuid = $1 },
        .init(.evidence("type"), Bad.others) { $0.type = $1 },
        .init(.evidence("subtype"), Bad.others) { $0.subtype = $1 },
        .init(.evidence("environment"), Bad.kinds) { $0.environment = environment($1) },
        .init(.evidence("transactionID"), Bad.creditIDs) { $0.transactionID = $1 },
      ]
    ) { unit, row in _ = try await unit.creditNotifications.record(row) }
}

// MARK: Entitlements

extension Refusal {
  private static let association = PurchaseAssociation(
    environment: .production, originalTransactionID: "1", userID: "ann", bundleID: "app",
    associatedDate: date, evidence: .receipt)

  private static let associationChanges: [Change<PurchaseAssociation>] = [
    .init(.evidence("environment"), Bad.environments) { $0.environment = environment($1) },
    .init(.evidence("originalTransactionID"), Bad.ids) { $0.originalTransactionID = $1 },
    .init(.caller("userID"), Bad.users) { $0.userID = user($1) },
    .init(.evidence("bundleID"), Bad.words) { $0.bundleID = $1 },
    .init("evidence", Bad.kinds) { $0.evidence = .init(rawValue: $1) },
  ]

  static let associations =
    each("an association", association, associationChanges) { unit, row in
      _ = try await unit.associations.add([association, row])
    }
    + each("a changed association", association, associationChanges) { unit, row in
      try await unit.associations.replace(row)
    }
    + each(
      "a claim to a purchase of another user",
      AssociationConflict(
        originalTransactionID: "1", owner: "ann", claimant: "ben", seenDate: date),
      [
        .init(.evidence("originalTransactionID"), Bad.ids) { $0.originalTransactionID = $1 },
        .init("owner", Bad.users) { $0.owner = user($1) },
        .init(.caller("claimant"), Bad.users) { $0.claimant = user($1) },
      ]
    ) { unit, row in try await unit.associations.record(row) }

  private static let product = AcquiredProduct(
    productID: "font", acquiredDate: date, viaProductID: "monthly")

  static let validations =
    each(
      "an acquired product", product,
      [
        .init("productID", Bad.words) { $0.productID = $1 },
        .init("viaProductID", Bad.words) { $0.viaProductID = $1 },
      ]
    ) { unit, row in _ = try await unit.acquisitions.add([product, row], to: "ann", in: "app") }
    + [
      Refusal("an acquisition", .caller("userID"), Bad.users) { unit, text in
        _ = try await unit.acquisitions.add([product], to: user(text), in: "app")
      },
      Refusal("an acquisition", "bundleID", Bad.words) { unit, text in
        _ = try await unit.acquisitions.add([product], to: "ann", in: text)
      },
      Refusal("a state", .caller("userID"), Bad.users) { unit, text in
        try await unit.validations.save(AppValidation(bundleID: "app"), of: user(text))
      },
      Refusal("a state to lock", .caller("userID"), Bad.users) { unit, text in
        _ = try await unit.validations.lock(user(text), bundleID: "app")
      },
      Refusal("a state to lock", "bundleID", Bad.words) { unit, text in
        _ = try await unit.validations.lock("ann", bundleID: text)
      },
      Refusal("a lease of validations", "token", Bad.tokens) { unit, text in
        _ = try await unit.validations.lease(now: date, until: date, token: text, limit: 1)
      },
    ]
    + each(
      "a state", AppValidation(bundleID: "app"),
      [
        .init("bundleID", Bad.words) { $0.bundleID = $1 },
        .init("lastFailure", Bad.kinds) { $0.lastFailure = ValidationFailure(rawValue: $1) },
      ]
    ) { unit, row in try await unit.validations.save(row, of: "ann") }
    + each(
      "a purchase without an answer", unanswered,
      [
        .init(.evidence("environment"), Bad.environments) { $0.environment = environment($1) },
        .init("originalTransactionID", Bad.ids) { $0.originalTransactionID = $1 },
      ]
    ) { unit, row in try await unit.validations.note([unanswered, row]) }

  private static let unanswered = UnansweredPurchase(
    environment: .production, originalTransactionID: "1", firstFailureDate: date)
}

// MARK: Orders

extension Refusal {
  private static let ordered = OrderedSubscription(
    userID: "ann", levelName: "Pro", purchaseKey: key("1"), receiptData: "MIIB",
    expiration: date, validatedDate: date)

  private static func key(_ identifier: String, at vendor: Vendor = .apple) -> PurchaseKey {
    PurchaseKey(vendor: vendor, environment: .production, identifier: identifier)
  }

  private static let orderChanges: [Change<OrderedSubscription>] = [
    .init(.caller("userID"), Bad.users) { $0.userID = user($1) },
    .init("levelName", Bad.words) { $0.levelName = $1 },
    .init(.caller("vendor"), Bad.kinds) {
      $0.purchaseKey.vendor = Vendor(rawValue: $1)
    },
    .init(.evidence("environment"), Bad.environments) {
      $0.purchaseKey.environment = environment($1)
    },
    .init(.evidence("purchaseKey"), Bad.words) { $0.purchaseKey.identifier = $1 },
    .init(.evidence("receiptData"), Bad.upTo(1 << 20)) { $0.receiptData = $1 },
  ]

  static let orders =
    each("an order", ordered, orderChanges) { unit, row in
      _ = try await unit.orderedSubscriptions.add(row)
    }
    + each("a changed order", ordered, orderChanges) { unit, row in
      try await unit.orderedSubscriptions.save(row)
    }
    + [
      Refusal("a claim to a purchase", .evidence("purchaseKey"), Bad.words) { unit, text in
        _ = try await unit.subscriptionClaims.claim(key(text), for: "ann")
      },
      Refusal("a claim to a purchase", .caller("vendor"), Bad.kinds) { unit, text in
        _ = try await unit.subscriptionClaims.claim(
          key("1", at: Vendor(rawValue: text)), for: "ann")
      },
      Refusal("a claim to a purchase", .caller("userID"), Bad.users) { unit, text in
        _ = try await unit.subscriptionClaims.claim(key("1"), for: user(text))
      },
      Refusal("a pushed message", .evidence("messageID"), Bad.words) { unit, text in
        _ = try await unit.pushedMessages.record(text, now: date)
      },
    ]
}
