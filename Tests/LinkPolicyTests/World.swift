import LinkPolicy
import ReceiptModels

/// All that is stored, as small as it can be: executes writes one by one, as a store has to.
struct World: Hashable {
  var rows: [Membership]
  var subscription: Subscription
  var snapshots: [Membership] = []
  var reasons: [SnapshotReason] = []
  var emails: [MembershipEmail] = []
  var disputes: [Account] = []
  var archive: [String] = []

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
      if owner == "" { throw .emptyOwner }
      subscription.ftcUserID = owner
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
    case .archive(let id, let ftcID):
      try check(id)
      archive.append(ftcID)
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
      if row.compoundID.isEmpty { throw .withoutAccount }
      for other in rows[..<place] {
        if let key = row.sharedKey(with: other) { throw .duplicate(key) }
      }
    }
  }
}

extension Membership {
  /// The first unique key that both rows have the same of.
  func sharedKey(with other: Membership) -> String? {
    if compoundID == other.compoundID { return "compoundID" }
    if let id, id == other.id { return "id" }
    if let ftcID, ftcID == other.ftcID { return "ftcID" }
    if let unionID, unionID == other.unionID { return "unionID" }
    if let stripeSubsID, stripeSubsID == other.stripeSubsID { return "stripeSubsID" }
    if let appleSubsID, appleSubsID == other.appleSubsID { return "appleSubsID" }
    if let b2bLicenceID, b2bLicenceID == other.b2bLicenceID { return "b2bLicenceID" }
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
      account: account, subscription: subscription,
      subscriptionMembership: rows.first { $0.appleSubsID == "1000" }, options: options
    ).decision(at: now)
  }
}
