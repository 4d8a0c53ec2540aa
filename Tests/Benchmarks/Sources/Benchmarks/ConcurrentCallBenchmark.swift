import AppStoreServerAPI
import CBaseline
import CurlTransport
import Foundation
import HTTPMessages
import JWSVerifier
import ReceiptModels
import StoreSimulators
import StorekeeperTesting

/// A thousand calls at a time against a server on the same machine: the client's CPU time a call
/// beside that of the transport alone.
///
/// The server is a process of its own, so that its time does not count.
struct ConcurrentCallBenchmark {
  let rounds: Int

  private static let calls = 1000

  private static let server = """
    import asyncio
    async def serve(reader, writer):
        try:
            while True:
                head = await reader.readuntil(b"\\r\\n\\r\\n")
                for line in head.split(b"\\r\\n"):
                    if line.lower().startswith(b"content-length:"):
                        await reader.readexactly(int(line.split(b":")[1]))
                writer.write(b"HTTP/1.1 200 OK\\r\\nContent-Length: 0\\r\\n\\r\\n")
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()
    async def main():
        server = await asyncio.start_server(serve, "127.0.0.1", 0, backlog=2048)
        print(server.sockets[0].getsockname()[1], flush=True)
        await server.serve_forever()
    asyncio.run(main())
    """

  func run() async throws {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", "-c", Self.server]
    process.standardOutput = output
    try process.run()
    defer { process.terminate() }
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    let url = "http://127.0.0.1:" + line.trimmingCharacters(in: .whitespacesAndNewlines)
    report(try await measured(url))
  }

  private func measured(_ url: String) async throws -> Measurement {
    let transport = CurlHTTPTransport()
    let key = try TestServerAPIKey()
    var configuration = AppStoreServerClient.Configuration()
    configuration.server = .sandbox
    configuration.urls = [.sandbox: url]
    configuration.allowsHTTP = true
    configuration.limiter = RequestLimiter(isLimiting: false)
    let signingKey = try SigningKey(pem: key.pem, keyID: key.keyID)
    let client = try AppStoreServerClient(
      key: signingKey, issuerID: key.issuerID, bundleID: "com.example.reader",
      verifier: SignedDataVerifier(
        apps: [App(bundleID: "com.example.reader")], environments: [.sandbox],
        trustAnchors: [TestAuthority().trustAnchor]),
      transport: transport, configuration: configuration)
    let token = try ServerAPITokenSigner(
      key: signingKey, issuerID: key.issuerID, bundleID: "com.example.reader"
    ).token(at: Date())
    var headers: HTTPHeaders = [.accept: "application/json"]
    try headers.append("Bearer " + token, for: .authorization)
    let request = HTTPRequestMessage(
      method: .post, url: url + "/inApps/v1/transactions/1/finish", headers: headers,
      timeout: .seconds(30), responseLimit: 1 << 20)
    var costs = Measurement()
    for _ in 0..<rounds {
      try await costs.add("transport", count: Self.calls, clock: cpu_nanoseconds) {
        try await all { _ = try await transport.send(request) }
      }
      try await costs.add("client", count: Self.calls, clock: cpu_nanoseconds) {
        try await all { try await client.finishTransaction("1") }
      }
    }
    return costs
  }

  private func all(_ call: @escaping @Sendable () async throws -> Void) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<Self.calls { group.addTask { try await call() } }
      try await group.waitForAll()
    }
  }

  private func report(_ costs: Measurement) {
    print("1000 calls at a time to a server on this machine; CPU time a call, medians:")
    costs.show("the transport alone", "transport")
    costs.show("the client on it", "client", [("transport", 1)], "the transport")
    print(
      String(
        format: "  added by the client: %.1f µs",
        costs.microseconds("client") - costs.microseconds("transport")))
  }
}
