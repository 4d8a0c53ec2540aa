internal import JSONValues
internal import OrderPolicy
public import GooglePlayVerifier
internal import LinkPolicy
internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A service that follows Google's real-time developer notifications.
///
/// ```swift
/// var notifications = try PlayNotificationService(
///   shop, play: play, tokens: pushTokens, subscriptions: subscriptions)
/// try await notifications.receive(body: body, authorization: request.headers["Authorization"])
/// ```
///
/// A notification only says that a purchase changed. It proves nothing: Google is asked about the purchase, and the
/// answer is recorded for subscriptions, entitlements and orders, those of them that the host has. Google's question about
/// a chargeback is stored, and answered by a ``ConsumptionDelivery``. Source: Google Play rules.
public struct PlayNotificationService: PurchaseService {
  public let context: PurchaseContext
  /// The client of the app's purchases; a message about another app is reported and passed over.
  public let play: GooglePlayClient
  /// The verifier of the tokens with which Pub/Sub pushes; nil to accept no pushes.
  public let tokens: PushTokenVerifier?
  public let subscriptions: SubscriptionService?
  public let entitlements: EntitlementService?
  /// The order service, which has a vendor ``GoogleVendor``; nil for a host without orders.
  public let orders: OrderService?
  /// The credit service, which has a client of Google Play; nil for a host without credits.
  public var credits: CreditService?
  /// The servers to which notifications are forwarded as they arrived, once they were worked on; none by default.
  ///
  /// A ``NotificationForwarder`` sends them, without Google's token: it is made for this server, and another Storekeeper
  /// refuses what comes without one of its own. Give a staging server a push subscription of its own to the same topic.
  public var forwards: [ForwardTarget] = []
  /// The name of the push subscription, such as `projects/reader/subscriptions/play`; nil to accept any.
  public var subscription: String?

  /// The time for which a message is remembered: 31 days, the longest for which Pub/Sub keeps one,
  /// and longer than Google lists a voided purchase.
  static let memory = Duration.days(31)

  /// Creates a service for those of the other services that the host has.
  ///
  /// - Parameters:
  ///   - context: The parts that the services share.
  ///   - play: The client of the app's purchases.
  ///   - tokens: The verifier of the tokens with which Pub/Sub pushes; nil to accept no pushes, for a host that reads
  ///     Google's list of voided purchases only.
  ///   - subscriptions: The subscription service; nil for that of the entitlement service, if there is one.
  ///   - entitlements: The entitlement service.
  ///   - orders: The order service; its own subscription and entitlement services follow Google's answers then,
  ///     whatever the other two are.
  /// - Throws: ``ServiceFailure/capabilityMissing(_:)`` if the database has not what a service needs.
  public init(
    _ context: PurchaseContext, play: GooglePlayClient, tokens: PushTokenVerifier?,
    subscriptions: SubscriptionService? = nil, entitlements: EntitlementService? = nil,
    orders: OrderService? = nil
  ) throws(ServiceFailure) {
    if subscriptions != nil { try context.require(.subscriptions) }
    if entitlements != nil { try context.require(.entitlements) }
    if orders != nil { try context.require(.orders) }
    self.context = context
    self.play = play
    self.tokens = tokens
    // What an order service records, its own services follow.
    self.entitlements = orders.map(\.entitlements) ?? entitlements
    self.subscriptions =
      orders.map(\.subscriptions) ?? subscriptions ?? entitlements?.subscriptions
    self.orders = orders
  }

  /// Works on a pushed message, given the body of the request and its field `Authorization`.
  ///
  /// A message that can never be worked on, because it is damaged or of another app, is reported and then counts as
  /// received, as Pub/Sub would repeat it for days. A database with orders remembers messages; another one has Google
  /// asked again about a repeated message, which changes nothing.
  ///
  /// - Throws: ``/GooglePlayVerifier/PushTokenFailure`` if the request is not Pub/Sub's,
  ///   ``OrderFailure/vendorUnavailable(_:)`` if Google cannot be asked, or an error of the store or of the host's
  ///   accounts; the message should be pushed again then.
  ///
  /// `isForwarded` says whether the request has the field ``NotificationForwarder/header``; such a message is not forwarded
  /// again.
  public func receive(
    body: [UInt8], authorization: String?, isForwarded: Bool = false
  ) async throws {
    let arrived = ArrivedNotification(body, isForwarded: isForwarded, to: forwards)
    guard let telemetry = context.telemetry else {
      return try await take(body: body, authorization: authorization, arrived, nil)
    }
    let sight = NotificationSight()
    try await sight.watching(.google, telemetry) {
      try await take(body: body, authorization: authorization, arrived, sight)
    }
  }

  private func take(
    body: [UInt8], authorization: String?, _ arrived: ArrivedNotification?,
    _ sight: NotificationSight?
  ) async throws {
    guard let tokens else { throw PushTokenFailure.notAccepted }
    try await tokens.check(authorization: authorization)
    guard let push = try? PubSubPush(parsing: body),
      let notification = try? push.notification()
    else { return refuse(.damaged, sight) }
    guard notification.packageName == play.packageName,
      subscription == nil || subscription == push.subscription
    else { return refuse(.otherApp, sight) }
    guard StoredText.fits(push.messageID, .word) else { return refuse(.damaged, sight) }
    sight?.note(notification.event.kind)
    let now = now()
    // A clock that is behind Google's must not make the time for an answer longer.
    let date = min(notification.eventTime ?? now, now)
    let (question, voided): (ConsumptionCase?, VoidedOrder?)
    switch notification.event {
    case .pendingRefundReview(let asked):
      (question, voided) = (ConsumptionCase(asked, at: date), nil)
      guard question != nil else { return refuse(.damaged, sight) }
    case .voidedPurchase(let told): (question, voided) = (nil, VoidedOrder(told, at: date))
    case .subscription, .oneTimeProduct, .test, .unknown: (question, voided) = (nil, nil)
    }
    if try await isRemembered(push.messageID) {
      sight?.end(.repeated)
      return
    }
    if let token = notification.purchaseToken {
      try await purchaseChanged(token, isProduct: notification.event.isAboutProduct)
    }
    arrived?.identify(
      push.messageID, .google, nil,
      about: notification.purchaseToken.flatMap(TransactionIDs.googleOriginal))
    try await store.write { unit in
      if let question { try await unit.take(question, as: .refundReview, at: now) }
      try await voided?.note(in: unit)
      try await unit.remember(push.messageID, at: now)
      _ = try await unit.orders?.pushedMessages.remove(
        before: now - Self.memory.timeInterval, limit: 10)
      try await arrived?.forward(in: unit, at: now)
    }
    arrived?.tell(report)
  }

