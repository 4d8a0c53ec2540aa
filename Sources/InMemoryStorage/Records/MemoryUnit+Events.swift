internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension MemoryUnit: EventRepository {
  func add(_ event: EventRecord) throws {
    try writing { tables in
      let id = IndexKey(.event, RowKey(event.id))
      guard tables.newEvents.keys(by: id).isEmpty, tables.orderedEvents.keys(by: id).isEmpty else {
        return
      }
      _ = try tables.newEvents.append { _ in event.stored }
    }
  }

  func hasNew() throws -> Bool { try !tables.newEvents.keys.isEmpty }

  func order(limit: Int) throws -> Int {
    try writing { tables in
      let keys = tables.newEvents.keys.prefix(max(0, limit))
      for key in keys {
        guard let event = tables.newEvents[key] else { continue }
        try tables.orderedEvents.append { OrderedEvent(position: $0, event: event) }
        tables.newEvents[key] = nil
      }
      return keys.count
    }
  }

  func events(after position: Int, limit: Int) throws -> [OrderedEvent] {
    try tables.orderedEvents.page(after: position, limit: limit)
  }

  func event(at position: Int) throws -> OrderedEvent? { try tables.orderedEvents[position] }

  func newest(of account: AccountID?, limit: Int) throws -> [EventRecord] {
    let tables = try tables
    let events =
      tables.orderedEvents.page { account == nil || $0.event.account == account }.map(\.event)
      + tables.newEvents.page { account == nil || $0.account == account }
    return events.suffix(max(0, limit)).reversed()
  }

  func lastPosition() throws -> Int { try tables.orderedEvents.greatestKey ?? 0 }

  func reader(_ name: String) throws -> EventReader? { try tables.eventReaders[RowKey(name)] }

  func hold(_ name: String) throws -> EventReader {
    let end = try lastPosition()
    return try writing { tables in
      let reader = tables.eventReaders[RowKey(name)] ?? EventReader(name: name, position: end)
      tables.eventReaders[RowKey(name)] = reader
      return reader
    }
  }

  func save(_ reader: EventReader) throws {
    try writing { tables in
      _ = tables.eventReaders.change(RowKey(reader.name)) { $0 = reader.stored }
    }
  }

  func removeReader(_ name: String) throws {
    try writing { $0.eventReaders[RowKey(name)] = nil }
  }

  func removeEvents(before: Date, limit: Int) throws -> Int {
    try writing { $0.orderedEvents.remove(before: before, limit: limit, by: \.event.date) }
  }
}

extension EventRecord: StoredRow {
  var stored: EventRecord { inMilliseconds(\.date) }
}

extension EventReader: StoredRow {
  var stored: EventReader { inMilliseconds(\.disabledDate, \.resumeDate) }
}
