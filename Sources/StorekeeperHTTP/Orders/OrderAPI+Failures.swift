internal import JSONValues
internal import OrderPolicy
internal import GooglePlayVerifier
internal import HTTPMessages
internal import PurchaseStorage
internal import Storekeeper

extension OrderAPI: RoutedAPI {
  typealias Place = Void
  typealias Access = OrderAccess
  typealias User = EntitlementCaller

  static var usualRetryAfter: Duration { .seconds(30) }

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

  var unknownRoute: ObservedAnswer { FailureAnswer.notFound.observed }

  /// Returns the answer to a failure, and the outcome for the observer.
  ///
  /// Source: entitlement rules, section 14.
  func answer(to error: any Error, in call: OrderCall) -> ObservedAnswer {
    switch error {
    case let refusal as FieldRefusal: refusal.answer.observed
    case OrderFailure.vendorUnavailable(let failure): unavailable(failure)
    case let failure as OrderFailure: failure.answer.observed
    case let failure as PushTokenFailure where failure.isIncidental: unavailable(failure)
    case is PushTokenFailure: FailureAnswer.unauthorized.observed
    case let failure as StorageFailure: unavailable(failure)
    default: SubscriptionAPI.answer(to: error, under: .current)
    }
  }

  private func unavailable(_ failure: IncidentalFailure) -> ObservedAnswer {
    let answer = FailureAnswer(status: 503, message: "the vendor cannot be reached")
    let seconds = failure.retryAfter?.secondsRoundedUp
    return (
      HTTPResponseMessage(answer, retryAfter: seconds ?? retryAfterSeconds),
      .refused(field: nil, code: nil)
    )
  }

  private func unavailable(_ error: any Error) -> ObservedAnswer {
    (HTTPResponseMessage(.unavailable, retryAfter: retryAfterSeconds), .failed(error))
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
