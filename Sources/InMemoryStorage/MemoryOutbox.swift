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
    try message.checkTexts()
    var stored = message
    stored.deadline = message.deadline.map(StoredMoment.inMilliseconds)
    try unit.writing { tables in
      guard message.kind != .starterRefused || !tables.mails.contains(where: message.isSame) else {
        throw StorageFailure.duplicate(.other)
      }
      tables.lastMail += 1
      tables.mails.append(
        MemoryTables.Mail(
          number: tables.lastMail, message: stored, createdDate: StoredMoment.inSeconds(now)))
    }
  }

  func lease(
    limit: Int, except kinds: Set<OutboxMessage.Kind>, now: Date, until: Date, token: String
  ) throws -> [OutboxLease] {
    try StoredText.check("token", token, .token)
    return try unit.writing { tables in
      let free = tables.mails.indices.filter { index in
        tables.mails[index].isFree(at: now) && !kinds.contains(tables.mails[index].message.kind)
      }
      return Array(free.prefix(max(0, limit))).map { index in
        tables.mails[index].lease = MemoryLease(
          token: token, until: StoredMoment.inSeconds(until))
        let mail = tables.mails[index]
        return OutboxLease(
          number: mail.number, message: mail.message, createdDate: mail.createdDate,
          failures: mail.failures, token: token)
      }
    }
  }

  func markSent(_ lease: OutboxLease, now: Date) throws -> Bool {
    try change(lease) { $0.sentDate = StoredMoment.inSeconds(now) }
  }

  func markFailed(_ lease: OutboxLease, nextTry: Date) throws -> Bool {
    try change(lease) { mail in
      mail.failures += 1
      mail.nextTry = StoredMoment.inSeconds(nextTry)
    }
  }

  func postpone(_ lease: OutboxLease, until nextTry: Date) throws -> Bool {
    try change(lease) { $0.nextTry = StoredMoment.inSeconds(nextTry) }
  }

  func park(_ lease: OutboxLease, reason: ParkingReason, now: Date) throws -> Bool {
    try reason.checkTexts()
    return try change(lease) { $0.parking = (reason, StoredMoment.inSeconds(now)) }
  }

  func parked(after number: Int, limit: Int) throws -> [ParkedMessage] {
    try unit.reading { tables in
      tables.mails.filter { $0.number > number }.compactMap(\.parked).prefix(max(0, limit))
        .map(\.self)
    }
  }

  func sendAgain(_ number: Int) throws -> Bool {
    try unit.writing { tables in
      guard let index = tables.mails.firstIndex(where: { $0.number == number }),
        tables.mails[index].parking != nil
      else { return false }
      tables.mails[index].parking = nil
      tables.mails[index].nextTry = nil
      tables.mails[index].failures = 0
      return true
    }
  }

  func discard(_ number: Int) throws -> Bool {
    try unit.writing { tables in
      let index = tables.mails.firstIndex { $0.number == number && $0.parking != nil }
      if let index { tables.mails.remove(at: index) }
      return index != nil
    }
  }

  func giveBack(_ lease: OutboxLease) throws { _ = try change(lease) { _ in } }

  func removeSent(before: Date, limit: Int) throws -> Int {
    try unit.writing { tables in
      let sent = tables.mails.filter { $0.sentDate.map { $0 < before } ?? false }
      // Sorting is stable: messages of the same second go in the order of their numbers.
      let removed = sent.sorted { ($0.sentDate ?? before) < ($1.sentDate ?? before) }
        .prefix(max(0, limit))
      let numbers = Set(removed.map(\.number))
      tables.mails.removeAll { numbers.contains($0.number) }
      return numbers.count
    }
  }

  func backlog() throws -> OutboxBacklog {
    try unit.reading { tables in
      let waiting = tables.mails.filter { $0.sentDate == nil && $0.parking == nil }
      return OutboxBacklog(
        waiting: waiting.count, oldestDate: waiting.first?.createdDate,
        parked: tables.mails.count { $0.parking != nil })
    }
  }

  /// Ends a lease and changes the message, if this token still holds the lease.
  private func change(
    _ lease: OutboxLease, _ change: (inout MemoryTables.Mail) -> Void
  ) throws -> Bool {
    try unit.writing { tables in
      guard let index = tables.mails.firstIndex(where: { $0.number == lease.number }),
        tables.mails[index].lease?.token == lease.token
      else { return false }
      tables.mails[index].lease = nil
      change(&tables.mails[index])
      return true
    }
  }
}

extension MemoryTables.Mail {
  fileprivate func isFree(at now: Date) -> Bool {
    if let lease, lease.isLive(at: now) { return false }
    return sentDate == nil && parking == nil && nextTry.map { $0 <= now } ?? true
  }

  fileprivate var parked: ParkedMessage? {
    parking.map {
      ParkedMessage(
        number: number, message: message, createdDate: createdDate, failures: failures,
        reason: $0.reason, parkedDate: $0.date)
    }
  }
}

extension OutboxMessage {
  /// Whether a stored message tells the same about the same record.
  fileprivate func isSame(_ mail: MemoryTables.Mail) -> Bool {
    mail.message.kind == kind && mail.message.reference == reference
      && mail.message.account?.primaryID == account?.primaryID
  }
}
