package import EntitlementPolicy
package import ReceiptModels

// The values of entitlements.

extension PurchaseAssociation {
  /// Checks that a row can hold every text.
  ///
  /// - Throws: `StorageFailure.invalidValue` with the field that cannot be stored.
  package func checkTexts() throws(StorageFailure) {
    try StoredText.check(environment)
    try StoredText.check(.evidence("originalTransactionID"), originalTransactionID, .transactionID)
    try StoredText.check(.caller("userID"), userID.rawValue, .userID)
    try StoredText.check(.evidence("bundleID"), bundleID, .word)
    try StoredText.check("evidence", evidence.rawValue, .kind)
  }
}

extension AssociationConflict {
  /// Checks that a row can hold every text.
  ///
  /// - Throws: `StorageFailure.invalidValue` with the field that cannot be stored.
  package func checkTexts() throws(StorageFailure) {
    try StoredText.check(.evidence("originalTransactionID"), originalTransactionID, .transactionID)
    try StoredText.check("owner", owner.rawValue, .userID)
    try StoredText.check(.caller("claimant"), claimant.rawValue, .userID)
  }
}

extension AcquiredProduct {
  /// Checks the texts of products that are to be added for a user.
  ///
  /// - Throws: `StorageFailure.invalidValue` with the field that cannot be stored.
  package static func check(
    _ products: [AcquiredProduct], of userID: AccountID, in bundleID: String
  ) throws(StorageFailure) {
    try StoredText.check(.caller("userID"), userID.rawValue, .userID)
    try StoredText.check("bundleID", bundleID, .word)
    for product in products {
      try StoredText.check("productID", product.productID, .productID)
      try StoredText.check("viaProductID", product.viaProductID, .productID)
    }
  }
}

extension AppValidation {
  /// Checks the texts of a state that is to be saved for a user.
  ///
  /// - Throws: `StorageFailure.invalidValue` with the field that cannot be stored.
  package func checkTexts(of userID: AccountID) throws(StorageFailure) {
    try StoredText.check(.caller("userID"), userID.rawValue, .userID)
    try StoredText.check("bundleID", bundleID, .word)
    try StoredText.check("lastFailure", lastFailure?.rawValue, .kind)
  }
}

extension UnansweredPurchase {
  /// Checks that a row can hold every text.
  ///
  /// - Throws: `StorageFailure.invalidValue` with the field that cannot be stored.
  package func checkTexts() throws(StorageFailure) {
    try StoredText.check(environment)
    try StoredText.check("originalTransactionID", originalTransactionID, .transactionID)
  }
}
