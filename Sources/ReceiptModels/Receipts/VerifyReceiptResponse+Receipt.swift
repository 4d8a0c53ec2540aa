public import JSONValues

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension VerifyReceiptResponse {
  /// An app receipt as verifyReceipt describes it, in the style of iOS 7.
  ///
  /// Scalars and dates are read as in ``ReceiptTransaction``. Numbers that Apple gives the app are 0
  /// in the Sandbox.
  ///
  /// Source: Apple, `responseBody.Receipt`; contract on signed data, section 5.4.
  public struct Receipt: FieldModel {
    /// Where the receipt was issued.
    public var receiptType: ReceiptType?
    /// The identifier of the app; compare it.
    public var bundleID: String?
    /// The number that Apple gave the app (`adam_id`).
    public var adamID: Int?
    /// The same number as ``adamID``.
    public var appItemID: Int?
    /// The version of the app.
    public var applicationVersion: String?
    /// The version of the app that was bought first, "1.0" in the Sandbox.
    public var originalApplicationVersion: String?
    /// The number of the download.
    public var downloadID: Int?
    /// The number of the app's version.
    public var versionExternalIdentifier: Int?
    /// When the receipt was made.
    public var receiptCreationDate: Date?
    /// When Apple answered.
    public var requestDate: Date?
    /// When the app was bought first.
    public var originalPurchaseDate: Date?
    /// When the receipt ends, for the volume purchase program.
    public var expirationDate: Date?
    /// When the app was ordered in advance.
    public var preorderDate: Date?
    /// The purchases in the receipt; may be empty.
    public var inApp: [ReceiptTransaction]?

    /// Members that this version does not know, what could not be read, and the times in the zone of
    /// California.
    public var additionalMembers: [String: JSONValue] = [:]

    /// An empty receipt, to be filled field by field.
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
