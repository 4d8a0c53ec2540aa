import Foundation
import HTTPMessages
import StorekeeperCrypto
import JSONValues
import ReceiptModels
import ReceiptVerifier
import Testing

@Suite("Requests to verifyReceipt")
struct VerifyReceiptRequestTests {
  private typealias Scene = VerifyReceiptScene

  private func sent(
    _ text: String, secret: String? = Scene.secret,
    _ change: (inout VerifyReceiptClient.Configuration) -> Void = { _ in }
  ) async throws -> HTTPRequestMessage {
    let transport = ScriptedTransport([.valid()])
    _ = try await Scene.client(transport, secret: secret, change).verify(base64: text)
    return try #require(transport.requests.first)
  }

  @Test("posts JSON to Production")
  func request() async throws {
    let request = try await sent(Scene.receipt)
    #expect(request.method == .post)
    #expect(request.url == "https://buy.itunes.apple.com/verifyReceipt")
    #expect(request.headers[.contentType] == "application/json")
    #expect(request.timeout == .seconds(30))
    #expect(request.responseLimit == 16 << 20)
    let body = try JSONValue(parsing: request.body)
    #expect(
      body
        == .object([
          "receipt-data": .string(Scene.receipt), "password": .string(Scene.secret),
          "exclude-old-transactions": .boolean(false),
        ]))
  }

  @Test("sends no password without a secret, and excludes old transactions if configured")
  func options() async throws {
    let request = try await sent(Scene.receipt, secret: nil) { $0.excludesOldTransactions = true }
    let body = try JSONValue(parsing: request.body)
    #expect(body["password"] == nil)
    #expect(body["exclude-old-transactions"] == .boolean(true))
  }

  @Test("sends base64 in one line, however it came", arguments: ["\n", "\r\n"])
  func lineBreaks(lineBreak: String) async throws {
    let lines = stride(from: 0, to: Scene.receipt.count, by: 64).map {
      String(Scene.receipt.dropFirst($0).prefix(64))
    }
    let request = try await sent(lines.joined(separator: lineBreak) + lineBreak)
    #expect(try JSONValue(parsing: request.body)["receipt-data"] == .string(Scene.receipt))
  }

  @Test("leaves out white space around a text of no known kind too")
  func whiteSpace() async throws {
    let request = try await sent(" foo\nbar \t\r\n")
    #expect(try JSONValue(parsing: request.body)["receipt-data"] == .string("foobar"))
  }

  @Test("sends DER in base64")
  func der() async throws {
    let der = try #require(Base64.decode(Array(Scene.receipt.utf8)[...], .standard))
    let transport = ScriptedTransport([.valid()])
    _ = try await Scene.client(transport).verify(der: der)
    let request = try #require(transport.requests.first)
    #expect(try JSONValue(parsing: request.body)["receipt-data"] == .string(Scene.receipt))
  }

  @Test("uses configured addresses")
  func addresses() async throws {
    let request = try await sent(Scene.receipt) { $0.urls[.production] = "https://a.example/" }
    #expect(request.url == "https://a.example/")
  }

  @Test(
    "asks nobody about what is no receipt",
    arguments: [
      ("", ReceiptKind.empty), ("eyJhbGciOiJFUzI1NiJ9.e30.AAAA", .signedData),
      ("MIAGCSqGSIb3DQEHAqCAMIACAQExDzANBglghkgBZQMEAgEFADCABgkqhkiG9w0BBwGg", .xcodeReceipt),
      ("TUlJVU5n", .doubleBase64), ("MIIV NAYJ KoZI", .formMangledBase64),
      ("MIIV%2BNAYJ", .formMangledBase64), ("receipt-data", .unknown), ("<html>", .unknown),
    ])
  func otherInput(text: String, kind: ReceiptKind) async throws {
    let transport = ScriptedTransport([.valid()])
    await #expect(throws: VerifyReceiptFailure.refused(.input(.inputKind(kind)))) {
      try await Scene.client(transport).verify(base64: text)
    }
    #expect(transport.requests.isEmpty)
  }

  @Test("sends no receipts larger than 1 MiB")
  func tooLarge() async throws {
    let transport = ScriptedTransport([.valid()])
    let limit = 1 << 20
    for (count, requests) in [(limit, 1), (limit + 1, 1)] {
      let der = [0x30, 0x82, 0xFF, 0xFF] + [UInt8](repeating: 0, count: count - 4)
      _ = try? await Scene.client(transport).verify(der: der)
      #expect(transport.requests.count == requests)
    }
    await #expect(throws: VerifyReceiptFailure.refused(.input(.tooLarge(limit: limit)))) {
      try await Scene.client(transport)
        .verify(der: [0x30, 0x82, 0xFF, 0xFF] + [UInt8](repeating: 0, count: limit))
    }
  }

  @Test("is not configured without an app, an environment or a secret's text")
  func configuration() {
    typealias Failure = VerifyReceiptClient.ConfigurationFailure
    let transport = ScriptedTransport([.valid()])
    for apps in [[], [""]] as [Set<String>] {
      #expect(throws: Failure.noBundleID) {
        try VerifyReceiptClient(transport: transport, bundleIDs: apps)
      }
    }
    #expect(throws: Failure.noEnvironment) { try Scene.client(transport) { $0.environments = [] } }
    #expect(throws: Failure.environmentNotServed(.xcode)) {
      try Scene.client(transport) { $0.environments = [.production, .xcode] }
    }
    #expect(throws: Failure.emptySharedSecret) { try Scene.client(transport, secret: "") }
    for attempts in [0, -1, Int.min] {
      #expect(throws: Failure.noAttempts) {
        try Scene.client(transport) { $0.retries.attempts = attempts }
      }
    }
    for deadline in [Duration.zero, .seconds(-1), .seconds(Int64.min)] {
      #expect(throws: Failure.noTime) { try Scene.client(transport) { $0.deadline = deadline } }
    }
    for pause in [\RetryPolicy.firstPause, \.longestPause] {
      #expect(throws: Failure.negativePause) {
        try Scene.client(transport) { $0.retries[keyPath: pause] = .seconds(-1) }
      }
    }
    #expect(throws: Failure.negativeResponseLimit) {
      try Scene.client(transport) { $0.responseLimit = -1 }
    }
  }
}
