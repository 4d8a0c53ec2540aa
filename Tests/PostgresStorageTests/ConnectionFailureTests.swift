import Foundation
import PostgresStorage
import PurchaseStorage
import SQLStorage
import Testing

@Suite(.enabled(if: TestDatabase.isThere))
struct ConnectionFailureTests {
  private static let secret = "hunter2-secret"

  /// Returns the failure of opening a store; no way of printing it shows the secret.
  private func failure(
    of connection: String, within limit: Duration = .seconds(600),
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> StorageFailure {
    var configuration = PostgresStore.Configuration()
    configuration.startLimit = limit
    let failure = await #expect(throws: StorageFailure.self, sourceLocation: sourceLocation) {
      try await PostgresStore(connection: connection, configuration: configuration)
    }
    var dumped = ""
    dump(failure, to: &dumped)
    for text in [dumped, String(describing: failure), String(reflecting: failure)] {
      #expect(!text.contains("hunter2"), sourceLocation: sourceLocation)
    }
    return try #require(failure, sourceLocation: sourceLocation)
  }

  @Test("a wrong password is told by its code, at once")
  func wrongPassword() async throws {
    let server = try #require(TestDatabase.server)
    let failure = try await failure(of: "\(server) user=guarded password=\(Self.secret)")
    guard case .database(let code, let detail) = failure else {
      Issue.record("another failure: \(failure)")
      return
    }
    #expect(code == Int("28P01", radix: 36))
    #expect(detail.contains("28P01"))
  }

  @Test("so is a missing one")
  func missingPassword() async throws {
    let server = try #require(TestDatabase.server)
    let failure = try await failure(of: "\(server) user=guarded passfile=/dev/null")
    guard case .database(let code, _) = failure else {
      Issue.record("another failure: \(failure)")
      return
    }
    #expect(code == Int("28P01", radix: 36))
  }

  @Test("the right password is taken")
  func rightPassword() async throws {
    let server = try #require(TestDatabase.server)
    let store = try PostgresStore(
      unmigrated: "\(server) user=guarded password=correct", configuration: TestDatabase.patient)
    let user = try await store.perform(.reading) { try await $0.run("SELECT current_user::text") }
    #expect(user == [[.text("guarded")]])
    await store.close()
  }

  @Test(
    "a server that cannot be reached is unavailable, and nothing was kept",
    arguments: [
      "host=no-such-host.invalid password=hunter2-secret",
      "host=/no/such/folder password=hunter2-secret",
      "host=127.0.0.1 port=1 password=hunter2-secret",
      "postgres://user:hunter2-secret@127.0.0.1:1/db",
    ])
  func unreachable(connection: String) async throws {
    #expect(try await failure(of: connection, within: .milliseconds(50)).mayHaveCommitted == false)
  }

  /// Were each to try for its own time, this would take five minutes.
  @Test("all who wait for a server that is out of reach fail together", .timeLimit(.minutes(30)))
  func together() async throws {
    var configuration = PostgresStore.Configuration()
    configuration.connectionLimit = 1
    configuration.reconnectLimit = .milliseconds(300)
    configuration.waitLimit = .seconds(600)
    let store = try PostgresStore(
      unmigrated: "host=127.0.0.1 port=1", configuration: configuration)
    let failures = await withTaskGroup(of: StorageFailure?.self) { group in
      for _ in 0..<1000 {
        group.addTask {
          do {
            try await store.perform(.reading) { _ in }
            return nil
          } catch {
            return error as? StorageFailure
          }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(failures.count == 1000)
    for failure in failures {
      guard case .unavailable(mayHaveCommitted: false, let detail)? = failure else {
        Issue.record("another failure: \(String(describing: failure))")
        return
      }
      #expect(detail.contains("127.0.0.1"))
    }
    await store.close()
  }

  @Test("a request tries for two seconds, a program that starts for ten")
  func patience() {
    let configuration = PostgresStore.Configuration()
    #expect(configuration.reconnectLimit == .seconds(2))
    #expect(configuration.startLimit == .seconds(10))
  }

  @Test("a database that does not exist is told by its code")
  func unknownDatabase() async throws {
    let server = try #require(TestDatabase.server)
    let failure = try await failure(of: "\(server) dbname=absent password=\(Self.secret)")
    guard case .database(let code, _) = failure else {
      Issue.record("another failure: \(failure)")
      return
    }
    #expect(code == Int("3D000", radix: 36))
  }

  @Test(
    "a connection string that cannot be read is refused without any part of it",
    arguments: [
      "hunter2-secret", "password=one hunter2-secret", "postgres://u:hunter2%zz@host/db",
      "unknown_keyword=hunter2", "password='hunter2", "host=a\0hunter2",
      String(repeating: "hunter2", count: 10_000),
    ])
  func unreadable(connection: String) async throws {
    let failure = try await failure(of: connection)
    #expect(failure == .invalidValue(field: "connection string"))
  }

  @Test(
    "a password that is not percent-encoded does not end up as the name of a host",
    arguments: [
      "postgres://user:x@hunter2@host/db", "postgres://user:1/hunter2@host/db",
      "postgres://user:x@hunter2:1@host/db", "host=u:hunter2@host",
      "postgres://user:1/x?options=hunter2@host/db", "postgres://user:x@1?sslmode=hunter2@host/db",
      "postgres://user:x@1?user=hunter2@host/db",
    ])
  func misplacedPassword(connection: String) async throws {
    guard case .invalidValue = try await failure(of: connection) else {
      Issue.record("another failure")
      return
    }
  }
}
