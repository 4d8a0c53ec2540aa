public import EntitlementPolicy
public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The state of the validations of users' purchases (table `store_validation`), one row for each user and
/// app.
public protocol ValidationRepository {
  /// Returns the state of a user in an app, or nil if there was no validation.
  ///
  /// In a unit of work that writes, the row is locked until its end.
  func find(_ userID: AccountID, bundleID: String) async throws -> AppValidation?

  /// Inserts or overwrites the state of a user in an app, and ends a lease of the row.
  func save(_ state: AppValidation, of userID: AccountID) async throws

  /// Leases rows whose next validation is due, the longest due first.
  ///
  /// A row with a live lease is never leased, so no two workers have the same one.
  ///
  /// - Parameters:
  ///   - now: The present moment.
  ///   - until: The end of the lease.
  ///   - token: The worker's token, another one for each call: 1 to 64 visible characters.
  ///   - limit: The maximum number of rows.
  /// - Returns: The rows.
  func lease(
    now: Date, until: Date, token: String, limit: Int
  ) async throws -> [StoredValidation]

  /// Gives back the lease of a row that this token still holds; its next validation stays due.
  func giveBack(_ userID: AccountID, bundleID: String, token: String) async throws
}
