import ReceiptModels
import StoreSimulators

extension Delivery {
  /// A notification: of an order, or of a request to the server APIs.
  enum Notification: Sendable {
    case event(TestNotification)
    case answer(AppStoreSimulator.SentNotification)

    var uuid: String {
      switch self {
      case .event(let event): event.uuid
      case .answer(let sent): sent.uuid
      }
    }

    var type: NotificationType {
      switch self {
      case .event(let event): event.type
      case .answer(let sent): sent.type
      }
    }

    var subtype: NotificationSubtype? {
      switch self {
      case .event(let event): event.subtype
      case .answer(let sent): sent.subtype
      }
    }

    /// The type in version 1; nil if that version has no such notification.
    var typeV1: NotificationTypeV1? {
      switch self {
      case .event(let event): event.typeV1
      case .answer: nil
      }
    }

    var transaction: Transaction? {
      switch self {
      case .event(let event): event.transaction
      case .answer(let sent): sent.transaction
      }
    }

    var isLost: Bool {
      switch self {
      case .event(let event): event.isLost
      case .answer(let sent): sent.isLost
      }
    }

    func body(_ version: NotificationVersion) throws -> [UInt8] {
      switch (self, version) {
      case (.event(let event), .v1): try event.bodyV1 ?? []
      case (.event(let event), .v2): try event.body
      case (.answer, .v1): []
      case (.answer(let sent), .v2): try sent.body
      }
    }
  }
}

extension Delivery.Attempt {
  /// The outcome in the words of Apple's notification history.
  var result: AppStoreSimulator.SendAttempt.Result {
    if isAccepted { return .success }
    if status != nil { return .unsuccessfulStatus }
    return text == "timedOut" ? .timedOut : .noResponse
  }
}
