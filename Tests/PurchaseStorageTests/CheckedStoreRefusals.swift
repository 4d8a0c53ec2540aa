import PurchaseStorage
import ReceiptModels

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A call that writes a text into a field, and texts that no row can have there.
struct Refusal: Sendable, CustomStringConvertible {
  /// A field of a value, and texts that no row can have there.
  struct Change<Value>: Sendable {
    let field: StorageFailure.Field
    let texts: [String]
    let set: @Sendable (inout Value, String) -> Void

    init(
      _ field: StorageFailure.Field, _ texts: [String],
      _ set: @escaping @Sendable (inout Value, String) -> Void
    ) {
      self.field = field
      self.texts = texts
      self.set = set
    }
  }

  let what: String
  let field: StorageFailure.Field
  let texts: [String]
  let call: @Sendable (UnitOfWork, String) async throws -> Void

  var description: String { "\(field) of \(what)" }

  init(
    _ what: String, _ field: StorageFailure.Field, _ texts: [String],
    _ call: @escaping @Sendable (UnitOfWork, String) async throws -> Void
  ) {
    self.what = what
    self.field = field
    self.texts = texts
    self.call = call
  }

  /// The refusals of a value each of whose texts is bad in turn.
  static func each<Value: Sendable>(
    _ what: String, _ value: Value, _ changes: [Change<Value>],
    _ call: @escaping @Sendable (UnitOfWork, Value) async throws -> Void
  ) -> [Refusal] {
    changes.map { change in
      Refusal(what, change.field, change.texts) { unit, text in
        var value = value
        change.set(&value, text)
        try await call(unit, value)
      }
    }
  }

  static let all =
    transactions + renewals + receipts + notifications + consumption + outbox + jobs
    + subscriptions + memberships + creditTransactions + bookings + claims + associations
    + validations + orders
}

/// Texts that do not have a shape.
enum Bad {
  static let ids = [
    "", " ", "abc", "12a", "-1", "1.0", "1\u{0}", "\u{0}1", "１２", "../1", "1/2", "1'--",
    text(65), text(10_000), "google:", "google", "google:a b", "google:a,b", "google:{a}",
    "google:\"a\"", "google:a'--", "google:a\u{0}", "google:é", "Google:a", "google:" + text(249),
  ]
  static let accounts = ["a b", "a\u{0}", "\u{0}", "é", "a\nb", "\u{7F}", text(129), text(10_000)]
  static let others = ["\u{0}", "a\u{0}b", text(1025)]
  static let words = upTo(255)
  static let users = upTo(128)
  static let kinds = upTo(64)
  static let creditIDs = upTo(200)
  static let tokens = ["", "a b", "a\u{0}", "é", text(65)]
  static let environments = ["", "Xcode", "production", "sandbox\u{0}"]

  static func upTo(_ length: Int) -> [String] { ["", "a\u{0}", "\u{0}", text(length + 1)] }
  static func text(_ length: Int) -> String { String(repeating: "1", count: length) }
}

private func environment(_ text: String) -> AppStoreEnvironment { .init(rawValue: text) }

// Common to all capabilities.
extension Refusal {
  static let date = Date(timeIntervalSince1970: 1_605_340_800)

  private static let transaction = PurchaseRecord(
    transactionID: "2", originalTransactionID: "1", productID: "monthly")

  private static let transactions =
    each(
      "a transaction", transaction,
      [
        .init(.evidence("transactionID"), Bad.ids) { $0.transactionID = $1 },
        .init(.evidence("originalTransactionID"), Bad.ids) { $0.originalTransactionID = $1 },
        .init(.evidence("productID"), Bad.words) { $0.productID = $1 },
        .init(.evidence("planID"), Bad.others) { $0.planID = $1 },
        .init(.evidence("subscriptionGroupID"), Bad.others) { $0.subscriptionGroupID = $1 },
        .init(.evidence("webOrderLineItemID"), Bad.others) { $0.webOrderLineItemID = $1 },
        .init(.evidence("productType"), Bad.others) { $0.productType = .init(rawValue: $1) },
        .init(.evidence("ownership"), Bad.others) { $0.ownership = .init(rawValue: $1) },
      ]
    ) { unit, row in
      try await unit.purchases.record(
        transactions: [transaction, row], environment: .production, now: date)
    }
    + [
      Refusal("transactions", .evidence("environment"), Bad.environments) { unit, text in
        try await unit.purchases.record(
          transactions: [transaction], environment: environment(text), now: date)
      }
    ]

