internal import HTTPMessages
internal import JSONValues
internal import PurchaseStorage
internal import ReceiptModels
internal import Storekeeper

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The messages of the protocol in JSON: identifiers are hexadecimal, and integers of 64 bits texts.
///
/// Source: OpenTelemetry Protocol 1.5, section "JSON Protobuf Encoding".
enum OTLPMessage {
  /// Returns the message with spans: `ExportTraceServiceRequest`.
  ///
  static func traces(
    _ spans: [EndedSpan], _ configuration: OTLPExporter.Configuration, by clocks: ClockReading
  ) -> JSONValue {
    .object([
      "resourceSpans": .array([
        .object([
          "resource": resource(configuration),
          "scopeSpans": .array([
            .object(["scope": scope, "spans": .array(spans.map { $0.json(by: clocks) })])
          ]),
        ])
      ])
    ])
  }

  /// Returns the message with all figures of a registry: `ExportMetricsServiceRequest`.
  static func metrics(
    of registry: MetricsRegistry, _ configuration: OTLPExporter.Configuration, at date: Date
  ) -> JSONValue {
    let metrics = MetricFamily.all.compactMap { family -> JSONValue? in
      let points = registry.series(of: family).compactMap {
        point(of: $0, family, from: registry.start, to: date)
      }
      guard !points.isEmpty else { return nil }
      return metric(family, points)
    }
    return .object([
      "resourceMetrics": .array([
        .object([
          "resource": resource(configuration),
          "scopeMetrics": .array([.object(["scope": scope, "metrics": .array(metrics)])]),
        ])
      ])
    ])
  }

  private static let scope = JSONValue.object(["name": .string("storekeeper")])

  /// Returns the attributes that tell one process from another, by which a collector keeps their sums apart.
  ///
  /// Source: OpenTelemetry, Semantic Conventions 1.28, "Service".
  private static func resource(_ configuration: OTLPExporter.Configuration) -> JSONValue {
    var members: [(String, JSONValue)] = [
      ("service.name", .string(configuration.serviceName)),
      ("service.instance.id", .string(configuration.instanceID)),
    ]
    if let version = configuration.serviceVersion {
      members.append(("service.version", .string(version)))
    }
    return .object(["attributes": attributes(members)])
  }

  private static func metric(_ family: MetricFamily, _ points: [JSONValue]) -> JSONValue {
    var members: [String: JSONValue] = [
      "name": .string(family.name), "description": .string(family.help),
    ]
    switch family.unit {
    case "seconds": members["unit"] = .string("s")
    case "bytes": members["unit"] = .string("By")
    // A collector would write the unit "1" of a gauge as a suffix `_ratio`.
    default: break
    }
    let points = JSONValue.array(points)
    // 2 is AGGREGATION_TEMPORALITY_CUMULATIVE.
    switch family.kind {
    case .counter:
      members["sum"] = .object([
        "dataPoints": points, "aggregationTemporality": .integer(2), "isMonotonic": .boolean(true),
      ])
    case .gauge: members["gauge"] = .object(["dataPoints": points])
    case .histogram:
      members["histogram"] = .object([
        "dataPoints": points, "aggregationTemporality": .integer(2),
      ])
    }
    return .object(members)
  }

  private static func point(
    of series: Series, _ family: MetricFamily, from start: Date, to date: Date
  ) -> JSONValue? {
    let state = series.now
    var members: [String: JSONValue] = [
      "startTimeUnixNano": nanoseconds(start), "timeUnixNano": nanoseconds(date),
      "attributes": attributes(
        zip(family.labels, series.labels).map { ($0, .string($1)) }),
    ]
    switch family.kind {
    case .counter: members["asInt"] = .string(String(series.total))
    case .gauge:
      guard let value = state.value else { return nil }
      members["asDouble"] = .number(value)
    case .histogram:
      members["count"] = .string(String(state.buckets.reduce(0, +)))
      members["sum"] = .number(state.sum / .seconds(1))
      members["bucketCounts"] = .array(state.buckets.map { .string(String($0)) })
      members["explicitBounds"] = .array(family.bounds.map { .number($0 / .seconds(1)) })
    }
    return .object(members)
  }

  /// Returns attributes, whose values are texts or integers.
  fileprivate static func attributes(_ members: [(String, JSONValue)]) -> JSONValue {
    .array(
      members.map { name, value in
        let kind: JSONValue =
          if case .integer(let number) = value {
            .object(["intValue": .string(String(number))])
          } else {
            .object(["stringValue": value])
          }
        return .object(["key": .string(name), "value": kind])
      })
  }

