/// What was found about a stored purchase.
struct PurchaseTally: Sendable {
  var isKnown = false
  var askedOfApple = 0
  var askedOfGoogle = 0
  var changes: PurchaseChanges?
  var credits = CreditRestorations()
  var refused = 0
  var fault: Rebuild.Fault?

  init(isKnown: Bool) { self.isKnown = isKnown }

  init(_ fault: Rebuild.Fault) { self.fault = fault }

  init(ofApple changes: PurchaseChanges) {
    self.changes = changes
    askedOfApple = 1
  }

  init(ofGoogle changes: PurchaseChanges) {
    self.changes = changes
    askedOfGoogle = 1
  }
}

extension Rebuild.Report {
  mutating func note(_ tally: PurchaseTally) {
    visitedPurchases += 1
    if tally.isKnown { knownPurchases += 1 }
    askedOfApple += tally.askedOfApple
    askedOfGoogle += tally.askedOfGoogle
    added += tally.changes?.added.count ?? 0
    revoked += tally.changes?.revoked.count ?? 0
    restored += tally.changes?.restored.count ?? 0
    note(tally.credits)
    note(.historyElementRefused, tally.refused)
    if let fault = tally.fault { note(fault) }
  }
}
