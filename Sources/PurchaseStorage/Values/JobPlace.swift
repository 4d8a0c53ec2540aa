/// The place of a job that walks in steps and can be resumed, held by one worker at a time.
public struct JobPlace: Hashable, Sendable {
  /// The name of the job: 1 to 100 bytes.
  public var job: String
  /// The place that was reached, at most 255 bytes; nil at the beginning.
  public var place: String?
  /// The worker's token.
  public var token: String

  /// Creates the place of a job.
  public init(job: String, place: String?, token: String) {
    self.job = job
    self.place = place
    self.token = token
  }
}
