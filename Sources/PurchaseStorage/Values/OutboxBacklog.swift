#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The messages of the outbox that are not sent.
public struct OutboxBacklog: Hashable, Sendable {
  /// The number of messages that wait to be sent, or are being sent.
  public var waiting: Int
  /// The date at which the first of them was written; nil if there is none.
  public var oldestDate: Date?
  /// The number of messages that are parked.
  public var parked: Int

  /// Creates a backlog.
  public init(waiting: Int = 0, oldestDate: Date? = nil, parked: Int = 0) {
    self.waiting = waiting
    self.oldestDate = oldestDate
    self.parked = parked
  }
}
