internal import LinkPolicy
public import PurchaseStorage
public import ReceiptModels

/// A check whether the records of subscriptions in a store agree with each other.
///
/// Everything that the subscription service writes leaves these true, whatever happens to the process
/// in between; a host can run it on its own data as well. It reads the subscriptions in one unit of
/// work and changes nothing. Memberships that a host changed by itself may be found to differ from
/// their subscription until the next verification.
///
/// Source: `Documentation/rules/linking-rules.md`.
public struct StoreAudit: Sendable {
  /// Something that does not agree.
  public struct Finding: Hashable, Sendable, CustomStringConvertible {
    public var originalTransactionID: String
    public var problem: Problem

    public var description: String { "\(originalTransactionID): \(problem)" }
  }

  /// A kind of disagreement.
  public enum Problem: String, Hashable, Sendable, CaseIterable {
    case severalMemberships
    /// A membership paid by Apple carries a subscription that is not stored.
    case membershipWithoutSubscription
    /// The membership belongs to another account than the subscription.
    case ownerDiffers
    /// `isInUse` is not what memberships and owner say.
    case useDiffers
    /// Tier, cycle, day or automatic renewal of the membership are not the subscription's.
    case membershipDiffers
    /// The subscription is not what the stored transactions amount to.
    case derivationDiffers
    /// A transaction has a later stamp than its subscription.
    case stampIsOld
    /// There are transactions, but no receipt.
    case receiptMissing
    /// There are transactions of a known product, but no subscription.
    case subscriptionMissing
  }

  private let products: ProductMap

  /// An audit of a store that knows these products.
  public init(products: ProductMap) { self.products = products }

  /// Everything that does not agree about these subscriptions; empty if all does.
  ///
  /// An ID that is not stored is fine unless something refers to it. The findings have the order
  /// of the IDs.
  public func findings(
    in store: any PurchaseStore, about ids: [String]
  ) async throws -> [Finding] {
    try await store.read { records in try await findings(in: records, about: ids) }
  }

  /// The same, inside a unit of work.
  public func findings(in records: UnitOfWork, about ids: [String]) async throws -> [Finding] {
    let rows = try await records.storedSubscriptions.find(ids)
    let memberships = try await records.memberships.find(account: nil, appleSubscriptionIDs: ids)
    var findings: [Finding] = []
    for id in ids {
      let carriers = memberships.filter { $0.originalTransactionID == id }
      let row = rows.first { $0.subscription.originalTransactionID == id }
      let evidence = try await StoredEvidence(of: id, row: row, in: records)
      let problems =
        Self.problems(of: row?.subscription, carriers) + evidence.problems(id, row, products)
      findings += problems.map { Finding(originalTransactionID: id, problem: $0) }
    }
    return findings
  }

  private static func problems(of row: Subscription?, _ carriers: [Membership]) -> [Problem] {
    var problems: [Problem] = []
    if carriers.count > 1 { problems.append(.severalMemberships) }
    guard let row else {
      if carriers.contains(where: \.isIAP) { problems.append(.membershipWithoutSubscription) }
      return problems
    }
    let member = carriers.first(where: \.isIAP)
    let isInUse = member?.primaryID != nil && member?.primaryID == row.owner
    if row.isInUse != isInUse { problems.append(.useDiffers) }
    guard let member else { return problems }
    if let owner = row.owner, owner != member.primaryID { problems.append(.ownerDiffers) }
    let agrees =
      member.tier == row.tier && member.cycle == row.cycle
      && member.expireDate == CalendarDay(row.expiresDate) && member.autoRenew == row.autoRenewal
    if !agrees { problems.append(.membershipDiffers) }
    return problems
  }
}

private struct StoredEvidence {
  var environment: AppStoreEnvironment
  var transactions: [PurchaseRecord]
  var renewals: [RenewalRecord]
  var hasReceipt: Bool

  init(of id: String, row: StoredSubscription?, in records: UnitOfWork) async throws {
    let evidence = records.purchases
    var environment = row?.subscription.environment ?? .production
    var transactions = try await evidence.transactions(of: [id], environment: environment)
    if row == nil, transactions.isEmpty {
      environment = .sandbox
      transactions = try await evidence.transactions(of: [id], environment: environment)
    }
    self.environment = environment
    self.transactions = transactions
    renewals = try await evidence.renewals(of: [id], environment: environment)
    hasReceipt = try await evidence.receipt(of: id, environment: environment) != nil
  }

  func problems(
    _ id: String, _ row: StoredSubscription?, _ products: ProductMap
  ) -> [StoreAudit.Problem] {
    var problems: [StoreAudit.Problem] = []
    if !transactions.isEmpty, !hasReceipt { problems.append(.receiptMissing) }
    let derived = Subscription(
      originalTransactionID: id, environment: environment, transactions: transactions,
      renewals: renewals, group: transactions, products: products)
    guard let row else {
      if derived != nil { problems.append(.subscriptionMissing) }
      return problems
    }
    if transactions.contains(where: { $0.signedDate.map { $0 > row.asOf } ?? false }) {
      problems.append(.stampIsOld)
    }
    var stored = row.subscription
    stored.createdDate = nil
    stored.updatedDate = nil
    stored.owner = nil
    stored.isInUse = false
    if stored != derived { problems.append(.derivationDiffers) }
    return problems
  }
}