  private static let renewal = RenewalRecord(originalTransactionID: "1")

  private static let renewals =
    each("a renewal", renewal, renewalChanges) { unit, row in
      try await unit.purchases.record(
        renewals: [renewal, row], environment: .production, now: date)
    }
    + each("a set of renewals", renewal, renewalChanges) { unit, row in
      try await unit.purchases.replace(
        renewals: [renewal, row], of: "1", environment: .production, asOf: date, now: date)
    }
    + [
      Refusal("a set of renewals", .evidence("originalTransactionID"), Bad.ids) { unit, text in
        try await unit.purchases.replace(
          renewals: [], of: text, environment: .production, asOf: date, now: date)
      },
      Refusal("a set of renewals", .evidence("environment"), Bad.environments) { unit, text in
        try await unit.purchases.replace(
          renewals: [], of: "1", environment: environment(text), asOf: date, now: date)
      },
    ]

  private static let renewalChanges: [Change<RenewalRecord>] = [
    .init(.evidence("originalTransactionID"), Bad.ids) { $0.originalTransactionID = $1 },
    .init(.evidence("productID"), Bad.words) { $0.productID = $1 },
    .init(.evidence("autoRenewProductID"), Bad.words) { $0.autoRenewProductID = $1 },
    .init(.evidence("productID"), Bad.words) {
      $0.commitment = CommitmentRenewal(productID: $1)
    },
    .init(.evidence("planID"), Bad.others) { $0.commitment = CommitmentRenewal(planID: $1) },
  ]

  private static let receipts =
    each(
      "a verification",
      VerificationSession(
        environment: .production, originalTransactionID: "1", transactionID: "2", requestDate: date,
        responseStatus: 0),
      [
        .init(.evidence("environment"), Bad.environments) { $0.environment = environment($1) },
        .init(.evidence("originalTransactionID"), Bad.ids) { $0.originalTransactionID = $1 },
        .init(.evidence("transactionID"), Bad.ids) { $0.transactionID = $1 },
        .init(.evidence("bundleID"), Bad.others) { $0.bundleID = $1 },
        .init(.evidence("receiptType"), Bad.others) { $0.receiptType = $1 },
      ]
    ) { unit, row in try await unit.purchases.record(session: row, now: date) }
    + [
      Refusal("a receipt", .evidence("originalTransactionID"), Bad.ids) { unit, text in
        try await unit.purchases.put(receipt("MIIB", of: text), now: date)
      },
      Refusal("a receipt", .evidence("environment"), Bad.environments) { unit, text in
        try await unit.purchases.put(receipt("MIIB", in: environment(text)), now: date)
      },
      Refusal("a receipt", .evidence("receipt"), Bad.upTo(8 << 20)) { unit, text in
        try await unit.purchases.put(receipt(text), now: date)
      },
      Refusal("a walk over receipts", .evidence("originalTransactionID"), Bad.ids) { unit, text in
        _ = try await unit.purchases.receipts(
          after: ReceiptCursor(originalTransactionID: text, environment: .production), limit: 1)
      },
    ]
    + each(
      "a revision",
      HistoryRevision(
        originalTransactionID: "1", environment: .production, kind: .history, revision: "first",
        asOf: date),
      [
        .init(.evidence("originalTransactionID"), Bad.ids) { $0.originalTransactionID = $1 },
        .init(.evidence("environment"), Bad.environments) { $0.environment = environment($1) },
        .init(.evidence("revision"), Bad.upTo(2048)) { $0.revision = $1 },
      ]
    ) { unit, row in try await unit.purchases.put(row) }
    + each(
      "a transfer",
      PurchaseTransfer(
        environment: .production, originalTransactionID: "1", from: "ann", to: "ben",
        by: .subscriptions, date: date),
      [
        .init(.evidence("originalTransactionID"), Bad.ids) { $0.originalTransactionID = $1 },
        .init(.evidence("environment"), Bad.environments) { $0.environment = environment($1) },
        .init("owner", Bad.users) { $0.previousOwner = AccountID(stored: $1) },
        .init(.caller("claimant"), Bad.users) { $0.owner = AccountID(stored: $1) },
      ]
    ) { unit, row in try await unit.purchases.record(row) }

