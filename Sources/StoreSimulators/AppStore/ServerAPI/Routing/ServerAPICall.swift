internal import HTTPMessages
internal import JSONValues
internal import ReceiptModels
internal import StorekeeperLocks
internal import StorekeeperTesting

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A request to the server APIs, taken apart.
struct ServerAPICall: Sendable {
  let appStore: AppStoreSimulator
  /// The environment of the host that was asked.
  let server: AppStoreEnvironment
  let request: HTTPRequestMessage
  let target: ServerAPITarget
  /// The variable parts of the path.
  var parameters: [String: String] = [:]
  let now: Date

  /// The purchases, as of now; none at the host of the other environment.
  var store: SimulatedStore {
    isElsewhere ? SimulatedStore(lastID: 0) : appStore.state.withLock { $0.store }
  }

  /// Whether the request went to the environment that the simulator does not have.
  var isElsewhere: Bool { server != appStore.environment }

  var settings: AppStoreSimulator.ServerAPISettings { appStore.serverAPI }

  // MARK: Parts of the request

  /// Returns a variable part of the path, which the route guarantees.
  func parameter(_ name: String) -> String { parameters[name] ?? "" }

  /// Returns the values of a parameter of the query, in order.
  func values(_ name: String) -> [String] { target.query.filter { $0.name == name }.map(\.value) }

  /// Returns the only value of a parameter, or nil.
  func value(_ name: String) -> String? { values(name).first }

  func body() throws(ServerAPIRefusal) -> [String: JSONValue] {
    guard case .object(let members)? = try? JSONValue(parsing: request.body) else {
      throw .malformedBody
    }
    return members.filter { $0.value != .null }
  }

  // MARK: Objects that an identifier finds

  /// Returns the number that an identifier in the path is.
  func number(
    _ name: String = "id", or refusal: ServerAPIRefusal = .invalidTransactionID
  ) throws(ServerAPIRefusal) -> Int {
    try Self.number(parameter(name), or: refusal)
  }

  static func number(
    _ text: String, or refusal: ServerAPIRefusal
  ) throws(ServerAPIRefusal) -> Int {
    guard (1...20).contains(text.utf8.count), text.utf8.areDigits, let number = Int(text),
      number > 0
    else { throw refusal }
    return number
  }

  /// Returns the customer whom a transaction, original or app transaction identifier finds.
  func customer() throws(ServerAPIRefusal) -> String {
    guard let customer = store.customer(anyID: try number()) else { throw .unknownTransaction }
    return customer
  }

  /// Returns the transaction that an identifier other than one of a copy of the app names.
  func transaction(
    or refusal: ServerAPIRefusal = .unknownTransaction
  ) throws(ServerAPIRefusal) -> SimulatedTransaction {
    let id = try number()
    let store = store
    guard store.customer(appTransactionID: id) == nil else { throw .appTransactionID }
    guard let transaction = store.transaction(id) else { throw refusal }
    return transaction
  }

  // MARK: Answers

  func moment(of customer: String) -> SimulatedMoment {
    SimulatedMoment(of: customer, in: store, at: now)
  }

  func signed(_ transactions: some Sequence<SimulatedTransaction>) throws -> JSONValue {
    .array(try transactions.map { .string(try signed($0)) })
  }

  func signed(_ transaction: SimulatedTransaction) throws -> String {
    try appStore.signedDataAuthority.sign(
      appStore.transaction(transaction, at: moment(of: transaction.customer)))
  }

  /// Signs the renewal info of a subscription as of now; nil for a purchase that does not renew.
  func signedRenewalInfo(of transaction: SimulatedTransaction) throws -> String? {
    try appStore.renewalInfo(transaction.originalID, at: moment(of: transaction.customer)).map {
      try appStore.signedDataAuthority.sign($0)
    }
  }

  /// The members that say for which app an answer is.
  var appMembers: [String: JSONValue] {
    var members: [String: JSONValue] = [
      "bundleId": .string(appStore.bundleID),
      "environment": .string(appStore.environment.rawValue),
    ]
    // Apple leaves out the number in the Sandbox.
    if appStore.environment == .production { members["appAppleId"] = .integer(appStore.appAppleID) }
    return members
  }

  var tokens: SealedToken { SealedToken(secret: appStore.tokenSecret) }
}

extension SimulatedStore {
  /// Returns the customer whom any of Apple's identifiers finds.
  func customer(anyID id: Int) -> String? {
    transaction(id)?.customer ?? customer(appTransactionID: id)
  }
}

extension JSONValue {
  /// A moment as Apple writes it, in milliseconds.
  static func milliseconds(_ date: Date) -> JSONValue {
    .integer(Int((date.timeIntervalSince1970 * 1000).rounded()))
  }

  var text: String? { if case .string(let text) = self { text } else { nil } }
  /// The number, if this is a whole one.
  var whole: Int? { if case .integer(let number) = self { number } else { nil } }
  /// The number, whole or not, if this is one.
  var amount: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .number(let number): number
    default: nil
    }
  }
  var truth: Bool? { if case .boolean(let truth) = self { truth } else { nil } }
  var elements: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }
  /// The moment, if this is one in whole milliseconds.
  var moment: Date? { whole.map { Date(timeIntervalSince1970: Double($0) / 1000) } }
  /// The UUID in lower case, if this is the text of one.
  var uuid: String? { text.flatMap { UUID(uuidString: $0) }?.uuidString.lowercased() }
}

/// The answer of a call of the server APIs, before faults change it.
struct ServerAPIAnswer: Sendable {
  var status: HTTPStatusCode = .ok
  /// Nil for an answer without a body.
  var json: JSONValue?

  static let empty = ServerAPIAnswer()
  /// The answer to consumption information, which Apple takes without looking.
  static let accepted = ServerAPIAnswer(status: .accepted)

  static func json(_ members: [String: JSONValue]) -> ServerAPIAnswer {
    ServerAPIAnswer(json: .object(members))
  }
}
