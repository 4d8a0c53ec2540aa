internal import HTTPMessages
internal import JSONValues

/// The answer to a refused request about credits, with members in the order of the contract (RFC 7807).
///
/// Source: credit rules, section 4.
struct Problem: Error, Sendable {
  let code: ProblemCode
  let detail: String
  /// The parameters, in their order; they hold only what the client itself sent, and reasons.
  let parameters: [OrderedJSON.Member]

  init(_ code: ProblemCode, detail: String? = nil, _ parameters: [OrderedJSON.Member] = []) {
    self.code = code
    self.detail = detail ?? code.detail
    self.parameters = parameters
  }

  static func invalid(_ reason: SignedDataReason) -> Problem {
    Problem(.paymentTransactionInvalid, [.init("reason", reason.rawValue)])
  }

  /// Returns the answer, whose member `type` begins with `base`; `retryAfter`, in seconds, is sent with status 503.
  func response(base: String, retryAfter: String) -> HTTPResponseMessage {
    let name = code.rawValue.lowercased().map { $0 == "_" ? "-" : $0 }
    var members: [OrderedJSON.Member] = [
      .init("type", base + String(name)), .init("title", code.title),
      .init("status", code.status), .init("detail", detail), .init("code", code.rawValue),
    ]
    if !parameters.isEmpty { members.append(.init("params", .object(parameters))) }
    var headers: HTTPHeaders = [.contentType: "application/problem+json"]
    // Digits are a valid value, so `set` does not throw.
    if code == .serviceUnavailable { try? headers.set(retryAfter, for: .retryAfter) }
    return HTTPResponseMessage(
      status: HTTPStatusCode(code.status), headers: headers,
      body: OrderedJSON.object(members).serialized)
  }

  var outcome: RequestOutcome {
    var field: String?
    if case .value(.string(let name))? = parameters.first(where: { $0.name == "field" })?.value {
      field = name
    }
    return .refused(field: field, code: code.rawValue)
  }
}
