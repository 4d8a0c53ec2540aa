import PurchaseStorage
import ReceiptModels

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The accounts, e-mail addresses and app account tokens of the settings.
struct HostAccounts: AccountDirectory {
  private let known: InMemoryAccountDirectory
  /// Whether every account is known, for tests.
  private let acceptsAny: Bool
  private let emails: [AccountID: String]
  private let tokens: [AccountID: UUID]
  private let owners: [UUID: AccountID]

  init(
    _ accounts: [Account], acceptsAny: Bool, emails: [AccountID: String],
    tokens: [AccountID: UUID]
  ) {
    known = InMemoryAccountDirectory(accounts)
    self.acceptsAny = acceptsAny
    self.emails = emails
    self.tokens = tokens
    owners = Dictionary(tokens.map { ($1, $0) }) { first, _ in first }
  }

  func account(_ id: AccountID) -> Account? {
    acceptsAny ? Account(id: id) : known.account(id)
  }

  func account(primaryID: AccountID?, secondID: AccountID?) -> Account? {
    acceptsAny
      ? Account(primaryID: primaryID, secondID: secondID)
      : known.account(primaryID: primaryID, secondID: secondID)
  }

  var hasAppAccountTokens: Bool { !tokens.isEmpty }

  func account(appAccountToken token: UUID) -> Account? { owners[token].map { Account(id: $0) } }

  func appAccountToken(of id: AccountID) -> UUID? { tokens[id] }

  func emailAddress(of id: AccountID) -> String? { emails[id] }
}

extension Settings {
  var accountDirectory: HostAccounts {
    HostAccounts(
      accounts, acceptsAny: acceptsAnyAccount, emails: emails, tokens: accountTokens)
  }
}
