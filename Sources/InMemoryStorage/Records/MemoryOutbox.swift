internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The outbox, in memory.
struct MemoryOutbox: OutboxRepository {
  let unit: MemoryUnit

  func add(_ message: OutboxMessage, now: Date) throws {
    try unit.writing(message) { tables, message in
      _ = try tables.mails.append {
        MemoryTables.Mail(number: $0, message: message, createdDate: now.inSeconds)
      }
    }
  }

  func lease(
    limit: Int, except kinds: Set<OutboxMessage.Kind>, now: Date, until: Date, token: String
  ) throws -> [OutboxLease] {
    try StoredText.check("token", token, .token)
    return try unit.writing { tables in
      tables.mails.page(limit: limit) { $0.isDue(at: now) && !kinds.contains($0.message.kind) }
        .map { mail in
          tables.mails[mail.number]?.lease = MemoryLease(token: token, until: until.inSeconds)
          return OutboxLease(
            number: mail.number, message: mail.message, createdDate: mail.createdDate,
            failures: mail.failures, token: token)
        }
    }
  }

  func markSent(_ lease: OutboxLease, now: Date) throws -> Bool {
    try end(lease) { $0.sentDate = now.inSeconds }
  }

  func markFailed(_ lease: OutboxLease, nextTry: Date) throws -> Bool {
    try end(lease) { mail in
      mail.failures += 1
      mail.nextTry = nextTry.inSeconds
    }
  }

  func postpone(_ lease: OutboxLease, until nextTry: Date) throws -> Bool {
    try end(lease) { $0.nextTry = nextTry.inSeconds }
  }

  func park(_ lease: OutboxLease, reason: ParkingReason, now: Date) throws -> Bool {
    try reason.checkTexts()
    return try end(lease) { $0.parking = (reason, now.inSeconds) }
  }

  func parked(after number: Int, limit: Int) throws -> [ParkedMessage] {
    try unit.reading { tables in
      tables.mails.page(after: number, limit: limit) { $0.parking != nil }.compactMap { mail in
        mail.parking.map { reason, date in
          ParkedMessage(
            number: mail.number, message: mail.message, createdDate: mail.createdDate,
            failures: mail.failures, reason: reason, parkedDate: date)
        }
      }
    }
  }

  func sendAgain(_ number: Int) throws -> Bool {
    try unit.writing { tables in
      guard var mail = tables.mails[number], mail.parking != nil else { return false }
      mail.parking = nil
      mail.nextTry = nil
      mail.failures = 0
      tables.mails[number] = mail
      return true
    }
  }

  func discard(_ number: Int) throws -> Bool {
    try unit.writing { tables in
      guard tables.mails[number]?.parking != nil else { return false }
      tables.mails[number] = nil
      return true
    }
  }

  func giveBack(_ lease: OutboxLease) throws { _ = try end(lease) { _ in } }

  func removeSent(before: Date, limit: Int) throws -> Int {
    try unit.writing { $0.mails.remove(before: before, limit: limit, by: \.sentDate) }
  }

  func backlog() throws -> OutboxBacklog {
    try unit.reading { tables in
      let waiting = tables.mails.page { $0.sentDate == nil && $0.parking == nil }
      return OutboxBacklog(
        waiting: waiting.count, oldestDate: waiting.first?.createdDate,
        parked: tables.mails.page { $0.parking != nil }.count)
    }
  }

  private func end(
    _ lease: OutboxLease, _ change: (inout MemoryTables.Mail) -> Void
  ) throws -> Bool {
    try unit.writing { $0.mails.end(lease.token, of: lease.number, change) }
  }
}

extension MemoryTables.Mail {
  fileprivate func isDue(at now: Date) -> Bool {
    isFree(at: now) && sentDate == nil && parking == nil && nextTry.map { $0 <= now } ?? true
  }
}

extension OutboxMessage: StoredRow {
  var stored: OutboxMessage {
    var message = self
    message.deadline = deadline?.inMilliseconds
    return message
  }
}
