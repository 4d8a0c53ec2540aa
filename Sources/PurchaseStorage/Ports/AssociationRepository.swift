public import ReceiptModels

/// The users that own purchases, each purchase under environment and original transaction identifier, and the
/// claims of others.
///
/// Users are opaque texts of 1 to 128 bytes, compared byte by byte as all texts are.
public protocol AssociationRepository {
  /// Returns the stored associations of these purchases, each once, in ascending order of the bytes of the
  /// original transaction identifier; missing ones are left out.
  ///
  /// In a unit of work that writes, the rows are locked in that order until its end.
  func find(
    _ originalTransactionIDs: [String], environment: AppStoreEnvironment
  ) async throws -> [PurchaseAssociation]

  /// Adds the associations whose purchases are not associated yet, and returns those that are stored then,
  /// in ascending order of environment and original transaction identifier, both by their bytes.
  ///
  /// Of several associations of one purchase the first is added.
  ///
  /// Rows are inserted and locked in that order. If another unit of work is adding one of them, this waits
  /// for its end and finds that row: of any number of users that claim a purchase at once, one gets it.
  func add(_ associations: [PurchaseAssociation]) async throws -> [PurchaseAssociation]

  /// Replaces user, app, date and evidence of a stored association; one that is not stored is added.
  func replace(_ association: PurchaseAssociation) async throws

  /// Removes an association of a user in an app.
  ///
  /// - Returns: The removed associations, one for each environment that has it, in ascending order of the bytes of
  ///   the environment; none if the purchase belongs to another user or app, or to nobody.
  func remove(
    originalTransactionID: String, of userID: AccountID, bundleID: String
  ) async throws -> [PurchaseAssociation]

  /// Returns the associations of a user in some apps, each once, in no particular order.
  func associations(
    of userID: AccountID, in bundleIDs: [String]
  ) async throws -> [PurchaseAssociation]

  /// Records a claim to a purchase of another user.
  func record(_ conflict: AssociationConflict) async throws

  /// Returns the claims to a purchase in the order in which they were recorded.
  func conflicts(about originalTransactionID: String) async throws -> [AssociationConflict]
}
