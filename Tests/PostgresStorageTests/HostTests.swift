import Foundation
import PostgresStorage
import PurchaseStorage
import SQLStorage
import Testing

@Suite("Several hosts, of which one takes writes", .enabled(if: TestServer.isThere))
struct HostTests {
  /// Makes two servers with a table `item` in a schema of the same name; the second takes no writes.
  private func withServers(
    _ test: (_ first: TestServer, _ second: TestServer, _ schema: String) async throws -> Void
  ) async throws {
    try await TestServer.with { first in
      try await TestServer.with { second in
        for server in [first, second] {
          let store = try store(on: [server.folder], schema: "public")
          try await store.perform(.writing) {
            try await $0.run("CREATE SCHEMA hosts")
            try await $0.run("CREATE TABLE hosts.item (key TEXT PRIMARY KEY, value BIGINT)")
            // For connections over a pooler, which refuses the option.
            try await $0.run("ALTER DATABASE storekeeper SET search_path = hosts")
          }
          await store.close()
        }
        try await second.set("default_transaction_read_only", to: "on")
        try await test(first, second, "hosts")
      }
    }
  }

  private func store(
    on hosts: [String], ports: [UInt16] = [], schema: String? = "hosts", connections: Int = 4,
    _ change: (inout PostgresStore.Configuration) -> Void = { _ in }
  ) throws -> PostgresStore {
    var configuration = TestDatabase.patient
    configuration.connectionLimit = connections
    change(&configuration)
    let ports = hosts.indices.map { $0 < ports.count ? String(ports[$0]) : "5432" }
    return try PostgresStore(
      unmigrated: """
        host=\(hosts.joined(separator: ",")) port=\(ports.joined(separator: ",")) \
        dbname=storekeeper user=storekeeper\(schema.map { " options=-csearch_path=\($0)" } ?? "")
        """, configuration: configuration)
  }

  private func keys(on server: TestServer) async throws -> [SQLRow] {
    let store = try store(on: [server.folder])
    let rows = try await store.perform(.reading) {
      try await $0.run("SELECT key FROM item ORDER BY key")
    }
    await store.close()
    return rows
  }

  @Test("the one is found beside hosts that are away, silent or take no writes, in any order")
  func found() async throws {
    try await withServers { first, second, _ in
      let silent = try LocalListener()
      let hosts = ["/no/such/folder", "127.0.0.1", second.folder, first.folder]
      for hosts in [hosts, hosts.reversed()] {
        let ports = hosts.map { $0 == "127.0.0.1" ? silent.port : 5432 }
        let store = try store(on: hosts, ports: ports)
        let key = hosts[0]
        try await store.perform(.writing) { try await $0.insert(key, 1) }
        await store.close()
      }
      #expect(try await keys(on: first).count == 2)
      #expect(try await keys(on: second) == [])
      silent.end()
    }
  }

  @Test("once another takes writes, callers go there, those who wait for an answer of the old too")
  func replaced() async throws {
    try await withServers { first, second, _ in
      let store = try store(on: [first.folder, second.folder])
      let holder = try self.store(on: [first.folder])
      let runs = Tally()
      try await holder.perform(.writing) { holder in
        try await holder.run("SELECT pg_advisory_xact_lock(1)")
        let waiting = Task {
          try await store.perform(.writing) { connection in
            runs.add()
            // There it is free.
            try await connection.run("SELECT pg_advisory_xact_lock(1)")
            try await connection.insert("waiting", 1)
          }
        }
        while try await holder.run("SELECT 1 FROM pg_locks WHERE NOT granted").isEmpty {
          await Task.yield()
        }
        try await first.set("default_transaction_read_only", to: "on")
        try await second.set("default_transaction_read_only", to: "off")
        try await waiting.value
      }
      #expect(runs.count == 2)
      try await store.perform(.writing) { try await $0.insert("later", 1) }
      #expect(try await keys(on: first) == [])
      #expect(try await keys(on: second) == [[.text("later")], [.text("waiting")]])
      await store.close()
      await holder.close()
    }
  }

