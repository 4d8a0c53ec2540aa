/// A store that sells in-app purchases.
///
/// Source: entitlement rules, section 12.
public struct Vendor: Hashable, Sendable, RawRepresentable {
  /// The name in requests, answers and tables.
  public let rawValue: String

  /// Creates a vendor.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The App Store.
  public static let apple = Vendor(rawValue: "apple")
  /// Google Play.
  public static let google = Vendor(rawValue: "google")
}
