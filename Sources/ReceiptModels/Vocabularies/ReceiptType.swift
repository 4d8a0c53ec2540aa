/// The type of a receipt: its environment, and whether it is from the volume purchase program.
///
/// Source: Apple, `receipt_type` of verifyReceipt; attribute 0 of an app receipt.
public struct ReceiptType: StringVocabulary, FieldValue {
  /// Apple's text.
  public var rawValue: String
  /// Creates a value from any text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The App Store.
  public static let production = ReceiptType(rawValue: "Production")
  /// The volume purchase program in the App Store.
  public static let productionVPP = ReceiptType(rawValue: "ProductionVPP")
  public static let productionSandbox = ReceiptType(rawValue: "ProductionSandbox")
  /// The volume purchase program in the sandbox.
  public static let productionVPPSandbox = ReceiptType(rawValue: "ProductionVPPSandbox")
  /// StoreKit testing in Xcode; not signed by Apple.
  public static let xcode = ReceiptType(rawValue: "Xcode")

  /// The values that Apple documents, and Xcode's.
  public static let allCases: [ReceiptType] = [
    production, productionVPP, productionSandbox, productionVPPSandbox, xcode,
  ]

  /// The environment of receipts of this type, or nil for an unknown type.
  public var environment: AppStoreEnvironment? {
    switch self {
    case .production, .productionVPP: .production
    case .productionSandbox, .productionVPPSandbox: .sandbox
    case .xcode: .xcode
    default: nil
    }
  }
}
