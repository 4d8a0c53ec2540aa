internal import JSONValues

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

// Google does some things by itself: it ends what is over, and takes back what nobody acknowledged.

extension PlayWorld {
  /// A change that happens by itself.
  private struct Deadline {
    let date: Date
    let token: String
    let effect: Effect

    enum Effect {
      case unacknowledged, released, consentEnds
      case pauseBegins, pauseEnds, graceEnds, holdEnds, periodEnds
    }
  }

  /// Carries out all changes that are due, in the order of their dates.
  mutating func settle(at now: Date) {
    guard quietUntil <= now else { return }
    // A change leads to others of its own purchase only.
    let due = tokens.filter { token in deadlines(of: token).contains { $0.date <= now } }
    while let next = nextDeadline(of: due), next.date <= now { carryOut(next) }
    quietUntil = nextDeadline(of: tokens)?.date ?? .distantFuture
  }

  /// Notes the next change of a purchase that was added or altered.
  mutating func expectChange(of token: String) {
    if let next = nextDeadline(of: [token]) { quietUntil = min(quietUntil, next.date) }
  }

  private func nextDeadline(of tokens: [String]) -> Deadline? {
    tokens.flatMap(deadlines(of:)).min { $0.date < $1.date }
  }

  private func deadlines(of token: String) -> [Deadline] {
    if let subscription = subscription(token) { return deadlines(of: subscription) }
    return product(token).flatMap(deadline).map { [$0] } ?? []
  }

  private func deadline(of product: SimulatedPlayProduct) -> Deadline? {
    switch product.phase {
    case .pending where product.terms.payment == .immediate:
      product.terms.purchaseOption.release.map {
        Deadline(date: $0, token: product.token, effect: .released)
      }
    case .purchased:
      product.acknowledgeBy.map {
        Deadline(date: $0, token: product.token, effect: .unacknowledged)
      }
    case .pending, .canceled: nil
    }
  }

  private func deadlines(of subscription: SimulatedPlaySubscription) -> [Deadline] {
    func deadline(_ date: Date?, _ effect: Deadline.Effect) -> Deadline? {
      date.map { Deadline(date: $0, token: subscription.token, effect: effect) }
    }
    guard subscription.isOwned else { return [] }
    let own: Deadline? =
      switch subscription.phase {
      case .active where subscription.scheduledPauseEnd != nil:
        deadline(subscription.expiry, .pauseBegins)
      case .active where subscription.item.plan.kind == .prepaid:
        deadline(subscription.expiry, .periodEnds)
      case .active where subscription.item.priceStep?.state == .pending:
        deadline(subscription.expiry, .consentEnds)
      case .canceled(let cancellation):
        // One that is canceled on hold ended before.
        deadline(max(subscription.expiry ?? cancellation.date, cancellation.date), .periodEnds)
      case .inGracePeriod(let end): deadline(end, .graceEnds)
      case .onHold(let end): deadline(end, .holdEnds)
      case .paused(let end): deadline(end, .pauseEnds)
      case .active, .pending, .pendingCanceled, .expired: nil
      }
    return [own, deadline(subscription.acknowledgeBy, .unacknowledged)].compactMap(\.self)
  }

  private mutating func carryOut(_ deadline: Deadline) {
    let (token, date) = (deadline.token, deadline.date)
    switch deadline.effect {
    case .unacknowledged:
      let order = subscription(token)?.orders.latest.id ?? product(token)?.orders.latest.id
      void(token, order: order ?? "", source: .google, reason: .unacknowledgedPurchase, at: date)
    case .released:
      if let product = product(token) {
        complete(product, acknowledgeBy: product.acknowledgeBy, at: date)
      }
    case .consentEnds: cancel(token, by: .system, at: date)
    case .pauseBegins:
      alter(token) { subscription in
        subscription.phase = .paused(until: subscription.scheduledPauseEnd ?? date)
        subscription.scheduledPauseEnd = nil
      }
      note(.paused, token, at: date)
    case .pauseEnds:
      charge(token, from: date, at: date)
      note(charge: .recovered, token, at: date)
    case .graceEnds: hold(token, at: date)
    case .holdEnds:
      alter(token) { $0.phase = .canceled(.init(cause: .system, date: date)) }
      note(.canceled, token, at: date)
    case .periodEnds:
      alter(token) { $0.phase = .expired($0.cancellation) }
      note(.expired, token, at: date)
    }
  }

