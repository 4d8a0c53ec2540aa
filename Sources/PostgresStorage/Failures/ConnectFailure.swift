internal import SQLStorage

/// The reason why connecting failed; the detail holds no secret.
struct ConnectFailure: Error, Hashable, Sendable {
  /// The server's answer, or nil if it was not reached.
  var state: SQLState?
  var detail: String

  /// Whether a later attempt may succeed: the server is starting, full or unreachable.
  var isTransient: Bool { state?.isTransient ?? true }
}

extension ConnectFailure {
  /// Reads libpq's verbose message, `…FATAL:  28P01: text`, followed by a line with the place in
  /// the source.
  ///
  /// The words may be translated; their order is fixed.
  init(verboseMessage message: String) {
    let lines = message.split(separator: "\n").filter { !$0.hasPrefix("LOCATION:") }
    let text = lines.joined(separator: "; ")
    let code = text.split(separator: ":  ").dropFirst().first?.prefix { $0 != ":" }
    state = code.flatMap { Self.isCode($0) ? SQLState(rawValue: String($0)) : nil }
    detail = text
  }

  private static func isCode(_ text: Substring) -> Bool {
    text.utf8.count == 5 && text.allSatisfy { $0.isASCII && ($0.isNumber || $0.isUppercase) }
  }
}

extension ConnectFailure {
  init(_ failure: ServerFailure) {
    switch failure {
    case .lost(let detail): self.init(state: nil, detail: detail)
    case .refused(let state, let detail, _): self.init(state: state, detail: detail)
    }
  }

  /// The same failure for the records.
  var reported: SQLFailure {
    guard let state, !state.isTransient else {
      return .unavailable(mayHaveCommitted: false, detail: detail)
    }
    return .other(code: state.number, detail: detail)
  }
}

/// A server that could not be reached within the time limit.
struct Unreached: Error {
  let failure: SQLFailure
}
