#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// An entry of Google's list of voided purchases: one order that was refunded, and whose goods are taken back.
struct VoidedPlayPurchase: Hashable, Sendable {
  let token: String
  let orderID: String
  let purchased: Date
  let voided: Date
  let source: PlayVoidedSource
  let reason: PlayVoidedReason
  let isSubscription: Bool
  /// The number of refunded items; nil if the whole order was refunded.
  let quantity: Int?
}

/// The party that voided a purchase, with Google's number.
public enum PlayVoidedSource: Int, Hashable, Sendable, CaseIterable {
  case user = 0
  case developer = 1
  case google = 2

  var cancellation: PlayCancellation {
    switch self {
    case .user: .user
    case .developer: .developer
    case .google: .system
    }
  }
}

/// A reason for which a purchase was voided, with Google's number.
public enum PlayVoidedReason: Int, Hashable, Sendable, CaseIterable {
  /// Another reason.
  case other = 0
  /// The customer changed their mind.
  case remorse = 1
  /// The goods were not received.
  case notReceived = 2
  /// The goods were defective.
  case defective = 3
  case accidentalPurchase = 4
  /// Somebody else paid with the customer's means.
  case fraud = 5
  /// The customer denies a purchase that they made.
  case friendlyFraud = 6
  /// The customer's bank took the money back.
  case chargeback = 7
  /// The developer did not acknowledge the purchase in time.
  case unacknowledgedPurchase = 8
}
