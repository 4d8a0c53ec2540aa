import Foundation
import HTTPMessages
import PurchaseStorage
import ReceiptModels
import Storekeeper
import StorekeeperTelemetry
import Testing

@Suite("Figures as text")
struct TextTests {
  private let start = Date(timeIntervalSince1970: 1_700_000_000)
  private let span = TelemetrySpan(
    traceID: 0x4bf9_2f35_77b3_4da6_a3ce_929d_0e0e_4736, id: 0x00f0_67aa_0ba9_02b7, isSampled: true)

  private func text(_ registry: MetricsRegistry, _ format: MetricsFormat = .prometheus) -> String {
    String(decoding: registry.text(in: format), as: UTF8.self)
  }

  private func lines(_ registry: MetricsRegistry, of name: String) -> [String] {
    text(registry).split(separator: "\n").map(String.init).filter { $0.hasPrefix(name) }
  }

  @Test("a new registry has its start and its version, as Prometheus and as OpenMetrics")
  func first() {
    let registry = MetricsRegistry(version: "1.2") { start }
    #expect(
      text(registry) == """
        # HELP storekeeper_start_timestamp_seconds The moment at which the process began to count.
        # TYPE storekeeper_start_timestamp_seconds gauge
        storekeeper_start_timestamp_seconds 1700000000
        # HELP storekeeper_build_info 1, with the version of the server.
        # TYPE storekeeper_build_info gauge
        storekeeper_build_info{version="1.2"} 1
        # HELP storekeeper_verifications_total Verifications of receipts, signed transactions and purchase tokens.
        # TYPE storekeeper_verifications_total counter
        storekeeper_verifications_total{kind="receipt",outcome="failed",reason="sharedSecretMismatch"} 0
        # HELP storekeeper_unit_of_work_failures_total Units of work that failed for a reason of the store's own.
        # TYPE storekeeper_unit_of_work_failures_total counter
        storekeeper_unit_of_work_failures_total{kind="read",reason="conflict"} 0
        storekeeper_unit_of_work_failures_total{kind="read",reason="database"} 0
        storekeeper_unit_of_work_failures_total{kind="read",reason="diskFull"} 0
        storekeeper_unit_of_work_failures_total{kind="read",reason="unavailable"} 0
        storekeeper_unit_of_work_failures_total{kind="write",reason="conflict"} 0
        storekeeper_unit_of_work_failures_total{kind="write",reason="database"} 0
        storekeeper_unit_of_work_failures_total{kind="write",reason="diskFull"} 0
        storekeeper_unit_of_work_failures_total{kind="write",reason="unavailable"} 0
        # HELP storekeeper_incidents_total Incidents, which the log tells more of.
        # TYPE storekeeper_incidents_total counter
        storekeeper_incidents_total{kind="notificationNotDecoded"} 0
        # HELP storekeeper_spans_dropped_total Spans that were dropped because the collector was away or too slow.
        # TYPE storekeeper_spans_dropped_total counter
        storekeeper_spans_dropped_total 0

        """)
    #expect(
      text(registry, .openMetrics) == """
        # HELP storekeeper_start_timestamp_seconds The moment at which the process began to count.
        # TYPE storekeeper_start_timestamp_seconds gauge
        # UNIT storekeeper_start_timestamp_seconds seconds
        storekeeper_start_timestamp_seconds 1700000000
        # HELP storekeeper_build 1, with the version of the server.
        # TYPE storekeeper_build info
        storekeeper_build_info{version="1.2"} 1
        # HELP storekeeper_verifications Verifications of receipts, signed transactions and purchase tokens.
        # TYPE storekeeper_verifications counter
        storekeeper_verifications_total{kind="receipt",outcome="failed",reason="sharedSecretMismatch"} 0
        # HELP storekeeper_unit_of_work_failures Units of work that failed for a reason of the store's own.
        # TYPE storekeeper_unit_of_work_failures counter
        storekeeper_unit_of_work_failures_total{kind="read",reason="conflict"} 0
        storekeeper_unit_of_work_failures_total{kind="read",reason="database"} 0
        storekeeper_unit_of_work_failures_total{kind="read",reason="diskFull"} 0
        storekeeper_unit_of_work_failures_total{kind="read",reason="unavailable"} 0
        storekeeper_unit_of_work_failures_total{kind="write",reason="conflict"} 0
        storekeeper_unit_of_work_failures_total{kind="write",reason="database"} 0
        storekeeper_unit_of_work_failures_total{kind="write",reason="diskFull"} 0
        storekeeper_unit_of_work_failures_total{kind="write",reason="unavailable"} 0
        # HELP storekeeper_incidents Incidents, which the log tells more of.
        # TYPE storekeeper_incidents counter
        storekeeper_incidents_total{kind="notificationNotDecoded"} 0
        # HELP storekeeper_spans_dropped Spans that were dropped because the collector was away or too slow.
        # TYPE storekeeper_spans_dropped counter
        storekeeper_spans_dropped_total 0
        # EOF

        """)
  }

  @Test(
    "requests: buckets that add up, the sum in seconds, and the trace of the last one in a bucket")
  func requests() {
    let registry = MetricsRegistry()
    for milliseconds in [1, 2, 30] {
      registry.ended(
        .request(.get, route: "/api/v1/x/{id}"), in: span,
        with: TelemetryResult(
          .succeeded, duration: .milliseconds(milliseconds),
          detail: .answer(200, requestBytes: 0, responseBytes: 10)))
    }
    let name = "storekeeper_http_request_duration_seconds"
    let labels = #"route="/api/v1/x/{id}",method="GET",outcome="succeeded""#
    #expect(
      lines(registry, of: name) == [
        // A bound belongs to its bucket.
        #"\#(name)_bucket{\#(labels),le="0.001"} 1"#,
        #"\#(name)_bucket{\#(labels),le="0.0025"} 2"#,
        #"\#(name)_bucket{\#(labels),le="0.005"} 2"#,
        #"\#(name)_bucket{\#(labels),le="0.01"} 2"#,
        #"\#(name)_bucket{\#(labels),le="0.025"} 2"#,
        #"\#(name)_bucket{\#(labels),le="0.05"} 3"#,
        #"\#(name)_bucket{\#(labels),le="0.1"} 3"#,
        #"\#(name)_bucket{\#(labels),le="0.25"} 3"#,
        #"\#(name)_bucket{\#(labels),le="0.5"} 3"#,
        #"\#(name)_bucket{\#(labels),le="1.0"} 3"#,
        #"\#(name)_bucket{\#(labels),le="2.5"} 3"#,
        #"\#(name)_bucket{\#(labels),le="5.0"} 3"#,
        #"\#(name)_bucket{\#(labels),le="10.0"} 3"#,
        #"\#(name)_bucket{\#(labels),le="+Inf"} 3"#,
        "\(name)_sum{\(labels)} 0.033",
        "\(name)_count{\(labels)} 3",
      ])
    #expect(
      lines(registry, of: "storekeeper_http_requests_total") == [
        #"storekeeper_http_requests_total{route="/api/v1/x/{id}",method="GET",status="200"} 3"#
      ])
    #expect(
      lines(registry, of: "storekeeper_http_response_bytes_total") == [
        #"storekeeper_http_response_bytes_total{route="/api/v1/x/{id}"} 30"#
      ])
    let exemplar =
      #"le="0.05"} 3 # {trace_id="4bf92f3577b34da6a3ce929d0e0e4736",span_id="00f067aa0ba902b7"} 0.03"#
    #expect(text(registry, .openMetrics).contains(exemplar))
    #expect(!text(registry).contains("trace_id"))
  }

  @Test("unknown methods and paths have one value each")
  func unknown() {
    let registry = MetricsRegistry()
    for method: HTTPRequestMethod in ["BREW", "PROPFIND"] {
      registry.ended(
        .request(method, route: nil), in: span,
        with: TelemetryResult(
          .refused, duration: .zero, detail: .answer(404, requestBytes: 0, responseBytes: 1)))
    }
    #expect(
      lines(registry, of: "storekeeper_http_requests_total") == [
        #"storekeeper_http_requests_total{route="none",method="other",status="404"} 2"#
      ])
  }

  @Test("a family has at most 1,000 series, and the rest counts together")
  func limit() {
    let registry = MetricsRegistry()
    for number in 0..<1200 { registry.noted(.incident("kind \(number)")) }
    let lines = lines(registry, of: "storekeeper_incidents_total")
    #expect(lines.count == 1001)
    #expect(lines.contains(#"storekeeper_incidents_total{kind="other"} 201"#))
  }

  @Test("any text may be a label")
  func escapes() {
    let registry = MetricsRegistry()
    registry.noted(.incident("a \"b\" \\ c\nd é"))
    #expect(
      lines(registry, of: "storekeeper_incidents_total").filter { !$0.hasSuffix(" 0") } == [
        #"storekeeper_incidents_total{kind="a \"b\" \\ c\nd é"} 1"#
      ])
  }

  @Test("what waits in the outbox, and since when; nothing has no moment")
  func backlog() {
    let registry = MetricsRegistry()
    registry.noted(.backlog(OutboxBacklog(waiting: 3, oldestDate: start, parked: 1)))
    #expect(
      lines(registry, of: "storekeeper_outbox_") == [
        "storekeeper_outbox_waiting_messages 3", "storekeeper_outbox_parked_messages 1",
        "storekeeper_outbox_oldest_message_timestamp_seconds 1700000000",
      ])
    registry.noted(.backlog(OutboxBacklog()))
    #expect(
      lines(registry, of: "storekeeper_outbox_") == [
        "storekeeper_outbox_waiting_messages 0", "storekeeper_outbox_parked_messages 0",
      ])
  }

  @Test("units of work: waits, attempts after the first, and failures of the store alone")
  func units() {
    let registry = MetricsRegistry()
    func end(_ outcome: TelemetryOutcome, _ count: Int, _ reason: String? = nil) {
      registry.ended(
        .unitOfWork(isWriting: true), in: span,
        with: TelemetryResult(
          outcome, duration: .milliseconds(3), reason: reason,
          detail: .attempts(count, wait: .milliseconds(2))))
    }
    end(.succeeded, 1)
    end(.succeeded, 3)
    end(.conflict, 4)
    end(.failed, 1, "diskFull")
    end(.refused, 1)
    end(.unavailable, 0, "unavailable")
    #expect(
      lines(registry, of: "storekeeper_unit_of_work_retries_total") == [
        #"storekeeper_unit_of_work_retries_total{kind="write"} 5"#
      ])
    #expect(
      lines(registry, of: "storekeeper_unit_of_work_failures_total") == [
        #"storekeeper_unit_of_work_failures_total{kind="read",reason="conflict"} 0"#,
        #"storekeeper_unit_of_work_failures_total{kind="read",reason="database"} 0"#,
        #"storekeeper_unit_of_work_failures_total{kind="read",reason="diskFull"} 0"#,
        #"storekeeper_unit_of_work_failures_total{kind="read",reason="unavailable"} 0"#,
        #"storekeeper_unit_of_work_failures_total{kind="write",reason="conflict"} 1"#,
        #"storekeeper_unit_of_work_failures_total{kind="write",reason="database"} 0"#,
        #"storekeeper_unit_of_work_failures_total{kind="write",reason="diskFull"} 1"#,
        #"storekeeper_unit_of_work_failures_total{kind="write",reason="unavailable"} 1"#,
      ])
    // One that never began has waited for nothing that is known.
    #expect(
      lines(registry, of: "storekeeper_unit_of_work_wait_seconds_count") == [
        #"storekeeper_unit_of_work_wait_seconds_count{kind="write"} 5"#
      ])
  }

  @Test(
    "a client gets the format that it prefers",
    arguments: [
      (nil as String?, MetricsFormat.prometheus), ("*/*", .prometheus), ("text/plain", .prometheus),
      ("application/openmetrics-text", .openMetrics),
      // Prometheus 2.42 and 3.
      (
        "application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,"
          + "text/plain;version=0.0.4;q=0.5,*/*;q=0.1", .openMetrics
      ),
      ("application/openmetrics-text;q=0.3, text/plain;q=0.5", .prometheus),
      ("application/openmetrics-text; q=0", .prometheus), ("application/json", .prometheus),
    ])
  func formats(accept: String?, format: MetricsFormat) {
    #expect(MetricsFormat(accept: accept) == format)
  }

  @Test("the answer to a scrape has its type; other methods are refused")
  func answers() throws {
    let registry = MetricsRegistry()
    var request = HTTPRequestMessage(url: "/metrics")
    #expect(
      registry.answer(to: request).headers[.contentType] == MetricsFormat.prometheus.mediaType)
    try request.headers.set("application/openmetrics-text", for: .accept)
    let answer = registry.answer(to: request)
    #expect(answer.status == .ok)
    #expect(
      answer.headers[.contentType]
        == "application/openmetrics-text; version=1.0.0; charset=utf-8")
    request.method = .post
    #expect(registry.answer(to: request).status == .methodNotAllowed)
  }

  @Test("the guide's table has every family, with its labels")
  func guide() throws {
    let page = try String(
      contentsOf: URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Documentation/guides/operating.md"), encoding: .utf8)
    let rows = page.split(separator: "\n").filter { $0.hasPrefix("| `storekeeper_") }
      .map { row in
        row.split(separator: "|").prefix(3).map { $0.trimmingCharacters(in: .whitespaces) }
      }
    #expect(
      rows
        == MetricFamily.all.map { family in
          [
            "`\(family.name)`", family.kind.rawValue,
            family.labels.isEmpty ? "–" : family.labels.map { "`\($0)`" }.joined(separator: ", "),
          ]
        })
  }
}
