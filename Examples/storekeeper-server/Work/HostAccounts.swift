import PurchaseStorage
import ReceiptModels

/// The accounts and e-mail addresses of the settings.
struct HostAccounts: AccountDirectory {
  private let known: InMemoryAccountDirectory
  /// Whether every account is known, for tests.
  private let acceptsAny: Bool
  private let emails: [AccountID: String]

  init(_ accounts: [Account], acceptsAny: Bool, emails: [AccountID: String]) {
    known = InMemoryAccountDirectory(accounts)
    self.acceptsAny = acceptsAny
    self.emails = emails
  }

  func account(_ id: AccountID) -> Account? {
    acceptsAny ? Account(id: id) : known.account(id)
  }

  func account(primaryID: AccountID?, secondID: AccountID?) -> Account? {
    acceptsAny
      ? Account(primaryID: primaryID, secondID: secondID)
      : known.account(primaryID: primaryID, secondID: secondID)
  }

  func emailAddress(of id: AccountID) -> String? { emails[id] }
}

extension Settings {
  var accountDirectory: HostAccounts {
    HostAccounts(accounts, acceptsAny: acceptsAnyAccount, emails: emails)
  }
}
