import Foundation
import PurchaseStorage
import ReceiptModels
import RedisReceiptStorage
import StorekeeperTesting
import Testing

@Suite("Receipts in Redis", .timeLimit(.minutes(30)))
struct RedisReceiptStoreTests {
  private static let key = "iap:receipt:42-Production"
  private static let stampKey = "{iap:receipt:42-Production}:as-of"

  @Test("keep the laws of a receipt store")
  func laws() async throws {
    let server = try await RedisServer()
    let contract = ReceiptStoreContract {
      let prefix = "\(UUID().uuidString):"
      return server.store { $0.keyPrefix = prefix }
    }
    for law in contract.laws { try await law.check() }
  }

  @Test("have the documented keys: the plain receipt, and its stamp in milliseconds")
  func keys() async throws {
    let server = try await RedisServer()
    let store = server.store()
    try await store.put("MIIB", at: 1_605_355_200.123)
    #expect(try server.command("GET", Self.key) == "MIIB")
    // SHA-256 of MIIB, by sha256sum.
    #expect(
      try server.command("GET", Self.stampKey)
        == "1605355200123:bd7f32578c72343bdb2f56a6b320ed68a08a3c31f7edce306a595f55aa1502e5")
    #expect(try server.command("DBSIZE") == "2")
    #expect(
      try server.command("CLUSTER", "KEYSLOT", Self.key)
        == server.command("CLUSTER", "KEYSLOT", Self.stampKey))
    try await store.remove()
    #expect(try server.command("DBSIZE") == "0")
  }

  @Test("of other programs have no stamp, and are older than any other")
  func plainValue() async throws {
    let server = try await RedisServer()
    let store = server.store()
    try server.command("SET", Self.key, "MIIC")
    #expect(try await store.receipt()?.receipt == "MIIC")
    #expect(try await store.receipt()?.asOf == .distantPast)
    try await store.put("MIIB", at: -900)
    #expect(try await store.receipt()?.receipt == "MIIB")
    #expect(try await store.receipt()?.asOf == Date(timeIntervalSince1970: -900))
  }

  @Test("that are empty or whose stamp was left behind are none; a broken stamp is none")
  func halves() async throws {
    let server = try await RedisServer()
    let store = server.store()
    try server.command("SET", Self.key, " ")
    #expect(try await store.receipt() == nil)
    try await store.put("MIIB", at: 60)
    try server.command("DEL", Self.key)
    #expect(try await store.receipt() == nil)
    try await store.put("MIIA", at: 5)
    #expect(try await store.receipt()?.receipt == "MIIA")
    for stamp in ["", "soon", "99999999999999999999", "1e3"] {
      try server.command("SET", Self.stampKey, stamp)
      #expect(try await store.receipt()?.asOf == .distantPast, "\(stamp)")
    }
    try server.command("SET", Self.stampKey, "soon")
    try await store.put("MIID", at: 1)
    #expect(try await store.receipt()?.receipt == "MIID")
  }

  @Test("that another program wrote under a stamp of ours are older than any other")
  func foreignValue() async throws {
    let server = try await RedisServer()
    let store = server.store()
    try await store.put("MIIB", at: 60)
    try server.command("SET", Self.key, "MIIA")
    #expect(try await store.receipt()?.receipt == "MIIA")
    #expect(try await store.receipt()?.asOf == .distantPast)
    try await store.put("MIIB", at: 60)
    #expect(try await store.receipt()?.receipt == "MIIB")
    #expect(try await store.receipt()?.asOf == Date(timeIntervalSince1970: 60))
  }

  @Test("that are no text are refused on reading, and replaced")
  func notText() async throws {
    let server = try await RedisServer()
    let store = server.store()
    try server.command(
      "EVAL", "return redis.call('SET', KEYS[1], string.char(255, 254))", "1", Self.key)
    #expect(try await failure { _ = try await store.receipt() } == .notAReceipt)
    try await store.put("MIIB")
    #expect(try await store.receipt()?.receipt == "MIIB")
  }

  @Test("live as long as configured, with their stamps")
  func timeToLive() async throws {
    let server = try await RedisServer()
    try await server.store().put("MIIB")
    #expect(try server.command("PTTL", Self.key) == "-1")
    #expect(try server.command("PTTL", Self.stampKey) == "-1")
    try await server.store { $0.timeToLive = .seconds(86_400) }.put("MIIC")
    for key in [Self.key, Self.stampKey] {
      let rest = try #require(Int(try server.command("PTTL", key)))
      #expect((80_000_000...86_400_000).contains(rest))
    }
    let brief = server.store { $0.timeToLive = .nanoseconds(1) }
    try await brief.put("MIID")
    try await until { try server.command("DBSIZE") == "0" }
    #expect(try await brief.receipt() == nil)
    try await server.store { $0.timeToLive = .seconds(Int64.max) }.put("MIID")
    #expect(try await server.store().receipt()?.receipt == "MIID")
  }

  @Test("of two stores that write at the same time the newest stays, read by both")
  func twoWriters() async throws {
    let server = try await RedisServer()
    let stores = [server.store(), server.store()]
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in (1...200).shuffled() {
        group.addTask { try await stores[number % 2].put("receipt-\(number)", at: Double(number)) }
      }
      try await group.waitForAll()
    }
    for store in stores { #expect(try await store.receipt()?.receipt == "receipt-200") }
  }

  @Test("are in the configured database under the configured prefix")
  func databases() async throws {
    let server = try await RedisServer()
    let store = server.store {
      $0.database = 7
      $0.keyPrefix = "news:"
    }
    try await store.put("MIIB")
    #expect(try server.command("-n", "7", "GET", "news:42-Production") == "MIIB")
    #expect(try server.command("DBSIZE") == "0")
    #expect(
      try await failure { _ = try await server.store { $0.database = 99 }.receipt() }
        == .refused(.unspecified))
  }

  @Test("have keys whose prefix has no braces, which would place the stamp on another node")
  func braces() async {
    await #expect(processExitsWith: .failure) {
      var configuration = RedisReceiptStore.Configuration(host: "127.0.0.1")
      configuration.keyPrefix = "{news}:"
      _ = RedisReceiptStore(configuration)
    }
  }

  @Test("need permission for the commands and the keys")
  func permissions() async throws {
    let server = try await RedisServer()
    // The rule of the documentation.
    try server.command(
      "ACL", "SETUSER", "storekeeper", "on", ">right @:/", "resetkeys", "resetchannels", "-@all",
      "+ping", "+select", "+mget", "+eval", "+del", "+get", "+set", "+exists",
      "~iap:receipt:*", "~{iap:receipt:*}:as-of")
    func store(
      _ password: String? = "right @:/", user: String = "storekeeper",
      _ change: (inout RedisReceiptStore.Configuration) -> Void = { _ in }
    ) -> RedisReceiptStore {
      server.store {
        $0.username = user
        $0.password = password
        change(&$0)
      }
    }
    let allowed = store { $0.timeToLive = .seconds(600) }
    try await allowed.put("MIIB", at: 5)
    try await allowed.put("MIIA", at: 4)
    #expect(try await allowed.receipt()?.receipt == "MIIB")
    try await allowed.remove()
    #expect(try await allowed.receipt() == nil)

    for refused in [store("wrong"), store(nil), store(user: "stranger")] {
      #expect(try await failure { try await refused.put("MIIB") } == .refused(.wrongPassword))
      // Without another attempt.
      #expect(try await failure { try await refused.put("MIIB") } == .refused(.wrongPassword))
    }
    let others = store { $0.keyPrefix = "orders:" }
    #expect(try await failure { _ = try await others.receipt() } == .refused(.noPermission))
    try server.command("ACL", "SETUSER", "storekeeper", "-eval")
    #expect(try await failure { try await allowed.put("MIIB") } == .refused(.noPermission))
    #expect(try await allowed.receipt() == nil)
  }

  @Test("need the password of the default user")
  func password() async throws {
    let server = try await RedisServer(["--requirepass", "right"])
    #expect(
      try await failure { _ = try await server.store().receipt() }
        == .refused(.authenticationRequired))
    #expect(try await server.store { $0.password = "right" }.receipt() == nil)
    let wrong = server.store { $0.password = "wrong" }
    #expect(try await failure { _ = try await wrong.receipt() } == .refused(.wrongPassword))
  }

  @Test("are refused where a key has another type, or a server takes no writes")
  func refusals() async throws {
    let server = try await RedisServer()
    let store = server.store()
    try server.command("RPUSH", Self.stampKey, "1")
    #expect(try await failure { try await store.put("MIIB") } == .refused(.wrongType))
    try await store.remove()
    try server.command("CONFIG", "SET", "min-replicas-to-write", "1")
    #expect(try await failure { try await store.put("MIIB") } == .refused(.tooFewReplicas))
    try server.command("CONFIG", "SET", "min-replicas-to-write", "0")
    try server.command("REPLICAOF", "127.0.0.1", "1")
    #expect(try await failure { try await store.put("MIIB") } == .refused(.readOnly))
    try server.command("REPLICAOF", "NO", "ONE")
    try await untilItWorks { try await store.put("MIIB") }
  }

  @Test("end their connection with the last copy of the store")
  func connections() async throws {
    let server = try await RedisServer()
    func clients() throws -> Int {
      try server.command("CLIENT", "LIST").split(separator: "\n").count { !$0.contains("flags=U") }
    }
    do {
      let store = server.store()
      let copy = store
      try await store.put("MIIB")
      #expect(try clients() == 1)
      _ = try await copy.receipt()
      #expect(try clients() == 1)
    }
    try await until { try clients() == 0 }
  }

  @Test("leave a cancelled task at once, and the connection to others")
  func cancellation() async throws {
    let server = try await RedisServer()
    let store = server.store()
    try await store.put("MIIB")
    server.stop()
    let reading = Task { try await store.receipt() }
    try await Task.sleep(for: .milliseconds(20))
    reading.cancel()
    await #expect(throws: CancellationError.self) { try await reading.value }
    server.goOn()
    #expect(try await store.receipt()?.receipt == "MIIB")
  }
}
