import CurlTransport
import HTTPMessages
import JSONValues
import ReceiptModels
import Storekeeper

/// A transport that notes whether a source of purchases answers, whoever asks it.
struct WatchedTransport: HTTPTransport {
  /// A meaning of the answers of a service.
  enum Service {
    /// Apple's or Google's API, which tells by the status whether it takes the question.
    case api
    /// The service that gives access to an API. Its consent is no answer of the source.
    case access
    /// Apple's verifyReceipt, which has statuses of its own.
    case verifyReceipt
  }

  private let transport: ObservedTransport
  private let service: Service
  private let vendor: Vendor
  private let appID: String?
  /// The start of the addresses of Apple's Sandbox; nil for a source with one environment.
  private let sandbox: String?

  /// Creates a transport for a client of one app, or of all of a vendor.
  init(
    _ service: Service, of vendor: Vendor, appID: String? = nil, sandbox: String? = nil,
    telemetry: (any Telemetry)?
  ) {
    transport = ObservedTransport(CurlHTTPTransport(), asking: vendor, telemetry: telemetry)
    self.service = service
    self.vendor = vendor
    self.appID = appID
    self.sandbox = sandbox
  }

  func send(_ request: HTTPRequestMessage) async throws -> HTTPResponseMessage {
    let scope = scope(of: request)
    let response: HTTPResponseMessage
    do {
      response = try await transport.send(request)
    } catch {
      if !(error is CancellationError) { FailedSources.known.noteFailure(of: scope) }
      throw error
    }
    if !isAnswer(response) {
      FailedSources.known.noteFailure(of: scope)
    } else if service != .access {
      FailedSources.known.noteAnswer(of: scope)
    }
    return response
  }

  private func scope(of request: HTTPRequestMessage) -> PurchaseScope {
    var scope = PurchaseScope(vendor: vendor, appID: appID)
    if let sandbox { scope.environment = request.url.hasPrefix(sandbox) ? .sandbox : .production }
    return scope
  }

  /// Whether the service took the question, however it answered it.
  private func isAnswer(_ response: HTTPResponseMessage) -> Bool {
    switch service {
    case .api:
      let status = response.status.code
      return ![401, 403, 429].contains(status) && status < 500
    case .access: return response.status == .ok
    case .verifyReceipt: return response.status == .ok && !refusesReceipts(response)
    }
  }

  /// Whether Apple tells that it verifies no receipt of ours: the shared secret is wrong, or Apple has an outage.
  private func refusesReceipts(_ response: HTTPResponseMessage) -> Bool {
    // Such an answer has nothing but the status, and perhaps an exception.
    guard response.body.count < 1024, let json = try? JSONValue(parsing: response.body),
      case .integer(let number)? = json["status"]
    else { return false }
    let status = VerifyReceiptStatus(rawValue: number)
    return [.sharedSecretMismatch, .serverUnavailable, .internalError].contains(status)
      || (21_100...21_199).contains(number)
  }
}
