internal import JSONValues
public import JWSVerifier
internal import PurchaseStorage
public import ReceiptModels
public import ReceiptVerifier
internal import StorekeeperCrypto

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A service that receives Apple's server notifications of versions 1 and 2.
///
/// A verified notification is handed to subscriptions, credits, entitlements and orders, those of them that the host
/// has, in one unit of work, and is recorded once. It may arrive twice, late or out of order without changing the
/// result. For subscriptions and entitlements, the verified data decides what changes, never the type of a
/// notification; for credits, the type decides. A password and a receipt are not stored with it. Source: linking
/// rules, section 5; credit rules, section 6; entitlement rules, section 4.
public struct NotificationService: PurchaseService {
  public let context: PurchaseContext
  public let subscriptions: SubscriptionService?
  public let credits: CreditService?
  public let entitlements: EntitlementService?
  public let orders: OrderService?
  /// The verifier of notifications of version 2.
  public let verifier: SignedDataVerifier

  /// The kinds of events in notifications of version 2 of which the host hears by a message of the outbox.
  ///
  /// By default there are none; ``hostEvents`` are all.
  public var events: Set<OutboxMessage.Kind> = []

  /// The kinds of events of which a host can hear.
  public static let hostEvents: Set<OutboxMessage.Kind> = [
    .priceIncrease, .offerRedeemed, .winBackEligible, .consentRescinded,
    .externalPurchaseCreated, .externalPurchaseReminder, .externalPurchaseUnreported,
  ]

  /// The servers to which notifications are forwarded as they arrived, once they are recorded; none by default.
  ///
  /// A ``NotificationForwarder`` sends them. One that was recorded before is not forwarded again, and one that is not
  /// authentic never is. One whose product nobody here knows is forwarded although it is refused, each time that it
  /// comes: a staging server may sell it.
  public var forwards: [ForwardTarget] = []

  let passwords: [AppSharedSecret]

  /// Whether memberships or entitlements follow a notification.
  var hasFollowers: Bool { subscriptions != nil || entitlements != nil }

  /// Creates a service for those of the other services that the host has.
  ///
  /// All of them share the store of the context; this is not checked.
  ///
  /// An auto-renewable subscription concerns credits only if its product is among theirs, or if its
  /// transaction is stored among theirs. Notifications of an environment that gets no credits are recorded and
  /// ignored.
  ///
  /// - Parameters:
  ///   - context: The parts that the services share, with a verifier.
  ///   - subscriptions: The subscription service; nil for that of the other services, if there is one. Its client of
  ///     verifyReceipt verifies the receipts in notifications of version 1, and only notifications of that client's
  ///     apps are accepted.
  ///   - credits: The credit service.
  ///   - entitlements: The entitlement service.
  ///   - orders: The order service: a refund or a renewal changes an order at once, and not only at the next login.
  ///   - passwords: The shared secrets accepted in notifications of version 1. Empty ones are ignored; without any,
  ///     every notification of version 1 is refused.
  /// - Throws: ``ServiceFailure`` if the context has no verifier, or its database not what a service needs.
  public init(
    _ context: PurchaseContext, subscriptions: SubscriptionService? = nil,
    credits: CreditService? = nil, entitlements: EntitlementService? = nil,
    orders: OrderService? = nil, passwords: [AppSharedSecret] = []
  ) throws(ServiceFailure) {
    if subscriptions != nil { try context.require(.subscriptions) }
    if credits != nil { try context.require(.credits) }
    if entitlements != nil { try context.require(.entitlements) }
    if orders != nil { try context.require(.orders) }
    self.context = context
    verifier = try context.requiredVerifier()
    self.subscriptions = subscriptions ?? entitlements?.subscriptions ?? orders?.subscriptions
    self.credits = credits
    self.entitlements = entitlements ?? orders?.entitlements
    self.orders = orders
    self.passwords = passwords.filter { !$0.text.isEmpty }
  }

  /// Receives the body of a request.
  ///
  /// A body with a string `signedPayload` is a notification of version 2, and any other body is one
  /// of version 1. The length of the body is not limited here. In version 1 the password is
  /// compared before any other member is read, so only a sender with the password gets
  /// `malformedBody` for a member of the wrong type.
  ///
  /// A notification of version 2 goes to ``receive(signedPayload:)``: one that this version can't decode is kept,
  /// also a refund. The route of credits calls ``receive(creditPayload:body:isForwarded:)`` instead, which refuses such a refund.
  /// Source: linking rules, section 5.
  ///
  /// - Parameters:
  ///   - body: JSON in UTF-8.
  ///   - isForwarded: Whether the request has the field ``NotificationForwarder/header``; such a notification is not
  ///     forwarded again.
  /// - Throws: ``NotificationFailure``, an error of the store, or, where an order rests on the purchase, an error of
  ///   the host's accounts: the purchase's user is asked about. Apple sends the notification again then.
  public func receive(body: [UInt8], isForwarded: Bool = false) async throws {
    let arrived = ArrivedNotification(body, isForwarded: isForwarded, to: forwards)
    try await forwarding(arrived) {
      try await watching { try await take(body: body, arrived, $0) }
    }
  }

