internal import ReceiptModels

// The values that the App Store Server API's use cases keep.

extension JobPlace {
  /// Checks the texts that name the lease.
  ///
  /// - Throws: `StorageFailure.invalidValue` with the field that cannot be stored.
  package func checkTexts() throws(StorageFailure) {
    try StoredText.check("job", job, .job)
    try StoredText.check("token", token, .token)
  }
}

extension HistoryRevision {
  /// Checks that a row can hold every text.
  ///
  /// - Throws: `StorageFailure.invalidValue` with the field that cannot be stored.
  package func checkTexts() throws(StorageFailure) {
    try StoredText.check(.evidence("originalTransactionID"), originalTransactionID, .transactionID)
    try StoredText.check(environment)
    try StoredText.check(.evidence("revision"), revision, .revision)
  }
}

extension ReceiptCursor {
  /// Checks that a row can hold every text.
  ///
  /// - Throws: `StorageFailure.invalidValue` with the field that cannot be stored.
  package func checkTexts() throws(StorageFailure) {
    try StoredText.check(.evidence("originalTransactionID"), originalTransactionID, .transactionID)
    try StoredText.check(environment)
  }
}

extension ConsumptionCase {
  /// Checks that a row can hold every text.
  ///
  /// - Throws: `StorageFailure.invalidValue` with the field that cannot be stored.
  package func checkTexts() throws(StorageFailure) {
    try StoredText.check(.evidence("key"), key, .notificationKey)
    try StoredText.check(environment)
    try StoredText.check(.evidence("transactionID"), transactionID, .transactionID)
    try StoredText.check(.evidence("originalTransactionID"), originalTransactionID, .transactionID)
    try StoredText.check(.evidence("productID"), productID, .productID)
    try StoredText.check(.evidence("reason"), reason, .word)
    try StoredText.check("answer", answer, .answer)
    try StoredText.check("outcome", outcome, .word)
  }
}

extension ConsumptionCase.State {
  /// Checks that a case doesn't wait any longer.
  ///
  /// - Throws: `StorageFailure.invalidValue` with `state`.
  package func checkIsSettled() throws(StorageFailure) {
    if self == .waiting { throw .invalidValue(field: "state") }
  }
}
