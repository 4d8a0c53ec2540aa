/// The result of one page of an audit.
struct LedgerAuditPage<Walk: Sendable>: Sendable {
  /// The violations.
  var violations: [LedgerViolation] = []
  /// The numbers of rows that were checked.
  var progress = LedgerAuditProgress()
  /// The place of the next page; nil after the last one.
  var next: Walk?

  init(next: Walk?) { self.next = next }
}
