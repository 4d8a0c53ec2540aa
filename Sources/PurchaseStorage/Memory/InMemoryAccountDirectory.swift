internal import StorekeeperLocks
public import ReceiptModels

/// Accounts in memory, for tests and for trying things out.
public final class InMemoryAccountDirectory: AccountDirectory {
  private let accounts: Locked<[Account]>

  /// A directory of these accounts.
  public init(_ accounts: [Account] = []) { self.accounts = Locked(accounts) }

  /// Adds an account; whether its identifiers are taken is not checked.
  public func add(_ account: Account) { accounts.withLock { $0.append(account) } }

  /// The account with this `ftcId`, or nil if there is none.
  public func account(ftcID: String) -> Account? {
    accounts.withLock { $0.first { $0.ftcID?.isSame(as: ftcID) ?? false } }
  }

  /// The account that has all the identifiers that are given; nil if there is none, or if none is
  /// given.
  public func account(ftcID: String?, unionID: String?) -> Account? {
    guard ftcID != nil || unionID != nil else { return nil }
    return accounts.withLock { accounts in
      accounts.first { account in
        let has = { (id: String?, given: String?) in
          given.map { id?.isSame(as: $0) ?? false } ?? true
        }
        return has(account.ftcID, ftcID) && has(account.unionID, unionID)
      }
    }
  }
}
