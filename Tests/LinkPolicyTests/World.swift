import LinkPolicy
import ReceiptModels

/// All that is stored, as small as it can be: executes writes one by one, as a store has to.
struct World: Hashable {
  var rows: [Membership]
  var subscription: Subscription
  var snapshots: [Membership] = []
  var reasons: [SnapshotReason] = []
  var emails: [OutboxMessage] = []
  var disputes: [Account] = []
  var archive: [AccountID] = []

  /// What no store would do.
  enum Failure: Error, Hashable {
    case duplicate(String)
    case missingRow
    case withoutAccount
    case otherSubscription
    case emptyOwner
  }

  init(_ subscription: Subscription, rows: [Membership] = []) {
    self.subscription = subscription
    self.rows = rows
  }

  mutating func apply(_ decision: LinkDecision) throws(Failure) {
    for write in decision.writes { try apply(write) }
  }

  private mutating func apply(_ write: LinkWrite) throws(Failure) {
    switch write {
    case .claim(let id, let owner):
      try check(id)
      if owner?.rawValue == "" { throw .emptyOwner }
      subscription.owner = owner
    case .insert(let row): rows.append(row)
    case .update(let row, let previous): rows[try place(of: previous)] = row
    case .delete(let row): rows.remove(at: try place(of: row))
    case .snapshot(let row, let reason):
      _ = try place(of: row)
      snapshots.append(row)
      reasons.append(reason)
    case .dispute(let id, let account):
      try check(id)
      disputes.append(account)
    case .archive(let id, let accountID):
      try check(id)
      archive.append(accountID)
    case .email(let email): emails.append(email)
    }
    try checkKeys()
  }

  private func check(_ id: String) throws(Failure) {
    guard id == subscription.originalTransactionID else { throw .otherSubscription }
  }

  /// The place of a row, which has to be as it is stored.
  private func place(of row: Membership) throws(Failure) -> Int {
    guard let place = rows.firstIndex(of: row) else { throw .missingRow }
    return place
  }

  /// The unique keys of the contract's section 4.6, which hold after every single write.
  private func checkKeys() throws(Failure) {
    for (place, row) in rows.enumerated() {
      if row.accountID == nil { throw .withoutAccount }
      for other in rows[..<place] {
        if let key = row.sharedKey(with: other) { throw .duplicate(key) }
      }
    }
  }
}

extension Membership {
  /// The first unique key that both rows have the same of.
  func sharedKey(with other: Membership) -> String? {
    if accountID == other.accountID { return "accountID" }
    if let id, id == other.id { return "id" }
    if let primaryID, primaryID == other.primaryID { return "primaryID" }
    if let secondID, secondID == other.secondID { return "secondID" }
    if let id = details.subscriptionID, id == other.details.subscriptionID { return "provider" }
    if let id = originalTransactionID, id == other.originalTransactionID { return "apple" }
    if let id = details.licenceID, id == other.details.licenceID { return "licenceID" }
    return nil
  }
}

extension World {
  func link(
    _ account: Account, force: Bool = false, _ options: LinkOptions = LinkOptions()
  ) -> LinkDecision {
    LinkProposal(
      account: account, subscription: subscription, rows: rows, force: force, options: options
    ).decision(at: now)
  }

  func unlink(_ account: Account?, _ options: LinkOptions = LinkOptions()) -> LinkDecision {
    UnlinkProposal(
      by: options.contract == .current ? .ownership : .receipt, account: account,
      subscription: subscription,
      subscriptionMembership: rows.first { $0.originalTransactionID == "1000" }, options: options
    ).decision(at: now)
  }
}
