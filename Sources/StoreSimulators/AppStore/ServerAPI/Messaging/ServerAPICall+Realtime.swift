internal import JSONValues
internal import ReceiptModels
internal import StorekeeperLocks

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension ServerAPICall {
  func setRealtimeURL() throws(ServerAPIRefusal) -> ServerAPIAnswer {
    guard let text = try body()["realtimeURL"]?.text, (1...256).contains(text.utf16.count),
      let parts = URLComponents(string: text), parts.scheme == "https",
      parts.host?.isEmpty == false
    else { throw ServerAPIRefusal(4_000_215) }
    guard server == .sandbox || settings.hasPassedPerformanceTest else {
      throw ServerAPIRefusal(4_030_026)
    }
    try withMessaging { $0.realtimeURL = text }
    return .empty
  }

  func realtimeURL() throws(ServerAPIRefusal) -> ServerAPIAnswer {
    guard let url = messaging.realtimeURL else { throw ServerAPIRefusal(4_040_021) }
    return .json(["realtimeURL": .string(url)])
  }

  func deleteRealtimeURL() throws(ServerAPIRefusal) -> ServerAPIAnswer {
    try withMessaging { (messaging) throws(ServerAPIRefusal) in
      guard messaging.realtimeURL != nil else { throw ServerAPIRefusal(4_040_021) }
      messaging.realtimeURL = nil
    }
    return .empty
  }

  // MARK: Performance tests

  /// The duration of a performance test, in milliseconds.
  private static let duration = 60_000

  /// The conditions of a performance test: durations in milliseconds, rates in per cent.
  private static let configuration: JSONValue = .object([
    "maxConcurrentRequests": .integer(10), "totalRequests": .integer(100),
    "totalDuration": .integer(duration), "responseTimeThreshold": .integer(700),
    "successRateThreshold": .integer(99),
  ])

  /// Starts a performance test; Apple makes it in the Sandbox only.
  func startPerformanceTest() throws -> ServerAPIAnswer {
    guard server == .sandbox else { throw ServerAPIRefusal.unknownCall }
    guard let text = try body()["originalTransactionId"]?.text else {
      throw ServerAPIRefusal(4_000_211)
    }
    let id = try Self.number(text, or: .invalidTransactionID)
    let store = store
    if store.customer(appTransactionID: id) != nil { throw ServerAPIRefusal.appTransactionID }
    guard let transaction = store.transaction(id) else {
      throw ServerAPIRefusal.invalidTransactionID
    }
    guard transaction.id == transaction.originalID else { throw ServerAPIRefusal(4_000_187) }
    if let refusal = transaction.sharingRefusal { throw refusal }
    let request = UUID().uuidString.lowercased()
    let (now, passes) = (now, settings.passesPerformanceTests)
    try withMessaging { (messaging) throws(ServerAPIRefusal) in
      guard let target = messaging.realtimeURL else { throw ServerAPIRefusal(4_000_211) }
      guard !messaging.performanceTests.values.contains(where: { Self.isRunning($0, at: now) })
      else { throw ServerAPIRefusal(4_000_213) }
      messaging.performanceTests[request] = .init(start: now, target: target, passes: passes)
    }
    return .json(["config": Self.configuration, "requestId": .string(request)])
  }

  /// Answers with the result of a performance test, which is pending for its duration.
  func performanceTestResult() throws -> ServerAPIAnswer {
    guard server == .sandbox else { throw ServerAPIRefusal.unknownCall }
    guard let id = JSONValue.string(parameter("request")).uuid else {
      throw ServerAPIRefusal(4_000_212)
    }
    guard let test = messaging.performanceTests[id] else { throw ServerAPIRefusal(4_040_018) }
    let isRunning = Self.isRunning(test, at: now)
    if !isRunning, test.passes {
      appStore.state.withLock { $0.serverAPI.settings.hasPassedPerformanceTest = true }
    }
    let result = isRunning ? "PENDING" : test.passes ? "PASS" : "FAIL"
    let times = ["average": 120, "p50": 110, "p90": 180, "p95": 220, "p99": 400]
    return .json([
      "config": Self.configuration, "target": .string(test.target), "result": .string(result),
      "successRate": .integer(isRunning ? 0 : test.passes ? 100 : 90),
      "numPending": .integer(isRunning ? 100 : 0),
      "responseTimes": .object(times.mapValues { .integer(isRunning ? 0 : $0) }),
      "failures": .object(isRunning || test.passes ? [:] : ["TIMED_OUT": .integer(10)]),
    ])
  }

  private static func isRunning(_ test: MessagingState.PerformanceTest, at now: Date) -> Bool {
    now.timeIntervalSince(test.start) * 1000 < Double(duration)
  }
}
