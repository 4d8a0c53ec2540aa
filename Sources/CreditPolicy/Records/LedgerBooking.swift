public import JSONValues
public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A booking to make in a user's ledger: an amount, with the reason for it.
///
/// Source: credit rules, sections 3 and 5.
public struct LedgerBooking: Hashable, Sendable {
  /// The kind of a change; hosts have kinds of their own.
  public struct ChangeType: StringVocabulary, ExpressibleByStringLiteral {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Creates a kind of a literal.
    public init(stringLiteral text: String) { rawValue = text }

    /// A purchase in the App Store.
    public static let purchase = Self(rawValue: "purchase")
    /// A refund of the App Store.
    public static let refund = Self(rawValue: "refund")
    /// A refund that was taken back.
    public static let refundReversal = Self(rawValue: "refund_reversal")

    public static let allCases: [ChangeType] = [purchase, refund, refundReversal]
  }

  public var userID: AccountID
  /// The environment of the purchase; nil for a booking of the host's own.
  public var environment: AppStoreEnvironment?
  /// The event, booked once in each environment: 1 to 255 bytes.
  public var eventID: String
  public var changeType: ChangeType
  /// The kind of the thing that the booking is about, such as `payment`: 1 to 64 bytes.
  public var subjectType: String
  /// The identifier of that thing: 1 to 255 bytes.
  public var subjectID: String
  /// The credits: positive if they are given, negative if they are taken, or 0.
  public var amount: Int
  /// Details, a JSON object.
  public var metadata: [String: JSONValue]

  /// Creates a booking.
  public init(
    userID: AccountID, environment: AppStoreEnvironment? = nil, eventID: String,
    changeType: ChangeType, subjectType: String, subjectID: String, amount: Int,
    metadata: [String: JSONValue] = [:]
  ) {
    self.userID = userID
    self.environment = environment
    self.eventID = eventID
    self.changeType = changeType
    self.subjectType = subjectType
    self.subjectID = subjectID
    self.amount = amount
    self.metadata = metadata
  }

  /// A part of a booking that says that it is about a transaction of a store.
  package enum ReservedPart: Hashable, Sendable {
    case environment
    /// The event, which begins like those of ``LedgerEventID``.
    case eventID
    /// The kind of the change, which is one of ``ChangeType/allCases``.
    case changeType
  }

  /// The first part that is reserved for purchases and refunds; nil for a booking of the host's own.
  ///
  /// Source: credit rules, section 5.
  package var reservedPart: ReservedPart? {
    if environment != nil { return .environment }
    if LedgerEventID.vendors.contains(where: {
      eventID.utf8.starts(with: LedgerEventID.prefix($0).utf8)
    }) {
      return .eventID
    }
    return ChangeType.allCases.contains(changeType) ? .changeType : nil
  }
}

/// An entry in a user's ledger, which is never changed and never deleted.
///
/// Source: credit rules, section 5.
public struct LedgerEntry: Hashable, Sendable {
  /// The number of the entry; later entries of a user have greater numbers.
  public var id: Int
  public var booking: LedgerBooking
  /// The user's balance after the booking.
  public var balanceAfter: Int
  /// The date of the booking, in milliseconds.
  public var createdDate: Date

  /// Creates an entry.
  public init(id: Int, booking: LedgerBooking, balanceAfter: Int, createdDate: Date) {
    self.id = id
    self.booking = booking
    self.balanceAfter = balanceAfter
    self.createdDate = createdDate
  }
}

/// The identifiers of the ledger's entries about transactions of the stores.
///
/// They begin with `payment.apple_iap` or `payment.google_play`. Neither Apple's transaction identifiers, which are
/// digits, nor Google's orders with a product end as a round does, so no identifier of one round is that of another
/// transaction. Source: credit rules, sections 3 and 10.
public enum LedgerEventID {
  /// The stores whose transactions get credits.
  package static let vendors = [Vendor.apple, .google]

  /// Returns the beginning of the identifiers of a store's transactions.
  package static func prefix(_ vendor: Vendor) -> String {
    vendor == .google ? "payment.google_play" : "payment.apple_iap"
  }

  /// Returns the identifier of a purchase's entry.
  public static func purchase(_ transactionID: String) -> String { event("", of: transactionID) }

  /// Returns the identifier of a refund's entry; rounds count from 1, and so do the shares of one that the store made in
  /// several parts.
  public static func refund(_ transactionID: String, round: Int, share: Int = 1) -> String {
    let suffix = share > 1 ? ":\(round).\(share)" : suffix(round)
    return event(".refund", of: transactionID) + suffix
  }

  /// Returns the identifier of the entry that takes a refund back.
  public static func refundReversal(_ transactionID: String, round: Int) -> String {
    event(".refund_reversed", of: transactionID) + suffix(round)
  }

  private static func event(_ kind: String, of transactionID: String) -> String {
    let vendor = TransactionIDs.vendor(of: transactionID)
    let text =
      vendor == .google ? TransactionIDs.text(ofGoogle: transactionID) : transactionID
    // The space is reserved at once; that of an interpolation would grow.
    var event = ""
    event.reserveCapacity(64)
    event += prefix(vendor)
    event += kind
    event += ":"
    event += text
    return event
  }

  private static func suffix(_ round: Int) -> String { round > 1 ? ":\(round)" : "" }
}
