public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A transaction of a credit product, as it is stored.
///
/// Source: credit rules, section 5.
public struct CreditTransaction: Hashable, Sendable {
  /// The state of a transaction.
  public enum Status: String, Hashable, Sendable, CaseIterable {
    /// Credits were given, and no refund is open.
    case granted
    /// Credits were given, and then taken back.
    case refunded
    /// News of a refund came before anybody verified the transaction.
    case revokedPending = "revoked_pending"
    /// Such news was taken back; the transaction may be verified.
    case open

    /// Whether credits were given for the transaction, so that it has an owner.
    public var wasGranted: Bool { self == .granted || self == .refunded }
  }

  /// The number of the row; nil until it is stored.
  public var id: Int?
  /// The owner; nil unless credits were given.
  public var userID: AccountID?
  /// The purchase as Apple signed it; its revocation date is not stored.
  public var purchase: CreditPurchase
  /// The host's code of the product; nil unless credits were given.
  public var productCode: String?
  /// The credits of one unit when they were given; nil unless they were.
  public var creditsPerUnit: Int?
  /// The credits that were given; nil unless they were.
  public var credits: Int?
  public var status: Status
  /// The identifier of the purchase's entry in the ledger; nil unless credits were given.
  public var ledgerEventID: String?
  /// The number of refunds that were reversed.
  public var refundRound: Int
  /// The date at which Apple signed the newest notification with an effect, in milliseconds.
  public var lastEventSignedDate: Date?

  /// Creates a transaction that no one has verified yet.
  public init(_ purchase: CreditPurchase, status: Status) {
    self.purchase = purchase
    self.purchase.revocationDate = nil
    self.status = status
    refundRound = 0
  }
}
