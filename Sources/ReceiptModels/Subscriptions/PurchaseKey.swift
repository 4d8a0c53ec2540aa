internal import JSONValues

/// The key of a purchase: the store that sold it, the environment, and the store's own identifier.
///
/// It stays the same through renewals. Keys are equal if they are of one purchase: identifiers are compared byte by byte,
/// and at Apple the environments too. Elsewhere an identifier is of one purchase in whichever environment.
public struct PurchaseKey: Sendable {
  /// The store that sold the purchase.
  public var vendor: Vendor
  /// The environment of the purchase; the Sandbox also stands for Google's purchases of license testers.
  ///
  /// Of a token that Google was not asked about it is not known, and Production is assumed.
  public var environment: AppStoreEnvironment
  /// For Apple the original transaction ID, for Google the SHA-256 of the purchase token in hexadecimal digits.
  public var identifier: String

  /// Creates a key.
  public init(vendor: Vendor, environment: AppStoreEnvironment, identifier: String) {
    self.vendor = vendor
    self.environment = environment
    self.identifier = identifier
  }

  /// Creates the key of the purchase that records and facts know under an original transaction ID.
  public init(originalTransactionID: String, environment: AppStoreEnvironment) {
    let vendor = TransactionIDs.vendor(of: originalTransactionID)
    self.init(
      vendor: vendor, environment: environment,
      identifier: vendor == .google
        ? TransactionIDs.text(ofGoogle: originalTransactionID) : originalTransactionID)
  }

  /// The original transaction ID under which records and facts know the purchase; nil for a vendor whose purchases
  /// only orders know.
  public var originalTransactionID: String? {
    switch vendor {
    case .apple: identifier
    case .google: TransactionIDs.google(identifier)
    default: nil
    }
  }
}

extension PurchaseKey: Hashable {
  /// Returns whether two keys are of one purchase.
  public static func == (one: PurchaseKey, other: PurchaseKey) -> Bool {
    UniqueText(one.identifier) == UniqueText(other.identifier)
      && UniqueText(one.vendor.rawValue) == UniqueText(other.vendor.rawValue)
      && (one.vendor != .apple || one.environment == other.environment)
  }

  /// Hashes what tells purchases apart at every vendor.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(UniqueText(vendor.rawValue))
    hasher.combine(UniqueText(identifier))
  }
}
