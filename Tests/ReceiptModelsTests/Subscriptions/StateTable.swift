import Foundation
import ReceiptModels
import Testing

/// The moment at which the rows of the table are read, and moments around it.
enum TestDate {
  static let now = Date(timeIntervalSince1970: 1_600_000_000)
  static let day: TimeInterval = 86_400
  static func days(_ count: Double) -> Date { now + count * day }
}

extension PurchaseRecord {
  /// A month of a subscription that was bought 30 days before it ends.
  static func month(
    _ id: String = "1", ends end: Date?, change: (inout PurchaseRecord) -> Void = { _ in }
  ) -> PurchaseRecord {
    var record = PurchaseRecord(
      transactionID: id, originalTransactionID: "1", productID: "monthly")
    record.purchaseDate = end.map { $0 - 30 * TestDate.day }
    record.expiresDate = end
    change(&record)
    return record
  }

  /// A purchase without an end.
  static func single(
    _ id: String = "1", change: (inout PurchaseRecord) -> Void = { _ in }
  ) -> PurchaseRecord {
    var record = PurchaseRecord(transactionID: id, originalTransactionID: "1", productID: "once")
    record.purchaseDate = TestDate.days(-100)
    change(&record)
    return record
  }
}

extension RenewalRecord {
  static func entry(
    renews: Bool? = nil, intent: ExpirationIntent? = nil, retry: Bool = false, grace: Date? = nil,
    product: String = "monthly", next: String? = "monthly", consent: PriceIncreaseStatus? = nil
  ) -> RenewalRecord {
    var renewal = RenewalRecord(originalTransactionID: "1")
    renewal.productID = product
    renewal.autoRenewProductID = next
    renewal.willRenew = renews
    renewal.expirationIntent = intent
    renewal.isInBillingRetry = retry
    renewal.gracePeriodExpiresDate = grace
    renewal.priceIncreaseStatus = consent
    return renewal
  }
}

/// One row of the contract's table (section 8.1), in its order.
struct StateRow: Sendable, CustomTestStringConvertible {
  var row: String
  var records: [PurchaseRecord]
  var renewal: RenewalRecord?
  var knowledge = SubscriptionKnowledge.remote
  var durations: [String: Duration] = [:]
  var state: SubscriptionState
  var isEntitled: Bool
  var status: SubscriptionStatus?
  /// Checks of the flags beside the state.
  var flags: @Sendable (SubscriptionSummary) -> Bool = { _ in true }
  var testDescription: String { row }

  static let running = TestDate.days(10)
  static let ended = TestDate.days(-1)
  static let grace = TestDate.days(5)

  static func cancelled(_ record: inout PurchaseRecord) {
    record.cancellationDate = TestDate.days(-2)
    record.revocationReason = .issueInApp
  }

