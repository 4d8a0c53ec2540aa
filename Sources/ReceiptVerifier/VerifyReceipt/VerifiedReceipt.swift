public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The answer of Apple's server for a valid receipt of one of our apps, as only
/// ``VerifyReceiptClient`` creates it.
///
/// It proves what the Apple account of a device had bought up to ``requestDate``, not that the user
/// who sent the receipt owns it. Valid does not mean entitled: the receipt of an expired
/// subscription is valid.
public struct VerifiedReceipt: Hashable, Sendable {
  public let response: VerifyReceiptResponse
  public let environment: AppStoreEnvironment
  public let rawBody: [UInt8]
  /// The date of the answer, which counts as the current date in rules about it.
  ///
  /// It is Apple's, or ours for answers in the style of iOS 6, which have no date.
  public let requestDate: Date
  /// The number of requests to both servers together.
  public let attempts: Int

  /// A transaction ID for requests to the App Store Server API, or nil when nothing was bought.
  ///
  /// Any transaction of a customer leads to the whole history. Original transaction IDs are
  /// preferred, because they stay the same. The ID is genuine, but the holder of a copy of somebody
  /// else's receipt gets that person's ID.
  ///
  /// Source: `Documentation/rules/app-store-rules.md`.
  public var transactionID: String? {
    response.transactions.lazy.compactMap { $0.originalTransactionID ?? $0.transactionID }.first
  }
}

extension VerifiedReceipt {
  /// The purchase histories, one for each original transaction ID, latest first.
  public var purchaseHistories: [PurchaseHistory] {
    response.purchaseHistories(environment: environment)
  }

  /// Returns the subscriptions at a date; for a new answer, use ``requestDate``.
  ///
  /// - Parameters:
  ///   - date: The date.
  ///   - durations: The duration of each non-renewing subscription, by product ID.
  /// - Returns: The subscriptions, latest first, without purchases that do not expire.
  public func subscriptions(
    at date: Date, durations: [String: Duration] = [:]
  ) -> [SubscriptionSummary] {
    response.subscriptions(at: date, environment: environment, durations: durations)
  }
}

extension VerifiedReceipt: CustomStringConvertible, CustomReflectable {
  /// The environment and the number of transactions, never the receipt.
  public var description: String {
    "VerifiedReceipt(\(environment), \(response.transactions.count) transactions)"
  }

  /// An empty mirror, so that `dump` shows no customer data.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension VerifyReceiptResponse {
  /// All transactions in the answer, some of them twice.
  var transactions: [ReceiptTransaction] {
    (latestReceiptInfo ?? []) + (latestExpiredReceiptInfo ?? []) + (receipt?.inApp ?? [])
      + [transactionReceipt].compactMap(\.self)
  }
}
