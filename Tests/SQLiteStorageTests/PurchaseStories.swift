import EntitlementPolicy
import Foundation
import PurchaseStorage
import ReceiptModels
import SQLStorage
import Testing

/// What a user bought, and the rows of the views that follow from it.
///
/// Dates are days after the beginning of the story.
struct PurchaseStory: Sendable, CustomStringConvertible {
  /// A row of `store_subscriptions`.
  struct Row: Hashable, Sendable {
    var product: String
    var bought: Double
    var expires: Double
    var grace: Double?
    var cancelled: Double?
  }

  var name: String
  var transactions: [PurchaseRecord]
  var renewals: [RenewalRecord] = []
  /// The rows of the subscriptions, the one of production first.
  var subscriptions: [Row] = []
  /// The purchased products that were not revoked, without consumable ones.
  var products: [String] = []

  var description: String { name }
}

extension PurchaseStory {
  static let all = renewing + replaced + refunded + inGrace + odd + others

  private static let renewing = [
    PurchaseStory(
      name: "a first charge", transactions: [charge(0, 30)],
      subscriptions: [Row(product: "monthly", bought: 0, expires: 30)]),
    PurchaseStory(
      name: "renewals", transactions: [charge(30, 60), charge(0, 30), charge(60, 90)],
      subscriptions: [Row(product: "monthly", bought: 60, expires: 90)]),
    PurchaseStory(
      name: "another product from the end of the period",
      transactions: [charge(0, 30), charge(30, 395, of: "yearly"), charge(395, 425)],
      subscriptions: [Row(product: "monthly", bought: 395, expires: 425)]),
    PurchaseStory(
      name: "an overlap of one product", transactions: [charge(0, 30), charge(20, 29)],
      subscriptions: [Row(product: "monthly", bought: 0, expires: 30)]),
  ]

  private static let replaced = [
    PurchaseStory(
      name: "an upgrade by its flag",
      transactions: [
        changed(charge(0, 400)) { $0.isUpgraded = true }, charge(10, 375, of: "yearly"),
      ], subscriptions: [Row(product: "yearly", bought: 10, expires: 375)]),
    PurchaseStory(
      name: "an upgrade alone",
      transactions: [changed(charge(0, 30)) { $0.isUpgraded = true }]),
    PurchaseStory(
      name: "superseded without a flag",
      transactions: [charge(0, 400), charge(10, 375, of: "yearly")],
      subscriptions: [Row(product: "yearly", bought: 10, expires: 375)]),
    PurchaseStory(
      name: "superseded by what was refunded",
      transactions: [charge(0, 400), charge(10, 375, of: "yearly", cancelled: 12)],
      subscriptions: [Row(product: "yearly", bought: 10, expires: 375, cancelled: 12)]),
    PurchaseStory(
      name: "superseded twice, back and forth",
      transactions: [
        charge(0, 400), charge(10, 375, of: "yearly"), charge(20, 50),
      ], subscriptions: [Row(product: "monthly", bought: 20, expires: 50)]),
    PurchaseStory(
      name: "two products of one moment",
      transactions: [charge(0, 30), charge(0, 365, of: "yearly")],
      subscriptions: [Row(product: "yearly", bought: 0, expires: 365)]),
  ]

  private static let refunded = [
    PurchaseStory(
      name: "a refund of the newest charge",
      transactions: [charge(0, 30), charge(30, 60, cancelled: 31)],
      subscriptions: [Row(product: "monthly", bought: 0, expires: 30)]),
    PurchaseStory(
      name: "a refund of an older charge",
      transactions: [charge(0, 30, cancelled: 31), charge(30, 60)],
      subscriptions: [Row(product: "monthly", bought: 30, expires: 60)]),
    PurchaseStory(
      name: "a refund of all charges",
      transactions: [charge(0, 30, cancelled: 41), charge(30, 60, cancelled: 40)],
      subscriptions: [Row(product: "monthly", bought: 30, expires: 60, cancelled: 40)]),
    PurchaseStory(
      name: "a refund with an unreadable date",
      transactions: [changed(charge(3, 30)) { $0.hasUnreadableCancellation = true }],
      subscriptions: [Row(product: "monthly", bought: 3, expires: 30, cancelled: 3)]),
    PurchaseStory(
      name: "an upgrade with a cancellation",
      transactions: [
        changed(charge(0, 30, cancelled: 5)) { $0.isUpgraded = true },
        charge(5, 370, of: "yearly"),
      ], subscriptions: [Row(product: "yearly", bought: 5, expires: 370)]),
  ]

