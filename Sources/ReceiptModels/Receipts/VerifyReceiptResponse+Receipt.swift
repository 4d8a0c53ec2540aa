public import JSONValues

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension VerifyReceiptResponse {
  /// An app receipt in an answer of verifyReceipt, in the style of iOS 7.
  ///
  /// Scalars and dates are read as in ``ReceiptTransaction``. Apple's numbers are 0 in the sandbox.
  ///
  /// Source: Apple, `responseBody.Receipt`; App Store rules, section 5.4.
  public struct Receipt: FieldModel {
    public var receiptType: ReceiptType?
    public var bundleID: String?
    /// Apple's number of the app (`adam_id`).
    public var adamID: Int?
    /// The same number as ``adamID``.
    public var appItemID: Int?
    public var applicationVersion: String?
    /// The version of the app at the first purchase, "1.0" in the sandbox.
    public var originalApplicationVersion: String?
    public var downloadID: Int?
    public var versionExternalIdentifier: Int?
    public var receiptCreationDate: Date?
    public var requestDate: Date?
    public var originalPurchaseDate: Date?
    /// The expiration date of the receipt, for the volume purchase program.
    public var expirationDate: Date?
    public var preorderDate: Date?
    /// The purchases in the receipt, which may be empty.
    public var inApp: [ReceiptTransaction]?
    public var additionalMembers: [String: JSONValue] = [:]

    /// Creates an empty receipt.
    public init() {}

    package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
      coder.scalar("receipt_type", &receiptType)
      coder.scalar("bundle_id", &bundleID)
      coder.number("adam_id", &adamID)
      coder.number("app_item_id", &appItemID)
      coder.scalar("application_version", &applicationVersion)
      coder.scalar("original_application_version", &originalApplicationVersion)
      coder.number("download_id", &downloadID)
      coder.number("version_external_identifier", &versionExternalIdentifier)
      coder.date(
        milliseconds: "receipt_creation_date_ms", text: "receipt_creation_date",
        &receiptCreationDate)
      coder.date(milliseconds: "request_date_ms", text: "request_date", &requestDate)
      coder.date(
        milliseconds: "original_purchase_date_ms", text: "original_purchase_date",
        &originalPurchaseDate)
      coder.date(milliseconds: "expiration_date_ms", text: "expiration_date", &expirationDate)
      coder.date(milliseconds: "preorder_date_ms", text: "preorder_date", &preorderDate)
      try coder("in_app", &inApp)
    }
  }
}
