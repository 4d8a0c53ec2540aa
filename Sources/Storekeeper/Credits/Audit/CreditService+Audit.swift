internal import PurchaseStorage
public import ReceiptModels
internal import StorekeeperLocks

extension CreditService {
  /// Checks whether a user's balance, entries and transactions agree.
  ///
  /// For all users there is ``LedgerAuditor``, which also says what is checked.
  ///
  /// Source: credit rules, section 5.
  ///
  /// - Parameter userID: The user.
  /// - Returns: The violations; none if all is as it should be.
  /// - Throws: An error of the store.
  public func audit(_ userID: AccountID) async throws -> [LedgerViolation] {
    let found = Locked<[LedgerViolation]>([])
    _ = try await LedgerAuditor(store: store).audit(userID) { violation in
      found.withLock { $0.append(violation) }
    }
    return found.withLock { $0 }
  }
}