  private static let inGrace = [
    PurchaseStory(
      name: "grace", transactions: [charge(0, 30)],
      renewals: [renewal(of: "yearly", grace: 50, signed: 31), renewal(grace: 46, signed: 31)],
      subscriptions: [Row(product: "monthly", bought: 0, expires: 30, grace: 46)]),
    PurchaseStory(
      name: "grace of no product", transactions: [charge(0, 30)],
      renewals: [renewal(of: nil, grace: 46, signed: 31)],
      subscriptions: [Row(product: "monthly", bought: 0, expires: 30, grace: 46)]),
    PurchaseStory(
      name: "grace of the product before that of none", transactions: [charge(0, 30)],
      renewals: [renewal(of: nil, grace: 40, signed: 31), renewal(grace: 46, signed: 31)],
      subscriptions: [Row(product: "monthly", bought: 0, expires: 30, grace: 46)]),
    PurchaseStory(
      name: "grace in an entry that is not the last", transactions: [charge(0, 30)],
      renewals: [renewal(grace: 46, signed: 31), renewal(of: "yearly", grace: 50, signed: 32)],
      subscriptions: [Row(product: "monthly", bought: 0, expires: 30)]),
    PurchaseStory(
      name: "an entry without grace", transactions: [charge(0, 30)],
      renewals: [renewal(grace: nil, signed: 31), renewal(of: nil, grace: 40, signed: 31)],
      subscriptions: [Row(product: "monthly", bought: 0, expires: 30)]),
    PurchaseStory(
      name: "no grace after a refund of the newest charge",
      transactions: [charge(0, 30), charge(30, 60, cancelled: 31)],
      renewals: [renewal(grace: 76, signed: 61)],
      subscriptions: [Row(product: "monthly", bought: 0, expires: 30)]),
    PurchaseStory(
      name: "grace after a refund of an older charge",
      transactions: [charge(0, 30, cancelled: 31), charge(30, 60)],
      renewals: [renewal(grace: 76, signed: 61)],
      subscriptions: [Row(product: "monthly", bought: 30, expires: 60, grace: 76)]),
  ]

  private static let odd = [
    PurchaseStory(
      name: "identifiers are numbers",
      transactions: [
        changed(charge(0, 30, of: "longer")) { $0.transactionID = "100" },
        changed(charge(0, 30, of: "shorter")) { $0.transactionID = "99" },
      ], subscriptions: [Row(product: "longer", bought: 0, expires: 30)]),
    PurchaseStory(
      name: "zeros before an identifier",
      transactions: [
        changed(charge(0, 30, of: "zeros")) { $0.transactionID = "00099" },
        changed(charge(0, 30, of: "number")) { $0.transactionID = "100" },
      ], subscriptions: [Row(product: "number", bought: 0, expires: 30)]),
    PurchaseStory(
      name: "equal ends, of which the later purchase counts",
      transactions: [
        changed(charge(0, 30)) { $0.transactionID = "900" },
        changed(charge(1, 30)) { $0.transactionID = "100" },
      ], subscriptions: [Row(product: "monthly", bought: 1, expires: 30)]),
    PurchaseStory(
      name: "without a date of purchase",
      transactions: [
        changed(charge(0, 30)) {
          $0.purchaseDate = nil
          $0.originalPurchaseDate = date(-3)
        }
      ], subscriptions: [Row(product: "monthly", bought: -3, expires: 30)]),
    PurchaseStory(
      name: "without any date but the end",
      transactions: [
        changed(charge(0, 30)) {
          $0.purchaseDate = nil
          $0.originalPurchaseDate = nil
        }
      ], subscriptions: [Row(product: "monthly", bought: 30, expires: 30)]),
    PurchaseStory(
      name: "with an unreadable end",
      transactions: [
        changed(charge(0, 30)) {
          $0.expiresDate = nil
          $0.hasUnreadableExpiry = true
        }
      ]),
    PurchaseStory(
      name: "both environments",
      transactions: [
        charge(0, 30),
        changed(charge(2, 3, of: "yearly")) { $0.environment = .sandbox },
      ], renewals: [changed(renewal(grace: 46, signed: 31)) { $0.environment = .sandbox }],
      subscriptions: [
        Row(product: "monthly", bought: 0, expires: 30),
        Row(product: "yearly", bought: 2, expires: 3),
      ]),
  ]