  /// Works on a notification, and forwards one that was refused although it is authentic.
  func forwarding(
    _ arrived: ArrivedNotification?, _ take: nonisolated(nonsending) () async throws -> Void
  ) async throws {
    do {
      try await take()
    } catch let failure as NotificationFailure {
      if failure.concernsThisServer, let arrived, arrived.waits {
        let now = now()
        try await store.write { try await arrived.forward(in: $0, at: now) }
        arrived.tell(report)
      }
      throw failure
    }
    arrived?.tell(report)
  }

  private func take(
    body: [UInt8], _ arrived: ArrivedNotification?, _ sight: NotificationSight?
  ) async throws -> Outcome {
    guard let text = try? JSONText(checking: body, within: .knownMembers),
      text.kind(at: text.root) == .object
    else { throw NotificationFailure.malformedBody }
    func string(_ name: String) -> String? {
      text.place(of: name, in: text.root).flatMap { text.string(at: $0) }
    }
    if let token = string("signedPayload") {
      return try await take(signedPayload: token, keepsUndecoded: true, sight, arrived)
    }
    guard let password = string("password"), try isPasswordRight(password) else {
      throw NotificationFailure.wrongPassword
    }
    let notification: ServerNotificationV1
    do throws(FieldTypeFailure) {
      notification = try ServerNotificationV1(text, at: text.root)
    } catch {
      throw NotificationFailure.malformedBody
    }
    return try await take(notification, sight, arrived)
  }

  /// Runs work that records data and converts its failures.
  ///
  /// - Throws: ``NotificationFailure/appStoreUnavailable(_:)`` if Apple could not be reached,
  ///   ``NotificationFailure/subscription(_:)`` for any other ``SubscriptionFailure``, or another error of the work.
  func keeping<Result>(
    _ work: nonisolated(nonsending) () async throws -> Result
  ) async throws -> Result {
    do {
      return try await work()
    } catch {
      let converted = (error as? EvidenceFailure).map { SubscriptionFailure($0) }
      guard let failure = converted ?? error as? SubscriptionFailure else { throw error }
      if case .verification(let reason) = failure, reason.isUnreachable {
        throw NotificationFailure.appStoreUnavailable(failure)
      }
      throw NotificationFailure.subscription(failure)
    }
  }

  func isSeen(_ key: String) async throws -> Bool {
    try await store.read { try await $0.notifications.isSeen(notificationKey: key) }
  }
}

/// The reason for refusing a notification.
///
/// Source: linking rules, section 5.
@nonexhaustive
public enum NotificationFailure: Error, Hashable, Sendable {
  /// The body is not a JSON object, or a member has the wrong type.
  case malformedBody
  /// The password is missing, wrong or not configured; nothing was stored (version 1).
  case wrongPassword
  /// The notification belongs to another app (version 1).
  case bundleIDNotAllowed
  /// The notification has no receipt (version 1).
  case receiptMissing
  /// The environment is neither Production nor Sandbox (version 1).
  case environmentUnknown
  /// The signature of the notification, or of signed data inside it, is invalid; nothing was stored
  /// (version 2).
  case notAuthentic(SignedDataFailure)
  /// The revocation status of a certificate is unknown, because Apple could not be reached; nothing
  /// was stored (version 2, with a revocation checker).
  case revocationUnknown(SignedDataFailure)
  /// The notification is authentic, but lacks a value that its effect on credits needs, or the credits
  /// to restore don't fit in 64 bits; nothing was stored (version 2).
  case payloadInvalid
  /// The notification is authentic, but an ID in it is not 1 to 64 digits; nothing was stored
  /// (version 2).
  case malformedID
  /// The notification is authentic, but belongs to another app (version 2).
  case otherApp(SignedDataFailure)
  case appStoreUnavailable(SubscriptionFailure)
  /// The service refused the facts of the notification.
  case subscription(SubscriptionFailure)
}

extension NotificationFailure {
  /// Whether an authentic notification was refused for what this server serves, so that another one may take it.
  fileprivate var concernsThisServer: Bool {
    switch self {
    case .subscription(.unknownProduct): true
    case .notAuthentic(let failure): failure.isOfOtherEnvironment
    default: false
    }
  }
}
