import InMemoryStorage
import JSONValues
import PurchaseStorage
import ReceiptModels
import StorekeeperLocks

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The accounts of the host, with the e-mail addresses, languages and app account tokens of the settings.
struct HostAccounts: AccountDirectory {
  /// Finds accounts, and knows the addresses and languages that the settings do not name.
  private let base: any AccountDirectory
  private let emails: [AccountID: String]
  private let languages: [AccountID: String]
  private let tokens: [AccountID: UUID]
  private let owners: [UUID: AccountID]

  init(
    _ base: any AccountDirectory, emails: [AccountID: String], languages: [AccountID: String],
    tokens: [AccountID: UUID]
  ) {
    self.base = base
    self.emails = emails
    self.languages = languages
    self.tokens = tokens
    owners = Dictionary(tokens.map { ($1, $0) }) { first, _ in first }
  }

  func account(_ id: AccountID) async throws -> Account? { try await base.account(id) }

  func account(primaryID: AccountID?, secondID: AccountID?) async throws -> Account? {
    try await base.account(primaryID: primaryID, secondID: secondID)
  }

  var hasAppAccountTokens: Bool { !tokens.isEmpty }

  // Asynchronous, as a call with `await` would else prefer the protocol's default, which knows no tokens.
  func account(appAccountToken token: UUID) async throws -> Account? {
    owners[token].map { Account(id: $0) }
  }

  func appAccountToken(of id: AccountID) async throws -> UUID? { tokens[id] }

  func emailAddress(of id: AccountID) async throws -> String? {
    if let email = emails[id] { return email }
    return try await base.emailAddress(of: id)
  }

  func preferredLanguage(of id: AccountID) async throws -> String? {
    if let language = languages[id] { return language }
    return try await base.preferredLanguage(of: id)
  }
}

extension HostAccounts {
  init(_ settings: Settings) {
    let base: any AccountDirectory =
      if let remoteAccounts = settings.remoteAccounts {
        remoteAccounts
      } else if settings.acceptsAnyAccount { AnyAccount() } else {
        InMemoryAccountDirectory(settings.accounts)
      }
    self.init(
      base, emails: settings.emails, languages: settings.languages,
      tokens: settings.accountTokens)
  }
}

extension Setting {
  /// The settings of single accounts, which are read again while the server runs.
  static let namesOfAccounts: Set<String> = ["account", "user", "user-language", "account-token"]
}

/// The accounts of the settings, which can be read again while the server runs.
final class CurrentAccounts: AccountDirectory {
  private let accounts: Locked<HostAccounts>

  init(_ accounts: HostAccounts) { self.accounts = Locked(accounts) }

  /// Creates a directory without accounts.
  convenience init() {
    self.init(
      HostAccounts(InMemoryAccountDirectory([]), emails: [:], languages: [:], tokens: [:]))
  }

  private var now: HostAccounts { accounts.withLock { $0 } }

  func account(_ id: AccountID) async throws -> Account? { try await now.account(id) }

  func account(primaryID: AccountID?, secondID: AccountID?) async throws -> Account? {
    try await now.account(primaryID: primaryID, secondID: secondID)
  }

  var hasAppAccountTokens: Bool { now.hasAppAccountTokens }

  func account(appAccountToken token: UUID) async throws -> Account? {
    try await now.account(appAccountToken: token)
  }

  func appAccountToken(of id: AccountID) async throws -> UUID? {
    try await now.appAccountToken(of: id)
  }

  func emailAddress(of id: AccountID) async throws -> String? {
    try await now.emailAddress(of: id)
  }

  func preferredLanguage(of id: AccountID) async throws -> String? {
    try await now.preferredLanguage(of: id)
  }

  /// Takes the accounts of settings that were read again; settings with a mistake change nothing.
  func reload(_ read: () throws -> HostAccounts) {
    let new: HostAccounts
    do {
      new = try read()
    } catch {
      // A failure of settings is a line for people, without values of the settings.
      let reason = error is SettingsFailure ? "\(error)" : "the settings cannot be read"
      return ServerLog.note("accounts refused", ["reason": .string(reason)])
    }
    accounts.withLock { $0 = new }
    ServerLog.note("accounts reloaded")
  }
}

/// A directory that knows every account, for tests.
private struct AnyAccount: AccountDirectory {
  func account(_ id: AccountID) -> Account? { Account(id: id) }

  func account(primaryID: AccountID?, secondID: AccountID?) -> Account? {
    Account(primaryID: primaryID, secondID: secondID)
  }
}
