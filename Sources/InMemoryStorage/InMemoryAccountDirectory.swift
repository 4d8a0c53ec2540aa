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
    private var accounts: [Account] = []
    /// The places of the accounts that have an identifier, in the order in which they were added.
    private var places: [AccountID: [Int]] = [:]
    var tokens: [UUID: Account] = [:]
    var tokensByID: [AccountID: UUID] = [:]
    var addresses: [AccountID: String] = [:]
    var languages: [AccountID: String] = [:]

    mutating func add(_ account: Account) {
      for id in Set([account.primaryID, account.secondID].compactMap(\.self)) {
        places[id, default: []].append(accounts.count)
      }
      accounts.append(account)
    }

    /// Returns the first account with an identifier for which a condition holds.
    func first(with id: AccountID, where isWanted: (Account) -> Bool) -> Account? {
      places[id]?.lazy.map { accounts[$0] }.first(where: isWanted)
    }
  }

  private let contents: Locked<Contents>

  /// Creates a directory of accounts.
  public init(_ accounts: [Account] = []) {
    var contents = Contents()
    for account in accounts { contents.add(account) }
    self.contents = Locked(contents)
  }

  /// Adds an account; whether its identifiers are in use is not checked.
  ///
  /// E-mail address and language are those of its primary ID; without one they are ignored.
  public func add(
    _ account: Account, appAccountToken token: UUID? = nil, emailAddress: String? = nil,
    preferredLanguage: String? = nil
  ) {
    contents.withLock { contents in
      contents.add(account)
      if let token {
        // A token belongs to the account that was added last with it.
        if let id = contents.tokens[token]?.primaryID, contents.tokensByID[id] == token {
          contents.tokensByID[id] = nil
        }
        contents.tokens[token] = account
      }
      if let id = account.primaryID {
        if let token { contents.tokensByID[id] = token }
        contents.addresses[id] = emailAddress
        contents.languages[id] = preferredLanguage
      }
    }
  }

  /// Returns the account with the host's own identifier, or nil if there is none.
  public func account(_ id: AccountID) -> Account? {
    contents.withLock { $0.first(with: id) { $0.primaryID == id } }
  }

  /// Returns the account that has all the given identifiers; nil if there is none, or without any.
  public func account(primaryID: AccountID?, secondID: AccountID?) -> Account? {
    guard let known = primaryID ?? secondID else { return nil }
    return contents.withLock { contents in
      contents.first(with: known) { account in
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
    contents.withLock { $0.tokensByID[id] }
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
