internal import StorekeeperLocks
public import ReceiptModels

/// A subscription at an ``AppStoreSimulator``, with its history, as of one moment.
///
/// See ``AppStoreSimulator/subscriptions``.
public struct TestSubscription: Hashable, Sendable {
  /// The identifier of the first charge.
  public let originalTransactionID: String
  /// The customer who bought it, or with whom it is shared.
  public let customer: String
  /// Its state, as in Apple's notifications of version 2.
  public let status: SubscriptionStatus
  /// Every charge as Apple signs it, oldest first.
  public let transactions: [Transaction]
  /// The order numbers of the charges, in the same order; Apple mails them to the customer.
  public let orderIDs: [String]
  /// The next or failed renewal, as Apple signs it.
  public let renewal: RenewalInfo
}

extension AppStoreSimulator {
  /// All subscriptions that renew or did, by their original identifiers, as of now.
  public var subscriptions: [TestSubscription] {
    let now = now
    let store = state.withLock { $0.store }
    return store.customers.flatMap { customer in
      subscriptions(at: SimulatedMoment(of: customer, in: store, at: now))
    }.sorted { one, other in
      (one.originalTransactionID.utf8.count, one.originalTransactionID)
        < (other.originalTransactionID.utf8.count, other.originalTransactionID)
    }
  }

  /// The subscriptions of a customer that renew or did, in no order, as of now.
  public func subscriptions(of customer: String) -> [TestSubscription] {
    let now = now
    let store = state.withLock { $0.store }
    return subscriptions(at: SimulatedMoment(of: customer, in: store, at: now))
  }

  private func subscriptions(at moment: SimulatedMoment) -> [TestSubscription] {
    let histories = Dictionary(grouping: moment.transactions, by: \.originalID)
    return histories.compactMap { originalID, history in
      guard let renewal = renewalInfo(originalID, at: moment),
        let status = moment.status(originalID)
      else { return nil }
      return TestSubscription(
        originalTransactionID: String(originalID), customer: moment.customer, status: status,
        transactions: history.map { transaction($0, at: moment) },
        orderIDs: history.map(\.orderID), renewal: renewal)
    }
  }
}
