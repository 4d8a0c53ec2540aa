public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// An app receipt that Apple signed for one of our apps, as only ``AppReceiptVerifier`` creates it.
///
/// It proves what the Apple account of a device had bought when the receipt was created, not that
/// the user who sent the receipt owns it.
public struct VerifiedAppReceipt: Hashable, Sendable {
  public let receipt: AppReceipt
  /// The environment in which Apple issued the receipt.
  public let environment: AppStoreEnvironment
  /// The original receipt in DER.
  ///
  /// Do not use the bytes as a key: parts that the signature does not cover, such as the order of
  /// the certificates, can vary.
  public let bytes: [UInt8]
  /// The serial number of the signing certificate, in lower-case hexadecimal.
  public let certificateSerialNumber: String

  /// A transaction ID for requests to the App Store Server API, or nil when nothing was bought.
  ///
  /// Any transaction of a customer leads to the whole history. Original transaction IDs are
  /// preferred, because they stay the same. The ID is genuine, but the holder of a copy of somebody
  /// else's receipt gets that person's ID.
  ///
  /// Source: `Documentation/rules/app-store-rules.md`.
  public var transactionID: String? {
    receipt.purchases.lazy.compactMap { $0.originalTransactionID ?? $0.transactionID }.first
  }
}

extension VerifiedAppReceipt {
  /// Returns the subscriptions at a date, as far as the receipt tells.
  ///
  /// - Parameters:
  ///   - date: The date.
  ///   - durations: The duration of each non-renewing subscription, by product ID.
  /// - Returns: The subscriptions, latest first, without purchases that do not expire.
  public func subscriptions(
    at date: Date, durations: [String: Duration] = [:]
  ) -> [SubscriptionSummary] {
    receipt.subscriptions(at: date, durations: durations)
  }
}

extension VerifiedAppReceipt: CustomStringConvertible, CustomReflectable {
  /// The environment and the number of purchases, never the receipt.
  public var description: String {
    "VerifiedAppReceipt(\(environment), \(receipt.purchases.count) purchases)"
  }

  /// An empty mirror, so that `dump` shows no customer data.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
