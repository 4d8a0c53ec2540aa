/// The environment of a purchase.
///
/// Source: Apple, `environment`.
public struct AppStoreEnvironment: StringVocabulary, FieldValue {
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The App Store, with real payments.
  public static let production = Self(rawValue: "Production")
  /// Apple's test environment; also used by App Review and TestFlight.
  public static let sandbox = Self(rawValue: "Sandbox")
  /// StoreKit testing in Xcode; not signed by Apple.
  public static let xcode = Self(rawValue: "Xcode")
  /// Local test data; not signed by Apple.
  public static let localTesting = Self(rawValue: "LocalTesting")

  public static let allCases: [Self] = [production, sandbox, xcode, localTesting]
}

extension AppStoreEnvironment {
  /// Creates the environment that a text names in any case, including `PROD` in notifications of
  /// version 1.
  ///
  /// Returns nil for any other text. Source: linking rules, section 1.
  public init?(anyCase text: String) {
    guard text.utf8.count <= 16 else { return nil }
    let name = text.lowercased()
    if name == "prod" {
      self = .production
      return
    }
    guard let known = Self.allCases.first(where: { $0.rawValue.lowercased() == name }) else {
      return nil
    }
    self = known
  }
}

/// A store that sells in-app purchases.
///
/// Source: entitlement rules, section 12.
public struct Vendor: Hashable, Sendable, RawRepresentable {
  /// The name in requests, answers and tables.
  public let rawValue: String

  /// Creates a vendor.
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let apple = Vendor(rawValue: "apple")
  /// Google Play.
  public static let google = Vendor(rawValue: "google")
}
