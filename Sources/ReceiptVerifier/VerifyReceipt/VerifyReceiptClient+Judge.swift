internal import JSONValues
internal import ReceiptModels

extension VerifyReceiptClient {
  /// Checks the content of an answer with a good status, in the order of the contract.
  ///
  /// Source: contract on signed data, sections 5.2 to 5.4; contract on linking, section 4.1.
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
      throw .incidental(.environmentMismatch(found: found))
    }
    guard configuration.environments.contains(environment) else {
      throw .refused(.environmentNotAllowed(environment))
    }
    return VerifiedReceipt(
      response: response, environment: environment, rawBody: answered.body,
      requestDate: response.requestDate ?? now(), attempts: answered.attempts)
  }

  /// By bytes: Swift finds texts equal that differ in their code points.
  private func checkBundle(of response: VerifyReceiptResponse) throws(VerifyReceiptFailure) {
    guard let found = response.bundleID, !found.isEmpty else {
      throw .incidental(
        response.isBareOfExpired ? .receiptMissing(response.status) : .noBundleID)
    }
    guard bundleIDs.contains(where: { $0.utf8.elementsEqual(found.utf8) }) else {
      throw .refused(.bundleMismatch(found: found))
    }
  }
}

extension ReceiptTransaction {
  /// Whether each id is 1 to 64 digits, or absent; a model keeps what it cannot read.
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
  /// Checks that each transaction can be told from others, and those by which state is decided
  /// also what they are of: one that cannot would vanish from an answer that counts.
  fileprivate func checkTransactions() throws(VerifyReceiptFailure) {
    guard transactions.allSatisfy(\.hasLawfulIDs),
      (pendingRenewalInfo ?? []).allSatisfy(\.hasLawfulID)
    else { throw .incidental(.malformedTransactionID) }
    try Self.checkLatest(latestReceiptInfo ?? [], at: "latest_receipt_info")
    try Self.checkLatest(latestExpiredReceiptInfo ?? [], at: "latest_expired_receipt_info")
  }

  private static func checkLatest(
    _ transactions: [ReceiptTransaction], at path: String
  ) throws(VerifyReceiptFailure) {
    for (index, transaction) in transactions.enumerated() {
      guard transaction.transactionID != nil, transaction.originalTransactionID != nil else {
        throw .incidental(.malformedTransactionID)
      }
      guard transaction.productID == nil else { continue }
      let found = transaction.additionalMembers["product_id"]?.kind ?? .absent
      throw .incidental(
        .answerMalformed(
          FieldTypeFailure(path: "\(path)[\(index)].product_id", expected: .string, found: found)))
    }
  }

  /// Whether this is a status 21006 by itself, which says nothing about any app.
  fileprivate var isBareOfExpired: Bool {
    status == .subscriptionExpired && receipt == nil && transactionReceipt == nil
  }

  /// Whether Apple names at least one transaction outside of the receipt itself.
  fileprivate var namesSubscriptions: Bool {
    latestReceiptInfo?.isEmpty == false || latestExpiredReceiptInfo?.isEmpty == false
  }

  /// The environment that the answer claims, when it is known and another one.
  fileprivate func environmentOtherThan(_ expected: AppStoreEnvironment) -> AppStoreEnvironment? {
    [environment, receipt?.receiptType?.environment].compactMap(\.self)
      .first { $0 != expected && $0.isKnown }
  }
}
