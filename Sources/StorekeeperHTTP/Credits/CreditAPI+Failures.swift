internal import CreditPolicy
internal import GooglePlayVerifier
internal import HTTPMessages
internal import ReceiptModels
internal import Storekeeper

extension CreditAPI {
  /// Returns the answer to a failure of a request about credits, or nil for one that all APIs have in common.
  ///
  /// A failure of the store, and a conflict that remains, are temporary: 503, but 500 for a notification. If Apple's
  /// status of a certificate is unknown, both are answered with 503. Source: credit rules, sections 2, 4, 6 and 10.
  func ownAnswer(to error: any Error, in call: CreditCall) -> ObservedAnswer? {
    let isOfApple = call.route?.access == .vendor
    switch error {
    case let problem as Problem: return refused(problem)
    case RequestRefusal.bodyTooLarge:
      return refused(
        isOfApple ? Problem(.requestMalformed) : RequestObject.fault(.tooLarge, "body"))
    case RequestRefusal.invalidPage: return refused(RequestObject.fault(.outOfRange, "page"))
    case RequestRefusal.invalidPageLength:
      return refused(RequestObject.fault(.outOfRange, "per_page"))
    case is RequestRefusal, is AuthenticationFailure, is CancellationError: return nil
    case let failure as NotificationFailure where isOfApple: return answer(to: failure)
    case let failure as PushTokenFailure:
      return refused(Problem(failure.isIncidental ? .serviceUnavailable : .unauthenticated))
    // A store that is away is no failure of the server.
    case is OrderFailure, CreditFailure.googlePlayUnavailable, CreditFailure.revocationUnknown:
      return refused(Problem(.serviceUnavailable))
    // Until the caller is known, an unexpected error is one of the authenticator.
    default: return failed(error, call.caller == nil ? .internalError : .serviceUnavailable)
    }
  }

  func written(_ answer: FailureAnswer) -> ObservedAnswer {
    switch answer.status {
    case 401: refused(Problem(.unauthenticated))
    case 404: refused(Problem(.notFound))
    case 405: refused(Problem(.methodNotAllowed))
    case 415: refused(Problem(.unsupportedMediaType))
    case 503: refused(Problem(.serviceUnavailable))
    default: refused(Problem(.internalError))
    }
  }

  /// Returns the answer to Apple, which repeats a notification after each of them.
  private func answer(to failure: NotificationFailure) -> ObservedAnswer {
    switch failure {
    case .malformedBody: refused(Problem(.requestMalformed))
    case .notAuthentic(let reason), .otherApp(let reason):
      refused(SignedDataReason(reason).map { .invalid($0) } ?? Problem(.serviceUnavailable))
    case .payloadInvalid, .malformedID: refused(.invalid(.payloadInvalid))
    case .revocationUnknown, .appStoreUnavailable: refused(Problem(.serviceUnavailable))
    // Those of version 1, and refusals of facts that do not concern credits.
    case .wrongPassword, .bundleIDNotAllowed, .receiptMissing, .environmentUnknown, .subscription:
      failed(failure, .internalError)
    }
  }

  private func refused(_ problem: Problem) -> ObservedAnswer {
    (response(to: problem), problem.outcome)
  }

  private func failed(_ error: any Error, _ code: ProblemCode) -> ObservedAnswer {
    (response(to: Problem(code)), .failed(error))
  }

  private func response(to problem: Problem) -> HTTPResponseMessage {
    problem.response(base: problemBase, retryAfter: retryAfter())
  }
}

extension CreditFailure {
  /// Returns the answer to a refused claim, or nil for a failure of the server.
  ///
  /// The parameters repeat what the client sent, never what is stored. Source: credit rules, sections 2 and 4.
  func problem(for claim: GrantClaim, at vendor: Vendor = .apple) -> Problem? {
    switch self {
    case .refused(let refusal): refusal.problem(for: claim, at: vendor)
    case .notVerified(let reason): SignedDataReason(reason).map(Problem.invalid)
    case .environmentNotAllowed: .invalid(.environmentNotAllowed)
    case .payloadInvalid: .invalid(.payloadInvalid)
    case .amountOutOfRange: .invalid(.amountOutOfRange)
    case .purchaseNotFound: .invalid(.purchaseNotFound)
    case .revocationUnknown, .conflict, .googlePlayUnavailable: nil
    // Not failures of a claim.
    case .googlePlayNotServed: nil
    case .balanceInsufficient, .reservedEvent: nil
    }
  }

  /// The answer to a refused booking of the host's own, or nil for a failure of the server.
  var bookingProblem: Problem? {
    switch self {
    case .balanceInsufficient: Problem(.creditBalanceInsufficient)
    case .amountOutOfRange: RequestObject.fault(.outOfRange, "amount")
    case .reservedEvent: RequestObject.fault(.reserved, "eventId")
    case .conflict, .revocationUnknown, .googlePlayUnavailable: nil
    // Not failures of a booking.
    case .refused, .notVerified, .environmentNotAllowed, .payloadInvalid, .purchaseNotFound,
      .googlePlayNotServed:
      nil
    }
  }
}

extension GrantRefusal {
  fileprivate func problem(for claim: GrantClaim, at vendor: Vendor) -> Problem {
    let code = OrderedJSON.Member("productCode", claim.productCode)
    // A client of Google Play knows no transaction, and its purchase token is not repeated.
    let transaction =
      vendor == .apple ? [OrderedJSON.Member("transactionId", claim.transactionID)] : []
    let product = vendor == .apple ? "appStoreProductId" : "googlePlayProductId"
    return switch self {
    case .productNotFound: Problem(.paymentProductNotFound, [code])
    case .productMismatch:
      Problem(
        .paymentProductMismatch, [code, .init(product, claim.appStoreProductID)])
    case .transactionIDMismatch: .invalid(.transactionIDMismatch)
    case .appAccountTokenMismatch: .invalid(.appAccountTokenMismatch)
    case .revoked: Problem(.paymentTransactionRevoked, transaction)
    case .conflict: Problem(.paymentTransactionConflict, transaction)
    case .pending: Problem(.paymentPurchasePending)
    case .starterIneligible: Problem(.paymentStarterPackIneligible, [code])
    case .amountOutOfRange: .invalid(.amountOutOfRange)
    }
  }
}
