import Foundation
import HTTPMessages
import JSONValues
import PurchaseStorage
import Storekeeper
import StorekeeperLocks
import StorekeeperTelemetry
import StorekeeperTesting
import Testing

@Suite("Spans and figures for a collector")
struct ExporterTests {
  private let collector = Collector()
  private let registry = MetricsRegistry()
  private let reports = Reports()
  private let span = TelemetrySpan(
    traceID: 0x4bf9_2f35_77b3_4da6_a3ce_929d_0e0e_4736, id: 0x00f0_67aa_0ba9_02b7, parentID: 1,
    isSampled: true)

  private func exporter(
    spanLimit: Int = 4096, batchSize: Int = 512, figures: Bool = false
  ) -> OTLPExporter {
    var configuration = OTLPExporter.Configuration()
    (configuration.spanLimit, configuration.batchSize) = (spanLimit, batchSize)
    (configuration.instanceID, configuration.serviceVersion) = ("one", "1.2")
    configuration.report = { [reports] content, delivery in
      reports.all.withLock { $0.append(Report(content: content, delivery: delivery)) }
    }
    return OTLPExporter(
      "http://collector:4318/", transport: collector, figures: figures ? registry : nil,
      configuration: configuration)
  }

  private func end(_ exporter: OTLPExporter, times: Int = 1) {
    for _ in 0..<times {
      exporter.ended(
        .call(.apple, "transactionInfo"), in: span,
        with: TelemetryResult(
          .unavailable, duration: .milliseconds(1500), reason: "status", detail: .status(503)))
    }
  }

