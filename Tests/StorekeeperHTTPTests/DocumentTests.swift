import Foundation
import InMemoryStorage
import JWSVerifier
import StoreSimulators
import Storekeeper
import StorekeeperCrypto
import StorekeeperFixtures
import StorekeeperHTTP
import StorekeeperTesting
import Testing

@Suite("Documentation/reference/openapi.yaml")
struct DocumentTests {
  @Test("names the routes and methods of the router, and no others under its mounts")
  func routes() async throws {
    var expected: [String: Set<String>] = [:]
    let entitlements = try EntitlementService(
      PurchaseContext(store: InMemoryPurchaseStore(), accounts: UnlistedAccounts()), apps: [])
    let orders = try OrderService(
      PurchaseContext(store: InMemoryPurchaseStore(), accounts: UnlistedAccounts()), vendors: [])
    let keys = try StatementKeys([StatementKey(pem: try PrivateKey(generating: .ed25519).pem)])
    var entitlementAPI = EntitlementAPI(entitlements, users: nil)
    entitlementAPI.statements = StatementService(entitlements) { keys }
    let api = StorekeeperAPI([
      try APIScene(retentionMessages: RetentionScene().service).api,
      try await CreditScene(play: PlayStoreSimulator(packageName: "com.example.gems")).api,
      entitlementAPI,
      OrderAPI(orders, playNotifications: try Self.playNotifications(orders), users: nil),
    ])
    for route in api.routes {
      expected[route.path] = Set(route.methods.map { $0.name.lowercased() })
    }
    // Routes of the server, not of the contracts.
    let found = try Self.document().filter { !["/health", "/ready"].contains($0.key) }
    #expect(found == expected)
    #expect(expected.count == 46)
  }

  private static func playNotifications(_ orders: OrderService) throws -> PlayNotificationService {
    let nobody = ScriptedTransport([.fails(.notConnected)])
    let account = try GoogleServiceAccount(
      keyFile: try PlayStoreSimulator(packageName: "com.example.reader").serviceAccount.keyFile)
    return try PlayNotificationService(
      orders.context,
      play: try GooglePlayClient(
        packageName: "com.example.reader",
        tokens: AccessTokenSource(account: account, transport: nobody),
        transport: nobody),
      tokens: try PushTokenVerifier(
        configuration: .init(audience: "a", email: "e"), transport: nobody), orders: orders)
  }

  // MARK: Reading

  private static let methods: Set<String> = [
    "get", "put", "post", "delete", "options", "head", "patch", "trace",
  ]

  /// The methods of each path.
  ///
  /// Relies on the layout that the head of the document promises: a path at two spaces under `paths`
  /// with its methods at four, or with a reference to an item of `components/pathItems` in its line;
  /// an item at four spaces under `pathItems`, with its methods at six.
  private static func document() throws -> [String: Set<String>] {
    let lines = try text().split(separator: "\n").map(Line.init)
    let items = methods(of: lines, under: ["components:", "pathItems:"])
    return methods(of: lines, under: ["paths:"]).reduce(into: [:]) { paths, path in
      let item = path.value.reference.flatMap { items[$0] }
      paths[path.key] = (item?.methods ?? []).union(path.value.methods)
    }
  }

  private struct Item {
    var methods: Set<String> = []
    var reference: String?
  }

  private struct Line {
    let depth: Int
    /// Before the first colon and space, or all.
    let key: String
    let text: String

    init(_ line: Substring) {
      depth = line.prefix { $0 == " " }.count
      let text = String(line.dropFirst(depth))
      self.text = text
      key = text.firstRange(of: ": ").map { String(text[..<$0.lowerBound]) } ?? text
    }
  }

  /// The children of a place, each with its methods.
  private static func methods(of lines: [Line], under place: [String]) -> [String: Item] {
    var items: [String: Item] = [:]
    var above: [String] = []
    var name: String?
    for line in lines where !line.text.hasPrefix("#") {
      if line.depth < 2 * place.count {
        above = above.prefix(line.depth / 2) + [line.text]
        name = nil
      } else if above == place, line.depth == 2 * place.count {
        let key = line.key.hasSuffix(":") ? String(line.key.dropLast()) : line.key
        name = key
        items[key] = Item(reference: reference(in: line.text))
      } else if above == place, line.depth == 2 * place.count + 2, let name {
        let key = String(line.key.prefix { $0 != ":" })
        if methods.contains(key) { items[name]?.methods.insert(key) }
      }
    }
    return items
  }

  /// The name behind `#/components/pathItems/`.
  private static func reference(in text: String) -> String? {
    text.firstRange(of: "#/components/pathItems/").map {
      String(text[$0.upperBound...].prefix { $0.isLetter || $0.isNumber })
    }
  }

  private static func text() throws -> String {
    // Tests/StorekeeperHTTPTests/DocumentTests.swift
    var path = #filePath
    for _ in 1...3 {
      path = String(path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex))
    }
    let bytes = FileManager.default.contents(atPath: path + "/Documentation/reference/openapi.yaml")
    return String(decoding: try #require(bytes), as: UTF8.self)
  }
}
