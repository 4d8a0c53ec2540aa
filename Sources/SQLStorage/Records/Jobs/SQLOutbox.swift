internal import JSONValues
internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

struct SQLOutbox: OutboxRepository {
  let session: SQLSession

  func add(_ message: OutboxMessage, now: Date) async throws {
    try await session.run(
      .addMessage,
      [
        .text(message.kind.rawValue), .name(message.account?.primaryID),
        .name(message.account?.secondID), .text(message.originalTransactionID),
        .name(message.tier?.rawValue), .day(message.expireDate),
        .flag(message.isAlreadyExpired), .seconds(now),
        .name(message.reference), .milliseconds(message.deadline),
        message.kind.isLine ? .number(SQLStatement.never) : .null, .name(message.body),
      ])
  }

  func lease(
    limit: Int, except kinds: Set<OutboxMessage.Kind>, now: Date, until: Date, token: String
  ) async throws -> [OutboxLease] {
    guard limit > 0 else { return [] }
    try await session.wake(.wakeMessages, now: now, atLeast: limit)
    let rows = try await session.query(
      .dueMessages(session.connection.dialect),
      [.seconds(now), .number(limit), Self.list(kinds)])
    try await session.execute(
      .grantOutboxLease, each: rows.map { [$0[0], .text(token), .seconds(until)] })
    return rows.map { OutboxLease(row: $0, token: token) }
  }

  func lease(
    line: OutboxMessage.Kind, limit: Int, now: Date, until: Date, token: String
  ) async throws -> [OutboxLease] {
    guard limit > 0 else { return [] }
    let rows = try await session.query(
      .dueLine, [.seconds(now), .number(limit), .text(line.rawValue)])
    try await session.execute(
      .grantLineLease,
      each: rows.map { [$0[0], .text(token), .seconds(until), .seconds(now)] })
    if session.locks, !rows.isEmpty {
      let held = try await session.query(.leasedLine, [.text(line.rawValue), .text(token)])
      // Otherwise something was done to a message since it was read, as by the worker whose lease had ended.
      guard Set(held.map { $0[0] }).isSuperset(of: rows.map { $0[0] }) else {
        throw StorageFailure.conflict
      }
    }
    return rows.map { OutboxLease(row: $0, token: token) }
  }

  func waiting(inLine line: OutboxMessage.Kind, limit: Int) async throws -> Int {
    let rows = try await session.query(.countLine, [.text(line.rawValue), .number(limit)])
    return rows.first?.first?.number ?? 0
  }

  func isDue(inLine line: OutboxMessage.Kind, now: Date) async throws -> Bool {
    try await !session.query(.dueLine, [.seconds(now), .number(1), .text(line.rawValue)]).isEmpty
  }

  func hasten(line: OutboxMessage.Kind, limit: Int, now: Date) async throws -> Int {
    guard limit > 0 else { return 0 }
    return try await session.execute(
      session.choose(.hastenLine), [.text(line.rawValue), .seconds(now), .number(limit)])
  }

  func markSent(_ lease: OutboxLease, now: Date) async throws -> Bool {
    try await change(.markSent, lease, now)
  }

  func markFailed(_ lease: OutboxLease, nextTry: Date) async throws -> Bool {
    try await change(.markFailed, lease, nextTry)
  }

  func postpone(_ lease: OutboxLease, until nextTry: Date) async throws -> Bool {
    try await change(.postponeMessage, lease, nextTry)
  }

  func park(_ lease: OutboxLease, reason: ParkingReason, now: Date) async throws -> Bool {
    try await session.execute(
      .parkMessage,
      [
        .number(lease.number), .text(lease.token), .seconds(now), .text(reason.cause.rawValue),
        .name(reason.detail),
      ]) > 0
  }

  func parked(after number: Int, limit: Int) async throws -> [ParkedMessage] {
    guard limit > 0 else { return [] }
    return try await session.query(.parkedMessages, [.number(number), .number(limit)])
      .map(ParkedMessage.init(row:))
  }

  func newest(to account: AccountID, limit: Int) async throws -> [KeptMessage] {
    guard limit > 0 else { return [] }
    return try await session.query(.newestMessagesTo, [.name(account), .number(limit)])
      .map(KeptMessage.init(row:))
  }

  func sendAgain(_ number: Int) async throws -> Bool {
    try await session.execute(.sendAgain, [.number(number)]) > 0
  }

