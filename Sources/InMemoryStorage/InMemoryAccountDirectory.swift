public import PurchaseStorage
public import ReceiptModels
internal import StorekeeperLocks

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Accounts in memory, for tests and trials.
public final class InMemoryAccountDirectory: AccountDirectory {
  private struct Contents {
    var accounts: [Account]
    var tokens: [UUID: Account] = [:]
    var addresses: [AccountID: String] = [:]
    var languages: [AccountID: String] = [:]
  }

  private let contents: Locked<Contents>

  /// Creates a directory of accounts.
  public init(_ accounts: [Account] = []) {
    contents = Locked(Contents(accounts: accounts))
  }

  /// Adds an account; whether its identifiers are in use is not checked.
  ///
  /// E-mail address and language are those of its primary ID; without one they are ignored.
  public func add(
    _ account: Account, appAccountToken token: UUID? = nil, emailAddress: String? = nil,
    preferredLanguage: String? = nil
  ) {
    contents.withLock { contents in
      contents.accounts.append(account)
      if let token { contents.tokens[token] = account }
      if let id = account.primaryID {
        contents.addresses[id] = emailAddress
        contents.languages[id] = preferredLanguage
      }
    }
  }

  /// Returns the account with the host's own identifier, or nil if there is none.
  public func account(_ id: AccountID) -> Account? {
    contents.withLock { $0.accounts.first { $0.primaryID == id } }
  }

  /// Returns the account that has all the given identifiers; nil if there is none, or without any.
  public func account(primaryID: AccountID?, secondID: AccountID?) -> Account? {
    guard primaryID != nil || secondID != nil else { return nil }
    return contents.withLock { contents in
      contents.accounts.first { account in
        (primaryID == nil || account.primaryID == primaryID)
          && (secondID == nil || account.secondID == secondID)
      }
    }
  }

  public var hasAppAccountTokens: Bool { contents.withLock { !$0.tokens.isEmpty } }

  /// Returns the account that was added with an app account token, or nil if there is none.
  public func account(appAccountToken token: UUID) -> Account? {
    contents.withLock { $0.tokens[token] }
  }

  /// Returns the app account token with which an account was added, or nil if there is none.
  public func appAccountToken(of id: AccountID) -> UUID? {
    contents.withLock { contents in
      contents.tokens.first { $0.value.primaryID == id }?.key
    }
  }

  /// Returns the e-mail address with which an account was added, or nil if there is none.
  public func emailAddress(of id: AccountID) -> String? {
    contents.withLock { $0.addresses[id] }
  }

  /// Returns the language with which an account was added, or nil if there is none.
  public func preferredLanguage(of id: AccountID) -> String? {
    contents.withLock { $0.languages[id] }
  }
}
