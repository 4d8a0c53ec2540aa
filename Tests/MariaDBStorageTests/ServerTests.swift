import MariaDBStorage
import PurchaseStorage
import SQLStorage
import Testing

@Suite("Servers that a store is opened on")
struct ServerTests {
  @Test(
    "one that may lose acknowledged commits is refused, unless it is allowed",
    .enabled(if: TestServer.isThere))
  func losesCommits() async throws {
    try await TestServer.with { server in
      try await server.set("innodb_flush_log_at_trx_commit=2")
      let database = try await TestDatabase(on: server.connection)
      await #expect(
        throws: UnsuitableServer.losesCommits(
          setting: "innodb_flush_log_at_trx_commit", value: "2")
      ) { try await database.open() }
      var configuration = TestDatabase.patient
      configuration.waitsForDisk = false
      let store = try await MariaDBStore(url: database.url, configuration: configuration)
      try await store.tryWriting()
      await store.close()
    }
  }

  @Test("one whose binary log is not written to disk is refused", .enabled(if: TestServer.isThere))
  func binaryLog() async throws {
    try await TestServer.with { server in
      try await server.set("log_bin")
      let database = try await TestDatabase(on: server.connection)
      await #expect(throws: UnsuitableServer.losesCommits(setting: "sync_binlog", value: "0")) {
        try await database.open()
      }
      try await server.set("sync_binlog=1")
      try await database.open().close()
    }
  }

  @Test("one that has had no room is not ready for a while", .enabled(if: TestServer.isThere))
  func fullDisk() async throws {
    let database = try await TestDatabase()
    let store = try await database.open()
    try await store.tryWriting()
    let full = await #expect(throws: StorageFailure.self) {
      try await store.perform(.writing) {
        try await $0.run("SIGNAL SQLSTATE 'HY000' SET MYSQL_ERRNO = 1114")
      }
    }
    #expect(full?.isFull == true)
    let notReady = await #expect(throws: StorageFailure.self) { try await store.tryWriting() }
    #expect(notReady == full)
    await store.close()
  }

  @Test("MySQL is refused by its name", arguments: ["8.0.36", "8.4.3-commercial", "5.7.44-log"])
  func otherServer(version: String) async throws {
    let server = try OtherServer(version: version)
    await #expect(throws: UnsuitableServer.notMariaDB(version: version)) {
      try await MariaDBStore(
        url: "mysql://a@127.0.0.1:\(server.port)/b", configuration: TestDatabase.patient)
    }
    server.end()
  }

  @Test("one that is out of reach is unavailable")
  func unreachable() async throws {
    var configuration = MariaDBStore.Configuration()
    configuration.startLimit = .milliseconds(50)
    let failure = await #expect(throws: StorageFailure.self) {
      try await MariaDBStore(url: "mysql://a@127.0.0.1:1/b", configuration: configuration)
    }
    #expect(failure?.mayHaveCommitted == false)
  }

  @Test("of several nodes that are out of reach, all are tried")
  func unreachableNodes() async throws {
    var configuration = MariaDBStore.Configuration()
    configuration.startLimit = .milliseconds(50)
    let failure = await #expect(throws: StorageFailure.self) {
      try await MariaDBStore(
        url: "mysql://a@127.0.0.1:1,127.0.0.1:2,[::1]:3/b", configuration: configuration)
    }
    #expect(failure?.mayHaveCommitted == false)
  }

  @Test(
    "a server that is no node of Galera is refused where several hosts are named",
    .enabled(if: TestDatabase.isThere))
  func noCluster() async throws {
    let store = try MariaDBStore(
      unmigrated: TestDatabase.server ?? "", configuration: TestDatabase.patient)
    let rows = try await store.perform(.reading) { try await $0.run("SELECT @@port") }
    await store.close()
    guard case .integer(let port)? = rows.first?.first else {
      Issue.record("the server does not tell its port")
      return
    }
    let failure = await #expect(throws: StorageFailure.self) {
      try await MariaDBStore(
        url: "mysql://storekeeper@127.0.0.1:\(port),127.0.0.1:\(port)/storekeeper",
        configuration: TestDatabase.patient)
    }
    guard case .database(code: 0, let detail)? = failure else {
      Issue.record("another failure: \(String(describing: failure))")
      return
    }
    #expect(detail == "several hosts are named, and this one is no node of Galera")
  }

  @Test(
    "a wrong password is refused at once, and is in no error", .enabled(if: TestDatabase.isThere))
  func wrongPassword() async throws {
    let server = (TestDatabase.server ?? "").replacing("storekeeper@", with: "guarded@")
    for password in ["a-secret", ""] {
      let failure = await #expect(throws: StorageFailure.self) {
        try await MariaDBStore(url: server, password: password)
      }
      guard case .database(code: 1045, let detail)? = failure else {
        Issue.record("another failure: \(String(describing: failure))")
        continue
      }
      #expect(!detail.contains("a-secret"))
    }
    let store = try MariaDBStore(
      unmigrated: server, password: "correct", configuration: TestDatabase.patient)
    #expect(try await store.perform(.reading) { try await $0.run("SELECT 1") } == [[.integer(1)]])
    await store.close()
  }

  @Test(
    "a socket takes the place of any host: nothing is sent over TCP instead",
    .enabled(if: TestDatabase.isThere))
  func socketAlone() async throws {
    let server = (TestDatabase.server ?? "").replacing("localhost", with: "127.0.0.1")
    let url = server + (server.contains("?") ? "&" : "?") + "socket=/nowhere/mariadb.sock"
    await #expect(throws: StorageFailure.self) {
      var configuration = MariaDBStore.Configuration()
      configuration.reconnectLimit = .seconds(1)
      let store = try MariaDBStore(unmigrated: url, configuration: configuration)
      _ = try await store.perform(.reading) { try await $0.run("SELECT 1") }
    }
  }

  @Test(
    "a URL that cannot be understood is refused without a part of it",
    arguments: [
      "", "mysql://", "postgres://user@host/db", "mysql://host/db", "mysql://user@host",
      "mysql://user@host/", "mysql://user@host/a/b", "mysql://us:pass/word@host/db",
      "mysql://user@host/db?tls=maybe", "mysql://user@host/db?tls=verify-ca",
      "mysql://user@host/db?secret=1", "mysql://user@host/db?tls=required&tls=required",
      "mysql://user@host/db#part", "mysql://user@host:70000000/db", "mysql:///db",
      "mysql://user@host,/db", "mysql://user@host,,host/db", "mysql://user@host,host:0/db",
      "mysql://user@host,host/db?socket=/tmp/socket",
      "mysql://user@" + Array(repeating: "host", count: 17).joined(separator: ",") + "/db",
    ])
  func malformed(url: String) {
    let failure = #expect(throws: StorageFailure.self) { try MariaDBStore(unmigrated: url) }
    guard case .invalidValue(let field)? = failure else {
      Issue.record("another failure")
      return
    }
    #expect(field.name.hasPrefix("connection URL"))
    #expect(!field.name.contains("pass") && !field.name.contains("host"))
  }
}
