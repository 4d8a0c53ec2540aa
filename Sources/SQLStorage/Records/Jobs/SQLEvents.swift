internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

struct SQLEvents: EventRepository {
  let session: SQLSession

  /// The row that is held while positions are given; its place is the last one.
  private static let log = "#log"

  func add(_ event: EventRecord) async throws {
    try await session.run(
      .addEvent,
      [
        .text(event.id), .text(event.type), .name(event.account), .milliseconds(event.date),
        .text(event.data),
      ])
  }

  func hasNew() async throws -> Bool {
    try await !session.query(.newEvents, [.number(1)]).isEmpty
  }

  func order(limit: Int) async throws -> Int {
    guard limit > 0 else { return 0 }
    // Whoever waited for the row here sees all that was ordered before.
    var log = try await hold(Self.log, at: 0)
    let rows = try await session.query(.newEvents, [.number(limit)])
    guard !rows.isEmpty else { return 0 }
    let first = log.position + 1
    try await session.execute(
      .orderEvent, each: rows.enumerated().map { [$0.element[0], .number(first + $0.offset)] })
    log.position += rows.count
    try await save(log)
    return rows.count
  }

  func events(after position: Int, limit: Int) async throws -> [OrderedEvent] {
    guard limit > 0 else { return [] }
    return try await session.query(.eventsAfter, [.number(position), .number(limit)])
      .map(OrderedEvent.init(row:))
  }

  func event(at position: Int) async throws -> OrderedEvent? {
    try await session.query(.eventAt, [.number(position)]).first.map(OrderedEvent.init(row:))
  }

  func newest(of account: AccountID?, limit: Int) async throws -> [EventRecord] {
    guard limit > 0 else { return [] }
    let rows =
      if let account {
        try await session.query(.newestEventsOf, [.name(account), .number(limit)])
      } else {
        try await session.query(.newestEvents, [.number(limit)])
      }
    return rows.map { OrderedEvent(row: $0).event }
  }

  func lastPosition() async throws -> Int { try await reader(Self.log)?.position ?? 0 }

  func reader(_ name: String) async throws -> EventReader? {
    try await session.query(.findEventReader, [.text(name)]).first.map {
      EventReader(name: name, row: $0)
    }
  }

  func hold(_ name: String) async throws -> EventReader {
    let end = try await reader(name) == nil ? lastPosition() : 0
    return try await hold(name, at: end)
  }

  private func hold(_ name: String, at position: Int) async throws -> EventReader {
    let rows = try await session.query(.holdEventReader, [.text(name), .number(position)])
    guard let row = rows.first else {
      throw StorageFailure.database(code: 0, detail: "no row of an event reader")
    }
    return EventReader(name: name, row: row)
  }

  func save(_ reader: EventReader) async throws {
    try await session.run(
      .saveEventReader,
      [
        .text(reader.name), .number(reader.position), .milliseconds(reader.disabledDate),
        .milliseconds(reader.resumeDate),
      ])
  }

  func removeReader(_ name: String) async throws {
    // Without the row of the log, positions would be given twice.
    guard name != Self.log else { return }
    try await session.run(.removeEventReader, [.text(name)])
  }

  func removeEvents(before: Date, limit: Int) async throws -> Int {
    guard limit > 0 else { return 0 }
    return try await session.execute(
      session.choose(.removeEvents), [.milliseconds(before), .number(limit)])
  }
}

extension OrderedEvent {
  fileprivate init(row: SQLRow) {
    var reader = SQLRowReader(row)
    self.init(
      position: reader.number() ?? 0,
      event: EventRecord(
        id: reader.text(), type: reader.text(), account: reader.accountID(),
        date: reader.milliseconds() ?? .distantPast, data: reader.text()))
  }
}

extension EventReader {
  fileprivate init(name: String, row: SQLRow) {
    var reader = SQLRowReader(row)
    self.init(
      name: name, position: reader.number() ?? 0, disabledDate: reader.milliseconds(),
      resumeDate: reader.milliseconds())
  }
}

extension LockableStatement {
  static let removeEvents = LockableStatement(
    "event_remove", .delete(from: "host_event"), where: "id",
    in: """
      SELECT id FROM host_event WHERE created_ms < $1 AND place IS NOT NULL
      ORDER BY created_ms, id LIMIT $2
      """,
    lock: "FOR UPDATE SKIP LOCKED")
}

extension SQLStatement {
  static let addEvent = SQLInsertion(
    """
    INSERT INTO host_event (event_id, type, account, created_ms, data)
    VALUES ($1, $2, $3, $4, $5)
    """, key: "event_id"
  ).keepingStored("event_add")

  static let newEvents = SQLStatement(
    "event_new", "SELECT id FROM host_event WHERE place IS NULL ORDER BY id LIMIT $1")

  static let orderEvent = SQLStatement(
    "event_order", "UPDATE host_event SET place = $2 WHERE id = $1")

  static let eventsAfter = SQLStatement(
    "event_list",
    """
    SELECT place, event_id, type, account, created_ms, data FROM host_event
    WHERE place > $1 ORDER BY place LIMIT $2
    """)

  static let newestEvents = SQLStatement(
    "newest_host_events",
    """
    SELECT place, event_id, type, account, created_ms, data FROM host_event
    ORDER BY id DESC LIMIT $1
    """)

  static let newestEventsOf = SQLStatement(
    "event_newest_of",
    """
    SELECT place, event_id, type, account, created_ms, data FROM host_event
    WHERE account = $1 ORDER BY id DESC LIMIT $2
    """)

  static let eventAt = SQLStatement(
    "event_find",
    """
    SELECT place, event_id, type, account, created_ms, data FROM host_event
    WHERE place = $1
    """)

  static let findEventReader = SQLStatement(
    "event_reader_find",
    "SELECT place, disabled_ms, resume_ms FROM event_reader WHERE name = $1")

  /// The names of all readers, in the order in which they are locked.
  static let eventReaders = LockableStatement(
    "event_readers", "SELECT name FROM event_reader ORDER BY name", lock: "FOR UPDATE")

  /// Writes the row, so that it is locked in every database.
  static let holdEventReader = SQLInsertion(
    "INSERT INTO event_reader (name, place, turns) VALUES ($1, $2, 0)", key: "name"
  ).returning("place, disabled_ms, resume_ms").changingStored(
    "event_reader_hold", [SQLInsertion.Assignment("turns", "event_reader.turns + 1")])

  static let saveEventReader = SQLStatement(
    "event_reader_save",
    "UPDATE event_reader SET place = $2, disabled_ms = $3, resume_ms = $4 WHERE name = $1")

  static let removeEventReader = SQLStatement(
    "event_reader_remove", "DELETE FROM event_reader WHERE name = $1")
}
