public import AppStoreServerAPI
public import GooglePlayVerifier
public import JWSVerifier
public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The host's answers to the stores' questions about purchases whose refund somebody wants.
///
/// A customer has asked Apple for a refund, and Apple asks what became of the purchase; or a bank has charged a payment
/// back, and Google asks what speaks for and against it. Apple may only be answered with the customer's consent. Source:
/// App Store Server API rules, section 5.6; Google Play rules, section 9.
public protocol ConsumptionAnswerer: Sendable {
  /// Returns the answer to a question, or nil to send nothing, as without the customer's consent.
  ///
  /// It may be asked again for the same question, but not about an answer that may have arrived.
  ///
  /// - Throws: Any error, to be asked again later.
  func answer(to question: ConsumptionQuestion) async throws -> ConsumptionAnswer?
}

/// A store's question about a purchase whose refund somebody wants.
public struct ConsumptionQuestion: Sendable {
  public let purchase: ReviewedPurchase
  public let requestedDate: Date
  public let deadline: Date

  /// The store that asks.
  public var vendor: Vendor {
    switch purchase {
    case .apple: .apple
    case .google: .google
    }
  }
}

/// A purchase that a store asks about, with what only that store tells.
public enum ReviewedPurchase: Sendable {
  /// Apple asks, and takes ``ConsumptionAnswer/information(_:)`` or ``ConsumptionAnswer/data(_:)``.
  case apple(ReviewedTransaction)
  /// Google asks, and takes ``ConsumptionAnswer/review(_:)``.
  case google(ReviewedOrder)
}

/// A transaction whose refund a customer of Apple wants.
public struct ReviewedTransaction: Sendable {
  /// The purchase, as Apple signed it just now.
  public let transaction: Verified<Transaction>
  /// The customer's reason.
  public let reason: ConsumptionRequestReason?
  /// Whether the purchase is one of Advanced Commerce, to be answered with ``ConsumptionAnswer/data(_:)``.
  public var isAdvancedCommerce: Bool { transaction.payload.advancedCommerceInfo != nil }
}

/// An order of Google Play that was charged back.
public struct ReviewedOrder: Sendable {
  /// The order, as Google told it just now.
  public let order: PlayOrder
  /// The purchase, as Google told it just now; nil if Google does not know it any more.
  public let purchase: Purchase?
  public let reason: VoidedReason?

  /// The identifier of the user's account, as the app passed it to Google Play Billing.
  public var obfuscatedAccountID: String? {
    switch purchase {
    case .subscription(let subscription): subscription.accountMark
    case .product(let product): product.obfuscatedExternalAccountID
    case nil: nil
    }
  }

  /// A purchase of Google Play.
  public enum Purchase: Sendable {
    case subscription(SubscriptionPurchaseV2)
    case product(ProductPurchaseV2)
  }
}

/// The answer to a store's question about a refund.
public enum ConsumptionAnswer: Hashable, Sendable {
  /// Apple's consumption information, version 2.
  case information(ConsumptionRequest)
  /// Apple's consumption data, version 1, for purchases of Advanced Commerce only.
  case data(ConsumptionRequestV1)
  /// Google's review; its ``/GooglePlayVerifier/OrdersReviewRefundRequest/pendingRefundToken`` becomes that of the
  /// question.
  case review(OrdersReviewRefundRequest)

  /// The store that takes such an answer.
  public var vendor: Vendor {
    switch self {
    case .information, .data: .apple
    case .review: .google
    }
  }
}
