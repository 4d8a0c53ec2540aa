import LinkPolicy
import PurchaseStorage
import ReceiptModels
import SQLiteStorage

/// What the database holds, as far as the story changes it.
struct Records {
  var owners: [String: String] = [:]
  var memberships: [String: Membership] = [:]
  var events: [MembershipEvent] = []
  var transactions = 0
  var unsent = 0

  init(of newspaper: Newspaper) async throws {
    // The simulated App Store numbers its purchases from here.
    let ids = (1...9).map { "30000000000000\($0)" }
    self = try await newspaper.store.read { records in
      var state = Records()
      for row in try await records.storedSubscriptions.find(ids) {
        state.owners[row.subscription.originalTransactionID] =
          row.subscription.owner?.rawValue ?? "nobody"
      }
      for name in ["alice", "bob"] {
        let rows = try await records.memberships.find(
          account: Account(id: AccountID(stored: name)), appleSubscriptionIDs: [])
        state.memberships[name] = rows.first
      }
      for id in ids {
        state.events += try await records.memberships.history(of: .subscription(id), limit: 100)
      }
      state.transactions = try await records.purchases.transactions(
        of: ids, environment: .production
      ).count
      state.unsent = try await records.outbox.unsentCount()
      return state
    }
  }

  private init() {}

  /// What was written since, one line each.
  func differences(from before: Records) -> [String] {
    var lines: [String] = []
    if transactions > before.transactions {
      lines.append("Apple's transactions, renewal entry and receipt")
    }
    for (id, owner) in owners.sorted(by: { $0.key < $1.key }) where before.owners[id] != owner {
      let verb = before.owners[id] == nil ? "new subscription" : "owner of subscription"
      lines.append("\(verb) \(id): \(owner)")
    }
    for name in ["alice", "bob"] where memberships[name] != before.memberships[name] {
      let day = memberships[name]?.expireDate.map { "until \($0)" } ?? "deleted"
      lines.append("membership of \(name): \(day)")
    }
    for event in events where !before.events.contains(event) {
      switch event.kind {
      case .snapshot(_, let reason): lines.append("copy of the membership before (\(reason))")
      case .dispute: lines.append("dispute of \(event.accountID ?? "")")
      case .unlink: lines.append("archive of the unlink")
      }
    }
    if unsent > before.unsent { lines.append("\(unsent - before.unsent) message in the outbox") }
    return lines
  }
}
