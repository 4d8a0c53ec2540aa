internal import StorekeeperLocks

/// A job of a host's ``BackgroundWork``: its name, its interval, and what is done.
///
/// The jobs of this package have conversions, such as ``refresh(_:every:then:)``. A host may add its own:
///
/// ```swift
/// BackgroundJob("backlog", every: .seconds(60)) { try await noteBacklog() }
/// ```
public struct BackgroundJob: Sendable {
  public let name: String
  /// The time between two runs; nil for a job that is over when it succeeded once.
  public let interval: Duration?

  /// The part of the purchases that the job is about, where there is one job for each.
  let scope: PurchaseScope?
  let backOff: BackOff
  let run: @Sendable () async throws -> Outcome

  /// The name with the app and the environment of the job, so that one that fails does not hide behind its likes.
  var toldName: String {
    [name, scope?.appID, scope?.environment?.rawValue].compactMap(\.self).joined(separator: " ")
  }

  enum Outcome: Sendable {
    case done
    /// Another process has the lease, or was killed while it had it.
    case leasedElsewhere
  }

  /// Creates a job.
  ///
  /// After a failure a run is repeated sooner than in its interval, if that is more than a minute. The interval is at
  /// least a millisecond; nil for a job that is over when it succeeded once. `run` does the work once. When its task
  /// is cancelled it ends soon, and gives back what it has leased.
  public init(
    _ name: String, every interval: Duration?, run: @escaping @Sendable () async throws -> Void
  ) {
    self.init(name, every: interval, from: min(interval ?? .seconds(60), .seconds(60))) {
      try await run()
      return .done
    }
  }

  /// Creates a job that may find another process at the same work; the pause is that after a first failure, and where
  /// another process is at the work.
  init(
    _ name: String, every interval: Duration?, of scope: PurchaseScope? = nil,
    from pause: Duration = .seconds(60), run: @escaping @Sendable () async throws -> Outcome
  ) {
    let interval = interval.map { max($0, .milliseconds(1)) }
    self.name = name
    self.interval = interval
    self.scope = scope
    backOff = .job(every: interval, from: pause)
    self.run = run
  }
}
