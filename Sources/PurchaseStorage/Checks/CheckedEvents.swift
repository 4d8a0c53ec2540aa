internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The front of the events of every store, as ``CheckedStore`` is of the other records.
struct CheckedEvents: EventRepository {
  let base: any EventRepository

  func add(_ event: EventRecord) async throws {
    try event.checkTexts()
    try await base.add(event)
  }

  func hasNew() async throws -> Bool { try await base.hasNew() }

  func order(limit: Int) async throws -> Int { try await base.order(limit: limit) }

  func events(after position: Int, limit: Int) async throws -> [OrderedEvent] {
    try await base.events(after: position, limit: limit)
  }

  func event(at position: Int) async throws -> OrderedEvent? {
    try await base.event(at: position)
  }

  func newest(of account: AccountID?, limit: Int) async throws -> [EventRecord] {
    guard account.map({ fits(.userID, $0.rawValue) }) ?? true else { return [] }
    return try await base.newest(of: account, limit: limit)
  }

  func lastPosition() async throws -> Int { try await base.lastPosition() }

  func reader(_ name: String) async throws -> EventReader? {
    try check(.job, name)
    return try await base.reader(name)
  }

  func hold(_ name: String) async throws -> EventReader {
    try check(.job, name)
    return try await base.hold(name)
  }

  func save(_ reader: EventReader) async throws { try await base.save(reader) }

  func removeReader(_ name: String) async throws {
    try check(.job, name)
    try await base.removeReader(name)
  }

  func removeEvents(before: Date, limit: Int) async throws -> Int {
    try await base.removeEvents(before: before, limit: limit)
  }
}

extension EventRecord: CheckedValue {
  func checkTexts() throws(StorageFailure) {
    try check(.token, id)
    try check(.eventType, type)
    try check(.userID, account?.rawValue)
    try check(.eventData, data)
  }
}
