import CreditPolicy
import PurchaseStorage
import ReceiptModels
import Testing

// The invariants of credits (credit rules, section 5), checked without the code under test.
extension CreditScene {
  /// Checks every invariant over all records.
  func audit() async throws {
    let (entries, accounts, rows) = try await store.read { records in
      let users = Set(
        try await records.ledgerAudit.entries(of: nil, after: nil, limit: 100_000).map(\.userID))
      var entries: [LedgerEntry] = []
      for user in users {
        entries += try await records.creditLedger.entries(of: user, skipping: 0, limit: 100_000)
      }
      return (
        entries,
        try await records.ledgerAudit.accounts(after: nil, through: nil, limit: 100_000),
        try await records.creditTransactions.transactions(after: nil, limit: 100_000)
      )
    }
    auditBalances(entries, accounts)
    for row in rows { try audit(row, entries.filter { $0.isAbout(row) }) }
    let purchases = entries.filter { $0.booking.changeType == .purchase }
    #expect(purchases.count == rows.count { $0.status.wasGranted })
    #expect(
      Set(rows.map { "\($0.purchase.environment)/\($0.purchase.transactionID)" }).count
        == rows.count)
  }

  private func auditBalances(_ entries: [LedgerEntry], _ accounts: [CreditAccount]) {
    let balances = Dictionary(accounts.map { ($0.userID, $0.balance) }) { $1 }
    #expect(balances.count == accounts.count)
    for (user, entries) in Dictionary(grouping: entries, by: \.booking.userID) {
      var balance = 0
      for entry in entries.sorted(by: { $0.id < $1.id }) {
        balance += entry.booking.amount
        #expect(entry.balanceAfter == balance, "\(user): \(entry.booking.eventID)")
        #expect(balance >= 0, "\(user)")
      }
      #expect(balances[user] == balance, "\(user)")
    }
    let withEntries = Set(entries.map(\.booking.userID))
    for account in accounts where !withEntries.contains(account.userID) {
      #expect(account.balance == 0)
    }
  }

  private func audit(_ row: CreditTransaction, _ entries: [LedgerEntry]) throws {
    func all(_ type: LedgerBooking.ChangeType) -> [LedgerEntry] {
      entries.filter { $0.booking.changeType == type }
    }
    let purchases = all(.purchase)
    #expect(purchases.count == (row.status.wasGranted ? 1 : 0))
    #expect((row.userID != nil) == row.status.wasGranted)
    #expect(entries.allSatisfy { $0.booking.userID == row.userID })
    let reversals = all(.refundReversal)
    let open = all(.refund).count { !$0.isFurtherShare } - reversals.count
    #expect(open == (row.status == .refunded ? 1 : 0))
    #expect(row.refundRound == reversals.count || !row.status.wasGranted)
    guard row.status.wasGranted else { return }
    #expect(purchases.first?.booking.amount == row.credits)
    #expect(purchases.first?.booking.eventID == row.ledgerEventID)
    #expect(row.ledgerEventID == "payment.apple_iap:\(row.purchase.transactionID)")
  }
}

extension LedgerEntry {
  /// Whether the entry is a second or later share of a refund.
  fileprivate var isFurtherShare: Bool {
    booking.eventID.split(separator: ":").last?.contains(".") ?? false
  }

  fileprivate func isAbout(_ row: CreditTransaction) -> Bool {
    booking.environment == row.purchase.environment && booking.subjectType == "payment"
      && booking.subjectID == row.id.map(String.init)
  }
}
