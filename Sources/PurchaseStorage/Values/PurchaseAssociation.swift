internal import JSONValues
internal import EntitlementPolicy
public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

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
