import ReceiptModels
import StoreSimulators

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A notification for the webhook, with the result of its delivery.
struct Delivery: Sendable {
  let number: Int
  /// The simulator's time of the event.
  let date: Date
  let version: NotificationVersion
  let notification: Notification
  let shop: Shop
  let customer: String
  /// The webhook at the time of the event; nil if the notification is not sent.
  let url: String?
  var state: State
  var attempts: [Attempt] = []

  enum State: String, Sendable {
    /// It was lost on its way, as ordered.
    case lost
    /// There is no webhook, or notifications are turned off.
    case unsent
    case underWay
    /// The webhook answered with a status from 200 to 299.
    case accepted
    /// All attempts failed.
    case givenUp
  }

  /// A request to the webhook.
  struct Attempt: Hashable, Sendable {
    /// The HTTP status, or nil without an answer.
    var status: Int?
    /// The beginning of the answer, or the reason why there was none.
    var text: String
  }

  /// The type in the terms of its version.
  var type: String {
    switch version {
    case .v1: notification.typeV1?.rawValue ?? ""
    case .v2: notification.type.rawValue
    }
  }

  /// The body of the request.
  var body: [UInt8] { get throws { try notification.body(version) } }
}
