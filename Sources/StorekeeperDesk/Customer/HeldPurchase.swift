internal import EntitlementPolicy
internal import LinkPolicy
internal import PurchaseStorage
internal import ReceiptModels
internal import Storekeeper

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A purchase, with all charges that are stored and what each capability has on it.
struct HeldPurchase: Sendable {
  let id: String
  let environment: AppStoreEnvironment
  /// The charges; nil if none is stored.
  var history: PurchaseHistory?
  var subscription: Subscription?
  /// The membership that rests on the purchase.
  var membership: Membership?
  /// The accounts that have it, each once, by whichever capability.
  var owners: [AccountID] = []
  var associations: [PurchaseAssociation] = []
  var transfers: [PurchaseTransfer] = []
  /// The stores' questions about refunds of the charges that a page shows, the newest first.
  var questions: [ConsumptionCase] = []
  /// The claims of other accounts to it that were refused.
  var claims: [Claim] = []

  /// A refused claim of an account to a purchase.
  struct Claim: Hashable, Sendable {
    var account: AccountID
    var date: Date
  }

  /// Returns whether the account has it in an app.
  func isHeld(by account: Account, in bundleID: String) -> Bool {
    associations.contains { $0.bundleID.isSameText(as: bundleID) && account.isKnown(as: $0.userID) }
  }

  var vendor: Vendor { TransactionIDs.vendor(of: id) }

  var productID: String? { history?.latest.productID ?? subscription?.productID }

  /// Returns the purchase as it was at a past moment, as far as dates tell: with the charges that were made, without
  /// the refunds that came later; nil if nothing was bought yet.
  ///
  /// What was known of its renewal then is not kept.
  func asPaid(at moment: Date) -> HeldPurchase? {
    guard let history, history.hasBegun(at: moment) else { return nil }
    var past = self
    let records = history.transactions.map { record in
      var record = record
      if let end = record.cancellationDate, moment < end {
        record.cancellationDate = nil
      }
      return record
    }
    past.history = PurchaseHistory.histories(of: records, knowledge: .remote).first
    return past
  }

  /// Returns the state at a moment; nil if no charge is stored.
  func summary(at moment: Date, durations: [String: Duration]) -> SubscriptionSummary? {
    history.map { $0.summary(at: moment, durations: durations) }
  }

  /// The moment as of which the newest record about it is true.
  var asOf: Date? {
    guard let history else { return subscription?.updatedDate }
    return
      (history.transactions.compactMap(\.signedDate) + history.renewals.compactMap(\.signedDate))
      .max()
  }

  /// The charges that a page of them shows, the newest first; pages are counted from 1.
  func charges(onPage page: Int) -> ArraySlice<PurchaseRecord> {
    let all = history?.transactions ?? []
    let first = min((page - 1) * Self.pageSize, all.count)
    return all[first..<min(first + Self.pageSize, all.count)]
  }

  /// Reads the stores' questions about refunds of the charges on a page.
  mutating func readQuestions(onPage page: Int, _ records: UnitOfWork) async throws {
    var asked: Set<String> = []
    for charge in charges(onPage: page) {
      // Google asks about an order, which is the identifier of a charge without the product.
      let id =
        charge.vendor == .google
        ? charge.transactionID.split(separator: ":").prefix(2).joined(separator: ":")
        : charge.transactionID
      guard asked.insert(id).inserted else { continue }
      questions += try await records.consumption.cases(
        ofTransaction: id, environment: charge.vendor == .google ? .production : environment)
    }
    questions.sort { $0.requestedDate > $1.requestedDate }
  }

  /// Reads a purchase.
  static func load(
    _ id: String, in environment: AppStoreEnvironment, _ records: UnitOfWork
  ) async throws -> HeldPurchase {
    var purchase = HeldPurchase(id: id, environment: environment)
    purchase.history =
      PurchaseHistory.histories(
        of: try await records.purchases.transactions(of: [id], environment: environment),
        renewals: try await records.purchases.renewals(of: [id], environment: environment),
        knowledge: .remote
      ).first
    purchase.transfers = try await records.purchases.transfers(of: id, environment: environment)
    var owners = PurchaseOwners(in: records)
    let key = PurchaseKey(originalTransactionID: id, environment: environment)
    try await owners.find([key])
    purchase.owners = owners.owners(of: key)
    if records.subscriptions != nil {
      let found = try await records.find([id], account: nil)
      purchase.subscription =
        found.subscriptions.map(\.subscription).first { $0.environment == environment }
      purchase.membership = found.memberships.first { $0.isIAP && $0.originalTransactionID == id }
      let disputes = try await records.memberships.disputes(
        DisputeQuery(of: .subscription(id)), limit: historyLimit)
      purchase.claims += disputes.map { Claim(account: $0.accountID, date: $0.date) }
    }
    if records.entitlements != nil {
      purchase.associations = try await records.associations.find([id], environment: environment)
      let conflicts = try await records.associations.conflicts(about: id)
      purchase.claims += conflicts.map { Claim(account: $0.claimant, date: $0.seenDate) }
    }
    // Who asked many times is named once, and who has it now was not refused in the end.
    let newest = Dictionary(grouping: purchase.claims, by: \.account).compactMap {
      $0.value.max { $0.date < $1.date }
    }
    purchase.claims = newest.filter { !purchase.owners.contains($0.account) }
      .sorted { $0.date < $1.date }
    return purchase
  }

  /// The number of rows of one kind that a page has at most.
  static let pageSize = 50
  /// The number of rows of which the newest are shown, where a store returns the oldest first.
  static let historyLimit = 1000
}
