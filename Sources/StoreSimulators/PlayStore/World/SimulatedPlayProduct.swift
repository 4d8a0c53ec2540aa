#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A purchase of a one-time product, under its purchase token.
struct SimulatedPlayProduct: Sendable {
  let token: String
  let customer: String
  let productID: String
  let quantity: Int
  let terms: PlayTerms
  /// The date of the purchase, or of the completed payment.
  var completed: Date
  var orders: PlayOrders
  var phase: Phase
  /// The end of the time for acknowledging; nil once it is acknowledged.
  var acknowledgeBy: Date?
  var isAcknowledged = false
  var isConsumed = false
  /// The number of items that can still be refunded.
  var refundableQuantity: Int
  var isForgotten = false

  enum Phase: Hashable, Sendable {
    case pending, purchased, canceled
  }

  /// Google's name for the state.
  var stateName: String {
    switch phase {
    case .pending: "PENDING"
    case .purchased: "PURCHASED"
    case .canceled: "CANCELLED"
    }
  }

  /// Google's older number for the state.
  var stateNumber: Int {
    switch phase {
    case .purchased: 0
    case .canceled: 1
    case .pending: 2
    }
  }
}
