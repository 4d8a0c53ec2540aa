internal import EntitlementPolicy
internal import PurchaseStorage
internal import Storekeeper

extension EntitlementAPI {
  /// Returns the answer to a failure of a request about entitlements, or nil for one that all APIs have in common.
  ///
  /// A failure of the store, and a conflict that remains, are temporary: 503. Source: entitlement rules, section 10.
  func ownAnswer(to error: any Error, in call: EntitlementCall) -> ObservedAnswer? {
    switch error {
    case EntitlementFailure.appStoreUnavailable: unavailable(.refused(field: nil, code: nil))
    case let failure as EntitlementFailure: written(failure.answer)
    case let refusal as PurchaseRoute.Refusal: written(refusal.answer)
    case StatementFailure.tooLarge:
      written(
        .unprocessable("userId", "too_long", "the user ID is too long for a signed statement"))
    case StorageFailure.invalidValue(let field) where field.origin == .evidence:
      written(FieldRefusal.invalid("receiptData").answer)
    case StorageFailure.invalidValue(let field) where field.origin == .caller:
      written(FieldRefusal.invalid("userId").answer)
    default: vendorAnswer(to: error)
    }
  }
}

extension EntitlementFailure {
  fileprivate var answer: FailureAnswer {
    switch self {
    case .unknownApp: .notFound
    case .evidenceMissing: .missing("receiptData")
    case .receiptMissing:
      .unprocessable("receiptData", "missing_receipt", "no purchase is known for the user")
    case .receiptsNotSupported:
      .unprocessable("receiptData", "invalid", "receipts are not accepted here")
    case .transactionsNotSupported:
      .unprocessable("signedTransactions", "invalid", "signed transactions are not accepted here")
    case .purchaseTokensNotSupported:
      .unprocessable("purchaseTokens", "invalid", "purchase tokens are not accepted here")
    case .purchaseTokenInvalid:
      .unprocessable("purchaseTokens", "invalid", "a purchase token is not valid")
    case .receiptInvalid: .unprocessable("receiptData", "invalid", "the receipt is not valid")
    case .receiptNotAuthentic:
      .unprocessable("receiptData", "not_authentic", "the receipt is not Apple's")
    case .tooManyTransactions: FieldRefusal.tooMany("signedTransactions").answer
    case .transactionInvalid:
      .unprocessable("signedTransactions", "invalid", "a signed transaction is not valid")
    case .transactionNotAuthentic:
      .unprocessable("signedTransactions", "not_authentic", "a signed transaction is not Apple's")
    case .bundleMismatch:
      .unprocessable("bundleId", "mismatch", "the evidence is about another app")
    case .environmentNotAllowed:
      .unprocessable("environment", "not_allowed", "the environment is not allowed")
    case .linkedToOtherUser:
      .unprocessable("userId", "linked_to_other_user", "a purchase belongs to another user")
    case .accountTokenMismatch:
      .unprocessable(
        "userId", "account_token_mismatch", "a purchase has the account token of another user")
    case .appStoreUnavailable: .unavailable
    case .refused(let refusal): refusal.answer
    }
  }
}

extension Acquisition.Refusal {
  fileprivate var answer: FailureAnswer {
    switch self {
    case .unknownProduct: .unknownProduct
    case .notAcquirable:
      .unprocessable("productId", rawValue, "the product is never acquired")
    case .notSubscriber: .notSubscriber
    case .notUnlocked: .notUnlocked
    }
  }
}

extension PurchaseRoute.Refusal {
  fileprivate var answer: FailureAnswer {
    switch self {
    case .unknownProduct: .unknownProduct
    case .neverSold: .unprocessable("productId", rawValue, "the product is not sold")
    case .notSubscriber: .notSubscriber
    case .notUnlocked: .notUnlocked
    }
  }
}

extension FailureAnswer {
  fileprivate static let unknownProduct = FailureAnswer.unprocessable(
    "productId", "unknown_product", "the product is not listed")
  fileprivate static let notSubscriber = FailureAnswer.unprocessable(
    "userId", "not_subscriber", "the user has no active subscription")
  fileprivate static let notUnlocked = FailureAnswer.unprocessable(
    "productId", "not_unlocked", "the subscription does not unlock the product")
}
