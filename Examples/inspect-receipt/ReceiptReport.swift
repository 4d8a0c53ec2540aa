import Foundation
import ReceiptModels
import ReceiptVerifier

/// What is printed about one receipt.
struct ReceiptReport {
  var isVerified: Bool
  private var members: [String: JSONValue]

  /// One line of JSON.
  var line: [UInt8] { JSONValue.object(members).serialized }

  init(_ kind: ReceiptKind, _ receipt: AppReceipt, at date: Date) {
    self.init(
      kind, receipt: VerifyReceiptResponse.Receipt(receipt).json,
      subscriptions: receipt.subscriptions(at: date))
  }

  init(_ kind: ReceiptKind, _ transaction: ReceiptTransaction, at date: Date) {
    let records = [PurchaseRecord(transaction)].compactMap(\.self)
    let histories = PurchaseHistory.histories(of: records, knowledge: .local)
    self.init(
      kind, receipt: transaction.json,
      subscriptions: histories.filter { $0.isSubscription && $0.hasBegun(at: date) }
        .map { $0.summary(at: date) })
  }

  private init(_ kind: ReceiptKind, receipt: JSONValue, subscriptions: [SubscriptionSummary]) {
    isVerified = true
    members = [
      "kind": .string(kind.rawValue),
      "outcome": .string("verified"),
      "receipt": receipt,
      "subscriptions": .array(subscriptions.map(Self.json)),
    ]
  }

  init(_ kind: ReceiptKind, _ failure: ReceiptFailure) {
    isVerified = false
    members = [
      "kind": .string(kind.rawValue),
      "outcome": .string("refused"),
      "reason": .string(failure.name),
      "message": .string(failure.description),
    ]
  }

  /// Says that anyone can have signed it.
  mutating func markAsTestData() {
    members["signedByApple"] = .boolean(false)
  }

  private static func json(_ summary: SubscriptionSummary) -> JSONValue {
    var members: [String: JSONValue] = [
      "original_transaction_id": .string(summary.originalTransactionID),
      "product_id": .string(summary.productID),
      "state": .string(summary.state.name),
      "knowledge": .string(summary.knowledge.rawValue),
    ]
    switch summary.state {
    case .active(let end), .inGracePeriod(let end):
      members["until"] = .string(end.formatted(.iso8601))
    case .expired(let reason): members["reason"] = .string("\(reason)")
    case .inBillingRetry, .revoked, .upgraded, .owned, .refunded: break
    }
    return .object(members)
  }
}
