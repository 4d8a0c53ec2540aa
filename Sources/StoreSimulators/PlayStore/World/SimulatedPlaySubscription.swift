internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A purchase of a subscription, under its purchase token.
struct SimulatedPlaySubscription: Sendable {
  let token: String
  let customer: String
  let terms: PlayTerms
  /// The date of the purchase, or of the completed payment.
  var start: Date
  var orders: PlayOrders
  var items: [Item]
  var phase: Phase
  /// The end of the time for acknowledging; nil once it is acknowledged.
  var acknowledgeBy: Date?
  var isAcknowledged = false
  /// The account that the app named, or that the acknowledgement named for a purchase out of the app.
  var accountID: String?
  var profileID: String?
  var linkedToken: String?
  /// The expired purchase that was bought again in Google's own pages.
  var resubscribed: Resubscribed?
  /// The date at which a pause ends that begins with the next period.
  var scheduledPauseEnd: Date?
  /// The end of the paid period, while grace puts the expiry off.
  var periodEndBeforeGrace: Date?
  /// The time for which Google tries to collect a payment before the subscription ends.
  var accountHold = Duration.days(30)
  /// Whether the customer canceled while payments were committed, so that it ends with the last of them.
  var isCancellationPending = false
  /// Whether Google no longer knows the token.
  var isForgotten = false
  var version = 1

  /// A product of the subscription with its plan.
  struct Item: Sendable {
    var productID: String
    var plan: PlayBasePlan
    var offer: String?
    var price: PlayPrice
    /// Nil for an item that is not owned yet.
    var expiry: Date?
    var orderID: String?
    var priceChange: PriceChange?
    var priceStep: PriceStep?
    /// The product that replaces this one at the end of the period.
    var deferredReplacement: String?
    var replaced: Replaced?
    var phase = PlayTerms.Phase.basePrice
    /// The number of committed payments that are left; nil for a plan without instalments.
    var paymentsLeft: Int?
  }

  struct Replaced: Hashable, Sendable {
    let productID: String
    let basePlan: String
    let offer: String?
    let mode: PlayReplacementMode
  }

  struct PriceChange: Hashable, Sendable {
    let price: PlayPrice
    let mode: Mode
    var state: State
    let chargeDate: Date

    enum Mode: String, Sendable {
      case decrease = "PRICE_DECREASE"
      case increase = "PRICE_INCREASE"
      case optOutIncrease = "OPT_OUT_PRICE_INCREASE"
    }

    enum State: String, Sendable {
      case outstanding = "OUTSTANDING"
      case confirmed = "CONFIRMED"
      case applied = "APPLIED"
    }
  }

  /// A higher price after an offer, for which Google needs the customer's consent before the period ends.
  struct PriceStep: Hashable, Sendable {
    let price: PlayPrice
    var state = State.pending

    enum State: String, Sendable {
      case pending = "PENDING"
      case confirmed = "CONFIRMED"
      case completed = "COMPLETED"
    }
  }

  struct Resubscribed: Hashable, Sendable {
    let token: String
    let accountID: String?
    let profileID: String?
  }

  struct Cancellation: Hashable, Sendable {
    let cause: PlayCancellation
    let date: Date
  }

  enum Phase: Hashable, Sendable {
    case pending
    case pendingCanceled
    case active
    case inGracePeriod(until: Date)
    case onHold(until: Date)
    case paused(until: Date)
    case canceled(Cancellation)
    case expired(Cancellation?)
  }

  // MARK: Queries

  /// The item that is owned, or will be after a pending payment.
  var item: Item { items[0] }

  /// The end of what is paid, or granted by grace.
  var expiry: Date? { item.expiry }

  /// Whether the purchase counts: it is paid, and has not ended.
  var isOwned: Bool {
    switch phase {
    case .pending, .pendingCanceled, .expired: false
    case .active, .inGracePeriod, .onHold, .paused, .canceled: true
    }
  }

  var stateName: String {
    switch phase {
    case .pending: "SUBSCRIPTION_STATE_PENDING"
    case .pendingCanceled: "SUBSCRIPTION_STATE_PENDING_PURCHASE_CANCELED"
    case .active: "SUBSCRIPTION_STATE_ACTIVE"
    case .inGracePeriod: "SUBSCRIPTION_STATE_IN_GRACE_PERIOD"
    case .onHold: "SUBSCRIPTION_STATE_ON_HOLD"
    case .paused: "SUBSCRIPTION_STATE_PAUSED"
    case .canceled: "SUBSCRIPTION_STATE_CANCELED"
    case .expired: "SUBSCRIPTION_STATE_EXPIRED"
    }
  }

  /// The cancellation, also of one that has ended since.
  var cancellation: Cancellation? {
    switch phase {
    case .canceled(let cancellation): cancellation
    case .expired(let cancellation): cancellation
    case .pending, .pendingCanceled, .active, .inGracePeriod, .onHold, .paused: nil
    }
  }

  /// Whether payments are left that the customer has committed to.
  var isCommitted: Bool { (item.paymentsLeft ?? 0) > 0 }

  /// Whether Google intends to charge again.
  var renews: Bool {
    switch phase {
    case .active, .inGracePeriod, .onHold, .paused, .pending: true
    case .canceled, .expired, .pendingCanceled: false
    }
  }
}

/// A way in which an auto-renewing subscription is canceled.
public enum PlayCancellation: String, Hashable, Sendable, CaseIterable {
  /// By the customer, in Google's pages.
  case user
  /// By Google, such as after a payment that failed for good.
  case system
  /// By the developer, with Google's API or console.
  case developer
  /// By another plan that replaced it.
  case replacement
}

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