  /// Returns a moment in nanoseconds since 1970, to the microsecond, as a text.
  private static func nanoseconds(_ date: Date) -> JSONValue {
    .string(String(date.nanoseconds))
  }
}

extension Date {
  /// The moment in nanoseconds since 1970, to the microsecond.
  fileprivate var nanoseconds: Int { Int((timeIntervalSince1970 * 1e6).rounded()) * 1000 }
}

/// The readings of two clocks at the same moment.
struct ClockReading {
  let date: Date
  let instant: ContinuousClock.Instant

  /// Reads both clocks.
  ///
  /// A thread may be held up between the two, so the closest of three readings counts.
  init(_ now: () -> Date) {
    var (closest, instant, date) = (Duration.seconds(60), ContinuousClock.now, now())
    for _ in 0..<3 {
      let (start, present) = (ContinuousClock.now, now())
      let time = start.duration(to: .now)
      if time < closest { (closest, instant, date) = (time, start, present) }
    }
    (self.instant, self.date) = (instant, date)
  }

  /// Returns an earlier reading if it agrees to the millisecond, and this one after a clock was set.
  ///
  /// Spans of one trace may be sent in several messages. Dated by one reading, none seems to begin before the one that it
  /// is a part of.
  func unlessAgreeing(with earlier: ClockReading?) -> ClockReading {
    guard let earlier, abs(earlier.nanoseconds(at: instant) - date.nanoseconds) < 1_000_000 else {
      return self
    }
    return earlier
  }

  /// Returns a moment in nanoseconds since 1970, as a text.
  fileprivate func text(of moment: ContinuousClock.Instant) -> JSONValue {
    .string(String(nanoseconds(at: moment)))
  }

  private func nanoseconds(at moment: ContinuousClock.Instant) -> Int {
    date.nanoseconds + instant.duration(to: moment).nanoseconds
  }
}

extension EndedSpan {
  /// Returns the span in JSON.
  fileprivate func json(by clocks: ClockReading) -> JSONValue {
    var members: [String: JSONValue] = [
      "traceId": .string(span.traceText), "spanId": .string(span.idText),
      "name": .string(work.name), "kind": .integer(work.kind),
      "startTimeUnixNano": clocks.text(of: result.end - result.duration),
      "endTimeUnixNano": clocks.text(of: result.end),
      "attributes": OTLPMessage.attributes(attributes),
    ]
    if let parent = span.parentID {
      members["parentSpanId"] = .string(
        TelemetrySpan(traceID: span.traceID, id: parent, isSampled: true).idText)
    }
    switch result.outcome {
    // STATUS_CODE_ERROR; others, as a refusal of a request, are none of ours.
    case .failed, .unavailable, .overloaded, .conflict:
      members["status"] = .object(["code": .integer(2), "message": .string(result.reason ?? "")])
    default: break
    }
    return .object(members)
  }

  private var attributes: [(String, JSONValue)] {
    var attributes = work.attributes
    attributes.append(("storekeeper.outcome", .string(result.outcome.rawValue)))
    if let reason = result.reason { attributes.append(("storekeeper.reason", .string(reason))) }
    switch result.detail {
    case .answer(let status, let requestBytes, let responseBytes):
      attributes.append(("http.response.status_code", .integer(status.code)))
      attributes.append(("http.request.body.size", .integer(requestBytes)))
      attributes.append(("http.response.body.size", .integer(responseBytes)))
    case .status(let status):
      attributes.append(("http.response.status_code", .integer(status.code)))
    case .notification(let type?):
      attributes.append(("storekeeper.notification.type", .string(type)))
    case .attempts(let count, let wait):
      attributes.append(("storekeeper.attempts", .integer(count)))
      attributes.append(("storekeeper.wait_us", .integer(wait.nanoseconds / 1000)))
    default: break
    }
    return attributes
  }
}

extension TelemetryWork {
  /// The kind of a span: SERVER, CLIENT or INTERNAL.
  fileprivate var kind: Int {
    switch self {
    case .request: 2
    case .call: 3
    default: 1
    }
  }

  fileprivate var attributes: [(String, JSONValue)] {
    switch self {
    case .request(let method, let route):
      [("http.request.method", .string(method.name))]
        + (route.map { [("http.route", .string($0))] } ?? [])
    case .call(let vendor, let call):
      [
        ("storekeeper.vendor", .string(vendor?.rawValue ?? "host")),
        ("storekeeper.call", .string(call)),
      ]
    default: []
    }
  }
}
