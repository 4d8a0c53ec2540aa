internal import JSONValues
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The purchases of all customers of the simulator, as a value.
struct SimulatedStore: Sendable {
  private(set) var transactions: [SimulatedTransaction] = []
  /// The places of the transactions among all, by identifier, original identifier and customer, in ascending order.
  private var places: [Int: Int] = [:]
  private var placesOfOriginals: [Int: [Int]] = [:]
  private var placesOfCustomers: [String: [Int]] = [:]
  private var renewals: [Int: SimulatedRenewal] = [:]
  private var lastID: Int
  /// The distance between the numbers of two transactions.
  var numberStep = 1
  private var lastChange = 0
  private var lastAppTransactionID: Int
  private var appTransactionIDs: [String: Int] = [:]
  /// The purchases that were shared, oldest first.
  private(set) var shares: [Share] = []
  private var advancedCommerce: [Int: AdvancedCommerceRenewalInfo] = [:]
  private var lastConsistencyToken = 0
  /// The dates of the extensions of each subscription, by its original identifier.
  private var extensions: [Int: [Date]] = [:]

  /// A purchase that a customer shared with a family member.
  struct Share: Hashable, Sendable {
    let buyer: String
    let member: String
  }

  /// - Parameter lastID: The number before that of the first transaction.
  init(lastID: Int) {
    self.lastID = lastID
    lastAppTransactionID = 700_000_000_000_000_000 + lastID
  }

  // MARK: Queries

  /// Returns the newest transaction of a subscription or purchase.
  func latest(_ originalID: Int) -> SimulatedTransaction? {
    placesOfOriginals[originalID]?.last.map { transactions[$0] }
  }

  func transaction(_ id: Int) -> SimulatedTransaction? { places[id].map { transactions[$0] } }

  /// Returns the identifier of a customer's copy of the app; nil for one without purchases.
  func appTransactionID(of customer: String) -> Int? { appTransactionIDs[customer] }

  /// Returns the customer whose copy of the app has an identifier.
  func customer(appTransactionID: Int) -> String? {
    appTransactionIDs.first { $0.value == appTransactionID }?.key
  }

  /// Returns when a subscription was extended.
  func extensions(of originalID: Int) -> [Date] { extensions[originalID] ?? [] }

  /// Returns what Advanced Commerce renews; nil for a subscription that it does not know.
  func advancedCommerce(of originalID: Int) -> AdvancedCommerceRenewalInfo? {
    advancedCommerce[originalID]
  }

  /// Every customer who bought something, or with whom something is shared.
  var customers: Set<String> { Set(placesOfCustomers.keys) }

  /// Returns all transactions of a customer, oldest first.
  func transactions(of customer: String) -> [SimulatedTransaction] {
    placesOfCustomers[customer, default: []].map { transactions[$0] }
  }

  /// Returns whether a customer paid for a subscription of a group that has expired, and has none of it any more.
  func hasLapsed(_ customer: String, in group: String, at now: Date) -> Bool {
    let all = transactions(of: customer).filter { $0.group == group }
    guard let last = subscription(of: customer, in: group), last.cancellationDate == nil,
      renewals[last.originalID]?.isInRetry != true
    else { return false }
    return all.contains { !$0.isShared && $0.offer != .trial }
      && !all.contains { $0.isRunning(at: now) }
  }

  /// Returns whether a customer has used up the introductory offer of a group, of which each customer gets one.
  func hasUsedIntroduction(_ customer: String, in group: String) -> Bool {
    transactions(of: customer).contains {
      $0.group == group && ($0.offer == .trial || $0.offer == .introductory)
    }
  }

  /// Returns the newest transaction of a customer's own subscription in a group.
  func subscription(of customer: String, in group: String) -> SimulatedTransaction? {
    transactions(of: customer).last { $0.group == group && !$0.isShared }
  }

  /// Returns the renewals of a customer's subscriptions as Apple reports them at a moment.
  func renewalEntries(of customer: String, at now: Date) -> [PendingRenewal] {
    var latest: [Int: SimulatedTransaction] = [:]
    for transaction in transactions(of: customer) { latest[transaction.originalID] = transaction }
    return latest.sorted { $0.key < $1.key }.compactMap { originalID, latest in
      guard let renewal = renewals[originalID], let end = latest.expiresDate else { return nil }
      return renewal.entry(originalID: originalID, end: end, at: now)
    }
  }

