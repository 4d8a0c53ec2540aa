internal import JSONValues

/// A product list that is loaded and expanded.
///
/// ```swift
/// let catalog = try ProductCatalog(json: bytes)
/// catalog["com.example.draw.frames"]?.type  // .nonConsumable
/// catalog.discountOf("com.example.draw.full25.monthly")  // com.example.draw.full.monthly
/// ```
///
/// Identifiers are compared byte by byte. Source: entitlement rules, sections 1 and 2.
public struct ProductCatalog: Sendable {
  /// The products: each element of the list in its order, and directly after it the discounts it generates.
  public let products: [CatalogProduct]
  /// The first warnings in the order of elements and keys, at most ``maximumWarningCount``.
  public let warnings: [CatalogWarning]
  /// The number of warnings, with those that are not kept.
  public let warningCount: Int

  /// The place of each identifier in ``products``.
  private let positions: [UniqueText: Int]

  /// The maximum size of a list in bytes.
  public static let maximumByteCount = 8 << 20
  /// The maximum number of elements of a list.
  public static let maximumElementCount = 20_000
  /// The maximum number of products, with the generated discounts.
  public static let maximumProductCount = 50_000
  /// The maximum number of warnings that are kept.
  public static let maximumWarningCount = 1_000

  /// Creates a catalogue of products whose identifiers are unique.
  init(products: [CatalogProduct], warnings: [CatalogWarning], warningCount: Int) {
    self.products = products
    self.warnings = warnings
    self.warningCount = warningCount
    var positions: [UniqueText: Int] = [:]
    positions.reserveCapacity(products.count)
    for (position, product) in products.enumerated() {
      positions[product.uniqueIdentifier] = position
    }
    self.positions = positions
  }

  /// The product with this identifier, or nil if it is not listed.
  public subscript(identifier: String) -> CatalogProduct? {
    positions[UniqueText(identifier)].map { products[$0] }
  }

  /// Returns the identifier of the full-price product of a discount, or nil for anything else.
  ///
  /// It takes one step: the full-price product may be a discount itself.
  public func discountOf(_ identifier: String) -> String? {
    self[identifier]?.discountOf
  }
}

extension ProductCatalog: Hashable {
  /// Returns whether both catalogues have the same products and warnings.
  public static func == (one: ProductCatalog, other: ProductCatalog) -> Bool {
    one.products == other.products && one.warnings == other.warnings
      && one.warningCount == other.warningCount
  }

  /// Hashes the products and warnings.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(products)
    hasher.combine(warnings)
    hasher.combine(warningCount)
  }
}

extension ProductCatalog {
  /// Loads and expands a product list in UTF-8, without byte-order mark, or throws its first fault.
  public init(json: [UInt8]) throws(ProductListFailure) {
    let list = try ExpandedList(try ProductListReader(json))
    let logs = list.logs
    self.init(
      products: list.products, warnings: WarningLog.merged(logs),
      warningCount: logs.reduce(0) { $0 + $1.count })
  }
}
