public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension VerifiedAppReceipt {
  /// The subscriptions of this receipt at a moment, as far as the receipt can know.
  ///
  /// - Parameters:
  ///   - date: The moment.
  ///   - durations: The length of each non-renewing subscription in seconds, by product id.
  /// - Returns: What the receipt proves, the latest first; purchases without an end are left out.
  public func subscriptions(
    at date: Date, durations: [String: TimeInterval] = [:]
  ) -> [SubscriptionSummary] {
    receipt.subscriptions(at: date, durations: durations)
  }
}
