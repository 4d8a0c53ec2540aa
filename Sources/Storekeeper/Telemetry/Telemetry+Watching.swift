internal import StorekeeperLocks

/// The outcome of work that failed, with the name of the reason.
struct TelemetryVerdict {
  var outcome: TelemetryOutcome
  var reason: String?

  init(_ outcome: TelemetryOutcome, _ reason: String? = nil) {
    self.outcome = outcome
    self.reason = reason
  }

  /// Returns the result of work that began at a moment and ends now.
  func result(from start: ClockMoment, _ detail: TelemetryResult.Detail) -> TelemetryResult {
    let end = ClockMoment.now
    return TelemetryResult(
      outcome, duration: start.duration(to: end), endingAt: end, reason: reason, detail: detail)
  }
}

extension Telemetry {
  /// Does work in a span of its own, and tells its start and end; an error is judged and passed on.
  func watching<Value, Failure: Error>(
    _ work: TelemetryWork,
    _ body: nonisolated(nonsending) () async throws(Failure) -> Value,
    of judgement: (Failure) -> TelemetryVerdict
  ) async throws(Failure) -> Value {
    let watch = WorkWatch(work, self)
    // A task-local value is bound around a closure that throws nothing or anything.
    let result = await watch.span.including { () async -> Result<Value, Failure> in
      do throws(Failure) {
        return .success(try await body())
      } catch {
        return .failure(error)
      }
    }
    switch result {
    case .success: watch.end(.succeeded)
    case .failure(let error):
      watch.end(error is CancellationError ? TelemetryVerdict(.cancelled) : judgement(error))
    }
    return try result.get()
  }
}

/// A port in an object, which is cheaper to copy than the port itself.
package final class TelemetryPort: Sendable {
  package let telemetry: any Telemetry

  package init(_ telemetry: any Telemetry) { self.telemetry = telemetry }
}

/// The telling of the start and the end of one piece of work.
///
/// Its calls are not inlined. Otherwise, what they need for a moment would take the task's memory until the work has ended.
package struct WorkWatch: Sendable {
  private let telemetry: any Telemetry
  private let work: TelemetryWork
  package let span: TelemetrySpan
  private let start: ClockMoment

  /// Tells the start of work, which is part of the present task's.
  @inline(never)
  package init(_ work: TelemetryWork, _ telemetry: any Telemetry) {
    self.telemetry = telemetry
    self.work = work
    span = TelemetrySpan(for: telemetry)
    start = .now
    telemetry.began(work, in: span)
  }

  @inline(never)
  func end(_ verdict: TelemetryVerdict, _ detail: TelemetryResult.Detail = .none) {
    telemetry.ended(work, in: span, with: verdict.result(from: start, detail))
  }

  func end(_ outcome: TelemetryOutcome, _ detail: TelemetryResult.Detail = .none) {
    end(TelemetryVerdict(outcome), detail)
  }
}
