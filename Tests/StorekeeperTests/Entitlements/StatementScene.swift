import Foundation
import JWSVerifier
import StoreSimulators
import Storekeeper
import StorekeeperCrypto
import StorekeeperOnDevice
import StorekeeperTesting
import Testing

/// A host that signs statements, and a device that checks them.
struct StatementScene: Sendable {
  /// A change of what a device knows, or holds out.
  typealias Device = (user: String, app: String, environments: Set<String>)

  let draw: DrawScene
  let keys: [StatementKey]
  let service: StatementService

  init(
    _ kinds: [PrivateKey.Generated] = [.ed25519], options: StatementOptions = .standard,
    _ change: (inout DrawScene.Setup) -> Void = { _ in }
  ) async throws {
    draw = try await DrawScene(change)
    keys = try kinds.map { try Self.key($0) }
    let all = try StatementKeys(keys)
    service = StatementService(draw.service, options: options) { all }
  }

  static func key(_ kind: PrivateKey.Generated) throws -> StatementKey {
    try StatementKey(pem: try PrivateKey(generating: kind).pem)
  }

  /// The same host with other keys.
  func with(_ keys: [StatementKey]) throws -> StatementService {
    let keys = try StatementKeys(keys)
    return StatementService(draw.service, options: service.options) { keys }
  }

  func token(of user: AccountID = "u-1") async throws -> String {
    try await service.statement(of: user, in: DrawScene.draw).token
  }

  /// A device that has fetched the keys of a service.
  func device(
    user: String = "u-1", app: String = DrawScene.draw,
    environments: Set<String> = ["Production"], keysOf service: StatementService? = nil
  ) throws -> StatementChecker {
    try StatementChecker(
      keys: Data((service ?? self.service).keySet.json.serialized), user: user, app: app,
      environments: environments)
  }

  var now: Date { draw.appStore.now }
}

extension StatementChecker {
  /// The refusal of a statement, or nil if it counts.
  func refusal(
    of text: String, at date: Date, isFresh: Bool = false, memory: inout StatementMemory
  ) -> StatementRefusal? {
    do throws(StatementRefusal) {
      _ = try statement(in: text, at: date, isFresh: isFresh, memory: &memory)
      return nil
    } catch {
      return error
    }
  }

  /// The refusal of a statement by a device that has seen none, or nil if it counts.
  func refusal(of text: String, at date: Date) -> StatementRefusal? {
    var memory = StatementMemory()
    return refusal(of: text, at: date, memory: &memory)
  }
}
