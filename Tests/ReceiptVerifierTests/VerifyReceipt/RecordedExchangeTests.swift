import StorekeeperFixtures
import Foundation
import HTTPMessages
import JSONValues
import ReceiptModels
import ReceiptVerifier
import Testing

@Suite(
  "Recorded exchanges with Apple", .enabled(if: Fixtures.areAvailable, "\(Fixtures.absence)"))
struct RecordedExchangeTests {
  /// Recorded requests and Apple's answers.
  private struct Recording {
    let requests: [(url: String, receipt: String)]
    let responses: [HTTPResponseMessage]

    init(_ path: String) throws {
      let json = try JSONValue(parsing: Array(Fixtures.data("verify-receipt/http/" + path)))
      guard case .array(let exchanges) = json else { throw CocoaError(.coderReadCorrupt) }
      requests = try exchanges.map { exchange in
        guard case .string(let url)? = exchange["request"]?["url"],
          case .string(let body)? = exchange["request"]?["body"],
          case .string(let receipt)? = try JSONValue(parsing: Array(body.utf8))["receipt-data"]
        else { throw CocoaError(.coderReadCorrupt) }
        return (url, receipt)
      }
      responses = try exchanges.map { exchange in
        guard case .integer(let code)? = exchange["response"]?["status_code"],
          case .string(let body)? = exchange["response"]?["body"],
          case .object(let fields)? = exchange["response"]?["headers"]
        else { throw CocoaError(.coderReadCorrupt) }
        var headers = HTTPHeaders()
        for case (let name, .string(let value)) in fields {
          try headers.append(value, for: HTTPHeaderName(name))
        }
        return HTTPResponseMessage(
          status: HTTPStatusCode(code), headers: headers, body: Array(body.utf8))
      }
    }
  }

  private func replay(
    _ path: String, bundleID: String = "com.sumiapp.GridDiary",
    _ change: (inout VerifyReceiptClient.Configuration) -> Void = { _ in }
  ) async throws -> (Result<VerifiedReceipt, any Error>, ScriptedTransport, Recording) {
    let recording = try Recording(path)
    let transport = ScriptedTransport(recording.responses.map { .response($0) })
    var configuration = VerifyReceiptClient.Configuration()
    configuration.environments = [.sandbox]
    configuration.missingSubscriptions = .accept
    configuration.clock = SleeplessClock()
    change(&configuration)
    let client = try VerifyReceiptClient(
      transport: transport, bundleIDs: [bundleID], configuration: configuration)
    let receipt = try #require(recording.requests.first?.receipt)
    do {
      return (.success(try await client.verify(base64: receipt)), transport, recording)
    } catch {
      return (.failure(error), transport, recording)
    }
  }

  private func sent(_ transport: ScriptedTransport) throws -> [(url: String, receipt: String)] {
    try transport.requests.map { request in
      guard case .string(let receipt)? = try JSONValue(parsing: request.body)["receipt-data"]
      else { throw CocoaError(.coderReadCorrupt) }
      return (request.url, receipt)
    }
  }

  @Test("a receipt of the Sandbox: 21007, then two purchases without subscription")
  func sandboxReceipt() async throws {
    let (result, transport, recording) = try await replay("receipt.json")
    let receipt = try result.get()
    #expect(receipt.environment == .sandbox)
    #expect(receipt.response.receipt?.inApp?.count == 2)
    #expect(receipt.rawBody == recording.responses.last?.body)
    #expect(receipt.requestDate == receipt.response.requestDate)
    #expect(receipt.transactionID == "1000000118990828")
    let sent = try sent(transport)
    #expect(sent.map(\.url) == recording.requests.map(\.url))
    #expect(sent.map(\.receipt) == recording.requests.map(\.receipt))
  }

  @Test("the same is refused where subscriptions are needed, and for another app")
  func refused() async throws {
    let (result, _, _) = try await replay("receipt.json") { $0.missingSubscriptions = .refuse }
    #expect(await reason { try result.get() } == .refused(.noSubscriptions))
    let (other, _, _) = try await replay("receipt.json", bundleID: "com.example.reader")
    #expect(
      await reason { try other.get() } == .refused(.bundleMismatch(found: "com.sumiapp.GridDiary")))
  }

  @Test("a receipt of the Sandbox without a second question: 21007")
  func productionOnly() async throws {
    let (result, transport, recording) = try await replay("sandbox_receipt_to_production.json") {
      $0.fallbacks = []
    }
    #expect(await reason { try result.get() } == .refused(.wrongServer(.sandboxReceipt)))
    #expect(try sent(transport).map(\.receipt) == recording.requests.map(\.receipt))
  }

  @Test("something that is no receipt: 21002")
  func invalidReceipt() async throws {
    let (result, transport, recording) = try await replay("invalid_receipt.json")
    #expect(await reason { try result.get() } == .transient(.malformedReceipt))
    #expect(try sent(transport).map(\.receipt) == ["foobar", "foobar", "foobar"])
    #expect(recording.requests.map(\.receipt) == ["foobar"])
  }
}
