internal import PurchaseStorage
internal import ReceiptModels

extension SQLColumns<VerificationSession> {
  /// The columns of `apple_verification_session`, except the date of creation.
  static let session = SQLColumns([
    .environment("environment", \.environment),
    .text("original_transaction_id", \.originalTransactionID),
    .text("transaction_id", \.transactionID),
    .name("app_item_id", \.appItemID),
    .name("application_version", \.applicationVersion),
    .name("bundle_id", \.bundleID),
    .name("download_id", \.downloadID),
    .milliseconds("expiration_date_ms", \.expirationDate),
    .milliseconds("original_purchase_date_ms", \.originalPurchaseDate),
    .name("original_application_version", \.originalApplicationVersion),
    .milliseconds("preorder_date_ms", \.preorderDate),
    .milliseconds("receipt_creation_date_ms", \.receiptCreationDate),
    .name("receipt_type", \.receiptType),
    .milliseconds("request_date_ms", \.requestDate),
    .number("response_status", \.responseStatus),
    .name("version_external_identifier", \.versionExternalIdentifier),
  ])
}
