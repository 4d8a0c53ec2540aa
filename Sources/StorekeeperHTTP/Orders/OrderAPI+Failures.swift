internal import EntitlementPolicy
internal import GooglePlayVerifier
internal import HTTPMessages
internal import PurchaseStorage
internal import Storekeeper

extension OrderAPI: RoutedAPI {
  typealias Place = Void
  typealias Access = OrderAccess
  typealias User = EntitlementCaller

  func admit(_ call: inout OrderCall, to operation: OrderOperation) async throws {
    guard operation.access != .google else { return }
    let (caller, user) = try await authenticators.caller(of: call.request)
    call.caller = caller
    call.user = user
    if operation.access == .user, case .service = user { throw RequestRefusal.forbidden }
  }

  func reportedName(of call: OrderCall) -> String? {
    if case .service(let name)? = call.user { name } else { nil }
  }

  func bodyLimit(of operation: OrderOperation) -> Int {
    operation.access == .google ? PubSubPush.maximumSize : Self.bodyLimit
  }

  /// The answer to an unknown route.
  var unknownRoute: ObservedAnswer { FailureAnswer.notFound.observed }

  /// Returns the answer to a failure, and the outcome for the observer.
  ///
  /// Source: entitlement rules, section 14.
  func answer(to error: any Error, in call: OrderCall) -> ObservedAnswer {
    switch error {
    case let refusal as FieldRefusal: refusal.answer.observed
    case OrderFailure.vendorUnavailable(let failure): unavailable(failure)
    case let failure as OrderFailure: failure.answer.observed
    case let failure as PushTokenFailure where failure.isIncidental:
      waiting(.unavailable, .failed(failure))
    case is PushTokenFailure: FailureAnswer.unauthorized.observed
    case StorageFailure.invalidValue(field: "receiptData"):
      OrderFailure.refused(.invalid).answer.observed
    case let failure as StorageFailure: waiting(.unavailable, .failed(failure))
    default: SubscriptionAPI.answer(to: error, under: .current)
    }
  }

  private func unavailable(_ failure: IncidentalFailure) -> ObservedAnswer {
    waiting(
      FailureAnswer(status: 503, message: "the vendor cannot be reached"),
      .refused(field: nil, code: nil), failure.retryAfter)
  }

  /// An answer to a request that may be repeated after a pause.
  private func waiting(
    _ answer: FailureAnswer, _ outcome: RequestOutcome, _ pause: Duration? = nil
  ) -> ObservedAnswer {
    var response = HTTPResponse(answer)
    let seconds = pause.map { Int($0.components.seconds) + ($0.components.attoseconds > 0 ? 1 : 0) }
    // A number is a valid value, so `set` does not throw.
    try? response.headers.set(String(max(seconds ?? retryAfter, 0)), for: .retryAfter)
    return (response, outcome)
  }
}

extension OrderFailure {
  /// The answer to a client.
  fileprivate var answer: FailureAnswer {
    switch self {
    case .unknownVendor: FieldRefusal.invalid("vendor").answer
    case .receiptSize: FieldRefusal.invalid("receiptData").answer
    case .refused(let reason): .unprocessable("receiptData", reason.rawValue, reason.message)
    case .vendorUnavailable, .levelsInUse: .unavailable
    }
  }
}

extension ExplicitFailure.Reason {
  /// A text for people.
  fileprivate var message: String {
    switch self {
    case .invalid: "receiptData is not valid"
    case .expired: "the subscription has expired"
    case .noSubscription: "there is no subscription"
    case .unknownProduct: "the product is not sold here"
    case .paymentPending: "the payment has not arrived"
    case .alreadyUsed: "the purchase belongs to another user"
    }
  }
}
