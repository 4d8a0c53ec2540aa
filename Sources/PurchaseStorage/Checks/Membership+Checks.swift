internal import JSONValues
internal import LinkPolicy
internal import ReceiptModels

extension Membership {
  /// Returns the membership with nil for every empty text.
  ///
  /// Texts that the stored row, `previous`, has already may come from earlier programs: of identifiers only the
  /// length and zero bytes are checked, of words nothing. Source: `Documentation/rules/linking-rules.md`.
  ///
  /// - Throws: `StorageFailure.invalidValue` with the field that cannot be stored, or with `accountID` if both
  ///   identifiers of the account are missing.
  func storable(replacing previous: Membership? = nil) throws(StorageFailure) -> Membership {
    let row = withoutEmptyTexts
    guard row.accountID != nil else {
      throw .invalidValue(field: StoredText.Field.accountID.name)
    }
    try check(.membershipID, row.id, unless: previous?.id)
    try check(.primaryID, row.primaryID?.rawValue, unless: previous?.primaryID?.rawValue)
    try check(.secondID, row.secondID?.rawValue, unless: previous?.secondID?.rawValue)
    try check(
      .originalTransactionID, row.originalTransactionID, unless: previous?.originalTransactionID)
    try check(.providerSubscriptionID, row.details.subscriptionID)
    try check(.providerPlanID, row.details.planID)
    try check(.licenceID, row.details.licenceID)
    try check(.hostPlanID, row.details.hostPlanID)
    if row.tier != previous?.tier { try check(.tier, row.tier?.rawValue) }
    if row.cycle != previous?.cycle { try check(.cycle, row.cycle?.rawValue) }
    if row.payMethod != previous?.payMethod { try check(.payMethod, row.payMethod?.rawValue) }
    if row.details.status != previous?.details.status {
      try check(.status, row.details.status?.rawValue)
    }
    if row.unreadableExpireDate != previous?.unreadableExpireDate {
      try check(.expireDate, row.unreadableExpireDate)
    }
    return row
  }

  private var withoutEmptyTexts: Membership {
    var row = self
    row.id = id.unlessEmpty
    row.originalTransactionID = originalTransactionID.unlessEmpty
    row.details.subscriptionID = details.subscriptionID.unlessEmpty
    row.details.planID = details.planID.unlessEmpty
    row.details.licenceID = details.licenceID.unlessEmpty
    row.details.hostPlanID = details.hostPlanID.unlessEmpty
    if primaryID?.rawValue.utf8.isEmpty == true { row.primaryID = nil }
    if secondID?.rawValue.utf8.isEmpty == true { row.secondID = nil }
    if tier?.rawValue.utf8.isEmpty == true { row.tier = nil }
    if cycle?.rawValue.utf8.isEmpty == true { row.cycle = nil }
    if payMethod?.rawValue.utf8.isEmpty == true { row.payMethod = nil }
    if details.status?.rawValue.utf8.isEmpty == true { row.details.status = nil }
    if unreadableExpireDate?.utf8.isEmpty == true { row.unreadableExpireDate = nil }
    return row
  }
}

/// Throws if there is a text that doesn't fit its field, and that is not the one of the stored row.
private func check(
  _ field: StoredText.Field, _ text: String?, unless stored: String?
) throws(StorageFailure) {
  let isOld = stored.map { text?.isSameText(as: $0) ?? false } ?? false
  try check(isOld ? StoredText.Field(field.name, .other) : field, text)
}

extension String? {
  fileprivate var unlessEmpty: String? { self?.utf8.isEmpty == true ? nil : self }
}