  func discard(_ number: Int) async throws -> Bool {
    try await session.execute(.discardMessage, [.number(number)]) > 0
  }

  func discard(
    line: OutboxMessage.Kind, parkedBefore: Date?, limit: Int
  ) async throws -> Int {
    guard limit > 0 else { return 0 }
    // A moment that never comes has all that are parked be before it.
    let moment: SQLValue =
      parkedBefore.map { .number(StoredMoment.secondsRoundedUp($0)) } ?? .number(SQLStatement.never)
    let parked = try await session.execute(
      session.choose(.discardParkedLine), [.text(line.rawValue), moment, .number(limit)])
    guard parkedBefore == nil, parked < limit else { return parked }
    let waiting = try await session.execute(
      session.choose(.discardLine), [.text(line.rawValue), .number(limit - parked)])
    return parked + waiting
  }

  func giveBack(_ lease: OutboxLease) async throws {
    try await session.run(.giveBackMessage, [.number(lease.number), .text(lease.token)])
  }

  func removeSent(before: Date, limit: Int) async throws -> Int {
    guard limit > 0 else { return 0 }
    return try await session.execute(
      session.choose(.removeSent),
      [.number(StoredMoment.secondsRoundedUp(before)), .number(limit)])
  }

  func backlog() async throws -> OutboxBacklog {
    guard let row = try await session.query(.countUnsent, []).first else { return OutboxBacklog() }
    var reader = SQLRowReader(row)
    return OutboxBacklog(
      waiting: reader.number() ?? 0, oldestDate: reader.seconds(), parked: reader.number() ?? 0)
  }

  func oldestDate(except kinds: Set<OutboxMessage.Kind>) async throws -> Date? {
    let rows = try await session.query(
      .oldestUnsent(session.connection.dialect), [Self.list(kinds)])
    guard let row = rows.first else { return nil }
    var reader = SQLRowReader(row)
    return reader.seconds()
  }

  /// Returns kinds as an array in JSON.
  private static func list(_ kinds: Set<OutboxMessage.Kind>) -> SQLValue {
    let names = JSONValue.array(kinds.map { .string($0.rawValue) })
    return .text(String(decoding: names.serialized, as: UTF8.self))
  }

  private func change(
    _ statement: SQLStatement, _ lease: OutboxLease, _ date: Date
  ) async throws -> Bool {
    try await session.execute(
      statement, [.number(lease.number), .text(lease.token), .seconds(date)]) > 0
  }
}

extension OutboxLease {
  /// Reads a row of `outbox_due`.
  fileprivate init(row: SQLRow, token: String) {
    var reader = SQLRowReader(row)
    let (number, message) = reader.message()
    self.init(
      number: number, message: message, createdDate: reader.seconds() ?? .distantPast,
      failures: reader.number() ?? 0, token: token, nextTry: reader.seconds())
  }
}

extension ParkedMessage {
  /// Reads a row of `outbox_parked`.
  fileprivate init(row: SQLRow) {
    var reader = SQLRowReader(row)
    let (number, message) = reader.message()
    self.init(
      number: number, message: message, createdDate: reader.seconds() ?? .distantPast,
      failures: reader.number() ?? 0,
      reason: ParkingReason(
        ParkingReason.Cause(rawValue: reader.text()), detail: reader.name()),
      parkedDate: reader.seconds() ?? .distantPast)
  }
}

extension KeptMessage {
  /// Reads a row of `outbox_newest_to`.
  fileprivate init(row: SQLRow) {
    var reader = SQLRowReader(row)
    let (number, message) = reader.message()
    let createdDate = reader.seconds() ?? .distantPast
    _ = reader.number()
    self.init(
      number: number, message: message, createdDate: createdDate, sentDate: reader.seconds(),
      parkedDate: reader.seconds())
  }
}

extension SQLRowReader {
  /// Reads the first columns of a message: its number, and what it says.
  fileprivate mutating func message() -> (number: Int, message: OutboxMessage) {
    let number = number() ?? 0
    let kind = OutboxMessage.Kind(rawValue: text())
    let account = Account(primaryID: accountID(), secondID: accountID())
    var message = OutboxMessage(
      kind: kind, account: account, originalTransactionID: text(),
      tier: name().map(Tier.init(rawValue:)), expireDate: day(), isAlreadyExpired: flag() ?? false)
    message.reference = name()
    message.deadline = milliseconds()
    message.body = name()
    return (number, message)
  }
}
