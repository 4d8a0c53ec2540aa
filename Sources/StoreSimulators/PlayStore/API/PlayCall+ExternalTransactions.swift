internal import GooglePlayVerifier
internal import HTTPMessages
internal import JSONValues
internal import ReceiptModels

/// The calls on payments outside of Google's billing.
///
/// Source: Google Play Developer API v3, externaltransactions.
extension PlayCall {
  func createExternalTransaction(
    _ world: inout PlayWorld
  ) throws(GoogleAPIError) -> HTTPResponseMessage {
    guard !isOtherPackage else { throw .unknownPackage }
    guard let id = target.value("externalTransactionId"), Self.isIdentifier(id) else {
      throw .invalid("externalTransactionId")
    }
    var transaction = try checkedBody(as: ExternalTransaction.self)
    guard world.externalTransactions[id] == nil else { throw .knownTransaction }
    if let first = transaction.recurringTransaction?.initialExternalTransactionID {
      guard world.externalTransactions[first] != nil else {
        throw .invalid("initialExternalTransactionId")
      }
    }
    transaction.externalTransactionID = id
    transaction.packageName = route.packageName
    transaction.createTime = now
    transaction.transactionState = .reported
    transaction.currentPreTaxAmount = transaction.originalPreTaxAmount
    transaction.currentTaxAmount = transaction.originalTaxAmount
    // What the developer alone says is never answered.
    transaction.oneTimeTransaction?.externalTransactionToken = nil
    transaction.recurringTransaction?.externalTransactionToken = nil
    transaction.recurringTransaction?.migratedTransactionProgram = nil
    world.externalTransactions[id] = SimulatedExternalTransaction(transaction: transaction)
    return .google(transaction.jsonMembers)
  }

  func externalTransaction(_ world: PlayWorld) throws(GoogleAPIError) -> HTTPResponseMessage {
    .google(try found(world).transaction.jsonMembers)
  }

  func refundExternalTransaction(
    _ world: inout PlayWorld
  ) throws(GoogleAPIError) -> HTTPResponseMessage {
    var found = try found(world)
    let request = try checkedBody(as: RefundExternalTransactionRequest.self)
    guard found.transaction.transactionState == .reported else { throw .wrongState }
    if let part = request.partialRefund {
      guard found.refundIDs.insert(part.refundID).inserted else { throw .invalid("refundId") }
      guard found.refund(part.refundPreTaxAmount) else { throw .invalid("refundPreTaxAmount") }
    } else {
      found.cancel()
    }
    world.externalTransactions[route.id] = found
    return .google(found.transaction.jsonMembers)
  }

  private func found(
    _ world: PlayWorld
  ) throws(GoogleAPIError) -> SimulatedExternalTransaction {
    guard !isOtherPackage, let found = world.externalTransactions[route.id] else {
      throw .unknownTransaction
    }
    return found
  }

  private static func isIdentifier(_ text: String) -> Bool {
    (1...63).contains(text.utf8.count)
      && text.utf8.allSatisfy {
        $0.isLetterOrDigit || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
      }
  }
}

/// A payment outside of Google's billing that was reported.
struct SimulatedExternalTransaction: Sendable {
  var transaction: ExternalTransaction
  /// The identifiers of the partial refunds.
  var refundIDs: Set<String> = []

  /// Takes everything back that is left.
  mutating func cancel() {
    transaction.transactionState = .canceled
    transaction.currentPreTaxAmount?.priceMicros = 0
    transaction.currentTaxAmount?.priceMicros = 0
  }

  /// Takes a part back, which has to be less than what is left, and the tax in proportion; returns whether it is.
  mutating func refund(_ amount: ExternalTransaction.Price) -> Bool {
    guard let left = transaction.currentPreTaxAmount, let tax = transaction.currentTaxAmount,
      left.currency == amount.currency, amount.priceMicros < left.priceMicros
    else { return false }
    let rest = left.priceMicros - amount.priceMicros
    transaction.currentPreTaxAmount?.priceMicros = rest
    transaction.currentTaxAmount?.priceMicros = Int(
      (Double(tax.priceMicros) * Double(rest) / Double(left.priceMicros)).rounded())
    return true
  }
}
