import HTTPMessages
import JSONValues
import ReceiptModels
import StorekeeperHTTP

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The log of requests, a line each, on standard output.
///
/// No line holds a token, a receipt or an identifier of a user.
struct AccessLog: RequestObserver {
  func observe(_ report: RequestReport) { Output.standard.write(report) }

  /// Returns the line about a request that was answered at a date.
  static func line(_ report: RequestReport, at date: Date) -> LogLine {
    var line = LogLine(at: date)
    line.add("id", report.id)
    line.add("method", report.method.name)
    line.add("route", report.route)
    line.add("caller", report.caller)
    line.add("status", .integer(report.status.code))
    switch report.outcome {
    case .succeeded: break
    case .refused(let field, let code):
      if let field { line.add("field", field) }
      if let code { line.add("code", code) }
    case .cancelled: line.add("outcome", "cancelled")
    case .overloaded: line.add("outcome", "overloaded")
    case .failed(let error): line.add("error", SafeText.of(error))
    }
    if let reason = report.reason { line.add("reason", reason) }
    line.add("ms", .integer(Int(report.duration / .milliseconds(1))))
    line.add("requestBytes", .integer(report.requestBytes))
    line.add("responseBytes", .integer(report.responseBytes))
    return line
  }

  /// Notes a request that the API does not see.
  static func note(_ request: HTTPRequestMessage, route: String, _ response: HTTPResponseMessage) {
    var line = LogLine()
    line.add("method", request.method.name)
    line.add("route", route)
    line.add("status", .integer(response.status.code))
    Output.standard.write(line)
  }
}

/// One JSON object on one line, its members in order; the first is the time.
struct LogLine {
  private var json: [UInt8] = []

  init(at date: Date = Date()) {
    json.reserveCapacity(256)
    // RFC 3339 in UTC, such as `2030-01-31T08:15:00.042Z`.
    let moment = Moment(date)
    json += "{\"time\":\"".utf8
    moment.append(as: .rfc3339, to: &json)
    json.removeLast()
    json += ".\(String(1000 + moment.milliseconds - 1000 * moment.seconds).dropFirst())Z\"".utf8
  }

  /// Adds a member; a name has no characters to escape.
  mutating func add(_ name: String, _ value: JSONValue) {
    json += ",\"".utf8
    json += name.utf8
    json += "\":".utf8
    value.append(to: &json)
  }

  mutating func add(_ name: String, _ text: String?) {
    add(name, text.map(JSONValue.string) ?? .null)
  }

  /// The object and the end of the line.
  consuming func bytes() -> [UInt8] {
    json += "}\n".utf8
    return json
  }
}
