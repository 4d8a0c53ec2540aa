public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Messages to deliver, each written in one unit of work with the change that it reports.
public protocol OutboxRepository {
  /// Adds a message, with a number that no other message ever has.
  ///
  /// Numbers ascend, but units of work do not end in the order of their numbers: a message with a smaller number may
  /// appear later. So a reader must not rely on "the last number seen".
  ///
  /// Of the kind ``/ReceiptModels/OutboxMessage/Kind/starterRefused`` at most one message with the same reference and
  /// account is stored.
  ///
  /// - Throws: ``StorageFailure/duplicate(_:)`` for a second message of that kind.
  func add(_ message: OutboxMessage, now: Date) async throws

  /// Leases unsent messages whose next try is reached, oldest first, except those of some kinds; a message
  /// with a live lease, or one that is parked, is never leased, nor is one of a line
  /// (``/ReceiptModels/OutboxMessage/Kind/isLine``).
  ///
  /// Of the messages whose lease or wait has ended, a store may consider only the thousand (or `limit`, if
  /// that is more) that ended first, as with ``RefreshRepository/lease(_:)``.
  func lease(
    limit: Int, except kinds: Set<OutboxMessage.Kind>, now: Date, until: Date, token: String
  ) async throws -> [OutboxLease]

  /// Leases free messages of one line, oldest first, except those of accounts of which an unsent message of the line
  /// is leased or waits for its next try.
  ///
  /// So of each account the messages are handed over in their order. The caller holds the reader of the line
  /// (``EventRepository/hold(_:)``) in the same unit of work, so that one worker at a time leases. A store that keeps no
  /// events throws ``StorageFailure/capabilityMissing(_:)``, which is the default.
  func lease(
    line: OutboxMessage.Kind, limit: Int, now: Date, until: Date, token: String
  ) async throws -> [OutboxLease]

  /// Returns the number of unsent messages of a line, parked ones left out, but at most `limit`; 0 by default.
  func waiting(inLine line: OutboxMessage.Kind, limit: Int) async throws -> Int

  /// Returns whether ``lease(line:limit:now:until:token:)`` would lease a message, which it is asked for more often than
  /// there is one; by default whether any waits.
  func isDue(inLine line: OutboxMessage.Kind, now: Date) async throws -> Bool

  /// Has messages of a line that wait for their next try be free at once, those with the fewest failures first, at most
  /// `limit`; returns their number. By default it does nothing.
  ///
  /// Failures stay counted, and the next try stays as it is: a lease names it (``OutboxLease/nextTry``), so that the
  /// attempt can be one in between. A message whose lease is given back, or ends, is free at once again.
  func hasten(line: OutboxMessage.Kind, limit: Int, now: Date) async throws -> Int

  /// Marks a message as sent, and forgets its body; returns false, and changes nothing, if the lease was lost.
  func markSent(_ lease: OutboxLease, now: Date) async throws -> Bool

  /// Counts a failure and sets the next try; returns false, and changes nothing, if the lease was lost.
  func markFailed(_ lease: OutboxLease, nextTry: Date) async throws -> Bool

  /// Sets the next try and counts no failure; returns false, and changes nothing, if the lease was lost.
  func postpone(_ lease: OutboxLease, until nextTry: Date) async throws -> Bool

  /// Parks a message, which is not leased again until ``sendAgain(_:)``; returns false, and changes nothing, if the
  /// lease was lost.
  func park(_ lease: OutboxLease, reason: ParkingReason, now: Date) async throws -> Bool

  /// Returns parked messages with numbers after a number, in ascending order.
  func parked(after number: Int, limit: Int) async throws -> [ParkedMessage]

  /// Returns the messages to an account, under its first identifier, that were written last, the newest first, at most
  /// `limit`: those that wait, are parked, or were sent and are still kept, without those of a line
  /// (``/ReceiptModels/OutboxMessage/Kind/isLine``), which go to programs.
  func newest(to account: AccountID, limit: Int) async throws -> [KeptMessage]

  /// Frees a parked message at once, with no failure counted; returns false if none with this number is parked.
  func sendAgain(_ number: Int) async throws -> Bool

  /// Removes a parked message that nobody wants any more; returns false if none with this number is parked.
  func discard(_ number: Int) async throws -> Bool

  /// Removes unsent messages of a line, oldest first, at most `limit`: those that were parked before a moment, or all
  /// without one; returns their number. By default it does nothing.
  func discard(
    line: OutboxMessage.Kind, parkedBefore: Date?, limit: Int
  ) async throws -> Int

  /// Gives a lease back without a try: the message is free immediately, and no failure is counted. Nothing
  /// changes if the lease was lost.
  func giveBack(_ lease: OutboxLease) async throws

