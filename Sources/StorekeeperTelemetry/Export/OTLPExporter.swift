public import HTTPMessages
internal import JSONValues
public import Storekeeper
internal import StorekeeperLocks

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// An exporter of figures and traces to a collector, in OTLP over HTTP with JSON.
///
/// ```swift
/// let exporter = OTLPExporter(
///   "http://127.0.0.1:4318", transport: CurlHTTPTransport(), figures: registry)
/// shop.telemetry = TelemetryGroup([registry, exporter])
/// async let exports: Void = exporter.run()
/// ```
///
/// Spans wait in memory, and are sent in batches. While the collector is away they wait, up to a limit; further ones are
/// dropped, and counted in ``spansDropped`` and as `storekeeper_spans_dropped_total`. Nothing waits for the collector.
/// A collector that asks for a pause (`Retry-After`) gets nothing of the kind until it is over, but for the last sending.
/// Figures are sent as they stand, so that none is lost while the process runs. ``Configuration/report`` is told when the
/// collector stops to take messages, and when it takes them again.
///
/// A span has the names and figures of its work, and no identifier of a user, a purchase or a message. Source:
/// OpenTelemetry Protocol 1.5, sections "OTLP/HTTP" and "JSON Protobuf Encoding".
public final class OTLPExporter: Telemetry {
  /// The settings of an exporter.
  public struct Configuration: Sendable {
    /// The name of the service, for the attribute `service.name`; `storekeeper` by default.
    public var serviceName = "storekeeper"
    /// The version of the service, for the attribute `service.version`; nil for none.
    public var serviceVersion: String?
    /// The process, for the attribute `service.instance.id`; random by default.
    ///
    /// The figures of two processes with the same one overwrite each other.
    public var instanceID = UUID().uuidString
    /// Further fields of each request, which may be secret, such as `Authorization`.
    public var headers = HTTPHeaders()
    /// The share of the traces begun here that is kept, from 0 to 1, which is the default.
    ///
    /// A trace that a trusted caller began is kept if that is what its `traceparent` says, and one of another caller by
    /// the same share.
    public var share = 1.0
    /// The time between two sendings; 10 seconds by default.
    public var interval = Duration.seconds(10)
    /// The time for one request; 10 seconds by default.
    public var timeout = Duration.seconds(10)
    /// The time for all that is sent at the end; 5 seconds by default.
    public var lastSendingLimit = Duration.seconds(5)
    /// The number of spans that may wait; 4,096 by default.
    public var spanLimit = 4096
    /// The number of spans in one request; 512 by default.
    public var batchSize = 512
    /// Receives what becomes of figures and of spans, whenever that changes; for the host's log, by default nothing.
    public var report: @Sendable (OTLPContent, OTLPDelivery) -> Void = { _, _ in }

    /// Creates the default settings.
    public init() {}
  }

  private struct State {
    var spans: [EndedSpan] = []
    var dropped = 0
    /// What became of the last message of each content; taken before the first.
    var deliveries: [OTLPContent: OTLPDelivery] = [:]
    /// The reading of the clocks that dates spans.
    var clocks: ClockReading?
    /// The moments until which the collector wants nothing.
    var pauses: [OTLPContent: Date] = [:]
  }

  public let configuration: Configuration
  private let url: String
  private let transport: any HTTPTransport
  private let registry: MetricsRegistry?
  private let clock: any Clock<Duration>
  private let now: @Sendable () -> Date
  private let state = Locked(State())

  /// Creates an exporter.
  ///
  /// - Parameters:
  ///   - url: The address of the collector without a path, such as `http://127.0.0.1:4318`; figures go to `/v1/metrics`
  ///     and spans to `/v1/traces` below it.
  ///   - transport: The transport that sends.
  ///   - registry: The figures to send; nil for none.
  ///   - configuration: The settings.
  ///   - clock: The clock that measures the intervals.
  ///   - now: Returns the present moment.
  public init(
    _ url: String, transport: any HTTPTransport, figures registry: MetricsRegistry? = nil,
    configuration: Configuration = Configuration(),
    clock: any Clock<Duration> = ContinuousClock(), now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.url = url.hasSuffix("/") ? String(url.dropLast()) : url
    self.transport = transport
    self.registry = registry
    self.configuration = configuration
    self.clock = clock
    self.now = now
  }

  /// The number of spans that were dropped since the start.
  public var spansDropped: Int { state.withLock { $0.dropped } }

  /// The number of spans that wait.
  public var spansWaiting: Int { state.withLock { $0.spans.count } }

  // MARK: Receiving

  /// Keeps the span of work that ended, if its trace is kept and there is room.
  public func ended(_ work: TelemetryWork, in span: TelemetrySpan, with result: TelemetryResult) {
    guard span.isSampled else { return }
    let ended = EndedSpan(work: work, span: span, result: result)
    let isDropped = state.withLock { state in
      guard state.spans.count < configuration.spanLimit else {
        state.dropped += 1
        return true
      }
      state.spans.append(ended)
      return false
    }
    if isDropped { registry?.noted(.spansDropped(1)) }
  }

