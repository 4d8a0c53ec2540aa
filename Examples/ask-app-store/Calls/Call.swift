import AppStoreServerAPI
import Foundation
import JSONValues
import ReceiptModels

/// A call that can be named on the command line.
struct Call: Sendable {
  /// The arguments and options of the call, for people.
  let form: String
  let count: ClosedRange<Int>
  let ask: @Sendable (Question) async throws -> Void

  init(
    _ form: String, _ count: ClosedRange<Int>,
    ask: @escaping @Sendable (Question) async throws -> Void
  ) {
    self.form = form
    self.count = count
    self.ask = ask
  }

  init(_ form: String, _ count: Int, ask: @escaping @Sendable (Question) async throws -> Void) {
    self.init(form, count...count, ask: ask)
  }

  /// The options of the call: those that its form names.
  var options: Set<String> {
    Set(form.split { " []".contains($0) }.filter { $0.hasPrefix("--") }.map(String.init))
  }

  static let all = [
    purchases, orders, extensions, notifications, messages, defaults, advancedCommerce,
    externalPurchases, groups,
  ].reduce(into: [:]) { all, some in all.merge(some) { $1 } }
}

struct Question: Sendable {
  let client: AppStoreServerClient
  let words: [String]
  let arguments: Arguments

  /// The server that is asked, if it is one.
  private var host: Members {
    switch client.configuration.server {
    case .production: ["host": .string("Production")]
    case .sandbox: ["host": .string("Sandbox")]
    case .auto: [:]
    }
  }

  /// Reads an argument that is a UUID.
  func uuid(_ index: Int, _ field: String) throws(InvalidRequest) -> UUID {
    guard let uuid = UUID(uuidString: words[index]) else { throw InvalidRequest(field, .notUUID) }
    return uuid
  }

  /// Reads an argument that is the JSON of a request.
  func model<Model: JSONModel>(_ index: Int, as type: Model.Type = Model.self) throws -> Model {
    try JSONArgument.model(words[index], as: type)
  }

  /// Reads an option that is a date in milliseconds since 1970.
  func date(_ option: String) throws(UsageFailure) -> Date? {
    try arguments.integer(option).map { Date(timeIntervalSince1970: Double($0) / 1000) }
  }

  /// Prints that a change was made, and Apple's answer.
  func done(_ answer: Members = [:]) {
    Line.print(host.merging(answer) { $1 }.merging(["outcome": .string("done")]) { $1 })
  }
}
