import HTTPMessages
import PurchaseStorage
import StorekeeperHTTP

/// One line a request, on standard output; no token, receipt or identifier of a user is in it.
struct AccessLog: RequestObserver {
  func observe(_ report: RequestReport) {
    var line = LogLine()
    line.add("id", report.id)
    line.add("method", report.method.name)
    line.add("route", report.route)
    line.add("caller", report.caller)
    line.add("status", .number(report.status.code))
    switch report.outcome {
    case .succeeded: break
    case .refused(let field, let code):
      if let field { line.add("field", field) }
      if let code { line.add("code", code) }
    case .cancelled: line.add("outcome", "cancelled")
    case .overloaded: line.add("outcome", "overloaded")
    case .failed(let error): line.add("error", SafeText.of(error))
    }
    line.add("ms", .number(Int(report.duration / .milliseconds(1))))
    line.add("requestBytes", .number(report.requestBytes))
    line.add("responseBytes", .number(report.responseBytes))
    Output.standard.write(line)
  }

  /// For what the API does not see.
  static func note(_ request: HTTPRequest, route: String, _ response: HTTPResponse) {
    var line = LogLine()
    line.add("method", request.method.name)
    line.add("route", route)
    line.add("status", .number(response.status.code))
    Output.standard.write(line)
  }
}

/// What of an error may stand in a log.
enum SafeText {
  /// Its type; and its words where they are known to hold no secret.
  static func of(_ error: any Error) -> String {
    switch error {
    case let failure as StorageFailure: "StorageFailure: \(failure)"
    case let failure as HTTPTransportFailure: "HTTPTransportFailure: \(failure)"
    default: String(describing: type(of: error))
    }
  }
}
