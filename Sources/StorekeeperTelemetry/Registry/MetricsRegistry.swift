internal import HTTPMessages
internal import PurchaseStorage
internal import ReceiptModels
public import Storekeeper

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A registry of figures for `/metrics`, in Prometheus' text format and in OpenMetrics.
///
/// ```swift
/// let registry = MetricsRegistry()
/// shop.telemetry = registry
/// …
/// let answer = registry.answer(to: request)  // GET /metrics
/// ```
///
/// The families are ``MetricFamily/all``. Units are seconds and bytes. No label has an identifier of a user, a purchase or
/// a message; a route is a template, and a path without a route is `none`. A family has at most 1,000 series; further
/// values of its labels count as `other`. Each series is made once, and counting is a lookup and two short locks.
///
/// A process counts for itself: a sum over processes is the reader's.
public final class MetricsRegistry: Telemetry {
  private let now: @Sendable () -> Date
  private let families: [MetricFamily: FamilySeries]
  private let requests: Handles<RequestKey, RequestSeries>
  private let units: Handles<UnitKey, UnitSeries>
  let start: Date

  /// Creates a registry.
  ///
  /// - Parameters:
  ///   - version: The version of the host's server, for the series `storekeeper_build_info`; nil for none.
  ///   - now: Returns the present moment.
  public init(version: String? = nil, now: @escaping @Sendable () -> Date = { Date() }) {
    self.now = now
    start = now()
    let families = Dictionary(
      uniqueKeysWithValues: MetricFamily.all.map { ($0, FamilySeries($0)) })
    self.families = families
    requests = Handles { RequestSeries($0, families) }
    units = Handles { UnitSeries($0, families) }
    families[.startTimestamp]?.series().set(start.timeIntervalSince1970)
    if let version { families[.build]?.series(version).set(1) }
    Self.begin(families)
  }

  /// Makes the series on which alerts look for a first event, which is an increase only if there was a 0 before it.
  private static func begin(_ families: [MetricFamily: FamilySeries]) {
    families[.spansDropped]?.series().add(0)
    for kind in ["read", "write"] {
      for reason in ["conflict", "database", "diskFull", "unavailable"] {
        families[.unitFailures]?.series(kind, reason).add(0)
      }
    }
    families[.verifications]?.series(
      VerifiedKind.receipt.rawValue, TelemetryOutcome.failed.rawValue, "sharedSecretMismatch"
    ).add(0)
    families[.incidents]?.series("notificationNotDecoded").add(0)
  }

  /// Whether the identifiers of spans mean something to the registry: false, as exemplars are of traces that others keep.
  public var keepsTraces: Bool { false }

  /// The series of a family, in the order of their labels.
  func series(of family: MetricFamily) -> [Series] { families[family]?.sorted ?? [] }

  /// Counts work that ended.
  public func ended(_ work: TelemetryWork, in span: TelemetrySpan, with result: TelemetryResult) {
    let time = result.duration
    switch work {
    case .request(let method, let route):
      count(request: method, route, time, in: span, result)
    case .unitOfWork(let isWriting):
      count(unit: UnitKey(isWriting: isWriting, outcome: result.outcome), time, in: span, result)
    case .verification(let kind):
      let outcome = result.outcome.rawValue
      families[.verificationDuration]?.series(kind.rawValue, outcome).observe(time, in: span)
      families[.verifications]?.series(kind.rawValue, outcome, result.reason ?? "").add()
    case .notification(let vendor):
      let outcome = result.outcome.rawValue
      var type = "unknown"
      if case .notification(let told?) = result.detail { type = told }
      families[.notificationDuration]?.series(vendor.rawValue, outcome).observe(time, in: span)
      families[.notifications]?.series(vendor.rawValue, type, outcome, result.reason ?? "").add()
    case .call(let vendor, let call):
      let vendor = vendor?.rawValue ?? "host"
      var status = "none"
      if case .status(let code) = result.detail { status = String(code.code) }
      families[.callDuration]?.series(vendor, call, result.outcome.rawValue)
        .observe(time, in: span)
      families[.calls]?.series(vendor, call, status).add()
    case .delivery(let kind):
      families[.deliveryDuration]?.series(kind.rawValue).observe(time, in: span)
      families[.deliveries]?.series(kind.rawValue, result.outcome.rawValue).add()
    case .job(let job):
      families[.jobDuration]?.series(job, result.outcome.rawValue).observe(time, in: span)
      guard result.outcome == .succeeded else { return }
      families[.jobSuccess]?.series(job).set(now().timeIntervalSince1970)
    @unknown default: break
    }
  }

