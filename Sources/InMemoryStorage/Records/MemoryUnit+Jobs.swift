internal import PurchaseStorage

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension MemoryUnit: JobRepository {
  func lease(job: String, now: Date, until: Date, token: String) throws -> JobPlace? {
    try writing { tables in
      tables.jobs.lease(JobRow(job), to: token, now: now, until: until).map {
        JobPlace(job: job, place: $0.value.place, token: token)
      }
    }
  }

  func advance(_ place: JobPlace, to newPlace: String, now: Date, until: Date) throws -> Bool {
    try writing { tables in
      tables.jobs.end(place.token, of: RowKey(place.job)) { job in
        job.value.place = newPlace.utf8.isEmpty ? nil : newPlace
        job.value.changedDate = now.inSeconds
        job.lease(to: place.token, until: until.inSeconds)
      }
    }
  }

  func giveBack(_ place: JobPlace) throws {
    try writing { _ = $0.jobs.end(place.token, of: RowKey(place.job)) }
  }

  func place(of job: String) throws -> String? {
    try tables.jobs[RowKey(job)]?.value.place
  }

  func jobs(limit: Int) throws -> [JobState] {
    try tables.jobs.page(limit: limit).map { job in
      JobState(
        job: job.value.name, place: job.value.place, leaseEnd: job.leaseEnd,
        changedDate: job.value.changedDate)
    }
  }
}

extension MemoryUnit: RetentionRepository {
  func lease(_ kind: RetainedKind, now: Date, until: Date, token: String) throws -> Bool {
    try writing { tables in
      tables.removals.lease(JobRow(kind.rawValue), to: token, now: now, until: until) != nil
    }
  }

  func giveBack(_ kind: RetainedKind, token: String) throws {
    try writing { _ = $0.removals.end(token, of: RowKey(kind.rawValue)) }
  }

  func removeNotifications(before: Date, limit: Int) throws -> Int {
    try writing { $0.notifications.remove(before: before, limit: limit, by: \.date) }
  }

  func removeSessions(before: Date, limit: Int) throws -> Int {
    try writing { $0.sessions.remove(before: before, limit: limit, by: \.date) }
  }

  func removeConsumptionCases(before: Date, limit: Int) throws -> Int {
    try writing { tables in
      tables.consumption.remove(before: before.inMilliseconds, limit: limit) {
        $0.state == .waiting ? nil : $0.requestedDate
      }
    }
  }
}

/// A job, or a removal of old evidence.
struct JobRow: Sendable {
  let name: String
  var place: String?
  var changedDate = Date.distantPast

  init(_ name: String) { self.name = name }
}

extension Table where Key == RowKey, Row == Leased<JobRow> {
  /// Leases a row, which is new if there is none; nil while an earlier lease excludes it.
  fileprivate mutating func lease(
    _ new: JobRow, to token: String, now: Date, until: Date
  ) -> Row? {
    let key = RowKey(new.name)
    var row = self[key] ?? Leased(new)
    guard row.isFree(at: now) else { return nil }
    row.value.changedDate = now.inSeconds
    row.lease(to: token, until: until.inSeconds)
    self[key] = row
    return row
  }
}
