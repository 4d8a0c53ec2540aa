public import JSONValues
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

// The claims of a statement (entitlement rules, section 10.1), of which `sub`, `aud`, `iat` and `exp` are those of RFC
// 7519 section 4.1.

extension EntitlementStatement {
  /// The type of a statement, for the header `typ` of the token that signs it.
  public static let type = "entitlement+jwt"

  /// The maximum length of a signed statement in bytes.
  public static let maximumSize = 1024

  /// The moment of the statement in milliseconds since 1970.
  ///
  /// A device keeps the highest that it has seen. A statement below it is older than one that the device had, and a
  /// clock before it was set back.
  public var counter: Int { Int(clamping: madeDate, by: 1000) }

  /// The claims, as an object.
  public var json: JSONValue {
    var claims: [String: JSONValue] = [
      "sub": .string(userID.rawValue), "aud": .string(bundleID),
      "env": .array(environments.map { .string($0.rawValue) }),
      "products": .array(products.map(\.json)), "complete": .boolean(isComplete),
      "iat": .integer(Int(clamping: madeDate)), "exp": .integer(Int(clamping: endDate)),
      "ask": .integer(Int(clamping: refreshDate)), "counter": .integer(counter),
    ]
    claims["subscription"] = subscription?.json
    return .object(claims)
  }
}

extension EntitlementStatement.Product {
  fileprivate var json: JSONValue {
    var members: [String: JSONValue] = ["id": .string(productID)]
    members["end"] = endDate.map { .integer(Int(clamping: $0)) }
    return .object(members)
  }
}

extension Int {
  /// Creates the number of whole units of a second since 1970, rounded down, or the nearest that there is.
  fileprivate init(clamping date: Date, by units: Double = 1) {
    let number = (date.timeIntervalSince1970 * units).rounded(.down)
    self = Int(exactly: number) ?? (number < 0 ? .min : .max)
  }
}