  private func refuse(_ refusal: PushRefusal, _ sight: NotificationSight?) {
    sight?.end(.refused, refusal.rawValue)
    report(.pushRefused(refusal))
  }

  /// Returns whether a message was worked on; a database without orders remembers none.
  func isRemembered(_ messageID: String) async throws -> Bool {
    guard store.capabilities.contains(.orders) else { return false }
    return try await store.read { try await $0.pushedMessages.isRecorded(messageID) }
  }

  /// Asks Google about a purchase that has changed, and records the answer.
  ///
  /// Packs of credits are one-time products; `isProduct` is nil where Google does not say whether the purchase is one.
  ///
  /// - Throws: ``OrderFailure/vendorUnavailable(_:)`` if Google cannot be asked, an error of the host's accounts, or
  ///   an error of the store.
  func purchaseChanged(_ token: String, isProduct: Bool? = nil) async throws {
    if isProduct != false, let credits,
      try await asking({ try await credits.follow(purchaseToken: token) }) ?? false
    {
      return
    }
    try await othersFollow(token)
  }

  /// Asks Google about a purchase, as after a change, and gives the credits that nobody has; returns what became of
  /// credits.
  ///
  /// - Throws: As ``purchaseChanged(_:isProduct:)``, or ``CreditFailure`` that may pass.
  func restore(_ token: String) async throws -> CreditRestorations {
    let restored = try await asking { try await credits?.restore(purchaseToken: token) } ?? nil
    if restored?.isOfCredits != true { try await othersFollow(token) }
    return restored?.credits ?? CreditRestorations()
  }

  /// Records Google's answer about a purchase for everything but credits.
  private func othersFollow(_ token: String) async throws {
    if let orders, orders.vendor(.google) != nil {
      return try await orders.purchaseChanged(token, at: .google)
    }
    guard StoredText.fits(token, .orderReceipt) else { return }
    let source = PlayPurchaseSource(play, store: store, now: context.now)
    do {
      let facts = try await asking { try await source.facts(ofToken: token) }
      if let facts { try await record { _ in [facts] } }
    } catch let failure as GooglePlayFailure where failure.kind == .gone {
      let now = now()
      guard let id = TransactionIDs.googleOriginal(of: token) else { return }
      try await record { try await PurchaseFacts.ends(of: id, asOf: now, in: $0) }
    } catch is FactsFailure {
      // A purchase that was not paid yet, for example.
    }
  }

  /// Returns an answer of Google's; nil, and it is reported, about a purchase that Google does not know: nothing
  /// changes then, but a setting may be wrong.
  private func asking<Answer>(
    _ ask: nonisolated(nonsending) () async throws -> Answer
  ) async throws -> Answer? {
    do {
      return try await ask()
    } catch let failure as GooglePlayFailure {
      let scope = PurchaseScope(vendor: .google, appID: play.packageName)
      switch failure.kind {
      case .invalid:
        report(.sourceFailed(failure, of: scope))
        return nil
      case .gone: throw failure
      case .cancelled: throw CancellationError()
      default:
        report(.sourceFailed(failure, of: scope))
        throw OrderFailure.vendorUnavailable(IncidentalFailure(failure, at: play.now()))
      }
    }
  }

  private func record(
    _ facts: UnitOfWorkBody<[PurchaseFacts]>
  ) async throws {
    let recorder = FactsRecorder(
      memberships: subscriptions?.memberships(because: .webhook), entitlements: entitlements,
      now: now())
    try await recorder.recording(in: context) { unit in
      try await recorder.recordForFollowers(try await facts(unit), in: unit)
    }
  }
}

extension DeveloperNotification.Event {
  /// The name of the case, without values.
  fileprivate var kind: String {
    switch self {
    case .subscription: "subscription"
    case .oneTimeProduct: "oneTimeProduct"
    case .voidedPurchase: "voidedPurchase"
    case .pendingRefundReview: "pendingRefundReview"
    case .test: "test"
    case .unknown: "unknown"
    }
  }

  /// Whether the purchase is one of one-time products; nil where Google does not say so.
  fileprivate var isAboutProduct: Bool? {
    switch self {
    case .oneTimeProduct: true
    case .voidedPurchase(let event): event.productType.map { $0 == .oneTime }
    case .subscription: false
    case .pendingRefundReview, .test, .unknown: nil
    }
  }
}

extension UnitOfWork {
  /// Notes that a message was worked on, where the database has orders.
  func remember(_ messageID: String, at now: Date) async throws {
    _ = try await orders?.pushedMessages.record(messageID, now: now)
  }
}

/// A reason why a pushed message is never worked on.
@nonexhaustive
public enum PushRefusal: String, Hashable, Sendable {
  /// It is no notification of Google Play.
  case damaged
  /// It is of another app or another push subscription.
  case otherApp
}
