/// A port for figures and traces: typed facts, and the start and end of what takes time.
///
/// A host sets one, and everything that is made of the context tells it:
///
/// ```swift
/// var shop = PurchaseContext(store: store, accounts: users, verifier: verifier)
/// shop.telemetry = registry
/// ```
///
/// Requests, verifications, notifications, units of work, jobs and incidents are told then. Calls to the stores are told
/// by an ``ObservedTransport``, deliveries by ``OutboxDelivery/telemetry``. Where none is set, nothing is measured and
/// nothing is made.
///
/// Nothing that is told has a receipt, a token or an identifier of a user, a purchase or a message.
///
/// ## Laws
///
/// * **Paired.** Each ``began(_:in:)`` has one ``ended(_:in:with:)`` with the same span, also for what failed or was
///   cancelled, unless the process ends before. No other work has that span, unless ``keepsTraces`` is false.
/// * **Not in the way.** The methods are called where the work is done. They return at once: they wait for nothing,
///   and throw nothing.
public protocol Telemetry: Sendable {
  /// Whether the identifiers of spans mean something to the port; true by default.
  ///
  /// A port of figures alone always returns false. Its work shares one span, which takes less time; only parts of a
  /// caller's trace have their own.
  var keepsTraces: Bool { get }

  /// Notes that work begins; does nothing by default.
  func began(_ work: TelemetryWork, in span: TelemetrySpan)

  /// Notes that work ended.
  func ended(_ work: TelemetryWork, in span: TelemetrySpan, with result: TelemetryResult)

  /// Notes a fact that takes no time.
  func noted(_ fact: TelemetryFact)

  /// Whether a trace that begins here is to be kept; false by default.
  ///
  /// A trace that a trusted caller began has been decided about there. For one of another caller this is asked about a
  /// number of ours, as callers choose theirs.
  func keeps(traceID: UInt128) -> Bool
}

extension Telemetry {
  /// Whether the identifiers of spans mean something to the port: true.
  public var keepsTraces: Bool { true }

  /// Does nothing.
  public func began(_ work: TelemetryWork, in span: TelemetrySpan) {}

  /// Keeps no trace.
  public func keeps(traceID: UInt128) -> Bool { false }
}

/// Several ports as one: a host that has a registry and an exporter sets a group of both.
public struct TelemetryGroup: Telemetry {
  public let members: [any Telemetry]
  /// Whether the identifiers of spans mean something to one of the members.
  public let keepsTraces: Bool

  /// Creates a group, whose members are told in their order.
  public init(_ members: [any Telemetry]) {
    self.members = members
    keepsTraces = members.contains { $0.keepsTraces }
  }

  /// Tells all members that work begins.
  public func began(_ work: TelemetryWork, in span: TelemetrySpan) {
    for member in members { member.began(work, in: span) }
  }

  /// Tells all members that work ended.
  public func ended(_ work: TelemetryWork, in span: TelemetrySpan, with result: TelemetryResult) {
    for member in members { member.ended(work, in: span, with: result) }
  }

  /// Tells all members a fact.
  public func noted(_ fact: TelemetryFact) {
    for member in members { member.noted(fact) }
  }

  /// Whether one of the members keeps the trace.
  public func keeps(traceID: UInt128) -> Bool {
    members.contains { $0.keeps(traceID: traceID) }
  }
}
