/// The result of one page of the walk over entries and accounts.
struct LedgerAuditPage: Sendable {
  /// The violations.
  var violations: [LedgerViolation] = []
  /// The numbers of rows that were checked.
  var progress = LedgerAuditProgress()
  /// The place of the next page; nil after the last one.
  var next: LedgerWalk?

  init(next: LedgerWalk?) { self.next = next }
}
