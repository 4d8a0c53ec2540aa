internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension CheckedStore: JobRepository where Records == any PurchaseRecords {
  func lease(job: String, now: Date, until: Date, token: String) async throws -> JobPlace? {
    try check(.job, job)
    try check(.token, token)
    return try await base.jobs.lease(job: job, now: now, until: until, token: token)
  }

  func advance(_ place: JobPlace, to newPlace: String, now: Date, until: Date) async throws -> Bool
  {
    try place.checkTexts()
    try check(.place, newPlace)
    return try await base.jobs.advance(place, to: newPlace, now: now, until: until)
  }

  func giveBack(_ place: JobPlace) async throws {
    try place.checkTexts()
    try await base.jobs.giveBack(place)
  }

  func place(of job: String) async throws -> String? {
    try check(.job, job)
    return try await base.jobs.place(of: job)
  }

  func jobs(limit: Int) async throws -> [JobState] { try await base.jobs.jobs(limit: limit) }
}

extension CheckedStore: ConsumptionRepository where Records == any PurchaseRecords {
  func add(_ case: ConsumptionCase) async throws -> Bool {
    try `case`.checkTexts()
    return try await base.consumption.add(`case`)
  }

  func find(key: String) async throws -> ConsumptionCase? {
    try check(.key, key)
    return try await base.consumption.find(key: key)
  }

  func prepare(_ case: ConsumptionCase, replacing answer: String?) async throws -> Bool {
    try `case`.checkTexts()
    try check(.answer, answer)
    return try await base.consumption.prepare(`case`, replacing: answer)
  }

  func settle(key: String, state: ConsumptionCase.State, answer: String?, now: Date) async throws {
    try check(.key, key)
    if state == .waiting { throw StorageFailure.invalidValue(field: "state") }
    try check(.answer, answer)
    try await base.consumption.settle(key: key, state: state, answer: answer, now: now)
  }

  func note(outcome: String, ofTransaction id: String, environment: AppStoreEnvironment, date: Date)
    async throws -> Bool
  {
    try check(.outcome, outcome)
    guard fits(.transactionID, id) else { return false }
    return try await base.consumption.note(
      outcome: outcome, ofTransaction: id, environment: environment, date: date)
  }

  func cases(ofTransaction id: String, environment: AppStoreEnvironment) async throws
    -> [ConsumptionCase]
  {
    guard fits(.transactionID, id) else { return [] }
    return try await base.consumption.cases(ofTransaction: id, environment: environment)
  }

  func waiting(at date: Date, limit: Int) async throws -> [ConsumptionCase] {
    try await base.consumption.waiting(at: date, limit: limit)
  }
}

extension CheckedStore: OutboxRepository where Records == any PurchaseRecords {
  func add(_ message: OutboxMessage, now: Date) async throws {
    try message.checkTexts()
    try await base.outbox.add(message, now: now)
  }

  func lease(
    limit: Int, except kinds: Set<OutboxMessage.Kind>, now: Date, until: Date, token: String
  ) async throws -> [OutboxLease] {
    try check(.token, token)
    return try await base.outbox.lease(
      limit: limit, except: kinds, now: now, until: until, token: token)
  }

  func lease(
    line: OutboxMessage.Kind, limit: Int, now: Date, until: Date, token: String
  ) async throws -> [OutboxLease] {
    try check(.kind, line.rawValue)
    try check(.token, token)
    return try await base.outbox.lease(
      line: line, limit: limit, now: now, until: until, token: token)
  }

  func waiting(inLine line: OutboxMessage.Kind, limit: Int) async throws -> Int {
    try await base.outbox.waiting(inLine: line, limit: limit)
  }

  func isDue(inLine line: OutboxMessage.Kind, now: Date) async throws -> Bool {
    try await base.outbox.isDue(inLine: line, now: now)
  }

  func hasten(line: OutboxMessage.Kind, limit: Int, now: Date) async throws -> Int {
    try await base.outbox.hasten(line: line, limit: limit, now: now)
  }

  func markSent(_ lease: OutboxLease, now: Date) async throws -> Bool {
    try await base.outbox.markSent(lease, now: now)
  }

  func markFailed(_ lease: OutboxLease, nextTry: Date) async throws -> Bool {
    try await base.outbox.markFailed(lease, nextTry: nextTry)
  }

  func postpone(_ lease: OutboxLease, until nextTry: Date) async throws -> Bool {
    try await base.outbox.postpone(lease, until: nextTry)
  }

  func park(_ lease: OutboxLease, reason: ParkingReason, now: Date) async throws -> Bool {
    try reason.checkTexts()
    return try await base.outbox.park(lease, reason: reason, now: now)
  }

  func parked(after number: Int, limit: Int) async throws -> [ParkedMessage] {
    try await base.outbox.parked(after: number, limit: limit)
  }

  func newest(to account: AccountID, limit: Int) async throws -> [KeptMessage] {
    guard fits(.userID, account.rawValue) else { return [] }
    return try await base.outbox.newest(to: account, limit: limit)
  }

  func sendAgain(_ number: Int) async throws -> Bool { try await base.outbox.sendAgain(number) }

  func discard(_ number: Int) async throws -> Bool { try await base.outbox.discard(number) }

  func discard(
    line: OutboxMessage.Kind, parkedBefore: Date?, limit: Int
  ) async throws -> Int {
    try await base.outbox.discard(line: line, parkedBefore: parkedBefore, limit: limit)
  }

  func giveBack(_ lease: OutboxLease) async throws { try await base.outbox.giveBack(lease) }

  func removeSent(before: Date, limit: Int) async throws -> Int {
    try await base.outbox.removeSent(before: before, limit: limit)
  }

  func backlog() async throws -> OutboxBacklog { try await base.outbox.backlog() }

  func oldestDate(except kinds: Set<OutboxMessage.Kind>) async throws -> Date? {
    try await base.outbox.oldestDate(except: kinds)
  }
}

extension CheckedStore: RetentionRepository where Records == any PurchaseRecords {
  func lease(_ kind: RetainedKind, now: Date, until: Date, token: String) async throws -> Bool {
    try check(.token, token)
    return try await base.retention.lease(kind, now: now, until: until, token: token)
  }

  func giveBack(_ kind: RetainedKind, token: String) async throws {
    try await base.retention.giveBack(kind, token: token)
  }

  func removeNotifications(before: Date, limit: Int) async throws -> Int {
    try await base.retention.removeNotifications(before: before, limit: limit)
  }

  func removeSessions(before: Date, limit: Int) async throws -> Int {
    try await base.retention.removeSessions(before: before, limit: limit)
  }

  func removeConsumptionCases(before: Date, limit: Int) async throws -> Int {
    try await base.retention.removeConsumptionCases(before: before, limit: limit)
  }
}
