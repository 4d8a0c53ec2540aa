/// The outcome of work that failed, with the name of the reason.
struct TelemetryVerdict {
  var outcome: TelemetryOutcome
  var reason: String?

  init(_ outcome: TelemetryOutcome, _ reason: String? = nil) {
    self.outcome = outcome
    self.reason = reason
  }
}

extension Telemetry {
  /// Does work in a span of its own, and tells its start and end; an error is judged and passed on.
  func watching<Result>(
    _ work: TelemetryWork,
    _ body: nonisolated(nonsending) () async throws -> Result,
    of judgement: (any Error) -> TelemetryVerdict
  ) async throws -> Result {
    let watch = WorkWatch(work, self)
    do {
      let result = try await watch.inSpan(body)
      watch.end(.succeeded)
      return result
    } catch {
      watch.end(error is CancellationError ? TelemetryVerdict(.cancelled) : judgement(error))
      throw error
    }
  }
}

/// The telling of the start and the end of one piece of work.
package struct WorkWatch: Sendable {
  let telemetry: any Telemetry
  let work: TelemetryWork
  package let span: TelemetrySpan
  let start: ContinuousClock.Instant

  /// Tells the start of work, which is part of another's, or else of the present task's.
  package init(
    _ work: TelemetryWork, _ telemetry: any Telemetry, under parent: TelemetrySpan? = nil
  ) {
    self.telemetry = telemetry
    self.work = work
    span = TelemetrySpan(under: parent, for: telemetry)
    start = .now
    telemetry.began(work, in: span)
  }

  /// Does work as a part of this.
  package func inSpan<Result>(
    _ body: nonisolated(nonsending) () async throws -> Result
  ) async rethrows -> Result {
    try await TelemetrySpan.$current.withValue(span, operation: body)
  }

  func end(_ verdict: TelemetryVerdict, _ detail: TelemetryResult.Detail = .none) {
    telemetry.ended(
      work, in: span,
      with: TelemetryResult(
        verdict.outcome, duration: start.duration(to: .now), reason: verdict.reason,
        detail: detail))
  }

  func end(_ outcome: TelemetryOutcome, _ detail: TelemetryResult.Detail = .none) {
    end(TelemetryVerdict(outcome), detail)
  }
}
