internal import EntitlementPolicy
internal import JSONValues
public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

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

  /// Returns the newest claims of a user to purchases of others, at most `limit`, the newest first; none by default.
  func conflicts(of claimant: AccountID, limit: Int) async throws -> [AssociationConflict]
}

extension AssociationRepository {
  /// Returns no claims, for a store that finds none by their user.
  public func conflicts(of claimant: AccountID, limit: Int) async throws -> [AssociationConflict] {
    []
  }
}

/// The association of a purchase with the user that owns it.
///
/// Source: entitlement rules, sections 4 and 7.
public struct PurchaseAssociation: Hashable, Sendable {
  /// The evidence by which a purchase was associated.
  public struct Evidence: Hashable, Sendable, RawRepresentable {
    public let rawValue: String

    /// Creates evidence.
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let receipt = Evidence(rawValue: "receipt")
    public static let signedTransaction = Evidence(rawValue: "signed_transaction")
    /// The purchase has the user's app account token.
    public static let appAccountToken = Evidence(rawValue: "app_account_token")
  }

  public var environment: AppStoreEnvironment
  public var originalTransactionID: String
  public var userID: AccountID
  public var bundleID: String
  public var associatedDate: Date
  public var evidence: Evidence

  /// Creates an association.
  public init(
    environment: AppStoreEnvironment, originalTransactionID: String, userID: AccountID,
    bundleID: String, associatedDate: Date, evidence: Evidence
  ) {
    self.environment = environment
    self.originalTransactionID = originalTransactionID
    self.userID = userID
    self.bundleID = bundleID
    self.associatedDate = associatedDate
    self.evidence = evidence
  }
}

/// A user's claim to a purchase that was associated with another one.
///
/// Source: entitlement rules, sections 4 and 7.
public struct AssociationConflict: Hashable, Sendable {
  public var originalTransactionID: String
  /// The user that owned the purchase before.
  public var owner: AccountID
  public var claimant: AccountID
  public var seenDate: Date

  /// Creates a conflict.
  public init(
    originalTransactionID: String, owner: AccountID, claimant: AccountID, seenDate: Date
  ) {
    self.originalTransactionID = originalTransactionID
    self.owner = owner
    self.claimant = claimant
    self.seenDate = seenDate
  }
}

extension PurchaseAssociation {
  /// Whether the key of this association precedes that of another: by environment, then by original
  /// transaction identifier, both by their bytes.
  package func isBefore(_ other: PurchaseAssociation) -> Bool {
    sortingKey < other.sortingKey
  }

  private var sortingKey: (UniqueText, UniqueText) {
    (UniqueText(environment.rawValue), UniqueText(originalTransactionID))
  }
}
