import Foundation
import PurchaseStorage
import ReceiptModels
import RedisReceiptStorage

typealias Failure = RedisReceiptStore.Failure

extension RedisServer {
  /// A store on this server that waits as long as a busy machine takes, unless a test is about the
  /// deadline.
  func store(
    deadline: Duration = .seconds(300),
    _ change: (inout RedisReceiptStore.Configuration) -> Void = { _ in }
  ) -> RedisReceiptStore {
    var configuration = RedisReceiptStore.Configuration(host: "127.0.0.1", port: port)
    configuration.deadline = deadline
    change(&configuration)
    return RedisReceiptStore(configuration)
  }
}

extension StandIn {
  func store(deadline: Duration = .seconds(300)) -> RedisReceiptStore {
    var configuration = RedisReceiptStore.Configuration(host: "127.0.0.1", port: port)
    configuration.deadline = deadline
    return RedisReceiptStore(configuration)
  }
}

extension RedisReceiptStore {
  func receipt(_ id: String = "42") async throws -> StoredReceipt? {
    try await receipt(of: id, environment: .production)
  }

  func put(_ text: String, at seconds: Double = 5, of id: String = "42") async throws {
    try await put(
      StoredReceipt(
        originalTransactionID: id, environment: .production, receipt: text,
        asOf: Date(timeIntervalSince1970: seconds)))
  }

  func remove(_ id: String = "42") async throws {
    try await remove(id, environment: .production)
  }
}

/// What a call throws, if it throws a failure of the store.
func failure(_ body: nonisolated(nonsending) () async throws -> Void) async throws -> Failure? {
  do {
    try await body()
    return nil
  } catch let failure as Failure {
    return failure
  }
}

/// Repeats a call until it no longer fails, as a connection comes back by itself.
func untilItWorks<Result>(
  _ body: nonisolated(nonsending) () async throws -> Result
) async throws -> Result {
  while true {
    do {
      return try await body()
    } catch is Failure {
      try await Task.sleep(for: .milliseconds(5))
    }
  }
}

/// Waits until something is so.
func until(_ holds: () async throws -> Bool) async throws {
  while try await !holds() { try await Task.sleep(for: .milliseconds(5)) }
}
