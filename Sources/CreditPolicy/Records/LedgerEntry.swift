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
    /// The stored text, 1 to 64 bytes.
    public var rawValue: String
    /// Creates a kind of any text.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Creates a kind of a literal.
    public init(stringLiteral text: String) { rawValue = text }

    /// A purchase in the App Store.
    public static let purchase = ChangeType(rawValue: "purchase")
    /// A refund of the App Store.
    public static let refund = ChangeType(rawValue: "refund")
    /// A refund that was taken back.
    public static let refundReversal = ChangeType(rawValue: "refund_reversal")

    /// The kinds of this version.
    public static let allCases: [ChangeType] = [purchase, refund, refundReversal]
  }

  /// The user.
  public var userID: AccountID
  /// The environment of the purchase; nil for a booking of the host's own.
  public var environment: AppStoreEnvironment?
  /// The event, booked once in each environment: 1 to 255 bytes.
  public var eventID: String
  /// The kind of the change.
  public var changeType: ChangeType
  /// The kind of the thing that the booking is about, such as `payment`: 1 to 64 bytes.
  public var bizType: String
  /// The identifier of that thing: 1 to 255 bytes.
  public var bizID: String
  /// The credits: positive if they are given, negative if they are taken, or 0.
  public var amount: Int
  /// Details, a JSON object.
  public var metadata: [String: JSONValue]

  /// Creates a booking.
  public init(
    userID: AccountID, environment: AppStoreEnvironment? = nil, eventID: String,
    changeType: ChangeType, bizType: String, bizID: String, amount: Int,
    metadata: [String: JSONValue] = [:]
  ) {
    self.userID = userID
    self.environment = environment
    self.eventID = eventID
    self.changeType = changeType
    self.bizType = bizType
    self.bizID = bizID
    self.amount = amount
    self.metadata = metadata
  }
}

/// An entry in a user's ledger, which is never changed and never deleted.
///
/// Source: credit rules, section 5.
public struct LedgerEntry: Hashable, Sendable {
  /// The number of the entry; later entries of a user have greater numbers.
  public var id: Int
  /// The amount and the reason.
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
