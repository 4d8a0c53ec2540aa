package import LinkPolicy

/// The answer to a refusal of the policy.
///
/// Clients decide by its field and code. Source: linking rules, sections 2.2, 3.1, 6.4 and 6.5.
package struct RefusalAnswer: Hashable, Sendable {
  package let status = 422
  package let field: String
  package let code: String
  package let message: String

  private init(_ field: String, _ code: String, _ message: String) {
    self.field = field
    self.code = code
    self.message = message
  }

  package static func current(_ refusal: LinkRefusal) -> RefusalAnswer {
    switch refusal {
    case .linkedToOtherAccount:
      RefusalAnswer(
        "originalTxId", "linked_to_other_ftc",
        "Apple subscription is already claimed by another ftc account.")
    case .linkedToOtherSubscription:
      RefusalAnswer(
        "ftcId", "linked_to_other_iap",
        "FTC account is already linked to another Apple subscription")
    case .hasValidNonIAP:
      RefusalAnswer(
        "ftcId", "has_valid_non_iap",
        "FTC account already has a valid membership via non-Apple channel")
    case .environmentNotAllowed:
      RefusalAnswer(
        "originalTxId", "environment_not_allowed",
        "Subscriptions of this environment cannot be linked here")
    case .expiresEarlier:
      RefusalAnswer(
        "originalTxId", "expires_earlier",
        "The Apple subscription expires earlier than the current membership")
    case .notLinked:
      RefusalAnswer("ftcId", "invalid", "IAP is not linked to the ftc account")
    case .accountTokenMismatch:
      RefusalAnswer(
        "originalTxId", "account_token_mismatch",
        "The Apple subscription was bought for another account")
    }
  }

  /// Returns the answer of the older contract.
  ///
  /// Its policy never refuses with ``/LinkPolicy/LinkRefusal/expiresEarlier`` or
  /// ``/LinkPolicy/LinkRefusal/notLinked``; they have the answer of the most similar refusal.
  package static func legacy(_ refusal: LinkRefusal) -> RefusalAnswer {
    switch refusal {
    case .linkedToOtherAccount, .accountTokenMismatch:
      RefusalAnswer(
        "iap_membership", "already_linked",
        "one apple subscription cannot be linked to multiple FTC account")
    case .linkedToOtherSubscription, .expiresEarlier:
      RefusalAnswer(
        "ftc_membership", "already_linked",
        "target ftc account is already linked to another apple subscription")
    case .hasValidNonIAP:
      RefusalAnswer(
        "ftc_membership", "valid_non_iap", "target ftc account already has a valid membership")
    case .environmentNotAllowed, .notLinked:
      RefusalAnswer("receipt-data", "invalid", "verification response is not valid")
    }
  }
}
