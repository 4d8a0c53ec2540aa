public import Storekeeper
internal import StorekeeperLocks

/// A port that remembers what it is told.
public final class TelemetryDiary: Telemetry {
  /// Work that ended.
  public struct Ended: Sendable {
    public let work: TelemetryWork
    public let span: TelemetrySpan
    public let result: TelemetryResult
  }

  private struct State {
    var begun: [TelemetrySpan] = []
    var ended: [Ended] = []
    var facts: [TelemetryFact] = []
  }

  private let state = Locked(State())
  private let decision: Bool
  public let keepsTraces: Bool

  /// Creates a port that keeps all traces or none, or that has no use for any.
  public init(keepsTraces: Bool = false, isForFigures: Bool = false) {
    decision = keepsTraces
    self.keepsTraces = !isForFigures
  }

  public var begun: [TelemetrySpan] { state.withLock { $0.begun } }
  public var ended: [Ended] { state.withLock { $0.ended } }
  public var facts: [TelemetryFact] { state.withLock { $0.facts } }

  /// The work of one kind that ended.
  public func ended(where isMeant: (TelemetryWork) -> Bool) -> [Ended] {
    ended.filter { isMeant($0.work) }
  }

  public func began(_ work: TelemetryWork, in span: TelemetrySpan) {
    state.withLock { $0.begun.append(span) }
  }

  public func ended(_ work: TelemetryWork, in span: TelemetrySpan, with result: TelemetryResult) {
    state.withLock { $0.ended.append(Ended(work: work, span: span, result: result)) }
  }

  public func noted(_ fact: TelemetryFact) { state.withLock { $0.facts.append(fact) } }

  public func keeps(traceID: UInt128) -> Bool { decision }
}
