internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension MemoryUnit: OutboxRepository {
  func add(_ message: OutboxMessage, now: Date) throws {
    try writing { tables in
      _ = try tables.mails.append {
        Leased(MemoryTables.Mail(number: $0, message: message.stored, createdDate: now.inSeconds))
      }
    }
  }

  func lease(
    limit: Int, except kinds: Set<OutboxMessage.Kind>, now: Date, until: Date, token: String
  ) throws -> [OutboxLease] {
    try writing { tables in
      let due = tables.mails.page(limit: limit) {
        $0.isFree(at: now) && $0.value.isWaiting && !$0.value.message.kind.isLine
          && !kinds.contains($0.value.message.kind)
      }
      return grant(due, to: token, until: until, in: &tables)
    }
  }

  func lease(
    line: OutboxMessage.Kind, limit: Int, now: Date, until: Date, token: String
  ) throws -> [OutboxLease] {
    try writing { tables in
      let due = due(inLine: line, now: now, in: tables)
      return grant(Array(due.prefix(max(0, limit))), to: token, until: until, in: &tables)
    }
  }

  private func due(
    inLine line: OutboxMessage.Kind, now: Date, in tables: MemoryTables
  ) -> [Leased<MemoryTables.Mail>] {
    let waiting = tables.mails.page { $0.value.isWaiting && $0.value.message.kind == line }
    let held = Set(
      waiting.filter { !$0.isFree(at: now) }.compactMap(\.value.message.account?.primaryID))
    return waiting.filter { mail in
      mail.isFree(at: now)
        && mail.value.message.account?.primaryID.map { !held.contains($0) } ?? true
    }
  }

  func isDue(inLine line: OutboxMessage.Kind, now: Date) throws -> Bool {
    try !due(inLine: line, now: now, in: tables).isEmpty
  }

  func hasten(line: OutboxMessage.Kind, limit: Int, now: Date) throws -> Int {
    try writing { tables in
      let numbers = tables.mails.page {
        $0.value.isWaiting && $0.value.message.kind == line && $0.isInBackOff
          && !$0.isFree(at: now)
      }.sorted { $0.failures < $1.failures }.prefix(max(0, limit)).map(\.value.number)
      for number in numbers { tables.mails[number]?.hasten() }
      return numbers.count
    }
  }

  private func grant(
    _ due: [Leased<MemoryTables.Mail>], to token: String, until: Date,
    in tables: inout MemoryTables
  ) -> [OutboxLease] {
    for mail in due {
      tables.mails[mail.value.number]?.lease(to: token, until: until.inSeconds)
    }
    return due.map {
      OutboxLease(
        number: $0.value.number, message: $0.value.message, createdDate: $0.value.createdDate,
        failures: $0.failures, token: token, nextTry: $0.nextTry)
    }
  }

  func waiting(inLine line: OutboxMessage.Kind, limit: Int) throws -> Int {
    try tables.mails.page(limit: limit) {
      $0.value.isWaiting && $0.value.message.kind == line
    }.count
  }

  func markSent(_ lease: OutboxLease, now: Date) throws -> Bool {
    try end(lease) { mail in
      mail.value.sentDate = now.inSeconds
      mail.value.message.body = nil
    }
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
    try end(lease) { $0.value.parking = (reason, now.inSeconds) }
  }

  func giveBack(_ lease: OutboxLease) throws {
    _ = try end(lease) { mail in
      if mail.value.message.kind.isLine { mail.hasten() }
    }
  }

  private func end(
    _ lease: OutboxLease, _ change: (inout Leased<MemoryTables.Mail>) -> Void
  ) throws -> Bool {
    try writing { $0.mails.end(lease.token, of: lease.number, change) }
  }

  func parked(after number: Int, limit: Int) throws -> [ParkedMessage] {
    try tables.mails.page(after: number, limit: limit) { $0.value.parking != nil }
      .compactMap { mail in
        mail.value.parking.map { reason, date in
          ParkedMessage(
            number: mail.value.number, message: mail.value.message,
            createdDate: mail.value.createdDate, failures: mail.failures, reason: reason,
            parkedDate: date)
        }
      }
  }

  func newest(to account: AccountID, limit: Int) throws -> [KeptMessage] {
    try tables.mails.page { mail in
      mail.value.message.account?.primaryID == account && !mail.value.message.kind.isLine
    }
    .suffix(max(0, limit)).reversed().map { mail in
      KeptMessage(
        number: mail.value.number, message: mail.value.message,
        createdDate: mail.value.createdDate, sentDate: mail.value.sentDate,
        parkedDate: mail.value.parking?.date)
    }
  }

  func sendAgain(_ number: Int) throws -> Bool {
    try writing { tables in
      tables.mails.change(number, where: { $0.value.parking != nil }) { mail in
        mail.value.parking = nil
        mail = Leased(mail.value)
      }
    }
  }

  func discard(_ number: Int) throws -> Bool {
    try writing { $0.mails.remove(number) { $0.value.parking != nil } }
  }

  func discard(line: OutboxMessage.Kind, parkedBefore: Date?, limit: Int) throws -> Int {
    try writing { tables in
      let numbers = tables.mails.page(limit: max(0, limit)) { mail in
        guard mail.value.sentDate == nil, mail.value.message.kind == line else { return false }
        guard let parkedBefore else { return true }
        return mail.value.parking.map { $0.date < parkedBefore } ?? false
      }.map(\.value.number)
      for number in numbers { tables.mails[number] = nil }
      return numbers.count
    }
  }

  func removeSent(before: Date, limit: Int) throws -> Int {
    try writing { $0.mails.remove(before: before, limit: limit, by: \.value.sentDate) }
  }

  func backlog() throws -> OutboxBacklog {
    let mails = try tables.mails
    let waiting = mails.page(where: \.value.isWaiting)
    return OutboxBacklog(
      waiting: waiting.count, oldestDate: waiting.first?.value.createdDate,
      parked: mails.page { $0.value.parking != nil }.count)
  }

  func oldestDate(except kinds: Set<OutboxMessage.Kind>) throws -> Date? {
    try tables.mails.page { $0.value.isWaiting && !kinds.contains($0.value.message.kind) }
      .lazy.map(\.value.createdDate).min()
  }
}

extension MemoryTables.Mail {
  fileprivate var isWaiting: Bool { sentDate == nil && parking == nil }
}

extension OutboxMessage: StoredRow {
  var stored: OutboxMessage { inMilliseconds(\.deadline) }
}
