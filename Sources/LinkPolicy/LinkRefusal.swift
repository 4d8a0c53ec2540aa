/// Why a link or an unlink is refused: one case a rule.
///
/// What the contract's answer holds is in ``answer(under:)``.
///
/// Source: contract on linking, sections 2.2 and 3.1.
public enum LinkRefusal: Error, Hashable, Sendable, CaseIterable {
  /// Another account owns the subscription, or has the membership of it (L5, L11).
  case linkedToOtherAccount
  /// The account has another Apple subscription, and the switch is not forced (L12a).
  case linkedToOtherSubscription
  /// The account has a valid membership that Apple does not pay (L13).
  case hasValidNonIAP
  /// The subscription's environment is not allowed (L4a).
  case environmentNotAllowed
  /// The subscription ends before the membership that it would replace (L12b).
  case expiresEarlier
  /// The subscription is not linked to the account (U4, U7).
  case notLinked
}
