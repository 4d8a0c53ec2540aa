internal import PurchaseStorage

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The places of jobs, in memory.
struct MemoryJobs: JobRepository {
  let unit: MemoryUnit

  func lease(job: String, now: Date, until: Date, token: String) throws -> JobPlace? {
    try StoredText.check("job", job, .job)
    try StoredText.check("token", token, .token)
    return try unit.writing { tables in
      tables.jobs.lease(job, to: token, now: now, until: until).map {
        JobPlace(job: job, place: $0.place, token: token)
      }
    }
  }

  func advance(
    _ place: JobPlace, to newPlace: String, now: Date, until: Date
  ) throws -> Bool {
    try place.checkTexts()
    try StoredText.check("place", newPlace, .place)
    return try unit.writing { tables in
      tables.jobs.end(place.token, of: RowKey(place.job)) { job in
        job.place = newPlace.utf8.isEmpty ? nil : newPlace
        job.lease = MemoryLease(token: place.token, until: until.inSeconds)
      }
    }
  }

  func giveBack(_ place: JobPlace) throws {
    try place.checkTexts()
    try unit.writing { _ = $0.jobs.end(place.token, of: RowKey(place.job)) }
  }

  func place(of job: String) throws -> String? {
    try StoredText.check("job", job, .job)
    return try unit.reading { $0.jobs[RowKey(job)]?.place }
  }
}

/// The removal of old evidence, in memory.
struct MemoryRetention: RetentionRepository {
  let unit: MemoryUnit

  func lease(_ kind: RetainedKind, now: Date, until: Date, token: String) throws -> Bool {
    try StoredText.check("token", token, .token)
    return try unit.writing { tables in
      tables.removals.lease(kind.rawValue, to: token, now: now, until: until) != nil
    }
  }

  func giveBack(_ kind: RetainedKind, token: String) throws {
    try unit.writing { _ = $0.removals.end(token, of: RowKey(kind.rawValue)) }
  }

  func removeNotifications(before: Date, limit: Int) throws -> Int {
    try unit.writing { $0.notifications.remove(before: before, limit: limit, by: \.date) }
  }

  func removeSessions(before: Date, limit: Int) throws -> Int {
    try unit.writing { $0.sessions.remove(before: before, limit: limit, by: \.date) }
  }

  func removeConsumptionCases(before: Date, limit: Int) throws -> Int {
    try unit.writing { tables in
      tables.consumption.remove(before: before.inMilliseconds, limit: limit) {
        $0.state == .waiting ? nil : $0.requestedDate
      }
    }
  }
}

extension Table where Key == RowKey, Row == MemoryTables.Job {
  /// Leases a job to a worker, unless an earlier lease excludes it.
  fileprivate mutating func lease(
    _ name: String, to token: String, now: Date, until: Date
  ) -> MemoryTables.Job? {
    var job = self[RowKey(name)] ?? MemoryTables.Job()
    guard job.isFree(at: now) else { return nil }
    job.lease = MemoryLease(token: token, until: until.inSeconds)
    self[RowKey(name)] = job
    return job
  }
}
