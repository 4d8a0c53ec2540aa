internal import ReceiptModels

extension VerifyReceiptClient {
  /// Checks the content of an answer with a good status, in the order of the contract.
  ///
  /// Source: contract on signed data, sections 5.2 to 5.4; contract on linking, section 4.1.
  func judge(_ answered: Answered) throws(VerifyReceiptFailure) -> VerifiedReceipt {
    let response = answered.response
    try checkBundle(of: response)
    if configuration.missingSubscriptions == .refuse, !response.namesSubscriptions {
      throw .refused(.noSubscriptions)
    }
    guard response.transactions.allSatisfy(\.hasLawfulIDs),
      (response.pendingRenewalInfo ?? []).allSatisfy({ Self.isLawful($0.originalTransactionID) })
    else { throw .incidental(.malformedTransactionID) }
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
    let found = response.bundleID
    guard let found, bundleIDs.contains(where: { $0.utf8.elementsEqual(found.utf8) }) else {
      throw .refused(.bundleMismatch(found: found))
    }
  }

  /// Whether an id is 1 to 64 digits, or absent.
  fileprivate static func isLawful(_ id: String?) -> Bool {
    id.map(TransactionIDs.areDigits) ?? true
  }
}

extension ReceiptTransaction {
  fileprivate var hasLawfulIDs: Bool {
    VerifyReceiptClient.isLawful(transactionID)
      && VerifyReceiptClient.isLawful(originalTransactionID)
  }
}

extension VerifyReceiptResponse {
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
