internal import JSONValues
internal import PurchaseStorage

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A job whose place is kept in the store, and on which one process works at a time.
struct LeasedJob {
  let name: String
  let store: any PurchaseStore
  let now: @Sendable () -> Date
  let leaseDuration: Duration
  /// The text that is kept before each place, where the work is a step of a longer job.
  var prefix = ""

  /// Leases the job and does its work, unless another process has the lease; returns whether it was free.
  func run(
    _ work: nonisolated(nonsending) (JobPlace) async throws -> Void
  ) async throws -> Bool {
    let now = now()
    let (name, until, token) = (name, end(at: now), LeaseToken.random())
    let lease = try await store.write { records in
      try await records.jobs.lease(job: name, now: now, until: until, token: token)
    }
    guard let lease else { return false }
    do {
      try await work(lease)
    } catch {
      try? await giveBack(lease)
      throw error
    }
    try await giveBack(lease)
    return true
  }

  /// Keeps a place, and renews the lease; returns false if it was lost.
  func advance(_ place: JobPlace, to text: String) async throws -> Bool {
    try await store.write { records in try await advance(place, to: text, in: records) }
  }

  /// Keeps a place, and renews the lease, in a unit of work that does more; returns false if it was lost.
  func advance(
    _ place: JobPlace, to text: String, in records: UnitOfWork
  ) async throws -> Bool {
    let now = now()
    return try await records.jobs.advance(
      place, to: prefix + text, now: now, until: end(at: now))
  }

  private func end(at now: Date) -> Date { now + leaseDuration.timeInterval }

  private func giveBack(_ place: JobPlace) async throws {
    try await store.writeDespiteCancellation { records in
      try await records.jobs.giveBack(place)
    }
  }
}

/// The moment up to which a recovery has read, with the lease.
struct RecoveryPlace {
  let lease: JobPlace
  private(set) var date: Date?

  init(_ lease: JobPlace) { self.init(lease, at: lease.place.flatMap { Date(placeText: $0) }) }

  /// Creates the place of a step, which is only a part of that of the job.
  init(_ lease: JobPlace, at date: Date?) {
    self.lease = lease
    self.date = date
  }

  /// The place as it is stored; empty if there is none.
  var text: String { date?.placeText ?? "" }

  mutating func move(to next: Date) { date = max(next, date ?? next) }
}

extension Date {
  /// The date as the place of a job, in milliseconds since 1970.
  var placeText: String { String(StoredMoment.milliseconds(self)) }

  /// Reads the place of a job; nil if it is no date.
  init?(placeText text: some StringProtocol) {
    guard let milliseconds = Int(text) else { return nil }
    self = StoredMoment.date(milliseconds: milliseconds)
  }
}

extension PurchaseStore {
  /// Writes what has to be kept although the task may have been cancelled, such as that a lease is given back.
  func writeDespiteCancellation<Result: Sendable>(
    _ body: @escaping UnitOfWorkBody<Result>
  ) async throws -> Result {
    // A task of its own isn't cancelled with its caller's.
    try await Task { try await write(body) }.value
  }
}
