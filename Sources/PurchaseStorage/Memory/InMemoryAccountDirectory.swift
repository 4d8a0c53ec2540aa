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
  }

  private let contents: Locked<Contents>

  /// Creates a directory of accounts.
  public init(_ accounts: [Account] = []) {
    contents = Locked(Contents(accounts: accounts))
  }

  /// Adds an account; whether its identifiers are in use is not checked.
  ///
  /// - Parameters:
  ///   - account: The account.
  ///   - token: The app account token that the host made for it.
  public func add(_ account: Account, appAccountToken token: UUID? = nil) {
    contents.withLock { contents in
      contents.accounts.append(account)
      if let token { contents.tokens[token] = account }
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

  /// Whether an account was added with an app account token.
  public var hasAppAccountTokens: Bool { contents.withLock { !$0.tokens.isEmpty } }

  /// Returns the account that was added with an app account token, or nil if there is none.
  public func account(appAccountToken token: UUID) -> Account? {
    contents.withLock { $0.tokens[token] }
  }
}
