public import ReceiptModels

/// A credit product: a pack of credits that is sold in the App Store, and perhaps at Google Play.
///
/// The values are not checked here; the loaders of product mappings and ``CreditProducts`` do.
///
/// Source: credit rules, section 8.
public struct CreditProduct: Hashable, Sendable {
  /// The host's code of the product, such as `welcome_pack`.
  public var code: String
  /// The identifier of the product in App Store Connect.
  public var appStoreProductID: String
  /// The identifier of the product in the Play Console; nil if it is not sold at Google Play.
  public var googlePlayProductID: String?
  /// The credits of one unit, from 1 to 1,000,000,000.
  public var credits: Int
  /// The type, which decides how often the product can be bought.
  public var type: CreditProductType
  /// The place of the product in lists; products with the same place are ordered by code.
  public var sortOrder: Int
  /// Whether the product is for sale.
  ///
  /// For a client, a product that is not does not exist.
  public var isEnabled: Bool

  /// Creates a product that is sold in the App Store.
  public init(
    code: String, appStoreProductID: String, credits: Int, type: CreditProductType = .standard,
    sortOrder: Int = 0, isEnabled: Bool = true
  ) {
    self.code = code
    self.appStoreProductID = appStoreProductID
    self.credits = credits
    self.type = type
    self.sortOrder = sortOrder
    self.isEnabled = isEnabled
  }

  /// Returns the identifier of the product in a store, or nil if it is not sold there.
  public func productID(at vendor: Vendor) -> String? {
    vendor == .google ? googlePlayProductID : appStoreProductID
  }
}

/// The type of a credit product, which decides how often it can be bought.
///
/// Hosts may register further types with the loader of their product mapping; all but ``starter`` are
/// sold without limit.
///
/// Source: credit rules, section 8.
public struct CreditProductType: StringVocabulary {
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Sold once to each e-mail identity; see ``StarterIdentity``.
  public static let starter = Self(rawValue: "starter")
  /// Sold without limit.
  public static let standard = Self(rawValue: "standard")

  public static let allCases: [CreditProductType] = [starter, standard]
}