  @Test("a span in the form of the protocol")
  func form() async throws {
    let exporter = exporter()
    end(exporter)
    await exporter.send()
    #expect(collector.urls == ["http://collector:4318/v1/traces"])
    let resource = try #require(collector.bodies.first?["resourceSpans"]?[0])
    #expect(
      resource["resource"]?["attributes"]
        == (try JSONValue(
          parsing: Array(
            #"""
            [{"key":"service.name","value":{"stringValue":"storekeeper"}},
            {"key":"service.instance.id","value":{"stringValue":"one"}},
            {"key":"service.version","value":{"stringValue":"1.2"}}]
            """#.utf8))))
    let sent = try #require(resource["scopeSpans"]?[0]?["spans"]?[0])
    #expect(sent["traceId"] == .string("4bf92f3577b34da6a3ce929d0e0e4736"))
    #expect(sent["spanId"] == .string("00f067aa0ba902b7"))
    #expect(sent["parentSpanId"] == .string("0000000000000001"))
    #expect(sent["name"] == .string("transactionInfo"))
    #expect(sent["kind"] == .integer(3))
    #expect(sent["status"]?["code"] == .integer(2))
    guard case .string(let start)? = sent["startTimeUnixNano"],
      case .string(let end)? = sent["endTimeUnixNano"], let from = Int(start), let to = Int(end)
    else {
      Issue.record("\(sent)")
      return
    }
    #expect(abs(to - from - 1_500_000_000) < 10_000)
  }

  @Test("work never seems to begin before the work that it is a part of, which is told later")
  func order() async throws {
    let exporter = exporter()
    let moment = ContinuousClock.now - .seconds(60)
    let part = TelemetrySpan(traceID: span.traceID, id: 2, parentID: span.id, isSampled: true)
    exporter.ended(
      .unitOfWork(isWriting: true), in: part,
      with: TelemetryResult(.succeeded, duration: .milliseconds(5), end: moment))
    await exporter.send()
    exporter.ended(
      .job("x"), in: span,
      with: TelemetryResult(
        .succeeded, duration: .nanoseconds(6_000_400), end: moment + .milliseconds(1)))
    await exporter.send()
    // Two messages are dated by the same reading of the clocks.
    let starts = try collector.bodies.map { body in
      let sent = body["resourceSpans"]?[0]?["scopeSpans"]?[0]?["spans"]?[0]
      guard case .string(let text)? = sent?["startTimeUnixNano"] else { return 0 }
      return try #require(Int(text))
    }
    try #require(starts.count == 2 && starts[0] - starts[1] == 400)
    // The clocks of a machine agree about a minute to much less than a second.
    let age = Date().timeIntervalSince1970 - Double(starts[0]) / 1e9
    #expect((60...90).contains(age))
  }

  @Test("only traces that are kept are sent")
  func sampled() async {
    let exporter = exporter()
    let span = TelemetrySpan(traceID: 1, id: 1, isSampled: false)
    exporter.ended(.job("x"), in: span, with: TelemetryResult(.succeeded, duration: .zero))
    #expect(exporter.spansWaiting == 0)
    await exporter.send()
    #expect(collector.urls == [])
  }

  @Test(
    "a share of the traces is kept",
    arguments: [(0.0, 0...0), (0.1, 800...1200), (1.0, 10_000...10_000)])
  func shares(share: Double, count: ClosedRange<Int>) {
    var configuration = OTLPExporter.Configuration()
    configuration.share = share
    let exporter = OTLPExporter("http://c", transport: collector, configuration: configuration)
    let kept = (0..<10_000).filter { _ in TelemetrySpan(for: exporter).isSampled }
    // Ten times the standard deviation, which is 30, is not reached by chance.
    #expect(count.contains(kept.count))
  }

  @Test("batches, one after the other")
  func batches() async {
    let exporter = exporter(batchSize: 2)
    end(exporter, times: 5)
    await exporter.send()
    #expect(collector.spanCounts == [2, 2, 1])
    #expect(exporter.spansWaiting == 0)
  }

  @Test("while the collector is away spans wait, up to the limit; the rest is dropped and counted")
  func away() async {
    let exporter = exporter(spanLimit: 3, figures: true)
    collector.status = nil
    end(exporter, times: 5)
    await exporter.send()
    #expect(exporter.spansWaiting == 3)
    #expect(exporter.spansDropped == 2)
    let text = String(decoding: registry.text(in: .prometheus), as: UTF8.self)
    #expect(text.contains("storekeeper_spans_dropped_total 2\n"))
    collector.status = 503
    await exporter.send()
    #expect(exporter.spansWaiting == 3)
    collector.status = 200
    await exporter.send()
    #expect(exporter.spansWaiting == 0)
    #expect(exporter.spansDropped == 2)
  }

  @Test("a collector that asks for a pause gets nothing until it is over, but for the last sending")
  func pause() async {
    let moment = Locked(Date(timeIntervalSince1970: 1_900_000_000))
    let clock = ManualClock()
    let exporter = OTLPExporter(
      "http://c", transport: collector, figures: registry, clock: clock
    ) { moment.withLock { $0 } }
    (collector.status, collector.retryAfter) = (429, "60")
    end(exporter)
    await exporter.send()
    #expect(collector.urls == ["http://c/v1/metrics", "http://c/v1/traces"])
    moment.withLock { $0 += 59 }
    (collector.status, collector.retryAfter) = (200, nil)
    await exporter.send()
    #expect(collector.urls.count == 2)
    #expect(exporter.spansWaiting == 1)
    moment.withLock { $0 += 1 }
    await exporter.send()
    #expect(collector.urls.count == 4)
    #expect(exporter.spansWaiting == 0)

    (collector.status, collector.retryAfter) = (503, "60")
    end(exporter)
    await exporter.send()
    #expect(collector.urls.count == 6)
    collector.status = 200
    let task = Task { await exporter.run() }
    await clock.sleepers(reach: 1)
    task.cancel()
    await task.value
    #expect(collector.urls.count == 8)
    #expect(exporter.spansWaiting == 0)
  }

  @Test("spans that the collector refuses are not sent again")
  func refused() async {
    let exporter = exporter()
    collector.status = 400
    end(exporter, times: 2)
    await exporter.send()
    #expect(exporter.spansWaiting == 0)
    #expect(exporter.spansDropped == 2)
  }

  @Test("figures: sums, gauges and histograms, all since the start")
  func figures() async throws {
    let exporter = exporter(figures: true)
    registry.ended(
      .job("refresh"), in: span, with: TelemetryResult(.succeeded, duration: .milliseconds(2500)))
    registry.noted(.incident("sourceFailed"))
    registry.noted(.backlog(OutboxBacklog(waiting: 1)))
    await exporter.send()
    #expect(collector.urls == ["http://collector:4318/v1/metrics"])
    let scope = collector.bodies.first?["resourceMetrics"]?[0]?["scopeMetrics"]?[0]
    guard case .array(let metrics)? = scope?["metrics"] else {
      Issue.record("no metrics")
      return
    }
    func metric(_ name: String) -> JSONValue? { metrics.first { $0["name"] == .string(name) } }
    let job = try #require(metric("storekeeper_job_duration_seconds")?["histogram"])
    #expect(job["aggregationTemporality"] == .integer(2))
    let point = try #require(job["dataPoints"]?[0])
    #expect(point["count"] == .string("1"))
    #expect(point["sum"] == .number(2.5))
    #expect(
      point["bucketCounts"]
        == .array(["0", "0", "0", "1", "0", "0", "0", "0", "0"].map { .string($0) }))
    let incidents = try #require(metric("storekeeper_incidents_total")?["sum"])
    #expect(incidents["isMonotonic"] == .boolean(true))
    #expect(incidents["dataPoints"]?[1]?["asInt"] == .string("1"))
    #expect(metric("storekeeper_job_last_success_timestamp_seconds")?["unit"] == .string("s"))
    // A collector would write "1" as a suffix of the name.
    let waiting = try #require(metric("storekeeper_outbox_waiting_messages"))
    #expect(waiting["gauge"] != nil)
    #expect(waiting["unit"] == nil)
  }

  @Test("each process has an identifier of its own")
  func instances() {
    #expect(
      OTLPExporter.Configuration().instanceID != OTLPExporter.Configuration().instanceID)
  }

  @Test("its own requests are no spans that it sends, whatever the transport tells")
  func noLoop() async throws {
    let spans = Locked<OTLPExporter?>(nil)
    let transport = ObservedTransport(
      collector, asking: nil, telemetry: Passing { spans.withLock { $0 } })
    let exporter = OTLPExporter("http://c", transport: transport)
    spans.withLock { $0 = exporter }
    end(exporter)
    await exporter.send()
    #expect(collector.spanCounts == [1])
    #expect(exporter.spansWaiting == 0)
    spans.withLock { $0 = nil }
  }

  @Test("spans that end while others are sent wait for the next time")
  func meanwhile() async {
    let exporter = exporter(batchSize: 1)
    end(exporter, times: 2)
    collector.answering { [self] in end(exporter) }
    await exporter.send()
    #expect(collector.spanCounts == [1, 1])
    #expect(exporter.spansWaiting == 2)
    collector.answering {}
  }

  @Test("a collector that hangs does not keep the process")
  func hanging() async {
    let clock = ManualClock()
    let exporter = OTLPExporter("http://c", transport: Hanging(), clock: clock)
    end(exporter)
    let task = Task { await exporter.run() }
    await clock.sleepers(reach: 1)
    task.cancel()
    await clock.sleepers(reach: 1)
    clock.advance(by: .seconds(5))
    await task.value
  }

  @Test("figures that a collector does not take keep no spans from being sent at the end")
  func hangingFigures() async {
    let clock = ManualClock()
    let exporter = OTLPExporter(
      "http://c", transport: HangingAtFigures(other: collector), figures: registry, clock: clock)
    end(exporter)
    let task = Task { await exporter.run() }
    await clock.sleepers(reach: 1)
    task.cancel()
    await clock.sleepers(reach: 1)
    let end = ContinuousClock.now + .seconds(60)
    while collector.spanCounts.isEmpty, ContinuousClock.now < end { await Task.yield() }
    clock.advance(by: .seconds(5))
    await task.value
    #expect(collector.spanCounts == [1])
  }

  @Test("each change of what becomes of messages is reported once")
  func changes() async {
    let exporter = exporter()
    for status in [200, nil, 503, 400, 401, 200, 200] {
      collector.status = status
      end(exporter)
      await exporter.send()
    }
    #expect(
      reports.all.withLock { $0.map(\.delivery) } == [
        .postponed(nil), .refused(400), .taken,
      ])
  }

  @Test("spans that the collector rejects in its answer are counted as dropped")
  func partly() async {
    let exporter = exporter()
    collector.answer = #"{"partialSuccess":{"rejectedSpans":"2","errorMessage":"too old"}}"#
    end(exporter, times: 3)
    await exporter.send()
    #expect(exporter.spansDropped == 2)
    #expect(
      reports.all.withLock { $0 } == [Report(content: .spans, delivery: .partlyTaken(rejected: 2))])
  }

  private final class Reports: Sendable {
    let all = Locked<[Report]>([])
  }

  private struct Report: Equatable, Sendable {
    let content: OTLPContent
    let delivery: OTLPDelivery
  }

  /// A port that tells another one, which is made later.
  private struct Passing: Telemetry {
    let other: @Sendable () -> OTLPExporter?

    func ended(_ work: TelemetryWork, in span: TelemetrySpan, with result: TelemetryResult) {
      other()?.ended(work, in: span, with: result)
    }

    func noted(_ fact: TelemetryFact) {}
    func keeps(traceID: UInt128) -> Bool { true }
  }

  /// A collector that never answers.
  private struct Hanging: HTTPTransport {
    func send(_ request: HTTPRequestMessage) async throws -> HTTPResponseMessage {
      try await Task.sleep(for: .seconds(86_400))
      throw CancellationError()
    }
  }

  /// A collector that never answers about figures.
  private struct HangingAtFigures: HTTPTransport {
    let other: Collector

    func send(_ request: HTTPRequestMessage) async throws -> HTTPResponseMessage {
      if request.url.hasSuffix("/v1/metrics") { return try await Hanging().send(request) }
      return try await other.send(request)
    }
  }

  @Test("it sends in intervals, and once more at the end")
  func intervals() async {
    let clock = ManualClock()
    let exporter = OTLPExporter("http://c", transport: collector, clock: clock)
    let task = Task { await exporter.run() }
    await clock.sleepers(reach: 1)
    end(exporter)
    clock.advance(by: .seconds(10))
    await clock.sleepers(reach: 1)
    #expect(collector.spanCounts == [1])
    end(exporter, times: 2)
    task.cancel()
    await task.value
    #expect(collector.spanCounts == [1, 2])
  }
}

/// A collector that remembers what it gets.
private final class Collector: HTTPTransport {
  private struct State {
    var status: Int? = 200
    var retryAfter: String?
    var answer = ""
    var answering: @Sendable () -> Void = {}
    var requests: [(url: String, body: JSONValue)] = []
  }

  private let state = Locked(State())

  /// The status of its answers; nil if it is away.
  var status: Int? {
    get { state.withLock { $0.status } }
    set { state.withLock { $0.status = newValue } }
  }
  /// The pause that its answers ask for.
  var retryAfter: String? {
    get { state.withLock { $0.retryAfter } }
    set { state.withLock { $0.retryAfter = newValue } }
  }
  /// The body of its answers.
  var answer: String {
    get { state.withLock { $0.answer } }
    set { state.withLock { $0.answer = newValue } }
  }
  var urls: [String] { state.withLock { $0.requests.map(\.url) } }
  var bodies: [JSONValue] { state.withLock { $0.requests.map(\.body) } }
  var spanCounts: [Int] {
    bodies.compactMap { body in
      guard case .array(let spans)? = body["resourceSpans"]?[0]?["scopeSpans"]?[0]?["spans"] else {
        return nil
      }
      return spans.count
    }
  }

  func send(_ request: HTTPRequestMessage) async throws -> HTTPResponseMessage {
    let body = try JSONValue(parsing: request.body)
    let (status, pause, answer, answering) = state.withLock { state in
      state.requests.append((request.url, body))
      return (state.status, state.retryAfter, state.answer, state.answering)
    }
    answering()
    guard let status else { throw HTTPTransportFailure(.notConnected) }
    var response = HTTPResponseMessage(
      status: HTTPStatusCode(status), body: Array(answer.utf8))
    if let pause { try response.headers.set(pause, for: .retryAfter) }
    return response
  }

  /// Sets what happens before each answer.
  func answering(_ action: @escaping @Sendable () -> Void) {
    state.withLock { $0.answering = action }
  }
}

extension JSONValue {
  fileprivate subscript(index: Int) -> JSONValue? {
    guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
    return elements[index]
  }
}
