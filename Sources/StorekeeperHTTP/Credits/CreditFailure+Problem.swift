internal import CreditPolicy
internal import Storekeeper

extension CreditFailure {
  /// Returns the answer to a refused claim, or nil for a failure of the server.
  ///
  /// The parameters repeat what the client sent, never what is stored.
  ///
  /// Source: credit rules, sections 2 and 4.
  func problem(for claim: GrantClaim) -> Problem? {
    switch self {
    case .refused(let refusal): refusal.problem(for: claim)
    case .notVerified(let reason): SignedDataReason(reason).map(Problem.invalid)
    case .environmentNotAllowed: .invalid(.environmentNotAllowed)
    case .payloadInvalid: .invalid(.payloadInvalid)
    case .amountOutOfRange: .invalid(.amountOutOfRange)
    case .revocationUnknown, .conflict: nil
    // Not failures of a claim.
    case .balanceInsufficient, .reservedEvent: nil
    }
  }

  /// The answer to a refused booking of the host's own, or nil for a failure of the server.
  var bookingProblem: Problem? {
    switch self {
    case .balanceInsufficient: Problem(.creditBalanceInsufficient)
    case .amountOutOfRange: RequestObject.fault(.outOfRange, "amount")
    case .reservedEvent: RequestObject.fault(.reserved, "eventId")
    case .conflict, .revocationUnknown: nil
    // Not failures of a booking.
    case .refused, .notVerified, .environmentNotAllowed, .payloadInvalid: nil
    }
  }
}

extension GrantRefusal {
  fileprivate func problem(for claim: GrantClaim) -> Problem {
    let code = OrderedJSON.Member("productCode", claim.productCode)
    let transaction = OrderedJSON.Member("transactionId", claim.transactionID)
    return switch self {
    case .productNotFound: Problem(.paymentProductNotFound, [code])
    case .productMismatch:
      Problem(
        .paymentProductMismatch, [code, .init("appStoreProductId", claim.appStoreProductID)])
    case .transactionIDMismatch: .invalid(.transactionIDMismatch)
    case .appAccountTokenMismatch: .invalid(.appAccountTokenMismatch)
    case .revoked: Problem(.paymentTransactionRevoked, [transaction])
    case .conflict: Problem(.paymentTransactionConflict, [transaction])
    case .starterIneligible: Problem(.paymentStarterPackIneligible, [code])
    case .amountOutOfRange: .invalid(.amountOutOfRange)
    }
  }
}
