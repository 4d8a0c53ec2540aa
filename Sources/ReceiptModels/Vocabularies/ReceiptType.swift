/// The type of a receipt: its environment, and whether it is from the volume purchase program.
///
/// Source: Apple, `receipt_type` of verifyReceipt; attribute 0 of an app receipt.
public struct ReceiptType: StringVocabulary, FieldValue {
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let production = Self(rawValue: "Production")
  /// The volume purchase program in the App Store.
  public static let productionVPP = Self(rawValue: "ProductionVPP")
  public static let productionSandbox = Self(rawValue: "ProductionSandbox")
  /// The volume purchase program in the sandbox.
  public static let productionVPPSandbox = Self(rawValue: "ProductionVPPSandbox")
  /// StoreKit testing in Xcode; not signed by Apple.
  public static let xcode = Self(rawValue: "Xcode")

  public static let allCases: [Self] = [
    production, productionVPP, productionSandbox, productionVPPSandbox, xcode,
  ]

  public var environment: AppStoreEnvironment? {
    switch self {
    case .production, .productionVPP: .production
    case .productionSandbox, .productionVPPSandbox: .sandbox
    case .xcode: .xcode
    default: nil
    }
  }
}