  /// Removes messages that were sent before a moment, oldest first, at most `limit`, and returns their number.
  func removeSent(before: Date, limit: Int) async throws -> Int

  /// Returns the number and the age of the messages that are not sent.
  func backlog() async throws -> OutboxBacklog

  /// Returns the date at which the first message was written that waits or is being sent, except those of some kinds; nil
  /// if there is none. By default it is that of all kinds.
  func oldestDate(except kinds: Set<OutboxMessage.Kind>) async throws -> Date?
}

extension OutboxRepository {
  /// Throws, as the store keeps no events.
  public func lease(
    line: OutboxMessage.Kind, limit: Int, now: Date, until: Date, token: String
  ) async throws -> [OutboxLease] {
    throw StorageFailure.capabilityMissing("events")
  }

  /// Returns 0.
  public func waiting(inLine line: OutboxMessage.Kind, limit: Int) async throws -> Int { 0 }

  /// Returns whether any message of the line waits.
  public func isDue(inLine line: OutboxMessage.Kind, now: Date) async throws -> Bool {
    try await waiting(inLine: line, limit: 1) > 0
  }

  /// Returns 0.
  public func hasten(line: OutboxMessage.Kind, limit: Int, now: Date) async throws -> Int { 0 }

  /// Returns 0.
  public func discard(
    line: OutboxMessage.Kind, parkedBefore: Date?, limit: Int
  ) async throws -> Int { 0 }

  /// Leases unsent messages of all kinds.
  public func lease(
    limit: Int, now: Date, until: Date, token: String
  ) async throws -> [OutboxLease] {
    try await lease(limit: limit, except: [], now: now, until: until, token: token)
  }

  public func oldestDate(except kinds: Set<OutboxMessage.Kind>) async throws -> Date? {
    try await backlog().oldestDate
  }

  /// Returns the number of messages that wait to be sent.
  public func unsentCount() async throws -> Int { try await backlog().waiting }
}

/// The messages of the outbox that are not sent.
public struct OutboxBacklog: Hashable, Sendable {
  /// The number of messages that wait to be sent, or are being sent.
  public var waiting: Int
  /// The date at which the first of them was written; nil if there is none.
  public var oldestDate: Date?
  public var parked: Int

  /// Creates a backlog.
  public init(waiting: Int = 0, oldestDate: Date? = nil, parked: Int = 0) {
    self.waiting = waiting
    self.oldestDate = oldestDate
    self.parked = parked
  }
}

/// A message that one worker delivers for a limited time.
public struct OutboxLease: Hashable, Sendable {
  /// The number of the message, the same at each delivery.
  public var number: Int
  public var message: OutboxMessage
  public var createdDate: Date
  public var failures: Int
  public var token: String
  /// The moment of the next try that a failure has set; nil if there is none, or a store does not tell.
  ///
  /// It is still ahead if the message was hastened.
  public var nextTry: Date?

  /// Creates a lease.
  public init(
    number: Int, message: OutboxMessage, createdDate: Date, failures: Int, token: String,
    nextTry: Date? = nil
  ) {
    self.number = number
    self.message = message
    self.createdDate = createdDate
    self.failures = failures
    self.token = token
    self.nextTry = nextTry
  }
}

/// A message with what became of it so far.
public struct KeptMessage: Hashable, Sendable {
  public var number: Int
  public var message: OutboxMessage
  public var createdDate: Date
  /// The date at which it was sent; nil if it was not.
  public var sentDate: Date?
  /// The date at which it was parked; nil if it is not.
  public var parkedDate: Date?

  /// Creates a message.
  public init(
    number: Int, message: OutboxMessage, createdDate: Date, sentDate: Date? = nil,
    parkedDate: Date? = nil
  ) {
    self.number = number
    self.message = message
    self.createdDate = createdDate
    self.sentDate = sentDate
    self.parkedDate = parkedDate
  }
}

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

    /// Apple found a fault in a report of external purchases.
    public static let reportRefused = Cause(rawValue: "report_refused")

    /// An endpoint did not take an event within all attempts.
    public static let attemptsExhausted = Cause(rawValue: "attempts_exhausted")
    /// An event is no longer kept.
    public static let eventRemoved = Cause(rawValue: "event_removed")
    /// An event is larger than an endpoint has to take.
    public static let eventTooLarge = Cause(rawValue: "event_too_large")

    public static let allCases: [Cause] = [
      addressMissing, addressMalformed, recipientRefused, senderRefused, contentRefused,
      outcomeUnknown, reportRefused, attemptsExhausted, eventRemoved, eventTooLarge,
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
