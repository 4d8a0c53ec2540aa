public import HTTPMessages
internal import JSONValues

/// An answer of Google with a status of failure.
///
/// The description has the status and the codes, but not the message, which may repeat parts of the
/// request.
///
/// Source: Google Cloud, "Errors" (AIP-193), and the older list `errors` of the same object.
public struct GoogleError: Hashable, Sendable {
  public let status: HTTPStatusCode
  /// Google's code of the error, such as `NOT_FOUND`.
  public let code: String?
  /// The reasons, such as `authError`, in Google's order.
  public let reasons: [String]
  public let message: String?

  /// The maximum number of reasons that are kept.
  private static let maximumReasons = 8

  /// Reads an answer; one that has another form, or none, leaves only the status.
  package init(_ response: HTTPResponseMessage) {
    status = response.status
    let error = (try? JSONValue(parsing: response.body))?["error"]
    code = Self.text(error?["status"]).flatMap(Self.shownCode)
    message = Self.text(error?["message"])
    let found = [error?["errors"], error?["details"]].flatMap { list -> [JSONValue] in
      if case .array(let elements)? = list { elements } else { [] }
    }
    reasons = Array(
      found.lazy.compactMap { Self.text($0["reason"]).flatMap(Self.shownCode) }
        .prefix(Self.maximumReasons))
  }

  /// Returns whether Google gave one of these reasons, or this code.
  func has(_ reasons: Set<String>, code: String? = nil) -> Bool {
    self.reasons.contains { reasons.contains($0) } || code != nil && self.code == code
  }

  /// Returns a code that is fit for a log: up to 64 ASCII letters, digits and underscores.
  static func shownCode(_ text: String) -> String? {
    let isFit = text.utf8.allSatisfy { $0.isLetterOrDigit || $0 == UInt8(ascii: "_") }
    return isFit && (1...64).contains(text.utf8.count) ? text : nil
  }

  private static func text(_ json: JSONValue?) -> String? {
    if case .string(let text)? = json { text } else { nil }
  }
}

extension GoogleError: CustomStringConvertible, CustomReflectable {
  /// The status, the code and the reasons.
  public var description: String {
    (["status \(status)"] + [code].compactMap(\.self) + reasons).joined(separator: ", ")
  }

  public var customMirror: Mirror {
    Mirror(self, children: ["status": status, "code": code as Any, "reasons": reasons])
  }
}
