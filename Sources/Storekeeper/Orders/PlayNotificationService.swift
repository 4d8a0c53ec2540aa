internal import EntitlementPolicy
public import GooglePlayVerifier
internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A service that follows Google's real-time developer notifications.
///
/// A notification only says that a purchase changed. It proves nothing: Google is asked about the purchase, and
/// the answer counts.
///
/// Source: Google Play rules.
public struct PlayNotificationService: Sendable {
  /// The order service, which has a vendor ``GoogleVendor``.
  public let orders: OrderService
  /// The verifier of the tokens with which Pub/Sub pushes.
  public let tokens: PushTokenVerifier
  /// The package name of the app.
  public let packageName: String
  /// The name of the push subscription, such as `projects/reader/subscriptions/play`; nil to accept any.
  public let subscription: String?

  /// The time for which a message is remembered, in seconds: 31 days, the longest for which Pub/Sub keeps one,
  /// and longer than Google lists a voided purchase.
  static let memory: TimeInterval = 31 * 86_400

  /// Creates a service.
  ///
  /// - Parameters:
  ///   - orders: The order service.
  ///   - tokens: The verifier of the tokens with which Pub/Sub pushes.
  ///   - packageName: The package name of the app.
  ///   - subscription: The name of the push subscription, or nil to accept any.
  public init(
    _ orders: OrderService, tokens: PushTokenVerifier, packageName: String,
    subscription: String? = nil
  ) {
    self.orders = orders
    self.tokens = tokens
    self.packageName = packageName
    self.subscription = subscription
  }

  /// Works on a pushed message.
  ///
  /// A message that can never be worked on, because it is damaged or of another app, is reported and then counts
  /// as received, as Pub/Sub would repeat it for days.
  ///
  /// - Parameters:
  ///   - body: The body of the request.
  ///   - authorization: The field `Authorization`.
  /// - Throws: ``/GooglePlayVerifier/PushTokenFailure`` if the request is not Pub/Sub's,
  ///   ``OrderFailure/vendorUnavailable(_:)`` if Google cannot be asked, or an error of the store or of the
  ///   host's accounts; the message should be pushed again then.
  public func receive(body: [UInt8], authorization: String?) async throws {
    try await tokens.check(authorization: authorization)
    guard let push = try? PubSubPush(parsing: body),
      let notification = try? push.notification()
    else { return orders.report(.pushRefused(.damaged)) }
    guard notification.packageName == packageName,
      subscription == nil || subscription == push.subscription
    else { return orders.report(.pushRefused(.otherApp)) }
    let now = orders.now()
    guard StoredText.fits(push.messageID, .word) else {
      return orders.report(.pushRefused(.damaged))
    }
    if try await orders.store.read({ try await $0.pushedMessages.isRecorded(push.messageID) }) {
      return
    }
    if let token = notification.purchaseToken {
      try await orders.purchaseChanged(token, at: .google)
    }
    try await orders.store.write { records in
      _ = try await records.pushedMessages.record(push.messageID, now: now)
      _ = try await records.pushedMessages.remove(
        before: now.addingTimeInterval(-Self.memory), limit: 10)
    }
  }
}

/// A reason why a pushed message is never worked on.
public enum PushRefusal: String, Hashable, Sendable {
  /// It is no notification of Google Play.
  case damaged
  /// It is of another app or another push subscription.
  case otherApp
}
