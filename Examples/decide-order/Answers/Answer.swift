import OrderPolicy
import Foundation
import JSONValues
import ReceiptModels
import StorekeeperToolSupport

struct Answer {
  var decision: String
  /// The reason of a refusal or of a failure; nil if there is none.
  var code: String?
  var status = 200
  /// The number of seconds after which a client may try again.
  var retryAfter: Int?
  var needsAttention = false
  var subscription: UserSubscription?
  var stored: OrderedSubscription?
  /// The key of the purchase that the user has claimed then.
  var claim: String?

  init(_ decision: String) { self.decision = decision }

  /// One line of JSON, its members in this order.
  var line: [UInt8] {
    Array(members: [
      ("decision", JSONValue.string(decision).serialized),
      ("code", Self.text(code).serialized),
      ("status", JSONValue.integer(status).serialized),
      ("retryAfter", (retryAfter.map { .integer($0) } ?? JSONValue.null).serialized),
      ("needsAttention", JSONValue.boolean(needsAttention).serialized),
      ("subscription", subscription?.line ?? JSONValue.null.serialized),
      ("stored", (stored?.json ?? .null).serialized),
      ("claim", Self.text(claim).serialized),
    ])
  }

  fileprivate static func text(_ text: String?) -> JSONValue {
    text.map(JSONValue.string) ?? .null
  }

  fileprivate static func moment(_ date: Date) -> JSONValue {
    .string(Moment(date).text(as: .rfc3339))
  }
}

extension UserSubscription {
  /// The object of the entitlement rules, section 12, whose fee has exactly the digits of the level's.
  fileprivate var line: [UInt8] {
    Array(members: [
      ("name", JSONValue.string(level.name).serialized),
      ("description", JSONValue.string(level.description).serialized),
      ("portfolioLimit", JSONValue.integer(level.quota).serialized),
      ("fee", Array(level.fee.description.utf8)),
      ("appleProductId", Answer.text(level.appleProductID).serialized),
      ("googleProductId", Answer.text(level.googleProductID).serialized),
      ("vendor", JSONValue.string(vendor.rawValue).serialized),
      ("environment", JSONValue.string(environment.rawValue).serialized),
      ("expiration", Answer.moment(expiration).serialized),
    ])
  }
}

extension OrderedSubscription {
  /// The row, with the columns of its table.
  fileprivate var json: JSONValue {
    .object([
      "level": .string(levelName), "vendor": .string(vendor.rawValue),
      "environment": .string(environment.rawValue),
      "purchase_key": .string(purchaseKey.identifier),
      "subscriptionReceiptData": .string(receiptData),
      "subscriptionExpiration": Answer.moment(expiration),
      "validated_at": Answer.moment(validatedDate),
    ])
  }
}
