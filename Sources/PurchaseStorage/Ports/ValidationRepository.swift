public import EntitlementPolicy
public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The state of the validations of users' purchases, one row for each user and app; and the purchases whose
/// state could not be learned, each under environment and original transaction identifier.
///
/// Texts are compared byte by byte.
public protocol ValidationRepository {
  /// Returns the state of a user in an app, or nil if there was no validation.
  ///
  /// In a unit of work that writes, the row is locked until its end.
  func find(_ userID: AccountID, bundleID: String) async throws -> AppValidation?

  /// Returns the state of a user in an app, whose row is locked until the end of the unit of work; a missing
  /// row is added without dates.
  ///
  /// If another unit of work is adding the row, this waits for its end and returns what it saved.
  func lock(_ userID: AccountID, bundleID: String) async throws -> AppValidation

  /// Inserts or overwrites the state of a user in an app, and ends a lease of the row, whoever has it.
  ///
  /// In the same unit of work the state was locked before (``lock(_:bundleID:)``), so that nothing is written
  /// back that another one has changed.
  func save(_ state: AppValidation, of userID: AccountID) async throws

  /// Leases rows whose next validation is due, the longest due first, then in ascending order of user and app, both
  /// by their bytes; returns them as they are stored.
  ///
  /// A row with a lease that has not ended is never leased, so no two workers have the same one. A row without a next
  /// validation is never due. The token is another one for each call: 1 to 64 visible characters.
  func lease(
    now: Date, until: Date, token: String, limit: Int
  ) async throws -> [StoredValidation]

  /// Gives back the lease of a row; its next validation stays due.
  ///
  /// Nothing happens if the token does not hold the lease any longer.
  func giveBack(_ userID: AccountID, bundleID: String, token: String) async throws

  /// Puts off the next validation of a leased row, and ends the lease; the rest of the row stays as it is.
  ///
  /// Nothing happens if the token does not hold the lease any longer, as after the state was saved.
  func postpone(
    _ userID: AccountID, bundleID: String, to date: Date, token: String
  ) async throws

  // MARK: Purchases

  /// Returns those of these purchases whose state could not be learned, each once, in no particular order.
  func unanswered(
    _ originalTransactionIDs: [String], environment: AppStoreEnvironment
  ) async throws -> [UnansweredPurchase]

  /// Notes that the state of purchases could not be learned; of several failures of one purchase the first
  /// that was noted stays, until it ends.
  ///
  /// The states of the users that own them are locked before, as for the end of a failure.
  func note(_ unanswered: [UnansweredPurchase]) async throws

  /// Ends the failures of these purchases, because their state was learned.
  func endFailures(
    of originalTransactionIDs: [String], environment: AppStoreEnvironment
  ) async throws
}

/// The state of the validation of a user's purchases in one app, as it is stored.
///
/// Source: entitlement rules, section 4.
public struct StoredValidation: Hashable, Sendable {
  public var userID: AccountID
  public var state: AppValidation

  /// Creates a stored validation.
  public init(userID: AccountID, state: AppValidation) {
    self.userID = userID
    self.state = state
  }
}
