public import LinkPolicy
public import ReceiptModels

/// Subscriptions and the memberships that concern them.
public struct LinkRows: Hashable, Sendable {
  /// The subscriptions, in ascending order of id as text.
  public var subscriptions: [StoredSubscription]
  /// The memberships, in ascending order of compound id.
  public var memberships: [Membership]

  /// Creates the rows of two tables.
  public init(subscriptions: [StoredSubscription], memberships: [Membership]) {
    self.subscriptions = subscriptions
    self.memberships = memberships
  }
}

/// The evidence of subscriptions, and the memberships that follow them.
public struct EvidenceRows: Hashable, Sendable {
  public var transactions: [PurchaseRecord]
  public var renewals: [RenewalRecord]
  /// The memberships, in ascending order of compound id.
  public var memberships: [Membership]

  /// Creates the rows of three tables.
  public init(
    transactions: [PurchaseRecord], renewals: [RenewalRecord], memberships: [Membership]
  ) {
    self.transactions = transactions
    self.renewals = renewals
    self.memberships = memberships
  }
}

extension [RenewalRecord] {
  /// The last renewal of each product.
  ///
  /// Products are compared byte by byte; all renewals without a product stay.
  package var lastOfEachProduct: [RenewalRecord] {
    var seen: Set<[UInt8]> = []
    let kept = reversed().filter { renewal in
      renewal.productID.map { seen.insert([UInt8]($0.utf8)).inserted } ?? true
    }
    return kept.reversed()
  }
}
