import InMemoryStorage
import PurchaseStorage
import ReceiptModels

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

  func account(appAccountToken token: UUID) -> Account? { owners[token].map { Account(id: $0) } }

  func appAccountToken(of id: AccountID) -> UUID? { tokens[id] }

  func emailAddress(of id: AccountID) async throws -> String? {
    if let email = emails[id] { return email }
    return try await base.emailAddress(of: id)
  }

  func preferredLanguage(of id: AccountID) async throws -> String? {
    if let language = languages[id] { return language }
    return try await base.preferredLanguage(of: id)
  }
}

extension Settings {
  var accountDirectory: HostAccounts {
    let base: any AccountDirectory =
      if let remoteAccounts { remoteAccounts } else if acceptsAnyAccount { AnyAccount() } else {
        InMemoryAccountDirectory(accounts)
      }
    return HostAccounts(base, emails: emails, languages: languages, tokens: accountTokens)
  }
}

/// A directory that knows every account, for tests.
private struct AnyAccount: AccountDirectory {
  func account(_ id: AccountID) -> Account? { Account(id: id) }

  func account(primaryID: AccountID?, secondID: AccountID?) -> Account? {
    Account(primaryID: primaryID, secondID: secondID)
  }
}
