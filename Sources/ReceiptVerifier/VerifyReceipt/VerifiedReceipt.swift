public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// What Apple's server says of a valid receipt for one of our apps; only ``VerifyReceiptClient``
/// makes one.
///
/// It proves what was bought by the Apple account of a device, up to ``requestDate``, not that the
/// user who sent the receipt owns it. Valid does not mean entitled: the receipt of an expired
/// subscription is valid.
public struct VerifiedReceipt: Hashable, Sendable {
  /// Apple's answer.
  public let response: VerifyReceiptResponse
  /// The environment of the server that answered.
  public let environment: AppStoreEnvironment
  /// The answer in the very bytes that Apple sent.
  public let rawBody: [UInt8]
  /// When Apple answered: the present moment for rules about this answer.
  ///
  /// By Apple's clock; in the style of iOS 6, which does not tell, by ours.
  public let requestDate: Date
  /// How many requests were sent, to both servers together.
  public let attempts: Int

  /// A transaction id to ask the App Store Server API about, or nil when nothing was bought.
  ///
  /// Any transaction of a customer leads to the whole history. The original transaction ids are
  /// preferred, as they stay the same. Taken from a receipt that verified, so nobody can make one up;
  /// whoever holds a copy of a stranger's receipt has the stranger's.
  ///
  /// Source: contract on signed data, section 5.6.
  public var transactionID: String? {
    response.transactions.lazy.compactMap { $0.originalTransactionID ?? $0.transactionID }.first
  }
}

extension VerifiedReceipt {
  /// The purchases, each original transaction id once, the latest first.
  public var purchaseHistories: [PurchaseHistory] {
    response.purchaseHistories(environment: environment)
  }

  /// The subscriptions at a moment, which for a fresh answer is ``requestDate``.
  ///
  /// - Parameters:
  ///   - date: The moment.
  ///   - durations: The length of each non-renewing subscription in seconds, by product id.
  /// - Returns: What the customer has, the latest first; purchases without an end are left out.
  public func subscriptions(
    at date: Date, durations: [String: TimeInterval] = [:]
  ) -> [SubscriptionSummary] {
    response.subscriptions(at: date, environment: environment, durations: durations)
  }
}

extension VerifiedReceipt: CustomStringConvertible, CustomReflectable {
  /// The environment and the number of transactions, never the receipt.
  public var description: String {
    "VerifiedReceipt(\(environment), \(response.transactions.count) transactions)"
  }

  /// Empty, so that `dump` shows no data of a customer.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension VerifyReceiptResponse {
  /// All transactions as they stand in the answer, some of them twice.
  var transactions: [ReceiptTransaction] {
    (latestReceiptInfo ?? []) + (latestExpiredReceiptInfo ?? []) + (receipt?.inApp ?? [])
      + [transactionReceipt].compactMap(\.self)
  }
}
