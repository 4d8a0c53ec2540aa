internal import CreditPolicy
internal import HTTPMessages
internal import PurchaseStorage
internal import Storekeeper

extension CreditAPI {
  /// Returns the answer to a failure, and the outcome for the observer.
  ///
  /// A failure of the store, and a conflict that remains, are temporary: 503, but 500 for a
  /// notification. If Apple's status of a certificate is unknown, both are answered with 503.
  ///
  /// Source: credit rules, sections 2, 4, 6 and 10.
  func answer(to error: any Error, in call: CreditCall) -> ObservedAnswer {
    switch error {
    case let problem as Problem: return refused(problem)
    case is AuthenticationFailure: return refused(Problem(.unauthenticated))
    case let failure as AuthenticatorFailure: return failed(failure.cause, .internalError)
    case RequestRefusal.methodNotAllowed(let methods):
      var answer = refused(Problem(.methodNotAllowed))
      // Names of methods are valid values, so `set` does not throw.
      try? answer.response.headers.set(methods.map(\.name).joined(separator: ", "), for: .allow)
      return answer
    case RequestRefusal.codedBody: return refused(Problem(.unsupportedMediaType))
    case RequestRefusal.bodyTooLarge:
      return refused(
        call.isOfApple ? Problem(.requestMalformed) : RequestObject.fault(.tooLarge, "body"))
    case RequestRefusal.invalidPage: return refused(RequestObject.fault(.outOfRange, "page"))
    case RequestRefusal.invalidPageLength:
      return refused(RequestObject.fault(.outOfRange, "per_page"))
    case let failure as NotificationFailure: return answer(to: failure)
    case is CancellationError:
      // The server is about to stop; the client may retry.
      return (response(to: Problem(.serviceUnavailable)), .cancelled)
    default: return failed(error, call.isOfApple ? .internalError : .serviceUnavailable)
    }
  }

  var unknownRoute: ObservedAnswer { refused(Problem(.notFound)) }

  /// Returns the answer to Apple, which repeats a notification after each of them.
  private func answer(to failure: NotificationFailure) -> ObservedAnswer {
    switch failure {
    case .malformedBody: refused(Problem(.requestMalformed))
    case .notAuthentic(let reason), .otherApp(let reason):
      SignedDataReason(reason).map { refused(.invalid($0)) }
        ?? failed(failure, .serviceUnavailable)
    case .payloadInvalid, .malformedID: refused(.invalid(.payloadInvalid))
    case .revocationUnknown, .appStoreUnavailable: failed(failure, .serviceUnavailable)
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
    problem.response(base: problemBase, retryAfter: retryAfterSeconds)
  }
}

extension CreditCall {
  fileprivate var isOfApple: Bool {
    match.route.operation(for: request.method)?.access == .apple
  }
}
