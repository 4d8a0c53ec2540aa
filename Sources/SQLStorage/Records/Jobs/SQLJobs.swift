internal import PurchaseStorage

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

struct SQLJobs: JobRepository {
  let session: SQLSession

  func lease(job: String, now: Date, until: Date, token: String) async throws -> JobPlace? {
    let rows = try await session.query(
      .leaseJob, [.text(job), .text(token), .seconds(until), .seconds(now)])
    guard let row = rows.first, row.last == .text(token) else { return nil }
    return JobPlace(job: job, place: row.first?.name, token: token)
  }

  func advance(
    _ place: JobPlace, to newPlace: String, now: Date, until: Date
  ) async throws -> Bool {
    try await session.execute(
      .advanceJob,
      [.text(place.job), .text(place.token), .name(newPlace), .seconds(until), .seconds(now)]) > 0
  }

  func giveBack(_ place: JobPlace) async throws {
    try await session.run(.giveBackJob, [.text(place.job), .text(place.token)])
  }

  func place(of job: String) async throws -> String? {
    try await session.query(.findJob, [.text(job)]).first?.first?.name
  }

  func jobs(limit: Int) async throws -> [JobState] {
    guard limit > 0 else { return [] }
    return try await session.query(.listJobs, [.number(limit)]).map { row in
      var reader = SQLRowReader(row)
      return JobState(
        job: reader.text(), place: reader.name(), leaseEnd: reader.seconds(),
        changedDate: reader.seconds() ?? .distantPast)
    }
  }
}

extension SQLStatement {
  /// Returns the place and the token that holds the lease; PostgreSQL and SQLite only where it is this one.
  static let leaseJob = SQLInsertion(
    """
    INSERT INTO job_place (job, lease_token, lease_until_utc, updated_utc)
    VALUES ($1, $2, $3, $4)
    """, key: "job"
  ).returning("place, lease_token").changingStored(
    "job_lease",
    [.overwriting("lease_token"), .overwriting("lease_until_utc"), .overwriting("updated_utc")],
    where: """
      job_place.lease_until_utc IS NULL OR job_place.lease_until_utc <= excluded.updated_utc
      """)

  static let advanceJob = SQLStatement(
    "job_advance",
    """
    UPDATE job_place SET place = $3, lease_until_utc = $4, updated_utc = $5
    WHERE job = $1 AND lease_token = $2
    """)

  static let giveBackJob = SQLStatement(
    "job_give_back",
    """
    UPDATE job_place SET lease_token = NULL, lease_until_utc = NULL
    WHERE job = $1 AND lease_token = $2
    """)

  static let findJob = SQLStatement("job_find", "SELECT place FROM job_place WHERE job = $1")

  static let listJobs = SQLStatement(
    "job_list",
    """
    SELECT job, place, lease_until_utc, updated_utc FROM job_place
    WHERE job > '' ORDER BY job LIMIT $1
    """)
}
