public import LinkPolicy
public import ReceiptModels
public import ReceiptVerifier

/// Why a ``SubscriptionService`` did not do what it was asked; one case a reason.
///
/// What the store throws passes as it is: nothing was kept then. ``answer(under:)`` gives status,
/// field, code and message as the contracts have them.
///
/// Source: contract on linking, sections 2.2, 3.1, 4 and 6.
public enum SubscriptionFailure: Error, Hashable, Sendable {
  /// Something that has to be there is missing, null or blank.
  case missing(SubscriptionField)
  /// Nobody is named whose subscriptions are asked for, or for whom to link.
  case userMissing
  /// An identifier of an account that no account can have.
  case invalidAccountID(SubscriptionField, AccountFailure)
  /// An original transaction id that is not 1 to 64 digits.
  case invalidTransactionID
  /// The page is not a number from 1 upwards.
  case invalidPage
  /// The length of a page is not a number from 1 to 100.
  case invalidPageLength
  /// There is no such account.
  case accountNotFound
  /// No such subscription is stored.
  case subscriptionNotFound
  /// No receipt of the subscription is stored.
  case receiptNotFound
  /// Apple, or the way to Apple, said no; membership and records are as before.
  case verification(VerifyReceiptFailure)
  /// Apple's answer names no product of the ``/ReceiptModels/ProductMap``; audit rows were kept.
  case unknownProduct
  /// The subscription is stored for the other environment; nothing was kept.
  case environmentMismatch
  /// The policy refuses; what the contract asks to be recorded was recorded.
  case refused(LinkRefusal)
}

/// A value of a request, by its name in the current contract.
public enum SubscriptionField: String, Hashable, Sendable, CaseIterable {
  /// The account.
  case ftcID = "ftcId"
  /// The account's WeChat union id.
  case unionID = "unionId"
  /// The subscription.
  case originalTransactionID = "originalTxId"
  /// The receipt.
  case receiptData
}