  private static let others = [
    PurchaseStory(
      name: "a product for ever", transactions: [purchase("frames", .nonConsumable)],
      products: ["frames"]),
    PurchaseStory(
      name: "a revoked product",
      transactions: [purchase("frames", .nonConsumable, cancelled: 4)]),
    PurchaseStory(
      name: "a product revoked at an unreadable date",
      transactions: [
        changed(purchase("frames", .nonConsumable)) { $0.hasUnreadableCancellation = true }
      ]),
    PurchaseStory(
      name: "a product of no type", transactions: [purchase("frames", nil)], products: ["frames"]),
    PurchaseStory(
      name: "a subscription that does not renew",
      transactions: [purchase("season", .nonRenewingSubscription)], products: ["season"]),
    PurchaseStory(name: "a consumable product", transactions: [purchase("coins", .consumable)]),
    PurchaseStory(
      name: "a subscription that renews, without an end",
      transactions: [purchase("monthly", .autoRenewableSubscription)]),
  ]

  // MARK: Making stories

  /// The day so many days after the beginning.
  static func date(_ day: Double) -> Date {
    Date(timeIntervalSince1970: 1_700_000_000 + day * 86_400)
  }

  private static func changed<Value>(_ value: Value, _ change: (inout Value) -> Void) -> Value {
    var value = value
    change(&value)
    return value
  }

  private static func charge(
    _ start: Double, _ end: Double, of product: String = "monthly", cancelled: Double? = nil
  ) -> PurchaseRecord {
    var record = purchase(product, .autoRenewableSubscription, at: start, cancelled: cancelled)
    record.expiresDate = date(end)
    return record
  }

  private static func purchase(
    _ product: String, _ type: ProductType?, at day: Double = 0, cancelled: Double? = nil
  ) -> PurchaseRecord {
    var record = PurchaseRecord(
      transactionID: "\(2000 + Int(day))\(product.utf8.count)", originalTransactionID: "1",
      productID: product)
    record.productType = type
    record.environment = .production
    record.purchaseDate = date(day)
    record.cancellationDate = cancelled.map(date)
    record.signedDate = date(day + 0.5)
    return record
  }

  private static func renewal(
    of product: String? = "monthly", grace: Double?, signed: Double
  ) -> RenewalRecord {
    var record = RenewalRecord(originalTransactionID: "1")
    record.productID = product
    record.gracePeriodExpiresDate = grace.map(date)
    record.environment = .production
    record.signedDate = date(signed)
    return record
  }
}

extension PurchaseStory {
  /// Compares the views of an empty store's database with the story, and with the rules that the library
  /// applies.
  func expectViews(
    in store: any PurchaseStore,
    _ query: nonisolated(nonsending) (String) async throws -> [SQLRow]
  ) async throws {
    try await record(in: store)
    #expect(try await query("SELECT * FROM store_purchases").isEmpty, "nobody owns them")
    #expect(try await query("SELECT * FROM store_subscriptions").isEmpty, "nobody owns them")
    try await associate(in: store)
    let rows = try await store.read { try await $0.holdings(of: "ann", in: ["app"]) }
    let purchases = AppPurchases(
      bundleID: "app", transactions: rows.transactions, renewals: rows.renewals)
    let expected = purchases.subscriptions.map(Self.row)
      .sorted { Self.text($0[0]) < Self.text($1[0]) }
    let found = try await query(
      """
      SELECT environment, original_transaction_id, bundle_id, product_id, last_purchase_at,
        expires_at, grace_period_expires_at, cancellation_at
      FROM store_subscriptions ORDER BY environment
      """)
    #expect(found == expected, "\(name)")
    #expect(found.map(Self.story) == subscriptions, "\(name)")
    let products = try await query(
      """
      SELECT DISTINCT product_id FROM store_purchases
      WHERE bundle_id = 'app' AND revoked_at IS NULL AND (type IS NULL OR type <> 'Consumable')
      ORDER BY product_id
      """)
    #expect(products.map { Self.text($0[0]) } == purchases.productIDs, "\(name)")
    #expect(purchases.productIDs == self.products, "\(name)")
  }

