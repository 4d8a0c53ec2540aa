internal import PurchaseStorage
internal import ReceiptModels

/// A place in the walk over all transactions, in the order of their numbers.
struct TransactionWalk: Sendable {
  private var place: Int?

  /// The beginning.
  init() {}

  /// Reads and checks a page.
  func page(of userID: AccountID?, limit: Int, in audit: any LedgerAuditRepository) async throws
    -> LedgerAuditPage<TransactionWalk>
  {
    let rows = try await audit.transactions(of: userID, after: place, limit: limit)
    var next = self
    next.place = rows.last
    var page = LedgerAuditPage(next: rows.count < limit ? nil : next)
    page.progress.transactions = rows.count
    let examination = LedgerExamination(audit: audit)
    for row in rows.doubtful {
      page.violations += try await examination.violations(of: row, ownedBy: userID)
    }
    return page
  }
}
