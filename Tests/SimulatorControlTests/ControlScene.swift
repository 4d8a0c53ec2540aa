import Foundation
import HTTPMessages
import StorekeeperLocks
import JSONValues
import ReceiptModels
import StorekeeperSimulatorControl
import StorekeeperTesting
import Testing

/// A simulator on a machine whose time stands still, with a webhook that answers on demand.
struct ControlScene: Sendable {
  static let authority = try? TestAuthority.forReceipts()
  static let start = Date(timeIntervalSince1970: 1_700_000_000)  // 2023-11-14T22:13:20Z

  let service: SimulatorService
  let webhook: Webhook
  let clock = ManualClock()

  init(
    versions: NotificationVersions = .v2, webhook: Webhook = Webhook(),
    machine: Machine = Machine(),
    _ change: (inout SimulatorConfiguration) -> Void = { _ in }
  ) throws {
    var configuration = SimulatorConfiguration(start: Self.start)
    configuration.webhook = "http://127.0.0.1:1/webhook"
    configuration.versions = versions
    change(&configuration)
    self.webhook = webhook
    service = try SimulatorService(
      configuration, transport: webhook, authority: Self.authority, clock: clock,
      now: { machine.now })
  }

  func send(
    _ method: HTTPRequestMethod, _ path: String, _ body: String = "", headers: HTTPHeaders = [:]
  ) async -> HTTPResponseMessage {
    await service.respond(
      to: HTTPRequestMessage(method: method, url: path, headers: headers, body: Array(body.utf8)))
  }

  /// Sends a request that must succeed; returns its answer.
  func order(_ name: String, _ body: String) async throws -> JSONValue {
    let response = await send(.post, "/control/\(name)", body)
    try #require(response.status == .ok, "\(String(decoding: response.body, as: UTF8.self))")
    return try JSONValue(parsing: response.body)
  }

  /// Sends a request that must be refused; returns the status.
  func refusal(_ name: String, _ body: String) async throws -> HTTPStatusCode {
    let response = await send(.post, "/control/\(name)", body)
    let json = try JSONValue(parsing: response.body)
    try #require(json["message"]?.text?.isEmpty == false)
    return response.status
  }

  func state() async throws -> JSONValue {
    try JSONValue(parsing: await send(.get, "/control/state").body)
  }
}

/// The clock of the machine, which tests set.
final class Machine: Sendable {
  private let time = Locked(ControlScene.start)

  var now: Date { time.withLock { $0 } }

  func move(by seconds: Double) { time.withLock { $0 += seconds } }
}

/// A webhook in memory.
final class Webhook: HTTPTransport {
  typealias Answer = @Sendable (HTTPRequestMessage) async throws -> HTTPResponseMessage

  private let answers: Locked<[HTTPStatusCode]>
  private let received = Locked<[HTTPRequestMessage]>([])
  private let otherwise: Answer

  /// Creates a webhook that answers with these statuses first.
  init(
    _ answers: [HTTPStatusCode] = [],
    otherwise: @escaping Answer = { _ in HTTPResponseMessage(status: .ok) }
  ) {
    self.answers = Locked(answers)
    self.otherwise = otherwise
  }

  var requests: [HTTPRequestMessage] { received.withLock { $0 } }

  func send(_ request: HTTPRequestMessage) async throws -> HTTPResponseMessage {
    received.withLock { $0.append(request) }
    let status = answers.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    guard let status else { return try await otherwise(request) }
    return HTTPResponseMessage(status: status, body: Array("answer \(status)".utf8))
  }
}

extension JSONValue {
  var text: String? { if case .string(let text) = self { text } else { nil } }
  var list: [JSONValue] { if case .array(let list) = self { list } else { [] } }

  /// The text of a member of each element.
  func texts(_ member: String) -> [String?] { list.map { $0[member]?.text } }
}
