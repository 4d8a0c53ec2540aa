import Foundation
import HTTPMessages
import ReceiptModels
import ReceiptVerifier
import Testing

@Suite("Statuses of verifyReceipt")
struct VerifyReceiptStatusTests {
  private typealias Scene = VerifyReceiptScene

  @Test("a valid receipt is verified with one request")
  func valid() async throws {
    let transport = ScriptedTransport([.valid()])
    let receipt = try await Scene.client(transport).verify(base64: Scene.receipt)
    #expect(receipt.environment == .production)
    #expect(receipt.attempts == 1)
    #expect(receipt.transactionID == "1000")
    #expect(receipt.requestDate.timeIntervalSince1970 == 1_700_000_001.5)
    #expect(receipt.rawBody == Scene.validResponse().body)
    #expect(receipt.response.latestReceiptInfo?.count == 1)
  }

  @Test(
    "final statuses are asked for once",
    arguments: [
      (21003, VerifyReceiptFailure.refused(.notAuthenticated)),
      (21004, .transient(.sharedSecretMismatch)),
      (21010, .refused(.accountNotFound)),
      (21008, .refused(.wrongServer(.productionReceipt))),
      (21000, .transient(.unknownStatus(.notPost))),
      (21001, .transient(.unknownStatus(.noLongerSent))),
      (2, .transient(.unknownStatus(VerifyReceiptStatus(rawValue: 2)))),
      (21200, .transient(.unknownStatus(VerifyReceiptStatus(rawValue: 21200)))),
      (-1, .transient(.unknownStatus(VerifyReceiptStatus(rawValue: -1)))),
    ])
  func final(code: Int, expected: VerifyReceiptFailure) async throws {
    let transport = ScriptedTransport([.status(code), .valid()])
    #expect(try await Scene.failure(of: Scene.client(transport)) == expected)
    #expect(transport.requests.count == 1)
  }

  @Test("statuses of trouble are repeated", arguments: [21002, 21005, 21009, 21100, 21150, 21199])
  func trouble(code: Int) async throws {
    let transport = ScriptedTransport([.status(code), .status(code), .valid()])
    let receipt = try await Scene.client(transport).verify(base64: Scene.receipt)
    #expect(receipt.attempts == 3)
  }

  @Test(
    "21100 to 21199 follow the flag, in either spelling and any type",
    arguments: ["is-retryable", "is_retryable"], ["true", "false", "1", "0", #""true""#, #""0""#])
  func flag(name: String, value: String) async throws {
    let isRetryable = value.contains("true") || value.contains("1")
    let transport = ScriptedTransport([.body(#"{"status":21100,"\#(name)":\#(value)}"#), .valid()])
    let failure = try await Scene.failure(of: Scene.client(transport))
    #expect(
      failure
        == (isRetryable
          ? nil : .transient(.internalDataAccess(VerifyReceiptStatus(rawValue: 21100)))))
    #expect(transport.requests.count == (isRetryable ? 2 : 1))
  }

  @Test("the flag changes nothing about other statuses")
  func flagElsewhere() async throws {
    #expect(
      try await Scene.failure(.body(#"{"status":21010,"is_retryable":true}"#), .valid())
        == .refused(.accountNotFound))
    #expect(
      try await Scene.failure(.body(#"{"status":"21003","is-retryable":1}"#), .valid())
        == .refused(.notAuthenticated))
  }

  @Test("21006 is a success with the expired transactions")
  func expired() async throws {
    let body = """
      {"status":21006,"receipt":{"bid":"\(Scene.bundleID)","transaction_id":"7"},\
      "latest_expired_receipt_info":{"bid":"\(Scene.bundleID)","original_transaction_id":"5",\
      "transaction_id":"6","product_id":"p",\
      "expires_date":"1600000000000"}}
      """
    let transport = ScriptedTransport([.body(body)])
    let receipt = try await Scene.client(transport).verify(base64: Scene.receipt)
    #expect(receipt.response.status == .subscriptionExpired)
    #expect(receipt.response.latestExpiredReceiptInfo?.count == 1)
    #expect(receipt.transactionID == "5")
    #expect(receipt.requestDate == Scene.now)
  }

  // MARK: The two servers

  @Test("21007 goes to the Sandbox, 21008 to Production, with the same body")
  func otherServer() async throws {
    for (first, code) in [(VerifyReceiptServer.production, 21007), (.sandbox, 21008)] {
      let transport = ScriptedTransport([.status(code), .valid()])
      let receipt = try await Scene.client(transport)
        .verify(base64: Scene.receipt, startingAt: first)
      let second: VerifyReceiptServer = first == .production ? .sandbox : .production
      #expect(transport.servers == [first, second])
      #expect(receipt.environment == second.environment)
      #expect(receipt.attempts == 2)
      #expect(Set(transport.requests.map(\.body)).count == 1)
    }
  }

  @Test(
    "the second server's status alone counts, and there is no third question",
    arguments: [
      (21008, VerifyReceiptFailure.refused(.wrongServer(.productionReceipt)), 2),
      (21007, .refused(.wrongServer(.sandboxReceipt)), 2),
      (21003, .refused(.notAuthenticated), 2),
      (21002, .transient(.malformedReceipt), 4),
    ])
  func secondStatus(code: Int, expected: VerifyReceiptFailure, count: Int) async throws {
    let transport = ScriptedTransport([.status(21007), .status(code)])
    #expect(try await Scene.failure(of: Scene.client(transport)) == expected)
    #expect(transport.requests.count == count)
  }

  @Test("the other server is not asked when it must not be")
  func noFallback() async throws {
    let transport = ScriptedTransport([.status(21008), .valid()])
    let client = try Scene.client(transport) { $0.fallbacks = [.sandbox] }
    #expect(
      try await Scene.failure(of: client, startingAt: .sandbox)
        == .refused(.wrongServer(.productionReceipt)))
    #expect(transport.requests.count == 1)
  }

  @Test("trouble of the second server is repeated there")
  func troubleThere() async throws {
    let transport = ScriptedTransport([.status(21005), .status(21007), .status(21005), .valid()])
    let receipt = try await Scene.client(transport).verify(base64: Scene.receipt)
    #expect(transport.servers == [.production, .production, .sandbox, .sandbox])
    #expect(receipt.attempts == 4)
  }
}
