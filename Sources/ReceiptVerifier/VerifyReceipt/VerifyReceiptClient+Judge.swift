internal import JSONValues
internal import ReceiptModels

extension VerifyReceiptClient {
  /// Checks the content of an answer with a good status.
  ///
  /// Source: `Documentation/rules/app-store-rules.md`; `Documentation/rules/linking-rules.md`.
  func judge(
    _ response: VerifyReceiptResponse, in answered: Answered
  ) throws(VerifyReceiptFailure) -> VerifiedReceipt {
    try checkBundle(of: response)
    if configuration.missingSubscriptions == .refuse, !response.namesSubscriptions {
      throw .refused(.noSubscriptions)
    }
    try response.checkTransactions()
    let environment = answered.server.environment
    if let found = response.environmentOtherThan(environment) {
      throw .transient(.environmentMismatch(found: found))
    }
    guard configuration.environments.contains(environment) else {
      throw .refused(.environmentNotAllowed(environment))
    }
    return VerifiedReceipt(
      response: response, environment: environment, rawBody: answered.body,
      requestDate: response.requestDate ?? now(), attempts: answered.attempts)
  }

  /// Checks the bundle ID byte for byte: equal Swift strings may differ in their code points.
  private func checkBundle(of response: VerifyReceiptResponse) throws(VerifyReceiptFailure) {
    guard let found = response.bundleID, !found.isEmpty else {
      throw .transient(
        response.isBareOfExpired ? .receiptMissing(response.status) : .noBundleID)
    }
    guard bundleIDs.contains(where: { $0.isSameText(as: found) }) else {
      throw .refused(.bundleMismatch(found: found))
    }
  }
}

extension ReceiptTransaction {
  /// Whether each ID is absent or has 1 to 64 digits; models keep unreadable members aside.
  fileprivate var hasLawfulIDs: Bool {
    [transactionID, originalTransactionID].allSatisfy { $0.map(TransactionIDs.areDigits) ?? true }
      && additionalMembers["transaction_id"] == nil
      && additionalMembers["original_transaction_id"] == nil
  }
}

extension PendingRenewal {
  fileprivate var hasLawfulID: Bool {
    (originalTransactionID.map(TransactionIDs.areDigits) ?? true)
      && additionalMembers["original_transaction_id"] == nil
  }
}

extension VerifyReceiptResponse {
  /// Checks that all transactions have readable IDs, and the latest ones also a product ID.
  ///
  /// Otherwise a transaction would silently be missing from the state.
  fileprivate func checkTransactions() throws(VerifyReceiptFailure) {
    guard transactions.allSatisfy(\.hasLawfulIDs),
      (pendingRenewalInfo ?? []).allSatisfy(\.hasLawfulID)
    else { throw .transient(.malformedTransactionID) }
    try Self.checkLatest(latestReceiptInfo ?? [], at: "latest_receipt_info")
    try Self.checkLatest(latestExpiredReceiptInfo ?? [], at: "latest_expired_receipt_info")
  }

  private static func checkLatest(
    _ transactions: [ReceiptTransaction], at path: String
  ) throws(VerifyReceiptFailure) {
    for (index, transaction) in transactions.enumerated() {
      guard transaction.transactionID != nil, transaction.originalTransactionID != nil else {
        throw .transient(.malformedTransactionID)
      }
      guard transaction.productID == nil else { continue }
      let found = transaction.additionalMembers["product_id"]?.kind ?? .absent
      throw .transient(
        .answerMalformed(
          FieldTypeFailure(path: "\(path)[\(index)].product_id", expected: .string, found: found)))
    }
  }

  /// Whether the answer consists only of status 21006, without a receipt.
  fileprivate var isBareOfExpired: Bool {
    status == .subscriptionExpired && receipt == nil && transactionReceipt == nil
  }

  /// Whether the answer names at least one transaction outside the receipt itself.
  fileprivate var namesSubscriptions: Bool {
    latestReceiptInfo?.isEmpty == false || latestExpiredReceiptInfo?.isEmpty == false
  }

  /// Returns the environment that the answer names, if it is known and not the expected one.
  fileprivate func environmentOtherThan(_ expected: AppStoreEnvironment) -> AppStoreEnvironment? {
    [environment, receipt?.receiptType?.environment].compactMap(\.self)
      .first { $0 != expected && $0.isKnown }
  }
}
