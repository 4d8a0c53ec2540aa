import Foundation
import JSONValues
import ReceiptModels
import ReceiptVerifier

struct ReceiptReport {
  var isVerified: Bool
  private var members: [String: JSONValue]

  var line: [UInt8] { JSONValue.object(members).serialized }

  init(_ kind: ReceiptKind, _ receipt: AppReceipt, at date: Date) {
    self.init(kind, receipt: receipt.shown, subscriptions: receipt.subscriptions(at: date))
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
    self.init(kind, reason: failure.name, message: failure.description)
  }

  /// Creates a report on input that was refused before its kind was known.
  init(_ kind: ReceiptKind = .unknown, reason: String, message: String) {
    isVerified = false
    members = [
      "kind": .string(kind.rawValue),
      "outcome": .string("refused"),
      "reason": .string(reason),
      "message": .string(message),
    ]
  }

  func about(_ file: String) -> ReceiptReport {
    var report = self
    report.members["file"] = .string(file)
    return report
  }

  /// Returns the report with the path of its JSON member.
  func about(member: String?) -> ReceiptReport {
    var report = self
    report.members["member"] = member.map(JSONValue.string)
    return report
  }

  /// Marks the receipt as not signed by Apple.
  mutating func markAsTestData() { members["signedByApple"] = .boolean(false) }

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

extension AppReceipt {
  /// The receipt in the form of verifyReceipt, with further attributes: the opaque value (4), the
  /// hash (5), and the type of each purchase (1707).
  fileprivate var shown: JSONValue {
    guard case .object(var members) = VerifyReceiptResponse.Receipt(self).json else { return .null }
    members["opaque_value"] = .string(Data(opaqueValue).base64EncodedString())
    members["sha1_hash"] = .string(Data(sha1Hash).base64EncodedString())
    if case .array(let transactions) = members["in_app"] {
      members["in_app"] = .array(
        zip(transactions, purchases).map { transaction, purchase in
          guard case .object(var transaction) = transaction else { return transaction }
          transaction["product_type"] = (purchase.productType?.rawValue).map(JSONValue.integer)
          return .object(transaction)
        })
    }
    return .object(members)
  }
}
