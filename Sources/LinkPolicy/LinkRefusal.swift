/// The reason why a link or an unlink is refused: one case for each rule.
///
/// Source: linking rules, sections 2.2 and 3.1.
public enum LinkRefusal: Error, Hashable, Sendable, CaseIterable {
  /// Another account owns the subscription, or has its membership (L5, L11).
  case linkedToOtherAccount
  /// The account has another Apple subscription, and its replacement isn't forced (L12a).
  case linkedToOtherSubscription
  /// The account has a valid membership from a source other than Apple (L13).
  case hasValidNonIAP
  /// The environment of the subscription isn't allowed (L4a).
  case environmentNotAllowed
  /// The subscription expires before the membership that it would replace (L12b).
  case expiresEarlier
  /// The subscription isn't linked to the account (U4, U7).
  case notLinked
  /// The subscription was bought with the app account token of another account.
  case accountTokenMismatch
}
