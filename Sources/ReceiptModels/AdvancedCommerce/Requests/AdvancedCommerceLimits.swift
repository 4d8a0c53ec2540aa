/// The limits that Apple documents for requests, of apps and of servers; texts are counted in Swift characters.
package enum AdvancedCommerceLimits {
  package static let description = 45
  package static let displayName = 30
  package static let sku = 128
  static let periodCount = 1...12

  static func check(
    _ text: String?, atMost limit: Int, _ field: String
  ) throws(AdvancedCommerceRequestFailure) {
    guard let count = text?.count, count > limit else { return }
    throw .tooLong(field: field, limit: limit, found: count)
  }
}

/// A part of a request with limits of its own.
protocol AdvancedCommercePart {
  /// Checks the limits, with a path that is empty or ends with a dot.
  func checkLimits(_ path: String) throws(AdvancedCommerceRequestFailure)
}

extension Array where Element: AdvancedCommercePart {
  /// Checks that the list is not empty, and then each element.
  func checkLimits(list field: String) throws(AdvancedCommerceRequestFailure) {
    guard !isEmpty else { throw .empty(field: field) }
    for (index, element) in enumerated() { try element.checkLimits("\(field)[\(index)].") }
  }
}

/// An item with a price.
protocol AdvancedCommerceItem: AdvancedCommercePart {
  var sku: String { get }
  var displayName: String { get }
  var description: String { get }
}

extension AdvancedCommerceItem {
  func checkLimits(_ path: String) throws(AdvancedCommerceRequestFailure) {
    try checkItem(path)
  }

  func checkItem(_ path: String) throws(AdvancedCommerceRequestFailure) {
    try AdvancedCommerceLimits.check(sku, atMost: AdvancedCommerceLimits.sku, path + "SKU")
    try AdvancedCommerceLimits.check(
      displayName, atMost: AdvancedCommerceLimits.displayName, path + "displayName")
    try AdvancedCommerceLimits.check(
      description, atMost: AdvancedCommerceLimits.description, path + "description")
  }
}

extension AdvancedCommerceOneTimeChargeItem: AdvancedCommerceItem {}

extension AdvancedCommerceSubscriptionCreateItem: AdvancedCommerceItem {
  func checkLimits(_ path: String) throws(AdvancedCommerceRequestFailure) {
    try checkItem(path)
    try offer?.checkLimits(path + "offer.")
  }
}

extension AdvancedCommerceSubscriptionAddItem: AdvancedCommerceItem {
  func checkLimits(_ path: String) throws(AdvancedCommerceRequestFailure) {
    try checkItem(path)
    try offer?.checkLimits(path + "offer.")
  }
}

extension AdvancedCommerceSubscriptionChangeItem: AdvancedCommerceItem {
  func checkLimits(_ path: String) throws(AdvancedCommerceRequestFailure) {
    try AdvancedCommerceLimits.check(
      currentSKU, atMost: AdvancedCommerceLimits.sku, path + "currentSKU")
    try checkItem(path)
    try offer?.checkLimits(path + "offer.")
  }
}

extension AdvancedCommerceItemReference: AdvancedCommercePart {
  func checkLimits(_ path: String) throws(AdvancedCommerceRequestFailure) {
    try AdvancedCommerceLimits.check(sku, atMost: AdvancedCommerceLimits.sku, path + "SKU")
  }
}

extension AdvancedCommerceOffer: AdvancedCommercePart {
  func checkLimits(_ path: String) throws(AdvancedCommerceRequestFailure) {
    let allowed = AdvancedCommerceLimits.periodCount
    guard allowed.contains(periodCount) else {
      throw .outOfRange(field: path + "periodCount", allowed: allowed, found: periodCount)
    }
  }
}

extension AdvancedCommerceDescriptors: AdvancedCommercePart {
  func checkLimits(_ path: String) throws(AdvancedCommerceRequestFailure) {
    try AdvancedCommerceLimits.check(
      description, atMost: AdvancedCommerceLimits.description, path + "description")
    try AdvancedCommerceLimits.check(
      displayName, atMost: AdvancedCommerceLimits.displayName, path + "displayName")
  }
}

extension AdvancedCommerceDescriptorsChange: AdvancedCommercePart {
  func checkLimits(_ path: String) throws(AdvancedCommerceRequestFailure) {
    try AdvancedCommerceLimits.check(
      description, atMost: AdvancedCommerceLimits.description, path + "description")
    try AdvancedCommerceLimits.check(
      displayName, atMost: AdvancedCommerceLimits.displayName, path + "displayName")
  }
}
