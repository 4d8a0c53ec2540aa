import EntitlementPolicy
import Foundation
import JSONValues
import ReceiptModels
import StorekeeperToolSupport

struct Answer {
  let entitlements: Entitlements
  let situation: Situation

  init(_ entitlements: Entitlements, situation: Situation) {
    self.entitlements = entitlements
    self.situation = situation
  }

  /// One line of JSON, its members in this order.
  var line: [UInt8] {
    Array(members: [
      ("allowedProducts", Self.array(entitlements.allowedProducts)),
      ("acquiredProducts", Self.array(entitlements.acquiredProducts)),
      ("purchasedProducts", Self.array(entitlements.purchasedProducts)),
      ("unknownProducts", Self.array(entitlements.unknownProducts)),
      ("subscription", subscription.serialized),
      ("stale", JSONValue.boolean(entitlements.isStale).serialized),
      ("suspended", JSONValue.boolean(entitlements.isSuspended).serialized),
      ("nextValidationAt", Self.moment(nextValidation).serialized),
      ("routes", routes),
      ("acquire", acquisitions),
      ("acquireAll", acquisitionOfAll.serialized),
      ("warnings", Self.array(warnings)),
    ])
  }

  private var subscription: JSONValue {
    guard let standing = entitlements.subscription else { return .null }
    let subscription = standing.subscription
    return .object([
      "bundleId": .string(subscription.bundleID), "productId": .string(subscription.productID),
      "environment": .string(subscription.environment.rawValue),
      "originalTransactionId": .string(subscription.originalTransactionID),
      "active": .boolean(entitlements.isSubscriber),
      "expiresAt": Self.moment(subscription.expiresDate),
      "accessUntil": Self.moment(standing.accessEndDate),
      "cancelledAt": Self.moment(subscription.cancellationDate),
    ])
  }

  /// The next validation, if there was one.
  private var nextValidation: Date? {
    guard let validated = entitlements.validation?.validatedDate else { return nil }
    return ValidationSchedule(options: situation.options).nextValidation(
      of: situation.holdings.purchases.subscriptions, validatedAt: validated)
  }

  private var routes: [UInt8] {
    members(entitlements.catalog.products.map(\.identifier)) { id in
      switch entitlements.purchaseRoute(of: id) {
      case .storePurchase: "storePurchase"
      case .acquire: "acquire"
      case .refused(let refusal): refusal.rawValue
      }
    }
  }

  private var acquisitions: [UInt8] {
    members(situation.wishes) { id in
      switch entitlements.acquisition(of: id) {
      case .acquire: "created"
      case .alreadyHeld: "held"
      case .refused(let refusal): refusal.rawValue
      }
    }
  }

  private var acquisitionOfAll: JSONValue {
    guard situation.wishesAll else { return .null }
    switch entitlements.acquisitionOfAll() {
    case .acquire(let products, _): return .array(products.map(JSONValue.string))
    case .alreadyHeld: return .array([])
    case .refused(let refusal): return .string(refusal.rawValue)
    }
  }

  private var warnings: [String] {
    entitlements.catalog.warnings.map(\.code.rawValue)
      + (entitlements.isSubscriptionUnlisted ? ["subscription_not_listed"] : [])
  }

  /// An object with a member for each identifier, which is another one than those that only look the same.
  private func members(_ ids: [String], _ word: (String) -> String) -> [UInt8] {
    Array(json: ids.uniqueInOrderOfBytes.map { ($0, .string(word($0))) })
  }

  private static func array(_ texts: [String]) -> [UInt8] {
    JSONValue.array(texts.map(JSONValue.string)).serialized
  }

  private static func moment(_ date: Date?) -> JSONValue {
    date.map { .string(Moment($0).text(as: .rfc3339)) } ?? .null
  }
}