  /// Does nothing: figures come from the registry.
  public func noted(_ fact: TelemetryFact) {}

  /// Whether a trace that begins here is among those kept, by its number.
  public func keeps(traceID: UInt128) -> Bool {
    // The lower half is random, so a share of all numbers is a share of the traces.
    let number = UInt64(truncatingIfNeeded: traceID) >> 11
    return Double(number) < configuration.share * 0x1p53
  }

  // MARK: Sending

  /// Sends in intervals until the task is cancelled, and then once more.
  public func run() async {
    while !Task.isCancelled {
      try? await clock.sleep(for: configuration.interval)
      guard !Task.isCancelled else { break }
      await send()
    }
    // The last spans tell why a process ends. A task of its own, as this one is cancelled; a collector that hangs does
    // not keep the process.
    let (clock, limit) = (clock, configuration.lastSendingLimit)
    await Task {
      _ = await clock.wait(atMost: limit) { () async -> Void? in await self.send(isLast: true) }
    }
    .value
  }

  /// Sends the figures and the spans that wait; spans that the collector does not take now wait on.
  ///
  /// A span that ends meanwhile is sent the next time.
  public func send() async { await send(isLast: false) }

  private func send(isLast: Bool) async {
    let pauses = isLast ? [:] : state.withLock { $0.pauses }
    let now = now()
    func wants(_ content: OTLPContent) -> Bool { pauses[content].map { $0 <= now } ?? true }
    // The transport may be one that tells this exporter of its requests, which are no part of a trace.
    await TelemetrySpan.$current.withValue(.unkept) {
      guard !isLast else {
        // Neither waits for the other in the time that is left.
        async let figures: Void = sendFigures()
        await sendSpans()
        return await figures
      }
      if wants(.figures) { await sendFigures() }
      if wants(.spans) { await sendSpans() }
    }
  }

  private func sendFigures() async {
    if let registry {
      _ = await post(OTLPMessage.metrics(of: registry, configuration, at: now()), of: .figures)
    }
  }

  private func sendSpans() async {
    var rest = spansWaiting
    let reading = ClockReading(now)
    let clocks = state.withLock { state in
      let clocks = reading.unlessAgreeing(with: state.clocks)
      state.clocks = clocks
      return clocks
    }
    while rest > 0 {
      let batch = state.withLock { state in
        let batch = Array(state.spans.prefix(min(rest, max(1, configuration.batchSize))))
        state.spans.removeFirst(batch.count)
        return batch
      }
      guard !batch.isEmpty else { return }
      rest -= batch.count
      switch await post(OTLPMessage.traces(batch, configuration, by: clocks), of: .spans) {
      case .taken: continue
      case .partlyTaken(let rejected): drop(min(max(0, rejected), batch.count))
      case .refused: drop(batch.count)
      case .postponed:
        giveBack(batch)
        return
      }
    }
  }

  /// Sends a message, and reports what becomes of it if that differs from the last one.
  private func post(_ message: JSONValue, of content: OTLPContent) async -> OTLPDelivery {
    var request = HTTPRequestMessage(
      method: .post, url: url + content.path, headers: configuration.headers,
      body: message.serialized, timeout: configuration.timeout, responseLimit: 65_536)
    request.call = content.call
    // A constant without control characters, so `set` does not throw.
    try? request.headers.set("application/json", for: .contentType)
    let response = try? await transport.send(request)
    let delivery = OTLPDelivery(response, of: content)
    let pause = RetryAfterReader.moment(
      response?.headers[.retryAfter], at: now().timeIntervalSince1970)
    let isNews = state.withLock { state in
      state.pauses[content] = pause.map(Date.init(timeIntervalSince1970:))
      let before = state.deliveries.updateValue(delivery, forKey: content) ?? .taken
      return !delivery.isLike(before)
    }
    if isNews { configuration.report(content, delivery) }
    return delivery
  }

  private func drop(_ count: Int) {
    state.withLock { $0.dropped += count }
    registry?.noted(.spansDropped(count))
  }

  /// Puts spans back before those that came since; the oldest are dropped where there is no room.
  private func giveBack(_ batch: [EndedSpan]) {
    let dropped = state.withLock { state in
      let room = max(0, configuration.spanLimit - state.spans.count)
      state.spans.insert(contentsOf: batch.suffix(room), at: 0)
      let dropped = max(0, batch.count - room)
      state.dropped += dropped
      return dropped
    }
    if dropped > 0 { registry?.noted(.spansDropped(dropped)) }
  }
}

/// A span that has ended.
struct EndedSpan: Sendable {
  let work: TelemetryWork
  let span: TelemetrySpan
  let result: TelemetryResult
}
