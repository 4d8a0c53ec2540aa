package import OrderPolicy
package import ReceiptModels

// The values of orders.

extension OrderedSubscription {
  /// Checks that a row can hold every text.
  ///
  /// - Throws: `StorageFailure.invalidValue` with the field that cannot be stored.
  package func checkTexts() throws(StorageFailure) {
    try StoredText.check(.caller("userID"), userID.rawValue, .userID)
    try StoredText.check("levelName", levelName, .word)
    try StoredText.check(.caller("vendor"), vendor.rawValue, .kind)
    try StoredText.check(environment)
    try StoredText.check(.evidence("purchaseKey"), purchaseKey, .word)
    try StoredText.check(.evidence("receiptData"), receiptData, .orderReceipt)
  }
}

extension StoredText {
  /// Checks the texts of a claim.
  ///
  /// - Throws: `StorageFailure.invalidValue` with the field that cannot be stored.
  package static func checkClaim(
    _ purchaseKey: String, from vendor: Vendor, for userID: AccountID
  ) throws(StorageFailure) {
    try check(.caller("userID"), userID.rawValue, .userID)
    try check(.caller("vendor"), vendor.rawValue, .kind)
    try check(.evidence("purchaseKey"), purchaseKey, .word)
  }
}
