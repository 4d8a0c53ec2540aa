import CreditPolicy
import ReceiptModels

/// A row of the table of stored transactions (credit rules, section 2, steps 7 to 12).
struct StoredRow {
  var words: String
  var stored: CreditTransaction?
  var isRevoked: Bool
  var isStarterUsed: Bool

  static let all: [StoredRow] = records.flatMap { words, stored in
    [false, true].flatMap { isRevoked in
      [false, true].map {
        StoredRow(words: words, stored: stored, isRevoked: isRevoked, isStarterUsed: $0)
      }
    }
  }

  private static let records: [(String, CreditTransaction?)] = [
    ("none", nil),
    ("`granted`, of u1", TableScene.stored(.granted, of: "u1")),
    ("`granted`, of u2", TableScene.stored(.granted, of: "u2")),
    ("`granted`, of another product", otherProduct(.granted)),
    ("`granted`, of another app", otherApp(.granted)),
    ("`refunded`", TableScene.stored(.refunded, of: "u1")),
    ("`revoked_pending`", TableScene.stored(.revokedPending, of: "u1")),
    ("`open`", TableScene.stored(.open, of: "u1")),
    ("`open`, of another product", otherProduct(.open)),
    ("`open`, of another app", otherApp(.open)),
  ]

  private static func otherProduct(_ status: CreditTransaction.Status) -> CreditTransaction {
    var row = TableScene.stored(status, of: "u1")
    row.purchase.productID = "com.example.gems.big"
    return row
  }

  private static func otherApp(_ status: CreditTransaction.Status) -> CreditTransaction {
    var row = TableScene.stored(status, of: "u1")
    row.purchase.bundleID = "com.example.other"
    return row
  }

  var markdown: String {
    var purchase = TableScene.purchase
    purchase.revocationDate = isRevoked ? TableScene.date : nil
    let decision = GrantProposal(
      claim: TableScene.claim, product: TableScene.product, purchase: purchase
    ).decision(stored: stored, isStarterUsed: isStarterUsed, balance: 100)
    return RuleTables.row([
      words, isRevoked ? "revocation date" : "good", isStarterUsed ? "used" : "not used",
      decision.words, decision.code.map { "`\($0)`" } ?? "",
    ])
  }
}

extension GrantDecision {
  fileprivate var words: String {
    switch self {
    case .grant: "granted"
    case .alreadyGranted: "already_granted"
    case .refuse: "refused"
    }
  }

  fileprivate var code: String? {
    switch self {
    case .grant, .alreadyGranted: nil
    case .refuse(let refusal): refusal.code
    }
  }
}
