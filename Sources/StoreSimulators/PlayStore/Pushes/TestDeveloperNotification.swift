#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A real-time developer notification of a ``PlayStoreSimulator``.
///
/// It says only that something happened to a purchase. Make a request of it with
/// ``PlayStoreSimulator/push(_:as:)``, as often as you like: late, twice, or as somebody else.
public struct TestDeveloperNotification: Sendable, CustomStringConvertible, CustomReflectable {
  /// The place in the order of all notifications, from 1.
  public var number: Int { record.number }
  /// Pub/Sub's identifier of the message, by which a server knows a second delivery.
  public var messageID: String { record.messageID }
  /// The simulator's time of the event.
  public var date: Date { record.date }
  /// The name of the member of the message that says what happened, such as `subscriptionNotification`.
  public var kind: String { record.content.member.name }
  /// The token of the purchase; nil for a test.
  public var purchaseToken: String? { record.content.purchaseToken }
  /// Whether the simulator was told not to deliver it.
  public var isLost: Bool { record.isLost }
  /// Whether the server had acknowledged it when the notification was asked for.
  public var isAcknowledged: Bool { record.isAcknowledged }

  /// The type of a notification about a subscription; nil for another kind.
  public var subscriptionType: PlaySubscriptionNotificationType? {
    guard case .subscription(let type, _) = record.content else { return nil }
    return type
  }

  /// The type of a notification about a one-time product; nil for another kind.
  public var oneTimeProductType: PlayOneTimeProductNotificationType? {
    guard case .oneTimeProduct(let type, _, _) = record.content else { return nil }
    return type
  }

  /// The order of a notification about a voided purchase or a pending refund; nil for another kind.
  public var orderID: String? {
    switch record.content {
    case .voided(_, let order, _, _): order
    case .pendingRefundReview(let review): review.orderID
    case .subscription, .oneTimeProduct, .test: nil
    }
  }

  let record: DeveloperNotificationRecord

  init(_ record: DeveloperNotificationRecord) { self.record = record }

  /// The kind and the type, without the token.
  public var description: String {
    let type = subscriptionType?.rawValue ?? oneTimeProductType?.rawValue
    return "TestDeveloperNotification(\(kind)\(type.map { " \($0)" } ?? ""))"
  }
  /// The members shown by ``description``.
  public var customMirror: Mirror {
    Mirror(self, children: ["number": number, "kind": kind, "messageID": messageID])
  }
}
