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
      var row = tables.jobs[Array(job.utf8)] ?? MemoryTables.Job()
      if let lease = row.lease, lease.isLive(at: now) { return nil }
      row.lease = MemoryLease(token: token, until: StoredMoment.inSeconds(until))
      tables.jobs[Array(job.utf8)] = row
      return JobPlace(job: job, place: row.place, token: token)
    }
  }

  func advance(
    _ place: JobPlace, to newPlace: String, now: Date, until: Date
  ) throws -> Bool {
    try place.checkTexts()
    try StoredText.check("place", newPlace, .place)
    return try change(place) { row in
      row.place = newPlace.utf8.isEmpty ? nil : newPlace
      row.lease?.until = StoredMoment.inSeconds(until)
    }
  }

  func giveBack(_ place: JobPlace) throws {
    try place.checkTexts()
    _ = try change(place) { $0.lease = nil }
  }

  func place(of job: String) throws -> String? {
    try StoredText.check("job", job, .job)
    return try unit.reading { $0.jobs[Array(job.utf8)]?.place }
  }

  /// Changes the row of a job, if this token still holds the lease.
  private func change(
    _ place: JobPlace, _ change: (inout MemoryTables.Job) -> Void
  ) throws -> Bool {
    let key = Array(place.job.utf8)
    return try unit.writing { tables in
      guard var row = tables.jobs[key], row.lease?.token == place.token else { return false }
      change(&row)
      tables.jobs[key] = row
      return true
    }
  }
}
