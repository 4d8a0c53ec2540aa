internal import StorekeeperLocks

/// All that a host does beside its requests: jobs that run at the start, and again in their intervals.
///
/// ```swift
/// let work = BackgroundWork(
///   shop,
///   [
///     .outbox(delivery), .refresh(RefreshJob(subscriptions: subscriptions)),
///     .validation(entitlements), .retention(retention), .notifications(recovery),
///     .voidedPurchases(voided),
///   ])
/// await work.run()
/// ```
///
/// Any number of processes may run the same jobs: a job leases what it works on. No job waits for another.
public struct BackgroundWork: Sendable {
  /// The parts that the services of the host share, of which `report` gets ``ServiceIncident/jobFailed(_:job:of:)``.
  public let context: PurchaseContext
  public let jobs: [BackgroundJob]

  let clock: any Clock<Duration>
  let chance: @Sendable () -> Double

  /// Creates the work of a host; `chance` returns a random number from 0 up to 1, which spreads the pauses.
  public init(
    _ context: PurchaseContext, _ jobs: [BackgroundJob],
    clock: any Clock<Duration> = ContinuousClock(),
    chance: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
  ) {
    self.context = context
    self.jobs = jobs
    self.clock = clock
    self.chance = chance
  }

  /// Runs the jobs until the task is cancelled, and returns when each has ended.
  ///
  /// Each job runs at once, and then in its interval, a little more or less, so that processes that were started
  /// together don't stay together. A failure is reported, and repeated after pauses that double, up to the interval,
  /// but at least a minute and at most a quarter of an hour. A job that finds another process at its work tries
  /// again after the first of these pauses.
  ///
  /// A run that is cancelled ends the step at which it is, and gives back what it had leased.
  public func run() async {
    await withTaskGroup { group in
      for job in jobs { group.addTask { await run(job) } }
    }
    // All jobs may be over, which is no reason to return.
    while !Task.isCancelled { try? await clock.sleep(for: .seconds(86_400)) }
  }

  /// Runs a job once.
  private func watched(_ job: BackgroundJob) async throws -> BackgroundJob.Outcome {
    guard let telemetry = context.telemetry else { return try await job.run() }
    let watch = WorkWatch(.job(job.toldName), telemetry)
    do {
      let outcome = try await watch.span.including { try await job.run() }
      watch.end(outcome == .done ? .succeeded : .leasedElsewhere)
      return outcome
    } catch {
      watch.end(Task.isCancelled ? .cancelled : .failed)
      throw error
    }
  }

  /// Runs a job until the task is cancelled, or the job is over.
  private func run(_ job: BackgroundJob) async {
    var failures = 0
    while !Task.isCancelled {
      let pause: Duration
      do {
        switch try await watched(job) {
        case .done:
          guard let interval = job.interval else { return }
          pause = BackOff.interval(interval).pause(after: 1, chance: chance())
        case .leasedElsewhere: pause = job.backOff.pause(after: 1, chance: chance())
        }
        failures = 0
      } catch {
        // What fails because the task was cancelled is no failure.
        guard !Task.isCancelled else { return }
        context.tell(.jobFailed(error, job: job.name, of: job.scope))
        failures += 1
        pause = job.backOff.pause(after: failures, chance: chance())
      }
      try? await clock.sleep(for: pause)
    }
  }
}
