import HTTPMessages
import StorekeeperFixtures

extension ScriptedAnswer {
  /// An answer with header fields.
  static func status(_ code: Int, _ body: String, headers: [HTTPHeaderName: String]) -> Self {
    var fields = HTTPHeaders()
    for (name, value) in headers { try? fields.append(value, for: name) }
    return .status(code, body, fields)
  }

  /// An error in the form of Google's APIs.
  static func error(
    _ code: Int, _ reason: String, _ status: String = "",
    _ headers: [HTTPHeaderName: String] = [:]
  ) -> Self {
    let body =
      #"{"error":{"code":\#(code),"message":"A text.","status":"\#(status)","#
      + #""errors":[{"message":"A text.","domain":"global","reason":"\#(reason)"}]}}"#
    return .status(code, body, headers: headers)
  }
}