  private static func receipt(
    _ text: String, of id: String = "1", in environment: AppStoreEnvironment = .production
  ) -> StoredReceipt {
    StoredReceipt(originalTransactionID: id, environment: environment, receipt: text, asOf: date)
  }

  private static let notifications =
    each(
      "a notification",
      NotificationRecord(key: "key", environment: .production, notificationType: "DID_RENEW"),
      [
        .init("key", Bad.words) { $0.key = $1 },
        .init(.evidence("environment"), Bad.environments) { $0.environment = environment($1) },
        .init(.evidence("originalTransactionID"), Bad.ids) { $0.originalTransactionID = $1 },
        .init(.evidence("subtype"), Bad.others) { $0.subtype = $1 },
        .init(.evidence("autoRenewProductID"), Bad.words) { $0.autoRenewProductID = $1 },
      ]
    ) { unit, row in _ = try await unit.notifications.record(notification: row, now: date) }
    + each(
      "a kept notification",
      KeptNotification(
        key: "key", environment: nil, signedPayload: "a.b.c", path: "type", receivedDate: date),
      [
        .init("key", Bad.words) { $0.key = $1 },
        .init(.evidence("environment"), Bad.environments) { $0.environment = environment($1) },
        .init(.evidence("signedPayload"), Bad.upTo(256 << 10)) { $0.signedPayload = $1 },
        .init("path", Bad.others) { $0.path = $1 },
      ]
    ) { unit, row in try await unit.notifications.keep(row) }
    + [
      Refusal("a look for a notification", "key", Bad.words) { unit, text in
        _ = try await unit.notifications.isSeen(notificationKey: text)
      },
      Refusal("a walk over kept notifications", "key", Bad.words) { unit, text in
        _ = try await unit.notifications.keptNotifications(after: text, limit: 1)
      },
      Refusal("a removal of a kept notification", "key", Bad.words) { unit, text in
        try await unit.notifications.removeKeptNotification(key: text)
      },
    ]

