import ReceiptModels
import StorekeeperTesting

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A notification on its way to the webhook, and what came of it.
struct Delivery: Sendable {
  let number: Int
  /// The simulator's time of the event.
  let date: Date
  let version: NotificationVersion
  let notification: TestNotification
  let environment: AppStoreEnvironment
  let customer: String
  /// The webhook when it was noted; nil where it is not to be sent.
  let url: String?
  var state: State
  var attempts: [Attempt] = []

  enum State: String, Sendable {
    /// There is no webhook, or it is not to be told.
    case unsent
    case underWay
    /// The webhook answered with a status from 200 to 299.
    case accepted
    /// All attempts failed.
    case givenUp
  }

  /// One request to the webhook.
  struct Attempt: Hashable, Sendable {
    /// The HTTP status, or nil when there was no answer.
    var status: Int?
    /// The beginning of the answer, or why there was none.
    var text: String
  }

  /// The type in the words of its version.
  var type: String {
    switch version {
    case .v1: notification.typeV1?.rawValue ?? ""
    case .v2: notification.type.rawValue
    }
  }

  /// The bytes to send.
  var body: [UInt8] {
    get throws {
      switch version {
      case .v1: try notification.bodyV1 ?? []
      case .v2: try notification.body
      }
    }
  }
}
