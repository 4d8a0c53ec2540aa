internal import HTTPMessages

/// A text format of figures.
public enum MetricsFormat: Hashable, Sendable, CaseIterable {
  /// Prometheus' text format 0.0.4.
  case prometheus
  /// OpenMetrics 1.0, whose buckets may have exemplars: the trace of an observation.
  case openMetrics

  /// The media type, for the field `Content-Type`.
  public var mediaType: String {
    switch self {
    case .prometheus: "text/plain; version=0.0.4; charset=utf-8"
    case .openMetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8"
    }
  }

  /// Returns the format that a client prefers, by its field `Accept`; Prometheus' own unless it names the other one.
  ///
  /// Source: RFC 9110, section 12.5.1.
  public init(accept: String?) {
    var weights: [MetricsFormat: Double] = [:]
    for range in (accept ?? "").split(separator: ",") {
      let parts = range.split(separator: ";").map { part in
        part.filter { $0 != " " && $0 != "\t" }.lowercased()
      }
      let format: MetricsFormat
      switch parts.first {
      case "application/openmetrics-text": format = .openMetrics
      case "text/plain", "text/*", "*/*": format = .prometheus
      default: continue
      }
      // Version 0.0.1 of OpenMetrics is a draft that version 1.0.0 continues.
      let weight = parts.dropFirst().first { $0.hasPrefix("q=") }
        .map { Double($0.dropFirst(2)) ?? 0 }
      weights[format] = max(weights[format] ?? 0, weight ?? 1)
    }
    let open = weights[.openMetrics] ?? 0
    self = open > 0 && open >= weights[.prometheus] ?? 0 ? .openMetrics : .prometheus
  }
}
