public import EntitlementPolicy
public import ReceiptModels

/// The state of the validation of a user's purchases in one app, as it is stored.
///
/// Source: entitlement rules, section 4.
public struct StoredValidation: Hashable, Sendable {
  /// The user.
  public var userID: AccountID
  /// The state.
  public var state: AppValidation

  /// Creates a stored validation.
  public init(userID: AccountID, state: AppValidation) {
    self.userID = userID
    self.state = state
  }
}
