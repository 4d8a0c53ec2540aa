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
    try message.checkTexts()
    try await session.run(
      .addMessage,
      [
        .text(message.kind.rawValue), .name(message.account?.primaryID),
        .name(message.account?.secondID), .text(message.originalTransactionID),
        .name(message.tier?.rawValue), .day(message.expireDate),
        .flag(message.isAlreadyExpired), .seconds(now),
        .name(message.reference), .milliseconds(message.deadline),
      ])
  }

  func lease(
    limit: Int, now: Date, until: Date, token: String
  ) async throws -> [OutboxLease] {
    try StoredText.check("token", token, .token)
    guard limit > 0 else { return [] }
    try await session.wake(.wakeMessages, now: now, atLeast: limit)
    let rows = try await session.query(
      session.choose(.dueMessages), [.seconds(now), .number(limit)])
    try await session.execute(
      .grantOutboxLease, each: rows.map { [$0[0], .text(token), .seconds(until)] })
    return rows.map { OutboxLease(row: $0, token: token) }
  }

  func markSent(_ lease: OutboxLease, now: Date) async throws -> Bool {
    try await change(.markSent, lease, now)
  }

  func markFailed(_ lease: OutboxLease, nextTry: Date) async throws -> Bool {
    try await change(.markFailed, lease, nextTry)
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

  func unsentCount() async throws -> Int {
    try await session.query(.countUnsent, []).first?.first?.number ?? 0
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
    let number = reader.number() ?? 0
    let kind = OutboxMessage.Kind(rawValue: reader.text())
    let account = Account(primaryID: reader.accountID(), secondID: reader.accountID())
    var message = OutboxMessage(
      kind: kind, account: account, originalTransactionID: reader.text(),
      tier: reader.name().map(Tier.init(rawValue:)), expireDate: reader.day(),
      isAlreadyExpired: reader.flag() ?? false)
    let createdDate = reader.seconds() ?? .distantPast
    let failures = reader.number() ?? 0
    message.reference = reader.name()
    message.deadline = reader.milliseconds()
    self.init(
      number: number, message: message, createdDate: createdDate, failures: failures, token: token)
  }
}
