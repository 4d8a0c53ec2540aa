internal import GooglePlayVerifier
internal import OrderPolicy
internal import Storekeeper

extension OrderAPI {
  /// Returns the answer to a failure of a request about orders, or nil for one that all APIs have in common.
  ///
  /// Source: entitlement rules, section 14.
  func ownAnswer(to error: any Error, in call: OrderCall) -> ObservedAnswer? {
    vendorAnswer(to: error) ?? (error as? OrderFailure).map { written($0.answer) }
  }
}

extension APIShell {
  /// Returns the answer to a vendor's silence, or to a push that is not Google's; nil for another failure.
  func vendorAnswer(to error: any Error) -> ObservedAnswer? {
    switch error {
    case OrderFailure.vendorUnavailable(let failure):
      unavailable(
        .refused(field: nil, code: nil),
        FailureAnswer(status: 503, message: "the vendor cannot be reached"),
        after: failure.retryAfter)
    case let failure as PushTokenFailure where failure.isIncidental:
      unavailable(.refused(field: nil, code: nil))
    case is PushTokenFailure: written(.unauthorized)
    default: nil
    }
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