  // MARK: Common to orders and deadlines

  /// Records that the money for a one-time product came in.
  mutating func complete(_ product: SimulatedPlayProduct, acknowledgeBy: Date?, at now: Date) {
    alter(product: product.token) { product in
      product.phase = .purchased
      product.completed = now
      product.orders.pay(at: now)
      product.acknowledgeBy = acknowledgeBy
    }
    note(product, .purchased, at: now)
  }

  /// Charges a period, and makes the subscription active.
  mutating func charge(_ token: String, from start: Date, at now: Date) {
    alter(token) { subscription in
      subscription.phase = .active
      let index = subscription.begunItem()
      subscription.items[index].applyPriceChange()
      let item = subscription.items[index]
      let end = start.addingTimeInterval(item.plan.period.timeInterval)
      subscription.orders.renew(item.ordered(start..<end), at: now)
      subscription.items[index].orderID = subscription.orders.latest.id
      // The first period of an item that begins late is that of its offer.
      if item.expiry != nil { subscription.items[index].phase = .basePrice }
      subscription.items[index].expiry = end
      subscription.items[index].payInstallment()
    }
  }

  /// Tells of a charge, and ends what the customer has canceled if that was the last committed payment.
  mutating func note(charge type: PlaySubscriptionNotificationType, _ token: String, at now: Date) {
    note(type, token, at: now)
    guard let subscription = subscription(token), subscription.isCancellationPending,
      !subscription.isCommitted
    else { return }
    alter(token) { subscription in
      subscription.isCancellationPending = false
      subscription.phase = .canceled(.init(cause: .user, date: now))
    }
    note(.canceled, token, at: now)
  }

  /// Turns renewal off; what the customer cancels while payments are committed ends with the last of them.
  mutating func cancel(_ token: String, by cause: PlayCancellation, at now: Date) {
    var isScheduled = false
    alter(token) { subscription in
      isScheduled = cause == .user && subscription.isCommitted
      if isScheduled {
        subscription.isCancellationPending = true
      } else {
        subscription.phase = .canceled(.init(cause: cause, date: now))
        subscription.isCancellationPending = false
      }
      subscription.scheduledPauseEnd = nil
    }
    note(isScheduled ? .cancellationScheduled : .canceled, token, at: now)
  }

  /// Takes access away until the payment is made.
  mutating func hold(_ token: String, at date: Date) {
    alter(token) { subscription in
      subscription.phase = .onHold(
        until: date.addingTimeInterval(subscription.accountHold.timeInterval))
      subscription.items[0].expiry = min(subscription.expiry ?? date, date)
      subscription.periodEndBeforeGrace = nil
    }
    note(.onHold, token, at: date)
  }
}

extension SimulatedPlaySubscription {
  /// Puts the item that is charged next first, and returns its place.
  ///
  /// An item that was deferred until now begins; the one before it stays in the list, expired.
  fileprivate mutating func begunItem() -> Int {
    guard items[0].deferredReplacement != nil, items.count > 1 else { return 0 }
    items[0].deferredReplacement = nil
    items.swapAt(0, 1)
    return 0
  }
}

extension SimulatedPlaySubscription.Item {
  /// The item in an order; without a period in one that is not paid yet.
  func ordered(_ period: Range<Date>? = nil) -> PlayOrders.Item {
    PlayOrders.Item(
      productID: productID, basePlan: plan.id, offer: offer, price: price, period: period)
  }

  /// Counts a payment; with the first one after the last a new commitment begins, or there is none any more.
  mutating func payInstallment() {
    guard let left = paymentsLeft else { return }
    paymentsLeft = left > 0 ? left - 1 : plan.installments?.subsequent.map { max(1, $0) - 1 }
  }

  fileprivate mutating func applyPriceChange() {
    if let step = priceStep, step.state == .confirmed {
      price = step.price
      priceStep?.state = .completed
    }
    guard let change = priceChange, change.state != .applied else { return }
    price = change.price
    priceChange?.state = .applied
  }
}
