import HTTPMessages
import JSONValues
import ReceiptModels
import ReceiptVerifier
import StoreSimulators
import StorekeeperTesting

// The answers of Apple's servers, the root certificates, and the page.

extension SimulatorService {
  /// Answers as one of Apple's two servers, whatever the request.
  func verifyReceipt(
    _ call: ControlCall, _ server: VerifyReceiptServer
  ) async throws -> HTTPResponseMessage {
    // The clock follows the machine's.
    _ = await simulation.now
    guard await !simulation.isAway else { return .unreachable }
    var request = call.request
    request.url = server.url
    return try await simulation.developer(server.environment).send(request)
  }

  /// Answers as a host of the server APIs, and sends the notifications that the request caused.
  func serverAPI(
    _ call: ControlCall, _ address: ServerAPIAddress
  ) async throws -> HTTPResponseMessage {
    // The clock follows the machine's.
    _ = await simulation.now
    guard await !simulation.isAway else { return .unreachable }
    await simulation.prepareServerAPI()
    var request = call.request
    request.url = address.url
    do {
      let response = try await simulation.developer(address.environment).send(request)
      let service = self
      // Apple does not wait for the webhook, which may be the server that asks.
      Task { await service.deliverServerAPINotifications(address.environment) }
      return response
    } catch let failure as HTTPTransportFailure {
      // A server cannot break off its own answer; this is what a proxy makes of that.
      return HTTPResponseMessage(
        status: failure.reason == .timedOut ? 504 : 502,
        body: Array("<html><body>Bad Gateway</body></html>".utf8))
    }
  }

  /// Signs a payload as Apple would, also one that no order makes.
  func sign(_ call: ControlCall) async throws -> HTTPResponseMessage {
    let body = try ControlBody(parsing: call.request.body)
    let given = try body.value("payload", .object) { json -> JSONValue? in
      if case .object = json { json } else { nil }
    }
    let payload = try body.required("payload", .object, given)
    let appStore = await simulation.developer(.production).apps[0]
    return .json(["signed": .string(try appStore.signedDataAuthority.sign(payload))])
  }
}

extension HTTPResponseMessage {
  /// Returns a certificate that a server has to trust, in DER.
  static func certificate(_ der: [UInt8]) -> HTTPResponseMessage {
    HTTPResponseMessage(
      status: .ok, headers: [.contentType: "application/pkix-cert", .cacheControl: "no-store"],
      body: der)
  }

  /// The answer in place of Apple's while Apple is away.
  static let unreachable = HTTPResponseMessage(
    status: 503, body: Array("<html><body>Service Unavailable</body></html>".utf8))

  /// The page with the buttons.
  static let page = HTTPResponseMessage(
    status: .ok,
    headers: [
      .contentType: "text/html; charset=utf-8", .cacheControl: "no-store",
      // The page is one file: it loads nothing, and no other page may frame it.
      "Content-Security-Policy":
        "default-src 'none'; img-src data:; script-src 'unsafe-inline'; style-src 'unsafe-inline'; connect-src 'self'; frame-ancestors 'none'",
    ], body: PackageResources.page_html)
}
