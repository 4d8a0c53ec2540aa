import Foundation
import InMemoryStorage
import MailDelivery
import Storekeeper
import StorekeeperLocks

/// Addresses and languages by account; an account without either is not known.
struct Addresses: AccountDirectory {
  var addresses: [AccountID: String]
  var languages: [AccountID: String] = [:]

  func account(_ id: AccountID) -> Account? { addresses[id].map { _ in Account(id: id) } }
  func emailAddress(of id: AccountID) -> String? { addresses[id] }
  func preferredLanguage(of id: AccountID) -> String? { languages[id] }
}

/// An outbox in memory, a mailer and a clock.
final class MailScene: Sendable {
  let store = InMemoryPurchaseStore()
  private let reported = Locked<[String]>([])
  private let clock = Locked(Date(timeIntervalSince1970: 1_700_000_000))

  /// What was reported, as texts.
  var incidents: [String] { reported.withLock { $0 } }

  var now: Date { clock.withLock { $0 } }

  func advance(by seconds: TimeInterval) { clock.withLock { $0 += seconds } }

  /// Adds messages to accounts whose names are the first parts of their addresses.
  func add(
    _ names: String..., kind: OutboxMessage.Kind = .link, isAlreadyExpired: Bool = false,
    tier: Tier = .premium
  ) async throws {
    let now = now
    try await store.write { records in
      for name in names {
        try await records.outbox.add(
          OutboxMessage(
            kind: kind, account: Account(id: AccountID(stored: name)),
            originalTransactionID: "1000000322563042", tier: tier,
            expireDate: CalendarDay("2024-01-31"), isAlreadyExpired: isAlreadyExpired), now: now)
      }
    }
  }

  func delivery(_ handler: any OutboxHandler) -> OutboxDelivery {
    OutboxDelivery(
      store: store, handler: handler, now: { [self] in now },
      report: { [self] incident in reported.withLock { $0.append("\(incident)") } })
  }

  var parked: [ParkedMessage] {
    get async throws { try await store.read { try await $0.outbox.parked(after: 0, limit: 100) } }
  }

  var backlog: OutboxBacklog {
    get async throws { try await store.read { try await $0.outbox.backlog() } }
  }
}

/// A directory in which every account has the address `NAME@example.com`.
struct Everybody: AccountDirectory {
  func account(_ id: AccountID) -> Account? { Account(id: id) }
  func emailAddress(of id: AccountID) -> String? { "\(id.rawValue)@example.com" }
}

extension MailServerProcess {
  /// The server, without TLS.
  func plain(
    timeLimit: Duration = .seconds(30), acceptanceLimit: Duration = .seconds(60)
  ) throws -> MailServer {
    var server = try MailServer(host: "127.0.0.1", port: port, security: .none)
    server.timeLimit = timeLimit
    server.acceptanceLimit = acceptanceLimit
    return server
  }

  func mailer(
    _ server: MailServer? = nil, accounts: any AccountDirectory = Everybody(),
    templates: MailTemplates = .standard, pause: Duration = .zero
  ) throws -> OutboxMailer {
    var mailer = OutboxMailer(
      server: try server ?? plain(),
      from: try MailAddress("news@example.com", name: "Example News"), accounts: accounts,
      templates: templates,
      now: { Date(timeIntervalSince1970: 1_700_000_000) })
    mailer.pause = pause
    return mailer
  }
}
