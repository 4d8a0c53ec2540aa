public import HTTPMessages
internal import JSONValues

/// A kind of message that an ``OTLPExporter`` sends.
public enum OTLPContent: String, Hashable, Sendable, CaseIterable {
  case figures
  case spans

  var path: String {
    switch self {
    case .figures: "/v1/metrics"
    case .spans: "/v1/traces"
    }
  }

  /// The name of the call.
  var call: String {
    switch self {
    case .figures: "exportMetrics"
    case .spans: "exportSpans"
    }
  }

  /// The member of an answer with the number of parts that were rejected.
  fileprivate var rejectedMember: String {
    switch self {
    case .figures: "rejectedDataPoints"
    case .spans: "rejectedSpans"
    }
  }
}

/// What became of a message to a collector.
@nonexhaustive
public enum OTLPDelivery: Hashable, Sendable {
  case taken
  /// The collector took the message without a number of its spans or points, which are lost.
  case partlyTaken(rejected: Int)
  /// The collector did not answer, or answered with a status that asks for a repetition.
  case postponed(HTTPStatusCode?)
  /// The collector refuses the message for good.
  case refused(HTTPStatusCode)

  init(_ response: HTTPResponseMessage?, of content: OTLPContent) {
    guard let response else {
      self = .postponed(nil)
      return
    }
    switch response.status.code {
    case 200...299:
      let rejected = Self.rejected(in: response.body, of: content)
      self = rejected > 0 ? .partlyTaken(rejected: rejected) : .taken
    // Those that the protocol calls retryable.
    case 429, 502, 503, 504: self = .postponed(response.status)
    default: self = .refused(response.status)
    }
  }

  /// Whether it differs from another at most in its number or status.
  func isLike(_ other: OTLPDelivery) -> Bool {
    switch (self, other) {
    case (.taken, .taken), (.partlyTaken, .partlyTaken), (.postponed, .postponed),
      (.refused, .refused):
      true
    default: false
    }
  }

  /// Returns the number of rejected parts, a text as all integers of 64 bits; 0 if the answer has none.
  private static func rejected(in body: [UInt8], of content: OTLPContent) -> Int {
    switch (try? JSONValue(parsing: body))?["partialSuccess"]?[content.rejectedMember] {
    case .string(let text)?: Int(text) ?? 0
    case .integer(let number)?: number
    default: 0
    }
  }
}