  private static let consumption =
    each(
      "a request for consumption information",
      ConsumptionCase(
        key: "key", environment: .production, transactionID: "2", originalTransactionID: "1",
        requestedDate: date, deadline: date),
      [
        .init(.evidence("key"), Bad.words) { $0.key = $1 },
        .init(.evidence("environment"), Bad.environments) { $0.environment = environment($1) },
        .init(.evidence("transactionID"), Bad.ids) { $0.transactionID = $1 },
        .init(.evidence("originalTransactionID"), Bad.ids) { $0.originalTransactionID = $1 },
        .init(.evidence("productID"), Bad.words) { $0.productID = $1 },
        .init(.evidence("reason"), Bad.words) { $0.reason = $1 },
        .init(.evidence("pendingRefundToken"), Bad.upTo(2048)) { $0.pendingRefundToken = $1 },
        .init("answer", Bad.upTo(65_535)) { $0.answer = $1 },
        .init("outcome", Bad.words) { $0.outcome = $1 },
      ]
    ) { unit, row in _ = try await unit.consumption.add(row) }
    + [
      Refusal("a look for a request", "key", Bad.words) { unit, text in
        _ = try await unit.consumption.find(key: text)
      },
      Refusal("an answer to be sent", "answer", Bad.upTo(65_535)) { unit, text in
        var row = ConsumptionCase(
          key: "key", environment: .production, transactionID: "2", originalTransactionID: "1",
          requestedDate: date, deadline: date)
        row.answer = text
        _ = try await unit.consumption.prepare(row, replacing: nil)
      },
      Refusal("an answer that was kept", "answer", Bad.upTo(65_535)) { unit, text in
        let row = ConsumptionCase(
          key: "key", environment: .production, transactionID: "2", originalTransactionID: "1",
          requestedDate: date, deadline: date)
        _ = try await unit.consumption.prepare(row, replacing: text)
      },
      Refusal("a settlement", "key", Bad.words) { unit, text in
        try await unit.consumption.settle(key: text, state: .answered, answer: nil, now: date)
      },
      Refusal("a settlement", "answer", Bad.upTo(65_535)) { unit, text in
        try await unit.consumption.settle(key: "key", state: .answered, answer: text, now: date)
      },
      Refusal("a settlement that waits", "state", ["{}"]) { unit, text in
        try await unit.consumption.settle(key: "key", state: .waiting, answer: text, now: date)
      },
      Refusal("an outcome", "outcome", Bad.words) { unit, text in
        _ = try await unit.consumption.note(
          outcome: text, ofTransaction: "2", environment: .production, date: date)
      },
    ]

  private static let message = OutboxMessage(
    kind: .consumption, originalTransactionID: "1", reference: "key")

  private static let outbox =
    each(
      "a message", message,
      [
        .init(.evidence("originalTransactionID"), Bad.ids) { $0.originalTransactionID = $1 },
        .init("tier", Bad.others) { $0.tier = Tier(rawValue: $1) },
        .init("reference", Bad.words) { $0.reference = $1 },
      ]
    ) { unit, row in try await unit.outbox.add(row, now: date) }
    + [
      Refusal("a lease of messages", "token", Bad.tokens) { unit, text in
        _ = try await unit.outbox.lease(limit: 1, now: date, until: date, token: text)
      },
      Refusal("a parked message", "cause", Bad.words) { unit, text in
        _ = try await unit.outbox.park(
          lease, reason: ParkingReason(ParkingReason.Cause(rawValue: text)), now: date)
      },
      Refusal("a parked message", "detail", ["a\u{0}", Bad.text(256)]) { unit, text in
        _ = try await unit.outbox.park(
          lease, reason: ParkingReason(.addressMissing, detail: text), now: date)
      },
    ]

  private static let lease = OutboxLease(
    number: 1, message: message, createdDate: date, failures: 0, token: "one")

  private static let jobs = [
    Refusal("a lease of a job", "job", Bad.upTo(100)) { unit, text in
      _ = try await unit.jobs.lease(job: text, now: date, until: date, token: "one")
    },
    Refusal("a lease of a job", "token", Bad.tokens) { unit, text in
      _ = try await unit.jobs.lease(job: "walk", now: date, until: date, token: text)
    },
    Refusal("the place of a job", "place", ["a\u{0}", Bad.text(256)]) { unit, text in
      _ = try await unit.jobs.advance(
        JobPlace(job: "walk", place: nil, token: "one"), to: text, now: date, until: date)
    },
    Refusal("the place of a job", "job", Bad.upTo(100)) { unit, text in
      _ = try await unit.jobs.place(of: text)
    },
    Refusal("a job that is given back", "token", Bad.tokens) { unit, text in
      try await unit.jobs.giveBack(JobPlace(job: "walk", place: nil, token: text))
    },
    Refusal("a lease of a removal", "token", Bad.tokens) { unit, text in
      _ = try await unit.retention.lease(.sessions, now: date, until: date, token: text)
    },
  ]
}
