public import JSONValues

/// Where a receipt was issued, and whether through Apple's volume purchase program.
///
/// Source: Apple, `receipt_type` of verifyReceipt; attribute 0 of an app receipt.
public struct ReceiptType: StringVocabulary, FieldValue {
  /// Apple's text.
  public var rawValue: String
  /// Takes any text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The App Store.
  public static let production = ReceiptType(rawValue: "Production")
  /// The App Store, bought through the volume purchase program.
  public static let productionVPP = ReceiptType(rawValue: "ProductionVPP")
  /// The Sandbox.
  public static let productionSandbox = ReceiptType(rawValue: "ProductionSandbox")
  /// The Sandbox of the volume purchase program.
  public static let productionVPPSandbox = ReceiptType(rawValue: "ProductionVPPSandbox")
  /// StoreKit testing in Xcode; not signed by Apple.
  public static let xcode = ReceiptType(rawValue: "Xcode")

  /// The values that Apple documents, and Xcode's.
  public static let allCases: [ReceiptType] = [
    production, productionVPP, productionSandbox, productionVPPSandbox, xcode,
  ]

  /// The environment that a receipt of this type belongs to, or nil for an unknown type.
  public var environment: AppStoreEnvironment? {
    switch self {
    case .production, .productionVPP: .production
    case .productionSandbox, .productionVPPSandbox: .sandbox
    case .xcode: .xcode
    default: nil
    }
  }
}