  @Test(
    "a pooler before each host may still remember what its server was",
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/sbin/pgbouncer")))
  func behindPoolers() async throws {
    try await withServers { first, second, _ in
      var poolers: [(host: String, port: UInt16)] = []
      for server in [first, second] {
        let options = try await server.pool("session").split(separator: " ")
        func value(_ keyword: String) -> String? {
          options.first { $0.hasPrefix(keyword + "=") }.map {
            String($0.dropFirst(keyword.count + 1))
          }
        }
        poolers.append((try #require(value("host")), UInt16(value("port") ?? "") ?? 5432))
      }
      func pooled(_ poolers: [(host: String, port: UInt16)]) throws -> PostgresStore {
        try self.store(on: poolers.map(\.host), ports: poolers.map(\.port), schema: nil)
      }
      // Each pooler has had a session, and tells the next one what that session was told.
      for (number, pooler) in poolers.enumerated() {
        let store = try pooled([pooler])
        _ = try await store.perform(.reading) { try await $0.run("SELECT \(number)") }
        await store.close()
      }
      func write(_ key: String, over poolers: [(host: String, port: UInt16)]) async throws {
        let store = try pooled(poolers)
        try await store.perform(.writing) { try await $0.insert(key, 1) }
        await store.close()
      }
      try await write("before", over: poolers)
      try await first.set("default_transaction_read_only", to: "on")
      try await second.set("default_transaction_read_only", to: "off")
      try await write("after", over: poolers)
      try await write("later", over: poolers.reversed())
      let (old, new) = (try await keys(on: first), try await keys(on: second))
      #expect(old == [[.text("before")]])
      #expect(new == [[.text("after")], [.text("later")]])
    }
  }

  @Test("many callers wait for one search, and all are served once there is a host")
  func searchedOnce() async throws {
    try await withServers { first, second, _ in
      try await first.set("default_transaction_read_only", to: "on")
      // A host that takes a connection and says nothing costs a search two seconds, and a caller no more.
      let silent = try LocalListener()
      let proxy = try TestProxy(to: second.folder)
      let store = try store(
        on: ["127.0.0.1", "127.0.0.1", first.folder], ports: [silent.port, proxy.port, 5432],
        connections: 64)
      try await withThrowingTaskGroup { group in
        for number in 0..<200 {
          group.addTask {
            try await store.perform(.writing) { try await $0.insert("\(number)", 1) }
          }
        }
        while store.waiting < 200 - 64 { try await Task.sleep(for: .milliseconds(1)) }
        let looks = proxy.count
        // Each of the connections would have come once at least.
        #expect(looks < 64)
        try await first.set("default_transaction_read_only", to: "off")
        try await group.waitForAll()
      }
      #expect(try await keys(on: first).count == 200)
      await store.close()
      silent.end()
      proxy.end()
    }
  }

  @Test("without one, all who wait fail after the time of a request, and nothing is kept")
  func noneTakesWrites() async throws {
    try await withServers { first, second, _ in
      try await first.set("default_transaction_read_only", to: "on")
      let store = try store(on: [first.folder, second.folder]) {
        $0.reconnectLimit = .milliseconds(500)
      }
      await withTaskGroup { group in
        for number in 0..<50 {
          group.addTask {
            let failure = await #expect(throws: StorageFailure.self) {
              try await store.perform(.writing) { try await $0.insert("\(number)", 1) }
            }
            #expect(failure?.mayHaveCommitted == false)
          }
        }
      }
      await store.close()
    }
  }

  @Test("hosts that all refuse for good are told by their code, at once")
  func refused() async throws {
    try await withServers { first, second, _ in
      let store = try PostgresStore(
        unmigrated: "host=\(first.folder),\(second.folder) dbname=absent user=storekeeper",
        configuration: TestDatabase.patient)
      let failure = await #expect(throws: StorageFailure.self) {
        try await store.perform(.reading) { _ = try await $0.process() }
      }
      guard case .database(let code, _) = failure else {
        Issue.record("another failure: \(String(describing: failure))")
        return
      }
      #expect(code == Int("3D000", radix: 36))
      await store.close()
    }
  }

  @Test("several hosts of which another than the one that takes writes is wanted are refused")
  func wrongTarget() {
    #expect(
      throws: StorageFailure.invalidValue(
        field: "connection string: several hosts need target_session_attrs=read-write")
    ) {
      _ = try PostgresStore(unmigrated: "postgres://a,b/db?target_session_attrs=prefer-standby")
    }
  }
}