  static let all: [StateRow] = [
    StateRow(
      row: "1 active, will renew", records: [.month(ends: running)],
      renewal: .entry(renews: true), state: .active(until: running), isEntitled: true,
      status: .active
    ) { $0.willRenew == true && $0.pendingProductID == nil && !$0.isPriceConsentPending },
    StateRow(
      row: "2 active, will not renew", records: [.month(ends: running)],
      renewal: .entry(renews: false), state: .active(until: running), isEntitled: true,
      status: .active
    ) { $0.willRenew == false && $0.pendingProductID == nil },
    StateRow(
      row: "3 active, pending product", records: [.month(ends: running)],
      renewal: .entry(renews: true, next: "yearly"), state: .active(until: running),
      isEntitled: true, status: .active
    ) { $0.pendingProductID == "yearly" && $0.productID == "monthly" },
    StateRow(
      row: "4 active, price consent pending", records: [.month(ends: running)],
      renewal: .entry(renews: true, consent: .notAnswered), state: .active(until: running),
      isEntitled: true, status: .active
    ) { $0.isPriceConsentPending },
    StateRow(
      row: "5 upgraded: the newer one counts",
      records: [
        .month("1", ends: TestDate.days(20)) { $0.isUpgraded = true },
        .month("2", ends: running) {
          $0.productID = "premium"
          $0.purchaseDate = TestDate.days(-5)
        },
      ], renewal: .entry(renews: true, product: "premium", next: "premium"),
      state: .active(until: running), isEntitled: true, status: .active
    ) {
      $0.productID == "premium" && $0.pendingProductID == nil && $0.willRenew == true
        && !$0.hasRefundedHistory
    },
    StateRow(
      row: "6 revoked by refund before the end",
      records: [.month(ends: running, change: cancelled)],
      renewal: .entry(renews: false), state: .revoked(.refund(.issueInApp)), isEntitled: false,
      status: .revoked
    ) { $0.hasRefundedHistory },
    StateRow(
      row: "7 revoked from a family member",
      records: [
        .month(ends: running) {
          cancelled(&$0)
          $0.ownership = .familyShared
        }
      ], state: .revoked(.familySharing), isEntitled: false, status: .revoked
    ) { $0.isFamilyShared && $0.ownership == .familyShared },
    StateRow(
      row: "7 taken away from a customer to whom it was assigned",
      records: [
        .month(ends: running) {
          cancelled(&$0)
          $0.ownership = .assigned
        }
      ], state: .revoked(.familySharing), isEntitled: false, status: .revoked
    ) { $0.isFamilyShared && $0.ownership == .assigned },
    StateRow(
      row: "7 taken away by the type of revocation alone",
      records: [
        .month(ends: running) {
          cancelled(&$0)
          $0.revocationType = .assignmentRevoke
        }
      ], state: .revoked(.familySharing), isEntitled: false, status: .revoked),
    StateRow(
      row: "8 in grace period, retry flag set", records: [.month(ends: ended)],
      renewal: .entry(renews: true, intent: .billingError, retry: true, grace: grace),
      state: .inGracePeriod(until: grace), isEntitled: true, status: .billingGracePeriod),
    StateRow(
      row: "8 in grace period, retry flag not set", records: [.month(ends: ended)],
      renewal: .entry(renews: true, grace: grace), state: .inGracePeriod(until: grace),
      isEntitled: true, status: .billingGracePeriod),
    StateRow(
      row: "9 in billing retry, no grace", records: [.month(ends: ended)],
      renewal: .entry(renews: true, intent: .billingError, retry: true), state: .inBillingRetry,
      isEntitled: false, status: .billingRetry),
    StateRow(
      row: "9 in billing retry, grace over", records: [.month(ends: TestDate.days(-10))],
      renewal: .entry(
        renews: true, intent: .billingError, retry: true, grace: TestDate.days(-1)),
      state: .inBillingRetry, isEntitled: false, status: .billingRetry),
    StateRow(
      row: "10 expired, customer cancelled", records: [.month(ends: ended)],
      renewal: .entry(renews: false, intent: .customerCancelled),
      state: .expired(.customerCancelled), isEntitled: false, status: .expired),
    StateRow(
      row: "11 expired, billing error", records: [.month(ends: ended)],
      renewal: .entry(renews: false, intent: .billingError), state: .expired(.billingError),
      isEntitled: false, status: .expired),
    StateRow(
      row: "12 expired, price increase", records: [.month(ends: ended)],
      renewal: .entry(renews: false, intent: .priceIncreaseNotConsented),
      state: .expired(.priceIncrease), isEntitled: false, status: .expired),
    StateRow(
      row: "13 expired, product unavailable", records: [.month(ends: ended)],
      renewal: .entry(intent: .productNotAvailable), state: .expired(.productUnavailable),
      isEntitled: false, status: .expired),
    StateRow(
      row: "14 expired, intent 5", records: [.month(ends: ended)],
      renewal: .entry(renews: false, intent: .other), state: .expired(.unknown),
      isEntitled: false, status: .expired),
    StateRow(
      row: "14 expired, no intent", records: [.month(ends: ended)],
      renewal: .entry(renews: false), state: .expired(.unknown), isEntitled: false,
      status: .expired),
    StateRow(
      row: "14 expired, no renewal entry", records: [.month(ends: ended)],
      state: .expired(.unknown), isEntitled: false, status: .expired),
    StateRow(
      row: "15 ended by refund, whatever the renewal says",
      records: [.month(ends: ended, change: cancelled)],
      renewal: .entry(renews: true, intent: .billingError, retry: true, grace: grace),
      state: .revoked(.refund(.issueInApp)), isEntitled: false, status: .revoked),
    StateRow(
      row: "16 upgraded away, an older one left",
      records: [
        .month("2", ends: TestDate.days(-3)) { $0.isUpgraded = true },
        .month(ends: TestDate.days(-9)),
      ], renewal: .entry(renews: false, intent: .customerCancelled),
      state: .expired(.customerCancelled), isEntitled: false, status: .expired
    ) { $0.transaction.transactionID == "1" },
    StateRow(
      row: "16 upgraded away, none left",
      records: [.month(ends: running) { $0.isUpgraded = true }], renewal: .entry(renews: true),
      state: .upgraded, isEntitled: false),
    StateRow(
      row: "17 expired as far as a local receipt knows", records: [.month(ends: ended)],
      knowledge: .local, state: .expired(.unknown), isEntitled: false
    ) { $0.knowledge == .local && $0.willRenew == nil },
    StateRow(
      row: "17 active as far as a local receipt knows", records: [.month(ends: running)],
      knowledge: .local, state: .active(until: running), isEntitled: true, status: .active),
    StateRow(
      row: "18 owned", records: [.single()], state: .owned, isEntitled: true
    ) { !$0.hasRefundedHistory },
    StateRow(
      row: "19 refunded", records: [.single(change: cancelled)],
      state: .refunded(.refund(.issueInApp)), isEntitled: false
    ) { $0.hasRefundedHistory },
    StateRow(
      row: "20 non-renewing, running", records: [.single()],
      durations: ["once": .days(101)],
      state: .active(until: TestDate.days(1)), isEntitled: true),
    StateRow(
      row: "20 non-renewing, over", records: [.single()], durations: ["once": .days(99)],
      state: .expired(.unknown), isEntitled: false),
    StateRow(
      row: "20 non-renewing, refunded", records: [.single(change: cancelled)],
      durations: ["once": .days(101)], state: .revoked(.refund(.issueInApp)),
      isEntitled: false),
    StateRow(
      row: "20 non-renewing by its type, of unknown length",
      records: [.single { $0.productType = .nonRenewingSubscription }], state: .expired(.unknown),
      isEntitled: false),
    StateRow(
      row: "21 refund reversed",
      records: [
        .month(ends: running) {
          cancelled(&$0)
          $0.signedDate = TestDate.days(-2)
        }, .month(ends: running) { $0.signedDate = TestDate.days(-1) },
      ], state: .active(until: running), isEntitled: true, status: .active
    ) { !$0.hasRefundedHistory },
  ]
}
