public import HTTPMessages
internal import Storekeeper

extension MetricsRegistry {
  /// Returns the answer to a scrape, in the format that it prefers; another method than GET and HEAD is refused.
  ///
  /// The path is not looked at. Who may ask is the host's to decide: the figures tell how much is sold.
  public func answer(to request: HTTPRequestMessage) -> HTTPResponseMessage {
    guard request.method == .get || request.method == .head else {
      return HTTPResponseMessage(status: .methodNotAllowed, headers: ["Allow": "GET, HEAD"])
    }
    let accept = request.headers.values(for: .accept).joined(separator: ",")
    let format = MetricsFormat(accept: accept)
    var headers: HTTPHeaders = [.cacheControl: "no-store"]
    // A constant without control characters, so `set` does not throw.
    try? headers.set(format.mediaType, for: .contentType)
    return HTTPResponseMessage(status: .ok, headers: headers, body: text(in: format))
  }

  /// Returns all series as text.
  public func text(in format: MetricsFormat) -> [UInt8] {
    var page = MetricsPage(format)
    for family in MetricFamily.all {
      let series = series(of: family)
      guard !series.isEmpty else { continue }
      page.append(family, series)
    }
    return page.finished()
  }
}

/// The text of figures while it is written.
private struct MetricsPage {
  private let format: MetricsFormat
  private var text: [UInt8] = []

  init(_ format: MetricsFormat) {
    self.format = format
    text.reserveCapacity(1 << 16)
  }

  consuming func finished() -> [UInt8] {
    if format == .openMetrics { text += "# EOF\n".utf8 }
    return text
  }

  mutating func append(_ family: MetricFamily, _ series: [Series]) {
    let states = series.map { ($0, $0.now) }
    if family.kind == .gauge, states.allSatisfy({ $0.1.value == nil }) { return }
    appendHead(of: family)
    for (series, state) in states {
      let labels = Self.text(of: family.labels, series.labels)
      switch family.kind {
      case .counter:
        appendName(family.name, labels)
        appendLine(series.total)
      case .gauge:
        guard let value = state.value else { continue }
        appendName(family.name, labels)
        text += "\(value.shortText)\n".utf8
      case .histogram: append(histogram: state, family, labels)
      }
    }
  }

  private mutating func appendHead(of family: MetricFamily) {
    var (name, kind) = (family.name[...], family.kind.rawValue)
    if format == .openMetrics {
      // There, the names of samples have suffixes, which that of the family has not.
      if family.kind == .counter { name = name.dropLast("_total".count) }
      if name.hasSuffix("_info") { (name, kind) = (name.dropLast("_info".count), "info") }
    }
    text += "# HELP \(name) \(family.help)\n# TYPE \(name) \(kind)\n".utf8
    if format == .openMetrics, let unit = family.unit { text += "# UNIT \(name) \(unit)\n".utf8 }
  }

  private mutating func append(
    histogram state: Series.State, _ family: MetricFamily, _ labels: [UInt8]
  ) {
    var count = 0
    for (index, number) in state.buckets.enumerated() {
      count += number
      text += family.name.utf8
      text += "_bucket{".utf8
      text += labels
      if !labels.isEmpty { text.append(UInt8(ascii: ",")) }
      text += "le=\"".utf8
      if index < family.bounds.count {
        appendSeconds(family.bounds[index])
      } else {
        text += "+Inf".utf8
      }
      text += "\"} ".utf8
      append(count)
      if format == .openMetrics, let exemplar = state.exemplars[index] { append(exemplar) }
      text.append(UInt8(ascii: "\n"))
    }
    appendName(family.name, suffix: "_sum", labels)
    appendSeconds(state.sum)
    text.append(UInt8(ascii: "\n"))
    appendName(family.name, suffix: "_count", labels)
    appendLine(count)
  }

  private mutating func append(_ exemplar: Series.Exemplar) {
    let span = TelemetrySpan(traceID: exemplar.traceID, id: exemplar.spanID, isSampled: true)
    text += " # {trace_id=\"\(span.traceText)\",span_id=\"\(span.idText)\"} ".utf8
    appendSeconds(exemplar.duration)
  }

  private mutating func appendName(_ name: String, suffix: String = "", _ labels: [UInt8]) {
    text += name.utf8
    text += suffix.utf8
    if !labels.isEmpty {
      text.append(UInt8(ascii: "{"))
      text += labels
      text.append(UInt8(ascii: "}"))
    }
    text.append(UInt8(ascii: " "))
  }

  private mutating func appendLine(_ number: Int) {
    append(number)
    text.append(UInt8(ascii: "\n"))
  }

  private mutating func append(_ number: Int) { text += String(number).utf8 }

  /// Appends a duration in seconds, to the nanosecond, with at least one digit after the point.
  private mutating func appendSeconds(_ duration: Duration) {
    let nanoseconds = duration.nanoseconds
    text += String(nanoseconds / 1_000_000_000).utf8
    text.append(UInt8(ascii: "."))
    var rest = nanoseconds % 1_000_000_000
    var unit = 100_000_000
    repeat {
      text.append(UInt8(ascii: "0") + UInt8(rest / unit))
      rest %= unit
      unit /= 10
    } while rest > 0
  }

  /// Returns labels with their values, which may have any text.
  private static func text(of names: [String], _ values: [String]) -> [UInt8] {
    var text: [UInt8] = []
    for (name, value) in zip(names, values) {
      if !text.isEmpty { text.append(UInt8(ascii: ",")) }
      text += name.utf8
      text += "=\"".utf8
      for byte in value.utf8 {
        switch byte {
        case UInt8(ascii: "\\"): text += "\\\\".utf8
        case UInt8(ascii: "\""): text += "\\\"".utf8
        case UInt8(ascii: "\n"): text += "\\n".utf8
        default: text.append(byte)
        }
      }
      text.append(UInt8(ascii: "\""))
    }
    return text
  }
}

extension Double {
  /// The number without a fraction where it has none.
  fileprivate var shortText: String {
    guard let whole = Int(exactly: self) else { return "\(self)" }
    return String(whole)
  }
}
