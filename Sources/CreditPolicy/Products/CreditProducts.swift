internal import JSONValues
public import ReceiptModels

/// The credit products of a host, by code.
///
/// ```swift
/// let products = try CreditProducts([
///   CreditProduct(
///     code: "welcome_pack", appStoreProductID: "com.example.gems.welcome", credits: 60,
///     type: .starter)
/// ])
/// ```
///
/// Codes and identifiers are compared byte by byte.
///
/// Source: credit rules, section 8.
public struct CreditProducts: Hashable, Sendable {
  private let products: [[UInt8]: CreditProduct]
  /// The products for sale, by place and then by code.
  public let enabled: [CreditProduct]

  /// Creates a list without products.
  public init() {
    products = [:]
    enabled = []
  }

  /// Creates a list of products.
  ///
  /// The characters and lengths of their texts are not checked.
  ///
  /// - Throws: ``CreditProductsFailure``, for the first product at fault in the order given.
  public init(_ products: [CreditProduct]) throws(CreditProductsFailure) {
    var byCode: [[UInt8]: CreditProduct] = [:]
    var forSale: [CreditProduct] = []
    var taken: [Vendor: [[UInt8]: String]] = [:]
    for product in products {
      guard (1...1_000_000_000).contains(product.credits) else {
        throw .creditsOutOfRange(code: product.code)
      }
      guard byCode.updateValue(product, forKey: Array(product.code.utf8)) == nil else {
        throw .duplicateCode(product.code)
      }
      guard product.isEnabled else { continue }
      for vendor in LedgerEventID.vendors {
        guard let id = product.productID(at: vendor) else { continue }
        if let other = taken[vendor, default: [:]].updateValue(product.code, forKey: Array(id.utf8))
        {
          let codes = [other, product.code]
          throw vendor == .google
            ? .duplicateGooglePlayProduct(codes: codes) : .duplicateProduct(codes: codes)
        }
      }
      forSale.append(product)
    }
    self.products = byCode
    enabled = forSale.sorted { one, other in
      one.sortOrder == other.sortOrder
        ? one.code.utf8.lexicographicallyPrecedes(other.code.utf8)
        : one.sortOrder < other.sortOrder
    }
  }

  /// The product for sale that has this code, or nil if there is none.
  public subscript(code: String) -> CreditProduct? {
    products[Array(code.utf8)].flatMap { $0.isEnabled ? $0 : nil }
  }

  /// Whether a product of the App Store is in the list, for sale or not.
  public func contains(appStoreProductID id: String) -> Bool { contains(id, at: .apple) }

  /// Whether a product of a store is in the list, for sale or not.
  public func contains(_ productID: String, at vendor: Vendor) -> Bool {
    products.values.contains { $0.productID(at: vendor)?.isSameText(as: productID) == true }
  }
}

/// The reason why products don't form a list.
@nonexhaustive
public enum CreditProductsFailure: Error, Hashable, Sendable {
  /// The credits of a product are not 1 to 1,000,000,000.
  case creditsOutOfRange(code: String)
  case duplicateCode(String)
  /// Two products for sale have the same identifier in the App Store, so that a client could pick the code with more
  /// credits.
  case duplicateProduct(codes: [String])
  /// Two products for sale have the same identifier at Google Play.
  case duplicateGooglePlayProduct(codes: [String])
}
