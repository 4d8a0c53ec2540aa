import AppStoreServerAPI
import Foundation
import HTTPMessages
import JSONValues
import JWSVerifier
import ReceiptModels
import StorekeeperFixtures
import Testing

@Suite("Too many requests") struct RetryAfterTests {
  /// The header, and the expected pause in seconds; nil for a back-off.
  static let headers: [(String, Double?)] = [
    // Dates in milliseconds; the scene begins at 1793491200250.
    ("1793491205250", 5), ("1793491200251", 0.001), ("1793491200250", 0), ("1793491200249", 0),
    ("1000000000", 0), ("1793577600250", 86_400), ("1793577600251", nil),
    ("9223372036854775807", nil), ("99999999999999999999999", nil),
    // Small numbers are seconds.
    ("0", 0), ("30", 30), ("86400", 86_400), ("86401", nil), ("999999999", nil),
    // Anything else is not relied on.
    ("", nil), ("-5", nil), ("+5", nil), ("1.5", nil), ("soon", nil), ("5 s", nil), ("0x10", nil),
    ("٥", nil), ("Sun, 01 Nov 2026 00:00:05 GMT", nil), ("1793491205250, 5", nil), ("1e3", nil),
  ]

  @Test("Retry-After is a date in milliseconds", arguments: headers)
  func header(_ text: String, _ pause: Double?) async throws {
    var headers: HTTPHeaders = [:]
    if text.utf8.allSatisfy({ $0 < 0x80 }) { try headers.append(text, for: .retryAfter) }
    let scene = try ClientScene([.code(4_290_000, headers)]) { $0.attempts = 1 }
    let failure = try await failure { try await scene.client.transactionInfo("1", in: .sandbox) }
    if let pause {
      guard case .notBefore(let date) = failure.retry else {
        Issue.record("\(failure.retry)")
        return
      }
      #expect(abs(date.timeIntervalSince(ClientScene.begin) - pause) < 0.0005)
    } else {
      #expect(failure.retry == .afterBackOff)
    }
  }

  @Test("Without the header there is a back-off, with a status alone too")
  func noHeader() async throws {
    let scene = try ClientScene([.status(429, "")]) { $0.attempts = 1 }
    let failure = try await failure { try await scene.client.transactionInfo("1", in: .sandbox) }
    #expect(failure.retry == .afterBackOff)
  }

  @Test("The client waits until the date, and asks again")
  func waits() async throws {
    let call = try SampleCall.of(.transactionInfo)
    let scene = try ClientScene([
      .code(4_290_000, ["Retry-After": "1793491220250"]), try call.success,
    ])
    try await call.run(scene.client, .sandbox)
    #expect(scene.sent == 2)
    #expect(scene.clock.now.elapsed >= .seconds(20))
    #expect(scene.clock.now.elapsed < .seconds(21))
  }

  @Test("A date beyond the patience ends the call at once")
  func beyondPatience() async throws {
    let scene = try ClientScene([.code(4_290_000, ["Retry-After": "1793491261250"])])
    let failure = try await failure { try await scene.client.transactionInfo("1", in: .sandbox) }
    #expect(failure.retry == .notBefore(ClientScene.begin.addingTimeInterval(61)))
    #expect(failure.code == .rateLimitExceeded)
    #expect(scene.sent == 1)
    #expect(scene.clock.now.elapsed == .zero)
    // The next call knows the date without asking Apple.
    let next = try await AppStoreServerAPITests.failure {
      try await scene.client.transactionInfo("2", in: .sandbox, patience: .seconds(30))
    }
    guard case .limited = next.reason else {
      Issue.record("\(next)")
      return
    }
    #expect(next.retry == .notBefore(ClientScene.begin.addingTimeInterval(61)))
    #expect(scene.sent == 1)
  }

  @Test("A refusal with the status 429 but another code pauses nothing")
  func otherCode() async throws {
    let call = try SampleCall.of(.transactionInfo)
    let scene = try ClientScene([.status(429, #"{"errorCode":4000006}"#), try call.success])
    _ = try await failure { try await call.run(scene.client, .sandbox) }
    try await call.run(scene.client, .sandbox)
    #expect(scene.clock.now.elapsed == .zero)
  }
}
