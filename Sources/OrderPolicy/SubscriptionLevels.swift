internal import JSONValues
public import ReceiptModels

/// The levels that a host sells.
///
/// Names, and the products of each vendor, are unique; texts are compared byte by byte.
///
/// Source: entitlement rules, section 12.
public struct SubscriptionLevels: Hashable, Sendable {
  /// The levels, in ascending order of the fee, then of the name's bytes.
  public let all: [SubscriptionLevel]

  /// The maximum number of levels.
  public static let maximumCount = 1000
  /// The maximum number of bytes of a name or a product.
  public static let maximumNameLength = 255
  /// The maximum number of bytes of a description.
  public static let maximumDescriptionLength = 1024

  /// Creates a host's levels.
  public init(_ levels: [SubscriptionLevel]) throws(SubscriptionLevelFailure) {
    guard levels.count <= Self.maximumCount else { throw SubscriptionLevelFailure(.tooMany) }
    var names: Set<UniqueText> = []
    var products: [Vendor: Set<UniqueText>] = [:]
    for (index, level) in levels.enumerated() {
      try level.check(at: index)
      guard names.insert(UniqueText(level.name)).inserted else {
        throw SubscriptionLevelFailure(.repeated, index: index, key: "name")
      }
      for (vendor, key) in [(Vendor.apple, "appleProductID"), (.google, "googleProductID")] {
        guard let id = level.productID(of: vendor) else { continue }
        guard products[vendor, default: []].insert(UniqueText(id)).inserted else {
          throw SubscriptionLevelFailure(.repeated, index: index, key: key)
        }
      }
    }
    self.init(stored: levels)
  }

  /// Creates levels that a store holds, in any order; nothing is checked.
  package init(stored levels: [SubscriptionLevel]) {
    all = levels.sorted {
      $0.fee == $1.fee ? UniqueText($0.name) < UniqueText($1.name) : $0.fee < $1.fee
    }
  }

  /// Returns the level with a name, or nil if there is none.
  public func level(named name: String) -> SubscriptionLevel? {
    all.first { $0.name.isSameText(as: name) }
  }

  /// Returns the level of a purchase: that of its billing plan, which a level names after the product and a colon, or
  /// else that of its product; nil if there is none.
  public func level(of purchase: VendorPurchase, from vendor: Vendor) -> SubscriptionLevel? {
    let plan = purchase.planID.map { "\(purchase.productID):\($0)" }
    return plan.flatMap { level(ofProduct: $0, from: vendor) }
      ?? level(ofProduct: purchase.productID, from: vendor)
  }

  /// Returns the level that a vendor sells as a product, or nil if there is none.
  public func level(ofProduct productID: String, from vendor: Vendor) -> SubscriptionLevel? {
    all.first { level in
      level.productID(of: vendor).map { $0.isSameText(as: productID) } ?? false
    }
  }
}

extension SubscriptionLevel {
  fileprivate func check(at index: Int) throws(SubscriptionLevelFailure) {
    func check(
      _ text: String?, _ lengths: ClosedRange<Int>, _ key: String
    ) throws(SubscriptionLevelFailure) {
      guard let text else { return }
      guard lengths.contains(text.utf8.count), !text.utf8.contains(0) else {
        throw SubscriptionLevelFailure(.badText, index: index, key: key)
      }
    }
    try check(name, 1...SubscriptionLevels.maximumNameLength, "name")
    try check(description, 0...SubscriptionLevels.maximumDescriptionLength, "description")
    guard quota >= 0 else {
      throw SubscriptionLevelFailure(.outOfRange, index: index, key: "quota")
    }
    try check(appleProductID, 1...SubscriptionLevels.maximumNameLength, "appleProductID")
    try check(googleProductID, 1...SubscriptionLevels.maximumNameLength, "googleProductID")
  }
}
