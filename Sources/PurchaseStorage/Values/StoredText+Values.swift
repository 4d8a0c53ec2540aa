internal import JSONValues
package import LinkPolicy
package import ReceiptModels

// Every field of a value is checked before any of it is written.

extension Membership {
  /// Returns the membership with nil for every empty text.
  ///
  /// Texts that the stored row has already may come from earlier programs: only their length and zero
  /// bytes are checked.
  ///
  /// Source: `Documentation/rules/linking-rules.md`.
  ///
  /// - Parameter previous: The stored row, if there is one.
  /// - Returns: The membership to store.
  /// - Throws: `StorageFailure.invalidValue` with the field that cannot be stored, or with
  ///   `accountID` if both identifiers of the account are missing.
  package func storable(
    replacing previous: Membership? = nil
  ) throws(StorageFailure) -> Membership {
    var row = self
    row.emptyTextsBecomeNil()
    guard row.accountID != nil else { throw .invalidValue(field: "accountID") }
    for (field, path, shape) in Self.identifiers {
      let isOld = previous.map { row[keyPath: path].isSame(as: $0[keyPath: path]) } ?? false
      try StoredText.check(field, row[keyPath: path], isOld ? .other : shape)
    }
    for (field, path) in Self.otherTexts { try StoredText.check(field, row[keyPath: path], .other) }
    for (field, word) in Self.words where row[keyPath: word] != previous?[keyPath: word] {
      try StoredText.check(field, row[keyPath: word], .other)
    }
    return row
  }

  private static var words: [(StorageFailure.Field, KeyPath<Membership, String?>)] {
    [
      ("tier", \.tier?.rawValue), ("cycle", \.cycle?.rawValue),
      ("payMethod", \.payMethod?.rawValue), ("status", \.details.status?.rawValue),
      ("expireDate", \.unreadableExpireDate),
    ]
  }

  private static var identifiers:
    [(StorageFailure.Field, KeyPath<Membership, String?>, StoredText.Shape)]
  {
    [
      ("membershipID", \.id, .accountID), ("primaryID", \.primaryID?.rawValue, .accountID),
      ("secondID", \.secondID?.rawValue, .accountID),
      (.evidence("originalTransactionID"), \.originalTransactionID, .transactionID),
    ]
  }

  private static var otherTexts: [(StorageFailure.Field, WritableKeyPath<Membership, String?>)] {
    [
      ("providerSubscriptionID", \.details.subscriptionID),
      ("providerPlanID", \.details.planID), ("licenceID", \.details.licenceID),
      ("hostPlanID", \.details.hostPlanID),
    ]
  }

  private mutating func emptyTextsBecomeNil() {
    if primaryID?.rawValue.utf8.isEmpty == true { primaryID = nil }
    if secondID?.rawValue.utf8.isEmpty == true { secondID = nil }
    if tier?.rawValue.utf8.isEmpty == true { tier = nil }
    if cycle?.rawValue.utf8.isEmpty == true { cycle = nil }
    if payMethod?.rawValue.utf8.isEmpty == true { payMethod = nil }
    if details.status?.rawValue.utf8.isEmpty == true { details.status = nil }
    if unreadableExpireDate?.utf8.isEmpty == true { unreadableExpireDate = nil }
    let ids: [WritableKeyPath<Membership, String?>] = [\.id, \.originalTransactionID]
    for path in ids + Self.otherTexts.map(\.1) where self[keyPath: path]?.utf8.isEmpty == true {
      self[keyPath: path] = nil
    }
  }
}

extension Subscription {
  /// Checks that a row can hold every text.
  ///
  /// - Throws: `StorageFailure.invalidValue` with the field that cannot be stored.
  package func checkTexts() throws(StorageFailure) {
    try StoredText.check(environment)
    try StoredText.check(.evidence("originalTransactionID"), originalTransactionID, .transactionID)
    try StoredText.check(.evidence("lastTransactionID"), lastTransactionID, .transactionID)
    try StoredText.check(.evidence("productID"), productID, .productID)
    try StoredText.check("tier", tier.rawValue, .other)
    try StoredText.check("cycle", cycle.rawValue, .other)
  }
}

