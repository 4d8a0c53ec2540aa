public import AppStoreServerAPI
public import JWSVerifier
public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The host's answers to Apple's requests for consumption information.
///
/// A customer has asked Apple for a refund, and Apple asks what became of the purchase. The host may only answer with
/// the customer's consent. Source: App Store Server API rules, section 5.6.
public protocol ConsumptionAnswerer: Sendable {
  /// Returns the answer to a request, or nil to send nothing, as without the customer's consent.
  ///
  /// It may be asked again for the same request after a failure.
  ///
  /// - Throws: Any error, to be asked again later.
  func answer(to question: ConsumptionQuestion) async throws -> ConsumptionAnswer?
}

/// Apple's request for consumption information about a purchase.
public struct ConsumptionQuestion: Sendable {
  /// The purchase, as Apple signed it just now.
  public let transaction: Verified<Transaction>
  public let reason: ConsumptionRequestReason?
  public let requestedDate: Date
  public let deadline: Date
  /// Whether the purchase is one of Advanced Commerce, to be answered with
  /// ``ConsumptionAnswer/data(_:)``.
  public var isAdvancedCommerce: Bool { transaction.payload.advancedCommerceInfo != nil }
}

/// The answer to a request for consumption information.
public enum ConsumptionAnswer: Hashable, Sendable {
  /// Consumption information, version 2.
  case information(ConsumptionRequest)
  /// Consumption data, version 1, for purchases of Advanced Commerce only.
  case data(ConsumptionRequestV1)
}
