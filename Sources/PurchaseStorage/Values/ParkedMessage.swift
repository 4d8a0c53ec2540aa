public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A message that cannot be delivered as things are, and waits for somebody to look after it.
public struct ParkedMessage: Hashable, Sendable {
  public var number: Int
  public var message: OutboxMessage
  public var createdDate: Date
  public var failures: Int
  public var reason: ParkingReason
  public var parkedDate: Date

  /// Creates a parked message.
  public init(
    number: Int, message: OutboxMessage, createdDate: Date, failures: Int, reason: ParkingReason,
    parkedDate: Date
  ) {
    self.number = number
    self.message = message
    self.createdDate = createdDate
    self.failures = failures
    self.reason = reason
    self.parkedDate = parkedDate
  }
}

/// The reason why a message was parked.
public struct ParkingReason: Hashable, Sendable {
  /// The cause in one word; hosts and later versions have further ones.
  public struct Cause: StringVocabulary {
    public var rawValue: String
    /// Creates a cause of any text.
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let addressMissing = Cause(rawValue: "address_missing")
    public static let addressMalformed = Cause(rawValue: "address_malformed")
    /// The mail server refused the recipient for ever.
    public static let recipientRefused = Cause(rawValue: "recipient_refused")
    /// The mail server refused the sender for ever.
    public static let senderRefused = Cause(rawValue: "sender_refused")
    /// The mail server refused the e-mail for ever.
    public static let contentRefused = Cause(rawValue: "content_refused")

    /// The mail server did not tell several times whether it took the e-mail, so that the customer may have it.
    public static let outcomeUnknown = Cause(rawValue: "outcome_unknown")

    public static let allCases: [Cause] = [
      addressMissing, addressMalformed, recipientRefused, senderRefused, contentRefused,
      outcomeUnknown,
    ]
  }

  public var cause: Cause
  /// A code that tells more, such as `550 5.1.1`, at most 255 bytes; nil if there is none.
  public var detail: String?

  /// Creates a reason.
  public init(_ cause: Cause, detail: String? = nil) {
    self.cause = cause
    self.detail = detail
  }
}