  // MARK: Changes

  /// Adds a transaction; that of a subscription begins at `date` and resets its renewal.
  mutating func add(
    _ product: TestProduct, for customer: String, at date: Date, continuing originalID: Int? = nil,
    change: (inout SimulatedTransaction) -> Void = { _ in }
  ) -> SimulatedTransaction {
    lastID += numberStep
    let original = originalID ?? lastID
    let first = placesOfOriginals[original]?.first.map { transactions[$0] }
    var transaction = SimulatedTransaction(
      id: lastID, originalID: original, product: product, customer: customer, purchaseDate: date,
      originalPurchaseDate: first?.originalPurchaseDate ?? date)
    if case .autoRenewable(let period, _) = product.kind {
      transaction.expiresDate = date.addingTimeInterval(period.timeInterval)
    }
    transaction.advancedCommerceInfo = advancedCommerce[original]?.transactionInfo
    change(&transaction)
    if transaction.group != nil {
      renewals[original] = SimulatedRenewal(after: transaction, before: renewals[original])
    }
    lastChange += 1
    transaction.modified = lastChange
    let place = transactions.count
    transactions.append(transaction)
    places[transaction.id] = place
    placesOfOriginals[original, default: []].append(place)
    placesOfCustomers[customer, default: []].append(place)
    register(customer)
    return transaction
  }

  /// Gives a customer's copy of the app its identifier, if it has none.
  mutating func register(_ customer: String) {
    guard appTransactionIDs[customer] == nil else { return }
    lastAppTransactionID += numberStep
    appTransactionIDs[customer] = lastAppTransactionID
  }

  mutating func change(_ id: Int, _ body: (inout SimulatedTransaction) -> Void) {
    guard let index = places[id] else { return }
    let before = transactions[index]
    body(&transactions[index])
    // Apple does not sign whether a transaction is finished.
    var after = transactions[index]
    after.isFinished = before.isFinished
    if after != before { touch(index) }
  }

  /// Moves a transaction to the end of the order of changes.
  private mutating func touch(_ index: Int) {
    lastChange += 1
    transactions[index].modified = lastChange
  }

  /// Records that a customer shared a purchase.
  mutating func share(by buyer: String, with member: String) {
    shares.append(Share(buyer: buyer, member: member))
  }

  /// Sets what Advanced Commerce renews, with a new consistency token, and describes the newest
  /// charge by it.
  mutating func setAdvancedCommerce(_ info: AdvancedCommerceRenewalInfo, of originalID: Int) {
    lastConsistencyToken += 1
    var info = info
    info.consistencyToken = "consistency-\(originalID)-\(lastConsistencyToken)"
    advancedCommerce[originalID] = info
    guard let latest = latest(originalID) else { return }
    change(latest.id) { $0.advancedCommerceInfo = info.transactionInfo }
  }

  /// Extends the paid period of a subscription's newest charge, and records when.
  mutating func extend(_ originalID: Int, by duration: TimeInterval, at now: Date) {
    guard let latest = latest(originalID) else { return }
    change(latest.id) { charge in
      charge.expiresDate = charge.expiresDate?.addingTimeInterval(duration)
      charge.commitment?.end.addTimeInterval(duration)
    }
    extensions[originalID, default: []].append(now)
  }

  /// Marks charges as replaced: the newest one, and any whose period still runs.
  mutating func upgradeRunning(_ originalID: Int, at now: Date) {
    let newest = latest(originalID)?.id
    for index in placesOfOriginals[originalID] ?? [] {
      let isReplaced = transactions[index].id == newest || transactions[index].isRunning(at: now)
      guard isReplaced, !transactions[index].isUpgraded else { continue }
      transactions[index].isUpgraded = true
      touch(index)
    }
  }

  /// Changes the next renewal of a subscription; returns false for a purchase that does not renew.
  mutating func changeRenewal(
    _ originalID: Int, _ body: (inout SimulatedRenewal) throws(SimulatorFailure) -> Void
  ) throws(SimulatorFailure) -> Bool {
    guard var renewal = renewals[originalID] else { return false }
    try body(&renewal)
    renewals[originalID] = renewal
    return true
  }

  /// Returns the next renewal of a subscription, or nil for a purchase that does not renew.
  func renewal(_ originalID: Int) -> SimulatedRenewal? { renewals[originalID] }
}
