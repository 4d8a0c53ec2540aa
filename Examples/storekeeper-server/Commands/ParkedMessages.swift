import JSONValues
import PurchaseStorage
import ReceiptModels

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The messages of the outbox that cannot be delivered as things are.
enum ParkedMessages {
  private static let pageSize = 100

  /// Returns one object a message.
  static func lines(_ store: any PurchaseStore) async throws -> [JSONValue] {
    var lines: [JSONValue] = []
    try await forEachPage(store) { lines += $0.map(\.json) }
    return lines
  }

  /// Frees a message, or all if no number is given, and returns how many.
  static func free(_ number: Int?, _ store: any PurchaseStore) async throws -> JSONValue {
    var count = 0
    if let number {
      count = try await store.write { try await $0.outbox.sendAgain(number) } ? 1 : 0
    } else {
      try await forEachPage(store) { page in
        count += try await store.write { records in
          var freed = 0
          for message in page where try await records.outbox.sendAgain(message.number) {
            freed += 1
          }
          return freed
        }
      }
    }
    return .object(["freed": .integer(count)])
  }

  /// Removes a message, and returns how many there were.
  static func discard(_ number: Int, _ store: any PurchaseStore) async throws -> JSONValue {
    let isRemoved = try await store.write { try await $0.outbox.discard(number) }
    return .object(["discarded": .integer(isRemoved ? 1 : 0)])
  }

  private static func forEachPage(
    _ store: any PurchaseStore, _ body: ([ParkedMessage]) async throws -> Void
  ) async throws {
    var last = 0
    while true {
      let number = last
      let page = try await store.read {
        try await $0.outbox.parked(after: number, limit: pageSize)
      }
      try await body(page)
      guard page.count == pageSize, let end = page.last else { return }
      last = end.number
    }
  }
}

extension ParkedMessage {
  /// The message without an e-mail address.
  fileprivate var json: JSONValue {
    func date(_ date: Date) -> JSONValue { .string(date.formatted(.iso8601)) }
    let account = message.account.flatMap { $0.primaryID ?? $0.secondID }
    return .object([
      "number": .integer(number), "kind": .string(message.kind.rawValue),
      "account": account.map { .string($0.rawValue) } ?? .null, "written": date(createdDate),
      "parked": date(parkedDate), "failures": .integer(failures),
      "cause": .string(reason.cause.rawValue), "detail": reason.detail.map { .string($0) } ?? .null,
    ])
  }
}
