public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The events for the host, each written in one unit of work with the change that it tells, and read in one order by
/// any number of readers.
///
/// An event gets its position after its unit of work was committed, by ``order(limit:)``. Units of work end in another
/// order than they write, so that a number given at the writing would let a reader pass over an event that appears
/// late. Positions are given by one unit of work at a time: they rise by one, and no event ever appears below one that
/// was read. Of two events of units of work one after the other, the earlier one has the smaller position.
public protocol EventRepository {
  /// Adds an event, which has no position yet, unless one with its identifier is stored.
  ///
  /// If another unit of work is adding that event, this waits for its end.
  func add(_ event: EventRecord) async throws

  /// Returns whether an event waits for its position.
  func hasNew() async throws -> Bool

  /// Gives positions to the events that have none, in the order in which they were written, at most so many; returns
  /// their number.
  func order(limit: Int) async throws -> Int

  /// Returns the events after a position, in the order of their positions.
  func events(after position: Int, limit: Int) async throws -> [OrderedEvent]

  /// Returns the event at a position; nil if there is none, or if it was removed.
  func event(at position: Int) async throws -> OrderedEvent?

  /// Returns the events about an account, or all for nil, that were written last, the newest first, at most `limit`, whether
  /// they have a position or not.
  func newest(of account: AccountID?, limit: Int) async throws -> [EventRecord]

  /// Returns the greatest position that was ever given; 0 if none was.
  func lastPosition() async throws -> Int

  /// Returns what is stored about a reader; nil if it was never held.
  func reader(_ name: String) async throws -> EventReader?

  /// Locks the row of a reader until the end of the unit of work, and returns it.
  ///
  /// One that is new is added, at the end of the log. A name has 1 to 100 bytes.
  func hold(_ name: String) async throws -> EventReader

  /// Writes the row of a reader, which was held in the unit of work.
  func save(_ reader: EventReader) async throws

  /// Removes the row of a reader, if there is one; a name that is held again is new.
  func removeReader(_ name: String) async throws

  /// Removes ordered events that were written before a moment, oldest first, at most `limit`; returns their number.
  func removeEvents(before: Date, limit: Int) async throws -> Int
}

/// An event as it is stored.
public struct EventRecord: Hashable, Sendable {
  /// The identifier, the same for every reader and each copy: 1 to 64 visible characters.
  public var id: String
  /// The name of the event's type, such as `credits.granted`: 1 to 255 bytes.
  public var type: String
  /// The account that the event is about; nil if it is about none.
  public var account: AccountID?
  /// The date of the change, in milliseconds.
  public var date: Date
  /// The fields of the event: an object in JSON of 1 to 65,535 bytes.
  public var data: String

  /// Creates an event.
  public init(id: String, type: String, account: AccountID?, date: Date, data: String) {
    self.id = id
    self.type = type
    self.account = account
    self.date = date
    self.data = data
  }
}

/// An event with its position in the one order of all events.
public struct OrderedEvent: Hashable, Sendable {
  /// The position, at least 1.
  public var position: Int
  public var event: EventRecord

  /// Creates an ordered event.
  public init(position: Int, event: EventRecord) {
    self.position = position
    self.event = event
  }
}

/// The place of a reader of events, and whether it takes any now.
public struct EventReader: Hashable, Sendable {
  public var name: String
  /// The position of the last event that was handed over to the reader.
  public var position: Int
  /// The date since which the reader takes no events, in milliseconds; nil while it takes some.
  public var disabledDate: Date?
  /// The date before which the reader wants no further attempt, in milliseconds; nil if it said none.
  public var resumeDate: Date?

  /// Creates the place of a reader.
  public init(
    name: String, position: Int, disabledDate: Date? = nil, resumeDate: Date? = nil
  ) {
    self.name = name
    self.position = position
    self.disabledDate = disabledDate
    self.resumeDate = resumeDate
  }
}
