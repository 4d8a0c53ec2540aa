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

/// A port that is told of much work: a reference to it is copied in less time than the port.
package final class TelemetryPort: Sendable {
  package let telemetry: any Telemetry
  private let keepsTraces: Bool

  package init(_ telemetry: any Telemetry) {
    self.telemetry = telemetry
    keepsTraces = telemetry.keepsTraces
  }

  /// Returns the span as the parts of its work see it; nil if they have no use for it, as setting one takes time.
  package func current(_ span: TelemetrySpan) -> TelemetrySpan? {
    keepsTraces || span.isUsed ? span : nil
  }
}

/// The telling of the start and the end of one piece of work.
package struct WorkWatch: Sendable {
  let port: TelemetryPort
  let work: TelemetryWork
  package let span: TelemetrySpan
  let start: ContinuousClock.Instant

  /// Tells the start of work, which is part of the present task's.
  package init(_ work: TelemetryWork, _ telemetry: any Telemetry) {
    self.init(work, TelemetryPort(telemetry))
  }

  init(_ work: TelemetryWork, _ port: TelemetryPort) {
    self.port = port
    self.work = work
    span = TelemetrySpan(for: port.telemetry)
    start = .now
    port.telemetry.began(work, in: span)
  }

  /// Does work as a part of this.
  package func inSpan<Result>(
    _ body: nonisolated(nonsending) () async throws -> Result
  ) async rethrows -> Result {
    guard let span = port.current(span) else { return try await body() }
    return try await TelemetrySpan.$current.withValue(span, operation: body)
  }

  func end(_ verdict: TelemetryVerdict, _ detail: TelemetryResult.Detail = .none) {
    port.telemetry.ended(
      work, in: span,
      with: TelemetryResult(
        verdict.outcome, duration: start.duration(to: .now), reason: verdict.reason,
        detail: detail))
  }

  func end(_ outcome: TelemetryOutcome, _ detail: TelemetryResult.Detail = .none) {
    end(TelemetryVerdict(outcome), detail)
  }
}
