extension LinkRefusal {
  /// What a client is told of a refusal; it decides by status, field and code.
  public struct Answer: Hashable, Sendable {
    /// The HTTP status of every refusal.
    public let status = 422
    /// What of the request is refused.
    public let field: String
    /// Why.
    public let code: String
    /// The same for people.
    public let message: String

    init(_ field: String, _ code: String, _ message: String) {
      self.field = field
      self.code = code
      self.message = message
    }
  }

  /// What a contract answers.
  ///
  /// Under the contract of 2019 nothing is ever ``expiresEarlier`` or ``notLinked``; they have the
  /// answer of the nearest rule.
  ///
  /// Source: contract on linking, sections 2.2, 3.1, 6.4 and 6.5.
  public func answer(under contract: LinkContract) -> Answer {
    switch contract {
    case .current: currentAnswer
    case .year2019: answerOf2019
    }
  }

  private var currentAnswer: Answer {
    switch self {
    case .linkedToOtherAccount:
      Answer(
        "originalTxId", "linked_to_other_ftc",
        "Apple subscription is already claimed by another ftc account.")
    case .linkedToOtherSubscription:
      Answer(
        "ftcId", "linked_to_other_iap",
        "FTC account is already linked to another Apple subscription")
    case .hasValidNonIAP:
      Answer(
        "ftcId", "has_valid_non_iap",
        "FTC account already has a valid membership via non-Apple channel")
    case .environmentNotAllowed:
      Answer(
        "originalTxId", "environment_not_allowed",
        "Subscriptions of this environment cannot be linked here")
    case .expiresEarlier:
      Answer(
        "originalTxId", "expires_earlier",
        "The Apple subscription expires earlier than the current membership")
    case .notLinked:
      Answer("ftcId", "invalid", "IAP is not linked to the ftc account")
    }
  }

  private var answerOf2019: Answer {
    switch self {
    case .linkedToOtherAccount:
      Answer(
        "iap_membership", "already_linked",
        "one apple subscription cannot be linked to multiple FTC account")
    case .linkedToOtherSubscription, .expiresEarlier:
      Answer(
        "ftc_membership", "already_linked",
        "target ftc account is already linked to another apple subscription")
    case .hasValidNonIAP:
      Answer(
        "ftc_membership", "valid_non_iap", "target ftc account already has a valid membership")
    case .environmentNotAllowed, .notLinked:
      Answer("receipt-data", "invalid", "verification response is not valid")
    }
  }
}