extension PurchaseRecord {
  /// Checks that a row can hold every text.
  ///
  /// - Throws: `StorageFailure.invalidValue` with the field that cannot be stored.
  package func checkTexts() throws(StorageFailure) {
    try StoredText.check(.evidence("transactionID"), transactionID, .transactionID)
    try StoredText.check(.evidence("originalTransactionID"), originalTransactionID, .transactionID)
    try StoredText.check(.evidence("productID"), productID, .productID)
    try StoredText.check(.evidence("subscriptionGroupID"), subscriptionGroupID, .other)
    try StoredText.check(.evidence("webOrderLineItemID"), webOrderLineItemID, .other)
    try StoredText.check(.evidence("offer"), offer?.identifier, .other)
    try StoredText.check(.evidence("productType"), productType?.rawValue, .other)
    try StoredText.check(.evidence("ownership"), ownership?.rawValue, .other)
    try StoredText.check(.evidence("revocationType"), revocationType?.rawValue, .other)
  }
}

extension RenewalRecord {
  /// Checks that a row can hold every text.
  ///
  /// - Throws: `StorageFailure.invalidValue` with the field that cannot be stored.
  package func checkTexts() throws(StorageFailure) {
    try StoredText.check(.evidence("originalTransactionID"), originalTransactionID, .transactionID)
    try StoredText.check(.evidence("productID"), productID, .productID)
    try StoredText.check(.evidence("autoRenewProductID"), autoRenewProductID, .productID)
    try StoredText.check(.evidence("offer"), offer?.identifier, .other)
  }
}

extension VerificationSession {
  /// Checks that a row can hold every text.
  ///
  /// - Throws: `StorageFailure.invalidValue` with the field that cannot be stored.
  package func checkTexts() throws(StorageFailure) {
    try StoredText.check(environment)
    try StoredText.check(.evidence("originalTransactionID"), originalTransactionID, .transactionID)
    try StoredText.check(.evidence("transactionID"), transactionID, .transactionID)
    try StoredText.check(.evidence("appItemID"), appItemID, .other)
    try StoredText.check(.evidence("applicationVersion"), applicationVersion, .other)
    try StoredText.check(.evidence("bundleID"), bundleID, .other)
    try StoredText.check(.evidence("downloadID"), downloadID, .other)
    try StoredText.check(
      .evidence("originalApplicationVersion"), originalApplicationVersion, .other)
    try StoredText.check(.evidence("receiptType"), receiptType, .other)
    try StoredText.check(.evidence("versionExternalIdentifier"), versionExternalIdentifier, .other)
  }
}

extension NotificationRecord {
  /// Checks that a row can hold every text.
  ///
  /// - Throws: `StorageFailure.invalidValue` with the field that cannot be stored.
  package func checkTexts() throws(StorageFailure) {
    try StoredText.check("key", key, .notificationKey)
    try StoredText.check(environment)
    try StoredText.check(.evidence("originalTransactionID"), originalTransactionID, .transactionID)
    try StoredText.check(.evidence("notificationType"), notificationType, .other)
    try StoredText.check(.evidence("subtype"), subtype, .other)
    try StoredText.check(.evidence("notificationUUID"), notificationUUID, .other)
    try StoredText.check(.evidence("autoRenewProductID"), autoRenewProductID, .productID)
  }
}

extension StoredReceipt {
  /// Checks that a row can hold every text.
  ///
  /// - Throws: `StorageFailure.invalidValue` with the field that cannot be stored.
  package func checkTexts() throws(StorageFailure) {
    try StoredText.check(.evidence("originalTransactionID"), originalTransactionID, .transactionID)
    try StoredText.check(environment)
    try StoredText.check(.evidence("receipt"), receipt, .receipt)
  }
}

extension OutboxMessage {
  /// Checks that a row can hold every text.
  ///
  /// - Throws: `StorageFailure.invalidValue` with the field that cannot be stored.
  package func checkTexts() throws(StorageFailure) {
    try StoredText.check("kind", kind.rawValue, .other)
    try StoredText.check(.evidence("originalTransactionID"), originalTransactionID, .transactionID)
    try StoredText.check("tier", tier?.rawValue, .other)
    try StoredText.check("reference", reference, .notificationKey)
  }
}

extension String? {
  /// Whether both have the same bytes, or neither has any.
  fileprivate func isSame(as other: String?) -> Bool {
    switch (self, other) {
    case (let one?, let other?): one.isSameText(as: other)
    case (nil, nil): true
    default: false
    }
  }
}

extension KeptNotification {
  /// Checks that a row can hold every text.
  ///
  /// - Throws: `StorageFailure.invalidValue` with the field that cannot be stored.
  package func checkTexts() throws(StorageFailure) {
    try StoredText.check("key", key, .notificationKey)
    if let environment { try StoredText.check(environment) }
    try StoredText.check(.evidence("signedPayload"), signedPayload, .signedPayload)
    try StoredText.check("path", path, .other)
  }
}
