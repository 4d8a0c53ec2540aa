#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The places of jobs that walk in steps and can be resumed, each job held by one worker at a time (table
/// `job_place`).
///
/// Of two leases of a job one after the other, the second one begins where the first one ended: at the
/// place that it advanced to last.
public protocol JobRepository {
  /// Leases a job to a worker, at the place that was reached; a job without a place is new.
  ///
  /// - Parameters:
  ///   - job: The name of the job: 1 to 100 bytes.
  ///   - now: The present moment.
  ///   - until: The end of the lease.
  ///   - token: The worker's token, another one for each lease: 1 to 64 visible characters.
  /// - Returns: The place with the token, or nil while an earlier lease is live, which includes one of the
  ///   same token.
  /// - Throws: ``StorageFailure/invalidValue(field:)`` for a text that cannot be stored, or another
  ///   failure of the store.
  func lease(job: String, now: Date, until: Date, token: String) async throws -> JobPlace?

  /// Moves a job to another place and prolongs the lease, if the token still holds it.
  ///
  /// A lease that has ended is not lost before another worker leases the job, or it was given back.
  ///
  /// - Parameters:
  ///   - place: The place with the token of the lease; where it stands is not compared.
  ///   - newPlace: The place to resume from: at most 255 bytes. An empty text is the beginning and reads
  ///     as nil.
  ///   - now: The present moment.
  ///   - until: The new end of the lease.
  /// - Returns: False if the lease was lost; then nothing changed.
  /// - Throws: ``StorageFailure/invalidValue(field:)`` for a text that cannot be stored, or another
  ///   failure of the store.
  func advance(
    _ place: JobPlace, to newPlace: String, now: Date, until: Date
  ) async throws -> Bool

  /// Gives a lease back: the job is free immediately, at its place. Nothing changes if the lease was lost.
  func giveBack(_ place: JobPlace) async throws

  /// Returns the place that a job reached, or nil if it is at the beginning or was never leased.
  func place(of job: String) async throws -> String?
}
