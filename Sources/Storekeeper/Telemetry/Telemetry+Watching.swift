internal import StorekeeperLocks

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
package struct WorkWatch: Sendable {
  private let port: TelemetryPort
  let work: TelemetryWork
  package let span: TelemetrySpan
  let start: ClockMoment

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

  func end(_ verdict: TelemetryVerdict, _ detail: TelemetryResult.Detail = .none) {
    let end = ClockMoment.now
    port.telemetry.ended(
      work, in: span,
      with: TelemetryResult(
        verdict.outcome, duration: start.duration(to: end), endingAt: end, reason: verdict.reason,
        detail: detail))
  }

  func end(_ outcome: TelemetryOutcome, _ detail: TelemetryResult.Detail = .none) {
    end(TelemetryVerdict(outcome), detail)
  }
}
