public import ReceiptModels

/// A caller of ``EntitlementAPI`` or ``OrderAPI``.
///
/// Source: entitlement rules, section 7.
public enum EntitlementCaller: Hashable, Sendable {
  /// A user, by the token of a session.
  case user(AccountID)
  /// A service that the host trusts, by a token of its own.
  case service(name: String)

  /// Returns whether the caller may act for a user, by the rule for hosts without one of their own: users
  /// act for themselves, and services for everybody.
  public func mayAct(for userID: AccountID) -> Bool {
    switch self {
    case .user(let id): id == userID
    case .service: true
    }
  }
}
