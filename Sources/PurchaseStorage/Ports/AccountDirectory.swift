public import ReceiptModels

/// The host's accounts.
public protocol AccountDirectory: Sendable {
  /// The account with this `ftcId`, or nil if there is none.
  func account(ftcID: String) async throws -> Account?

  /// The account with these identifiers, or nil if there is none that has all that are given.
  func account(ftcID: String?, unionID: String?) async throws -> Account?
}
