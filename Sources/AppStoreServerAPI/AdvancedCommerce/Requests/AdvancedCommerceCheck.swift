internal import ReceiptModels

/// The check of requests of the Advanced Commerce API against the limits that Apple documents.
enum AdvancedCommerceCheck {
  static func sku(_ text: String, _ field: String) throws(InvalidRequest) {
    try RequestCheck.notEmpty(text, field)
    try length(text, atMost: AdvancedCommerceLimits.sku, field)
  }

  static func displayName(_ text: String?, _ path: String) throws(InvalidRequest) {
    guard let text else { return }
    try length(text, atMost: AdvancedCommerceLimits.displayName, path + "displayName")
  }

  static func description(_ text: String?, _ path: String) throws(InvalidRequest) {
    guard let text else { return }
    try length(text, atMost: AdvancedCommerceLimits.description, path + "description")
  }

  static func amount(_ amount: Int, _ field: String) throws(InvalidRequest) {
    try RequestCheck.range(amount, 0...Int.max, field)
  }

  /// Checks that a list is not empty, and then each element with its path, which ends with a dot.
  static func list<Item>(
    _ items: [Item], _ field: String, each check: (Item, String) throws(InvalidRequest) -> Void
  ) throws(InvalidRequest) {
    try RequestCheck.notEmpty(items, field)
    for (index, item) in items.enumerated() { try check(item, "\(field)[\(index)].") }
  }

  private static func length(
    _ text: String, atMost limit: Int, _ field: String
  ) throws(InvalidRequest) {
    let count = text.count
    guard count <= limit else { throw InvalidRequest(field, .tooLong(limit: limit, found: count)) }
  }
}