  /// Counts a fact.
  public func noted(_ fact: TelemetryFact) {
    switch fact {
    case .incident(let kind): families[.incidents]?.series(kind).add()
    case .backlog(let backlog):
      families[.waiting]?.series().set(Double(backlog.waiting))
      families[.parked]?.series().set(Double(backlog.parked))
      families[.oldest]?.series().set(backlog.oldestDate?.timeIntervalSince1970)
    case .ledger(let extent):
      families[.ledgerEntries]?.series().set(Double(extent.entries))
      families[.ledgerTransactions]?.series().set(Double(extent.transactions))
    case .end(let what, let date):
      families[.ends]?.series(what.rawValue).set(date?.timeIntervalSince1970)
    case .spansDropped(let count): families[.spansDropped]?.series().add(count)
    @unknown default: break
    }
  }

  private func count(
    request method: HTTPRequestMethod, _ route: String?, _ time: Duration,
    in span: TelemetrySpan, _ result: TelemetryResult
  ) {
    guard case .answer(let status, let requestBytes, let responseBytes) = result.detail else {
      return
    }
    let key = RequestKey(
      route: route ?? "none", method: method.told.name, status: status.code,
      outcome: result.outcome)
    requests.with(key) { series in
      series.duration.observe(time, in: span)
      series.requests.add()
      if requestBytes > 0 { series.requestBytes.add(requestBytes) }
      series.responseBytes.add(responseBytes)
    }
  }

  private func count(
    unit key: UnitKey, _ time: Duration, in span: TelemetrySpan, _ result: TelemetryResult
  ) {
    units.with(key) { series in
      series.duration.observe(time, in: span)
      if case .attempts(let count, let wait) = result.detail {
        if count > 0 { series.wait.observe(wait, in: span) }
        if count > 1 { series.retries.add(count - 1) }
      }
    }
    switch result.outcome {
    case .conflict: families[.unitFailures]?.series(key.kind, "conflict").add()
    case .failed, .unavailable:
      families[.unitFailures]?.series(key.kind, result.reason ?? "").add()
    default: break
    }
  }
}

/// What tells the series of a request apart.
private struct RequestKey: HandleKey {
  let route: String
  let method: String
  let status: Int
  let outcome: TelemetryOutcome

  static func == (first: RequestKey, second: RequestKey) -> Bool {
    first.status == second.status && first.outcome == second.outcome
      && first.route.isSameText(as: second.route) && first.method.isSameText(as: second.method)
  }

  /// Leaves out most of the texts, which take long: routes are templates, and few of one length.
  var mark: Int {
    7 &* status &+ 5 &* route.utf8.count &+ 3 &* method.utf8.count &+ Int(method.utf8.first ?? 0)
  }

  func hash(into hasher: inout Hasher) { hasher.combine(mark) }
}

/// The series of requests with one route, method, status and outcome.
private final class RequestSeries: Sendable {
  let duration: Series
  let requests: Series
  let requestBytes: Series
  let responseBytes: Series

  init(_ key: RequestKey, _ families: [MetricFamily: FamilySeries]) {
    func series(_ family: MetricFamily) -> FamilySeries { families[family] ?? FamilySeries(family) }
    duration = series(.requestDuration).series(key.route, key.method, key.outcome.rawValue)
    requests = series(.requests).series(key.route, key.method, String(key.status))
    requestBytes = series(.requestBytes).series(key.route)
    responseBytes = series(.responseBytes).series(key.route)
  }
}

/// What tells the series of a unit of work apart.
private struct UnitKey: HandleKey {
  let isWriting: Bool
  let outcome: TelemetryOutcome

  /// Tells success from the rest, as nearly all units of work succeed.
  var mark: Int { (isWriting ? 1 : 0) | (outcome == .succeeded ? 0 : 2) }

  func hash(into hasher: inout Hasher) { hasher.combine(mark) }

  var kind: String { isWriting ? "write" : "read" }
}

/// The series of units of work of one kind and outcome.
private final class UnitSeries: Sendable {
  let duration: Series
  let wait: Series
  let retries: Series

  init(_ key: UnitKey, _ families: [MetricFamily: FamilySeries]) {
    func series(_ family: MetricFamily) -> FamilySeries { families[family] ?? FamilySeries(family) }
    duration = series(.unitDuration).series(key.kind, key.outcome.rawValue)
    wait = series(.unitWait).series(key.kind)
    retries = series(.unitRetries).series(key.kind)
  }
}

extension Duration {
  /// The duration in whole nanoseconds, which fits for 292 years.
  var nanoseconds: Int {
    Int(truncatingIfNeeded: attoseconds / 1_000_000_000)
  }
}
