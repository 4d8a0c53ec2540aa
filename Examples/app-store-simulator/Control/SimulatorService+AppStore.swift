import HTTPMessages
import ReceiptVerifier
import StorekeeperTesting

// What Apple's servers answer.

extension SimulatorService {
  /// Answers as one of Apple's two servers, whatever is asked.
  func verifyReceipt(
    _ call: ControlCall, _ server: VerifyReceiptServer
  ) async throws -> HTTPResponse {
    // The clock follows the machine's.
    _ = await simulation.now
    var request = call.request
    request.url = server.url
    return try await simulation.appStore(server.environment).send(request)
  }

  /// The certificate that a server has to trust for the notifications of version 2.
  func root() async -> HTTPResponse {
    HTTPResponse(
      status: .ok, headers: [.contentType: "application/pkix-cert", .cacheControl: "no-store"],
      body: simulation.authority.certificate(.root))
  }
}