  /// Checks every column of both views.
  static func expectColumns(
    in store: any PurchaseStore,
    _ query: nonisolated(nonsending) (String) async throws -> [SQLRow]
  ) async throws {
    var product = purchase("frames", .nonConsumable, at: 2, cancelled: 4)
    product.transactionID = "77"
    let story = PurchaseStory(
      name: "columns", transactions: [product, charge(30, 60, cancelled: 31)],
      renewals: [renewal(grace: 46, signed: 61)])
    try await story.record(in: store)
    try await story.associate(in: store)
    func moment(_ day: Double) -> SQLValue { .integer(1_700_000_000_000 + Int64(day * 86_400_000)) }
    let purchases = try await query(
      """
      SELECT environment, transaction_id, bundle_id, original_transaction_id, product_id, type,
        purchased_at, revoked_at, signed_at
      FROM store_purchases
      """)
    #expect(
      purchases == [
        [
          .text("production"), .text("77"), .text("app"), .text("1"), .text("frames"),
          .text("Non-Consumable"), moment(2), moment(4), moment(2.5),
        ]
      ])
    let subscriptions = try await query(
      """
      SELECT environment, original_transaction_id, bundle_id, product_id, last_purchase_at,
        expires_at, grace_period_expires_at, cancellation_at, signed_at
      FROM store_subscriptions
      """)
    #expect(
      subscriptions == [
        [
          .text("production"), .text("1"), .text("app"), .text("monthly"), moment(30), moment(60),
          .null, moment(31), moment(30.5),
        ]
      ])
  }

  private func record(in store: any PurchaseStore) async throws {
    let (transactions, renewals) = (transactions, renewals)
    try await store.write { records in
      for transaction in transactions {
        try await records.purchases.record(
          transactions: [transaction], environment: transaction.environment ?? .production,
          now: Self.date(100))
      }
      for renewal in renewals {
        try await records.purchases.record(
          renewals: [renewal], environment: renewal.environment ?? .production,
          now: Self.date(100))
      }
    }
  }

  private func associate(in store: any PurchaseStore) async throws {
    try await store.write { records in
      _ = try await records.associations.add(
        [AppStoreEnvironment.production, .sandbox].map { environment in
          PurchaseAssociation(
            environment: environment, originalTransactionID: "1", userID: "ann", bundleID: "app",
            associatedDate: Self.date(100), evidence: .receipt)
        })
    }
  }

  private static func row(_ candidate: SubscriptionCandidate) -> SQLRow {
    func moment(_ date: Date?) -> SQLValue {
      date.map { .integer(Int64(($0.timeIntervalSince1970 * 1000).rounded())) } ?? .null
    }
    return [
      .text(candidate.environment == .production ? "production" : "sandbox"),
      .text(candidate.originalTransactionID), .text(candidate.bundleID),
      .text(candidate.productID), moment(candidate.lastPurchaseDate),
      moment(candidate.expiresDate), moment(candidate.gracePeriodExpiresDate),
      moment(candidate.cancellationDate),
    ]
  }

  private static func story(_ row: SQLRow) -> Row {
    func day(_ value: SQLValue) -> Double? {
      guard case .integer(let moment) = value else { return nil }
      return (Double(moment) / 1000 - 1_700_000_000) / 86_400
    }
    return Row(
      product: text(row[3]), bought: day(row[4]) ?? .nan, expires: day(row[5]) ?? .nan,
      grace: day(row[6]), cancelled: day(row[7]))
  }

  private static func text(_ value: SQLValue) -> String {
    if case .text(let text) = value { text } else { "" }
  }
}
