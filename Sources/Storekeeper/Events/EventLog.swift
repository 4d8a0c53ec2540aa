internal import PurchaseStorage
internal import ReceiptModels
internal import StorekeeperLocks

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The events that an ``EventStore`` has written, in their one order.
///
/// ```swift
/// let log = EventLog(shop)
/// for await event in log.stream(after: try await place()) {
///   try await handle(event)
///   try await keep(place: event.position)
/// }
/// ```
///
/// Any number of processes may read. An event has a place as soon as somebody reads after its unit of work was
/// committed; nobody has to run for that.
public struct EventLog: Sendable {
  /// The parts that the services of the host share.
  public let context: PurchaseContext
  /// The time for which an event is kept; 30 days by default.
  public var retention = Duration.days(30)
  /// The time after which a stream looks again when there was nothing new; a second by default.
  public var interval = Duration.seconds(1)

  let clock: any Clock<Duration>

  /// Creates a log; the clock measures ``interval``.
  public init(_ context: PurchaseContext, clock: any Clock<Duration> = ContinuousClock()) {
    self.context = context
    self.clock = clock
  }

  /// Returns the events after a position that they were read up to, in their order; 0 is the beginning.
  ///
  /// An event that a later version wrote in a form that cannot be read is left out, and reported
  /// (``ServiceIncident/eventUnreadable(_:)``).
  ///
  /// - Throws: An error of the store.
  public func events(after position: Int, limit: Int = 100) async throws -> [PurchaseEvent] {
    var place = position
    while true {
      let page = try await page(after: place, limit: limit)
      guard page.events.isEmpty, page.end != place else { return page.events }
      place = page.end
    }
  }

  /// Returns the position of the last event.
  ///
  /// - Throws: An error of the store.
  public func end() async throws -> Int {
    try await order()
    return try await context.store.read { try await $0.events.lastPosition() }
  }

  /// Returns the events after a position, and those that come, until the task is cancelled.
  ///
  /// The reader keeps the position of the last event that it has worked on, and goes on there after a restart: an event
  /// may come again then, but none is left out. While the store fails, the stream waits and reports it
  /// (``ServiceIncident/jobFailed(_:job:of:)``).
  public func stream(after position: Int) -> EventStream {
    EventStream(log: self, position: position)
  }

  /// Removes events that are older than ``retention``, also those that nobody has read; returns their number.
  ///
  /// - Throws: An error of the store.
  @discardableResult
  public func removeOld() async throws -> Int {
    let oldest = context.now() - retention.timeInterval
    // Only events with a place are removed, and those that nobody reads have none.
    try await order()
    var count = 0
    while !Task.isCancelled {
      let removed = try await context.store.write {
        try await $0.events.removeEvents(before: oldest, limit: Self.pageLength)
      }
      count += removed
      guard removed == Self.pageLength else { break }
    }
    return count
  }

  /// The number of events that a unit of work takes at once.
  static let pageLength = 500

  struct Page: Sendable {
    var events: [PurchaseEvent] = []
    /// The position up to which it was read.
    var end: Int
  }

  func page(after position: Int, limit: Int) async throws -> Page {
    try await order()
    let stored = try await context.store.read {
      try await $0.events.events(after: position, limit: limit)
    }
    return Page(
      events: stored.compactMap(event), end: stored.last?.position ?? position)
  }

  /// Reads an event, and reports one that cannot be read.
  func event(_ stored: OrderedEvent) -> PurchaseEvent? {
    do throws(PurchaseEventFailure) { return try PurchaseEvent(stored) } catch {
      context.tell(.eventUnreadable(error))
      return nil
    }
  }

  /// Gives places to the events that have none.
  func order() async throws {
    while try await context.store.read({ try await $0.events.hasNew() }) {
      let count = try await context.store.write {
        try await $0.events.order(limit: Self.pageLength)
      }
      guard count == Self.pageLength else { return }
    }
  }
}

/// The events of an ``EventLog`` as they come.
public struct EventStream: AsyncSequence, Sendable {
  let log: EventLog
  let position: Int

  /// Creates a reader, which begins at the position of the stream.
  public func makeAsyncIterator() -> Iterator { Iterator(log: log, position: position) }

  /// A reader of a stream.
  public struct Iterator: AsyncIteratorProtocol {
    let log: EventLog
    var position: Int
    private var waiting: [PurchaseEvent] = []

    init(log: EventLog, position: Int) {
      self.log = log
      self.position = position
    }

    /// Returns the next event, as soon as there is one; nil when the task is cancelled.
    public mutating func next() async -> PurchaseEvent? {
      while !Task.isCancelled {
        if !waiting.isEmpty { return waiting.removeFirst() }
        do {
          let page = try await log.page(after: position, limit: EventLog.pageLength)
          guard page.end == position else {
            (position, waiting) = (page.end, page.events)
            continue
          }
        } catch {
          guard !Task.isCancelled else { return nil }
          log.context.tell(.jobFailed(error, job: "event stream"))
        }
        try? await log.clock.sleep(for: log.interval)
      }
      return nil
    }
  }
}

extension BackgroundJob {
  /// The removal of old events, every hour unless told otherwise.
  public static func eventRetention(
    _ log: EventLog, every interval: Duration = .seconds(3600)
  ) -> BackgroundJob {
    BackgroundJob("event retention", every: interval) { _ = try await log.removeOld() }
  }
}
