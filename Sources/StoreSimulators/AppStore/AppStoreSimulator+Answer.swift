internal import StorekeeperLocks
internal import StorekeeperCrypto
internal import ReceiptModels
internal import ReceiptVerifier
internal import StorekeeperTesting

extension AppStoreSimulator {
  /// Returns the answer of one of Apple's servers to a request.
  ///
  /// Source: `Documentation/rules/app-store-rules.md`, section 5.
  func answer(
    _ request: VerifyReceiptRequest?, of server: VerifyReceiptServer
  ) throws -> VerifyReceiptResponse {
    guard let request else { return VerifyReceiptResponse(status: .malformedReceipt) }
    let verified: VerifiedAppReceipt
    do throws(ReceiptFailure) {
      verified = try verifier.verify(base64: request.receiptData)
    } catch {
      return VerifyReceiptResponse(
        status: error.isAboutForm ? .malformedReceipt : .notAuthenticated)
    }
    guard verified.environment == server.environment else {
      return VerifyReceiptResponse(
        status: server == .production ? .sandboxReceipt : .productionReceipt)
    }
    if let sharedSecret, let password = request.password, AppSharedSecret(password) != sharedSecret
    {
      return VerifyReceiptResponse(status: .sharedSecretMismatch)
    }
    return try answer(about: verified.receipt, request)
  }

  private func answer(
    about receipt: AppReceipt, _ request: VerifyReceiptRequest
  ) throws -> VerifyReceiptResponse {
    let now = now
    var response = VerifyReceiptResponse(status: .valid)
    response.environment = receipt.receiptType.environment
    response.receipt = VerifyReceiptResponse.Receipt(receipt)
    response.receipt?.requestDate = now
    // Without a password, or for a receipt of another app, Apple only repeats the receipt.
    guard request.password != nil, receipt.bundleID == bundleID else { return response }
    let customer = String(decoding: receipt.opaqueValue, as: UTF8.self)
    let store = state.withLock { $0.store }
    let moment = SimulatedMoment(of: customer, in: store, at: now)
    let info = moment.latestReceiptInfo
    response.latestReceiptInfo = request.excludeOldTransactions == true ? Self.newest(info) : info
    response.pendingRenewalInfo = moment.renewals
    let content = receiptContent(at: moment)
    response.latestReceipt = Base64.encode(try authority.sign(content), .standard)
    return response
  }

  /// Returns the first entry of each subscription or purchase.
  private static func newest(_ entries: [ReceiptTransaction]) -> [ReceiptTransaction] {
    var seen: Set<String?> = []
    return entries.filter { seen.insert($0.originalTransactionID).inserted }
  }
}

extension ReceiptFailure {
  /// Whether the receipt cannot be read, rather than not be trusted.
  fileprivate var isAboutForm: Bool {
    switch self {
    case .tooLarge, .inputKind, .badEncoding, .malformedContainer, .notSignedData, .trailingBytes:
      true
    default: false
    }
  }
}
