internal import JSONValues

// Payments outside of Google's billing, which the developer reports to Google within 24 hours. Identifiers are the
// developer's own: 1 to 63 letters, digits, hyphens and underscores of ASCII.

extension GooglePlayClient {
  /// Reports a payment outside of Google's billing, `externaltransactions.createexternaltransaction`.
  ///
  /// After a failure in which Google may have acted the request is not repeated: read the payment by its identifier.
  ///
  /// - Parameters:
  ///   - externalTransactionID: The developer's identifier, another one for each payment in the app; it tells
  ///     Google nothing about the user.
  ///   - transaction: The payment.
  ///   - patience: The time limit for all attempts, or nil for the configured one.
  /// - Returns: The payment as Google keeps it.
  /// - Throws: ``GooglePlayFailure``; `invalidCall` with what the report lacks.
  public func createExternalTransaction(
    _ externalTransactionID: String, _ transaction: ExternalTransaction, patience: Duration? = nil
  ) async throws(GooglePlayFailure) -> ExternalTransaction {
    let id = try Self.checked(externalTransactionID)
    return try await read(
      PlayRequest(
        .createExternalTransaction, post: "externalTransactions",
        query: [QueryItem(name: "externalTransactionId", value: id)], body: transaction.checked()),
      patience: patience)
  }

  /// Reads a payment that was reported, `externaltransactions.getexternaltransaction`.
  public func externalTransaction(
    _ externalTransactionID: String, patience: Duration? = nil
  ) async throws(GooglePlayFailure) -> ExternalTransaction {
    let id = try Self.checked(externalTransactionID)
    return try await read(
      PlayRequest(.getExternalTransaction, get: "externalTransactions/\(id)"), patience: patience)
  }

  /// Reports the refund of a payment, whole or in part, `externaltransactions.refundexternaltransaction`.
  ///
  /// After a failure in which Google may have acted the request is not repeated: read the payment, whose current
  /// amounts tell. A part has an identifier of its own, which Google accepts once.
  public func refundExternalTransaction(
    _ externalTransactionID: String, _ refund: RefundExternalTransactionRequest,
    patience: Duration? = nil
  ) async throws(GooglePlayFailure) -> ExternalTransaction {
    let id = try Self.checked(externalTransactionID)
    return try await read(
      PlayRequest(
        .refundExternalTransaction, post: "externalTransactions/\(id):refund",
        body: refund.checked()), patience: patience)
  }

  /// The maximum length of an identifier.
  private static let idLimit = 63

  private static func checked(_ id: String) throws(GooglePlayFailure) -> String {
    guard !id.utf8.isEmpty else { throw .invalidCall(.empty(.externalTransactionID)) }
    guard id.utf8.count <= idLimit else {
      throw .invalidCall(.tooLong(.externalTransactionID, limit: idLimit))
    }
    let isFit = id.utf8.allSatisfy {
      $0.isLetterOrDigit || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
    }
    guard isFit else { throw .invalidCall(.notAccepted(.externalTransactionID)) }
    return id
  }
}
