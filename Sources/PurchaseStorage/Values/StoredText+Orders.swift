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
    try purchaseKey.checkTexts()
    try StoredText.check(environment)
    try StoredText.check(.evidence("receiptData"), receiptData, .orderReceipt)
  }
}

extension PurchaseKey {
  /// Checks that a row can hold every text.
  ///
  /// - Throws: `StorageFailure.invalidValue` with the field that cannot be stored.
  package func checkTexts() throws(StorageFailure) {
    try StoredText.check(.caller("vendor"), vendor.rawValue, .kind)
    try StoredText.check(.evidence("environment"), environment.rawValue, .kind)
    try StoredText.check(.evidence("purchaseKey"), identifier, .word)
  }

  /// Checks the texts of a claim for a user.
  ///
  /// - Throws: `StorageFailure.invalidValue` with the field that cannot be stored.
  package func checkClaim(for userID: AccountID) throws(StorageFailure) {
    try StoredText.check(.caller("userID"), userID.rawValue, .userID)
    try checkTexts()
  }
}
