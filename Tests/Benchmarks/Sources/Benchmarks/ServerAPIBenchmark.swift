import AppStoreServerAPI
import CBaseline
import Foundation
import HTTPMessages
import JSONValues
import JWSVerifier
import ReceiptModels
import StoreSimulators
import StorekeeperTesting

/// Signing a bearer token, and reading a page of 20 transactions.
struct ServerAPIBenchmark {
  private let signer: ServerAPITokenSigner
  private let client: AppStoreServerClient
  private let parallel: AppStoreServerClient
  private let verification: OpaquePointer

  struct Unavailable: Error {}

  init() throws {
    let sample = try Sample()
    let tokens = try (0..<20).map { try sample.token(number: $0) }
    let page: JSONValue = .object([
      "revision": .string("1700000000000_1"), "hasMore": .boolean(false),
      "bundleId": .string("com.example.reader"), "environment": .string("Sandbox"),
      "signedTransactions": .array(tokens.map { .string($0) }),
    ])
    let transport = CannedTransport(body: page.serialized)
    let key = try TestServerAPIKey()
    let signingKey = try SigningKey(pem: key.pem, keyID: key.keyID)
    signer = try ServerAPITokenSigner(
      key: signingKey, issuerID: key.issuerID, bundleID: "com.example.reader")
    let anchor = try sample.authority.fingerprintAnchor
    func client(isParallel: Bool) throws -> AppStoreServerClient {
      var configuration = AppStoreServerClient.Configuration()
      configuration.server = .sandbox
      configuration.verifiesInParallel = isParallel
      configuration.limiter = RequestLimiter(isLimiting: false)
      return try AppStoreServerClient(
        key: signingKey, issuerID: key.issuerID, bundleID: "com.example.reader",
        verifier: SignedDataVerifier(
          apps: [App(bundleID: "com.example.reader")], environments: [.sandbox],
          trustAnchors: [anchor]),
        transport: transport, configuration: configuration)
    }
    self.client = try client(isParallel: false)
    parallel = try client(isParallel: true)
    let digest = [UInt8](repeating: 0x5A, count: 32)
    guard let verification = verification_new("P-256", digest, digest.count) else {
      throw Unavailable()
    }
    self.verification = verification
  }

  func measured(rounds: Int) async throws -> Measurement {
    var costs = Measurement()
    let now = Date()
    for _ in 0..<rounds {
      costs.add("sign", count: 400) {
        precondition(signing_run(verification, 400) == 1, "OpenSSL could not sign")
      }
      try costs.add("token", count: 400) {
        for _ in 0..<400 { _ = try signer.token(at: now) }
      }
      costs.add("P-256", count: 400) {
        precondition(verification_run(verification, 400) == 1, "OpenSSL could not verify")
      }
      try await costs.add("call", count: 100, clock: cpu_nanoseconds) {
        for _ in 0..<100 { try await client.finishTransaction("1") }
      }
      for (name, client) in [("page", client), ("page on all cores", parallel)] {
        let clock = name == "page" ? cpu_nanoseconds : wall_nanoseconds
        try await costs.add(name, count: 20, clock: clock) {
          for _ in 0..<20 { try await read(client) }
        }
      }
      try await costs.add("page, time", count: 20, clock: wall_nanoseconds) {
        for _ in 0..<20 { try await read(client) }
      }
    }
    return costs
  }

  private func read(_ client: AppStoreServerClient) async throws {
    let all = try await client.transactionHistory(of: "1").all()
    precondition(all.transactions.count == 20, "transactions are missing")
  }

  func report(_ costs: Measurement) {
    print("calls of the App Store Server API, answered from memory; CPU time, medians:")
    costs.show("raw P-256 signing, OpenSSL in C", "sign")
    costs.show("bearer token", "token", [("sign", 1)], "raw P-256 signing")
    costs.show("a call without an answer", "call", [("sign", 1)], "raw P-256 signing")
    costs.show(
      "history page of 20, the call included", "page", [("P-256", 20)], "20 raw P-256")
    costs.show(
      "history page of 20, without the call", "page", [("P-256", 20), ("call", 1)],
      "(20 raw P-256 + a call)")
    print("time:")
    costs.show("history page of 20", "page, time")
    costs.show("the same on all cores", "page on all cores", [("page, time", 1)], "one core")
  }
}

/// A transport that answers everything with the same page, or nothing to a request that writes.
struct CannedTransport: HTTPTransport {
  let body: [UInt8]

  func send(_ request: HTTPRequestMessage) async throws -> HTTPResponseMessage {
    HTTPResponseMessage(status: .ok, body: request.method == .get ? body : [])
  }
}
